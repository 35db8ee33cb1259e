"""Profiles: which limit is named from made-up results, and the verb on small transfers."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT

from analysis.profile import COLORS
from experiments.__main__ import main
from experiments.errors import UserError
from experiments.profile import amounts
from experiments.profile.cells import BUFFER, cells_of
from experiments.profile.judge import ALL, AS_IS, Finding, Inquiry
from experiments.profile.limits import BY_NAME, LIMITS
from experiments.profile.report import told
from experiments.programs.option_table import OptionTable
from experiments.programs.program import Program, locate
from experiments.spec.load import Changes, load_spec

SCENARIO: Mapping[str, Any] = {
    "access_bandwidth_bps": 10_000_000_000,
    "access_delay_s": 0.0,
    "bandwidth_bps": 100_000_000,
    "block_size_bytes": 1 << 20,
    "buffers": "fixed",
    "chunk_size_bytes": 10_000_000,
    "confidentiality_rate_bps": 0,
    "cpu_rate_bps": 0,
    "data_channels": "fresh",
    "delay_s": 0.04,
    "file_size_bytes": 10_000_000,
    "files": 1,
    "integrity_rate_bps": 0,
    "limit_rate_bps": 0,
    "max_buffer_bytes": 1 << 24,
    "mode": "fixed",
    "packet_size_bytes": 1500,
    "parallelism": 2,
    "path_schedule": "none",
    "pipelining": 1,
    "processing_rate_bps": 0,
    "queue_packets": 100,
    "random_loss": 0,
    "read_rate_bps": 0,
    "request_cpu_s": 0,
    "sink": "memory",
    "sink_depth": 2,
    "sink_total_rate_bps": 0,
    "source": "memory",
    "source_depth": 2,
    "source_total_rate_bps": 0,
    "stripes": "1x1",
    "window_bytes": 250_000,
    "write_rate_bps": 0,
}
"""A path of 100 Mbit/s and 80 ms, which holds 1,000,000 bytes; windows of 500,000 together."""

DISKS = {"source": "disk", "sink": "disk"}


def result(mbps: float, drops: int = 0) -> dict[str, Any]:
    """Return what a transfer of so much goodput measures."""
    use = {"requests": 10, "seeks": 0, "busy_s": 1.5, "bytes": 10_000_000}
    return {
        "sessions": [
            {
                "goodput_bps": mbps * 1e6,
                "duration_s": 2.0,
                "gridftp": {"chunks": [{"parallelism": 2}]},
                "tcp": {"segments": 1000, "retransmissions": 10, "timeouts": 3},
                "storage": {"read": use, "write": use},
            }
        ],
        "links": [{"utilisation": 0.5, "drops": drops, "mean_queue_packets": 1.0,
                   "max_queue_packets": 9}],
    }  # fmt: skip


def profiled(
    mbps: Mapping[str, float | None], drops: int = 0, **scenario: Any
) -> tuple[Finding | None, list[str]]:
    """Return what is found of a transfer, and all that was simulated for it.

    Args:
        mbps: goodput of what is tried, by the beginning of its label, the longest one that there
            is; None where the program refuses it; `AS_IS` for all else.
        drops: packets that the queue refuses.
        scenario: of the transfer, beside `SCENARIO`.
    """
    known: dict[str, Any] = {}
    while True:
        inquiry = Inquiry({**SCENARIO, **scenario}, known)
        lacking = [label for label in inquiry.wanted() if label not in known]
        if not lacking:
            return inquiry.finding(), list(known)
        for label in lacking:
            near = max((key for key in mbps if label.startswith(key)), key=len, default=AS_IS)
            known[label] = None if mbps[near] is None else result(mbps[near], drops)


def test_what_raises_goodput_most_is_named() -> None:
    found, _ = profiled({AS_IS: 40, "without window": 80, "without network": 50, ALL: 80})
    assert (found.limits, found.name) == (("window",), "window")
    assert found.gain == pytest.approx(1.0)
    assert found.evidence == (
        "2 x 244 KiB in a round trip of 80 ms are 50 Mbit/s, of which 80 % is used; "
        "the path holds 977 KiB",
    )
    assert {one.what: round(one.gain, 9) for one in found.lifted} == {
        "without window": 1.0, "without parallelism": 0.0, "without network": 0.25,
    }  # fmt: skip


def test_nothing_is_named_below_the_threshold() -> None:
    found, tried = profiled({AS_IS: 40, "without network": 41.9, ALL: 41.9})
    assert (found.limits, found.name, found.gain, found.advised) == ((), "none", 0.0, None)
    assert found.evidence == (
        "all limits lifted at once are worth 4.8%: 2 connections are set up, and grow",
    )
    assert not [label for label in tried if label.startswith("advice")]


def test_of_two_that_give_the_same_the_particular_one_is_named() -> None:
    both = {AS_IS: 40, "without source storage": 79, "without network": 80, ALL: 80}
    assert profiled(both, **DISKS)[0].limits == ("source storage",)


def test_limits_that_hide_each_other_are_named_together() -> None:
    hidden = {
        AS_IS: 40,
        ALL: 90,
        "all but": 90,
        "all but source storage": 41,
        "all but sink storage": 49,
        "without source storage and sink storage": 85,
        "advice, 3": 80,
        "advice": 50,
    }
    found, tried = profiled(hidden, **DISKS)
    # 49 is less than a fifth of the way from 40 to 90, the third disk that would be 50.1 is not.
    assert found.limits == ("source storage", "sink storage")
    assert found.gain == pytest.approx(85 / 40 - 1)
    assert "all but network lifted" in tried
    assert found.advised.options == {"source-rate": "110Mbps", "sink-rate": "110Mbps"}
    hidden["all but sink storage"] = 50.1
    assert profiled(hidden, **DISKS)[0].limits == ("source storage",)


def test_one_that_holds_it_alone_is_enough_where_another_is_near() -> None:
    near = {AS_IS: 80, ALL: 190, "all but": 190, "all but network": 95, "all but window": 90}
    near["without window"] = 95
    assert profiled(near)[0].limits == ("window",)
    near["all but window"] = 120  # of the 110 that all are worth, more than a fifth
    assert profiled(near)[0].limits == ("network",)


def test_what_would_hold_it_next_is_changed_with_it() -> None:
    next_one = {
        AS_IS: 40,
        ALL: 90,
        "all but": 90,
        "all but source storage": 41,
        "without source storage and queue": 80,
        "advice": 70,
    }
    found, tried = profiled(next_one, **DISKS)
    assert found.limits == ("source storage",)
    assert found.gain == pytest.approx(1.0)
    assert found.evidence[1:] == (
        "lifted alone that gives nothing: then it is queue that holds the transfer",
    )
    assert set(found.advised.options) == {"source-depth", "queue"}
    assert "without source storage and network" in tried
    # where that gives nothing either, nothing is advised
    next_one |= {"without source storage and queue": 41, "advice": 39}
    found, _ = profiled(next_one, **DISKS)
    assert (found.limits, found.advised) == (("source storage",), None)


def test_one_that_gives_a_third_of_all_is_enough() -> None:
    enough = {AS_IS: 40, ALL: 99, "without network": 60}
    found, tried = profiled(enough)
    assert found.limits == ("network",)
    assert not [label for label in tried if label.startswith("all but")]


def test_more_connections_are_no_cause_where_there_is_another() -> None:
    other = {AS_IS: 40, "without parallelism": 80, "without loss": 60, ALL: 80}
    assert profiled(other, random_loss=0.001)[0].limits == ("loss",)
    other["without loss"] = 59
    assert profiled(other, random_loss=0.001)[0].limits == ("parallelism",)


def test_the_queue_is_a_limit_where_it_refuses_packets() -> None:
    lossy = {AS_IS: 40, "without queue": 80, ALL: 80}
    found, tried = profiled(lossy)
    assert "queue" not in found.limits
    assert "without queue" not in tried
    found, _ = profiled(lossy, drops=7)
    assert found.limits == ("queue",)
    assert "7 packets do not fit into the queue of 100" in found.evidence[0]


def test_what_is_refused_or_fails_counts_as_tried() -> None:
    found, _ = profiled({AS_IS: 40, "without window": None, "without network": 60, ALL: None})
    assert found.limits == ("network",)
    assert "without window" not in {one.what for one in found.lifted}
    assert profiled({AS_IS: None})[0] is None


def test_the_easiest_change_that_is_nearly_the_best_is_advised() -> None:
    changes = {AS_IS: 40, "without window": 80, ALL: 80, "advice": 75}
    found, _ = profiled(changes)
    assert told(found.advised.options) == ["--window=490KiB"]
    assert [" ".join(told(one.options)) for one in found.candidates] == [
        "--window=490KiB", "--window=512KiB", "--window=2MiB", "--parallelism=4",
    ]  # fmt: skip
    found, _ = profiled({**changes, "advice": 60, "advice, 2": 80})
    assert found.advised.gain == pytest.approx(1.0)


def test_where_no_advice_helps_it_is_to_do_without_the_limit() -> None:
    found, _ = profiled({AS_IS: 40, "without source": 80, ALL: 80, "advice": 39}, **DISKS)
    assert told(found.advised.options) == ["--source=memory"]
    assert found.advised.gain == pytest.approx(1.0)


def test_what_sysctl_sets_is_told_as_its_line() -> None:
    options = {"receiver-rmem-max": "4194304B", "sender-backlog": "30000p", "window": "4MiB",
               "receiver-cores": "2", "sender-tcp-wmem-max": "0B"}  # fmt: skip
    assert told(options) == [
        "receiver: net.core.rmem_max = 4194304;",
        "sender: net.core.netdev_max_backlog = 30000;",
        "--window=4MiB",
        "--receiver-cores=2",
        "--sender-tcp-wmem-max=0B",
    ]


def test_the_documented_limits_are_those_there_are() -> None:
    text = (ROOT / "contrib/gridftp/doc/gridftp.rst").read_text()
    table = text.partition(".. csv-table:: Limits\n")[2].partition("\n\nHow often")[0]
    named = re.findall(r"^   ``([^`]+)``, ", table, re.MULTILINE)
    both = [name.replace("END", end) for name in named for end in ("sender", "receiver")]
    assert sorted(set(both)) == sorted(BY_NAME)


def test_the_table_of_limits_tells_them_apart() -> None:
    assert len({limit.letter for limit in LIMITS}) == len(LIMITS) == len(BY_NAME)
    assert {limit.family for limit in LIMITS} <= COLORS.keys()


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        (lambda: amounts.size(4 << 20), "4MiB"),
        (lambda: amounts.size(1000.2), "1001B"),
        (lambda: amounts.rate(2.5e9), "2500Mbps"),
        (lambda: amounts.rate(1234567), "1234567bps"),
        (lambda: amounts.time(0.0125), "12500us"),
        (lambda: amounts.time(1e-9), "1ns"),
        (lambda: str(amounts.power_of_two(1_000_000)), str(1 << 20)),
        (lambda: str(amounts.power_of_two(1 << 40)), str(1 << 30)),
        (lambda: str(amounts.two_digits(1_234_567)), "1300000"),
        (lambda: str(amounts.two_digits(7)), "7"),
        (lambda: amounts.said_rate(93_328_184), "93.3 Mbit/s"),
        (lambda: amounts.said_rate(999_700_000), "1 Gbit/s"),
        (lambda: amounts.said_rate(0.5), "0.5 bit/s"),
        (lambda: amounts.said_size(65536), "64 KiB"),
        (lambda: amounts.said_size(1023 * 1024), "1023 KiB"),
        (lambda: amounts.said_file(200_000_000), "200 MB"),
        (lambda: amounts.percent(0.0123), "1.2 %"),
    ],
)
def test_amounts_are_written_as_options_take_them(asked: Any, text: str) -> None:
    assert asked() == text


# ---- The matrix -----------------------------------------------------------------------------


@pytest.fixture
def program(programs: Path) -> Program:
    return locate("gridftp-transfer")


def spec_of(folder: Path, text: str) -> Path:
    path = folder / "server.toml"
    path.write_text(f'title = "A server"\n{text}')
    return path


def cells(program: Program, path: Path) -> list[Any]:
    table = OptionTable.read(program.object("--describe"))
    return cells_of(program, load_spec(path, table, Changes(profiled=True)).planned)


def test_the_usual_matrix(program: Program, tmp_path: Path) -> None:
    made = cells(program, spec_of(tmp_path, '[fixed]\nbandwidth = "1Gbps"\ndelay = "10ms"\n'))
    assert len(made) == 6 * 5 * 3
    assert list(made[0].axes) == [BUFFER, "parallelism", "block-size"]
    assert [cell.axes[BUFFER] for cell in made[::15]] == [
        "default", "BDP", "4MB", "8MB", "16MB", "32MB",
    ]  # fmt: skip
    assert made[0].line["buffers"] == "linux-receiver"
    # 1 Gbit/s for 20.04 ms, of which the access links are 0.04
    assert made[15].line["window"] == f"{10**9 * 0.02004 / 8:.0f}B"
    assert {cell.line["mode"] for cell in made} == {"fixed"}


def test_a_storage_in_fixed_is_one_end_of_the_matrix(program: Program, tmp_path: Path) -> None:
    text = (
        '[fixed]\nsource = "disk"\nsource-rate = "1Gbps"\n[cross]\nqueue = ["10p", "90p"]\n'
        '[profile]\nbuffer = ["default"]\nparallelism = [4]\nblock-size = ["1MiB"]\n'
    )
    made = cells(program, spec_of(tmp_path, text))
    assert [cell.axes for cell in made] == [
        {"queue": queue, "source": source}
        for queue in ("10p", "90p")
        for source in ("memory", "disk")
    ]


def test_blocks_are_profiled_as_they_are(program: Program, tmp_path: Path) -> None:
    text = (
        '[[block]]\nlabel = "a"\nengine = "ns3"\nreplications = 3\n[block.cross]\n'
        'delay = ["1ms", "9ms"]\n'
    )
    made = cells(program, spec_of(tmp_path, text))
    assert [cell.line for cell in made] == [
        {"delay": "1ms", "run": "1"}, {"delay": "9ms", "run": "1"},
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[profile]\nbufer = []", ':3: "bufer" is unknown here; did you mean "buffer"?'),
        ("[profile]\nbuffer = []", ':3: "buffer": an empty list is not allowed; allowed: a list'),
        ('[profile]\nbuffer = ["BPD"]', ':3: "buffer": "BPD" is not allowed; allowed: "default", '),
        ('[profile]\nbuffer = ["4MB", "4MB"]', ':3: "buffer": "4MB" comes twice'),
        ("[profile]\nparallelism = [0]", ':3: "parallelism": 0 is not allowed; allowed: a whole'),
        ('[profile]\nsource = ["tape"]', ':3: "source": "tape" is not allowed; allowed: "memory"'),
        ("profile = 3", ':2: "profile": 3 is not allowed; allowed: a table'),
        (
            '[cross]\nwindow = ["1MiB"]\n[profile]\nbuffer = ["BDP"]',
            '"buffer" sets "window", which',
        ),
        ('[profile]\n[[block]]\nlabel = "a"', '"profile" and "block" stand beside each other'),
    ],
)
def test_a_slip_in_the_matrix_is_told(
    program: Program, tmp_path: Path, text: str, said: str
) -> None:
    path = spec_of(tmp_path, text)
    with pytest.raises(UserError, match=re.escape(said)) as caught:
        cells(program, path)
    assert str(caught.value).startswith(f"{path}:")


# ---- The verb -------------------------------------------------------------------------------

SMALL = """
[fixed]
delay = "20ms"
queue = "300p"
file-size = "20MB"
chunk-size = "20MB"
source-rate = "40Mbps"

[profile]
buffer = ["64KiB", "BDP"]
parallelism = [1, 4]
block-size = ["1MiB"]
source = ["memory", "disk"]
"""


def test_a_profile_is_made_once_and_told(
    programs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["profile", str(spec_of(tmp_path, SMALL)), f"--results={tmp_path}"]
    assert main([*words, "--dry-run"]) == 0
    assert "server-profile: 8 simulations, 0 done, 8 to do" in capsys.readouterr().out
    assert main(words) == 0
    told = capsys.readouterr()
    assert "server-profile: " in told.out
    assert "What limits 8 transfers: " in told.out
    folder = tmp_path / "server-profile"
    with open(folder / "transfers.csv") as stream:
        rows = {(row[BUFFER], row["parallelism"], row["source"]): row
                for row in csv.DictReader(stream)}  # fmt: skip
    assert rows["64KiB", "1", "memory"]["limit"] == "window"
    assert rows["64KiB", "1", "memory"]["advice"] == "--window=490KiB"
    assert rows["BDP", "1", "disk"]["limit"] == "source storage"
    assert float(rows["BDP", "1", "disk"]["advised_gain"]) > 0.5
    with open(folder / "samples.csv") as stream:
        assert [row["second"] for row in csv.DictReader(stream)][:2] == ["0", "1"]
    page = (folder / "profile.html").read_text()
    assert page.count('<tr id="t') == 8
    assert "<h3>source memory</h3>" in page
    assert re.findall(r"(?:src|href)=.(?!data:|#)", page) == []  # it needs nothing else
    # again: nothing is simulated, the same is told
    assert main(words) == 0
    again = capsys.readouterr()
    assert again.out == told.out
    assert re.findall(r"(\d+) to do", again.err) == ["0"]
    assert (folder / "profile.html").read_text() == page


def test_the_report_tells_more_of_the_transfer_asked_for(
    programs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["profile", str(spec_of(tmp_path, SMALL)), f"--results={tmp_path}"]
    assert main([*words, "--transfer=4", "--threshold=0.2"]) == 0
    page = (tmp_path / "server-profile" / "profile.html").read_text()
    assert "<h2>Transfer 4: TCP buffer 64KiB, parallelism 4, source disk</h2>" in page
    assert "<h3>Storage</h3>" in page
    assert "more than 20 %" in page


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "SPEC.toml is missing; allowed: a file, or --check"),
        (["server.toml", "--check"], "--check: makes its own transfers; allowed: without "),
        (["--check", "0"], "--check: '0' is not a whole number from 1 to 10000"),
        (["server.toml", "--threshold=1"], "--threshold: '1' is not a number above 0 and below 1"),
        (["server.toml", "--transfer=9"], "--transfer: 9 is none of the 8 transfers of "),
        (["other.toml"], '"tool": "bbftp" is not profiled; allowed: "gridftp"'),
        (["nowhere.toml"], "nowhere.toml: No such file or directory"),
    ],
)
def test_bad_words_are_refused_in_one_line(
    programs: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    said: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    spec_of(tmp_path, SMALL)
    (tmp_path / "other.toml").write_text(
        'title = "x"\n[[block]]\nlabel = "b"\n[block.fixed]\ntool = "bbftp"\n'
    )
    assert main(["profile", *words, f"--results={tmp_path}"]) == 2
    told = capsys.readouterr().err
    assert said in told
    assert told.count("\n") == 1
    assert not (tmp_path / "store.sqlite").exists()


def test_a_sweep_takes_no_matrix(
    programs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["sweep", str(spec_of(tmp_path, SMALL)), f"--store={tmp_path / 's'}"]) == 2
    assert '"profile" is the matrix of ./gridftp profile' in capsys.readouterr().err
