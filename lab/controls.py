"""What the notebook is operated with: sliders and lists, made from the option table."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from typing import Any

import marimo as mo
import numpy as np

from .launcher import LauncherError, Options, words

MOST_CONNECTIONS = 64
"""A slider of whole numbers ends here: further ones are typed, as options."""

DECADES = 2
"""A slider of a quantity reaches so many powers of ten below and above the default."""

Row = Mapping[str, Any]
"""One option, of the table that ``run --describe`` prints."""


def control(row: Row, *further: Row) -> mo.ui.dropdown | mo.ui.slider:
    """Return the control of one option, set to the program's default.

    Args:
        row: of the option.
        further: options of the same range, of which it sets one or the other.
    """
    label = "; ".join(f"`--{one['name']}` {one['help']}" for one in (row, *further))
    if "choices" in row:
        # One that goes on with a text, as a program's command, is typed, as an option.
        offered = [word for word in row["choices"] if word != row.get("open_choice")]
        return mo.ui.dropdown(offered, value=row["default"], label=label)
    number, unit = _split(row["default"])
    return mo.ui.slider(
        steps=_steps(row, number, unit),
        value=number,
        label=f"{label} ({unit})" if unit else label,
        show_value=True,
        # A run is started where the slider is let go, not on the way there.
        debounce=True,
    )


def text(row: Row, value: str | float) -> str:
    """Return a control's value as the option's text."""
    if isinstance(value, str):
        return value
    return np.format_float_positional(value, trim="-") + _split(row["default"])[1]


def asked(ask: Callable[..., Any], *arguments: Any) -> Any:
    """Return what a function of the launcher answers; where it refuses, its reason ends the cell.

    The cells that need the answer are not run then.
    """
    try:
        return ask(*arguments)
    except LauncherError as error:
        reason = str(error)
    if mo.app_meta().mode == "script":
        print(f"notebook: {reason}", file=sys.stderr)
    return mo.stop(True, mo.callout(reason, kind="danger"))


def command_line(verb: str, options: Options) -> mo.Html:
    """Return a command line that gives the numbers of a cell."""
    return mo.md(f"```sh\n{' '.join(['./gridftp', verb, *words(options)])}\n```")


def _split(default: str) -> tuple[float, str]:
    """Return number and unit of a default: of "64KiB" 64 and "KiB"."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)([A-Za-z/]*)", default)
    if not found:
        raise ValueError(f"{default} is not a number with a unit")
    return _plain(float(found[1])), found[2]


def _steps(row: Row, number: float, unit: str) -> list[float]:
    """Return what a slider can be set to, in the unit of the default."""
    if not unit:
        return list(range(row["minimum"], min(row["maximum"], MOST_CONNECTIONS) + 1))
    factor = row["default_value"] / number
    low = max(row["minimum"] / factor, number / 10**DECADES)
    high = min(row["maximum"] / factor, number * 10**DECADES)
    if unit.endswith("iB"):
        rungs = [2.0**power for power in range(-20, 41)]
    else:
        rungs = [float(f"{lead}e{power}") for power in range(-12, 13) for lead in (1, 2, 5)]
    # What is counted has no halves.
    if row["unit"] == "packets":
        rungs = [rung for rung in rungs if rung >= 1]
    return sorted({_plain(rung) for rung in rungs if low <= rung <= high} | {number})


def _plain(number: float) -> float:
    """Return a whole number as one, so that 100 is not shown as 100.0."""
    return int(number) if number == int(number) else number
