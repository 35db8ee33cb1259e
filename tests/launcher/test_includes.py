"""Every source includes the module's headers that it names something of.

They are compiled several at once, so that the compiler does not see it.
"""

from __future__ import annotations

import re
from pathlib import Path

from launcher import joined, sources

NO_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|^#[^\n]*', re.DOTALL | re.MULTILINE)
TYPE = r"(?:class|struct|enum class|enum) "
DECLARED = re.compile(
    rf"^(?:template <[^\n]*>\n)?{TYPE}(\w+)(?=[^;\n]*\n)"
    r"|^(?:inline |constexpr |extern )[^=({\n]*?\b(\w+)(?:\[[^\]]*\])?(?: =|\{|;)"
    r"|^(?=\w)(?:[\w:<>,&*\[\] ]+[ &*])?(\w+)\(",
    re.MULTILINE,
)
"""Types, constants and functions, which start at the margin in headers."""

NESTED = re.compile(rf"^ +{TYPE}(\w+)(?=[^;\n]*\n)()", re.MULTILINE)

METHOD = re.compile(r"^ +(?:[\w:<>,&*]+ )*[\w:<>,&*]+[ &*](\w+)\(()", re.MULTILINE)

OWN = re.compile(rf"{TYPE}(\w+)|using (\w+) =|^ +(?:[\w:<>,&*]+ )*[\w:<>,&*]+[ &*](\w+)\(", re.M)
"""What a source declares itself, methods of its classes included."""

STANDARD = {
    "algorithm": "sort max min clamp all_of any_of none_of find find_if count count_if copy fill",
    "array": "array",
    "bit": "bit_cast bit_width countr_zero popcount",
    "charconv": "from_chars to_chars",
    "cmath": "sqrt pow floor ceil isfinite isnan lround llround log exp",
    "deque": "deque",
    "functional": "function",
    "limits": "numeric_limits",
    "map": "map",
    "memory": "unique_ptr shared_ptr make_unique make_shared",
    "optional": "optional nullopt",
    "set": "set",
    "span": "span",
    "string": "string to_string getline",
    "string_view": "string_view",
    "utility": "pair move exchange swap forward",
    "variant": "variant monostate get_if",
    "vector": "vector",
}
"""What of C++'s library is used here most, by header."""


def named(pattern: re.Pattern[str], text: str) -> set[str]:
    return {name for groups in pattern.findall(text) for name in groups if name}


def code(file: Path) -> str:
    return NO_CODE.sub("", file.read_text(encoding="utf-8"))


def included(file: Path) -> set[str]:
    """Return the names of headers of this module, as ns-3's users or we write them."""
    text = file.read_text(encoding="utf-8")
    return set(re.findall(r'^#include "(?:ns3/)?([\w-]+\.h)"', text, re.MULTILINE))


def standard(file: Path) -> set[str]:
    """Return the names of headers of C++'s library."""
    return set(re.findall(r"^#include <(\w+)>", file.read_text(encoding="utf-8"), re.MULTILINE))


def missing(files: list[Path], headers: list[Path]) -> list[str]:
    """Return what these files name of a header that they do not include, as texts."""
    by_name = {file.name: file for file in headers}
    declaring: dict[str, set[str]] = {}
    for header in headers:
        for name in named(DECLARED, code(header)):
            declaring.setdefault(name, set()).add(header.name)
    within = {header.name: named(NESTED, code(header)) for header in headers}
    methods = {header.name: named(METHOD, code(header)) for header in headers}
    includes = {file: included(file) for file in {*files, *headers}}
    reached: dict[Path, set[str]] = {}

    def reach(file: Path) -> set[str]:
        """All that it includes, by itself or by others, which may include one another."""
        if file not in reached:
            found, open_ends = {file.name}, [file]
            while open_ends:
                new = includes[open_ends.pop()] - found
                found |= new
                open_ends += [by_name[name] for name in new if name in by_name]
            reached[file] = found
        return reached[file]

    told = []
    for file in files:
        text = code(file)
        own = joined.local_names(file.read_text(encoding="utf-8")) | named(OWN, text)
        words = set(re.findall(r"(?<![.>:\w])\w+", text)) - own
        for word in sorted(words & declaring.keys()):
            members = (within.get(name, set()) | methods.get(name, set()) for name in reach(file))
            if not declaring[word] & reach(file) and not any(word in each for each in members):
                told.append(f"{file.name}: {word} of {', '.join(sorted(declaring[word]))}")
    return told


def test_sources_include_what_they_name() -> None:
    everything = sources.files(sources.folders(), ".h")
    assert missing(sources.files(sources.folders("test"), ".cc"), everything) == []
    for room in sources.rooms(*sources.LIBRARY):
        folder = sources.ROOT / sources.MODULE / room.name
        # What it may not include it does not mean, ns-3 has a class of that name
        folders = [sources.ROOT / sources.MODULE / name for name in (room.name, *room.includes)]
        assert missing(sources.files([folder], ".cc"), sources.files(folders, ".h")) == []


def test_sources_include_what_of_the_library_they_name() -> None:
    header_of = {f"std::{word}": header for header in STANDARD for word in STANDARD[header].split()}
    headers = {file.name: file for file in sources.files(sources.folders(), ".h")}
    told = []
    for file in sources.files(sources.folders(*sources.LIBRARY)):
        used = {header_of.get(name, "") for name in re.findall(r"std::\w+", code(file))} - {""}
        passed, open_ends = {file}, [file]
        while open_ends:
            end = open_ends.pop()
            used -= standard(end)
            new = {headers[name] for name in included(end) if name in headers} - passed
            passed |= new
            open_ends += new
        told += [f"{file.name}: <{header}>" for header in sorted(used)]
    assert told == []


def test_an_include_that_is_missing_is_told(tmp_path: Path) -> None:
    texts = {
        "a.h": "class Type\n{\n};\nconstexpr int LIMIT = 1;\nint\nCount(int of);\n",
        "b.h": '#include "a.h"\n',
        "good.cc": '#include "b.h"\nType* g_type; int g_limit = LIMIT + Count(1);\n',
        "bad.cc": "// Type\nint g_limit = LIMIT + Count(1);\nint g_other = other.Type();\n",
    }
    files = {name: tmp_path / name for name in texts}
    for name, text in texts.items():
        files[name].write_text(text, encoding="utf-8")
    headers = [files["a.h"], files["b.h"]]
    assert missing([files["good.cc"]], headers) == []
    assert missing([files["bad.cc"]], headers) == ["bad.cc: Count of a.h", "bad.cc: LIMIT of a.h"]
