"""A sweep of logged transfers: a point is a combination of streams, stripes, buffer and size."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path as File

from ..errors import UserError
from ..programs.amounts import any_size, said_rate
from ..programs.option_table import PLAIN_NUMBER, OptionTable
from ..programs.program import Program
from ..transfer_logs.groups import Group
from .transfer_path import Path, line_of, options_of, refusals

_SWITCH = {"on": "true", "off": "false"}
_LABELS = ("buffers of the system", "buffers as requested")


def spec_text(program: Program, files: Sequence[File], path: Path, groups: Sequence[Group]) -> str:
    """Return a spec for ``./gridftp sweep`` (doc/adding.md of the module, "A sweep").

    Args:
        program: gridftp-transfer, which checks the points.
        files: the logs, for the title.
        path: the path of the sweep; without options, the program's default.
        groups: groups of the logs; those that cannot be simulated are left out.

    Returns:
        The text; its points are sorted by streams, stripes, buffer and size.

    Raises:
        UserError: no group can be simulated.
    """
    table = OptionTable.read(program.object("--describe"))
    points = _points(path, _simulated(program, path, groups))
    names = ", ".join(dict.fromkeys(file.name for file in files))
    lines = [
        f"title = {_quoted(f'Transfers of {names}')}",
        'figure = "goodput"',
        "",
        "[fixed]",
        'mode = "fixed"',
        *_path_lines(table, path),
    ]
    for label, is_fixed in zip(_LABELS, (False, True), strict=True):
        of_label = {
            key: found for key, found in points.items() if ("window" in dict(key)) == is_fixed
        }
        if of_label:
            lines += _block(label, of_label, path)
    return "\n".join([*lines, ""])


def _simulated(program: Program, path: Path, groups: Sequence[Group]) -> list[Group]:
    reasons = refusals(program, [line_of(path, group, group.size) for group in groups])
    found = [group for group, reason in zip(groups, reasons, strict=True) if not reason]
    if not found:
        raise UserError(f"gridftp profile: --sweep: {reasons[0]}")
    return found


Point = tuple[tuple[str, str], ...]
"""Options with their texts."""


def _points(path: Path, groups: Sequence[Group]) -> dict[Point, list[Group]]:
    """Return the groups of each point: transfers between several endpoints may be at one."""
    found: dict[Point, list[Group]] = {}
    for group in groups:
        options = {**options_of(path, group), "file-size": any_size(group.size)}
        found.setdefault(tuple(options.items()), []).append(group)
    ordered = sorted(found, key=lambda point: _order(found[point][0]))
    return {point: found[point] for point in ordered}


def _order(group: Group) -> tuple[int, int, int, int]:
    return group.setting.streams, group.setting.stripes, group.setting.buffer, group.size


def _path_lines(table: OptionTable, path: Path) -> list[str]:
    if not path.options:
        return [
            "# The logs do not describe the path: add bandwidth, delay, queue, random-loss, tcp."
        ]
    return [f"{name} = {_value(table, name, text)}" for name, text in path.options.items()]


def _value(table: OptionTable, name: str, text: str) -> str:
    """Return the text of an option as TOML."""
    if name in table and table[name].kind == "switch":
        return _SWITCH.get(text, _quoted(text))
    if name in table and table[name].is_plain and PLAIN_NUMBER.fullmatch(text):
        return text
    return _quoted(text)


def _block(label: str, points: Mapping[Point, Sequence[Group]], path: Path) -> list[str]:
    rows = [dict(point) for point in points]
    swept = [name for name in rows[0] if name != "buffers"]
    # Where the logs have no buffer, that of the path holds.
    is_given = "window" not in rows[0] and "buffers" in path.options
    fixed = {} if is_given else {"buffers": rows[0]["buffers"]}
    lines = ["", "[[block]]", f"label = {_quoted(label)}"]
    lines += [f"# {_measured(point, groups)}" for point, groups in points.items()]
    lines.append("[block.fixed]")
    lines += [f"{name} = {_quoted(text)}" for name, text in fixed.items()]
    lines.append("[[block.zip]]")
    for name in swept:
        texts = (row[name] for row in rows)
        values = ", ".join(text if name == "parallelism" else _quoted(text) for text in texts)
        lines.append(f"{name} = [{values}]")
    return [*lines, "[block.follow]", 'chunk-size = { same-as = "file-size" }']


def _measured(point: Point, groups: Sequence[Group]) -> str:
    """Return the measured rates at a point, for a comment."""
    options = dict(point)
    names = ("parallelism", "stripes", "window", "file-size")
    setting = ", ".join(f"{name} {options[name]}" for name in names if name in options)
    count = sum(group.count for group in groups)
    medians = [group.median_bps for group in groups]
    rates = said_rate(min(medians))
    if len(medians) > 1:
        rates = f"{rates} to {said_rate(max(medians))}"
    return f"{setting}: {count} transfers, median {rates}"


def _quoted(text: str) -> str:
    return json.dumps("".join(c if c.isprintable() else "?" for c in text), ensure_ascii=False)
