"""Events of perf: which of those that a report has count the time of a CPU."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

CLOCKS = ("cycles", "ref-cycles", "cpu-clock", "task-clock")
"""Events that count time, by their first names."""

_ALIASES = {"cpu-cycles": "cycles", "cpu_cycles": "cycles"}

# pmu/event/modifiers or event:modifiers; perf adds :ppp and such automatically.
_EVENT = re.compile(r"(?:(?P<unit>[\w.-]+)/)?(?P<name>[\w-]+)/?(?P<modifiers>(?::?[A-Za-z]+)*)")
_GROUP = re.compile(r"(?:[\w ]*\{)?\s*(?P<members>.*?)\s*\}?")


@dataclass(frozen=True)
class Event:
    """An event as perf names it.

    Attributes:
        text: as in the report.
        unit: what counts it, as cpu_core and cpu_atom of a hybrid CPU; empty: the only one.
        clock: of `CLOCKS`; empty: it does not count time.
        of_user: whether it counts in user space.
        of_kernel: whether it counts in the kernel.
    """

    text: str
    unit: str
    clock: str
    of_user: bool
    of_kernel: bool

    @property
    def is_whole(self) -> bool:
        """Whether it counts all time of a CPU that is busy."""
        return bool(self.clock) and self.of_user and self.of_kernel


def event(text: str) -> Event:
    """Return an event from its name, such as ``cycles:ppp`` or ``cpu_core/cycles/Pu``.

    Of u, k, h and G (man perf-list) those that are named are all that is counted; with none of u,
    k and h all three are. G alone counts in guests only.
    """
    found = _EVENT.fullmatch(text)
    if found is None:
        return Event(text, "", "", of_user=True, of_kernel=True)
    name = _ALIASES.get(found["name"], found["name"])
    modifiers = set(found["modifiers"])
    levels = modifiers & set("ukh")
    is_guest = "G" in modifiers and "H" not in modifiers
    return Event(
        text,
        found["unit"] or "",
        name if name in CLOCKS and not is_guest else "",
        of_user=not levels or "u" in levels,
        of_kernel=not levels or "k" in levels,
    )


def events_of(text: str) -> list[Event]:
    """Return the events of a heading: one, or those of a group such as ``cycles, instructions``."""
    members = _GROUP.fullmatch(text)["members"]
    return [event(name.strip()) for name in members.split(", ")]


def of_time(events: Sequence[Event]) -> list[int]:
    """Return which of the events together count all time once; none if they do not.

    Several are those of one clock on the units of a hybrid CPU, or in user space and in the kernel.

    Args:
        events: of a report, each with samples.
    """
    for clock in sorted({one.clock for one in events if one.clock}, key=CLOCKS.index):
        of_clock = [number for number, one in enumerate(events) if one.clock == clock]
        units = list(dict.fromkeys(events[number].unit for number in of_clock))
        if only := [unit for unit in units if unit in ("", "cpu")]:
            units = only[:1]
        found = [
            _of_unit(events, [number for number in of_clock if events[number].unit == unit])
            for unit in units
        ]
        if all(found):
            return [number for numbers in found for number in numbers]
    return []


def _of_unit(events: Sequence[Event], numbers: list[int]) -> list[int]:
    whole = next((number for number in numbers if events[number].is_whole), None)
    if whole is not None:
        return [whole]
    user = next((number for number in numbers if events[number].of_user), None)
    kernel = next((number for number in numbers if events[number].of_kernel), None)
    return [] if user is None or kernel is None else [user, kernel]
