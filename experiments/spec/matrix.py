"""The matrix of a profile: the table ``[profile]`` of a spec, or what it is where there is none.

::

    [profile]
    buffer = ["default", "BDP", "4MB", "8MB", "16MB", "32MB"]   # -tcp-bs; default: auto-tuned
    parallelism = [1, 2, 4, 8, 16]
    block-size = ["256KiB", "1MiB", "4MiB"]
    source = ["memory", "disk"]      # by default memory, and what [fixed] names
    sink = ["memory", "disk"]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..programs.option_table import OptionTable
from .blocks import Axis, Block, Shared
from .numbers import Quantity
from .places import Place
from .values import Value, read_value, read_values, refuse_twice

PRODUCT = "BDP"
"""Stands for a window of the path's bandwidth-delay product, which the scenario tells once it is
resolved: `Planned.line` has it as it stands."""

DEFAULT = "default"
"""Stands for buffers that the operating systems tune, as where no -tcp-bs is given."""

AUTO_TUNED = "linux-receiver"

STACK = "stack"
"""The option for the TCP of hosts."""

TODAY = "today"
"""Stands for the hosts of a spec that does not say which: hosts of today, where they model all that
the spec has, else the classic ones. `Planned.line` has it as it stands."""

_BUFFERS = (DEFAULT, PRODUCT, "4MB", "8MB", "16MB", "32MB")
_USUAL: Mapping[str, Any] = {
    "parallelism": [1, 2, 4, 8, 16],
    "block-size": ["256KiB", "1MiB", "4MiB"],
}
_KEYS = ("buffer", *_USUAL, "source", "sink")


@dataclass(frozen=True)
class _Axis(Axis):
    """Buffers, each with the options that it stands for."""

    rows: tuple[Mapping[str, Value], ...]

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.rows)

    def points(self) -> list[dict[str, Value]]:
        """Return the options of each."""
        return [dict(row) for row in self.rows]


def read_matrix(table: OptionTable, profile: Any, shared: Shared, at: Place) -> Block:
    """Return the transfers of a matrix, as one block.

    Args:
        table: the options.
        profile: the table from TOML; an empty one for the usual matrix.
        shared: what the file says of every block.
        at: where the table is.

    Raises:
        UserError: something in it is not allowed.
    """
    if not isinstance(profile, dict):
        raise at.bad(profile, "a table, [profile]")
    for key in profile:
        if key not in _KEYS:
            raise (at / key).unknown(_KEYS)
    _refuse_set_elsewhere(profile, shared, at)
    swept = {name for axis in shared.axes for name in axis.values}
    hosts = {} if STACK in swept else {STACK: TODAY}
    fixed = {"mode": "fixed", **hosts, **shared.fixed}
    axes: list[Axis] = list(shared.axes)
    if "buffer" in profile or not {"window", "buffers"} & swept:
        axes.append(_buffers(table, profile.get("buffer", list(_BUFFERS)), fixed, at / "buffer"))
    for name in ("parallelism", "block-size", "source", "sink"):
        if name in profile or name not in swept:
            usual = _USUAL.get(name) or list(dict.fromkeys(["memory", fixed.get(name, "memory")]))
            values = read_values(table[name], profile.get(name, usual), at / name)
            refuse_twice(values, at / name)
            axes.append(Axis({name: values}))
    return Block("transfer", [], range(1, 2), None, fixed, axes, [])


def _refuse_set_elsewhere(profile: Mapping[str, Any], shared: Shared, at: Place) -> None:
    """Raise a UserError if an option is swept both here and in [cross]."""
    swept = {name for axis in shared.axes for name in axis.values}
    for key in profile:
        options = ("window", "buffers") if key == "buffer" else (key,)
        if twice := next((name for name in options if name in swept), None):
            raise (at / key).error(
                f'"{key}" sets "{twice}", which [cross] sweeps, too; allowed: one of both'
            )


def _buffers(table: OptionTable, values: Any, fixed: Mapping[str, Value], at: Place) -> Axis:
    words = f'"{DEFAULT}", "{PRODUCT}" or a size such as "4MB"'
    if not isinstance(values, list) or not values:
        raise at.bad(values, f"a list of at least one value, each of them {words}")
    for number, value in enumerate(values):
        sized = isinstance(value, str) and Quantity.read(value) is not None
        if not sized and value not in (DEFAULT, PRODUCT):
            raise (at / number).bad(value, words)
    refuse_twice(values, at)
    rows = []
    for number, value in enumerate(values):
        if value == DEFAULT:
            rows.append({} if "buffers" in fixed else {"buffers": AUTO_TUNED})
        elif value == PRODUCT:
            rows.append({"buffers": "fixed", "window": PRODUCT})
        else:
            size = read_value(table["window"], value, at / number)
            rows.append({"buffers": "fixed", "window": size})
    return _Axis({name: [] for row in rows for name in row}, tuple(rows))
