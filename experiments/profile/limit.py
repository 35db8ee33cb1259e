"""What the profiler knows of a limit."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .case import Case

Options = Mapping[str, Any]
"""Changed options, with their values as a line of a batch takes them: texts, or, of `background`
and `faults`, the list of those that remain."""

HEADROOM = 1.25
"""What is advised is this much faster than what the rest of the transfer could use."""


@dataclass(frozen=True)
class Limit:
    """One limit.

    Attributes:
        name: that a cell of the report has.
        letter: that stands for it where there is no room.
        family: of limits that have one colour.
        lift: options without it, from the least to the most that can be done; none where a
            transfer has no such limit.
        evidence: what the result shows of it, a sentence.
        advice: changes that a user could make, the easiest first, from the transfer and the
            goodput without the limit, bits per second.
        is_remedy: more of it helps against other limits, so that it is named only where nothing
            else is worth as much.
        within: the name of another one whose lifting lifts this one, too; empty for none.
        is_met: whether a transfer meets it at all; one that does not is lifted only together with
            others, so that it does not take their place.
        parts: of a session's result that the limit is about: a transfer whose tool has none of
            them, such as one that sends datagrams, does not have the limit either.
        most_gain: the largest share that goodput can gain from the limit itself. A larger gain of
            a lifted limit comes from something else, such as other moments at which TCP loses
            packets, and does not make it the limit that is named.
    """

    name: str
    letter: str
    family: str
    lift: Callable[[Case], Sequence[Options]]
    evidence: Callable[[Case], str]
    advice: Callable[[Case, float], Sequence[Options]]
    is_remedy: bool = False
    within: str = ""
    is_met: Callable[[Case], bool] = lambda case: True
    parts: Sequence[str] = ()
    most_gain: Callable[[Case], float] = lambda case: math.inf
