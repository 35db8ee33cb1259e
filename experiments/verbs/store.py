"""``gridftp store``: list, show, export and check stored simulations, and delete outdated ones."""

from __future__ import annotations

import argparse
import contextlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table

from analysis import papers
from analysis.files import write_atomically
from analysis.read import stored

from ..errors import ProgramError, UserError
from ..programs.program import locate
from ..programs.sources import engine_hash
from ..store import check
from ..store.store import STATES, Store
from ..terminal import present
from ..terminal.arguments import Parser, add_store, store_of, user_path

if TYPE_CHECKING:
    import pandas as pd

PROGRAM = "gridftp-transfer"

EXPORTS = (".csv", ".json", ".parquet")
"""What a table can be exported to, by the file's suffix."""


def main(arguments: list[str]) -> int:
    """Run the command; return the exit status."""
    parser = Parser("store", __doc__.split(": ", 1)[1].strip().capitalize())
    actions = parser.add_subparsers(
        dest="action", required=True, metavar="ACTION", parser_class=_ActionParser
    )
    listing = _action(actions, "list", "list the sweeps, or the runs of one")
    listing.add_argument(
        "sweep",
        nargs="?",
        help="name of a sweep, such as ito/fig05 (or fig05, if only one paper has it)",
    )
    listing.add_argument("--state", choices=STATES, help="only runs in this state")
    show = _action(actions, "show", "print all that is stored about one run")
    show.add_argument("key", help="first characters of the key of the run, as list prints them")
    retry = _action(actions, "retry", "queue failed and timed-out runs for the next sweep")
    retry.add_argument("sweep", nargs="?", help="name of a sweep (default: all)")
    export = _action(
        actions, "export", "write the runs of a sweep as a table with a row for each session"
    )
    export.add_argument("sweep", help="name of a sweep")
    export.add_argument(
        "file",
        type=user_path,
        help=f"file to write; its suffix sets the format: {', '.join(EXPORTS)}",
    )
    export.add_argument("--chunks", action="store_true", help="write a row for each chunk instead")
    checking = _action(actions, "check", "check that stored data are undamaged")
    checking.add_argument(
        "--mend",
        action="store_true",
        help="queue damaged runs for the next ./gridftp sweep; delete runs whose scenario is "
        "damaged, which that sweep adds again",
    )
    gc = _action(actions, "gc", "delete runs of sources that have changed, and runs of no sweep")
    gc.add_argument("--dry-run", action="store_true", help="only print how many")
    options = parser.parse_args(arguments)
    return _ACTIONS[options.action](options, present.standard_output())


class _ActionParser(Parser):
    """A parser of one action, as argparse makes it."""

    def __init__(self, prog: str, description: str) -> None:
        super().__init__(prog.removeprefix("gridftp "), description)


def _action(actions: Any, name: str, text: str) -> Parser:
    parser = actions.add_parser(name, help=text, description=f"{text[0].upper()}{text[1:]}.")
    add_store(parser)
    return parser


def _list(options: argparse.Namespace, out: Console) -> int:
    with Store(store_of(options)) as store:
        if options.sweep is None and options.state is None:
            return _list_sweeps(store_of(options), out)
        if options.sweep is not None:
            options.sweep = _known_sweep(store, options.sweep)
        rows = store.query(
            "SELECT key, state, engine, goodput_bps, wall_s, reason, line FROM run "
            "WHERE (:sweep IS NULL OR key IN (SELECT key FROM plan WHERE sweep = :sweep)) "
            "AND (:state IS NULL OR state = :state) ORDER BY ended_at, key",
            {"sweep": options.sweep, "state": options.state},
        )
    table = Table(title=f"{len(rows)} runs", title_justify="left")
    for heading in ("run", "state", "engine", "Mbit/s", "wall s", "options, or reason of failure"):
        table.add_column(heading, overflow="fold")
    for key, state, engine, goodput, wall, reason, line in rows:
        told = reason or _told(line)
        table.add_row(
            key[:12], state, engine, _number(goodput and goodput / 1e6), _number(wall),
            told.replace("[", r"\["),
        )  # fmt: skip
    out.print(table)
    return 0


def _told(line: str) -> str:
    """Return options as a person reads them."""
    try:
        return ", ".join(f"{name}={value}" for name, value in json.loads(line).items())
    except ValueError:
        return f"damaged: {line}"


def _list_sweeps(path: Path, out: Console) -> int:
    table = Table(title=str(path), title_justify="left")
    for heading in ("sweep", *STATES):
        table.add_column(heading, justify="left" if heading == "sweep" else "right")
    for sweep, counts in stored.sweeps(path).items():
        table.add_row(sweep, *(str(counts.get(state, 0)) for state in STATES))
    out.print(table)
    return 0


def _show(options: argparse.Namespace, out: Console) -> int:
    columns = (
        "key", "state", "attempts", "engine", "sources", "line", "scenario", "reason", "command",
        "exit_status", "stderr", "wall_s", "peak_rss_bytes", "git_commit", "ns3_version",
        "build_profile", "ended_at", "result",
    )  # fmt: skip
    with Store(store_of(options)) as store:
        rows = store.query(
            f"SELECT {', '.join(columns)} FROM run WHERE substr(key, 1, ?) = ? LIMIT 2",
            (len(options.key), options.key),
        )
    if len(rows) != 1:
        found = "no run" if not rows else "more than one run"
        raise UserError(
            f"gridftp store show: {options.key!r}: {found} has a key that begins like this; "
            "./gridftp store list SWEEP prints the keys"
        )
    kept = dict(zip(columns, rows[0], strict=True))
    for name in ("line", "scenario"):
        with contextlib.suppress(ValueError):  # then as it is
            kept[name] = json.loads(kept[name])
    if kept["result"] is not None:
        kept["result"] = stored.unpacked(
            kept["result"], f"{store_of(options)}: run {kept['key'][:12]}"
        )
    present.say(out, json.dumps(kept, indent=1))
    return 0


def _retry(options: argparse.Namespace, out: Console) -> int:
    with Store(store_of(options)) as store, store.claim():
        if options.sweep is not None:
            options.sweep = _known_sweep(store, options.sweep)
        count = store.retry(options.sweep)
    present.say(out, f"{count} runs are queued for the next ./gridftp sweep")
    return 0


def _export(options: argparse.Namespace, out: Console) -> int:
    kind = options.file.suffix
    if kind not in EXPORTS:
        raise UserError(
            f"gridftp store export: {options.file.name!r} has another suffix; "
            f"allowed: {', '.join(EXPORTS)}"
        )
    with Store(store_of(options)) as store:
        options.sweep = _known_sweep(store, options.sweep)
    in_parquet = _parquet_writer(options) if kind == ".parquet" else None
    read = stored.chunk_table if options.chunks else stored.session_table
    table = read(store_of(options), options.sweep, undone=False)
    write: dict[str, Callable[[], bytes]] = {
        ".csv": lambda: table.to_csv(index=False).encode(),
        ".json": lambda: table.to_json(orient="records", indent=1).encode(),
        ".parquet": lambda: in_parquet(table),
    }
    write_atomically({options.file: write[kind]()})
    present.say(out, f"{len(table)} rows:")
    present.print_files(out, [options.file])
    return 0


def _parquet_writer(options: argparse.Namespace) -> Callable[[pd.DataFrame], bytes]:
    """Return what turns the table asked for into the content of a Parquet file.

    Raises:
        UserError: the library is not installed.
    """
    try:
        from ..store.parquet import content, kinds_of  # its library is optional
    except ModuleNotFoundError as error:
        raise UserError(
            f"gridftp store export: {options.file.name}: {error.name} is not installed: "
            "use ./gridftp store export, which installs it"
        ) from None
    kinds = kinds_of(locate(PROGRAM), chunks=options.chunks)
    about = {"sweep": options.sweep, "store_schema": str(stored.SCHEMA)}
    return lambda table: content(table, kinds, about)


def _check(options: argparse.Namespace, out: Console) -> int:
    path = store_of(options)
    with Store(path) as store:
        if not store.is_whole():
            raise ProgramError(
                f"{path}: SQLite reports damage; its command .recover may save a part"
            )
        found = list(check.damages(store))
        ((runs,),) = store.query("SELECT COUNT(*) FROM run")
        if found and options.mend:
            with store.claim():
                store.mend(
                    [damage.key for damage in found if damage.again],
                    [damage.key for damage in found if not damage.again],
                )
    for damage in found:
        present.say(out, f"{path}: run {damage.key[:12]}: {damage.told}")
    mended = "; the next ./gridftp sweep simulates them again" if found and options.mend else ""
    present.say(out, f"{runs} runs, {len(found)} damaged{mended}")
    return 1 if found and not options.mend else 0


def _gc(options: argparse.Namespace, out: Console) -> int:
    program = locate(PROGRAM)
    with Store(store_of(options)) as store, store.claim():
        fresh = {
            engine: engine_hash(program, engine)
            for (engine,) in store.query("SELECT DISTINCT engine FROM run")
        }
        count, size = store.forget(fresh, really=not options.dry_run)
    done = "would be deleted" if options.dry_run else "are deleted"
    present.say(out, f"{count} runs {done}, {size / 1e6:.1f} MB of results")
    return 0


def _known_sweep(store: Store, word: str) -> str:
    """Return the name of the stored sweep that a word means.

    Raises:
        UserError: it means no stored sweep.
    """
    known = store.sweeps()
    sweep = papers.whole_name(word, known)
    if sweep not in known:
        names = ", ".join(known) or "none"
        raise UserError(f"{store.path}: there is no sweep {word!r}; stored: {names}")
    return sweep


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.4g}"


_ACTIONS = {
    "list": _list,
    "show": _show,
    "retry": _retry,
    "export": _export,
    "check": _check,
    "gc": _gc,
}
