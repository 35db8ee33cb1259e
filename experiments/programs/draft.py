"""A scenario as a person writes it: option texts, a command line, an address of the lab.

`lab/page/address` has the same for the page; tests/lab/test_lab_draft.py holds one against the
other.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any
from urllib.parse import quote

from . import amounts
from .option_table import Option, OptionTable

LAB_HOST = "127.0.0.1"
LAB_PORT = 8000
USUAL_LAB = f"http://{LAB_HOST}:{LAB_PORT}/"
"""Where ``./gridftp lab`` serves the lab, unless it is told another port."""

_LISTS = {"session": "sessions", "background": "background", "fault": "faults"}
"""Options that are given again and again, and what a line of a batch calls each list of them."""

_UNITS = {"bit/s": amounts.rate, "bytes": amounts.any_size, "s": amounts.time}
"""How a number is written that the command line takes with its unit."""


@dataclass(frozen=True)
class Draft:
    """A scenario, flat.

    Attributes:
        texts: option texts by option name, only what is not the default, or where the default
            depends on another option.
        session: further sessions, ``mode=aimd,delay=30ms``.
        background: background connections, likewise.
        fault: what goes wrong, likewise.
    """

    texts: Mapping[str, str]
    session: Sequence[str] = ()
    background: Sequence[str] = ()
    fault: Sequence[str] = field(default=())

    def given(self) -> Iterator[tuple[str, str]]:
        """Yield option and text, in the order of a command line."""
        yield from self.texts.items()
        for name in _LISTS:
            yield from ((name, text) for text in getattr(self, name))

    def line(self) -> dict[str, Any]:
        """Return it as a line of a batch."""
        items = {name: list(map(_item, getattr(self, name))) for name in _LISTS}
        first = [{}] if items["session"] else []
        items["session"] = [*first, *items["session"]]
        return {**self.texts, **{_LISTS[name]: some for name, some in items.items() if some}}


def draft_of(line: Mapping[str, Any], table: OptionTable) -> Draft | None:
    """Return a line of a batch, flat; None if it has what only a batch can say.

    Args:
        line: options by name as texts, or by the scenario's key in SI units.
        table: the options.
    """
    by_key = {option.key: option for option in table.options.values()}
    lists: dict[str, list[Mapping[str, Any]]] = {name: [] for name in _LISTS.values()}
    texts = {}
    for name, value in line.items():
        option = table[name] if name in table else by_key[name]
        if option.kind != "list":
            texts[option.name] = _text(option, value)
        elif option.name in lists:
            lists[option.name] = value
        elif value:
            return None
    own, *further = lists["sessions"] or [{}]
    if "delay" in own:
        return None  # flat, it would be that of the path
    usual = {name: texts.get(name, table[name].default(texts)) for name in own}
    texts |= {name: str(value) for name, value in own.items()}
    same = {_ANY: texts.get(_ANY, table[_ANY].default(texts))}
    order = [name for name in table.names() if name in texts]
    return Draft(
        {name: texts[name] for name in order if _is_said(table[name], texts)},
        # On a command line a further session is as the first one, in a batch as the flat texts say.
        [_flat({**usual, **item} or same) for item in further],
        [_flat(item or same) for item in lists["background"]],
        [_flat(item) for item in lists["faults"]],
    )


def command_line(draft: Draft) -> str:
    """Return the command that simulates it."""
    return shlex.join(["./gridftp", "run", *(f"--{name}={text}" for name, text in draft.given())])


def lab_address(draft: Draft, lab: str = USUAL_LAB) -> str:
    """Return where a lab shows it.

    Args:
        draft: the scenario.
        lab: address of its page.
    """
    return f"{lab}{lab_state(draft)}"


def lab_state(draft: Draft, **page: str) -> str:
    """Return the part of an address of the lab, wherever it is served, that shows it.

    Args:
        draft: the scenario.
        page: what else the address says of the page: ``t``, ``speed``, ``view``, ...
    """
    given = [*draft.given(), *page.items()]
    return "#" + "&".join(f"{name}={quote(text, safe=_PLAIN)}" for name, text in given)


_PLAIN = "-_.!~*'(),:"
"""What the page leaves as it is, beside letters and digits."""


_ANY = "tcp"
"""What is told of a further session or connection that is as the flat texts say: an option that
each has, as the command line takes no empty one."""


def _is_said(option: Option, texts: Mapping[str, str]) -> bool:
    """Return whether an address names an option: it is not the default, or that may not be sure."""
    return option.variant(texts) is not None or texts[option.name] != option.example


def _text(option: Option, value: Any) -> str:
    """Return a value as the command line takes it."""
    if isinstance(value, str):
        return value
    if value == option.usual:
        return option.example
    if isinstance(value, bool):
        return "on" if value else "off"
    if option.unit in _UNITS and not option.is_plain:
        return _UNITS[option.unit](value)
    number = format(Decimal(str(value)), "f")
    return number if option.is_plain else f"{number}{option.unit[:1]}"


def _flat(item: Mapping[str, Any]) -> str:
    return ",".join(f"{name}={value}" for name, value in item.items())


def _item(text: str) -> dict[str, str]:
    return dict(word.split("=", 1) for word in text.split(","))
