"""gridftp-client and gridftp-server: real files over real TCP, on loopback."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
from endpoint import MEGABYTE, digest, run_client, serving, wait_for, write_random
from patience import PATIENCE


def hidden(folder: Path) -> list[str]:
    """Return the names of hidden files in a folder, such as partial ones."""
    return [path.name for path in folder.iterdir() if path.name.startswith(".")]


@pytest.mark.parametrize("size", [0, 1, 999_999, 30 * MEGABYTE])
@pytest.mark.parametrize("parallelism", [1, 2, 4, 8])
def test_put_and_get(programs: Path, tmp_path: Path, size: int, parallelism: int) -> None:
    """A file that was put and fetched is the same, in whatever chunks and connections."""
    folder = tmp_path / "served here"
    folder.mkdir()
    source = write_random(tmp_path / "a b", size)
    manner = ["--mode=fixed", f"--parallelism={parallelism}", "--chunk-size=8MB"]
    with serving(programs, folder, "--writable") as server:
        run_client(programs, "put", source, server.url + "c%20d", *manner)
        assert digest(folder / "c d") == digest(source)
        run_client(programs, "get", server.url + "c%20d", tmp_path / "back", *manner)
        assert digest(tmp_path / "back") == digest(source)
    assert not hidden(folder)
    assert not hidden(tmp_path)


def test_tuner_decides(programs: Path, tmp_path: Path) -> None:
    """MI doubles N after a chunk where the window limits; results name N and G of each chunk."""
    write_random(tmp_path / "f", 5 * MEGABYTE)
    with serving(programs, tmp_path) as server:
        done = run_client(
            programs,
            "get",
            server.url + "f",
            tmp_path / "g",
            "--mode=by-hand",
            "--chunk-parallelism=1:3:2",
            "--chunk-size=1MB",
            "--json",
        )
    result = json.loads(done.stdout)
    assert result["status"] == "done"
    assert [chunk["parallelism"] for chunk in result["chunks"]] == [1, 3, 2, 2, 2]
    assert all(chunk["goodput_bps"] > 0 for chunk in result["chunks"])


def test_copy_between_servers(programs: Path, tmp_path: Path) -> None:
    """A client moves a file from one server to another one, if both allow it."""
    one, two = tmp_path / "one", tmp_path / "two"
    one.mkdir()
    two.mkdir()
    write_random(one / "f", 3 * MEGABYTE)
    with (
        serving(programs, one, "--third-party") as sender,
        serving(programs, two, "--writable") as receiver,
    ):
        run_client(programs, "copy", sender.url + "f", receiver.url + "g", "--chunk-size=1MB")
    assert digest(two / "g") == digest(one / "f")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["get"], "get with 0 arguments; allowed: get URL [FILE], put FILE URL, copy URL URL"),
        (["fetch", "x"], "no command fetch; allowed: get URL [FILE]"),
        (["get", "gsiftp://h/f"], "this program knows no GSI, only anonymous FTP"),
        (["get", "ftp://h:99999/f"], "no port from 1 to 65535"),
        (["get", "ftp://127.0.0.1:1/f", "--mode=mo"], "allowed:"),
        (["get", "ftp://127.0.0.1:1/f", "--bandwidth=1Gbps"], "--bandwidth"),
        (["put", "/nowhere/f", "ftp://127.0.0.1:1/f"], "/nowhere/f: open: No such file"),
    ],
)
def test_bad_command_lines(programs: Path, words: list[str], message: str) -> None:
    """Bad input: one line that names it, and exit status 2."""
    done = run_client(programs, *words, status=2)
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert not done.stdout


def test_failures_leave_no_file(programs: Path, tmp_path: Path) -> None:
    """A missing file, a read-only server, no server: status 1, and no file here or there."""
    folder = tmp_path / "served"
    folder.mkdir()
    source = write_random(tmp_path / "f", 10)
    with serving(programs, folder) as server:
        done = run_client(programs, "get", server.url + "x", tmp_path / "y", status=1)
        assert "550" in done.stderr
        done = run_client(programs, "put", source, server.url + "f", status=1)
        assert "read-only" in done.stderr
        gone = server.url
    done = run_client(programs, "get", gone + "x", tmp_path / "y", status=1)
    assert "refused" in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["f", "served"]
    assert not list(folder.iterdir())


def test_ctrl_c_leaves_no_file(programs: Path, tmp_path: Path) -> None:
    """Ctrl-C during a download: exit status 130, nothing that looks like the file."""
    folder, here = tmp_path / "served", tmp_path / "here"
    folder.mkdir()
    here.mkdir()
    write_random(folder / "f", 2 * MEGABYTE)
    os.truncate(folder / "f", 40_000 * MEGABYTE)  # sparse: longer than the test waits
    with serving(programs, folder) as server:
        client = subprocess.Popen(
            [programs / "gridftp-client", "get", server.url + "f", here / "f"],
            stdout=subprocess.DEVNULL,
        )
        wait_for(here, MEGABYTE)
        client.send_signal(signal.SIGINT)
        assert client.wait(PATIENCE) == 130
    assert not list(here.iterdir())


@pytest.mark.parametrize("direction", ["get", "put"])
@pytest.mark.parametrize("victim", ["client", "server"])
def test_restart_after_kill(programs: Path, tmp_path: Path, direction: str, victim: str) -> None:
    """After kill -9 of either side, a client with the same journal continues and completes."""
    folder, here = tmp_path / "served", tmp_path / "here"
    folder.mkdir()
    here.mkdir()
    size = 400 * MEGABYTE
    source = write_random((folder if direction == "get" else here) / "f", size)
    target = (here if direction == "get" else folder) / "g"
    journal = tmp_path / "journal"
    manner = ["--chunk-size=20MB", f"--journal={journal}"]

    def words(url: str) -> list[str | Path]:
        if direction == "get":
            return ["get", url + "f", target, *manner]
        return ["put", source, url + "g", *manner]

    with serving(programs, folder, "--writable") as server:
        client = subprocess.Popen(
            [programs / "gridftp-client", *words(server.url)],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert client.stdout
        while "chunk 2" not in client.stdout.readline():
            assert client.poll() is None
        until = time.monotonic() + PATIENCE
        while not journal.exists() and time.monotonic() < until and client.poll() is None:
            time.sleep(0.01)
        (client if victim == "client" else server.process).kill()
        interrupted = client.wait(PATIENCE) != 0
        client.stdout.close()
    if not interrupted:
        pytest.skip("the transfer was faster than the signal")
    assert target.name not in [path.name for path in here.iterdir()]
    with serving(programs, folder, "--writable") as server:
        done = run_client(programs, *words(server.url), "--json")
    moved = sum(chunk["bytes"] for chunk in json.loads(done.stdout)["chunks"])
    assert moved < size
    assert digest(target) == digest(source)
    assert not journal.exists()


def test_journal_of_another_transfer_is_refused(programs: Path, tmp_path: Path) -> None:
    """A journal names its transfer and the size of the file, and is not used for another one."""
    journal = tmp_path / "journal"
    folder = tmp_path / "served"
    folder.mkdir()
    write_random(folder / "f", 1000)
    write_random(folder / "g", 1000)
    target = tmp_path / "target"
    with serving(programs, folder) as server:
        for text, message in (
            (f"get /f to {target}\n2000\n0-500\n", "1000 bytes, at the first attempt 2000"),
            (f"get /g to {target}\n1000\n0-500\n", "belongs to 'get /g to"),
            ("0-500\n", "not a journal of this program"),
        ):
            journal.write_text(text)
            (tmp_path / ".target.partial-kept").write_bytes(bytes(500))
            done = run_client(
                programs,
                *("get", server.url + "f", target, f"--journal={journal}"),
                status=1 if "attempt" in message else 2,
            )
            assert message in done.stderr
            assert not target.exists()


def test_put_over_a_longer_file_is_noticed(programs: Path, tmp_path: Path) -> None:
    """Parts are written in place: the end of a longer file remains, and the client fails."""
    folder = tmp_path / "served"
    folder.mkdir()
    write_random(folder / "f", 2000)
    source = write_random(tmp_path / "f", 1000, seed=2)
    with serving(programs, folder, "--writable") as server:
        done = run_client(programs, "put", source, server.url + "f", status=1)
    assert "/f has 2000 bytes at the server, 1000 were sent" in done.stderr


def test_full_disk(programs: Path, tmp_path: Path) -> None:
    """A file that exceeds the limit of the server is not reported as complete."""
    folder = tmp_path / "served"
    folder.mkdir()
    source = write_random(tmp_path / "f", 3 * MEGABYTE)
    with serving(programs, folder, "--writable", "--max-file-size=2MB") as server:
        done = run_client(programs, "put", source, server.url + "f", "--chunk-size=1MB", status=1)
    assert "552" in done.stderr
