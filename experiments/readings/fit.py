"""Costs of a host from readings of it: CPU time as a sum of what happened times what each costs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from analysis.statistics.nnls import nnls

from .costs import COSTS, Cost
from .modules import MODULES
from .reading import Reading

TOLD_APART = 0.02
"""A cost is told apart from others where its rate differs from every mix of theirs by this share of
itself, or more: rates of readings are no better than a percent or two."""

MENTIONED = 0.1
"""Of a rate that is a mix of others: those that make up less of it are not named."""

TOTAL = "all"
"""In place of a module: the CPU time of readings that have no file of perf."""

FITTED = "fitted"
ZERO = "zero"
NOT_APART = "not distinguishable"
ABSENT = "absent"
UNKNOWN = "unknown"


@dataclass(frozen=True)
class FittedCost:
    """What readings tell of a cost.

    Attributes:
        cost: which.
        state: `FITTED`; `ZERO`, fitted and best at none; `NOT_APART` from others, which have its
            time; `ABSENT`, as nothing of it was in the readings; `UNKNOWN`, as a reading does not
            tell how often it came up.
        seconds: CPU time for one; 0 where it is not fitted.
        error: standard error of ``seconds``; None where there are no more equations than unknowns.
        others: costs that it is not distinguishable from.
        holders: those of them that have its time.
    """

    cost: Cost
    state: str
    seconds: float = 0.0
    error: float | None = None
    others: tuple[str, ...] = ()
    holders: tuple[str, ...] = ()


@dataclass(frozen=True)
class FitRow:
    """An equation.

    Attributes:
        reading: the run.
        module: whose CPU time, or `TOTAL`.
        measured: CPU seconds per second.
        fitted: what the costs make of it.
    """

    reading: str
    module: str
    measured: float
    fitted: float

    @property
    def residual(self) -> float:
        """What the costs do not explain, CPU seconds per second."""
        return self.measured - self.fitted


@dataclass(frozen=True)
class Fit:
    """The costs of one end's host.

    Attributes:
        end: sender or receiver.
        readings: what they were fitted to, those of an idle host left out.
        costs: all of `COSTS`.
        rows: the equations.
        unexplained: modules whose CPU time no cost explains in these readings, and how much of it
            there is, CPU seconds per second, at most.
        idle: CPU seconds per second of the idle host, which were subtracted from `TOTAL`.
    """

    end: str
    readings: tuple[Reading, ...]
    costs: tuple[FittedCost, ...]
    rows: tuple[FitRow, ...]
    unexplained: tuple[tuple[str, float], ...]
    idle: float | None

    def modules(self) -> list[str]:
        """Return the modules that have equations, in order."""
        seen = {row.module for row in self.rows}
        return [name for name in (*MODULES, TOTAL) if name in seen]

    def r2(self, module: str | None = None) -> float | None:
        """Return R^2, the share of the differences between readings that the costs explain.

        Args:
            module: of whose CPU time; None: of each one's around its mean, all together.

        Returns:
            None where there are no differences, or costs are as many as equations, so that any
            readings would fit.
        """
        modules = self.modules() if module is None else [module]
        rows = [row for row in self.rows if row.module in modules]
        used = [one for one in self.costs if one.state in (FITTED, ZERO)]
        if module not in (None, TOTAL):
            used = [one for one in used if one.cost.module == module]
        if len(rows) <= len(used):
            return None
        spread = 0.0
        for name in modules:
            values = np.array([row.measured for row in rows if row.module == name])
            spread += float(((values - values.mean()) ** 2).sum())
        error = sum(row.residual**2 for row in rows)
        # Readings that are alike but for rounding have no differences to explain.
        largest = max((abs(row.measured) for row in rows), default=0.0)
        return None if spread <= (1e-9 * largest) ** 2 else 1 - error / spread


@dataclass(frozen=True)
class _Equations:
    """The system: a row for each reading and module, a column for each cost."""

    matrix: np.ndarray
    measured: np.ndarray
    names: tuple[tuple[str, str], ...]


def fit(end: str, readings: Sequence[Reading], idle: Sequence[Reading] = ()) -> Fit:
    """Return the costs that explain the CPU time of readings best; none is negative.

    A reading with a file of perf is an equation for each module, one without is an equation for all
    costs together, from whose CPU time that of the idle host is subtracted.

    Args:
        end: sender or receiver.
        readings: of one host at this end, one or more.
        idle: of the same host without a transfer.
    """
    known = {cost.name: _rates_of(cost, readings) for cost in COSTS}
    usable = [cost for cost in COSTS if (rates := known[cost.name]) is not None and any(rates)]
    at_rest = float(np.mean([one.busy for one in idle])) if idle else None
    equations = _equations(readings, usable, at_rest or 0.0)
    kept = _told_apart(equations)
    matrix = equations.matrix[:, kept]
    solved = _solve(matrix, equations.measured)
    residuals = equations.measured - matrix @ solved
    errors = _errors(matrix, residuals, solved, [module for _, module in equations.names])
    values = {usable[column].name: solved[place] for place, column in enumerate(kept)}
    costs: list[FittedCost] = []
    for cost in COSTS:
        if cost not in usable:
            state = UNKNOWN if known[cost.name] is None else ABSENT
            costs.append(FittedCost(cost, state))
            continue
        column = usable.index(cost)
        value = float(values.get(cost.name, 0.0))
        rest = [one for one in kept if one != column]
        mix = _mix(equations.matrix, column, rest, TOLD_APART if column in kept else math.inf)
        if value == 0 and mix:
            others = tuple(usable[one].name for one in mix)
            holders = tuple(name for name in others if values[name] > 0)
            costs.append(FittedCost(cost, NOT_APART, others=others, holders=holders))
        else:
            error = errors[kept.index(column)]
            costs.append(FittedCost(cost, FITTED if value > 0 else ZERO, value, error))
    rows = tuple(
        FitRow(reading, module, float(measured), float(measured - residual))
        for (reading, module), measured, residual in zip(
            equations.names, equations.measured, residuals, strict=True
        )
    )
    return Fit(end, tuple(readings), tuple(costs), rows, _unexplained(readings, usable), at_rest)


def _rates_of(cost: Cost, readings: Sequence[Reading]) -> list[float] | None:
    """Return how often a cost comes up in each reading; None where one does not tell."""
    rates = [cost.rate(one.rates) for one in readings]
    told = [rate for rate in rates if rate is not None]
    return told if len(told) == len(rates) else None


def _equations(readings: Sequence[Reading], usable: Sequence[Cost], at_rest: float) -> _Equations:
    rows: list[list[float]] = []
    measured: list[float] = []
    names: list[tuple[str, str]] = []
    for one in readings:
        for module in _modules_of(one, usable):
            mine = [module in (cost.module, TOTAL) for cost in usable]
            rates = [cost.rate(one.rates) or 0.0 for cost in usable]
            rows.append([rate if own else 0.0 for rate, own in zip(rates, mine, strict=True)])
            names.append((one.name, module))
            total = one.modules is None
            rest = 0.0 if one.is_own else at_rest
            measured.append(one.busy - rest if total else one.modules[module])
    return _Equations(np.array(rows), np.array(measured), tuple(names))


def _modules_of(reading: Reading, usable: Sequence[Cost]) -> list[str]:
    if reading.modules is None:
        return [TOTAL]
    explained = {cost.module for cost in usable}
    return [module for module in MODULES if module in explained]


def _told_apart(equations: _Equations) -> list[int]:
    """Return the columns to fit: all but those that are mixes of others, the last ones first.

    One that is a mix of others stays where these cannot have its time, as they would be negative.
    """
    kept = list(range(equations.matrix.shape[1]))
    most = _misfit(equations, kept) + TOLD_APART * float(np.linalg.norm(equations.measured))
    for column in reversed(kept):
        rest = [one for one in kept if one != column]
        if _mix(equations.matrix, column, rest, TOLD_APART) and _misfit(equations, rest) <= most:
            kept = rest
    return kept


def _mix(matrix: np.ndarray, column: int, others: Sequence[int], most: float) -> list[int]:
    """Return the columns that a column is a mix of; none where it differs by `most` or more."""
    if not others:
        return []
    columns = matrix / np.linalg.norm(matrix, axis=0)
    basis = columns[:, others]
    parts = np.linalg.lstsq(basis, columns[:, column], rcond=None)[0]
    if np.linalg.norm(columns[:, column] - basis @ parts) >= most:
        return []
    least = min(MENTIONED, float(abs(parts).max()))
    return [one for one, part in zip(others, parts, strict=True) if abs(part) >= least]


def _misfit(equations: _Equations, kept: Sequence[int]) -> float:
    matrix = equations.matrix[:, kept]
    error = equations.measured - matrix @ _solve(matrix, equations.measured)
    return float(np.linalg.norm(error))


def _solve(matrix: np.ndarray, measured: np.ndarray) -> np.ndarray:
    """Return what is not negative and explains what was measured best."""
    scale = np.linalg.norm(matrix, axis=0)
    return nnls(matrix / scale, measured) / scale


def _errors(
    matrix: np.ndarray, residuals: np.ndarray, solved: np.ndarray, modules: Sequence[str]
) -> list[float | None]:
    """Return the standard error of each unknown; those at zero have none.

    Modules have no cost in common, so that each has residuals of its own, but where an equation is
    of all of them.
    """
    names = {TOTAL} if TOTAL in modules else set(modules)
    errors: list[float | None] = [None] * len(solved)
    for name in names:
        rows = np.array([name in (module, TOTAL) for module in modules])
        free = (solved > 0) & matrix[rows].any(axis=0)
        beyond = int(rows.sum()) - int(free.sum())
        if beyond <= 0 or not free.any():
            continue
        part, left = matrix[np.ix_(rows, free)], residuals[rows]
        scale = np.linalg.norm(part, axis=0)
        inverse = np.linalg.pinv((part / scale).T @ (part / scale))
        deviations = np.sqrt(np.diag(inverse) * (left @ left) / beyond) / scale
        for place, deviation in zip(np.flatnonzero(free), deviations, strict=True):
            errors[place] = float(deviation)
    return errors


def _unexplained(
    readings: Sequence[Reading], usable: Sequence[Cost]
) -> tuple[tuple[str, float], ...]:
    explained = {cost.module for cost in usable}
    told = [one.modules for one in readings if one.modules is not None]
    most = {
        module: max((modules[module] for modules in told), default=0.0)
        for module in MODULES
        if module not in explained
    }
    return tuple((module, value) for module, value in most.items() if value > 0)
