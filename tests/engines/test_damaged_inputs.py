"""Every file that the programs read survives damage: a scenario, or one line with status 2."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from random import Random

import pytest
from damage import damaged

ROOT = Path(__file__).resolve().parents[2]
PAPERS = ROOT / "papers"

MOST_MB = 500
MOST_LINE = 5000
"""Characters of a message."""

SCHEDULE = b"time_s,rate_Mbps,delay_ms\n0,100,10\n# a pause\n1.5,20,10\n3,0,12\n4.25,80,9.5\n"
SIZES = b"# bytes\n1MB\n2500000B\n\n3KiB\n10MB\n"
FAULTS = b"kind=data-reset,at=1s\n# a comment\nkind=server-down,at=2s,for=500ms,server=1\n"
HOST = b"net.core.rmem_max = 212992\nnet.ipv4.tcp_rmem = 4096 131072 6291456\nhost.cores = 4\n"
SCENARIOS = (
    b'{"file-size": "1MB", "mode": "fixed", "parallelism": "2"}\n',
    b'{"bandwidth_bps": 1e9, "delay_s": 0.01, "sessions": [{"mode": "mi"}, {"start": "1s"}]}\n',
    b'{"background": [{"load": "10Mbps"}], "faults": [{"kind": "data-reset", "at": "1s"}]}\n',
)


def contents(pattern: str) -> list[bytes]:
    """Return the files of papers that a pattern matches."""
    found = [path.read_bytes() for path in sorted(PAPERS.glob(pattern))]
    assert found
    return found


FILES: dict[str, Callable[[], list[bytes]]] = {
    "sender-host": lambda: [*contents("luu/hosts/*.conf"), HOST],
    "topology": lambda: contents("*/topologies/*.topology"),
    "path-schedule": lambda: [SCHEDULE],
    "file-sizes": lambda: [SIZES],
}
"""Files that an option names, which a line of a batch has, too."""


MEASURE = """
import os, sys
process = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ)
_, status, usage = os.wait4(process, 0)
sys.stderr.write(f"\\0{os.waitstatus_to_exitcode(status)} {usage.ru_maxrss}")
"""
"""Runs a program and prints its exit status and KiB of memory behind what it prints on standard
error. A process of its own: Linux counts the memory of the process that starts another one as that
of the other, and this one has little."""


def run(program: Path, *options: str) -> tuple[int, list[str], str, float]:
    """Return the exit status, the lines printed, what is on standard error, and MB of memory."""
    process = subprocess.Popen(
        [sys.executable, "-S", "-c", MEASURE, program, *options], stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip
    try:
        out, err = process.communicate(timeout=600)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        pytest.fail(f"{' '.join(options)} did not end")
    said, _, measured = err.decode().rpartition("\0")
    status, kilobytes = measured.split()
    return int(status), out.decode().splitlines(), said, int(kilobytes) / 1024


def write(folder: Path, seeds: list[bytes], numbers: Iterable[int]) -> list[Path]:
    """Write damaged files, each from a number, and return them."""
    paths = []
    for number in numbers:
        path = folder / f"damaged-{number}"
        path.write_bytes(damaged(seeds, Random(number)))
        paths.append(path)
    return paths


def check(answers: list[str], folder: Path) -> int:
    """Assert that each answer is a scenario or one short line; return how many are refusals."""
    refused = 0
    for place, answer in enumerate(answers):
        data = json.loads(answer)
        if data.get("status") == "error":
            refused += 1
            reason = data["reason"]
            assert reason, place
            assert "\n" not in reason, place
            assert len(reason) < MOST_LINE, place
    return refused


def survive_option(programs: Path, folder: Path, option: str, numbers: range) -> None:
    """Assert that an option's file survives damage, each in a line of a batch."""
    paths = write(folder, FILES[option](), numbers)
    lines = folder / "lines"
    lines.write_text("".join(json.dumps({option: str(path)}) + "\n" for path in paths))
    status, answers, err, mb = run(
        programs / "gridftp-transfer", f"--batch={lines}", "--resolve", "--progress=off"
    )
    assert status in (0, 1), f"{err} after {len(answers)} answers"
    # Notes on what was read from a file, one line each.
    notes = err.splitlines()
    assert [one for one in notes if not one.startswith(f"gridftp-transfer: --{option}=")] == []
    assert max(map(len, notes), default=0) < MOST_LINE
    assert len(answers) == len(paths)
    refused = check(answers, folder)
    assert 0 < refused < len(paths)
    assert mb < MOST_MB


def survive_batch(programs: Path, folder: Path, numbers: range) -> None:
    """Assert that files of scenarios survive damage: an answer for each line that is not empty."""
    for path in write(folder, [b"".join(SCENARIOS), *SCENARIOS], numbers):
        status, answers, err, mb = run(
            programs / "gridftp-transfer", f"--batch={path}", "--resolve", "--progress=off"
        )
        assert status in (0, 1, 2), f"{path}: {err}"
        assert err.count("\n") == (1 if status == 2 else 0), f"{path}: {err}"
        check(answers, folder)
        assert mb < MOST_MB, path


def survive_faults(programs: Path, folder: Path, numbers: range) -> None:
    """Assert that files of faults survive damage."""
    refused = 0
    for path in write(folder, [FAULTS], numbers):
        status, lines, err, mb = run(
            programs / "gridftp-transfer", f"--faults={path}", "--retries=1", "--resolve"
        )
        assert (status, len(lines), err.count("\n")) in ((0, 1, 0), (2, 0, 1)), f"{path}: {err}"
        assert len(err) < MOST_LINE, path
        assert mb < MOST_MB, path
        refused += status == 2
    assert 0 < refused < len(numbers)


@pytest.mark.parametrize("option", FILES)
def test_damaged_files_are_read_or_refused(programs: Path, tmp_path: Path, option: str) -> None:
    survive_option(programs, tmp_path, option, range(300))


def test_damaged_batches_are_answered(programs: Path, tmp_path: Path) -> None:
    survive_batch(programs, tmp_path, range(150))


def test_damaged_faults_are_read_or_refused(programs: Path, tmp_path: Path) -> None:
    survive_faults(programs, tmp_path, range(150))


@pytest.mark.extensive
@pytest.mark.parametrize("option", FILES)
def test_thousands_of_damaged_files(programs: Path, tmp_path: Path, option: str) -> None:
    for first in range(300, 20_300, 2000):
        folder = tmp_path / str(first)
        folder.mkdir()
        survive_option(programs, folder, option, range(first, first + 2000))


@pytest.mark.extensive
@pytest.mark.parametrize("survive", [survive_batch, survive_faults])
def test_thousands_of_damaged_lines(
    programs: Path, tmp_path: Path, survive: Callable[[Path, Path, range], None]
) -> None:
    survive(programs, tmp_path, range(150, 5_150))
