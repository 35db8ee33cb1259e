"""The numbers that the manual prints of example runs, against these runs."""

from __future__ import annotations

import csv
import json
import re
import shlex
from typing import Any

from conftest import ROOT, Runner
from manual_pages import manual

DOC = ROOT / "contrib/gridftp/doc"


def rows_of(title: str) -> list[list[str]]:
    """Return the rows of a csv-table of the manual, without its header and literal marks."""
    table = manual().partition(f".. csv-table:: {title}\n")[2]
    block = re.match(r"   :header:.*\n\n((?:   .+\n)+)", table)
    assert block is not None, title
    cells = csv.reader(block[1].replace("``", "").splitlines(), skipinitialspace=True)
    return [[cell.strip() for cell in row] for row in cells]


def command_before(title: str) -> list[str]:
    """Return the options of the last command of the manual before a table."""
    text = manual().partition(f".. csv-table:: {title}\n")[0].replace("\\\n", " ")
    return shlex.split(re.findall(r"^   gridftp-transfer (.*)$", text, re.MULTILINE)[-1])


def result_of(run_program: Runner, *words: str) -> dict[str, Any]:
    done = run_program("gridftp-transfer", *words, "--json", "--detail=on")
    assert (done.returncode, done.stderr) == (0, ""), words
    return json.loads(done.stdout)


def mbps(data: dict[str, Any]) -> float:
    return data["goodput_bps"] / 1e6


def test_a_slow_reverse_link_costs_what_the_manual_says(run_program: Runner) -> None:
    title = "Goodput of eight connections, 1 Mbit/s in reverse"
    rows = rows_of(title)
    assert len(rows) == 5
    for option, goodput, drops in rows:
        words = [] if option == "none" else [option]
        name = option.partition("=")[0]
        base = [word for word in command_before(title) if word.partition("=")[0] != name]
        result = result_of(run_program, *base, *words)
        assert f"{mbps(result['sessions'][0]):.1f}" == goodput, option
        reverse = [one for one in result["links"] if one["name"] == "bottleneck, reverse"]
        assert sum(one["drops"] for one in reverse) == int(drops), option


def test_an_upload_slows_down_a_download_as_the_manual_says(run_program: Runner) -> None:
    title = "Goodput in Mbit/s, and the download's RTT under load in ms"
    rows = rows_of(title)
    assert len(rows) == 4
    command = command_before(title)
    upload = command.index("--background")
    for traffic, *numbers in rows:
        added = re.findall(r"--\S+", traffic)
        words = command[:upload] if traffic == "none" else [*command, *added]
        result = result_of(run_program, *words)
        session = result["sessions"][0]
        shown = [f"{mbps(session):.1f}"]
        shown += [f"{mbps(one):.2f}" for one in result.get("background", [])] or ["-"]
        shown += [f"{session['tcp'][key] * 1e3:.0f}" for key in ("rtt_mean_s", "rtt_max_s")]
        assert shown == numbers, traffic


def test_a_lossy_path_carries_what_the_guide_says(run_program: Runner) -> None:
    text = (DOC / "tutorials/transfer.md").read_text("utf-8").replace("\\\n", " ")
    (command,) = re.findall(r"^    \./gridftp run (.*--random-loss.*)$", text, re.MULTILINE)
    base = {word.partition("=")[0]: word for word in shlex.split(command)}
    found = re.search(
        r"reaches (\d+) Mbit/s, and with `(--\S+)` (\d+) Mbit/s\..*"
        r"with `(--\S+)`, `(--\S+)` and the default chunks of 100 MB it reaches only (\d+) Mbit/s",
        " ".join(text.split()),
    )
    assert found is not None

    def goodput(*changes: str, left_out: str = "") -> str:
        changed = base | {word.partition("=")[0]: word for word in changes}
        words = [word for name, word in changed.items() if name != left_out]
        return f"{mbps(result_of(run_program, *words)['sessions'][0]):.0f}"

    many, single, one, window, queue, small = found.groups()
    assert goodput() == many
    assert goodput(single) == one
    assert goodput(window, queue, left_out="--chunk-size") == small


def test_a_shorter_queue_shortens_the_rtt_as_the_guide_says(run_program: Runner) -> None:
    text = (DOC / "how-to/latency.md").read_text("utf-8")
    (command,) = re.findall(r"^    \./gridftp run (.*)$", text, re.MULTILINE)
    words = command.split()
    session = result_of(run_program, *words)["sessions"][0]
    chunk = session["gridftp"]["chunks"][0]
    idle, loaded = (chunk[key] * 1e3 for key in ("rtt_s", "loaded_rtt_s"))
    assert f"here {idle:.0f} and {loaded:.0f} ms" in text
    shorter = re.search(r"`(--queue=\S+)` the loaded RTT above is (\d+) ms, at (\d+) in", text)
    assert shorter is not None
    fewer = [word for word in words if not word.startswith("--queue")]
    session = result_of(run_program, *fewer, shorter[1])["sessions"][0]
    chunk = session["gridftp"]["chunks"][0]
    assert [f"{chunk['loaded_rtt_s'] * 1e3:.0f}", f"{mbps(session):.0f}"] == [
        shorter[2],
        shorter[3],
    ]
