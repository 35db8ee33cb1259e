"""Results from the store, as tables.

The store is the SQLite file that ``gridftp sweep`` fills; experiments/store/store.py describes its
tables. Reading needs no simulation program.
"""

from __future__ import annotations

import json
import logging
import math
import sqlite3
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from .results import CHUNK, LINK, Result, ResultError, measured, read, upgraded

if TYPE_CHECKING:
    import pandas as pd  # imported where a table is made: a sweep needs none, and starts without it

SCHEMA = 2
"""Schema of the store; a newer one is refused."""

_LOG = logging.getLogger(__name__)

Taken = TypeVar("Taken")

SETTING_MARK = " | "
"""In a label, between the name of a setting, where a sweep has settings, and that of a block."""


CHUNK_COLUMNS = ("label", "session", *CHUNK, "completed_s")
"""Columns of `chunk_table` that are not of the scenario."""


class DamagedError(ResultError):
    """What a store keeps of a run is not what was written; the text is one line."""


@dataclass(frozen=True)
class About:
    """What a spec says of its sweep: its title, and the kind of figure it is drawn as, if any."""

    title: str
    figure: str | None


def about_sweeps(path: Path) -> dict[str, About]:
    """Return the sweeps of a store by their names.

    Raises:
        ResultError: it is not a store that can be read.
    """
    rows = _rows(path, "SELECT name, title, figure FROM sweep ORDER BY name")
    return {name: About(title, figure) for name, title, figure in rows}


TOGETHER = " + "
"""In a setting's name, between those it combines."""


def sweeps(path: Path) -> dict[str, dict[str, int]]:
    """Return the sweeps of a store: name to how many of its runs are in which state.

    Raises:
        ResultError: it is not a store that can be read.
    """
    found: dict[str, dict[str, int]] = {}
    for sweep, state, count in _rows(
        path,
        "SELECT sweep, state, COUNT(DISTINCT key) FROM plan JOIN run USING (key) "
        "GROUP BY sweep, state ORDER BY sweep, state",
    ):
        found.setdefault(sweep, {})[state] = count
    return found


def results(path: Path, sweep: str) -> Iterator[tuple[str, Result]]:
    """Yield label and result of each done run of a sweep, in the sweep's order.

    Raises:
        ResultError: it is not a store that can be read, or a result in it is not valid.
    """
    for label, _, result in declared(path, sweep):
        if result is not None:
            yield label, result


def declared(
    path: Path, sweep: str, labels: Iterable[str] | None = None
) -> Iterator[tuple[str, dict[str, Any], Result | None]]:
    """Yield label, resolved scenario and result of each run of a sweep, in the sweep's order.

    Args:
        path: the store.
        sweep: its name.
        labels: of the sets that are wanted; None: all.

    Yields:
        The result is None where the run is not done, or what is kept of it is damaged, which is
        logged; one whose scenario is damaged is left out.

    Raises:
        ResultError: as for `results`.
    """
    wanted = None if labels is None else list(labels)
    only = "" if wanted is None else f"AND label IN ({', '.join('?' * len(wanted))}) "
    for label, key, scenario, packed in _rows(
        path,
        "SELECT label, key, scenario, result FROM plan JOIN run USING (key) "
        f"WHERE sweep = ? {only}ORDER BY place",
        sweep,
        *(wanted or ()),
    ):
        result, told = _kept(_source(path, key), scenario, packed, read)
        if result is not None:
            yield label, result.scenario, result
        elif told is not None:
            yield label, told, None


def provenance(path: Path) -> pd.DataFrame:
    """Return where the done runs of a store come from.

    Columns: ``sweep``, ``engine``, ``commit``, ``ns3_version``, ``build_profile``, ``runs`` and
    ``wall_s`` (of all of them); one row for each different one.

    Raises:
        ResultError: as for `results`.
    """
    import pandas as pd

    rows = _rows(
        path,
        "SELECT sweep, engine, git_commit, ns3_version, build_profile, COUNT(*), SUM(wall_s) "
        "FROM (SELECT DISTINCT sweep, key FROM plan) JOIN run USING (key) WHERE state = 'done' "
        "GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5",
    )
    columns = ["sweep", "engine", "commit", "ns3_version", "build_profile", "runs", "wall_s"]
    return pd.DataFrame(rows, columns=columns)


def session_table(
    path: Path, sweep: str, undone: bool = True, beside: bool = False
) -> pd.DataFrame:
    """Return one row per session of each run of a sweep, in the sweep's order.

    Columns: ``label``, ``session`` (from 0), the scenario's plain values under their keys (SI
    numbers, ``engine``, ``run`` and ``seed`` among them; what a session has of its own, such as
    mode and delay, is that of the session), and, nan where a run is not done, what is measured of
    the session (`results.SESSION`: ``goodput_bps``, ``duration_s``, ...) and, of the run, of its
    first link (`results.LINK`: ``utilisation``, ``mean_queue_packets``, ...). Nothing else: what is
    neither of the scenario nor measured has no place in a figure.

    Args:
        path: the store.
        sweep: its name.
        undone: have rows for runs that are not done, too.
        beside: have a column ``beside``, too: the other sessions and the background connections of
            the scenario as JSON, "" where there are none.

    Raises:
        ResultError: as for `results`.
    """
    import pandas as pd

    rows = []
    for label, key, text, packed in _rows(
        path,
        "SELECT label, key, scenario, result FROM plan JOIN run USING (key) "
        "WHERE sweep = ? ORDER BY place",
        sweep,
    ):
        scenario, told = _told(_source(path, key), text, packed, undone)
        for number, one in enumerate(told):
            own = {**plain(scenario), **plain(scenario["sessions"][number])}
            row = {"label": label, "session": number, **own, **one}
            rows.append({**row, "beside": _beside(scenario, number)} if beside else row)
    return pd.DataFrame(rows)


def _told(
    source: str, text: str, packed: bytes | None, undone: bool
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return the scenario of a run and what is told of each session."""
    data, scenario = _kept(source, text, packed, upgraded)
    if data is not None:
        link = data["links"][0]
        rows = [{**one, **{name: link.get(name) for name in LINK}} for one in measured(data)]
        return data["scenario"], rows
    if scenario is None or not undone:
        return {}, []
    return scenario, [{"goodput_bps": math.nan}] * len(scenario["sessions"])


def _kept(
    source: str, text: str, packed: bytes | None, take: Callable[[dict[str, Any], str], Taken]
) -> tuple[Taken | None, dict[str, Any] | None]:
    """Return what `take` makes of a result, or else the scenario of a run that is not done.

    What is damaged is logged: such a result counts as not done, and of such a scenario there is
    nothing.
    """
    try:
        if packed is not None:
            return take(unpacked(packed, source), source), None
    except DamagedError as error:
        _LOG.warning("%s; it counts as not done", error)
    try:
        return None, _parsed(text, "scenario", source)
    except DamagedError as error:
        _LOG.warning("%s; it is left out", error)
        return None, None


def unpacked(packed: bytes, source: str) -> dict[str, Any]:
    """Return a result as it was kept.

    Raises:
        DamagedError: it is not as it was written.
    """
    try:
        text = zlib.decompress(packed)
    except zlib.error as error:
        raise DamagedError(f"{source}: the result is damaged ({error})") from None
    return _parsed(text, "result", source)


def _parsed(text: str | bytes, what: str, source: str) -> dict[str, Any]:
    try:
        return json.loads(text)
    except ValueError as error:
        raise DamagedError(f"{source}: its {what} is damaged ({error})") from None


def chunk_table(path: Path, sweep: str, undone: bool = False) -> pd.DataFrame:
    """Return one row per chunk of each done run.

    Columns: `CHUNK_COLUMNS`, and the scenario's plain values under other names than these.

    Args:
        path: the store.
        sweep: its name.
        undone: have one row for each run that is not done, too, without ``index``.
    """
    import pandas as pd

    tables, others = [], []
    for label, scenario, result in declared(path, sweep):
        if result is not None:
            tables.append(_chunks(result).assign(label=label))
        elif undone:
            others.append(pd.DataFrame([{**_beside_chunks(scenario), "label": label}]))
    tables += others
    table = pd.concat(tables, ignore_index=True) if tables else pd.DataFrame(columns=["index"])
    return table.reindex(columns=list(dict.fromkeys([*CHUNK_COLUMNS, *table])))


def _chunks(result: Result) -> pd.DataFrame:
    """Return a result's chunks with the scenario, and what each session has of its own."""
    import pandas as pd

    chunks = result.chunks()
    parts = []
    for number, declared in enumerate(result.scenario["sessions"]):
        own = _beside_chunks({**result.scenario, **declared})
        part = chunks[chunks["session"] == number]
        beside = pd.DataFrame(own, index=part.index)  # at once: there are a hundred columns
        parts.append(pd.concat([part, beside], axis=1))
    return pd.concat(parts, ignore_index=True)


def _beside_chunks(scenario: Mapping[str, Any]) -> dict[str, Any]:
    """Return the scenario's plain values that are not measured of each chunk, too."""
    return {key: value for key, value in plain(scenario).items() if key not in CHUNK_COLUMNS}


def _beside(scenario: Mapping[str, Any], session: int) -> str:
    """Return what shares the bottleneck with a session, as JSON."""
    sessions = scenario["sessions"]
    others = [*sessions[:session], *sessions[session + 1 :], *scenario["background"]]
    return json.dumps(others, sort_keys=True) if others else ""


def _source(path: Path, key: str) -> str:
    """Return what messages call a run."""
    return f"{path}: run {key[:12]}"


def plain(scenario: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of a scenario, or of a part of one, that are neither list nor table."""
    return {key: value for key, value in scenario.items() if not isinstance(value, (dict, list))}


def _rows(path: Path, statement: str, *parameters: Any) -> list[tuple[Any, ...]]:
    """Return the rows of a SELECT on a store.

    Raises:
        ResultError: there is no store, or one of a newer schema.
    """
    if not path.is_file():
        raise ResultError(f"{path}: there is no store; ./gridftp sweep makes one")
    try:
        # Not read-only: SQLite keeps its index of a WAL in a file beside it.
        database = sqlite3.connect(path, timeout=60)
        try:
            ((schema,),) = database.execute("SELECT schema FROM about").fetchall()
            if schema < SCHEMA:
                raise ResultError(
                    f"{path}: schema {schema} is older than {SCHEMA}: ./gridftp store list brings "
                    "it up to date"
                )
            if schema > SCHEMA:
                raise ResultError(
                    f"{path}: schema {schema} is newer than {SCHEMA}, the newest understood here: "
                    "use the version of this suite that wrote it, or a newer one"
                )
            return database.execute(statement, parameters).fetchall()
        finally:
            database.close()
    except sqlite3.DatabaseError as error:
        raise ResultError(f"{path}: not a store ({error})") from None
