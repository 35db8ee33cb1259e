"""Several sources compiled as one, where it does not matter that each compiles alone.

Most of what a source of this module costs a compiler are headers and instances of templates that
others have, too: some eight sources at once take little more than half of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

MODULE_BYTES = 60_000
"""Of sources in a unit: enough to save most, few enough for all cores to have some."""

TEST_BYTES = 40_000
"""Of tests, one of which changes at a time."""

# Named alike in every source: by a macro of ns-3, and in every source of tests.
_ALIKE = ("g_log", "g_cases", "g_longCases", "g_moreCases")

_INCLUDE = re.compile(r'^#include "(?:ns3/)?([\w-]+\.h)"', re.MULTILINE)
_WORD = re.compile(r"\w+")
_NO_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"', re.DOTALL)

_NAMELESS = re.compile(r"^namespace\n\{\n(.*?)^\} // namespace$", re.MULTILINE | re.DOTALL)
# Types, values and functions, which start at the margin there (clang-format sees to it).
_NAMES = re.compile(
    r"^(?=\w)(?:(?:class|struct|union|enum class|enum|using) (\w+)"
    r"|(?:[\w:<>,&*\[\] ]+[ &*])?(\w+)(?:\[[^\]\n]*\])?(?:\(| =[ \n]|\{|;))",
    re.MULTILINE,
)


class Unit:
    """Sources that are compiled as one.

    What one of them declares for itself alone meets what all others have. So none of these may have
    the word at all, nor the headers that it brings along.
    """

    def __init__(self, most: int) -> None:
        self.files: list[Path] = []
        self._most = most
        self._size = 0
        self._names: set[str] = set()
        self._words: set[str] = set()

    def takes(self, file: Path, headers: Headers) -> bool:
        """Add a source if there is room for it and no local name is anywhere else.

        Args:
            file: the source.
            headers: that it may include.
        """
        text = file.read_text(encoding="utf-8")
        words, names = words_of(text) | headers.words_behind(text), local_names(text)
        if self.files and (
            self._size + len(text) > self._most or self._names & words or self._words & names
        ):
            return False
        self.files.append(file)
        self._size += len(text)
        self._names |= names
        self._words |= words
        return True

    @property
    def text(self) -> str:
        """The source that includes them."""
        lines = []
        for place, file in enumerate(self.files):
            lines += [f"#define {name} {name}{place}" for name in _ALIKE]
            lines.append(f'#include "{file.name}"')
            lines += [f"#undef {name}" for name in _ALIKE]
        return "\n".join(lines) + "\n"


class Headers:
    """Headers that sources may include, and one another."""

    def __init__(self, files: Iterable[Path]) -> None:
        texts = {file.name: file.read_text(encoding="utf-8") for file in files}
        self._words = {name: words_of(text) for name, text in texts.items()}
        self._below = {name: set(_INCLUDE.findall(text)) for name, text in texts.items()}

    def words_behind(self, text: str) -> set[str]:
        """Return the words of all headers that a text includes, by itself or by others."""
        found: set[str] = set()
        left = set(_INCLUDE.findall(text))
        while left:
            name = left.pop()
            found.add(name)
            left |= self._below.get(name, set()) - found
        return set().union(*(self._words.get(name, set()) for name in found))


def units(
    files: Iterable[Path], most: int = MODULE_BYTES, headers: Iterable[Path] = ()
) -> list[Unit]:
    """Return sources in units of so many bytes, each in the first one that takes it.

    Args:
        files: the sources.
        most: bytes of a unit.
        headers: that they may include.
    """
    known = Headers(headers)
    found: list[Unit] = []
    for file in files:
        if not any(unit.takes(file, known) for unit in found):
            found.append(Unit(most))
            found[-1].takes(file, known)
    return found


def words_of(text: str) -> set[str]:
    """Return the words of a source, comments and texts aside."""
    return set(_WORD.findall(_NO_CODE.sub("", text)))


def local_names(text: str) -> set[str]:
    """Return what a source declares in namespaces without a name, but for what is renamed."""
    return {
        name
        for inside in _NAMELESS.findall(text)
        for pair in _NAMES.findall(inside)
        for name in pair
        if name and name not in _ALIKE
    }
