"""The language of what users read, as far as a machine can check it: tests/tools/prose.py."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import prose
import pytest
from conftest import ROOT, Runner

MODULE = ROOT / "contrib/gridftp"
PAGES = sorted(
    [ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
    + [page for kind in ("md", "rst") for page in MODULE.rglob(f"*.{kind}")]
    + list((ROOT / "lab/lessons").glob("*.md"))
)

SOURCES = {
    **{
        name: sorted((ROOT / name).rglob("*.py"))
        for name in ("launcher", "experiments", "analysis", "lab", "manual", "release", "papers")
    },
    "lab/page": sorted((ROOT / "lab/page").rglob("*.js")),
    "core": sorted((MODULE / "core").rglob("*.cc")),
    "helper": sorted((MODULE / "helper").rglob("*.cc")),
    "scratch": sorted((ROOT / "scratch").glob("*.cc")),
}


LABELS = ("beside plain TCP", "beside a session")
"""Labels of sets of simulations, which stored and shipped results (papers/*/reference) contain.

Another label would not find them, so these two are exempt from the check. Figures show them as
"next to ...".
"""


def name_of(file: Path) -> str:
    return file.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_pages_use_the_words_of_the_field_in_short_sentences(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    found = [
        str(finding)
        for line, paragraph in prose.paragraphs(text, page.suffix == ".rst")
        for check in (prose.dialect, prose.long_sentences)
        for finding in check(paragraph, line)
    ]
    assert found == []


def strings(file: Path) -> Iterator[tuple[int, str]]:
    source = file.read_text(encoding="utf-8")
    return prose.python_strings(source) if file.suffix == ".py" else prose.quoted_strings(source)


@pytest.mark.parametrize("folder", SOURCES)
def test_strings_use_the_words_of_the_field(folder: str) -> None:
    found = [
        f"{name_of(file)} {finding}"
        for file in SOURCES[folder]
        for line, text in strings(file)
        if text not in LABELS
        for finding in prose.dialect(text, line)
    ]
    assert found == []


def test_specs_claims_and_lessons_use_the_words_of_the_field() -> None:
    specs = [
        *(ROOT / "papers").rglob("*.toml"),
        *(MODULE / "examples").glob("*.toml"),
        *(ROOT / "lab/lessons").iterdir(),
    ]
    found = [
        f"{name_of(file)} {finding}"
        for file in sorted(specs)
        for line, text in enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
        if text not in [f'label = "{label}"' for label in LABELS]
        for finding in prose.dialect(text, line)
    ]
    assert found == []


def test_help_of_options_is_in_short_sentences(run_program: Runner) -> None:
    described = json.loads(run_program("gridftp-transfer", "--describe").stdout)
    texts = [value for value in _values(described) if " " in value]
    assert len(texts) > 100
    found = [
        finding.text
        for text in texts
        for check in (prose.dialect, prose.long_sentences)
        for finding in check(text, 1)
    ]
    assert found == []


def _values(data: object) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict):
        for value in data.values():
            yield from _values(value)
    elif isinstance(data, list):
        for value in data:
            yield from _values(value)


Check = Callable[[str, int], Iterator[prose.Finding]]


@pytest.mark.parametrize(
    ("check", "text", "count"),
    [
        (prose.dialect, "The table tells what a verb is told.", 3),
        (prose.dialect, "Intelligible proverbs retell nothing; `tells` stays.", 1),
        (prose.dialect, "Connections are cached between chunks.", 0),
        (prose.long_sentences, "word " * 30 + ".", 0),
        (prose.long_sentences, "word " * 31 + ".", 1),
        (prose.long_sentences, "word " * 20 + "end. " + "Word " * 20, 0),
    ],
)
def test_the_check_finds_words_and_long_sentences(check: Check, text: str, count: int) -> None:
    assert len(list(check(text, 1))) == count


def test_code_and_markup_are_no_prose() -> None:
    markdown = (
        "# A title\n\nSee `told`, [a page](told.md).\n\n    ./gridftp told\n\n| one | two |\n"
    )
    assert list(prose.paragraphs(markdown, False)) == [
        (1, "A title"),
        (3, "See CODE, a page."),
        (7, "one"),
        (7, "two"),
    ]
    rst = "Title\n=====\n\nText::\n\n   told\n\nMore ``told``.\n\n.. note:: told\n"
    assert [text for _, text in prose.paragraphs(rst, True)] == ["Title", "Text::", "More CODE."]


def test_literals_are_found_and_comments_are_not() -> None:
    source = 'a("it is told"); // told\n/* "told of" */ b = `who ${x} tells`; c(\'one word\');'
    assert [text for _, text in prose.quoted_strings(source)] == [
        "it is told",
        "who ${x} tells",
        "one word",
    ]
    python = '"""A docstring."""\nx = f"it is {y} told"\nz = "word"\n'
    assert [text for _, text in prose.python_strings(python)] == ["it is X told"]


def test_options_in_code_spans_exist(known_options: set[str]) -> None:
    missing = [
        f"{name_of(page)}: --{option}"
        for page in PAGES
        for span in re.findall(r"`(--[a-z][^`]*)`", page.read_text(encoding="utf-8"))
        for option in re.findall(r"(?:^|\s)--([a-z][a-z0-9-]*)", span)
        if option not in known_options and not option.endswith("-")
    ]
    assert missing == []


FOREIGN_OPTIONS = {
    *("tls-ca-file", "tls-cert", "tls-key"),  # of Dask's scheduler and workers
    *("enable-modules", "enable-static"),  # of ns-3's configuration
    *("speed-limit", "speed-time"),  # of curl
}


@pytest.fixture(scope="module")
def known_options(run_program: Runner) -> set[str]:
    """Return the options that gridftp-transfer describes, and those that sources declare."""
    described = json.loads(run_program("gridftp-transfer", "--describe").stdout)
    names = {option["name"] for option in described["options"]} | FOREIGN_OPTIONS
    places = ("launcher", "experiments", "lab", "manual", "release", "tests", "scratch")
    files = [file for place in places for file in (ROOT / place).rglob("*.*")]
    files += (MODULE / "core/process").glob("*.cc")
    for file in files:
        if file.suffix in (".py", ".cc"):
            declared = re.findall(r"--([a-z][a-z0-9-]*)", file.read_text(encoding="utf-8"))
            names.update(name.rstrip("-") for name in declared)
    return names
