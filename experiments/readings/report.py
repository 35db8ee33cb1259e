"""Readings of real hosts, and the model's costs that follow from them, for people and as files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from analysis.files import write_atomically

from ..errors import UserError
from ..programs.program import Program
from ..terminal import present
from .files import read_runs
from .fit import FITTED, ZERO, Fit, fit
from .host_file import host_file, quality, r2_text, reasons, setting
from .iperf3.tables import iperf3_tables
from .left_out import FEWEST, LeftOut, leave_out
from .loopback import of_loopback, readings_of
from .perf_tables import perf_tables
from .predict import Prediction, predict
from .reading import (
    IDLE,
    RECEIVER,
    SENDER,
    Reading,
    Run,
    refuse_two_hosts,
    with_interrupts_alike,
)
from .sockets_tables import sockets_tables
from .tables import number, plain, table

MOST_NAMES = 5
"""Runs that a note names."""


@dataclass(frozen=True)
class Report:
    """What files of readings tell.

    Attributes:
        runs: the files, by run.
        readings: of the runs that have a file of sadf.
        fits: of each end that there are readings of, the sender's first.
        left_out: of each of these, its runs as costs fitted to the others tell them.
        notes: what is to be known of it, sentences.
    """

    runs: tuple[Run, ...]
    readings: tuple[Reading, ...]
    fits: tuple[Fit, ...]
    left_out: tuple[tuple[LeftOut, ...], ...]
    notes: tuple[str, ...]

    def host_files(self) -> dict[str, str]:
        """Return the file of each end's host, by ``sender`` and ``receiver``."""
        return {one.end: host_file(one) for one in self.fits}


def describe(files: Sequence[Path]) -> Report:
    """Read files of sadf, perf, iperf3 and ss, and fit the costs of the hosts they are of.

    Args:
        files: those of one run at one end have the same name up to their first dot.

    Raises:
        UserError: anything is wrong with one of them, as ``FILE:LINE: what``.
    """
    runs = read_runs(files)
    readings = [one for run in runs if run.sadf is not None for one in readings_of(run)]
    notes = _notes_of_files(runs)
    notes += [note for one in readings for note in one.notes]
    notes += of_loopback(readings)
    idle = [one for one in readings if one.end == IDLE]
    fits, left_out = [], []
    for end in (SENDER, RECEIVER):
        of_end = [one for one in readings if one.end == end]
        if not of_end:
            continue
        refuse_two_hosts(of_end)
        at_rest = [one for one in idle if one.host == of_end[0].host]
        fits.append(fit(end, with_interrupts_alike(of_end), at_rest))
        left_out.append(tuple(leave_out(fits[-1], at_rest)))
        notes += _notes(fits[-1])
    return Report(tuple(runs), tuple(readings), tuple(fits), tuple(left_out), tuple(notes))


def _notes_of_files(runs: Sequence[Run]) -> list[str]:
    """Return what a reader has to know of the files of runs, sentences."""
    notes = []
    alone = [run.name for run in runs if run.sadf is None]
    if alone:
        notes.append(f"{_listed(alone)}: without a file of sadf, so no costs are fitted to it")
    counts = Counter(run.iperf3.path.name for run in runs if run.iperf3)
    notes += [
        f"{name} has {count} runs of iperf3; give {name}#2 in place of the file for the second run"
        for name, count in counts.items()
        if count > 1
    ]
    # The same sentence of several runs is printed once.
    of_note: dict[str, list[str]] = {}
    for run in runs:
        for part in (run.iperf3, run.sockets):
            for note in part.notes if part is not None else ():
                of_note.setdefault(note, []).append(run.name)
    return notes + [f"{_listed(names)}: {note}" for note, names in of_note.items()]


def _listed(names: Sequence[str]) -> str:
    """Return names as a list, of many the first ones and how many there are."""
    if len(names) <= MOST_NAMES:
        return ", ".join(names)
    return f"{', '.join(names[:MOST_NAMES])} and {len(names) - MOST_NAMES} more"


def _notes(one: Fit) -> list[str]:
    notes = []
    blind = [reading for reading in one.readings if reading.modules is None and not reading.is_own]
    if one.idle is None and blind:
        notes.append(
            f"{one.end}: a reading has no file of perf, and there is no reading of the idle host, "
            "so the costs include the CPU time of other programs"
        )
    notes += [
        f"{one.end}: no cost explains up to {value:.3g} CPU s/s of {module.replace('_', ' ')}"
        for module, value in one.unexplained
    ]
    return notes


SUMMARIES: tuple[Callable[[Sequence[Run]], list[Table]], ...] = (
    perf_tables,
    sockets_tables,
    iperf3_tables,
)
"""What files show by themselves, whether or not there are others of their runs.

Contract: `print_report` calls each with all runs, behind the table of the runs that have a file of
sadf. A function returns its tables, none where no run has a file of its kind.
"""


def print_report(console: Console, report: Report) -> None:
    """Print the readings, the costs of each end and how well they fit."""
    if report.readings:
        console.print(_readings_table(report.readings))
    for tables_of in SUMMARIES:
        for one in tables_of(report.runs):
            console.print(one)
    for one, left_out in zip(report.fits, report.left_out, strict=True):
        console.print(_costs_table(one))
        console.print(_residuals_table(one))
        present.say(console, f"{one.end}: {quality(one)}")
        if left_out:
            console.print(_left_out_table(one.end, left_out))
    for note in report.notes:
        present.say(console, note)


def _readings_table(readings: Sequence[Reading]) -> Table:
    made = table(
        "Readings", "run", "endpoint", "Mbit/s", "streams", "packets/s", "ACKs/s", "payload",
        "cores", "busiest", "peak", "kernel", "dropped/s",
    )  # fmt: skip
    for one in readings:
        rates = one.rates
        made.add_row(
            plain(one.name),
            one.end,
            f"{one.goodput_bps / 1e6:.1f}",
            number(one.streams),
            f"{rates.packets:.0f}",
            f"{rates.acks:.0f}",
            f"{rates.payload / rates.segments:.0f}" if rates.segments else "-",
            f"{one.busy:.2f}/{len(one.core_busy)}",
            f"{max(one.core_busy):.0%}" if one.is_per_core else "-",
            f"{one.peak:.0%}",
            f"{one.kernel:.0%}",
            number(one.dropped),
        )
    return made


def _costs_table(one: Fit) -> Table:
    made = table(f"Costs of the {one.end}'s host", "cost", "module", "value")
    made.add_column("why", overflow="fold", ratio=1)
    for fitted in one.costs:
        value = setting(fitted) if fitted.state == FITTED else "0" if fitted.state == ZERO else "-"
        why = " ".join(line.strip() for line in reasons(fitted)).split(": ", 1)[1]
        module = fitted.cost.module.replace("_", " ")
        made.add_row(fitted.cost.name, module, value, plain(why))
    return made


def _residuals_table(one: Fit) -> Table:
    made = table(
        f"CPU time of the {one.end}, s/s", "run", "module", "measured", "fitted", "residual", "R^2"
    )
    for row in one.rows:
        made.add_row(
            plain(row.reading),
            row.module.replace("_", " "),
            f"{row.measured:.4f}",
            f"{row.fitted:.4f}",
            f"{row.residual:+.4f}",
            r2_text(one.r2(row.module)),
        )
    return made


def _left_out_table(end: str, left_out: Sequence[LeftOut]) -> Table:
    title = f"Each run of the {end}, predicted by costs fitted to the other runs, CPU s/s"
    made = table(title, "run", "measured", "predicted", "error")
    for one in left_out:
        made.add_row(
            plain(one.reading.name),
            f"{one.measured:.4f}",
            f"{one.predicted:.4f}",
            f"{one.error:+.1%}",
        )
    return made


def _predictions_table(predictions: Sequence[Prediction]) -> Table:
    title = "Each run, simulated with hosts fitted to the other runs, Mbit/s"
    made = table(title, "run", "measured", "predicted", "error")
    made.add_column("simulated with", overflow="fold", ratio=1)
    for one in predictions:
        made.add_row(
            plain(one.name),
            f"{one.measured_bps / 1e6:.1f}",
            f"{one.predicted_bps / 1e6:.1f}",
            "rate was set" if one.is_held else f"{one.error:+.1%}",
            " ".join(one.options),
        )
    return made


def _print_predictions(console: Console, report: Report, program: Program) -> None:
    """Simulate the runs that have been left out, and print what comes of it.

    Raises:
        UserError: there are none.
        ProgramError: a simulation failed.
    """
    by_end = {fit.end: runs for fit, runs in zip(report.fits, report.left_out, strict=True)}
    found = predict(program, by_end.get(SENDER, ()), by_end.get(RECEIVER, ()))
    if not found:
        raise UserError(
            "--predict: there are too few readings; allowed: files of sadf -j and iperf3 -J of at "
            f"least {FEWEST} runs, from both endpoints"
        )
    console.print(_predictions_table(found))


def tell(files: Sequence[Path], hosts: Path | None, program: Program | None = None) -> int:
    """Read files, print what they tell and write the files of the hosts; return the exit status.

    Args:
        files: see `describe`.
        hosts: the folder of ``sender.conf`` and ``receiver.conf``; None: neither is written.
        program: simulates each run with hosts fitted to the others; None: none is.

    Raises:
        UserError: anything is wrong with a file, or none is of a host whose costs could be fitted,
            where files of hosts are asked for.
        ProgramError: a simulation failed.
    """
    report = describe(files)
    out = present.standard_output()
    print_report(out, report)
    if program is not None:
        _print_predictions(out, report, program)
    if hosts is None:
        return 0
    if not report.fits:
        raise UserError(
            f"--hosts: {hosts}: no reading of a transfer has a file of sadf, so there is no host "
            "to "
            "write; allowed: with the output of sadf -j during a transfer"
        )
    texts = report.host_files().items()
    written = {hosts / f"{end}.conf": text.encode() for end, text in texts}
    write_atomically(written)
    present.print_files(out, written)
    return 0
