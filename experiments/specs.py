"""What is simulated for which figure.

Only what a run differs in from the program's defaults is named.
"""

from __future__ import annotations

from dataclasses import dataclass

PROGRAM = "gridftp-transfer"


@dataclass(frozen=True)
class Spec:
    """One simulation.

    Attributes:
        name: what its result is kept under.
        options: the program's options.
    """

    name: str
    options: tuple[str, ...]


MODES = tuple(Spec(mode, (f"--mode={mode}",)) for mode in ("mi", "mi-plus", "aimd"))

FIGURES: dict[int, tuple[Spec, ...]] = {3: MODES, 4: MODES}
"""The simulations each figure of Ito et al. is drawn from."""


def specs_for(figures: list[int]) -> list[Spec]:
    """Return the simulations of the figures, each once."""
    return list(dict.fromkeys(spec for figure in figures for spec in FIGURES[figure]))
