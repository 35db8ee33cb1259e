"""Files of readings: which tool each is from, and which of them belong to one run."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ..errors import UserError
from .iperf3 import parse_iperf3
from .json_nodes import parse_json
from .perf_report import parse_perf_report
from .reading import Run
from .sadf import parse_sadf
from .sockets import STATES, parse_sockets
from .texts import read_text, wrong

ALLOWED = "sadf -j, perf report --stdio, iperf3 -J and ss -ti"

_PERF = re.compile(r"^# (?:Samples:|Overhead|Children|To display the perf\.data)", re.MULTILINE)
_SS = re.compile(rf"\s*(?:State|{'|'.join(STATES)})\s")


def read_runs(files: Sequence[Path]) -> list[Run]:
    """Read files and put those together that are of one run at one end.

    These have the same name up to their first dot, in the same folder. Where no tool has two files,
    all are of one run.

    Raises:
        UserError: a file is of none of the tools, anything is wrong with it, or two files of a tool
            are of one run.
    """
    if not files:
        raise UserError(f"no files of readings; allowed: what {ALLOWED} print")
    read = [(path, _read(path)) for path in files]
    tools = [tool for _, (tool, _) in read]
    is_one = len(set(tools)) == len(tools)
    runs: dict[tuple[Path, str], Run] = {}
    for path, (tool, part) in read:
        name = _name(read[0][0] if is_one else path)
        key = (Path() if is_one else path.parent, name)
        run = runs.setdefault(key, Run(name))
        before = getattr(run, tool)
        if before is not None:
            what = f"is a second one of {tool} of run {name!r}, beside {before.path.name}"
            raise wrong(path, 1, f"{what}; allowed: one, names are alike up to their first dot")
        runs[key] = replace(run, **{tool: part})
    return list(runs.values())


def _name(path: Path) -> str:
    return path.name.split(".", 1)[0] or path.name


def _read(path: Path) -> tuple[str, object]:
    """Return which part of a run a file is, and the part."""
    text = read_text(path)
    start = text.lstrip()
    if start.startswith(("{", "[")):
        top = parse_json(path, text, "a tool with JSON")
        if isinstance(top.value, dict):
            if "sysstat" in top:
                return "sadf", parse_sadf(path, top)
            if "start" in top or "error" in top:
                return "iperf3", parse_iperf3(path, top)
    elif _PERF.search(text):
        return "perf", parse_perf_report(path, text)
    elif _SS.match(start):
        return "sockets", parse_sockets(path, text)
    raise wrong(path, 1, f"is of none of the tools; allowed: what {ALLOWED} print, transfer logs")
