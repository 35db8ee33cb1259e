"""Reading a table of TOML key by key: its type is checked, and unknown keys are refused."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf, isfinite
from typing import Any

from experiments.spec.places import Place

Scenario = Mapping[str, Any]
"""Option texts by name, and `sessions`, `background` and `faults`: a line of a batch."""

_LISTS = ("sessions", "background", "faults")
_NO_DEFAULT: Any = object()


@dataclass(frozen=True)
class Keys:
    """A table and where it stands.

    Attributes:
        data: what is in it.
        at: its place in the file.
    """

    data: Mapping[str, Any]
    at: Place

    def only(self, *known: str) -> Keys:
        """Return itself.

        Raises:
            UserError: it has a key that is none of these.
        """
        for key in self.data:
            if key not in known:
                raise (self.at / key).unknown(known)
        return self

    def __contains__(self, key: str) -> bool:
        """Return whether the key is there."""
        return key in self.data

    def take(self, key: str, kind: type | tuple[type, ...], allowed: str, default: Any) -> Any:
        """Return a value of that type, or the default.

        Raises:
            UserError: it is of another type; or missing, and there is no default.
        """
        if key not in self.data:
            if default is _NO_DEFAULT:
                raise (self.at / key).error(f'"{key}" is missing; allowed: {allowed}')
            return default
        value = self.data[key]
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise (self.at / key).bad(value, allowed)
        return value

    def text(self, key: str, default: Any = _NO_DEFAULT) -> str:
        """Return a text of one line that is not empty."""
        allowed = "a text of one line"
        value = self.take(key, str, allowed, default)
        if isinstance(value, str) and (not value.strip() or "\n" in value):
            raise (self.at / key).bad(value, allowed)
        return value

    def flag(self, key: str) -> bool:
        """Return whether the key is true; it need not be there."""
        return self.take(key, bool, "true or false", False)

    def number(
        self, key: str, low: float = -inf, high: float = inf, default: Any = _NO_DEFAULT
    ) -> float:
        """Return a number from `low` to `high`."""
        bounds = [f"{word} {end:g}" for word, end in (("from", low), ("to", high)) if isfinite(end)]
        allowed = " ".join(["a number", *bounds])
        value = self.take(key, (int, float), allowed, default)
        if value is not default and not (isfinite(value) and low <= value <= high):
            raise (self.at / key).bad(value, allowed)
        return value

    def numbers(self, key: str, count: int | None = None) -> list[float]:
        """Return a list of numbers, of so many if `count` says so."""
        allowed = f"a list of {count or 'two or more'} numbers"
        values = self.take(key, list, allowed, _NO_DEFAULT)
        good = all(isinstance(value, int | float) and isfinite(value) for value in values)
        if not good or any(isinstance(value, bool) for value in values):
            raise (self.at / key).bad(values, allowed)
        if len(values) != count and (count or len(values) < 2):
            raise (self.at / key).bad(values, allowed)
        return values

    def texts(self, key: str, default: Any = _NO_DEFAULT) -> list[str]:
        """Return a list of one text or more."""
        allowed = "a list of texts"
        values = self.take(key, list, allowed, default)
        if values is not default and not (values and all(isinstance(v, str) for v in values)):
            raise (self.at / key).bad(values, allowed)
        return values

    def one_of(self, key: str, words: Sequence[str], default: Any = _NO_DEFAULT) -> str:
        """Return one of the words."""
        value = self.take(key, str, ", ".join(words), default)
        if value is not default and value not in words:
            raise (self.at / key).bad(value, ", ".join(words))
        return value

    def table(self, key: str) -> Keys:
        """Return a table within it; an empty one if it is not there."""
        return Keys(self.take(key, dict, "a table", {}), self.at / key)

    def tables(self, key: str) -> list[Keys]:
        """Return a list of tables; an empty one if it is not there."""
        values = self.take(key, list, "a list of tables", [])
        if not all(isinstance(value, dict) for value in values):
            raise (self.at / key).bad(values, "a list of tables")
        return [Keys(value, self.at / key / place) for place, value in enumerate(values)]

    def scenario(self, key: str) -> dict[str, Any]:
        """Return a scenario: texts by option, and lists of such tables; empty if not there."""
        table = self.table(key)
        lists = {name: [dict(_options(one)) for one in table.tables(name)] for name in _LISTS}
        return {
            **dict(_options(table, but=_LISTS)),
            **{name: one for name, one in lists.items() if name in table},
        }


def _options(table: Keys, but: Sequence[str] = ()) -> Iterator[tuple[str, str]]:
    """Return option texts by name, each checked to be a text."""
    for name in table.data:
        if name not in but:
            allowed = "a text, as on the command line"
            yield name, table.take(name, str, allowed, _NO_DEFAULT)
