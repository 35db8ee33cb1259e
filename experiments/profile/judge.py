"""Which limit holds a transfer: what to simulate for that, and what the results say.

In turn, each as soon as the results before it are there:

1. the transfer as it is;
2. without one of its limits, each of them lifted alone. The one whose lifting raises goodput most
   is named, if that is by more than a threshold;
3. all lifted together; and where that is worth far more than any of them alone, all but one of
   them. Limits each of which holds the transfer where it is are named together: two equal disks;
4. the named ones lifted together; where that gives nothing, with each other limit, too, as one of
   them would hold the transfer next;
5. what is advised for all of these.

Everything is a function of the results so far, so that an interrupted profile goes on.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from analysis.read.results import total_goodput_bps

from .case import Case
from .limit import Options
from .limits import BY_NAME, LIMITS

THRESHOLD = 0.05
"""A limit holds a transfer if it gains a larger share than this without it."""

NEAR = 0.02
"""Goodputs that differ by a smaller share are taken for the same."""

HELD = 0.2
"""A limit holds a transfer with all others lifted if that gains no more than this share of what it
gains without it, too."""

ENOUGH = 0.8
"""The first change advised that gains this share of what the best one does is the one that is told:
those that come first are easier."""

CAUSE = 2
"""What helps against other limits, too, is named if it gains more than so many times what lifting
any of those does."""

MOST = 3
"""Where all limits lifted give more than so many times what the best one alone gives, several of
them are looked for that hold the transfer at the same rate."""

AS_IS = "as it is"
ALL = "all lifted"

Known = Mapping[str, Mapping[str, Any] | None]
"""Results by what was tried; None where it cannot be simulated."""


@dataclass(frozen=True)
class Tried:
    """One change that was simulated.

    Attributes:
        what: that was tried.
        options: that were changed.
        goodput_bps: that came out.
        gain: the share that this is more than as it is.
    """

    what: str
    options: Options
    goodput_bps: float
    gain: float


@dataclass(frozen=True)
class Finding:
    """What is known of one transfer.

    Attributes:
        case: the transfer.
        limits: that hold it, by name; more than one where each does alone; none.
        gain: without them, a share.
        evidence: a sentence for each of them; where there is none, why.
        lifted: what each limit would give, lifted alone, in the order of `LIMITS`.
        advised: the change to make; None where nothing helps.
        candidates: all changes that were tried as advice.
    """

    case: Case
    limits: tuple[str, ...]
    gain: float
    evidence: tuple[str, ...]
    lifted: Sequence[Tried]
    advised: Tried | None
    candidates: Sequence[Tried]

    @property
    def name(self) -> str:
        """The limits in words."""
        return " and ".join(self.limits) or "none"


class Inquiry:
    """One transfer, from the first question to the answer.

    Args:
        scenario: of the transfer, resolved.
        known: results so far.
        threshold: as `THRESHOLD`.
    """

    def __init__(
        self, scenario: Mapping[str, Any], known: Known, threshold: float = THRESHOLD
    ) -> None:
        self._known = known
        self._threshold = threshold
        base = known.get(AS_IS)
        self.case = None if base is None else Case(scenario, base)
        self._liftable = {} if self.case is None else _lifts(self.case)
        self._lifts = {
            n: ways for n, ways in self._liftable.items() if BY_NAME[n].is_met(self.case)
        }

    # ---- What to simulate -------------------------------------------------------------------

    def wanted(self) -> dict[str, Options]:
        """Return all that is to be simulated as far as one can tell now: the changes, by label."""
        wanted: dict[str, Options] = {AS_IS: {}}
        if self.case is None:
            return wanted
        steps = (self._alone, self._together, self._without_named, self._with_another, self._advice)
        for step in steps:
            if not self._have(wanted):
                break
            wanted |= step()
        return wanted

    def _have(self, wanted: Mapping[str, Options]) -> bool:
        return wanted.keys() <= self._known.keys()

    def _alone(self) -> dict[str, Options]:
        """Return each limit lifted."""
        wanted: dict[str, Options] = {}
        for name, lifts in self._lifts.items():
            wanted |= _ways(_without([name]), [lifts])
        return wanted

    def _together(self) -> dict[str, Options]:
        """Return all limits lifted, and all but one where that says more than one limit alone."""
        if len(self._liftable) < 2:
            return {}
        wanted = self._all_but(None)
        if self._have(wanted) and self._hidden():
            for name in self._lifts:
                if not BY_NAME[name].is_remedy:
                    wanted |= self._all_but(name)
        return wanted

    def _hidden(self) -> bool:
        """Return whether most of what all limits lifted give is given by none of them alone."""
        alone = self._named_alone()
        gained = self._best(_without([alone])) / self.case.goodput_bps - 1 if alone else 0
        return self._best(ALL) / self.case.goodput_bps - 1 > max(self._threshold, MOST * gained)

    def _all_but(self, kept: str | None) -> dict[str, Options]:
        """Yield all limits lifted but one: the first way of each together, the second one, ..."""
        lifts = [
            lifts
            for name, lifts in self._liftable.items()
            if name not in _with_whole(kept) and not BY_NAME[name].is_remedy
        ]
        return _ways(ALL if kept is None else _all_but(kept), lifts)

    def _without_named(self) -> dict[str, Options]:
        """Return the named limits lifted; the same as before where it is one."""
        named = self._named()
        return _ways(_without(named), self._ways_of(named))

    def _with_another(self) -> dict[str, Options]:
        """Return the named limits lifted with each other one, where they alone give nothing."""
        named = self._named()
        if not named or self._gains(_without(named)):
            return {}
        wanted: dict[str, Options] = {}
        for name, ways in self._liftable.items():
            if name not in named and not BY_NAME[name].is_remedy:
                wanted |= _ways(_without([*named, name]), [*self._ways_of(named), ways])
        return wanted

    def _to_be_changed(self) -> tuple[str, ...]:
        """Return the named limits, and the next one where without it they give nothing."""
        named = self._named()
        if not named or self._gains(_without(named)):
            return named
        others = [name for name in self._liftable if name not in named]
        best = max(others, key=lambda name: self._best(_without([*named, name])), default=None)
        return (*named, best) if best and self._gains(_without([*named, best])) else named

    def _advice(self) -> dict[str, Options]:
        """Return what is advised for the named limits."""
        changed = self._to_be_changed()
        free = self._best(_without(changed))
        return _ways("advice", [BY_NAME[name].advice(self.case, free) for name in changed])

    # ---- What the results say ---------------------------------------------------------------

    def finding(self) -> Finding | None:
        """Return what is known in the end; None where the transfer failed, or more is to do."""
        if self.case is None or not self._have(wanted := self.wanted()):
            return None
        named, changed = self._named(), self._to_be_changed()
        candidates = [
            self._tried(label, options)
            for label, options in wanted.items()
            if label.startswith("advice") and self._known[label] is not None
        ]
        return Finding(
            self.case,
            named,
            self._best(_without(changed)) / self.case.goodput_bps - 1 if named else 0.0,
            (*(BY_NAME[name].evidence(self.case) for name in named), *self._why(changed)),
            [self._lifted(name) for name in self._lifts if self._best(_without([name]))],
            self._chosen(changed, candidates),
            candidates,
        )

    def _why(self, changed: Sequence[str]) -> tuple[str, ...]:
        """Return what is to be said where nothing is named, or more is to be changed than that."""
        named = self._named()
        if named:
            said = "lifting this alone gains nothing, because {} is the next limit"
            return tuple(said.format(name) for name in changed[len(named) :])
        rest = "the tool sets up its connection and its rate grows"
        if "tcp" in self.case.session:
            rest = f"{self.case.connections} connections are set up and their windows grow"
        best = self._best(ALL)
        if not best:
            return (f"lifting any single limit gains less than {self._threshold:.0%}: {rest}",)
        gain = best / self.case.goodput_bps - 1
        return (f"lifting all limits together gains {gain:.1%}: {rest}",)

    def _chosen(self, changed: Sequence[str], candidates: Sequence[Tried]) -> Tried | None:
        """Return the easiest change of those that gain nearly as much as the best.

        Where none helps, it is to do without what holds the transfer, if that does.
        """
        best = max((one.gain for one in candidates), default=0)
        if best > self._threshold:
            return next(one for one in candidates if one.gain >= ENOUGH * best)
        if not changed or not self._gains(_without(changed)):
            return None
        label = max(self._labels(_without(changed)), key=self._goodput)
        return self._tried(label, _ways(_without(changed), self._ways_of(changed))[label])

    def _ways_of(self, names: Sequence[str]) -> list[Sequence[Options]]:
        return [self._liftable[name] for name in names]

    def _gains(self, what: str) -> bool:
        return self._best(what) > self.case.goodput_bps * (1 + self._threshold)

    def _lifted(self, name: str) -> Tried:
        """Return what one limit gives, lifted alone, in the way that gives most."""
        labels = self._labels(_without([name]))
        best = max(labels, key=self._goodput)
        return self._tried(best, self._alone()[best], _without([name]))

    def _tried(self, label: str, options: Options, what: str = "") -> Tried:
        goodput = self._goodput(label)
        return Tried(what or label, options, goodput, goodput / self.case.goodput_bps - 1)

    def _named(self) -> tuple[str, ...]:
        alone = self._named_alone()
        together = self._named_together() if self._hidden() else ()
        if alone and (alone in together or not together):
            return (alone,)
        return together

    def _named_alone(self) -> str | None:
        """Return the limit whose lifting raises goodput most; None where that is by too little."""
        goodputs = {name: self._of_its_own(name) for name in self._lifts}
        causes = {n: goodput for n, goodput in goodputs.items() if not BY_NAME[n].is_remedy}
        best, most = max(causes.values(), default=0), max(goodputs.values(), default=0)
        base = self.case.goodput_bps
        if most <= base * (1 + self._threshold):
            return None
        chosen, best = (goodputs, most) if most - base > CAUSE * (best - base) else (causes, best)
        return next(name for name, goodput in chosen.items() if goodput >= best * (1 - NEAR))

    def _of_its_own(self, name: str) -> float:
        """Return the goodput without a limit, as far as it comes from that limit itself."""
        most = self.case.goodput_bps * (1 + BY_NAME[name].most_gain(self.case))
        return min(self._best(_without([name])), most)

    def _named_together(self) -> tuple[str, ...]:
        """Return the limits each of which holds the transfer when all others are lifted."""
        base, free = self.case.goodput_bps, self._best(ALL)
        held = base + max(HELD * (free - base), self._threshold * base)
        kept = {name: self._best(_all_but(name)) for name in self._lifts}
        holding = [name for name, goodput in kept.items() if 0 < goodput <= held]
        # What is within one that holds by itself was kept with that.
        return tuple(name for name in holding if BY_NAME[name].within not in holding)

    def _best(self, what: str) -> float:
        """Return the most that one of the ways to do something gives; 0 where none is known."""
        return max(map(self._goodput, self._labels(what)), default=0.0)

    def _labels(self, what: str) -> list[str]:
        """Return the labels of the ways to do something that have results."""
        numbered = (_numbered(what, number) for number in itertools.count())
        there = itertools.takewhile(self._known.__contains__, numbered)
        return [label for label in there if self._known[label] is not None]

    def _goodput(self, label: str) -> float:
        return total_goodput_bps(self._known[label])


def _lifts(case: Case) -> dict[str, Sequence[Options]]:
    """Return the limits that a transfer has, with the ways to lift each."""
    has = [limit for limit in LIMITS if all(part in case.session for part in limit.parts)]
    lifts = {limit.name: limit.lift(case) for limit in has}
    return {name: ways for name, ways in lifts.items() if ways}


def _without(names: Sequence[str]) -> str:
    return f"without {' and '.join(names)}"


def _with_whole(name: str | None) -> tuple[str, ...]:
    """Return a limit, and the one whose lifting lifts it, too."""
    return () if name is None else (name, BY_NAME[name].within)


def _all_but(name: str) -> str:
    return f"all but {name} lifted"


def _ways(what: str, ways: Sequence[Sequence[Options]]) -> dict[str, Options]:
    """Return the first way to do each of several things together, the second one, and so on.

    Args:
        what: is done by it; the labels begin so.
        ways: to do each of them; of one that has fewer, the last one goes with all that follow.
    """
    merged: list[Options] = []
    for number in range(max(map(len, ways), default=0)):
        options: dict[str, Any] = {}
        for own in filter(None, ways):
            options = _both(options, own[min(number, len(own) - 1)])
        if options not in merged:
            merged.append(options)
    return {_numbered(what, number): options for number, options in enumerate(merged)}


def _both(some: Options, others: Options) -> dict[str, Any]:
    """Return two changes together; of a list, what remains after both."""
    together = {**some, **others}
    for name in some.keys() & others.keys():
        if isinstance(some[name], list):
            together[name] = [one for one in some[name] if one in others[name]]
    return together


def _numbered(what: str, number: int) -> str:
    """Return the label of the n-th way of doing something."""
    return f"{what}, {number + 1}" if number else what
