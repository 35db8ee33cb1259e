"""Files of readings: which tool printed each, and which of them belong to one run."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ..errors import UserError
from .content import Content, Reader, of_json, of_text, read_content
from .iperf3 import is_iperf3, runs_of_iperf3
from .other_tools import other_tool
from .perf_report import parse_perf_report
from .reading import Run
from .sadf import parse_sadf
from .sockets import is_sockets, parse_sockets
from .texts import wrong

_NUMBERED = re.compile(r"(.+)#([1-9]\d{0,5})", re.DOTALL)
_PERF = re.compile(
    r"^ *# *(?:Samples:|Events:|Overhead|Children|To display the perf\.data)", re.MULTILINE
)

READERS: tuple[Reader, ...] = (
    Reader(
        "sadf",
        "sadf -j",
        lambda file: file.has_member("sysstat") and other_tool(file) is None,
        of_json(parse_sadf),
    ),
    Reader(
        "perf",
        "perf report --stdio",
        lambda file: not file.is_json and _PERF.search(file.text) is not None,
        of_text(parse_perf_report),
    ),
    Reader("iperf3", "iperf3 -J", is_iperf3, runs_of_iperf3),
    Reader("sockets", "ss -ti", is_sockets, of_text(parse_sockets)),
)
"""All kinds of files, a row each; the first reader that recognises a file reads it."""

_PRINTED = [reader.prints for reader in READERS]

ALLOWED = f"{', '.join(_PRINTED[:-1])} or {_PRINTED[-1]}"


def read_runs(files: Sequence[Path]) -> list[Run]:
    """Read files and group those of one run at one endpoint.

    These have the same name up to their first dot, in the same folder. Where no tool has two files,
    all are of one run. A file with several runs makes a run of each, ``NAME``, ``NAME#2``, ...;
    ``FILE#2`` in place of a file is its second run alone.

    Raises:
        UserError: a file is of none of the tools, anything is wrong with it, or two files of a tool
            are of one run.
    """
    if not files:
        raise UserError(f"there are no files of readings; allowed: output of {ALLOWED}")
    read = [_read(path) for path in files]
    tools = [tool for _, tool, _ in read]
    is_one = len(set(tools)) == len(tools)
    runs: dict[tuple[Path, str], Run] = {}
    for path, tool, parts in read:
        for number, part in enumerate(parts, 1):
            name = _name(read[0][0] if is_one else path, number)
            key = (Path() if is_one else path.parent, name)
            run = runs.setdefault(key, Run(name))
            before = getattr(run, tool)
            if before is not None:
                what = f"run {name!r} already has a file of {tool} ({before.path.name})"
                raise wrong(
                    path,
                    1,
                    f"{what}; allowed: one file of each tool with a name up to its first dot",
                )
            runs[key] = replace(run, **{tool: part})
    for path, tool, parts in read:
        if len(parts) > 1:
            name = _name(read[0][0] if is_one else path, 1)
            run = runs[Path() if is_one else path.parent, name]
            _refuse_several(path, tool, len(parts), run)
    return list(runs.values())


def _refuse_several(path: Path, tool: str, count: int, run: Run) -> None:
    """Refuse a file of several runs where the run has files of other tools, which are of one."""
    others = sorted({reader.part for reader in READERS} - {tool})
    others = [one for one in others if getattr(run, one) is not None]
    if others:
        what = f"contains {count} runs; the {others[0]} file of run {run.name!r} belongs to one run"
        raise wrong(path, 1, f"{what}; allowed: one of them, {path.name}#1 to {path.name}#{count}")


def _name(path: Path, number: int) -> str:
    name = path.name.split(".", 1)[0] or path.name
    return name if number == 1 else f"{name}#{number}"


def _read(path: Path) -> tuple[Path, str, list[object]]:
    """Return a file without the number of a run, which part of a run it is, and that of each run.

    Raises:
        UserError: see `read_runs`.
    """
    numbered = _NUMBERED.fullmatch(str(path))
    number = 0
    if numbered is not None and not path.exists():
        path, number = Path(numbered[1]), int(numbered[2])
    content = read_content(path)
    reader = _reader_of(content)
    if reader is None:
        other = other_tool(content)
        what = "is not the output of a known tool" if other is None else f"is the output of {other}"
        raise wrong(path, 1, f"{what}; allowed: output of {ALLOWED}")
    parts = reader.parse(content)
    if not number:
        return path, reader.part, parts
    if number > len(parts):
        what = f"has no run {number}; allowed: {path.name}#1 to {path.name}#{len(parts)}"
        raise wrong(path, 1, what)
    return path, reader.part, [parts[number - 1]]


def _reader_of(content: Content) -> Reader | None:
    return next((one for one in READERS if one.recognises(content)), None)
