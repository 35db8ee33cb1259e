"""Sources that are compiled as one: each once, and no two that cannot be together."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from launcher import joined, sources


def source(folder: Path, name: str, declared: str) -> Path:
    file = folder / name
    file.write_text(f"namespace\n{{\n\n{declared}\n\n}} // namespace\n", encoding="utf-8")
    return file


@pytest.mark.parametrize(
    ("declared", "names"),
    [
        ("constexpr int64_t SECOND = 1'000'000'000;", {"SECOND"}),
        ("constexpr double SPARE =\n    20;", {"SPARE"}),
        ("const std::array<Row, 2> ROWS{{1}, {2}};", {"ROWS"}),
        ("constexpr std::string_view WORDS[] = {\n    inside,\n};", {"WORDS"}),
        ("struct Row\n{\n    int m_text = 0;\n};", {"Row"}),
        ("class Reader final : public Base\n{\n    void Read();\n};", {"Reader"}),
        ("using Table = std::vector<int>;", {"Table"}),
        ("std::vector<int>\nMake(int count)\n{\n    return Other(count);\n}", {"Make"}),
        ("Row\nPick(bool other = false)\n{\n    return {};\n}", {"Pick"}),
        ("int g_count;", {"g_count"}),
    ],
)
def test_what_is_local_to_a_source(tmp_path: Path, declared: str, names: set[str]) -> None:
    text = source(tmp_path, "a.cc", declared).read_text(encoding="utf-8")
    assert joined.local_names(text) == names
    assert joined.local_names(text.replace("namespace\n{", "namespace other\n{", 1)) == set()


def renamed(text: str, name: str) -> set[str]:
    """Names of the sources before which a macro renames something, which ends right after each."""
    found = set()
    for place, part in enumerate(text.split("#include ")[1:]):
        before, (file, *after) = text.split("#include ")[place], part.splitlines()
        if re.search(rf"^#define {name} {name}\w+$", before, re.MULTILINE):
            assert f"#undef {name}" in after
            found.add(file.strip('"'))
    return found


def test_a_local_name_that_another_source_has_is_renamed(tmp_path: Path) -> None:
    declared = ["constexpr int ONE = 1;", "constexpr int TWO = 2;", "constexpr int ONE = 3;"]
    files = [source(tmp_path, f"{place}.cc", text) for place, text in enumerate(declared)]
    (unit,) = joined.units(files)
    assert unit.files == files
    assert renamed(unit.text, "ONE") == {"2.cc"}
    assert renamed(unit.text, "TWO") == set()
    for name in ("g_log", "g_cases"):
        assert renamed(unit.text, name) == {"0.cc", "1.cc", "2.cc"}


def test_what_cannot_be_renamed_keeps_sources_apart(tmp_path: Path) -> None:
    header = tmp_path / "shared.h"
    header.write_text("struct Base\n{\n    virtual int Make();\n};\n", encoding="utf-8")
    other = source(tmp_path, "other.cc", "struct Use\n{\n    int Make();\n    int make();\n};")
    function = "int\nMake()\n{\n    return 1;\n}"
    for declared, includes, together in (
        (function, "", True),
        # Here it may be the header's
        (function, '#include "shared.h"\n', False),
        (f"{function}\n\nint g_made = Base().Make();", "", False),
        # So the standard library names its own
        (function.replace("Make", "make"), "", False),
    ):
        file = source(tmp_path, "a.cc", declared)
        file.write_text(includes + file.read_text(encoding="utf-8"), encoding="utf-8")
        units = joined.units([file, other], headers=[header])
        assert (len(units) == 1) == together, (declared, includes)


def test_renamed_or_not_each_source_means_its_own(tmp_path: Path) -> None:
    (tmp_path / "near.h").write_text('#pragma once\n#include "far.h"\n', encoding="utf-8")
    (tmp_path / "far.h").write_text("#pragma once\nenum Far\n{\n    ONE = 7\n};\n", "utf-8")
    near = '#include "near.h"\n'
    texts = {
        "a.cc": ("constexpr int TWO = ONE - 3;", near, "int A() { return TWO; }"),
        "b.cc": ("constexpr int ONE = 1;\nint\nPick()\n{\n    return 10 * ONE;\n}", "",
                 "int B() { return Pick(); }"),
        "c.cc": ("int\nPick()\n{\n    return 100 * ONE;\n}", near,
                 "int A();\nint B();\nint main() { return A() + B() + Pick() != 714; }"),
    }  # fmt: skip
    files = []
    for name, (declared, includes, code) in texts.items():
        file = source(tmp_path, name, declared)
        file.write_text(includes + file.read_text(encoding="utf-8") + code, encoding="utf-8")
        files.append(file)
    (unit,) = joined.units(files, headers=[tmp_path / "near.h", tmp_path / "far.h"])
    assert renamed(unit.text, "ONE") == {"b.cc"}
    assert renamed(unit.text, "Pick") == {"c.cc"}
    (tmp_path / "unit.cc").write_text(unit.text, encoding="utf-8")
    compiler = os.environ.get("CXX", "g++").split()
    program = tmp_path / "program"
    subprocess.run([*compiler, str(tmp_path / "unit.cc"), "-o", str(program)], check=True)
    assert subprocess.run([program], check=False).returncode == 0


def test_a_unit_has_an_end(tmp_path: Path) -> None:
    files = [source(tmp_path, f"{place}.cc", f"int g_{place};") for place in range(4)]
    units = joined.units(files, most=2 * files[0].stat().st_size)
    assert [unit.files for unit in units] == [files[:2], files[2:]]


def test_every_source_is_in_one_unit() -> None:
    files = sources.files(sources.folders(*sources.LIBRARY), ".cc")
    units = joined.units(files)
    assert sorted(file for unit in units for file in unit.files) == sorted(files)
    assert len(units) < len(files) / 4


def test_what_is_added_to_one_subsystem_moves_no_source_of_a_large_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(joined, "CORE_BYTES", 1250)
    files = []
    for place in ("base", "rows", "engine/fast", "engine/slow", "engine/late"):
        (tmp_path / place).mkdir(parents=True)
        for number in range(2):
            name = f"{place.replace('/', '-')}-{number}"
            files.append(source(tmp_path / place, f"{name}.cc", f"// {'x' * 200}"))
    small, engine = files[:4], files[4:]

    def of_engine() -> list[list[Path]]:
        units = [unit.files for unit in joined.core_units(tmp_path, files)]
        assert sorted(file for unit in units for file in unit) == sorted(files)
        assert all(set(unit) <= set(small) or set(unit) <= set(engine) for unit in units)
        return [unit for unit in units if set(unit) <= set(engine)]

    before = of_engine()
    # Whole folders: a third one would be too much, though not its first source
    assert before == [engine[:4], engine[4:]]
    small[0].write_text(small[0].read_text("utf-8") + f"// {'x' * 150}\n", encoding="utf-8")
    assert of_engine() == before


def test_units_of_core_have_every_source_once() -> None:
    files = sources.files(sources.folders("core"), ".cc")
    core = sources.ROOT / sources.MODULE / "core"
    units = joined.core_units(core, files, sources.files(sources.folders(), ".h"))
    assert sorted(file for unit in units for file in unit.files) == sorted(files)
    assert len(units) < len(files) / 8
    folders = [{file.parent.name for file in unit.files} for unit in units]
    for alone in ("sockets", "endpoint"):
        mixed = [names for names in folders if alone in names and len(names) > 1]
        assert mixed == [], alone
