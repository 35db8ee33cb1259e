"""``gridftp twin``: what it needs and hears, its arithmetic; with root, a real transfer."""

from __future__ import annotations

import asyncio
import io
import json
import os
import statistics
import time
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from conftest import Runner
from rich.console import Console

from analysis.figures import twin as twin_figure
from experiments.__main__ import main
from experiments.errors import ProgramError, UserError
from experiments.programs.program import Program
from experiments.twin import engines, needs, tables
from experiments.twin.dialogue import (
    Dialogue,
    congestion_windows,
    counters,
    offered_windows,
)
from experiments.twin.namespaces import host_values, line_of, started
from experiments.twin.watch import Samples

HEARD = """\
debug: sending command to ftp://10.0.0.10:2811/dev/null:
ALLO 30000000
debug: response from ftp://10.0.0.10:2811/dev/null:
200 ALLO command successful.
debug: sending command to ftp://10.0.0.10:2811/dev/null:
ESTO A 0 /dev/null
debug: response from ftp://10.0.0.10:2811/dev/null:
150 Beginning transfer.
debug: writing buffer 0x7ff954dc5010, length 1048576, offset=0, eof=false
112-Perf Marker
 Stripe Bytes Transferred: 0
112 End.
debug: response from ftp://10.0.0.10:2811/dev/null:
111 Range Marker 0-30000000
226 Transfer Complete.
debug: operation complete
"""


def heard(text: str) -> Dialogue:
    """Return what a client has said whose lines are a second apart."""
    dialogue = Dialogue()
    for second, line in enumerate(text.splitlines(keepends=True)):
        dialogue.hear(line, float(second))
    return dialogue


# ---- What it needs --------------------------------------------------------------------------


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Return the one line with which the verb refuses."""
    assert main(["twin", *arguments]) == 2
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    return said.err


def test_without_root_it_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert "needs root" in refused(capsys)


def test_what_is_missing_is_told_with_its_packages(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(needs, "TUN", Path("/dev/null"))
    monkeypatch.setattr(needs, "find", lambda name: None if "globus" in name else name)
    said = refused(capsys)
    assert "missing: globus-gridftp-server, globus-url-copy;" in said
    assert said.endswith("apt install globus-gridftp-server-progs globus-gass-copy-progs\n")
    monkeypatch.setattr(needs, "find", str)
    monkeypatch.setenv("GRIDFTP_BUILD_DIR", str(tmp_path))
    assert "with its module tap-bridge" in refused(capsys)
    monkeypatch.setattr(needs, "TUN", tmp_path / "tun")
    assert "/tun is missing" in refused(capsys)


def test_a_root_that_may_not_is_told_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(needs, "TUN", Path("/dev/null"))
    monkeypatch.setattr(needs, "find", str)
    monkeypatch.setattr(needs, "locate", lambda name: Program(tmp_path / name))
    monkeypatch.setattr(needs, "TRIAL", ("sh", "-c", "echo chrt: not permitted >&2; exit 1"))
    assert "root lacks rights here (chrt: not permitted); allowed: " in refused(capsys)


@pytest.mark.parametrize(
    ("option", "why"),
    [
        ("--parallelism=4,x", "'x'"),
        ("--parallelism=4,1,4", "twice"),
        ("--stripes=2x2", "--stripes"),
        ("--repeat=0", "--repeat"),
    ],
)
def test_bad_options_are_refused(capsys: pytest.CaptureFixture[str], option: str, why: str) -> None:
    assert why in refused(capsys, option)


def test_a_tcp_or_a_window_that_linux_does_not_grant_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    grant(monkeypatch, tmp_path)
    assert needs.check_tcp({"tcp": "newreno", "window_bytes": 100000}) == "reno"
    with pytest.raises(UserError, match=r"--tcp=cubic .* allowed here: reno, newreno; to grant"):
        needs.check_tcp({"tcp": "cubic", "window_bytes": 65536})
    with pytest.raises(UserError, match="wmem_max; allowed: at most 100000B"):
        needs.check_tcp({"tcp": "reno", "window_bytes": 100001})


def grant(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """Have a kernel that has reno and cubic, grants reno, and small windows."""
    for name, text in {
        "ipv4/tcp_allowed_congestion_control": "reno\n",
        "ipv4/tcp_available_congestion_control": "reno cubic\n",
        "core/rmem_max": "212992\n",
        "core/wmem_max": "100000\n",
    }.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="ascii")
    monkeypatch.setattr(needs, "SYSCTL", folder)


@pytest.mark.parametrize(
    ("tcp", "command"),
    [
        ("cubic", "sysctl -w net.ipv4.tcp_allowed_congestion_control='reno cubic'"),
        ("bbr", "modprobe tcp_bbr && sysctl -w net.ipv4.tcp_allowed_congestion_control='reno bbr'"),
    ],
)
def test_a_tcp_of_today_that_is_not_granted_is_refused_with_the_command_that_grants_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, tcp: str, command: str
) -> None:
    grant(monkeypatch, tmp_path)
    scenario = {"stack": "linux", "tcp": tcp, "buffers": "linux-receiver", "window_bytes": 10**9}
    with pytest.raises(UserError) as refusal:
        needs.check_tcp(scenario)
    assert str(refusal.value).endswith(f"allowed here: reno; to grant it: {command}")
    # The kernel sizes the windows: the limits of what programs ask for do not matter.
    assert needs.check_tcp({**scenario, "tcp": "reno"}) == "reno"
    with pytest.raises(
        UserError, match="--tcp=bbr3 is not a congestion control of Linux; allowed: c"
    ):
        needs.check_tcp({**scenario, "tcp": "bbr3"})


def test_pacing_needs_the_queueing_discipline_fq(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    grant(monkeypatch, tmp_path)
    scenario = {"stack": "linux", "tcp": "reno", "window_bytes": 65536, "pacing": "fq"}
    monkeypatch.setattr(needs, "PACING_TRIAL", ("true",))
    assert needs.check_tcp(scenario) == "reno"
    assert needs.pacing(scenario) == ["fq"]
    assert needs.pacing({"pacing": "auto", "pacing_rate_bps": 25e6}) == [
        "fq",
        "maxrate",
        "25000000bit",
    ]
    assert needs.pacing({"pacing": "auto", "pacing_rate_bps": 0}) == []
    monkeypatch.setattr(needs, "PACING_TRIAL", ("false",))
    with pytest.raises(UserError, match=r"to load it: modprobe sch_fq$"):
        needs.check_tcp(scenario)


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ((), "two names of taps are missing"),
        (("a", "b", "--stripes=2x2"), "--stripes is not supported here"),
        (("a", "b", "--direction=third-party"), "--direction=third-party is not supported here"),
        (("a", "b", "--background", "tcp=reno"), "--background"),
        (("a", "b", "--delay=3"), "lacks a unit"),
    ],
)
def test_the_path_refuses_what_has_no_twin(
    programs: Path, run_program: Runner, options: tuple[str, ...], why: str
) -> None:
    if not (programs / needs.NETWORK).exists():
        pytest.skip("this ns-3 has no tap-bridge")
    done = run_program(needs.NETWORK, *options)
    assert (done.returncode, done.stdout) == (2, "")
    assert why in done.stderr


# ---- What it hears --------------------------------------------------------------------------


def test_a_transfer_lasts_from_its_command_to_its_final_reply() -> None:
    assert heard(HEARD).duration_s == 14 - 5


def test_a_transfer_without_a_final_reply_has_failed() -> None:
    dialogue = heard(HEARD.replace("226 Transfer Complete.", "426 Aborted."))
    assert (dialogue.duration_s, dialogue.failure) == (None, "426 Aborted.")


def test_windows_of_all_sockets_are_read() -> None:
    sockets = (
        "0 121595 10.0.0.6:54754 10.0.0.10:50769 timer:(on,368ms,0)\n"
        "\t reno wscale:1,1 rto:368 rcv_space:14600 notsent:40880 minrtt:40.361 snd_wnd:81486\n"
        "0 0 10.0.0.6:54756 10.0.0.10:50769\n\t reno wscale:1,1 snd_wnd:64240\n"
    )
    assert offered_windows(sockets) == [81486, 64240]
    assert offered_windows("") == []


def test_cwnd_is_the_sum_over_the_sockets_of_a_sample() -> None:
    sockets = (
        "0 121595 10.0.0.6:54754 10.0.0.10:50769 timer:(on,368ms,0)\n"
        "\t cubic wscale:7,7 rto:240 mss:1448 pmtu:1500 advmss:1460 cwnd:10 snd_wnd:65536\n"
        "0 0 10.0.0.6:54756 10.0.0.10:50769\n\t cubic mss:1000 cwnd:3 ssthresh:2 snd_wnd:64240\n"
    )
    assert congestion_windows(sockets) == [14480, 3000]
    samples = Samples()
    samples.add("", 99.0)  # no connection yet
    samples.add(sockets, 100.0)
    samples.add(sockets, 100.0625)
    assert samples.windows == [65536, 64240, 65536, 64240]
    assert samples.cwnd() == {"time_s": [0.0, 0.062], "bytes": [17480, 17480]}
    assert Samples().cwnd() == {"time_s": [], "bytes": []}


def test_cwnd_of_an_engine_is_the_sum_over_its_connections() -> None:
    rows = pd.DataFrame(
        [(1.0, 0, 10.0), (1.06, 1, 5.0), (1.09, 0, 20.0), (1.12, 1, 7.0), (1.2, 0, 1.0)],
        columns=["time_s", "connection", "cwnd_bytes"],
    )
    total = engines.total_cwnd(rows)
    assert total == {"time_s": [0.0, 0.05, 0.1, 0.15], "bytes": [10.0, 10.0, 25.0, 27.0]}


def test_counters_are_read_by_their_names(tmp_path: Path) -> None:
    (tmp_path / "snmp").write_text(
        "Ip: Forwarding\nIp: 1\nTcp: RtoMin OutSegs RetransSegs\nTcp: 200 20866 198\n"
    )
    (tmp_path / "netstat").write_text(
        "TcpExt: SyncookiesSent TCPTimeouts\nTcpExt: 0 4\nIpExt: InNoRoutes\nIpExt: 7\n"
    )
    assert counters(tmp_path) == {"retransmissions": 198, "timeouts": 4}


def test_linux_gets_what_the_scenario_says() -> None:
    scenario = {
        "packet_size_bytes": 1500.0,
        "initial_window_segments": 2,
        "min_rto_s": 0.2,
        "delayed_ack_segments": 1,
        "sack": False,
        "timestamps": False,
    }
    values = host_values(scenario, "reno", "10.0.0.10")
    assert (values["min_rto"], values["quickack"], values["initial_window"]) == ("200ms", "1", "2")
    assert host_values({**scenario, "delayed_ack_segments": 2}, "reno", "")["quickack"] == "0"
    assert (values["sack"], values["timestamps"], values["ecn"]) == ("0", "0", "0")
    options = {"sack": True, "timestamps": True, "ecn": True}
    today = host_values({**scenario, "stack": "linux", **options}, "bbr", "")
    assert (today["sack"], today["timestamps"], today["ecn"], today["tcp"]) == (
        "1",
        "1",
        "1",
        "bbr",
    )


def test_engine_ns3_has_no_hosts_of_today() -> None:
    assert engines.of({"stack": "classic"}) == ("ns3", "segment")
    assert engines.of({"stack": "linux"}) == ("segment",)


# ---- What is left of it ---------------------------------------------------------------------


def test_a_program_and_all_that_it_started_are_gone_after_a_failure() -> None:
    pids: list[int] = []

    async def fail() -> None:
        script = "sleep 60 > /dev/null & echo $!; wait"
        async with started(["sh", "-c", script], stdout=asyncio.subprocess.PIPE) as process:
            pids.extend([process.pid, int(await line_of(process, "sh"))])
            raise ProgramError("it fails")

    with pytest.raises(ProgramError, match="it fails"):
        asyncio.run(fail())
    # A busy kernel takes its time to end a process that has been killed; they would sleep for 60 s.
    deadline_s = time.monotonic() + 5.0
    while any(is_running(pid) for pid in pids) and time.monotonic() < deadline_s:
        time.sleep(0.01)
    assert [pid for pid in pids if is_running(pid)] == []


def is_running(pid: int) -> bool:
    """Whether a process is there, and not only its exit status."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="ascii")
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] not in "ZX"


# ---- Its arithmetic -------------------------------------------------------------------------


def measured(goodputs: list[float], window: int | None = None) -> list[dict[str, Any]]:
    """Return runs with these goodputs, in Mbit/s."""
    return [
        {
            "goodput_bps": mbps * 1e6,
            "duration_s": 1.0,
            "retransmissions": place,
            "timeouts": 0,
            "drops": place,
            "window_bytes": window,
            "late": {"mean_s": 0.0, "p99_s": 0.001 * (place + 1), "max_s": 0.02},
        }
        for place, mbps in enumerate(goodputs)
    ]


def made_up(window: int | None) -> dict[str, Any]:
    """Return what the verb keeps, of one N."""
    simulated = {"ns3": measured([12.0]), "segment": measured([12.5])}
    if window is not None:
        simulated[twin_figure.WITH_WINDOW] = measured([15.0])
    scenario = {
        "bandwidth_bps": 50e6,
        "delay_s": 0.02,
        "window_bytes": 65536,
        "queue_packets": 100,
        "file_size_bytes": 30e6,
        "chunk_size_bytes": 30e6,
        "tcp": "reno",
        "mode": "fixed",
    }
    twin = measured([15.0, 14.0, 18.0], window)
    return {
        "scenario": scenario,
        "points": [{"parallelism": 1, "twin": twin, "engines": simulated}],
    }


def test_ratios_are_of_medians() -> None:
    (row,) = twin_figure.summary(made_up(81486)).to_dict("records")
    assert row["twin_median_bps"] == statistics.median([15e6, 14e6, 18e6]) == 15e6
    assert (row["twin_low_bps"], row["twin_high_bps"]) == (14e6, 18e6)
    assert row["twin_over_ns3"] == 15 / 12
    assert row["twin_over_segment"] == 15 / 12.5
    assert row[f"twin_over_{twin_figure.WITH_WINDOW}"] == 1
    assert (row["window_bytes"], row["late_p99_s"], row["twin_drops"]) == (81486, 0.003, 1)


def of_today() -> dict[str, Any]:
    """Return what the verb stores of hosts of today, at one N."""
    data = made_up(None)
    data["scenario"] |= {"stack": "linux", "buffers": "linux-receiver", "random_loss": 0.001}
    (point,) = data["points"]
    point["engines"] = {"segment": measured([15.5, 19.0, 20.0])}
    point["cwnd"] = {"segment": {"time_s": [0.0, 0.05], "bytes": [14480.0, 28960.0]}}
    for run in point["twin"]:
        run["cwnd"] = {"time_s": [0.0, 0.06], "bytes": [14480, 17376]}
    return data


def test_an_engine_is_in_range_of_the_lowest_and_the_highest_of_the_twin() -> None:
    data = of_today()  # the twin has 14 to 18: 12.6 to 19.8
    (row,) = twin_figure.summary(data).to_dict("records")
    assert row["segment_in_range"]
    assert (row["segment_retransmissions_low"], row["segment_retransmissions_high"]) == (0, 2)
    for median, inside in [(12.5, False), (12.7, True), (19.7, True), (19.9, False)]:
        data["points"][0]["engines"] = {"segment": measured([median])}
        assert bool(twin_figure.summary(data)["segment_in_range"][0]) is inside


def test_hosts_of_today_have_their_own_table_and_cwnd_in_the_figure(tmp_path: Path) -> None:
    out = Console(record=True, width=120, file=io.StringIO())
    tables.show(of_today(), out)
    text = out.export_text()
    assert " 15.00 │ 14.00 to 18.00 │   19.00 │ 15.50 to 20.00 │     0.789 │   yes │" in text
    assert "ns3" not in text
    assert "which it sizes itself" in text
    twin_figure.draw(of_today(), tmp_path / "twin")
    drawn = (tmp_path / "twin.svg").read_text(encoding="utf-8")
    twin_figure.draw(made_up(81486), tmp_path / "plain")
    assert drawn.count('id="axes_') == 4
    assert (tmp_path / "plain.svg").read_text(encoding="utf-8").count('id="axes_') == 3


def test_the_figure_is_drawn(tmp_path: Path) -> None:
    files = twin_figure.draw(made_up(81486), tmp_path / "twin")
    assert {file.suffix for file in files} == {".png", ".svg", ".csv"}


@pytest.mark.parametrize("window", [81486, None])
def test_the_table_is_printed(window: int | None) -> None:
    out = Console(record=True, width=120, file=io.StringIO())
    tables.show(made_up(window), out)
    text = out.export_text()
    assert " 15.00 │ 14.00 to 18.00 │ 12.00 │ 12.00 to 12.00 │   12.50 │ 1.250 " in text
    assert ("81486 B" in text) == (window is not None)


# ---- The real thing -------------------------------------------------------------------------


@pytest.mark.extensive
def test_the_real_programs_move_a_file_as_the_engines_do(tmp_path: Path) -> None:
    try:
        needs.check_machine()
    except UserError as error:
        pytest.skip(str(error))
    words = ["--parallelism=4", "--repeat=1", "--file-size=10MB", f"--results={tmp_path}"]
    assert main(["twin", *words]) == 0
    (point,) = json.loads((tmp_path / "twin.json").read_bytes())["points"]
    (twin,) = point["twin"]
    # Four windows fill the bottleneck, whatever Linux makes of them. No closer: others may compute.
    assert 0.7 < twin["goodput_bps"] / point["engines"]["ns3"][0]["goodput_bps"] < 1.3
    assert twin["window_bytes"] >= 65536
    assert not Path("/sys/class/net/twin-client").exists()


@pytest.mark.extensive
def test_hosts_of_today_move_a_file_as_the_segment_engine_has_it(tmp_path: Path) -> None:
    words = ["--stack=linux", "--tcp=reno", "--parallelism=4", "--repeat=1", "--file-size=10MB"]
    try:
        needs.check_machine()
    except UserError as error:
        pytest.skip(str(error))
    assert main(["twin", *words, f"--results={tmp_path}"]) == 0
    (point,) = json.loads((tmp_path / "twin.json").read_bytes())["points"]
    (twin,) = point["twin"]
    goodputs = [run["goodput_bps"] for run in point["engines"]["segment"]]
    assert 0.7 < twin["goodput_bps"] / statistics.median(goodputs) < 1.3
    # SACK repairs what slow start loses; cwnd begins at ten segments of 1448 bytes.
    assert 0 < twin["retransmissions"] < 500
    assert twin["cwnd"]["bytes"][0] % 1448 == 0
    assert twin["cwnd"]["bytes"][0] >= 14480
    assert point["cwnd"]["segment"]["bytes"][0] == 14480
