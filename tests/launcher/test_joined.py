"""Sources that are compiled as one: each once, and no two that cannot be together."""

from __future__ import annotations

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


def test_sources_with_a_local_name_in_common_are_apart(tmp_path: Path) -> None:
    declared = ["constexpr int ONE = 1;", "constexpr int TWO = 2;", "constexpr int ONE = 3;"]
    files = [source(tmp_path, f"{place}.cc", text) for place, text in enumerate(declared)]
    assert [unit.files for unit in joined.units(files)] == [files[:2], files[2:]]
    first, second = (unit.text for unit in joined.units(files))
    before, after = first.split('#include "1.cc"\n')
    for name in ("g_log", "g_cases"):
        assert f"#define {name} {name}1\n" in before
        assert f"#undef {name}\n" in after
    assert '"2.cc"' in second


def test_a_source_that_means_another_thing_by_a_local_name_is_apart(tmp_path: Path) -> None:
    header = tmp_path / "shared.h"
    header.write_text("constexpr int ONE = 7; // TWO\n", encoding="utf-8")
    files = [source(tmp_path, "a.cc", "constexpr int ONE = 1;")]
    files.append(source(tmp_path, "b.cc", "constexpr int TWO = other::ONE;"))
    files.append(source(tmp_path, "c.cc", "constexpr int THREE = 3;"))
    files[2].write_text('#include "shared.h"\n' + files[2].read_text(encoding="utf-8"))
    units = joined.units(files, headers=[header])
    assert [unit.files for unit in units] == [files[:1], files[1:]]


def test_a_local_name_that_a_source_before_has_from_a_header_is_apart(tmp_path: Path) -> None:
    headers = [tmp_path / "near.h", tmp_path / "far.h"]
    headers[0].write_text('#include "far.h"\n', encoding="utf-8")
    headers[1].write_text('#include "near.h"\nconstexpr int ONE = 7;\n', encoding="utf-8")
    files = [source(tmp_path, "a.cc", "constexpr int TWO = 2;")]
    files[0].write_text('#include "near.h"\n' + files[0].read_text(encoding="utf-8"))
    files.append(source(tmp_path, "b.cc", "constexpr int ONE = 1;"))
    assert [unit.files for unit in joined.units(files, headers=headers)] == [files[:1], files[1:]]


def test_a_unit_has_an_end(tmp_path: Path) -> None:
    files = [source(tmp_path, f"{place}.cc", f"int g_{place};") for place in range(4)]
    units = joined.units(files, most=2 * files[0].stat().st_size)
    assert [unit.files for unit in units] == [files[:2], files[2:]]


def test_every_source_is_in_one_unit() -> None:
    files = sources.files(sources.folders(*sources.LIBRARY), ".cc")
    units = joined.units(files)
    assert sorted(file for unit in units for file in unit.files) == sorted(files)
    assert len(units) < len(files) / 4
