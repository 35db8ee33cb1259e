"""Reports of perf in all the forms that it prints: the same rows of the event that counts time."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from made_up_perf import (
    CALLERS,
    ELIDED,
    FLAT,
    GROUP,
    MESSAGES,
    MORE_COLUMNS,
    OLD,
    ROWS,
    SEPARATED,
    USER,
    table,
)  # fmt: skip

from experiments.errors import UserError
from experiments.readings.files import read_runs
from experiments.readings.perf_events import event
from experiments.readings.perf_report import PerfReport, parse_perf_report


def read(text: str) -> PerfReport:
    return parse_perf_report(Path("x"), text)


def rows_of(report: PerfReport) -> list[tuple[float, str, str, str]]:
    return [(round(100 * one.share, 6), one.command, one.object, one.symbol) for one in report.rows]


EXPECTED = [(share, command, where, symbol) for share, command, where, _, symbol in ROWS]


@pytest.mark.parametrize("last", ["user@host:~$ ", "[root@host ~]# ", "^C", "-----", "$ exit", "#"])
def test_a_last_line_that_is_not_of_perf_may_lack_its_end(last: str) -> None:
    assert rows_of(read(table("cycles") + last)) == EXPECTED


@pytest.mark.parametrize("last", [" ", "     0.", "     0.01%  iperf3       [kernel.kallsyms]"])
def test_a_last_row_that_is_cut_short_is_refused(last: str) -> None:
    with pytest.raises(UserError, match="ends in the middle of a line"):
        read(table("cycles") + last)


@pytest.mark.parametrize(
    ("text", "event_name"),
    [
        (table("cycles"), "cycles"),
        (CALLERS, "cycles:P"),
        (OLD, "cycles"),
        (FLAT, "cycles"),
        (SEPARATED, "cpu_core/cycles/"),
        (SEPARATED.replace(",", "\t"), "cpu_core/cycles/"),
        (SEPARATED.replace(",", ";"), "cpu_core/cycles/"),
        (MESSAGES, "cycles"),
        (MORE_COLUMNS, "cycles"),
        (GROUP, "cycles"),
        (GROUP.replace("anon group { instructions, cycles }", "instructions, cycles").replace(
            "of event ", "of events "), "cycles"),
        ("".join(f"    {line}\n" for line in CALLERS.splitlines()), "cycles:P"),
        (CALLERS.replace("60.00%    60.00%", "\x1b[31m60.00%\x1b[m    \x1b[31m60.00%\x1b[m"),
         "cycles:P"),
        # Two events, in either order.
        (table("instructions", USER) + table("cycles"), "cycles"),
        (table("cycles:ppp") + table("branch-misses", USER), "cycles:ppp"),
        (table("cycles:u", USER) + table("cycles"), "cycles"),
        (table("cycles:u", USER) + table("cpu-clock"), "cpu-clock"),
        (table("cpu_core/cycles/P") + table("cpu_atom/cycles/P", ()), "cpu_core/cycles/P"),
    ],
)  # fmt: skip
def test_reports_of_all_forms(text: str, event_name: str) -> None:
    report = read(text)
    assert [row for row in rows_of(report) if row[0]] == EXPECTED
    assert report.event == event_name
    assert report.covered == pytest.approx(1)


def test_columns_that_all_rows_have_in_common() -> None:
    assert rows_of(read(ELIDED)) == [
        (60.0, "iperf3", "[kernel.kallsyms]", "intel_idle"),
        (40.0, "iperf3", "libc.so.6", "memcpy"),
    ]


@pytest.mark.parametrize(
    ("first", "second"), [("cycles:u", "cycles:k"), ("cpu_core/cycles/", "cpu_atom/cycles/")]
)
def test_events_that_count_time_together(first: str, second: str) -> None:
    report = read(table(first, USER, count=300) + table(second, ROWS, count=900))
    assert report.event == f"{first} + {second}"
    # A quarter of all cycles, and three quarters.
    shares = [18.75, 6.25, 45.0, 18.75, 11.25]
    assert [row[0] for row in rows_of(report)] == pytest.approx(shares)
    with pytest.raises(UserError, match='count time together, and "# Event count" of each is miss'):
        read(table(first, USER) + table(second, ROWS, count=None))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (table("cycles:u"), '"cycles:u" counts only time in user space; allowed: cycles'),
        (table("cycles:uppp"), '"cycles:uppp" counts only time in user space; allowed'),
        (table("cpu-clock:uhpppH"), '"cpu-clock:uhpppH" counts only time in user space'),
        (table("cpu_core/cycles/Pu"), '"cpu_core/cycles/Pu" counts only time in user space'),
        (table("cycles:ku", ()) + table("cycles:k"), '"cycles:k" counts only time in the kernel'),
        (table("cycles:u") + table("instructions"), '"cycles:u" counts only time in user space'),
        (table("cpu_core/cycles/") + table("cpu_atom/cycles/u"), "only time in user space"),
        (table("instructions") + table("cache-misses"), '"instructions, cache-misses" does not'),
        (table("cycles:G"), '"cycles:G" does not count time; allowed: cycles, ref-cycles'),
    ],
)  # fmt: skip
def test_events_that_do_not_count_all_time(text: str, told: str) -> None:
    with pytest.raises(UserError) as error:
        read(text)
    assert told in str(error.value)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            CALLERS.replace("    15.00%    15.00%", "    15.00%    1500%"),
            "is not a row of the table",
        ),
        (CALLERS.replace("iperf3   libc.so.6", "iperf3            "), "is not a row of the table"),
        (GROUP.replace("    69.00%  25.00%", "            25.00%"), "the rows cover 75% of the"),
        (GROUP.replace("     1.00%  60.00%", "            60.00%"), "the rows cover 40% of the"),
        (SEPARATED.replace(",Command", ",Pid"), 'the columns are "Children, Self, Samples, Pid, '),
        (table("cycles").replace("Overhead", "Baseline"), 'the columns are "Baseline, Command'),
        (CALLERS[: CALLERS.index("    30.00%    25")], "the rows cover 60% of the samples"),
        (CALLERS[: CALLERS.index("    98.00%")], "ends without a table of functions; allowed"),
        ("# Children      Self  Command  Shared Object\n    99.96%     0.00%  main\n", "ends with"),
    ],
)
def test_reports_that_are_not_whole(text: str, told: str) -> None:
    with pytest.raises(UserError) as error:
        read(text)
    assert told in str(error.value)


def test_chains_end_in_spaces_or_not() -> None:
    spaces = CALLERS.replace("|\n", "|          \n")
    assert spaces != CALLERS
    assert read(spaces) == read(CALLERS)


@pytest.mark.parametrize("text", [CALLERS, OLD, SEPARATED, MESSAGES, ELIDED, GROUP])
def test_all_forms_are_recognised(tmp_path: Path, text: str) -> None:
    file = tmp_path / "run.txt"
    file.write_text(text, encoding="utf-8")
    (run,) = read_runs([file])
    assert run.perf is not None
    assert len(run.perf.rows) == len(re.findall(r"\[[.k]\] ", text))


@pytest.mark.parametrize(
    ("name", "clock", "user", "kernel"),
    [
        ("cycles", "cycles", True, True),
        ("cycles:ppp", "cycles", True, True),
        ("cycles:ppu", "cycles", True, False),
        ("cpu/cpu-cycles/ppH", "cycles", True, True),
        ("armv8_pmuv3_0/cpu_cycles/", "cycles", True, True),
        ("cycles:kpppH", "cycles", False, True),
        ("cycles:uk", "cycles", True, True),
        ("ref-cycles:P", "ref-cycles", True, True),
        ("cycles:GH", "cycles", True, True),
        ("cycles:G", "", True, True),
        ("cpu/event=0xc2,umask=0x1/u", "", True, True),
        ("sched:sched_switch", "", True, True),
        ("dummy:HG", "", True, True),
    ],
)  # fmt: skip
def test_what_an_event_counts(name: str, clock: str, user: bool, kernel: bool) -> None:
    found = event(name)
    assert (found.clock, found.of_user, found.of_kernel) == (clock, user, kernel)
