"""Set-up of the launcher: what is installed when, and what survives interruption."""

from __future__ import annotations

import json

from launcher_sandbox import NOTHING, Sandbox, make_wheel, pins, refused

from launcher.processes import complaints


def groups(sandbox: Sandbox) -> set[str]:
    """The groups of packages that are installed."""
    stamp = (sandbox.root / ".venv/gridftp-setup.json").read_text(encoding="utf-8")
    return {*json.loads(stamp)["groups"]} - {"uv"}


def test_the_first_run_sets_up_and_builds_and_the_second_does_neither(fresh: Sandbox) -> None:
    first = fresh.launch("run", "--mode=mi", "a b")
    assert first.stdout == f"{fresh.root.parent}:--mode=mi a b\n"
    assert first.returncode == 7
    assert "setting up .venv" in first.stderr
    assert fresh.builds() == 1
    # Nothing may be installed any more.
    second = fresh.launch("run", **NOTHING)
    assert (second.stdout, second.stderr) == (f"{fresh.root.parent}:\n", "")
    assert (second.returncode, fresh.builds()) == (7, 1)


# One sandbox for all of them, as its set-up takes most of the time
def test_optional_packages_are_installed_when_they_are_asked_for(ready: Sandbox) -> None:
    there = {"waf", "ns3", "python"}
    for words, wanted in (
        (["sweep", "a.toml", "--dask", "local"], "dask"),
        (["store", "export", "fig05", "runs.parquet"], "parquet"),
        (["learn", "agent.py"], "learning"),
        (["lab", "--port=0"], "lab"),
        (["lab", "--notebook"], "notebook"),
        (["manual"], "manual"),
        (["bench", "--lab"], "browser"),
    ):
        there.add(wanted)
        done = ready.launch(*words)
        assert done.stdout == f"{' '.join(words)}\n", done.stderr
        assert groups(ready) == there
        # Nothing may be installed any more.
        assert ready.launch(*words, **NOTHING).stderr == ""


def test_optional_packages_are_not_installed_for_words_alike(ready: Sandbox) -> None:
    for words in (
        ["sweep", "a.toml", "--store=dask"],
        ["store", "export", "fig05", "runs.csv"],
        ["store", "list", "x.parquet"],
        ["bench", "--instructions"],
    ):
        done = ready.launch(*words)
        assert done.stdout == f"{' '.join(words)}\n", done.stderr
        assert groups(ready) == {"waf", "ns3", "python"}, words
    ready.launch("sweep", "--dask=tcp://host:8786", "a.toml")
    assert groups(ready) == {"waf", "ns3", "python", "dask"}


def test_tests_have_all_optional_packages(ready: Sandbox) -> None:
    (ready.root / "tests").mkdir()
    everything = "import click, cyclonedx, dask, gymnasium, marimo, playwright, pyarrow, rich\n"
    everything += "import sphinx, ziglang"
    (ready.root / "tests/checks.py").write_text(everything, encoding="utf-8")
    assert ready.launch("test").returncode == 0


def test_dask_is_started_where_it_finds_the_programs(ready: Sandbox) -> None:
    done = ready.launch("dask", "worker", "tcp://host:8786", "--nthreads=4")
    assert done.stdout.splitlines() == [
        "worker tcp://host:8786 --nthreads=4 experiments.cluster.dask_worker",
        f"{ready.root / 'build/wheel/bin'} {ready.root}",
    ], done.stderr


def test_an_interrupted_set_up_is_repaired(ready: Sandbox) -> None:
    # As a power cut during pip leaves it: no stamp, and a package without half of its files.
    (ready.root / ".venv/gridftp-setup.json").unlink()
    (broken,) = ready.root.glob(".venv/lib/python3*/site-packages/waflib/Scripting.py")
    broken.unlink()  # it is a link to uv's cache
    broken.write_text("half a fi", encoding="utf-8")
    ready.write_source("fine again")
    done = ready.launch("run")
    assert done.returncode == 7, done.stderr
    assert ready.builds() == 2


def test_a_failed_installation_shows_why_and_is_taken_up_again(fresh: Sandbox) -> None:
    wheel = next(fresh.wheels.glob("ns3-*"))
    wheel.rename(fresh.root / wheel.name)
    failed = fresh.launch("run")
    assert (failed.returncode, failed.stdout) == (1, "")
    assert "ns3==3.44.post0" in failed.stderr
    assert failed.stderr.endswith("failed (all of it: build/setup.log)\n")
    (fresh.root / wheel.name).rename(wheel)
    assert fresh.launch("run").returncode == 7


def test_without_a_network_the_reason_is_shown_once() -> None:
    tries = [
        f"WARNING: Retrying (Retry(total={left}, connect=None)) after connection broken by"
        " 'NewConnectionError: Temporary failure in name resolution': /simple/uv/"
        for left in (4, 3, 2, 1, 0)
    ]
    last = "ERROR: No matching distribution found for uv==0.13.9"
    assert complaints([*tries, last]) == [tries[0], last]


def test_a_package_that_is_not_the_pinned_one_is_refused(fresh: Sandbox) -> None:
    next(fresh.wheels.glob("waflib-2.1.4-*")).unlink()
    make_wheel(fresh.wheels, "waflib", "2.1.4", {"waflib/__init__.py": "import os"})
    failed = fresh.launch("run")
    assert (failed.returncode, failed.stdout) == (1, "")
    assert "Hash mismatch" in failed.stderr
    assert "waflib==2.1.4" in failed.stderr
    assert not fresh.builds()


def test_a_pin_without_hashes_says_what_helps(fresh: Sandbox) -> None:
    (fresh.root / "pyproject.toml").write_text(pins(waf="2.1.9"), encoding="utf-8")
    done = fresh.launch("run")
    assert done.returncode == 1
    assert "launcher/packages.lock has no hashes of waflib==2.1.9: run" in done.stderr


def test_changed_pins_are_installed(ready: Sandbox) -> None:
    (ready.root / "pyproject.toml").write_text(pins(waf="2.1.5"), encoding="utf-8")
    assert ready.launch("run").returncode == 7
    stamp = json.loads((ready.root / ".venv/gridftp-setup.json").read_text(encoding="utf-8"))
    assert stamp["groups"]["waf"] == ["waflib==2.1.5"]
    (installed,) = ready.root.glob(".venv/lib/python3*/site-packages/waflib-*")
    assert installed.name == "waflib-2.1.5.dist-info"


def test_a_folder_that_was_moved_is_set_up_again(ready: Sandbox) -> None:
    moved = Sandbox(ready.root.with_name("moved"), ready.wheels, ready.environment)
    ready.root.rename(moved.root)
    done = moved.launch("run")
    assert done.returncode == 7
    assert "setting up .venv" in done.stderr


def test_a_venv_of_somebody_else_is_left_alone(fresh: Sandbox) -> None:
    (fresh.root / ".venv").mkdir()
    (fresh.root / ".venv/mine").touch()
    refused(fresh.launch("run"), ".venv was not made by ./gridftp")
    assert (fresh.root / ".venv/mine").exists()
