"""``gridftp profile``: find the limit of each transfer of a matrix, and what to change.

The profiler lifts one limit of a transfer at a time (network, window, loss, storage, a module of a
CPU, ...) and simulates the transfer without it. The limit without which goodput rises most is the
limit of the transfer. The proposed changes are simulated, too. Stored simulations are not repeated.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from rich.console import Console
from rich.table import Table

from analysis import profile as page
from analysis.files import write_atomically

from ..errors import UserError
from ..profile import report
from ..profile.cells import Cell, Profile, cells_of
from ..profile.inquire import inquire
from ..profile.judge import THRESHOLD
from ..profile.kept import KeptProfile
from ..profile.planted import Score, plant
from ..profile.report import Found
from ..profile.samples import samples
from ..programs.option_table import OptionTable
from ..programs.program import Program, locate
from ..spec.load import Changes, Spec, load_spec
from ..store.store import Store
from ..terminal import present
from ..terminal.arguments import (
    Parser,
    add_results,
    add_store,
    positive,
    results_of,
    store_of,
    user_path,
)
from .sweep import (
    PROGRAM,
    Grow,
    Sweep,
    add_running,
    growing,
    how_to_run,
    plan_of,
    run_sweeps,
    tell,
    with_more,
)

MOST_TOLD = 10
"""Limits in the table on the terminal."""


PLANTED = 60
"""Transfers of --check."""


def main(arguments: list[str]) -> int:
    """Run the command; return the exit status: 0, or 1 if a transfer failed."""
    parser = _parser()
    options, words = parser.parse_known_args(arguments)
    for word in words:
        if word.startswith("--") and "=" not in word and options.readings is not None:
            parser.error(f"{word}: is not an option, or lacks a value; allowed: {word}=VALUE")
    if options.readings is not None:
        _refuse_beside_readings(parser, options)
        return _read(parser, options, words)
    _refuse_of_logs(parser, options, words, "with --readings of transfer logs")
    for name, is_given in (("--hosts", options.hosts is not None), ("--predict", options.predict)):
        if is_given:
            parser.error(f"{name}: needs measurements of hosts; allowed: with --readings")
    program = locate(PROGRAM)
    if options.check is not None:
        if options.spec is not None:
            parser.error(f"--check: generates its own transfers; allowed: without {options.spec}")
        return _check(program, options)
    if options.spec is None:
        parser.error("SPEC.toml is missing; allowed: a spec, --check or --readings")
    return _profile(program, options)


def _refuse_beside_readings(parser: Parser, options: argparse.Namespace) -> None:
    for what in ("--check" if options.check is not None else None, options.spec):
        if what is not None:
            parser.error(f"--readings: cannot be combined with {what}; allowed: one of them")


def _read(parser: Parser, options: argparse.Namespace, words: Sequence[str]) -> int:
    """Report what was measured on real hosts; return the exit status."""
    from ..transfer_logs.files import are_transfer_logs

    # The reports need NumPy; nothing else here does.
    if are_transfer_logs(options.readings):
        from ..profile import transfer_report

        for name, given in (("--hosts", options.hosts is not None), ("--predict", options.predict)):
            if given:
                parser.error(
                    f"{name}: transfer logs contain no costs of hosts; allowed: with files of sadf"
                )
        asked = transfer_report.Asked(
            options.readings, words, options.rtt, options.rows or transfer_report.ROWS,
            options.sweep, options.json, options.jobs, options.threshold,
        )  # fmt: skip
        return transfer_report.report(asked, lambda: locate(PROGRAM))
    _refuse_of_logs(parser, options, words, "with transfer logs")
    from ..readings import report

    simulating = locate(PROGRAM) if options.predict else None
    return report.tell(options.readings, options.hosts, simulating)


def _refuse_of_logs(
    parser: Parser, options: argparse.Namespace, words: Sequence[str], allowed: str
) -> None:
    """Refuse what only transfer logs have a use for."""
    if words:
        parser.error(f"unrecognized arguments: {' '.join(words)}")
    for name in ("rtt", "rows", "sweep", "json"):
        if getattr(options, name):
            parser.error(f"--{name}: is an option for transfer logs; allowed: {allowed}")


def _check(program: Program, options: argparse.Namespace) -> int:
    """Print how often the planted limit is found; return the exit status."""
    made = plant(options.check)
    score = Score(made, inquire(program, [one.line for one in made], options.jobs))
    out = present.standard_output()
    present.say(out, score.confusion())
    right = f"The planted limit is named for {score.right()} of {len(made)} transfers"
    present.say(out, f"{right}; the advice does not help {len(score.unhelpful())} of them.")
    return 0


def _profile(program: Program, options: argparse.Namespace) -> int:
    """Profile the transfers of a spec; return the exit status."""
    table = OptionTable.read(program.object("--describe"))
    spec = load_spec(options.spec, table, Changes(profiled=True))
    profile = Profile(program, _cells(spec, program), options.threshold)
    _check_number(options, profile)
    kept = KeptProfile(profile)
    spec = replace(spec, name=f"{spec.name}-profile", figure=None, planned=kept.planned())
    sweep = (spec, plan_of(spec, program))

    def grow(store: Store, sweep: Sweep) -> Sweep:
        more = kept.further(store, sweep[1])
        return with_more(sweep, more, program) if more else sweep

    if options.dry_run:
        return _tell_beforehand(options, sweep, grow)
    run_sweeps([sweep], store_of(options), program, how_to_run(options, program, [sweep]), grow)
    return _report(options, spec, profile)


def _parser() -> Parser:
    parser = Parser("profile", __doc__.split(": ", 1)[1].split("\n")[0].strip().capitalize())
    parser.add_argument(
        "spec",
        nargs="?",
        type=user_path,
        metavar="SPEC.toml",
        help="a spec with [fixed] and a matrix in [profile], or with [[block]] tables, whose "
        "transfers are profiled as they are",
    )
    add_results(parser)
    add_store(parser)
    add_running(parser)
    parser.add_argument(
        "--threshold",
        type=_share,
        default=THRESHOLD,
        metavar="X",
        help="name a limit if lifting it raises goodput by more than this share "
        f"(default: {THRESHOLD:g})",
    )
    parser.add_argument(
        "--check",
        nargs="?",
        type=positive,
        const=PLANTED,
        metavar="N",
        help="in place of a spec: plant a limit in each of N generated transfers, and print a "
        f"table of planted and named limits (default: {PLANTED})",
    )
    parser.add_argument(
        "--readings",
        nargs="+",
        type=user_path,
        metavar="FILE",
        help="in place of a spec: fit the costs of real hosts to the output of sadf -j, perf "
        "report --stdio, iperf3 (-J or text) and ss -ti. Files of one run at one endpoint have the "
        "same name up to their first dot; FILE#2 is the second run of iperf3 in FILE. Without "
        "files "
        "of sadf, print what the files contain. Or print the rates of real transfers from transfer "
        "logs of globus-gridftp-server (-log-transfer), or from FTS records in JSON",
    )
    parser.add_argument(
        "--hosts",
        type=user_path,
        metavar="DIR",
        help="with --readings: write DIR/sender.conf and DIR/receiver.conf, for --sender-host and "
        "--receiver-host",
    )
    parser.add_argument(
        "--predict",
        action="store_true",
        help="with --readings of at least three runs at both endpoints: simulate each run with "
        "hosts fitted to the other runs, and print both rates",
    )
    parser.add_argument(
        "--rtt",
        metavar="TIME",
        help="with --readings of transfer logs: round-trip time of the path, in place of --delay. "
        "Other options of the path are those of ./gridftp run: --bandwidth=RATE, --queue=N, "
        "--random-loss=X, --tcp=NAME",
    )
    parser.add_argument(
        "--rows",
        type=positive,
        metavar="N",
        help="with --readings of transfer logs: print and simulate the N groups with the most "
        "transfers (default: 12)",
    )
    parser.add_argument(
        "--sweep",
        type=user_path,
        metavar="FILE.toml",
        help="with --readings of transfer logs: write a sweep with the streams, buffers and sizes "
        "in the logs as its points",
    )
    parser.add_argument(
        "--json",
        action="store_true",
        help="with --readings of transfer logs: print the report as one JSON object",
    )
    parser.add_argument(
        "--transfer",
        type=int,
        metavar="N",
        help="describe transfer N in detail in the report (default: the one that a change helps "
        "most)",
    )
    return parser


def _share(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1
    if not 0 < value < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number above 0 and below 1")
    return value


def _cells(spec: Spec, program: Program) -> list[Cell]:
    try:
        return cells_of(program, spec.planned)
    except UserError as error:
        raise UserError(f"{spec.path}: {error}") from None


def _check_number(options: argparse.Namespace, profile: Profile) -> None:
    count = len(profile.cells)
    if options.transfer is not None and not 1 <= options.transfer <= count:
        raise UserError(
            f"gridftp profile: --transfer: {options.transfer} is not a transfer of {options.spec}; "
            f"allowed: 1 to {count}"
        )


def _tell_beforehand(options: argparse.Namespace, sweep: Sweep, grow: Grow) -> int:
    """Print what a profile would take as far as one can tell; return the exit status."""
    path, out = store_of(options), present.standard_output()
    if path.is_file():
        with Store(path) as store:
            sweep = next(iter(growing(store, [sweep], grow)))[0]
    status = tell([sweep], path, options.jobs, out)
    present.say(
        out, "  then one to four simulations for each limit that a transfer turns out to have"
    )
    return status


def _report(options: argparse.Namespace, spec: Spec, profile: Profile) -> int:
    """Write the report and tell what is found; return the exit status."""
    out, err = present.standard_output(), present.standard_error()
    found = profile.findings()
    files = _files(options, spec, profile.program, found)
    write_atomically(files)
    _print(out, found)
    present.say(out, "Files:")
    present.print_files(out, files)
    failed = [str(cell.number) for cell, finding in found if finding is None]
    if failed:
        present.say(err, f"{spec.name}: transfers {', '.join(failed)} failed and have no limit")
    return 1 if failed else 0


def _files(
    options: argparse.Namespace, spec: Spec, program: Program, found: Sequence[Found]
) -> dict[Path, bytes]:
    """Return the files of the report with what is in them."""
    from analysis import samples as sampled  # loads tables and drawing: a second
    from analysis.drawing.style import table_csv

    chosen = report.most_to_gain(found)
    if options.transfer is not None:
        chosen = found[options.transfer - 1]
    folder, detail, files = results_of(options) / spec.name, None, {}
    if chosen is not None and chosen[1] is not None:
        cell, finding = chosen
        pictures = []
        if (table := samples(program, cell)) is not None:
            pictures.append(
                (
                    sampled.draw(table),
                    "Samples, one for each second; samples.csv contains the values",
                )
            )
            files[folder / "samples.csv"] = table_csv(table)
        detail = report.detail(cell, finding, pictures)
    whole = page.Page(
        spec.title,
        report.about(found, options.threshold),
        report.rows(found),
        report.legend(),
        detail,
        f"./gridftp profile {options.spec.name}",
    )
    return {
        folder / "profile.html": page.build(whole).encode(),
        folder / "transfers.csv": page.cells_csv(report.rows(found)),
        folder / "changes.csv": page.changes_csv(report.changes(found)),
        **files,
    }


def _print(out: Console, found: Sequence[Found]) -> None:
    """Print what holds how many transfers, and those that a change would help most."""
    known = [(cell, finding) for cell, finding in found if finding is not None]
    counts = Counter(finding.name for _, finding in known)
    told = ", ".join(f"{name} {count}" for name, count in counts.most_common())
    if not known:
        return
    present.say(out, f"What limits {len(known)} transfers: {told}")
    of_each: dict[str, Found] = {}
    for one in sorted(known, key=_worth, reverse=True):
        of_each.setdefault(one[1].name, one)
    most = list(of_each.values())[:MOST_TOLD]
    table = Table(
        title="For each limit, the transfer that a change helps most",
        title_justify="left",
        show_lines=True,
    )
    for heading, ratio in (("transfer", 3), ("goodput", 2), ("what limits it", 2)):
        table.add_column(heading, ratio=ratio, overflow="fold")
    table.add_column("what shows it", ratio=5, overflow="fold")
    table.add_column("what to change", ratio=4, overflow="fold")
    for (cell, _), row in zip(most, report.rows(most), strict=True):
        axes = ", ".join(f"{name} {value}" for name, value in row.axes.items())
        change = row.advice
        advice = "nothing"
        if change is not None:
            advice = "\n".join([*change.parts, f"{change.rate}, {page.percent(change.gain)}"])
        cells = (f"{cell.number}: {axes}", row.rate, row.limit, "; ".join(row.evidence), advice)
        table.add_row(*(text.replace("[", r"\[") for text in cells))
    out.print(table)


def _worth(one: Found) -> float:
    """Return what the advice for a transfer gains."""
    _, finding = one
    return finding.advised.gain if finding is not None and finding.advised else 0.0
