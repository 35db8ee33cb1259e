"""What all figures have in common."""

from __future__ import annotations

import sys
from pathlib import Path

from analysis.drawing import style
from analysis.read import tuners

sys.path.insert(0, str(Path(__file__).parents[1] / "data"))
import swept


def test_axes_have_no_box_and_a_light_grid_behind_the_data() -> None:
    with style.styled():
        axes = style.new_figure(3, 2).subplots()
        axes.plot([0, 1], [0, 1])
    seen = {name for name, spine in axes.spines.items() if spine.get_visible()}
    assert seen == {"left", "bottom"}
    lines = [*axes.get_xgridlines(), *axes.get_ygridlines()]
    assert all(line.get_visible() for line in lines)
    assert max(line.get_zorder() for line in lines) <= axes.get_lines()[0].get_zorder()


def test_text_is_paths_in_svg_and_a_font_in_pdf() -> None:
    with style.styled():
        figure = style.new_figure(3, 2)
        figure.subplots().set_title("Goodput")
        svg, pdf = (style.render(figure, kind) for kind in ("svg", "pdf"))
    assert b"<!-- Goodput -->" in svg
    assert b"<text" not in svg
    # Type 42: a TrueType font as it is, which other programs can edit
    assert b"/FontFile2" in pdf
    assert b"/Subtype /Type3" not in pdf


def test_no_label_is_cut_off_where_text_is_drawn_finer_than_on_a_screen() -> None:
    with style.styled():
        figure = style.new_figure(8, 2)
        axes = figure.subplots()
        axes.set_yticks([0], ["random loss, 1 in 10,000 (calibrated)"], fontsize=7.5)
        style.render(figure, "png")
        figure.set_dpi(style.RC["savefig.dpi"])
        assert axes.get_yticklabels()[0].get_window_extent().x0 >= 0


def test_conditions_tell_n_only_of_modes_whose_differences_are_known() -> None:
    scenario = {**swept.SCENARIO, "mode": "fixed"}
    assert "N = 1" not in style.conditions(scenario, "segment", {"eta"})
    if tuners.declared():
        assert "N = 1" in style.conditions(scenario, "segment", {"delay_s"}, ["fixed"])
        assert "eta" not in style.conditions(scenario, "segment", {"delay_s"}, ["fixed"])
