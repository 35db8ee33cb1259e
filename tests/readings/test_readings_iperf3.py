"""Runs of iperf3 in every form: JSON, JSON stream, text; what each endpoint knows of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import made_up_readings as made_up
import pytest
from made_up_iperf3 import REAL, REFUSED, both_ways, events, failed, real
from made_up_readings import MadeUp
from test_readings_report import cells, printed

from experiments.__main__ import main
from experiments.errors import UserError
from experiments.readings.content import Content
from experiments.readings.iperf3 import runs_of_iperf3
from experiments.readings.iperf3.model import Amount, Flow, Iperf3
from experiments.readings.report import describe


def runs(text: str) -> list[Iperf3]:
    return runs_of_iperf3(Content(Path("x"), text))


def run(data: dict[str, Any] | str) -> Iperf3:
    (one,) = runs(data if isinstance(data, str) else json.dumps(data, indent=1))
    return one


def refusal(text: str) -> str:
    with pytest.raises(UserError) as error:
        runs(text)
    return str(error.value)


def bps(amount: Amount | None) -> float | None:
    return None if amount is None else amount.bps


def rates(flow: Flow) -> tuple[float | None, float | None]:
    """Return what was sent and received, Mbit/s."""
    return tuple(None if one is None else one.bps / 1e6 for one in (flow.sent, flow.received))


@pytest.mark.parametrize("version", ["iperf 3.7", "iperf 3.12", "iperf 3.16"])
def test_both_directions_of_one_run(version: str) -> None:
    data = both_ways()
    data["start"]["version"] = version
    if version != "iperf 3.7":
        for key in ("sum_sent", "sum_received"):
            data["end"][f"{key}_bidir_reverse"] = data["end"][key]
            data["end"][key] = {**data["end"][key], "bytes": 100_139_008}
    if version == "iperf 3.16":
        data["start"]["test_start"]["bidir"] = 1
    out, back = run(data).flows
    assert (out.sends, back.sends) == (True, False)
    assert (out.received.bytes, back.received.bytes) == (100_139_008, 50_000_000)
    assert bps(back.received) == pytest.approx(50_000_000 * 8 / 4.000231)
    assert (out.retransmissions, back.retransmissions) == (7, 8)
    assert (len(out.streams), len(back.streams)) == (2, 2)


@pytest.mark.parametrize("is_client", [True, False])
def test_both_directions_by_their_sums(is_client: bool) -> None:
    data = both_ways()
    del data["end"]["streams"]
    if not is_client:
        data["start"]["accepted_connection"] = data["start"].pop("connecting_to")
    total = {"seconds": 4.0, "retransmits": 3}
    for key, millions in (("sum_sent", 40), ("sum_received", 39)):
        data["end"][key] = {**total, "bytes": millions * 10**6}
        data["end"][f"{key}_bidir_reverse"] = {**total, "bytes": millions * 10**5}
    out, back = run(data).flows
    # The client's data are those without the suffix.
    client, server = (out, back) if is_client else (back, out)
    assert rates(client) == (80, 78)
    assert rates(server) == pytest.approx((8, 7.8))
    assert (out.sends, back.sends, out.count) == (True, False, 4)


def test_congestion_control_of_both_directions() -> None:
    data = both_ways()
    data["end"]["sender_tcp_congestion"] = "bbr"
    data["end"]["receiver_tcp_congestion"] = "cubic"
    # Of a client the last direction is that of the server's data.
    assert [flow.congestion for flow in run(data).flows] == ["cubic", "bbr"]


def test_both_directions_at_a_server_that_does_not_know_what_arrived() -> None:
    data = both_ways()
    data["start"]["accepted_connection"] = data["start"].pop("connecting_to")
    for pair in data["end"]["streams"]:
        pair["receiver" if pair["sender"]["sender"] else "sender"]["bytes"] = 0
    sends, receives = run(data).flows
    assert (sends.sent.bytes, sends.received) == (100_139_008, None)
    assert sends.delivered == sends.sent
    assert (receives.sent, receives.received.bytes) == (None, 50_000_000)


def test_intervals_of_both_directions() -> None:
    data = both_ways()
    stream = {"start": 0, "end": 1, "seconds": 1, "omitted": False}
    data["intervals"] = [
        {
            "streams": [
                {**stream, "sender": True, "bytes": 1000, "retransmits": 2, "rtt": 3000},
                {**stream, "sender": True, "bytes": 2000, "retransmits": 1, "rtt": 5000},
                {**stream, "sender": False, "bytes": 500},
            ],
            "sum": {"bytes": 500},
        }
    ]
    out, back = run(data).flows
    assert [(one.bytes, one.retransmissions, one.rtt_s) for one in out.intervals] == [
        (3000, 3, (0.003, 0.005))
    ]
    assert [(one.bytes, one.retransmissions) for one in back.intervals] == [(500, None)]


def test_a_run_both_ways_is_shown_and_not_fitted(tmp_path: Path) -> None:
    file = tmp_path / "bidir.json"
    file.write_text(json.dumps(both_ways()), encoding="utf-8")
    text = printed(describe([file]))
    assert cells(text, "bidir", "sends")[2:6] == ["2", "4.00", "200.3", "200.3"]
    assert cells(text, "bidir", "receives")[2:6] == ["2", "4.00", "100.0", "100.0"]
    sadf = made_up.write(tmp_path, "bidir", MadeUp())[0]
    with pytest.raises(UserError) as error:
        describe([sadf, file])
    assert "bidir.json:1: the run has data in both directions (--bidir)" in str(error.value)
    assert "allowed: a run in one direction" in str(error.value)


def received_nothing(**changes: Any) -> dict[str, Any]:
    data = {**real(), **changes}
    for one in (data["end"]["sum_received"], *(x["receiver"] for x in data["end"]["streams"])):
        one["bytes"] = 0
    return data


def test_what_a_client_sent_is_not_what_arrived() -> None:
    # The server reported 0 bytes.
    flow = run(received_nothing()).flows[0]
    assert (flow.received.bytes, flow.delivered.bytes, flow.sent.bytes) == (0, 0, 200278016)
    # No server reported anything: it took no CPU time either.
    data = received_nothing()
    data["end"]["cpu_utilization_percent"]["remote_total"] = 0
    flow = run(data).flows[0]
    assert (flow.received, flow.delivered, flow.sent.bytes) == (None, None, 200278016)


def test_an_interrupted_run_is_shown_with_what_was_measured(tmp_path: Path) -> None:
    file = tmp_path / "cut.json"
    data = received_nothing(error="interrupt - the client has terminated")
    file.write_text(json.dumps(data), encoding="utf-8")
    report = describe([file])
    assert cells(printed(report), "cut", "sends")[4:7] == ["400.5", "-", "15"]
    assert 'cut: the run did not end as planned: "interrupt - the client has terminated"' in (
        report.notes
    )
    assert any("the file does not contain the received bytes" in note for note in report.notes)
    sadf = made_up.write(tmp_path, "cut", MadeUp())[0]
    with pytest.raises(UserError, match="does not contain the received bytes; allowed: a run that"):
        describe([sadf, file])


def test_a_client_that_receives_knows_it_even_when_interrupted() -> None:
    data = {**real(), "error": "interrupt - the client has terminated"}
    data["start"]["test_start"]["reverse"] = 1
    data["end"]["sum_sent"]["bytes"] = 0
    flow = run(data).flows[0]
    assert (flow.sends, flow.sent, flow.received.bytes) == (False, None, 200278016)
    assert run(data).bytes == 200278016


def test_a_server_that_sends_knows_what_it_sent() -> None:
    data = received_nothing()
    data["start"]["accepted_connection"] = data["start"].pop("connecting_to")
    data["start"]["test_start"]["reverse"] = 1
    one = run(data)
    assert (one.sends, one.bytes, one.flows[0].received) == (True, 200278016, None)
    assert one.notes == (
        "a sending server does not know the received bytes: the rate is the sent one",
    )


def test_a_run_that_never_began_is_refused_with_its_error() -> None:
    told = f'x:7: the run failed: "{REFUSED[:57]}...'
    assert refusal(json.dumps(failed(), indent=1)).startswith(told[:60])
    text = f"iperf3: {REFUSED}\n"
    assert refusal(text).startswith(
        f'x:1: the run failed: "{REFUSED}"; allowed: a run that completed'
    )


def test_json_stream() -> None:
    one = run("\n".join(events(real())) + "\n")
    assert (one.version, one.bytes, one.retransmissions) == ("iperf 3.12", 200278016, 15)
    assert [x.bps for x in one.flows[0].intervals] == [32e6, 16e6, 24e6]
    rtts = [rtt for x in one.flows[0].intervals for rtt in x.rtt_s]
    assert rtts == pytest.approx([0.002001, 0.002002, 0.002003])
    # With the whole run once more behind it (--json-stream-full-output), and as `ts` writes it.
    again = "\n".join(events(real())) + "\n" + json.dumps(real(), indent=1) + "\n"
    assert run(again).bytes == 200278016
    stamped = "".join(f"Nov 27 15:00:0{n} {line}\n" for n, line in enumerate(events(real())))
    assert run(stamped).flows[0].intervals == one.flows[0].intervals


def test_json_stream_without_an_end() -> None:
    one = run("\n".join(events(real())[:-1]) + "\n")
    flow = one.flows[0]
    # 4 + 2 + 3 MB in three seconds, which the client sent; what arrived nobody told it.
    assert (bps(flow.sent), flow.received) == (24e6, None)
    assert one.failure == '"the file ends before the run"'


def test_several_runs_in_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    second = real()
    second["end"]["sum_received"]["bytes"] = 100_000_000
    log = tmp_path / "log.txt"
    texts = [json.dumps(one, indent=1) for one in (real(), failed(), second)]
    log.write_text("\n$ iperf3 -c server -J\n".join(["", *texts]) + "\n$\n", encoding="utf-8")
    report = describe([log])
    assert [one.name for one in report.runs] == ["log", "log#2", "log#3"]
    assert [one.iperf3.flows[0].received.bytes for one in report.runs if one.iperf3.flows] == [
        200278016, 100_000_000,
    ]  # fmt: skip
    assert f'log#2: the run failed: "{REFUSED}"' in report.notes
    assert any(
        note.startswith("log.txt has 3 runs of iperf3; give log.txt#2 in") for note in report.notes
    )
    assert main(["profile", "--readings", f"{log}#3"]) == 0
    assert cells(capsys.readouterr().out, "log", "sends")[5] == "200.0"
    assert main(["profile", "--readings", f"{log}#4"]) == 2
    assert "log.txt:1: has no run 4; allowed: log.txt#1 to log.txt#3" in capsys.readouterr().err


def test_one_of_several_runs_goes_with_other_files(tmp_path: Path) -> None:
    files = made_up.write(tmp_path, "run", MadeUp())
    text = files[2].read_text(encoding="utf-8")
    files[2].write_text(f"{text}\n{text}\n", encoding="utf-8")
    with pytest.raises(UserError) as error:
        describe(files)
    told = "contains 2 runs; the perf file of run 'run' belongs to one run; allowed: one of them,"
    assert f"run.iperf3.json:1: {told} run.iperf3.json#1 to run.iperf3.json#2" in str(error.value)
    chosen = [*files[:2], Path(f"{files[2]}#2")]
    (reading,) = describe(chosen).readings
    assert reading.goodput_bps == pytest.approx(60e6 * 8)


def test_a_list_of_runs() -> None:
    assert [one.bytes for one in runs(json.dumps([real(), real()]))] == [200278016] * 2


def test_the_second_run_of_a_file_is_wrong_at_its_line() -> None:
    text = json.dumps(real(), indent=1)
    broken = text.replace('"num_streams": 4', '"num_streams": 0')
    line = text.count("\n") + 2 + broken[: broken.index('"num_streams"')].count("\n")
    assert refusal(f"{text}\n{broken}\n").startswith(f'x:{line}: "num_streams": 0 is not allowed')
    assert "the JSON is cut short here" in refusal(f"{text}\n{broken[:500]}")


def test_a_file_alone_shows_what_it_says(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["profile", "--readings", str(REAL)]) == 0
    out = capsys.readouterr().out
    # 200,278,016 bytes in 4.000149 s at the sender and 4.000231 s at the receiver; RTTs are
    # 45 to 674 us, with a mean of (376 + 300 + 299 + 239) / 4.
    assert cells(out, "p4-sender", "sends")[2:] == [
        "4", "4.00", "400.5", "400.5", "15", "0.045/0.3035/0.674", "cubic",
    ]  # fmt: skip
    assert cells(out, "p4-sender", "sends", "7")[3:] == [
        "100.1", "25.0%", "6", "0.047/0.3/0.559", "318", "",
    ]  # fmt: skip
    assert cells(out, "p4-sender", "sends", "5")[-1] == "1.000"
