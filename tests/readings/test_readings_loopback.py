"""Readings over loopback, where one host is both ends; and runs left out, which predict them."""

from __future__ import annotations

import json
from pathlib import Path

import made_up_loopback as made_up
import pytest
from made_up_loopback import RECEIVER, RUNS, write
from test_readings_report import cells

from experiments.__main__ import main
from experiments.errors import UserError
from experiments.readings.fit import FITTED
from experiments.readings.report import describe


def changed(files: list[Path], name: str, *keys: str, value: object = None) -> list[Path]:
    """Change a member of a file's JSON; without a value it is dropped."""
    file = next(file for file in files if file.name == name)
    data = json.loads(file.read_text())
    inner = data
    for key in keys[:-1]:
        inner = inner[key]
    inner.pop(keys[-1])
    if value is not None:
        inner[keys[-1]] = value
    file.write_text(json.dumps(data))
    return files


def test_one_run_has_both_ends(tmp_path: Path) -> None:
    report = describe(write(tmp_path, {"slow": RUNS["slow"]}))
    sender, receiver = report.readings
    assert (sender.end, receiver.end) == ("sender", "receiver")
    assert sender.core_busy == pytest.approx([RUNS["slow"].busy])
    assert receiver.core_busy == pytest.approx([RECEIVER * RUNS["slow"].busy])
    assert sender.interface == "lo"
    assert sender.rates.payload == pytest.approx(125e6)
    assert sender.rates.packets == pytest.approx(125e6 / 30000 * 1.5)
    assert (sender.rates.interrupts, sender.rates.file_bytes) == (0, 0)
    (note,) = [note for note in report.notes if "loopback" in note]
    assert note.startswith("slow: over loopback, so one host is both endpoints")
    assert not [note for note in report.notes if "other programs" in note]


@pytest.mark.parametrize("name", RUNS)
def test_data_and_acks_are_told_apart(tmp_path: Path, name: str) -> None:
    run = RUNS[name]
    rates = describe(write(tmp_path, {name: run})).readings[0].rates
    per_ack = rates.segments / rates.acks
    assert per_ack == pytest.approx(round(per_ack))  # a whole number
    assert rates.segments + rates.acks == pytest.approx(run.packets)
    most = run.call_bytes if run.target_bps else 65470
    assert rates.payload / rates.segments <= most
    # as large as a packet may be: one ACK for fewer packets with data would make them larger
    fewer = per_ack - 1
    assert fewer < 1 or (1 + 1 / (fewer - 0.51)) * rates.payload / run.packets > most


def test_costs_of_either_end(tmp_path: Path) -> None:
    report = describe(write(tmp_path, RUNS))
    for fit, share in zip(report.fits, (1, RECEIVER), strict=True):
        assert fit.r2() == pytest.approx(1)
        costs = {one.cost.name: one.seconds * 1e9 for one in fit.costs if one.state == FITTED}
        assert costs == pytest.approx(
            {
                "packet-cpu": share * made_up.PACKET_NS,
                "copy-rate": share * made_up.BYTE_NS,
                "call-cpu": share * made_up.CALL_NS,
            }
        )
        assert len(fit.readings[0].core_busy) == 1  # of the process, not those of the host


def test_what_the_idle_host_takes_is_not_in_the_processes(tmp_path: Path) -> None:
    alone = describe(write(tmp_path, RUNS))
    data = made_up.sadf(RUNS["slow"])
    for sample in data["sysstat"]["hosts"][0]["statistics"]:
        for one in sample["network"]["net-dev"]:
            one.update(rxpck=0, txpck=0, rxkB=0, txkB=0)
    rest = tmp_path / "rest.sadf.json"
    rest.write_text(json.dumps(data))
    beside = describe([*write(tmp_path, RUNS), rest])
    assert [one.end for one in beside.readings].count("idle") == 1
    for fit, same in zip(beside.fits, alone.fits, strict=True):
        assert fit.idle == pytest.approx(1.0)  # half of either core
        assert fit.costs == same.costs


def test_a_run_left_out_is_told_by_the_others(tmp_path: Path) -> None:
    report = describe(write(tmp_path, RUNS))
    for end in report.left_out:
        assert [one.reading.name for one in end] == list(RUNS)
        # exact where the others still tell packets apart from bytes and calls
        told = {one.reading.name: one.predicted / one.measured for one in end}
        assert [told[name] for name in ("slow", "streams", "twice")] == pytest.approx([1, 1, 1])
        assert list(told.values()) == pytest.approx([1] * len(RUNS), rel=0.15)
    wrong = RUNS | {"slow": made_up.Loop(200e6, 30000, 2, 32768, target_bps=1_600_000_000)}
    files = write(tmp_path, wrong)
    cpu = {"host_total": 10, "remote_total": 5}
    changed(files, "slow.iperf3.json", "end", "cpu_utilization_percent", value=cpu)
    by_name = {one.reading.name: one for one in describe(files).left_out[0]}
    slow = by_name["slow"]
    assert slow.measured == pytest.approx(0.1)
    assert slow.predicted == pytest.approx(wrong["slow"].busy)  # the others are as they were
    assert slow.error == pytest.approx(wrong["slow"].busy / 0.1 - 1)


def test_two_runs_are_too_few_to_leave_one_out(tmp_path: Path) -> None:
    few = {name: RUNS[name] for name in ("large", "calls")}
    assert describe(write(tmp_path, few)).left_out == ((), ())


def test_rates_are_predicted(
    programs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [str(file) for file in write(tmp_path, RUNS)]
    assert main(["profile", "--readings", *files, "--predict"]) == 0
    text = capsys.readouterr().out
    rows = {name: cells(text.split("Each run, simulated")[1], name) for name in RUNS}
    assert rows["slow"][3] == "rate was set"
    assert float(rows["slow"][2]) == pytest.approx(1000, rel=0.01)
    # The data of packets, and how many have an ACK, are not of this run but of the others, and the
    # model's processes and packets take turns: within a fifth.
    for name in ("large", "calls", "streams"):
        assert float(rows[name][1]) == pytest.approx(RUNS[name].payload * 8e-6, rel=1e-3)
        assert float(rows[name][2]) == pytest.approx(RUNS[name].payload * 8e-6, rel=0.2), name


@pytest.mark.parametrize(
    ("name", "keys", "value", "told"),
    [
        (
            "slow.iperf3.json",
            ("end", "cpu_utilization_percent"),
            None,
            '"cpu_utilization_percent" is missing, which distinguishes the endpoints of a loopback',
        ),
        (
            "slow.iperf3.json",
            ("end", "sum_received", "bytes"),
            10**10,
            "bytes on lo, fewer than the 10000000000 of iperf3 (slow.iperf3.json); "
            "allowed: files of one run",
        ),
    ],
)
def test_files_that_are_not_of_one_run(
    tmp_path: Path, name: str, keys: tuple[str, ...], value: object, told: str
) -> None:
    files = changed(write(tmp_path, {"slow": RUNS["slow"]}), name, *keys, value=value)
    with pytest.raises(UserError) as caught:
        describe(files)
    assert told in str(caught.value)


def test_lo_alone_needs_iperf3(tmp_path: Path) -> None:
    files = write(tmp_path, {"slow": RUNS["slow"]})
    data = json.loads(files[0].read_text())
    for sample in data["sysstat"]["hosts"][0]["statistics"]:
        sample["network"]["net-dev"].pop()
    files[0].write_text(json.dumps(data))
    with pytest.raises(UserError, match="for a run over lo also the JSON of iperf3"):
        describe(files[:1])
    assert len(describe(files).readings) == 2


@pytest.mark.parametrize("words", [["--predict"], ["--readings", "FILES", "--predict"]])
def test_nothing_to_predict(
    programs: Path, tmp_path: Path, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    files = [str(file) for file in write(tmp_path, {"slow": RUNS["slow"]})]
    given = [file for word in words for file in (files if word == "FILES" else [word])]
    try:
        status = main(["profile", *given])
    except SystemExit as stopped:
        status = stopped.code
    assert status == 2
    assert "--predict: " in capsys.readouterr().err
