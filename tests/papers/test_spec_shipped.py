"""The specs that are shipped: each loads, resolves, and declares what its figure should show."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from conftest import ROOT
from spec_tools import load, read_table, resolve

from analysis.papers import figure_number
from experiments.programs.option_table import OptionTable
from experiments.spec.load import Spec, load_spec

SMALLER = ("file-size", "arrivals", "repeat-for")
"""What engine ns3 may have less of: how much is moved, and by how many."""

FIGURES = sorted(ROOT.glob("papers/*/sweeps/*.toml"))


@pytest.fixture(scope="module")
def table() -> OptionTable:
    return read_table()


@pytest.fixture(scope="module", params=FIGURES, ids=lambda path: path.stem)
def shipped(request: pytest.FixtureRequest, table: OptionTable) -> Spec:
    return load_spec(request.param, table)


def test_every_line_of_what_is_shipped_resolves(shipped: Spec, tmp_path: Path) -> None:
    answers = resolve(tmp_path, [shipped])
    assert [answer for answer in answers if "status" in answer] == []
    # No two are the same simulation.
    blocks = [(p.label, str(answer)) for p, answer in zip(shipped.planned, answers, strict=True)]
    assert len(set(blocks)) == len(blocks)


def test_the_twin_of_ns3_differs_in_the_engine_alone(shipped: Spec) -> None:
    reference = [dict(p.line) for p in shipped.planned if p.label == "ns3"]
    twin = [dict(p.line) for p in shipped.planned if p.label == "ns3-twin"]
    assert reference or figure_number(shipped.name) is None
    assert [{**line, "engine": "ns3"} for line in twin] == reference


def test_points_of_ns3_are_points_of_what_is_drawn(shipped: Spec) -> None:
    def point(line: Mapping[str, str]) -> frozenset[tuple[str, str]]:
        apart = ("engine", *SMALLER)
        return frozenset((key, str(value)) for key, value in line.items() if key not in apart)

    drawn = {point(p.line) for p in shipped.planned if p.label not in ("ns3", "ns3-twin")}
    assert {point(p.line) for p in shipped.planned if p.label == "ns3"} <= drawn


def test_the_figures_of_the_paper_have_the_ranges_they_should(table: OptionTable) -> None:
    def swept(number: int, label: str, name: str) -> set[str]:
        spec = load_spec(ROOT / f"papers/ito/sweeps/fig0{number}.toml", table)
        return {p.line[name] for p in spec.planned if p.label == label}

    megabits = ("10Mbps", "20Mbps", "50Mbps", "100Mbps", "200Mbps", "500Mbps", "1Gbps")
    milliseconds = {f"{tau}ms" for tau in (1, 2, 5, 10, 20, 50, 100, 200)}
    assert swept(5, "segment", "bandwidth") == swept(5, "single", "bandwidth") == set(megabits)
    assert swept(6, "segment", "delay") == swept(6, "single", "delay") == milliseconds
    assert swept(7, "segment", "eta") == {f"0.{tenth}" for tenth in range(1, 10)} | {"1"}
    for number in (3, 5, 6, 7):
        assert swept(number, "segment", "mode") == {"mi", "mi-plus", "aimd"}


def test_the_example_in_the_documentation_declares_what_it_says(
    table: OptionTable, tmp_path: Path
) -> None:
    text = (ROOT / "contrib/gridftp/doc/adding.md").read_text(encoding="utf-8")
    _, _, section = text.partition("\n## A sweep\n")
    section, _, _ = section.partition("\n## ")
    code = [line[4:] for line in section.splitlines() if not line.strip() or line[:4] == " " * 4]
    told = re.search(r"here ([\dx ]+) = ([\d,]+)", section)
    sizes = [int(size) for size in told[1].split(" x ")]
    spec = load(tmp_path, "\n".join(code), table)
    assert len(spec.planned) == math.prod(sizes) == int(told[2].replace(",", ""))
    answers = resolve(tmp_path, [spec])
    assert [answer for answer in answers if "status" in answer] == []
