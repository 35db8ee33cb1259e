"""Cells, and what is marked of them."""

from __future__ import annotations

import pandas as pd

from analysis.drawing import heatmap, style


def test_the_border_of_a_region_is_all_edges_to_what_is_not_in_it() -> None:
    # Three cells in the corner of an L, in four rows of three.
    cells = pd.DataFrame([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 0, 0]]).astype(bool)
    with style.styled():
        axes = style.new_figure(3, 2).subplots()
        heatmap.frame(axes, cells)
    (lines,) = axes.collections
    edges = {tuple(map(tuple, segment.tolist())) for segment in lines.get_segments()}
    upright = {((x, y - 0.5), (x, y + 0.5)) for x, y in ((-0.5, 1), (0.5, 1), (-0.5, 2), (1.5, 2))}
    level = {((x - 0.5, y), (x + 0.5, y)) for x, y in ((0, 0.5), (1, 1.5), (0, 2.5), (1, 2.5))}
    assert edges == upright | level
