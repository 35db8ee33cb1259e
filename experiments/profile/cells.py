"""The transfers of a profile, and what is still to be simulated of them."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..errors import UserError
from ..programs.amounts import LARGEST_BUFFER, size
from ..programs.program import Program
from ..programs.resolve import answers_to, refused, resolve_lines
from ..spec.blocks import Planned
from ..spec.matrix import AUTO_TUNED, DEFAULT, PRODUCT, STACK, TODAY
from .case import LINUX, product_bytes
from .judge import AS_IS, THRESHOLD, Finding, Inquiry

BUFFER = "TCP buffer"
"""What `Cell.axes` calls the options of a TCP buffer together."""

_BUFFER_OPTIONS = ("buffers", "window")


@dataclass(frozen=True)
class Cell:
    """One transfer of a profile.

    Attributes:
        number: from 1, in the order of the spec.
        axes: what differs between the transfers, by name.
        line: its options, as a line of a batch.
    """

    number: int
    axes: Mapping[str, str]
    line: Mapping[str, Any]

    def label(self, what: str) -> str:
        """Return what a simulation of it is called."""
        return f"{self.number}: {what}"


@dataclass
class Profile:
    """Transfers, and what is known of them so far.

    Attributes:
        program: that simulates.
        cells: the transfers.
        threshold: as `judge.THRESHOLD`.
    """

    program: Program
    cells: Sequence[Cell]
    threshold: float = THRESHOLD
    _scenarios: dict[int, Mapping[str, Any]] = field(default_factory=dict)
    _known: dict[int, dict[str, Mapping[str, Any] | None]] = field(default_factory=dict)

    def take(
        self,
        cell: Cell,
        what: str,
        scenario: Mapping[str, Any],
        result: Mapping[str, Any] | None,
    ) -> None:
        """Take how a simulation has ended; None: not well, or not as it was asked for."""
        if what == AS_IS:
            self._scenarios[cell.number] = scenario
        self._known.setdefault(cell.number, {})[what] = result

    def missing(self) -> list[tuple[Cell, str, Mapping[str, Any]]]:
        """Return what is to be simulated now: which transfer, what of it, the line.

        Changes that the program refuses count as tried: not everything can be lifted everywhere.
        """
        found: list[tuple[Cell, str, Mapping[str, Any]]] = []
        waiting: Iterable[Cell] = self.cells
        while waiting:
            asked = [(cell, what, line) for cell in waiting for what, line in self._lacks(cell)]
            answers = answers_to(self.program, [line for *_, line in asked])
            waiting = {}
            for one, answer in zip(asked, answers, strict=True):
                cell, what, line = one
                if refused(answer):
                    if what == AS_IS:
                        raise UserError(f"{answer['reason']}, in {line}")
                    self.take(cell, what, {}, None)
                    waiting[cell.number] = cell
                else:
                    found.append(one)
            waiting = [cell for cell in waiting.values() if not self._lacks_any(cell, found)]
        return found

    def _lacks(self, cell: Cell) -> list[tuple[str, dict[str, Any]]]:
        known = self._known.get(cell.number, {})
        wanted = self._inquiry(cell).wanted()
        return [
            (what, {**cell.line, **options})
            for what, options in wanted.items()
            if what not in known
        ]

    def _lacks_any(self, cell: Cell, found: Iterable[tuple[Cell, str, Mapping[str, Any]]]) -> bool:
        return any(other.number == cell.number for other, *_ in found)

    def _inquiry(self, cell: Cell) -> Inquiry:
        scenario = self._scenarios.get(cell.number, {})
        return Inquiry(scenario, self._known.get(cell.number, {}), self.threshold)

    def findings(self) -> list[tuple[Cell, Finding | None]]:
        """Return each transfer with what is known of it in the end, None for one that failed."""
        return [(cell, self._inquiry(cell).finding()) for cell in self.cells]


def cells_of(program: Program, planned: Sequence[Planned]) -> list[Cell]:
    """Return the transfers that a spec declares, each once.

    Of replications it is the first one, and engine segment simulates all of them. Buffers of the
    bandwidth-delay product get their size from the path. Where the spec does not name a stack, the
    hosts are those of today, unless these do not model what the spec has: a line on standard error
    says so then.

    Raises:
        UserError: the program refuses one.
    """
    lines: dict[str, dict[str, Any]] = {}
    for one in planned:
        line = {name: value for name, value in one.line.items() if name not in ("run", "engine")}
        lines.setdefault(repr(sorted(line.items())), {**line, "run": one.line["run"]})
    asked = _with_stack(program, list(lines.values()))
    sized = _with_products(program, asked)
    names = _that_differ(asked)
    return [
        Cell(number, {name: _told(line, name) for name in names}, own)
        for number, (line, own) in enumerate(zip(asked, sized, strict=True), 1)
    ]


def _with_stack(program: Program, lines: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return lines with the stack that `TODAY` stands for: the same for all of them."""
    if all(line.get(STACK) != TODAY for line in lines):
        return list(lines)
    today = [{**line, STACK: LINUX} for line in lines]
    answers = answers_to(program, [_without_product(line) for line in today])
    reason = next((answer["reason"] for answer in answers if refused(answer)), None)
    if reason is None:
        return today
    classic = [{name: line[name] for name in line if name != STACK} for line in lines]
    resolve_lines(program, [_without_product(line) for line in classic])
    sys.stderr.write(f"gridftp profile: all transfers have --stack=classic: {reason}\n")
    return classic


def _without_product(line: Mapping[str, Any]) -> dict[str, Any]:
    """Return a line without a window whose size is not known yet."""
    return {name: value for name, value in line.items() if (name, value) != ("window", PRODUCT)}


def _with_products(program: Program, lines: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return lines with sizes for windows of the bandwidth-delay product."""
    plain = [_without_product(line) for line in lines]
    scenarios = resolve_lines(program, plain)
    return [
        {**own, "window": size(min(product_bytes(scenario), LARGEST_BUFFER))}
        if line.get("window") == PRODUCT
        else own
        for line, own, scenario in zip(lines, plain, scenarios, strict=True)
    ]


def _that_differ(lines: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return what differs between lines, in the order in which a spec has it."""
    names = dict.fromkeys(
        BUFFER if name in _BUFFER_OPTIONS else name
        for line in lines
        for name in line
        if name != "run"
    )
    return [name for name in names if len({_told(line, name) for line in lines}) > 1]


def _told(line: Mapping[str, Any], name: str) -> str:
    """Return the value that a line has for what differs."""
    if name != BUFFER:
        value = line.get(name, "")
        return value if isinstance(value, str) else repr(value)
    policy = line.get("buffers", "fixed")
    if policy == "fixed":
        return line.get("window", "")
    return DEFAULT if policy == AUTO_TUNED else policy
