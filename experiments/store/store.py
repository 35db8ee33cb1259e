"""The store: one SQLite file that keeps every simulation once, with what it was made from.

A run is its complete resolved scenario, which names engine, seed and run, and the hash of the
sources of that engine; the hash of both is its key. So nothing is simulated twice, nothing stale is
taken for fresh, and what does not change a result throws none away.

Tables of schema 2:

- ``about``: ``schema``, one row.
- ``run``: a row for each key. ``state`` is queued, running, done, failed or timed out; only a
  validated result is done. ``line`` is what the program was given, ``scenario`` what that
  resolves to, ``result`` the program's JSON compressed with zlib, ``digest`` a hash of its
  measured part, ``goodput_bps`` that of all sessions together, ``command`` a shell's line that
  does it again; ``reason``, ``exit_status`` and ``stderr`` are of a failure.
- ``sweep``: what its spec says: name, title, and the kind of figure it is drawn as.
- ``plan``: which runs a sweep consists of: its name, the label of the set, the place in it.

One sweep at a time works on a store: a second one is refused at once (`Store.claim`). Reading is
free at any time.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from analysis.read.results import total_goodput_bps
from analysis.read.stored import SCHEMA, DamagedError, unpacked

from ..errors import ProgramError, UserError

QUEUED, RUNNING, DONE, FAILED, TIMED_OUT = "queued", "running", "done", "failed", "timed out"
STATES = (QUEUED, RUNNING, DONE, FAILED, TIMED_OUT)

_TABLES = """
CREATE TABLE about (schema INTEGER NOT NULL);
CREATE TABLE run (
    key TEXT PRIMARY KEY,
    engine TEXT NOT NULL,
    sources TEXT NOT NULL,
    line TEXT NOT NULL,
    scenario TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('queued', 'running', 'done', 'failed', 'timed out')),
    attempts INTEGER NOT NULL DEFAULT 0,
    result BLOB,
    digest TEXT,
    goodput_bps REAL,
    reason TEXT,
    command TEXT,
    exit_status INTEGER,
    stderr TEXT,
    wall_s REAL,
    peak_rss_bytes INTEGER,
    git_commit TEXT,
    ns3_version TEXT,
    build_profile TEXT,
    ended_at TEXT,
    CHECK ((state = 'done') = (result IS NOT NULL))
);
CREATE TABLE plan (
    sweep TEXT NOT NULL,
    place INTEGER NOT NULL,
    label TEXT NOT NULL,
    key TEXT NOT NULL REFERENCES run (key),
    PRIMARY KEY (sweep, place)
) WITHOUT ROWID;
CREATE INDEX plan_key ON plan (key);
"""

_SWEEPS = "CREATE TABLE sweep (name TEXT PRIMARY KEY, title TEXT NOT NULL, figure TEXT)"


@dataclass(frozen=True)
class Run:
    """A simulation to be kept.

    Attributes:
        line: options as a line of a batch has them.
        scenario: what these resolve to.
        sources: hash of the engine's sources.
    """

    line: Mapping[str, Any]
    scenario: Mapping[str, Any]
    sources: str

    @property
    def engine(self) -> str:
        """The engine that simulates it."""
        return self.scenario["engine"]

    @cached_property
    def key(self) -> str:
        """What it is kept under."""
        return hashlib.sha256(f"{self.scenario_text}\0{self.sources}".encode()).hexdigest()

    @cached_property
    def scenario_text(self) -> str:
        """The scenario as it is kept."""
        return _text(self.scenario)


@dataclass(frozen=True)
class Ended:
    """How an attempt at a run ended.

    Attributes:
        state: done, failed or timed out.
        result: the program's JSON text, where it is done.
        data: the same as an object.
        reason: one line, where it is not.
        command: that does it again.
        status: exit status of the program, where it ended.
    """

    key: str
    state: str
    wall_s: float
    result: bytes | None = None
    data: Mapping[str, Any] | None = None
    reason: str | None = None
    command: str | None = None
    status: int | None = None
    stderr: str | None = None


class Store:
    """An open store; close it, or use it in a ``with``."""

    def __init__(self, path: Path, *, create: bool = False) -> None:
        """Open a store.

        Args:
            path: the file.
            create: make it, and its folder, if it is not there.

        Raises:
            UserError: there is none, it is no store, or one of a newer schema.
            OSError: its folder cannot be made.
        """
        self.path = path
        if create and not path.exists():
            _create(path)
        elif not path.is_file():
            raise UserError(f"{path}: there is no store; ./gridftp sweep makes one")
        try:
            self._db = sqlite3.connect(path, timeout=60, isolation_level=None)
            # A power cut may lose the last transactions, whose runs are then simulated again; it
            # breaks nothing.
            self._db.execute("PRAGMA synchronous = NORMAL")
            self._db.execute("PRAGMA foreign_keys = ON")
            self._check_schema()
        except sqlite3.DatabaseError as error:
            raise UserError(f"{path}: not a store ({error})") from None

    def _check_schema(self) -> None:
        if not self.query("SELECT 1 FROM sqlite_master WHERE name = 'about'"):
            raise UserError(f"{self.path}: not a store of this suite")
        ((schema,),) = self.query("SELECT schema FROM about")
        if schema == 1:
            self._upgrade()
        if schema > SCHEMA:
            raise UserError(
                f"{self.path}: schema {schema} is newer than {SCHEMA}, the newest understood here: "
                "use the version of this suite that wrote it, or a newer one"
            )

    def _upgrade(self) -> None:
        """Make schema 1 schema 2, which knows titles and figures of sweeps."""
        with self._transaction():
            if self.query("SELECT schema FROM about") == [(1,)]:  # nobody was quicker
                self._db.execute(_SWEEPS)
                self._db.execute("INSERT INTO sweep SELECT DISTINCT sweep, sweep, NULL FROM plan")
                self._db.execute("UPDATE about SET schema = 2")

    def close(self) -> None:
        """Close it."""
        self._db.close()

    def __enter__(self) -> Store:
        """Return it."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.close()

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[None]:
        """All or nothing.

        Raises:
            ProgramError: the file cannot be written; nothing of it is.
        """
        try:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                with contextlib.suppress(sqlite3.Error):
                    self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")
        except sqlite3.OperationalError as error:
            with contextlib.suppress(sqlite3.Error):
                self._db.execute("ROLLBACK")
            raise ProgramError(f"{self.path}: {error}") from None

    @contextlib.contextmanager
    def claim(self) -> Iterator[None]:
        """Be the one who simulates into it; a claim ends with its process, however that ends.

        What a dead owner left as running is queued again.

        Raises:
            UserError: another sweep is at work on it.
        """
        with open(self.path.with_name(f"{self.path.name}.lock"), "a+") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                lock.seek(0)
                owner = lock.read().strip()
                holder = f" (process {owner})" if owner else ""
                raise UserError(
                    f"{self.path}: another sweep is using this store{holder}; wait until it ends"
                ) from None
            lock.truncate(0)
            lock.write(str(os.getpid()))
            lock.flush()
            self._queue_running()
            try:
                yield
            finally:
                self._queue_running()
                lock.truncate(0)

    def _queue_running(self) -> None:
        """Queue what nobody works on any more."""
        with self._transaction():
            self._db.execute("UPDATE run SET state = 'queued' WHERE state = 'running'")

    # ---- Sweeps -----------------------------------------------------------------------------

    def plan(
        self,
        sweep: str,
        labelled: Sequence[tuple[str, Run]],
        title: str = "",
        figure: str | None = None,
    ) -> None:
        """Set what a sweep consists of; runs that are not there yet are queued.

        Args:
            sweep: its name.
            labelled: label and run, in order.
            title: what it shows.
            figure: the kind of figure it is drawn as.
        """
        rows = [
            (run.key, run.engine, run.sources, _text(run.line), run.scenario_text)
            for _, run in labelled
        ]
        with self._transaction():
            self._db.executemany(
                "INSERT OR IGNORE INTO run (key, engine, sources, line, scenario, state) "
                "VALUES (?, ?, ?, ?, ?, 'queued')",
                rows,
            )
            self._db.execute(
                "INSERT OR REPLACE INTO sweep VALUES (?, ?, ?)", (sweep, title or sweep, figure)
            )
            self._db.execute("DELETE FROM plan WHERE sweep = ?", (sweep,))
            self._db.executemany(
                "INSERT INTO plan VALUES (?, ?, ?, ?)",
                [(sweep, place, label, row[0])
                 for place, ((label, _), row) in enumerate(zip(labelled, rows, strict=True))],
            )  # fmt: skip

    def states(self, keys: Iterable[str]) -> dict[str, str]:
        """Return the state of each of the runs that are there."""
        wanted = set(keys)
        rows = self._db.execute("SELECT key, state FROM run")
        return {key: state for key, state in rows if key in wanted}

    def retry(self, sweep: str | None = None) -> int:
        """Queue what has failed or timed out, of one sweep or of all; return how many."""
        of = "" if sweep is None else " AND key IN (SELECT key FROM plan WHERE sweep = :sweep)"
        with self._transaction():
            return self._db.execute(
                "UPDATE run SET state = 'queued', reason = NULL, command = NULL, "
                f"exit_status = NULL, stderr = NULL WHERE state IN ('failed', 'timed out'){of}",
                {} if sweep is None else {"sweep": sweep},
            ).rowcount

    def mend(self, again: Sequence[str], lost: Sequence[str]) -> None:
        """Queue runs again whose result is of no use, and forget those that nobody can simulate.

        Args:
            again: keys of the former.
            lost: keys of the latter, which leave their sweeps.
        """
        with self._transaction():
            self._db.executemany(
                "UPDATE run SET state = 'queued', result = NULL, digest = NULL, goodput_bps = NULL "
                "WHERE key = ?",
                [(key,) for key in again],
            )
            for table in ("plan", "run"):
                self._db.executemany(f"DELETE FROM {table} WHERE key = ?", [(k,) for k in lost])

    def forget(self, fresh: Mapping[str, str], *, really: bool = True) -> tuple[int, int]:
        """Forget runs that no sweep consists of, or that were made from other sources.

        Args:
            fresh: hash of the sources by engine.
            really: or only count.

        Returns:
            How many runs, and the bytes of their results.
        """
        self._db.execute("CREATE TEMP TABLE fresh (engine TEXT, sources TEXT)")
        self._db.executemany("INSERT INTO fresh VALUES (?, ?)", list(fresh.items()))
        stale = (
            "FROM run WHERE (engine, sources) NOT IN (SELECT engine, sources FROM fresh) "
            "OR key NOT IN (SELECT key FROM plan)"
        )
        ((count, size),) = self.query(f"SELECT COUNT(*), TOTAL(LENGTH(result)) {stale}")
        if really:
            with self._transaction():
                self._db.execute(f"DELETE FROM plan WHERE key IN (SELECT key {stale})")
                self._db.execute(f"DELETE {stale}")
                self._db.execute("DELETE FROM sweep WHERE name NOT IN (SELECT sweep FROM plan)")
            self._db.execute("VACUUM")
        self._db.execute("DROP TABLE fresh")
        return count, int(size)

    def record(self, begun: Iterable[str], ended: Iterable[Ended]) -> None:
        """Keep which runs have begun and how others have ended, all or nothing."""
        with self._transaction():
            self._db.executemany(
                "UPDATE run SET state = 'running', attempts = attempts + 1 WHERE key = ?",
                [(key,) for key in begun],
            )
            self._db.executemany(
                "UPDATE run SET state = :state, result = :result, digest = :digest, "
                "goodput_bps = :goodput_bps, reason = :reason, command = :command, "
                "exit_status = :status, stderr = :stderr, wall_s = :wall_s, "
                "peak_rss_bytes = :peak, git_commit = :commit, ns3_version = :ns3, "
                "build_profile = :profile, ended_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now') "
                "WHERE key = :key",
                [_columns(one) for one in ended],
            )

    # ---- Reading ----------------------------------------------------------------------------

    def query(
        self, statement: str, parameters: Sequence[Any] | Mapping[str, Any] = ()
    ) -> list[tuple[Any, ...]]:
        """Return the rows of a SELECT."""
        return self._db.execute(statement, parameters).fetchall()

    def sweeps(self) -> list[str]:
        """Return the names of the sweeps."""
        return [name for (name,) in self.query("SELECT DISTINCT sweep FROM plan ORDER BY sweep")]

    def twins(self, sweep: str) -> int:
        """Return how many points of a sweep have replications that are all the same.

        A point is all runs that differ in ``run`` alone.
        """
        rows = self.query(
            "SELECT COUNT(*), COUNT(DISTINCT digest) FROM run JOIN plan USING (key) "
            "WHERE sweep = ? AND state = 'done' AND json_valid(scenario) "
            "GROUP BY label, json_remove(scenario, '$.run')",
            (sweep,),
        )
        return sum(count > 1 and different == 1 for count, different in rows)

    def digests(self, sweep: str) -> dict[str, str]:
        """Return the digests of a sweep's done runs, by their keys."""
        return dict(
            self.query(
                "SELECT key, digest FROM run WHERE state = 'done' "
                "AND key IN (SELECT key FROM plan WHERE sweep = ?)",
                (sweep,),
            )
        )

    def measured(self, key: str) -> dict[str, Any] | None:
        """Return all that was measured in a done run, nothing else; None if it is damaged."""
        ((packed,),) = self.query("SELECT result FROM run WHERE key = ?", (key,))
        try:
            data = unpacked(packed, "")
        except DamagedError:
            return None
        return {name: value for name, value in data.items() if name not in _ABOUT}

    def is_whole(self) -> bool:
        """Whether SQLite finds the file intact."""
        return self.query("PRAGMA integrity_check") == [("ok",)]


def _create(path: Path) -> None:
    """Make an empty store, which is whole from the moment its name exists."""
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        database = sqlite3.connect(unfinished)
        # Readers and the one writer then do not wait for each other.
        database.execute("PRAGMA journal_mode = WAL")
        database.executescript(
            f"BEGIN; {_TABLES} {_SWEEPS}; INSERT INTO about VALUES ({SCHEMA}); COMMIT;"
        )
        database.close()
        with contextlib.suppress(FileExistsError):  # another one was quicker
            os.link(unfinished, path)
    except sqlite3.OperationalError as error:
        raise ProgramError(f"{path}: {error}") from None
    finally:
        unfinished.unlink(missing_ok=True)


_ABOUT = ("scenario", "engine", "provenance", "cost")
"""Keys of a result that say what was simulated, and how."""


def _text(data: Mapping[str, Any]) -> str:
    return json.dumps(data, sort_keys=True, separators=(",", ":"))


def digest_of(data: Mapping[str, Any]) -> str:
    """Return a hash of what is measured in a result."""
    measured = {key: data[key] for key in ("sessions", "background", "links") if key in data}
    return hashlib.sha256(_text(measured).encode()).hexdigest()


def _columns(ended: Ended) -> dict[str, Any]:
    """Return the values that go into a run's row."""
    data = ended.data or {}
    about = data.get("provenance", {})
    return {
        "key": ended.key,
        "state": ended.state,
        "result": None if ended.result is None else zlib.compress(ended.result, 1),
        "digest": digest_of(ended.data) if ended.data else None,
        "goodput_bps": total_goodput_bps(data) if ended.data else None,
        "reason": ended.reason,
        "command": ended.command,
        "status": ended.status,
        "stderr": ended.stderr,
        "wall_s": ended.wall_s,
        "peak": data.get("cost", {}).get("peak_rss_bytes"),
        "commit": about.get("commit"),
        "ns3": about.get("ns3_version"),
        "profile": about.get("build_profile"),
    }
