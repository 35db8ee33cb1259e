"""Transfer logs on a path: what the simulation predicts, what limits them, a sweep of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from made_up_transfers import fts_message, json_lines, log_line

from experiments.__main__ import main
from experiments.errors import UserError
from experiments.profile.transfer_path import START_UP, Compared, compare, path_of
from experiments.programs.option_table import OptionTable
from experiments.programs.program import Program, locate
from experiments.spec.load import load_spec
from experiments.transfer_logs.files import read_transfers
from experiments.transfer_logs.groups import groups_of

PATH = ("--bandwidth=100Mbps", "--queue=500p")
RTT = "40ms"

On = Callable[..., Compared]


@pytest.fixture
def program(programs: Path) -> Program:
    del programs
    return locate("gridftp-transfer")


@pytest.fixture
def on_path(program: Program, tmp_path: Path) -> On:
    """A function that returns one transfer of a log next to its simulation."""

    def on(line: str, *words: str, rtt: str | None = RTT) -> Compared:
        file = tmp_path / "gridftp.log"
        file.write_text(line)
        (group,) = groups_of(read_transfers([file])[0])
        (one,) = compare(program, path_of(program, words or PATH, rtt), [group], 1)
        return one

    return on


def lasting(rate_bps: float, size: int, **fields: object) -> str:
    """Return a line of a transfer at a rate."""
    return log_line(0, 8 * size / rate_bps, NBYTES=size, **fields)


# ---- What limits them -----------------------------------------------------------------------


def test_windows(on_path: On) -> None:
    """Two buffers of 64 KiB: Linux offers 80 KiB each, which in 40 ms are 32.8 Mbit/s."""
    one = on_path(lasting(30e6, 200_000_000, STREAMS=2, BUFFER=65536))
    assert one.limit == "window"
    assert one.predicted_bps == pytest.approx(32.8e6, rel=0.05)
    assert one.ratio == pytest.approx(30e6 / one.predicted_bps)
    assert one.evidence.startswith("2 x 80 KiB per RTT of 40 ms are 32.8 Mbit/s, of which")
    assert "measured" not in one.evidence


def test_the_bandwidth(on_path: On) -> None:
    """Four windows of 256 KiB fill 100 Mbit/s and half of the queue."""
    one = on_path(lasting(90e6, 40_000_000, STREAMS=4, BUFFER=262144))
    assert one.limit == "network"
    assert 0.9 < one.ratio < 1.1


def test_losses(on_path: On) -> None:
    """Mathis et al.: 1460 B x 8 / 40 ms x sqrt(3 / 2 / 0.001) are 11.3 Mbit/s for Reno."""
    words = (*PATH, "--random-loss=0.001")
    one = on_path(lasting(10e6, 500_000_000, STREAMS=1, BUFFER=1048576), *words)
    assert one.limit == "loss"
    assert one.predicted_bps == pytest.approx(11.3e6, rel=0.1)


def test_a_short_transfer(on_path: On) -> None:
    one = on_path(lasting(10e6, 300_000, STREAMS=1, BUFFER=4194304))
    assert one.limit == START_UP
    assert one.evidence.startswith("the transfer lasts ")


def test_stripes_are_simulated(on_path: On) -> None:
    """Buffers of 64 KiB: two stripes with one stream each are two connections."""
    one = on_path(lasting(25e6, 200_000_000, STREAMS=1, STRIPES=2, BUFFER=65536))
    assert one.finding.case.scenario["stripes"] == "2x2"
    assert one.predicted_bps == pytest.approx(32.8e6, rel=0.05)


@pytest.mark.parametrize("buffer", [0, None])
def test_default_buffers_are_those_of_the_system(on_path: On, buffer: int | None) -> None:
    one = on_path(lasting(25e6, 5_000_000, BUFFER=buffer))
    assert one.is_auto_tuned
    assert one.finding.case.scenario["buffers"] == "linux-receiver"


def test_a_buffer_that_is_too_small_for_the_rate_has_grown(on_path: On) -> None:
    """87,380 bytes in 40 ms are 17.5 Mbit/s: the default with which Linux begins."""
    one = on_path(lasting(60e6, 20_000_000, STREAMS=1, BUFFER=87380))
    assert (one.has_grown, one.is_auto_tuned) == (True, True)
    assert "windows of 85.3 KiB cannot carry 60 Mbit/s: the buffers were auto-tuned" in (
        one.evidence
    )
    one = on_path(lasting(17e6, 20_000_000, STREAMS=1, BUFFER=87380))
    assert (one.has_grown, one.limit) == (False, "window")


def test_what_is_slower_than_the_path_is_held_elsewhere(on_path: On) -> None:
    one = on_path(lasting(5e6, 10_000_000, STREAMS=2, BUFFER=65536, TASKID="x", retrans="3,5"))
    assert (
        "is 18 % of the simulated one: 0.12 % of the segments were retransmitted, storage, CPU"
        in (one.evidence)
    )


def test_what_is_faster_than_the_path_has_another_path(on_path: On) -> None:
    one = on_path(lasting(300e6, 40_000_000, STREAMS=4, BUFFER=4194304))
    assert (
        "times the simulated one: the path is faster or shorter or loses less than given"
        in one.evidence
    )


def test_more_than_can_be_simulated_is_told(on_path: On) -> None:
    one = on_path(lasting(25e6, 10_000_000, STREAMS=10**9))
    assert (one.finding, one.limit, one.ratio) == (None, "", None)
    assert one.evidence.startswith('not simulated: "parallelism": "1000000000" is out of range')


def test_the_round_trip_time_includes_the_access_links(program: Program) -> None:
    path = path_of(program, ("--bandwidth=1Gbps", "--access-delay=1ms"), "50ms")
    assert path.round_trip_s == pytest.approx(0.05, rel=1e-9)
    assert path.options["delay"] == "23ms"


def test_a_file_of_the_path_is_where_the_user_stands(
    program: Program, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "rates.csv").write_text("time_s,rate_Mbps\n1,5\n")
    monkeypatch.setenv("GRIDFTP_USER_CWD", str(tmp_path))
    path = path_of(program, ["--path-schedule=rates.csv"], "20ms")
    assert path.options["path-schedule"] == str(tmp_path / "rates.csv")
    assert path.scenario["path_schedule"] == "0s:100Mbps:9980us,1s:5Mbps:9980us"


@pytest.mark.parametrize(
    ("words", "delay"),
    [
        ([], "19980us"),
        (["--reverse-delay=5ms"], "34960us"),
        (["--reverse-delay=39960us"], "0ns"),
        (["--reverse-delay=5ms", "--access-delay=1ms"], "31ms"),
        (["--reverse-delay=0ms"], "39960us"),
    ],
)
def test_the_round_trip_is_that_of_both_directions(
    program: Program, words: list[str], delay: str
) -> None:
    path = path_of(program, words, RTT)
    assert path.options["delay"] == delay
    assert path.round_trip_s == pytest.approx(0.040, abs=1e-12)


@pytest.mark.parametrize(
    ("words", "rtt", "said"),
    [
        (["--bandwith=1Gbps"], None, "--bandwith is unknown; did you mean --bandwidth?"),
        (["--bandwidth=fast"], None, "--bandwidth=fast is not a number; allowed: a rate such as"),
        (
            ["--trace=folder"],
            None,
            "--trace is not an option of the path; allowed: options of the path",
        ),
        (["--session=mode=aimd"], None, "--session is not an option of the path; allowed: options"),
        (
            ["--parallelism=3"],
            None,
            "--parallelism: its value comes from the logs; allowed: options of the",
        ),
        (["--delay=3ms"], "6ms", "--rtt: sets --delay, too; allowed: one of them"),
        (["--delay=3ms", "--delay=4ms"], None, "--delay is given twice; allowed: once"),
        ([], "6", "--rtt=6 lacks a unit; allowed: a time such as 10ms"),
        ([], "30us", "--rtt=30us is less than the RTT of the access links; allowed: 40us or more"),
        (
            ["--reverse-delay=50ms"],
            "40ms",
            "--rtt=40ms is less than the RTT of --reverse-delay and the access links; allowed: "
            "50040us or more, or another --reverse-delay or --access-delay",
        ),
        (["--tool=udt"], None, '"tool": "udt" is not profiled; allowed: "gridftp"'),
        (["--tool=bbftp"], "40ms", '"tool": "bbftp" is not profiled; allowed: "gridftp"'),
        (["bandwidth=1Gbps"], None, "unrecognized arguments: bandwidth=1Gbps; allowed: an option"),
    ],
)
def test_a_slip_in_the_path(program: Program, words: list[str], rtt: str | None, said: str) -> None:
    with pytest.raises(UserError) as refused:
        path_of(program, words, rtt)
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


# ---- The command ----------------------------------------------------------------------------


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """A log of several streams, buffers and sizes, with what has no rate between them."""
    lines = [
        lasting(rate, size, STREAMS=streams, BUFFER=buffer)
        for streams, buffer, size, rates in [
            (2, 65536, 10_000_000, (24e6, 25e6, 26e6)),
            (4, 0, 2_000_000, (20e6,)),
            (2, 65536, 1_000_000, (15e6, 16e6)),
        ]
        for rate in rates
    ]
    file = tmp_path / "gridftp.log"
    damaged = log_line(NBYTES=None)
    file.write_text("\n".join([*lines[:2], log_line(CODE=426), damaged, *lines[2:], ""]))
    return file


def report(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[str, str]:
    assert main(["profile", "--readings", *map(str, words)]) == 0
    told = capsys.readouterr()
    return told.out, told.err


def test_rates_for_people(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, err = report(capsys, log)
    assert out.startswith(
        "gridftp.log: GridFTP transfer log, 6 transfers; left out: 1 failed (426: 1), 1 bad line\n"
    )
    assert err == f"{log}:4: NBYTES is missing\n"
    rows = [[cell.strip() for cell in line.split("│")[1:-1]] for line in out.splitlines()]
    rows = [row for row in rows if row and row[0].isdigit()]
    assert rows == [
        ["1", "dtn1.example.org", "192.0.2.7", *cells]
        for cells in (["2", "64 KiB", "1 MB", "2", "15.25", "15.5", "15.75", "6.0"],)
    ] + [
        ["2", "dtn1.example.org", "192.0.2.7", "2", "64 KiB", "10 MB", "3", "24.5", "25", "25.5",
         rows[1][-1]],
        ["3", "dtn1.example.org", "192.0.2.7", "4", "default", "2 MB", "1", "20", "20", "20",
         rows[2][-1]],
    ]  # fmt: skip
    assert "The logs do not describe the path." in out


def test_only_the_largest_groups_are_shown(log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = report(capsys, log, "--rows=1")
    assert "2 more groups with 3 transfers: show them with --rows=N or --json" in out
    assert "│ 10 MB │" in out
    assert "│ 1 MB │" not in out


def test_limits_for_people(programs: Path, log: Path, capsys: pytest.CaptureFixture[str]) -> None:
    del programs
    out, err = report(capsys, log, *PATH, f"--rtt={RTT}", "--rows=1")
    assert "Simulating 1 of 3 groups" in err
    assert (
        "Limits of the transfers with --stack=linux --bandwidth=100Mbps --queue=500p "
        "--delay=19980us, "
        "RTT 40 ms" in " ".join(out.split())
    )
    assert "│ window │ 2 x 80 KiB per RTT of 40 ms are 32.8 Mbit/s" in out


def test_the_same_for_programs(
    programs: Path, log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    del programs
    fts = tmp_path / "fts.json"
    fts.write_text(json_lines(fts_message(), fts_message(t_final_transfer_state="Abort")))
    out, _ = report(capsys, log, fts, *PATH, f"--rtt={RTT}", "--rows=1", "--json")
    told: dict[str, Any] = json.loads(out)
    assert [(one["kind"], one["transfers"], one["failed"]) for one in told["files"]] == [
        ("GridFTP transfer log", 6, {"426": 1}),
        ("FTS records", 1, {"Abort": 1}),
    ]
    assert told["files"][0]["bad_lines"] == [{"line": 4, "fault": "NBYTES is missing"}]
    assert told["path"]["bandwidth"] == "100Mbps"
    simulated = [one for one in told["groups"] if "limit" in one]
    assert [(one["size_bytes"], one["limit"]) for one in simulated] == [(10_000_000, "window")]
    assert [one["transfers"] for one in told["groups"]] == [2, 3, 1, 1]


def test_a_sweep_of_what_was_found(
    program: Program, log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its points are those of the log, and it runs."""
    spec = tmp_path / "found.toml"
    words = (*PATH, "--random-loss=0.0001", f"--rtt={RTT}")
    report(capsys, log, *words, "--rows=1", f"--sweep={spec}")
    planned = load_spec(spec, OptionTable.read(program.object("--describe"))).planned
    points = [
        (line["parallelism"], line.get("window"), line["file-size"], line["chunk-size"])
        for line in (one.line for one in planned)
    ]
    assert sorted(points, key=str) == [
        ("2", "64KiB", "10MB", "10MB"),
        ("2", "64KiB", "1MB", "1MB"),
        ("4", None, "2MB", "2MB"),
    ]
    assert {one.line["random-loss"] for one in planned} == {"0.0001"}
    assert "# parallelism 2, stripes 1x1, window 64KiB, file-size 10MB: 3 transfers, median 25" in (
        spec.read_text()
    )
    store = tmp_path / "store.sqlite"
    assert main(["sweep", str(spec), f"--store={store}"]) == 0
    assert "found: 3 done" in capsys.readouterr().out


def test_a_sweep_without_a_path_says_what_is_missing(
    program: Program, log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = tmp_path / "found.toml"
    report(capsys, log, f"--sweep={spec}")
    assert "# The logs do not describe the path: add bandwidth" in spec.read_text()
    assert len(load_spec(spec, OptionTable.read(program.object("--describe"))).planned) == 3


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ["--bandwidth", "1Gbps"],
            "--bandwidth: is not an option, or lacks a value; allowed: --band",
        ),
        (["--sweep=found.txt"], "--sweep: 'found.txt' has another suffix; allowed: .toml"),
        (
            ["--hosts=hosts"],
            "--hosts: transfer logs contain no costs of hosts; allowed: with files of sadf",
        ),
        (
            ["--predict"],
            "--predict: transfer logs contain no costs of hosts; allowed: with files of sadf",
        ),
        (["--rows=0"], "--rows: '0' is not a whole number from 1"),
        (["--check"], "--readings: cannot be combined with --check; allowed: one of them"),
    ],
)
def test_bad_words(
    log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str], words: list[str], said: str,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert main(["profile", "--readings", str(log), *words]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert said in told.err
    assert told.err.count("\n") == 1
    assert [file.name for file in tmp_path.iterdir()] == ["gridftp.log"]


@pytest.mark.parametrize("words", [["--rtt=3ms"], ["--rows=3"], ["--sweep=a.toml"], ["--json"]])
def test_words_for_logs_alone(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    sockets = Path(__file__).parents[1] / "readings/samples/p4-sender.ss.txt"
    name = words[0].split("=")[0]
    for asked in (["--readings", str(sockets)], ["spec.toml"]):
        assert main(["profile", *asked, *words]) == 2
        assert f"{name}: is an option for transfer logs; allowed: " in capsys.readouterr().err


def test_what_cannot_be_simulated_is_no_point(
    program: Program, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log, spec = tmp_path / "gridftp.log", tmp_path / "found.toml"
    log.write_text(log_line(STREAMS=10**9))
    assert main(["profile", "--readings", str(log), f"--sweep={spec}"]) == 2
    assert '--sweep: not simulated: "parallelism": "1000000000"' in capsys.readouterr().err
    log.write_text(
        "\n".join([log_line(STREAMS=10**9), log_line(NBYTES=10**17), log_line(NBYTES=55)])
    )
    report(capsys, log, f"--sweep={spec}")
    planned = load_spec(spec, OptionTable.read(program.object("--describe"))).planned
    assert [one.line["file-size"] for one in planned] == ["55B"]
    assert main(["sweep", str(spec), f"--store={tmp_path / 'store.sqlite'}"]) == 0


@pytest.mark.parametrize("words", [["--buffers=fixed", "--window=1MiB"], ["--tcp=ns3::TcpBic"]])
def test_a_sweep_of_default_buffers_has_those_of_the_path(
    program: Program, tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    del program
    log, spec = tmp_path / "gridftp.log", tmp_path / "found.toml"
    log.write_text("\n".join([log_line(BUFFER=0), log_line(BUFFER=65536)]))
    if "--tcp" in words[0]:
        assert main(["profile", "--readings", str(log), *words]) == 2
        assert "--tcp=ns3::TcpBic is not for --engine=segment" in capsys.readouterr().err
        return
    report(capsys, log, f"--sweep={spec}", *words, "--rows=2")
    text = spec.read_text()
    assert text.count("buffers = ") == 2
    assert "linux-receiver" not in text


def test_no_sweep_of_failed_transfers(
    programs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    del programs
    log, spec = tmp_path / "gridftp.log", tmp_path / "found.toml"
    log.write_text(log_line(CODE=426))
    assert main(["profile", "--readings", str(log), f"--sweep={spec}"]) == 2
    assert "--sweep: no transfer of gridftp.log has a rate" in capsys.readouterr().err
    assert not spec.exists()
    out, _ = report(capsys, log)
    assert out.endswith("No transfer has a rate.\n")


def test_a_name_is_shown_as_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Neither markup nor what moves a terminal's cursor."""
    log = tmp_path / "gridftp.log"
    log.write_text(log_line(HOST="[red]\x1b[2Ja"))
    out, _ = report(capsys, log)
    assert "\x1b" not in out


def test_the_stack_of_the_hosts(program: Program) -> None:
    assert path_of(program, ("--bandwidth=1Gbps",), None).options["stack"] == "linux"
    words = ("--bandwidth=1Gbps", "--stack=classic")
    assert path_of(program, words, None).options["stack"] == "classic"
    # HighSpeed TCP is not in the Linux stack
    assert "stack" not in path_of(program, ("--tcp=highspeed",), None).options
    assert path_of(program, (), None).options == {}
