"""The notebook, run without a display: its numbers are the programs', its refusals one line."""

from __future__ import annotations

import html
import json
import os
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, Runner
from patience import PATIENCE

WHY = "the packages of the group notebook are not installed; ./gridftp test installs them"
pytest.importorskip("marimo", reason=WHY)

import marimo as mo  # noqa: E402
import pandas as pd  # noqa: E402

from lab import controls, launcher, notebook_start  # noqa: E402
from lab.notebook import app  # noqa: E402

NOTEBOOK = ROOT / "lab/notebook.py"
SMALL = ("--file-size=30MB", "--chunk-size=10MB", "--mode=aimd", "--delay=5ms")

# Read by every Python that it starts: each try to leave this machine is written down and fails.
NO_NETWORK = """
import os, socket

def watched(real):
    def connect(self, address):
        if self.family != socket.AF_UNIX and address[0] not in ("127.0.0.1", "::1", "localhost"):
            with open(os.environ["TRIED"], "a") as file:
                print(address, file=file)
            raise OSError("no network in this test")
        return real(self, address)
    return connect

def resolve(host, *others, real=socket.getaddrinfo, **more):
    if host not in (None, "", "127.0.0.1", "::1", "localhost"):
        with open(os.environ["TRIED"], "a") as file:
            print(host, file=file)
        raise OSError("no network in this test")
    return real(host, *others, **more)

socket.socket.connect = watched(socket.socket.connect)
socket.socket.connect_ex = watched(socket.socket.connect_ex)
socket.getaddrinfo = resolve
"""

Run = Callable[..., tuple[str, dict[str, Any]]]
Alone = tuple[dict[str, str], Path]


@pytest.fixture
def run_notebook(monkeypatch: pytest.MonkeyPatch) -> Run:
    """A function that runs the cells with words of a command line: what they show and define."""

    def run(*words: str) -> tuple[str, dict[str, Any]]:
        monkeypatch.setattr(sys, "argv", [str(NOTEBOOK), *words])
        outputs, definitions = app.run()
        texts = [output.text for output in outputs if isinstance(output, mo.Html)]
        return html.unescape("\n".join(texts)), dict(definitions)

    return run


def same_result(one: dict[str, Any], other: dict[str, Any]) -> None:
    """Two results are the same but for who made them, and at what cost."""
    apart = {"provenance", "cost"}
    assert one.keys() == other.keys()
    assert {k: one[k] for k in one.keys() - apart} == {k: other[k] for k in other.keys() - apart}


def test_the_numbers_are_those_of_the_programs(run_notebook: Run, run_program: Runner) -> None:
    text, cells = run_notebook(*SMALL)
    native = json.loads(run_program("gridftp-transfer", *SMALL, "--json").stdout)
    same_result(cells["result"], native)
    chunks = native["sessions"][0]["gridftp"]["chunks"]
    assert cells["chunks"][list(chunks[0])].to_dict("records") == chunks
    assert f'"{native["sessions"][0]["goodput_bps"] / 1e6:.4g}"' in text
    # A command line that gives them stands above; its words are coloured.
    plain = re.sub("<[^>]*>", "", text)
    assert f"./gridftp run {' '.join(SMALL)}" in plain


def test_the_traces_are_those_of_the_programs(
    run_notebook: Run, run_program: Runner, tmp_path: Path
) -> None:
    _, cells = run_notebook(*SMALL, "--initial-parallelism=3", "--queue=20p")
    one_chunk = launcher.words(cells["one_chunk"])
    assert "--file-size=10000000B" in one_chunk
    native = run_program("gridftp-transfer", *one_chunk, "--json", f"--trace={tmp_path}")
    same_result(cells["traced"], json.loads(native.stdout))
    for name in launcher.TRACES:
        table = pd.read_csv(tmp_path / f"{name}.csv")
        assert len(table)
        pd.testing.assert_frame_equal(cells[name], table)
    assert cells["cwnd"]["connection"].nunique() == 3


@pytest.mark.parametrize(
    ("mode", "option"), [("mi", "initial-parallelism"), ("fixed", "parallelism")]
)
def test_goodput_over_n_and_the_model_are_those_of_the_programs(
    run_notebook: Run, run_program: Runner, mode: str, option: str
) -> None:
    path = ("--bandwidth=50Mbps", "--window=32KiB")
    _, cells = run_notebook(*path, "--file-size=5MB", f"--mode={mode}")
    rtt_s = cells["result"]["sessions"][0]["gridftp"]["chunks"][0]["rtt_s"]
    model = json.loads(
        run_program(
            "gridftp-optimum", "--stack=classic", *path, f"--rtt={rtt_s:.9f}s", "--json"
        ).stdout
    )
    assert cells["curve"].to_dict("records") == pd.DataFrame(model["curve"]).to_dict("records")
    assert cells["best"] == model["optimum"]
    rows = cells["simulated"]
    assert rows["parallelism"].min() == 1
    assert rows["parallelism"].max() >= 2 * model["optimum"]["parallelism"]
    for row in rows.iloc[[0, -1]].itertuples():
        words = (*path, "--file-size=5MB", f"--mode={mode}", f"--{option}={row.parallelism}")
        native = json.loads(run_program("gridftp-transfer", *words, "--json").stdout)
        assert row.goodput_bps == native["sessions"][0]["goodput_bps"]
        assert row.drops == native["links"][0]["drops"]


@pytest.mark.parametrize(
    ("word", "reason"),
    [
        ("--bandwidth=apples", "--bandwidth=apples is not a number; allowed: a rate such as"),
        ("--bandwith=1Gbps", "--bandwith is unknown; did you mean --bandwidth?"),
        ("--window=1B", "--window"),
        ("nonsense", "'nonsense' is no option; allowed: words such as --name=value"),
        ("--random-loss=0.9", "failed: session 0: "),
    ],
)
def test_a_wrong_value_is_a_message(
    run_notebook: Run, capsys: pytest.CaptureFixture[str], word: str, reason: str
) -> None:
    text, cells = run_notebook("--file-size=1MB", word)
    said = capsys.readouterr().err
    assert said.startswith("notebook: ")
    assert said.count("\n") == 1
    assert reason in said
    # Nothing goes on with it.
    assert not {"result", "chunks", "cwnd", "simulated"} & cells.keys()
    assert "How many parallel TCP connections?" in text


def test_the_controls_are_the_programs_options(run_notebook: Run, run_program: Runner) -> None:
    _, cells = run_notebook(*SMALL)
    table = cells["table"]
    every = {"mode": cells["mode"], "parallelism": cells["count"], **cells["settings"].elements}
    assert every.keys() == {"mode", "parallelism", "bandwidth", "delay", "window", "queue"}
    for name, control in every.items():
        row = table[name]
        assert controls.text(row, control.value) == row["default"]
        assert row["help"] in html.unescape(control.text)
        values = [control.steps[0], control.steps[-1]] if "choices" not in row else control.options
        assert set(row.get("choices", ())) - {row.get("open_choice")} <= set(values)
        for value in values:
            words = [f"--{name}={controls.text(row, value)}"]
            if name == "parallelism":
                words.append("--mode=fixed")
            said = run_program("gridftp-transfer", *words, "--resolve").stderr
            # What the table cannot tell: that one segment has to fit.
            assert not said or (name == "window" and "is below one segment" in said), said


# ---- on its own, in a process that cannot leave this machine -------------------------------------


@pytest.fixture
def alone(tmp_path: Path) -> Alone:
    """Variables of a process without a display and a network, and the file of what it tried."""
    site = tmp_path / "site"
    site.mkdir()
    (site / "sitecustomize.py").write_text(NO_NETWORK, encoding="utf-8")
    tried = tmp_path / "tried"
    tried.touch()
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in ("DISPLAY", "WAYLAND_DISPLAY", "MPLBACKEND", "PYTEST_CURRENT_TEST")
        and not name.startswith("MARIMO_")
    }
    home = {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path), "XDG_STATE_HOME": ""}
    return {**kept, **home, "PYTHONPATH": str(site), "TRIED": str(tried)}, tried


@pytest.mark.extensive
def test_it_runs_as_a_script(alone: Alone, tmp_path: Path) -> None:
    environment, tried = alone
    command = [sys.executable, "-W", "error", NOTEBOOK, *SMALL]
    done = subprocess.run(
        command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert tried.read_text(encoding="utf-8") == ""


@pytest.mark.extensive
def test_it_is_exported_with_all_its_figures(alone: Alone, tmp_path: Path) -> None:
    text = export(alone, tmp_path, *SMALL)
    assert text.count("data:image/png") == 3
    assert "The model advises" in text
    assert "danger" not in text


@pytest.mark.extensive
def test_a_page_with_a_wrong_value_says_so_and_shows_no_figure(
    alone: Alone, tmp_path: Path
) -> None:
    text = export(alone, tmp_path, "--bandwidth=apples")
    assert "--bandwidth=apples is not a number; allowed: a rate such as 100Mbps" in text
    assert "danger" in text
    assert "Traceback" not in text
    assert "LauncherError" not in text.replace("except launcher.LauncherError", "")
    assert "data:image/png" not in text


def export(alone: Alone, folder: Path, *words: str) -> str:
    """The notebook as a page, without its code."""
    environment, tried = alone
    page = folder / "notebook.html"
    command = [sys.executable, "-m", "marimo", "export", "html", "--no-include-code"]
    done = subprocess.run(
        [*command, NOTEBOOK, "-o", page, "--", *words],
        env=environment, cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert tried.read_text(encoding="utf-8") == ""
    return page.read_text(encoding="utf-8")


def fetched(address: str) -> str:
    """What is served at an address, which is printed a moment before anybody listens there."""
    begun = time.monotonic()
    # The password in the address is given back as a cookie.
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    while True:
        try:
            with opener.open(address, timeout=PATIENCE) as answer:
                return answer.read().decode()
        except urllib.error.URLError:
            if time.monotonic() > begun + PATIENCE:
                raise
        time.sleep(0.1)


def test_it_is_served_without_asking_for_updates_and_runs_when_opened(
    alone: Alone, tmp_path: Path
) -> None:
    environment, tried = alone
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    # What start() turns into, and its environment.
    command = notebook_start.command(port, browser=False, options=SMALL)
    process = subprocess.Popen(
        command,
        env={**environment, **notebook_start.QUIET, "PYTHONUNBUFFERED": "1"},
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        seen = []
        for line in process.stdout:
            seen.append(line)
            if f":{port}" in line:
                break
        assert f":{port}" in seen[-1], seen
        # The address has a password in it: whoever can open it can run programs.
        assert "access_token=" in seen[-1]
        # What a browser is told: all cells run when it is opened, not by marimo's own default.
        page = html.unescape(fetched(re.search(r"http://\S+", seen[-1])[0]))
        assert re.search(r'"configOverrides": {"runtime": {"auto_instantiate": true', page)
    finally:
        process.terminate()
        process.communicate(timeout=PATIENCE)
    assert tried.read_text(encoding="utf-8") == ""
