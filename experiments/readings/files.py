"""Files of readings: which tool printed each, and which of them belong to one run."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ..errors import UserError
from .content import Content, Reader, of_json, of_text, read_content
from .iperf3 import parse_iperf3
from .other_tools import other_tool
from .perf_report import parse_perf_report
from .reading import Run
from .sadf import parse_sadf
from .sockets import STATES, parse_sockets
from .texts import wrong

_PERF = re.compile(
    r"^ *# *(?:Samples:|Events:|Overhead|Children|To display the perf\.data)", re.MULTILINE
)
_SS = re.compile(rf"\s*(?:State|{'|'.join(STATES)})\s")

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
    Reader(
        "iperf3",
        "iperf3 -J",
        lambda file: file.has_member("start", "error"),
        of_json(parse_iperf3),
    ),
    Reader(
        "sockets",
        "ss -ti",
        lambda file: _SS.match(file.text.lstrip()) is not None,
        of_text(parse_sockets),
    ),
)
"""All kinds of files, a row each; the first reader that recognises a file reads it."""

_PRINTED = [reader.prints for reader in READERS]

ALLOWED = f"{', '.join(_PRINTED[:-1])} and {_PRINTED[-1]}"


def read_runs(files: Sequence[Path]) -> list[Run]:
    """Read files and group those of one run at one endpoint.

    These have the same name up to their first dot, in the same folder. Where no tool has two files,
    all are of one run. A file with several runs makes a run of each, ``NAME``, ``NAME#2``, ...

    Raises:
        UserError: a file is of none of the tools, anything is wrong with it, or two files of a tool
            are of one run.
    """
    if not files:
        raise UserError(f"no files of readings; allowed: what {ALLOWED} print")
    read = [(path, *_read(path)) for path in files]
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
                what = f"is a second one of {tool} of run {name!r}, beside {before.path.name}"
                raise wrong(path, 1, f"{what}; allowed: one, names are alike up to their first dot")
            runs[key] = replace(run, **{tool: part})
    return list(runs.values())


def _name(path: Path, number: int) -> str:
    name = path.name.split(".", 1)[0] or path.name
    return name if number == 1 else f"{name}#{number}"


def _read(path: Path) -> tuple[str, list[object]]:
    """Return which part of a run a file is, and the part of each run in it."""
    content = read_content(path)
    reader = _reader_of(content)
    if reader is None:
        other = other_tool(content)
        what = "is of none of the tools" if other is None else f"is the output of {other}"
        raise wrong(path, 1, f"{what}; allowed: what {ALLOWED} print")
    return reader.part, reader.parse(content)


def _reader_of(content: Content) -> Reader | None:
    return next((one for one in READERS if one.recognises(content)), None)
