"""The race of tuners with hosts of today: made-up runs of two TCPs, figure and answer."""

from __future__ import annotations

import math
import re
import sys
from pathlib import Path

import pandas as pd
import pytest
from conftest import ROOT
from matplotlib.figure import Figure

from analysis import figures
from analysis.drawing import style
from analysis.read.results import ResultError
from experiments.__main__ import main
from papers.anglano.figures import race_measures as race
from papers.anglano.figures.tuner_race_today import SINGLE

sys.path.insert(0, str(Path(__file__).parents[1] / "data"))
import swept

KIND = figures.kinds("anglano/any")["tuner-race-today"]


def runs(
    contender: str,
    goodput: list[float],
    n: int = 1,
    other: list[float] | None = None,
    loss: float = 0.0,
    tcp: str = "cubic",
) -> pd.DataFrame:
    """Return runs of one contender: goodputs and those of the other flow, in Mbit/s."""
    label = race.FIXED if contender == race.FIXED else race.TUNED
    rows = swept.runs(label, contender, "random_loss", {loss: goodput}, parallelism=n)
    return rows.assign(
        contender=contender,
        falcon_search="gradient",
        tcp=tcp,
        stack="linux",
        beside=other is not None,
        background_bps=[math.nan] * len(rows) if other is None else [x * 1e6 for x in other],
        first_parallelism=n,
        ends_s=[[1.0]] * len(rows),
        chunks_bps=[[1e6 * mean] for mean in goodput],
    )


def sample() -> pd.DataFrame:
    """Return two paths, which differ in the loss; with loss there is another flow."""
    return swept.frame(
        runs("fixed", [50, 40]),
        runs("fixed", [100, 80], 4),
        runs("mi", [50, 40]),
        runs("apt", [90, 80]),
        runs("fixed", [30, 20], 1, [40, 50], 0.001),
        runs("fixed", [20, 20], 4, [20, 20], 0.001),
        runs("mi", [30, 20], 1, [40, 50], 0.001),
        runs("apt", [24, 18], 1, [30, 25], 0.001),
        runs("fixed", [90, 90], tcp="bbr"),
        runs("mi", [45, 45], tcp="bbr"),
    )


def drawn(rows: pd.DataFrame) -> tuple[Figure, pd.DataFrame]:
    with style.styled():
        figure, table = KIND.draw(rows, None)
        figure.draw_without_rendering()
    return figure, table


def test_a_race_for_each_tcp_with_one_connection_as_a_contender() -> None:
    figure, table = drawn(sample())
    assert [axes.get_title("left") for axes in figure.axes[::4]] == [
        "CUBIC: regret alone, %",
        "BBR: regret alone, %",
    ]
    names = [text.get_text() for text in figure.axes[-1].get_xticklabels()]
    assert names == ["MI", "N = 1", "APT", "best fixed N"]
    texts = [[text.get_text() for text in axes.texts] for axes in (figure.axes[0], figure.axes[4])]
    assert texts == [["50", "50", "5", "0"], ["50", "0", "0"]], "BBR has no APT: hatched"
    places = [text.get_position()[0] for text in figure.axes[4].texts]
    assert places == [0, 1, 3]
    rows = table.set_index(["tcp", "random_loss", "contender"])
    assert rows.loc[("cubic", 0, SINGLE), "regret"] == pytest.approx(0.5)
    assert rows.loc[("cubic", 0.001, "apt"), "harm"] == pytest.approx((1 / 4 + 1 / 2) / 2)
    assert rows.loc[("bbr", 0, "mi"), "regret"] == pytest.approx(0.5)
    assert "present-day Linux hosts (stack linux)" in figure.get_supxlabel()


def test_means_over_all_paths_are_taken_run_by_run() -> None:
    _, table = drawn(sample())
    cubic = table[table["tcp"] == "cubic"].drop_duplicates("contender").set_index("contender")
    # APT regrets 10 and 0 % without loss, where N = 4 is best, 20 and 10 % with loss (N = 1).
    assert cubic.loc["apt", "all_regret"] == pytest.approx((0.15 + 0.05) / 2)
    left = 0.9 * math.exp(-12.7062 * 0.05 / 0.9)  # t of one degree of freedom, error 0.05
    assert cubic.loc["apt", "all_regret_high"] == pytest.approx(1 - left, rel=1e-4)
    assert cubic.loc["mi", "all_regret"] == cubic.loc[SINGLE, "all_regret"] == 0.25
    assert cubic.loc["mi", "all_regret_low"] == pytest.approx(0.25), "the same in both runs"
    assert cubic.loc["apt", "all_harm"] == pytest.approx((1 / 4 + 1 / 2) / 2)
    assert cubic.loc[race.FIXED, ["all_regret", "all_harm"]].tolist() == [0, 0]


def test_the_answer_ranks_tuners_and_names_equal_ones_together() -> None:
    sentences = KIND.answer(drawn(sample())[1])
    assert sentences[0] == (
        "CUBIC: of 2 combinations of path and traffic, the best fixed N is 1 (1) and 4 (1)."
    )
    assert sentences[1].startswith("CUBIC: mean regret against it: 10.0 % (")
    assert sentences[1].endswith(" (APT) and 25.0 \u00b1 0.0 % (one connection and MI).")
    assert (
        "goodput next to one connection that the CUBIC flow loses: 0.0 \u00b1 0.0 %" in sentences[2]
    )
    assert sentences[3:] == [
        "BBR: of 1 combinations of path and traffic, the best fixed N is 1 (1).",
        "BBR: mean regret against it: 0.0 \u00b1 0.0 % (one connection) and "
        "50.0 \u00b1 0.0 % (MI).",
    ]
    assert KIND.ours


def test_without_tuners_or_what_they_are_measured_against_there_is_no_figure() -> None:
    rows = sample()
    for label, other in ((race.TUNED, race.FIXED), (race.FIXED, race.TUNED)):
        with pytest.raises(ResultError, match=f'no set is labelled "{label}"'):
            drawn(rows[rows["label"] == other])


@pytest.mark.usefixtures("svg_alone")
def test_the_shipped_race_made_small(
    programs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRIDFTP_BUILD_DIR", str(programs))
    text = (ROOT / "papers/anglano/sweeps/today-race.toml").read_text(encoding="utf-8")
    text = re.sub(r"(\d+)MB", r"\g<1>0kB", text).replace("replications = 5", "replications = 2")
    text = text.replace('delay = ["10ms", "50ms"]', 'delay = ["10ms"]')
    text = text.replace('["100Mbps", "1Gbps"]', '["100Mbps"]')
    text = text.replace("parallelism = [1, 2, 4, 8, 16, 32]", "parallelism = [1, 4]")
    (tmp_path / "race.toml").write_text(text, encoding="utf-8")
    kept = f"--store={tmp_path / 'store.sqlite'}"
    assert main(["sweep", str(tmp_path / "race.toml"), kept]) == 0
    assert main(["plot", "race", kept, f"--results={tmp_path}"]) == 0
    table = pd.read_csv(tmp_path / "figures/race.csv")
    settings = ["tcp", *race.SETTING]
    assert len(table.groupby(settings)) == 8
    assert set(table.groupby(settings).size()) == {11}  # nine tuners, N = 1, the best fixed N
    assert table[["all_regret", "all_regret_high", "all_harm"]].notna().all(axis=None)
