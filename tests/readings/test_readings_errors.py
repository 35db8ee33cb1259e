"""Files of readings with something wrong: one line, with file, line, and what is allowed."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import made_up_readings as made_up
import pytest
from made_up_readings import MadeUp

from experiments.errors import UserError
from experiments.readings.iperf3 import read_iperf3
from experiments.readings.reading import covering
from experiments.readings.report import describe, tell
from experiments.readings.sadf import read_sadf

FILES = Path(__file__).parent / "samples"
REAL = sorted(FILES.iterdir())


def refused(*files: Path) -> str:
    """Return what is said of files, without the folder of the first."""
    with pytest.raises(UserError) as error:
        describe(files)
    text = str(error.value)
    assert "\n" not in text
    return text.removeprefix(f"{files[0].parent}/")


def refusal(file: Path) -> str | None:
    """Return what is said of a file; None if nothing is wrong with it."""
    try:
        describe([file])
    except UserError as error:
        return str(error).removeprefix(f"{file.parent}/")
    return None


@pytest.fixture
def said(tmp_path: Path) -> Callable[[str | bytes], str]:
    """A function that returns what is said of a file with a content."""

    def say(content: str | bytes) -> str:
        file = tmp_path / "file"
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return refused(file)

    return say


Say = Callable[[str | bytes], str]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "file:1: is empty; allowed: the output of the tool"),
        (b" \n\n", "file:1: is empty; allowed: the output of the tool"),
        (b"a\nb\0c", "file:2: is not a text; allowed: the output of the tool"),
        (b"a\n\nb\xffc", "file:3: is not UTF-8; allowed: the output of the tool"),
        (
            b"PERFILE2\0\1",
            "file:1: is perf's own file; allowed: the output of perf report --stdio -i FILE",
        ),
        (
            b"\x96\xd5\x75\x21",
            "file:1: is sar's own file; allowed: the output of sadf -j FILE -- -A",
        ),
        (b"\x1f\x8b\x08", "file:1: is compressed with gzip, and damaged or truncated"),
        (
            b"Linux 6.1 (host)\n",
            "file:1: is not the output of a known tool; allowed: output of sadf -j, perf",
        ),
        (
            b'{"a": 1}',
            "file:1: is not the output of a known tool; allowed: output of sadf -j, perf",
        ),
        (b"[1]", "file:1: is not the output of a known tool; allowed: output of sadf -j, perf"),
        (
            b'{"sysstat":\n {"hosts"\n: ',
            "file:3: the JSON is cut short here; allowed: the complete output of",
        ),
        (
            b'{"sysstat":\n {"hosts',
            "file:2: the JSON is cut short here; allowed: the complete output of",
        ),
        (b'{"a":\n 1,\n b}', 'file:3: is not valid JSON at "b}"; allowed: the output of'),
        (
            b'{"sysstat": 1}\n{"a": 1}',
            "file:2: text follows the JSON; allowed: the output of one run of",
        ),
        (b"[" * 99999, "file:1: is nested too deeply, or has an invalid number; allowed"),
        (b"{" + b'"a":1' * 2, "file:1: is not valid JSON at"),
    ],
)
def test_files_that_are_none(said: Say, content: bytes, told: str) -> None:
    assert said(content).startswith(told)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    assert refused(tmp_path / "none") == "none: No such file or directory"
    with pytest.raises(
        UserError, match=r"^there are no files of readings; allowed: output of sadf -j, "
    ):
        describe([])


SADF = FILES.joinpath("p4-sender.sadf.json").read_text(encoding="utf-8")
IPERF3 = FILES.joinpath("p4-sender.iperf3.json").read_text(encoding="utf-8")
SS = FILES.joinpath("p4-sender.ss.txt").read_text(encoding="utf-8")
CORE = '"steal": 0.99, "irq": 0.00, "soft": 0.00, "guest": 0.00, "gnice": 0.00, "idle": 0.00'
"""Of the first core in the first interval, on line 17."""
PERF = FILES.joinpath("p4-sender.perf.txt").read_text(encoding="utf-8")


def line_of(text: str, part: str) -> int:
    assert part in text
    return text[: text.index(part)].count("\n") + 1


@pytest.mark.parametrize(
    ("text", "old", "new", "line", "told"),
    [
        # Of another version.
        (IPERF3, "iperf 3.12", "iperf 2.1.8", 28,
         '"version": "iperf 2.1.8" is not allowed; allowed: that of iperf 3'),
        # Something is missing: the line is that of what it would be in.
        (SADF, '"hosts"', '"host"', 1, '"hosts" is missing; allowed: a complete file that has it'),
        (SADF, '"number-of-cpus"', '"cpus"', 3, '"number-of-cpus" is missing; allowed'),
        (SADF, '"cpu-load"', '"cpu"', 13,
         '"cpu-load" is missing; allowed'),
        (SADF, CORE, CORE.replace("idle", "idl"), 17, '"idle" is missing; allowed'),
        (SADF, '"txkB": 51194.18, ', "", 64, '"txkB" is missing; allowed'),
        (SADF, '"interval": 1}', '"itv": 1}', 14, '"interval" is missing; allowed'),
        (IPERF3, '"num_streams":\t4,', "", 52, '"num_streams" is missing; allowed'),
        (IPERF3, '"sum_received"', '"sum"', 66, '"sum_received" is missing; allowed'),
        (IPERF3, '"connecting_to"', '"to"', 2,
         '"connecting_to" and "accepted_connection" are missing; allowed: one of them'),
        # A value that is none.
        (SADF, '"nodename": "sender.example"', '"nodename": null', 4,
         '"nodename": None is not allowed; allowed: a text'),
        (SADF, '"number-of-cpus": 2', '"number-of-cpus": 2.5', 8,
         '"number-of-cpus": 2.5 is not allowed; allowed: a whole number from 1'),
        (SADF, '"rxpck": 7442.00', '"rxpck": -1', 64,
         '"rxpck": -1 is not allowed; allowed: a number from 0'),
        (SADF, '"rxpck": 7442.00', '"rxpck": NaN', 64,
         '"rxpck": nan is not allowed; allowed: a number from 0'),
        (SADF, '"rxpck": 7442.00', '"rxpck": 1e999', 64, '"rxpck": inf is not allowed'),
        (SADF, '"rxpck": 7442.00', '"rxpck": "7442"', 64, '"rxpck": "7442" is not allowed'),
        (SADF, '"rxpck": 7442.00', '"rxpck": true', 64, '"rxpck": true is not allowed'),
        (SADF, CORE, CORE.replace('idle": 0.00', 'idle": 100.5'), 17,
         '"idle": 100.5 is not allowed; allowed: a number from 0 to 100'),
        (SADF, '"statistics": [', '"statistics": [3, ', 12, '"statistics": 3 is not allowed'),
        (SADF, '"time": "13:00:03"', '"time": "13.00.03"', 45,
         '"timestamp": "2026-01-15 13.00.03" is not allowed; allowed: a date and a time'),
        (SADF, '"time": "13:00:03", "utc": 1', '"time": "13:00:03", "utc": 0', 45,
         '"utc": 0 is not allowed; allowed: UTC: call sadf without -t and -T'),
        (SADF, '"time": "13:00:03"', '"time": "13:00:02"', 45,
         "is not later than the interval before; allowed: intervals in order of time"),
        (IPERF3, '"protocol":\t"TCP"', '"protocol":\t"UDP"', 53,
         '"protocol": "UDP" is not allowed; allowed: "TCP"'),
        (IPERF3, '"reverse":\t0', '"bidir": 1, "reverse":\t0', 60,
         '"bidir": 1 is not allowed; allowed: 0, data in one direction'),
        (IPERF3, '{\n\t"start"', '{\n\t"error": "unable to connect to server",\n\t"start"', 2,
         'the run failed: "unable to connect to server"; allowed: a run that completed'),
        # ss.
        (SS, "cwnd:245", "cwin:245", 5,
         '"cwnd" is missing; allowed: the complete output of ss -ti'),
        (SS, "rtt:0.072/0.057", "rtt:0.072", 5,
         '"rtt": "0.072" is not allowed; allowed: two numbers, such as 0.12/0.05'),
        (SS, "busy:76ms", "busy:76", 5,
         '"busy": "76" is not allowed; allowed: milliseconds, such as 4ms(5.9%)'),
        (SS, "delivery_rate 2802580640bps", "delivery_rate 28", 5,
         '"delivery_rate": "28" is not allowed; allowed: a rate, such as 940Mbps'),
        (SS, "mss:1448", "mss:1,4", 3, '"mss": "1,4" is not allowed; allowed: a whole number'),
        (SS, "ESTAB 0      0          192.0.2.1:52204", "estab", 6, "is not a line of ss; allowed"),
        # perf.
        (PERF, "'cpu-clock'", "'cache-misses'", 6,
         '"cache-misses" does not count time; allowed: cycles, ref-cycles, cpu-clock or'),
        (PERF, "# Overhead  Command", "# Overhead  Pid    ", 9,
         'the columns are "Overhead, Pid, Shared Object, Symbol"; allowed: Overhead, Command'),
        (PERF, "     4.64%  iperf3       [kernel.kallsyms]     [k] _copy_from_iter",
         "     4.64%  iperf3", 13,
         '"4.64%  iperf3" is not a row of the table; allowed: the complete output of'),
        (PERF, "     4.64%  iperf3", "     4,64%  iperf3", 13, "is not a row of the table"),
        (PERF, "     4.64%", "   104.64%", 13, "is not a row of the table"),
        (PERF, "     4.64%", "    34.64%", 215, "the rows have 130.3% of the samples; allowed"),
        (PERF, "# Samples: 948  of event", "# Samples of", 12, "no line with its event"),
    ],
)  # fmt: skip
def test_what_is_wrong_in_a_file(
    said: Say, text: str, old: str, new: str, line: int, told: str
) -> None:
    assert old in text
    # Of what there is more than one the first, but of numbers that are told by their line.
    changed = text.replace(old, new, 1)
    answer = said(changed)
    assert answer.startswith(f"file:{line}: "), answer
    assert told in answer


@pytest.mark.parametrize(
    ("change", "line", "told"),
    [
        (lambda host: host.update(statistics=[]), '"statistics"', '"statistics" is empty; allowed'),
        (lambda host: host["statistics"][0].update({"cpu-load": [{"cpu": "all"}]}), '"cpu-load"',
         '"cpu-load" has no single core; allowed: all cores, as with -P ALL'),
    ],
)  # fmt: skip
def test_what_is_wrong_in_a_whole_file_of_sadf(
    said: Say, change: Callable[[Any], object], line: str, told: str
) -> None:
    data = made_up.sadf(MadeUp())
    change(data["sysstat"]["hosts"][0])
    text = json.dumps(data, indent=1)
    answer = said(text)
    # A timestamp begins two lines before its time.
    before = 2 if line.startswith('"13') else 0
    assert answer.startswith(f"file:{line_of(text, line) - before}: "), answer
    assert told in answer


def test_two_hosts_in_a_file_of_sadf(said: Say) -> None:
    data = made_up.sadf(MadeUp())
    data["sysstat"]["hosts"] *= 2
    assert said(json.dumps(data)) == 'file:1: "hosts" has 2 entries; allowed: one'


def test_a_run_of_iperf3_in_which_nothing_moved(said: Say) -> None:
    nothing = IPERF3.replace("200278016", "0")
    line = line_of(nothing, '"sum_received"') + 4
    assert said(nothing) == (f'file:{line}: "bytes": 0 is not allowed; allowed: more than 0 bytes')


def test_ss_without_a_connection(said: Say) -> None:
    assert said("State Recv-Q Send-Q\nLISTEN 0 4096 *:22 *:*\n").startswith(
        "file:1: has no connection in state ESTAB; allowed: ss -tin during a transfer"
    )


@pytest.mark.parametrize(
    "text", ["# To display the perf.data header\n", "# Samples: 0  of event 'cycles'\n"]
)
def test_perf_report_without_a_table(said: Say, text: str) -> None:
    assert said(text).startswith("file:1: ends without a table of functions; allowed: perf report")


def test_perf_report_without_the_line_of_its_event(said: Say) -> None:
    lines = [line for line in PERF.splitlines(keepends=True) if not line.startswith("# Samples:")]
    row = next(number for number, line in enumerate(lines, 1) if line.startswith(" "))
    assert said("".join(lines)) == (
        f"file:{row}: the table has no line with its event, such as # Samples: 10K of event "
        "'cycles'; "
        "allowed: perf report --stdio --no-children -g none"
    )


def test_perf_report_cut_short_between_lines(said: Say) -> None:
    lines = PERF.splitlines(keepends=True)[:40]
    covered = sum(float(line.split("%")[0]) for line in lines[11:])
    assert said("".join(lines)) == (
        f"file:40: the rows cover {covered:.0f}% of the samples; allowed: at least 90%, "
        "the complete output of perf report --stdio --no-children -g none"
    )


@pytest.mark.parametrize("file", REAL, ids=lambda file: file.name)
def test_a_file_cut_short_anywhere(said: Say, file: Path) -> None:
    """Of rows of a text, nobody can tell that there were more."""
    text = file.read_text(encoding="utf-8")
    draw = random.Random(1)
    for _ in range(60):
        cut = text[: draw.randrange(1, len(text) - 2)]
        if cut.endswith("\n") and file.suffix == ".txt":
            continue
        assert re.match(r"file:\d+: .*; allowed: .*", said(cut)), cut[-80:]


@pytest.mark.parametrize("file", REAL, ids=lambda file: file.name)
def test_a_file_with_anything_else_in_it_is_read_or_refused(tmp_path: Path, file: Path) -> None:
    """Lines are lost, doubled or swapped, words and characters become others."""
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    draw = random.Random(2)
    changed = tmp_path / "file"
    refusals = 0
    for _ in range(150):
        copy = lines.copy()
        for _ in range(draw.randrange(1, 4)):
            at = draw.randrange(len(copy))
            kind = draw.randrange(5)
            if kind == 0:
                del copy[at]
            elif kind == 1:
                copy.insert(at, copy[draw.randrange(len(copy))])
            elif kind == 2:
                copy[at] = re.sub(
                    r"[\d.]+", draw.choice(["-3", "1e400", "", '"x"', "9" * 30]), copy[at]
                )
            elif kind == 3:
                words = copy[at].split(" ")
                draw.shuffle(words)
                copy[at] = " ".join(words)
            else:
                place = draw.randrange(len(copy[at]))
                copy[at] = (
                    copy[at][:place] + draw.choice('{}[]",:%#\t\x01é') + copy[at][place + 1 :]
                )
        changed.write_text("".join(copy), encoding="utf-8")
        told = refusal(changed)
        assert told is None or re.fullmatch(r"file:\d+: .+; .+", told), told
        refusals += told is not None
    assert refusals > 20


def test_files_of_different_runs(tmp_path: Path) -> None:
    one = made_up.write(tmp_path, "one", MadeUp())
    iperf3 = json.loads(one[2].read_text(encoding="utf-8"))
    iperf3["start"]["timestamp"]["timesecs"] += 5
    one[2].write_text(json.dumps(iperf3), encoding="utf-8")
    line = line_of(one[0].read_text(encoding="utf-8"), '"timestamp"')
    assert refused(*one) == (
        f"one.sadf.json:{line}: covers 2026-01-15 12:59:59 to 2026-01-15 13:00:10 UTC, and iperf3 "
        "(one.iperf3.json) ran from 2026-01-15 13:00:05 to 2026-01-15 13:00:13; "
        "allowed: sar that starts before the run and ends after it"
    )


def test_what_iperf3_omits_is_before_the_run(tmp_path: Path) -> None:
    """Samples of the seconds that -O omits are not of the run, and may be missing."""
    one = made_up.write(tmp_path, "one", MadeUp())
    iperf3 = json.loads(one[2].read_text(encoding="utf-8"))
    sadf = read_sadf(one[0])
    whole = covering(sadf, read_iperf3(one[2]))
    iperf3["start"]["timestamp"]["timesecs"] -= 5
    iperf3["start"]["test_start"]["omit"] = 5
    one[2].write_text(json.dumps(iperf3), encoding="utf-8")
    assert covering(sadf, read_iperf3(one[2])) == whole
    iperf3["start"]["timestamp"]["timesecs"] += 10
    one[2].write_text(json.dumps(iperf3), encoding="utf-8")
    assert "ran from 2026-01-15 13:00:10 to 2026-01-15 13:00:18; allowed: sar that" in refused(*one)


def test_files_of_different_ends(tmp_path: Path) -> None:
    files = [FILES / "p4-sender.sadf.json", FILES / "p4-receiver.iperf3.json"]
    assert refused(*files) == (
        "p4-sender.sadf.json:14: is from a sender, and iperf3 (p4-receiver.iperf3.json) from a "
        "receiver; allowed: files of one run at one endpoint"
    )


def test_a_run_that_moved_more_than_the_interface(tmp_path: Path) -> None:
    one = made_up.write(tmp_path, "one", MadeUp(payload=10e6))
    two = made_up.write(tmp_path, "two", MadeUp(payload=30e6))
    mixed = refused(one[0], two[2])
    assert "fewer than the 240000000 of iperf3 (two.iperf3.json)" in mixed
    assert mixed.startswith("one.sadf.json:")


def test_an_interface_that_moves_data_both_ways(said: Say) -> None:
    data = made_up.sadf(MadeUp(acks_per_segment=10))
    text = json.dumps(data, indent=1)
    answer = said(text)
    line = line_of(text, '"timestamp"')
    assert answer.startswith(f"file:{line}: ")
    assert "come in and" in answer
    assert answer.endswith("allowed: a transfer with at least 80% in one direction")


def test_no_interface(said: Say) -> None:
    text = SADF.replace('"iface": "eth0"', '"iface": "lo"')
    assert said(text).startswith('file:14: "net-dev" has no interface but lo; allowed: all')


def test_two_files_of_a_tool_for_one_run(tmp_path: Path) -> None:
    one = made_up.write(tmp_path, "one", MadeUp())
    again = tmp_path / "one.again.json"
    again.write_bytes(one[0].read_bytes())
    assert refused(*one, again) == (
        "one.again.json:1: run 'one' already has a file of sadf (one.sadf.json); "
        "allowed: one file of each tool with a name up to its first dot"
    )


def test_readings_of_two_hosts(tmp_path: Path) -> None:
    one = made_up.write(tmp_path, "one", MadeUp())
    two = made_up.write(tmp_path, "two", MadeUp(payload=30e6), host="other.example")
    assert refused(*one, *two) == (
        "two.sadf.json:1: is from sender 'other.example' with 4 cores, one.sadf.json from "
        "'sender.example' with 4; allowed: readings of one endpoint from one host"
    )


def test_nothing_is_written_of_what_is_wrong(tmp_path: Path) -> None:
    one = made_up.write(tmp_path, "one", MadeUp())
    one[1].write_text("# Overhead\n", encoding="utf-8")
    with pytest.raises(UserError, match=r"one\.perf\.txt:1: ends without a table"):
        tell(one, tmp_path / "hosts")
    assert not (tmp_path / "hosts").exists()
