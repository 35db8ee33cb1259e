"""Hosts that cost something: what limits a transfer is the limit, and files of hosts are read."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Runner

FAST = (
    "--bandwidth=1Gbps",
    "--delay=1ms",
    "--queue=1000p",
    "--window=1MiB",
    "--mode=fixed",
    "--file-size=50MB",
)
"""A path on which nothing but a host is a limit."""


def run(run_program: Runner, *words: str) -> dict[str, Any]:
    """The result of a transfer."""
    done = run_program("gridftp-transfer", *FAST, *words, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def goodput(result: dict[str, Any]) -> float:
    return result["sessions"][0]["goodput_bps"]


@pytest.mark.parametrize("engine", ["segment", "ns3"])
@pytest.mark.parametrize("end", ["sender", "receiver"])
def test_time_of_segments_is_the_rate(run_program: Runner, engine: str, end: str) -> None:
    # 1460 bytes in 50 us, and nothing else: 233.6 Mbit/s
    result = run(run_program, f"--engine={engine}", f"--{end}-segment-cpu=50us")
    assert goodput(result) == pytest.approx(1460 * 8 / 50e-6, rel=0.03)
    host = result["sessions"][0]["host"][end]
    segments = result["sessions"][0]["tcp"]["segments"]
    assert host["cpu_tcp_s"] == pytest.approx(segments * 50e-6, rel=0.01)
    assert host["cpu_busy_s"] == host["cpu_tcp_s"]
    assert host["cpu_cores_s"] == [host["cpu_busy_s"]]


def test_another_core_takes_the_process(run_program: Runner) -> None:
    costs = ("--receiver-segment-cpu=15us", "--receiver-call-cpu=3ms", "--block-size=256KiB")
    one = run(run_program, *costs)
    two = run(run_program, *costs, "--receiver-cores=2")
    # A block is 180 segments, 2.7 ms, and 3 ms of the process
    assert goodput(one) == pytest.approx(262144 * 8 / 5.7e-3, rel=0.05)
    assert goodput(two) == pytest.approx(262144 * 8 / 3e-3, rel=0.05)
    cores = two["sessions"][0]["host"]["receiver"]["cpu_cores_s"]
    assert len(cores) == 2
    assert cores[1] == pytest.approx(191 * 3e-3, rel=0.01), "191 blocks"


def test_backlog_drops(run_program: Runner) -> None:
    costs = ("--receiver-segment-cpu=15us", "--receiver-cores=1", "--parallelism=4")
    host = run(run_program, *costs, "--receiver-backlog=20p")["sessions"][0]["host"]["receiver"]
    assert host["backlog_drops"] > 0
    assert 0 < host["cpu_peak_load"] <= 1
    host = run(run_program, *costs)["sessions"][0]["host"]["receiver"]
    assert host["backlog_drops"] == 0


def test_limits_of_the_operating_system(run_program: Runner, tmp_path: Path) -> None:
    file = tmp_path / "small.conf"
    file.write_text("net.core.rmem_max = 131072\nnet.ipv4.tcp_rmem = 4096 87380 262144\n")
    words = ("--delay=20ms", f"--receiver-host={file}")
    fixed = run(run_program, *words)
    # 128 KiB every 40 ms and what a segment takes
    assert goodput(fixed) == pytest.approx(131072 * 8 / 40.03e-3, rel=0.03)
    moving = run(run_program, *words, "--buffers=linux-receiver")
    assert goodput(moving) == pytest.approx(131072 * 8 / 40.03e-3, rel=0.06), "half of 256 KiB"
    assert fixed["scenario"]["receiver_host"] == "none"
    assert fixed["scenario"]["receiver_rmem_max_bytes"] == 131072


NUMBERS = "is not a whole number; allowed: 1 to 2147483647"
WRONG = {
    "host.core = 1": "line 1: 'host.core' is unknown; did you mean 'host.cores'?",
    "# x\nnet.core.rmem_max = lots": f"line 2: 'net.core.rmem_max = lots' {NUMBERS}",
    "\x00\x01": "is binary, not text: byte 1 is 0; allowed: none, or a file as sysctl.conf",
    "\x02\x01": "line 1: '??' is not a line of sysctl.conf; allowed: KEY = VALUE",
    "host.cores = 0": (
        "line 1: 'host.cores = 0' is out of range; allowed: a whole number, 1 to 256"
    ),
}
"""What is wrong with files, and how that is told."""


@pytest.mark.parametrize(("text", "message"), WRONG.items())
def test_a_wrong_file_is_told_with_its_line(
    run_program: Runner, tmp_path: Path, text: str, message: str
) -> None:
    file = tmp_path / "host.conf"
    file.write_text(text)
    for words in (
        ("gridftp-transfer", f"--sender-host={file}"),
        ("gridftp-transfer", f"--sender-host={file}", "--json"),
    ):
        done = run_program(*words)
        assert done.returncode == 2
        assert done.stdout == ""
        assert done.stderr.count("\n") == 1
        assert message in done.stderr
        assert "host=" + str(file)[:20] in done.stderr


REAL = """\
# in the form of fasterdata's pages, with comments behind values, slashes and a key twice
net.core.rmem_max = 536870912   # 512 MB
net/core/wmem_max=536870912
net.core.rmem_max = 268435456 ; less
net.core.netdev_max_backlog = 2500000
net.ipv4.tcp_congestion_control = cubic
net.ipv4.tcp_max_orphans = 262144
-net.ipv4.conf.*.rp_filter = 2
net.core.bpf_jit_harden = 2
kernel.core_pattern =
"""
"""Settings as servers have them."""


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "latin-1"]
)
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_files_in_any_encoding(
    run_program: Runner, tmp_path: Path, encoding: str, ends: str
) -> None:
    file = tmp_path / "host.conf"
    file.write_bytes(REAL.replace("\n", ends).encode(encoding))
    done = run_program("gridftp-transfer", f"--receiver-host={file}", "--resolve")
    assert (done.returncode, done.stderr.count("\n")) == (0, 1)
    assert "net.ipv4.tcp_congestion_control" in done.stderr, "that is the sender's"
    scenario = json.loads(done.stdout)
    assert scenario["receiver_rmem_max_bytes"] == 268435456
    assert scenario["receiver_backlog_packets"] == 2500000


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress, bz2.compress])
def test_compressed_files_are_named(
    run_program: Runner, tmp_path: Path, pack: Callable[[bytes], bytes]
) -> None:
    file = tmp_path / "packed"
    file.write_bytes(pack(REAL.encode()))
    for option in ("sender-host", "path-schedule", "faults"):
        done = run_program("gridftp-transfer", f"--{option}={file}")
        assert (done.returncode, done.stdout) == (2, "")
        assert re.fullmatch(
            rf"gridftp-transfer: --{option}=\S+ is compressed by \w+, not text .*\n", done.stderr
        )


def test_tuned_profile_and_script(run_program: Runner, tmp_path: Path) -> None:
    for name, text in {
        "base": "[sysctl]\nnet.core.rmem_max = 1048576\n",
        "mine": '[main]\ninclude=base\n[sysctl]\nnet.ipv4.tcp_rmem="4096 131072 33554432"\n',
    }.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "tuned.conf").write_text(text)
    script = tmp_path / "tune.sh"
    script.write_text('#!/bin/sh\nM=9999\nsudo sysctl -w net.ipv4.tcp_wmem="1 2 $M"\n')
    words = (f"--receiver-host={tmp_path}/mine/tuned.conf", f"--sender-host={script}")
    moving = run_program("gridftp-transfer", *words, "--buffers=linux-receiver", "--resolve")
    assert (moving.returncode, moving.stderr) == (0, "")
    scenario = json.loads(moving.stdout)
    assert scenario["receiver_rmem_max_bytes"] == 1048576
    assert scenario["receiver_tcp_rmem_max_bytes"] == 33554432
    assert scenario["sender_tcp_wmem_max_bytes"] == 9999
    fixed = run_program("gridftp-transfer", *words, "--resolve")
    assert fixed.returncode == 0
    assert [line.split("'")[1].split()[0] for line in fixed.stderr.splitlines()] == [
        "net.ipv4.tcp_rmem",
        "net.ipv4.tcp_wmem",
    ]
    assert fixed.stderr.count("allowed: --buffers=") == 2


@pytest.mark.parametrize(
    "text",
    [
        "if [ -f /etc/x ] && true; then sysctl -w net.core.rmem_max=1048576; fi\n",
        "/proc/sys/net/core/rmem_max:1048576\n/proc/sys/net/ipv4/tcp_wmem:1\t2\t3\n",
        "{% if big %}\nnet.core.rmem_max = 1048576\n{% endif %}\n<% end -%>\n{# x #}\n",
    ],
)
def test_further_forms_of_settings(run_program: Runner, tmp_path: Path, text: str) -> None:
    file = tmp_path / "host.conf"
    file.write_text(text)
    done = run_program("gridftp-transfer", f"--receiver-host={file}", "--resolve")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["receiver_rmem_max_bytes"] == 1048576


NOTED = {
    "net.ipv4.tcp_rmem = 4096\t87380\t6291456\n": " line 1: 'net.ipv4.tcp_rmem = 4096 87380 "
    "6291456' has no effect, as buffers are fixed; allowed: --buffers=",
    "net.core.rmem_max = {{ most }}\n": " line 1: 'net.core.rmem_max = {{ most }}' has no effect, "
    "as its value is computed elsewhere; allowed: the value itself",
    "net.core.rmem_max = <%= @most %>\n": "' has no effect, as its value is computed elsewhere; ",
    "for k in rmem wmem; do sysctl -w net.core.${k}_max=9; done\n": " line 1: 'net.core.${k}_max' "
    "has no effect, as its name is computed elsewhere; allowed: the name itself",
    "docker run --sysctl x.y=1 image\n": " line 1: 'docker run --sysctl x.y' is no key of Linux",
    "sed -i 's/^net.core.rmem_max.*/net.core.rmem_max = 9/' x\n": "' has no effect; did you mean ",
    "[settings.kernel]\nx = 1\n": " sets no key; allowed: a file as sysctl.conf, the output of ",
    "#!/bin/sh\nsed -i s/a/b/ /etc/sysctl.conf\n": " sets no key; allowed: a file as sysctl.conf,",
}
"""What is in a file, and the one line that is said of it."""


@pytest.mark.parametrize(("text", "message"), NOTED.items())
def test_what_has_no_effect_is_noted(
    run_program: Runner, tmp_path: Path, text: str, message: str
) -> None:
    file = tmp_path / "host.conf"
    file.write_text(text)
    done = run_program("gridftp-transfer", f"--receiver-host={file}", "--resolve")
    assert (done.returncode, done.stderr.count("\n")) == (0, 1)
    assert message in done.stderr


@pytest.mark.parametrize("text", ["", "# nothing\n; at all\n", "vm.swappiness = 10\n"])
def test_files_without_keys_of_the_model(run_program: Runner, tmp_path: Path, text: str) -> None:
    file = tmp_path / "host.conf"
    file.write_text(text)
    done = run_program("gridftp-transfer", f"--receiver-host={file}", "--resolve")
    assert (done.returncode, done.stderr) == (0, "")


def test_congestion_control_of_the_file_is_simulated(run_program: Runner, tmp_path: Path) -> None:
    file = tmp_path / "host.conf"
    file.write_text(REAL)
    words = ("--delay=20ms", "--queue=100p", "--window=8MiB", "--random-loss=0.0001")
    told = run(run_program, *words, f"--sender-host={file}")
    given = run(run_program, *words, "--tcp=cubic")
    assert told["sessions"][0]["goodput_bps"] == given["sessions"][0]["goodput_bps"]
    assert told["scenario"]["tcp"] == "cubic"
    own = run(run_program, *words, f"--sender-host={file}", "--tcp=reno")
    assert own["sessions"][0]["goodput_bps"] != given["sessions"][0]["goodput_bps"]


def test_no_file(run_program: Runner) -> None:
    done = run_program("gridftp-transfer", "--receiver-host=./nowhere.conf")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "--receiver-host=./nowhere.conf" in done.stderr


def test_points_of_a_batch_name_files(run_program: Runner, tmp_path: Path) -> None:
    file = tmp_path / "host.conf"
    file.write_text("host.cores = 3\nhost.segment-cpu = 2us\n")
    line = json.dumps({"file-size": "1MB", "sender-host": str(file), "sender-cores": "2"})
    batch = tmp_path / "batch.jsonl"
    batch.write_text(f"{line}\n")
    done = run_program("gridftp-transfer", f"--batch={batch}", "--resolve")
    scenario = json.loads(done.stdout)
    assert scenario["sender_cores"] == 2
    assert scenario["sender_segment_cpu_s"] == 2e-6
    assert scenario["sender_host"] == "none"


@pytest.mark.parametrize("words", [["--sender-segment-cpu=1us"], ["--receiver-backlog=9p"]])
def test_devices_of_ns3_know_no_host(run_program: Runner, words: list[str]) -> None:
    done = run_program("gridftp-transfer", "--engine=ns3", "--links=ns3", *words)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "allowed with them: --links=lean" in done.stderr
