"""Replications are added until the interval of a mean is narrow."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from analysis.read import stored
from analysis.statistics.curve import points
from experiments.__main__ import main
from experiments.errors import UserError
from experiments.programs.option_table import OptionTable
from experiments.programs.program import locate
from experiments.run import until
from experiments.spec.blocks import Planned, Until
from experiments.spec.load import load_spec
from experiments.verbs import sweep as sweeping

SPEC = """
title = "Loss at random"

[[block]]
label = "curve"
replications = 3
until = {{ half-width = {width}, most = {most} }}
[block.fixed]
mode = "fixed"
parallelism = 4
file-size = "4MB"
chunk-size = "4MB"
random-loss = 0.002
[block.cross]
delay = ["5ms", "20ms"]
"""


def sweep(folder: Path, width: float, most: int) -> Path:
    spec = folder / "noisy.toml"
    spec.write_text(SPEC.format(width=width, most=most))
    assert main(["sweep", str(spec), f"--store={folder / 'store.sqlite'}"]) == 0
    return folder / "store.sqlite"


def test_the_interval_is_as_narrow_as_asked_for_or_there_are_most(
    programs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def half_widths(store: Path) -> list[tuple[int, float]]:
        table = points(stored.session_table(store, "noisy"), "delay_s")
        half = (table["high_bps"] - table["low_bps"]) / 2 / table["goodput_bps"]
        return list(zip(table["runs"], half, strict=True))

    store = sweep(tmp_path, 0.05, 200)
    found = half_widths(store)
    assert all(width <= 0.05 for _, width in found)
    assert max(runs for runs, _ in found) > 3
    assert all(runs < 200 for runs, _ in found)
    # again: the same runs, and nothing is simulated
    capsys.readouterr()
    sweep(tmp_path, 0.05, 200)
    assert "0 to do" in capsys.readouterr().err.splitlines()[-1]
    assert half_widths(store) == found
    # as many as allowed, no more
    sweep(tmp_path, 0.0001, 7)
    assert [runs for runs, _ in half_widths(store)] == [7, 7]


@pytest.mark.parametrize(
    ("goodputs", "more"),
    [
        ([], 0),  # all have failed
        ([10.0], 0),
        ([10.0, 10.0, 10.0], 0),
        # t = 4.3027, s = 0.1: a half width of 0.248, 2.48 % of 10; 3 x 2.48^2 = 18.5, at most 6
        ([9.9, 10.0, 10.1], 3),
        # s = 0.05: 1.24 %; 3 x 1.24^2 = 4.6, so 5
        ([9.95, 10.0, 10.05], 2),
        ([9.99, 10.0, 10.01], 0),
    ],
)
def test_how_many_runs_are_added(goodputs: list[float], more: int) -> None:
    planned = [Planned("x", {"run": str(run)}, Until(0.01, 100)) for run in (4, 5, 6)]
    point = until._Point(planned, goodputs, 3)
    assert [one.line["run"] for one in point.further()] == [str(7 + i) for i in range(more)]


def test_nothing_is_added_before_what_is_planned_has_ended() -> None:
    planned = [Planned("x", {"run": str(run)}, Until(0.01, 100)) for run in (1, 2, 3)]
    assert until._Point(planned, [9.0, 10.0], 2).further() == []


def test_an_interrupted_sweep_keeps_what_was_added(
    programs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = sweep(tmp_path, 0.0001, 7)
    assert stored.sweeps(store)["noisy"] == {"done": 14}

    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(sweeping, "simulate", interrupted)
    words = ["sweep", str(tmp_path / "noisy.toml"), f"--store={store}"]
    assert main(words) == 130
    assert stored.sweeps(store)["noisy"] == {"done": 14}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0.01", "a table, { half-width = 0.01, most = 50 }"),
        ("{ half-width = 0.01 }", '"most" is missing'),
        ("{ half-width = 0, most = 9 }", "a number above 0 and below 1"),
        ("{ half-width = 0.1, most = 2 }", "a whole number from 3 to"),
        ("{ half-with = 0.1, most = 9 }", 'did you mean "half-width"?'),
    ],
)
def test_what_is_wrong_is_told(text: str, message: str, programs: Path, tmp_path: Path) -> None:
    table = OptionTable.read(locate("gridftp-transfer").object("--describe"))
    path = tmp_path / "a.toml"
    path.write_text(f'title = "A"\n[[block]]\nlabel = "x"\nreplications = 3\nuntil = {text}\n')
    with pytest.raises(UserError) as refused:
        load_spec(path, table)
    assert message in str(refused.value)
    assert str(refused.value).startswith(f"{path}:5: ")
