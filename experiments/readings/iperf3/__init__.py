"""Files of iperf3: JSON, JSON stream and text, of a client or a server, one run or several."""

from __future__ import annotations

import re
from pathlib import Path

from ..content import Content, read_content
from ..json_nodes import Node
from ..texts import wrong
from .json_output import TOOL, json_runs, parse_json_run
from .model import Iperf3, RunFailedError
from .text import is_iperf2, is_iperf3_table, is_iperf3_text, text_runs

__all__ = ["TOOL", "Iperf3", "is_iperf3", "parse_iperf3", "read_iperf3", "runs_of_iperf3"]

_JSON = re.compile(r'\{\s*"(?:start|event|error|connected)"\s*:', re.MULTILINE)
_RUNS = re.compile(r'"(?:connecting_to|accepted_connection|test_start|sum_received|event)"')


def read_iperf3(path: Path) -> Iperf3:
    """Read a file of one run of iperf3.

    Raises:
        UserError: anything is wrong with it, as ``FILE:LINE: what``, or it has several runs.
    """
    runs = runs_of_iperf3(read_content(path))
    if len(runs) > 1:
        what = f"has {len(runs)} runs of iperf3; allowed: one"
        raise wrong(path, runs[1].line, what)
    return runs[0]


def parse_iperf3(path: Path, top: Node) -> Iperf3:
    """Return a run from its JSON; see `parse_json_run`."""
    return parse_json_run(path, top)


def is_iperf3(content: Content) -> bool:
    """Return whether a file is of iperf3, or of iperf 2, which `runs_of_iperf3` refuses by name.

    Raises:
        UserError: the text begins as JSON does and is none.
    """
    if content.is_json:
        return _is_json_run(content)
    text = content.text
    return is_iperf3_text(text) or is_iperf2(text) or _has_json_run(text)


def _is_json_run(content: Content) -> bool:
    """Return whether the first object of JSON is a run, an event or a list of runs."""
    value = content.first.value
    if isinstance(value, list) and value:
        value = value[0]
    if not isinstance(value, dict):
        return False
    is_error = isinstance(value.get("error"), str)
    return "start" in value or is_error or {"event", "data"} <= value.keys()


def _has_json_run(text: str) -> bool:
    """Return whether other lines stand before the JSON of a run."""
    return _JSON.search(text) is not None and _RUNS.search(text) is not None


def runs_of_iperf3(content: Content) -> list[Iperf3]:
    """Return each run in a file in order; one that failed among others has no flows.

    Raises:
        UserError: anything is wrong, as ``FILE:LINE: what``, or all runs failed.
    """
    path, text = content.path, content.text
    if content.is_json or (not is_iperf3_table(text) and _has_json_run(text)):
        runs = [_json_run(path, node) for node in json_runs(path, text)]
    elif is_iperf2(text):
        what = (
            "is the output of iperf 2, another program; allowed: the output of iperf3 (iperf3 -J)"
        )
        raise wrong(path, 1, what)
    else:
        runs = text_runs(path, text)
    failed = [one for one in runs if isinstance(one, RunFailedError)]
    if len(failed) == len(runs):
        raise failed[0]
    return [_failed(path, one) if isinstance(one, RunFailedError) else one for one in runs]


def _json_run(path: Path, node: Node) -> Iperf3 | RunFailedError:
    try:
        return parse_json_run(path, node)
    except RunFailedError as error:
        return error


def _failed(path: Path, error: RunFailedError) -> Iperf3:
    """Return a run that failed, among others."""
    notes = (f"the run failed: {error.reason}",)
    return Iperf3(path, error.line, "", (), failure=error.reason, notes=notes)
