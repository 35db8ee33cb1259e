"""Joins several source files into one compilation unit, so that a build takes less time.

Sources of this module share headers and instances of templates, which take most of a compiler's
time. Eight sources in one unit take little more than half the time of eight separate ones.

The sizes below are limits of a unit, in bytes of its sources without headers. A source that is
larger is alone in its unit. Smaller units would compile the same headers more often.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable
from pathlib import Path

CORE_BYTES = 178_000
"""Limit of a unit of core/."""

MODULE_BYTES = 90_000
"""Limit of a unit of model/ and helper/: small enough that there is one for every CPU core."""

TEST_BYTES = 150_000
"""Limit of a unit of tests, which are compiled without optimisation."""

SANITIZED_BYTES = 360_000
"""Limit of a unit with sanitizers, large because that build is nearly always a complete one."""

# Named alike in every source: by a macro of ns-3, and in every source of tests.
_ALIKE = ("g_log", "g_cases", "g_longCases", "g_moreCases")

_KEYWORDS = ("namespace", "enum")

_ALONE = ("sockets", "endpoint")
"""Subsystems of core/ that share no unit: macros of the kernel's headers could change others."""

_INCLUDE = re.compile(r'^#include "(?:ns3/)?([\w-]+\.h)"', re.MULTILINE)
_INCLUDES = re.compile(r"^#include .*", re.MULTILINE)
# The standard library has no names that begin so, and ns-3 hardly any that are not a class's.
_OWN_STYLE = re.compile(r"[A-Z]|g_")
_CONSTANT = re.compile(r"[A-Z][A-Z0-9_]*")
_WORD = re.compile(r"\w+")
_NO_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"', re.DOTALL)

_NAMELESS = re.compile(r"^namespace\n\{\n(.*?)^\} // namespace$", re.MULTILINE | re.DOTALL)
# Types, values and functions, which start at the margin there (clang-format sees to it).
_NAMES = re.compile(
    r"^(?=\w)(?:(?:class|struct|union|enum class|enum|using) (\w+)"
    r"|(?:[\w:<>,&*\[\] ]+[ &*])?(\w+)(?:\[[^\]\n]*\])?(?:\(| =[ \n]|\{|;))",
    re.MULTILINE,
)


class Source:
    """A source, as far as others that are compiled with it see it.

    Attributes:
        file: where it is.
        size: bytes.
        words: of it and of the headers that it brings along.
        names: what it declares for itself alone.
        renamed: those of the names that are called otherwise, since others have the word.
    """

    def __init__(self, file: Path, headers: Headers) -> None:
        text = file.read_text(encoding="utf-8")
        behind = headers.words_behind(text)
        self.file = file
        self.size = len(text)
        self.words = words_of(text) | behind
        self.names = local_names(text)
        self.renamed: set[str] = set()
        self._includes = _INCLUDES.findall(text)
        code = _NO_CODE.sub("", text)
        # A macro would also rename a member: of a class in a header that one here derives from
        self._free = {
            name
            for name in self.names
            if (name not in behind and _OWN_STYLE.match(name)) or _CONSTANT.fullmatch(name)
            if not re.search(rf"(?:::|\.|->)\s*{name}\b", code)
        }

    def can_rename(self, names: set[str]) -> bool:
        """Whether these of its names may be called otherwise."""
        return names <= self._free

    def lines(self, place: int) -> list[str]:
        """Return what includes it as the source at this place of a unit."""
        renamed = sorted(self.renamed)
        # Headers first, which may have the words
        return [
            *(self._includes if renamed else ()),
            *(f"#define {name} {name}{place}" for name in _ALIKE),
            *(f"#define {name} {name}_in_{place}" for name in renamed),
            f'#include "{self.file.name}"',
            *(f"#undef {name}" for name in (*_ALIKE, *renamed)),
        ]


class Unit:
    """Sources that are compiled as one.

    What one of them declares for itself alone meets what all others have. Where one of these has
    the word, or a header that it brings along, a macro renames it; where that cannot be, they are
    apart.
    """

    def __init__(self, most: int) -> None:
        self._sources: list[Source] = []
        self._most = most
        self._words: set[str] = set()

    @property
    def files(self) -> list[Path]:
        """The sources."""
        return [source.file for source in self._sources]

    def takes(self, new: Source) -> bool:
        """Add a source if there is room for it and no local name is mistaken for another."""
        if self._sources:
            if sum(source.size for source in self._sources) + new.size > self._most:
                return False
            mine = new.names & self._words
            words = new.words - mine
            theirs = [(other, (other.names - other.renamed) & words) for other in self._sources]
            if not (
                new.can_rename(mine) and all(other.can_rename(names) for other, names in theirs)
            ):
                return False
            new.renamed |= mine
            for other, names in theirs:
                other.renamed |= names
        self._sources.append(new)
        self._words |= new.words
        return True

    @property
    def text(self) -> str:
        """The source that includes them."""
        lines = [line for place, source in enumerate(self._sources) for line in source.lines(place)]
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
    for source in (Source(file, known) for file in files):
        if not any(unit.takes(source) for unit in found):
            found.append(Unit(most))
            found[-1].takes(source)
    return found


def core_units(core: Path, files: Iterable[Path], headers: Iterable[Path] = ()) -> list[Unit]:
    """Return the sources of core/ in units; a large subsystem has units of its own.

    gcc optimizes a function differently when other code of its unit changes: longer help texts of
    options have raised the segment engine's instructions by up to 7 %. Therefore a subsystem (a
    folder of core/) of more than half of `CORE_BYTES` shares no unit with another one, and neither
    does one of `_ALONE`. Each of its subfolders is in one unit, unless it is larger than a unit.
    Smaller subsystems share units.

    Args:
        core: the folder core/, whose folders are the subsystems.
        files: its sources.
        headers: read for the names that sources may not share; their size does not count.
    """
    known = list(headers)
    small: list[Path] = []
    found: list[Unit] = []
    for subsystem in _by(lambda file: file.relative_to(core).parts[0], files):
        alone = subsystem[0].relative_to(core).parts[0] in _ALONE
        if _size(subsystem) <= CORE_BYTES / 2 and not alone:
            small += subsystem
            continue
        together: list[list[Path]] = []
        for folder in _by(lambda file: file.parent, subsystem):
            room = (unit for unit in together if _size([*unit, *folder]) <= CORE_BYTES)
            if (unit := next(room, None)) is None:
                together.append(folder)
            else:
                unit += folder
        found += [unit for sources in together for unit in units(sources, CORE_BYTES, known)]
    return [*units(small, CORE_BYTES, known), *found]


def _by(key: Callable[[Path], Hashable], files: Iterable[Path]) -> list[list[Path]]:
    found: dict[Hashable, list[Path]] = {}
    for file in files:
        found.setdefault(key(file), []).append(file)
    return list(found.values())


def _size(files: Iterable[Path]) -> int:
    return sum(file.stat().st_size for file in files)


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
        if name and name not in _ALIKE and name not in _KEYWORDS
    }
