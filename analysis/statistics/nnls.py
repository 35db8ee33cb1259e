"""Least squares whose unknowns are not negative."""

from __future__ import annotations

import numpy as np


def nnls(matrix: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Return the x >= 0 for which ``matrix @ x`` is nearest to what is wanted.

    The active-set method of Lawson and Hanson, Solving Least Squares Problems (1974), chapter 23,
    algorithm NNLS: unknowns are let go from zero one by one, the one along which the error falls
    fastest first, and go back to zero where the solution of those that are free has them negative.

    Args:
        matrix: of full column rank, rows for equations.
        wanted: the right-hand side.
    """
    rows, columns = matrix.shape
    x = np.zeros(columns)
    free = np.zeros(columns, dtype=bool)
    # What rounding leaves of a gradient that is zero.
    scale = np.linalg.norm(matrix, axis=0) * max(np.linalg.norm(wanted), np.finfo(float).tiny)
    least = 10 * max(rows, columns) * np.finfo(float).eps * scale
    for _ in range(3 * columns):
        falls = matrix.T @ (wanted - matrix @ x)
        held = ~free & (falls > least)
        if not held.any():
            break
        free[np.argmax(np.where(held, falls, -np.inf))] = True
        x = _settled(matrix, wanted, x, free)
    return x


def _settled(matrix: np.ndarray, wanted: np.ndarray, x: np.ndarray, free: np.ndarray) -> np.ndarray:
    """Return the solution of the free unknowns, of which those in its way are held at zero."""
    while True:
        solved = np.zeros_like(x)
        solved[free] = np.linalg.lstsq(matrix[:, free], wanted, rcond=None)[0]
        negative = free & (solved <= 0)
        if not negative.any():
            return solved
        # As far towards the solution as none becomes negative; one at least becomes zero.
        steps = x[negative] / (x[negative] - solved[negative])
        x = x + steps.min() * (solved - x)
        reached = np.flatnonzero(negative)[steps == steps.min()]
        x[reached] = 0.0
        free[reached] = False
