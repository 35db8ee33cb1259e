"""The limits that the profiler knows: one entry of a table each, and nothing anywhere else.

An entry says how the limit is lifted (options that change nothing else), what in the result shows
that it holds the transfer, and which changes a user could make. Which one it is that holds is not
decided here, but by simulating the transfer without it (`judge`).
"""

from __future__ import annotations

from collections.abc import Mapping

from .limit import Limit
from .limits_host import HOST_LIMITS
from .limits_path import PATH_LIMITS
from .limits_tool import TOOL_LIMITS
from .limits_traffic import TRAFFIC_LIMITS
from .limits_variation import VARIATION_LIMITS

LIMITS: tuple[Limit, ...] = (
    *HOST_LIMITS,
    *TOOL_LIMITS,
    *TRAFFIC_LIMITS,
    *VARIATION_LIMITS,
    *PATH_LIMITS,
)
"""All of them. Where lifting two gives the same, the one that comes first is named: what is
particular to a host before what more of anything would hide."""

BY_NAME: Mapping[str, Limit] = {limit.name: limit for limit in LIMITS}
