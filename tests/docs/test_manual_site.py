"""The manual as a site: every page of it, no warning, no dead link, nothing fetched, searchable."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from browser import PATIENCE_MS, PHONE, Watched, expect
from conftest import ROOT
from manual_pages import DOC

from experiments.errors import UserError
from lab import site as lab
from lab.chromium import served
from manual import links, pages, site, verb

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

needs_sphinx = pytest.mark.skipif(
    importlib.util.find_spec("sphinx") is None,
    reason="the packages of the group manual are not installed; ./gridftp test installs them",
)


LAB = "../lab/index.html"


@pytest.fixture(scope="module")
def made(programs: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site as ./gridftp manual makes it."""
    folder = tmp_path_factory.mktemp("sites") / "manual"
    built = site.build(folder, LAB)
    assert built.problems == []
    assert built.pages == len(list(folder.rglob("*.html")))
    return folder


@needs_sphinx
def test_every_document_is_a_page(made: Path) -> None:
    for document in [*DOC.rglob("*.md"), *DOC.rglob("*.rst")]:
        assert (made / document.relative_to(DOC)).with_suffix(".html").is_file()
    assert {"index.html", "changes.html", "search.html"} <= {file.name for file in made.iterdir()}


@needs_sphinx
def test_what_has_a_style_of_its_own_is_in_a_page(made: Path) -> None:
    text = "".join(page.read_text("utf-8") for page in made.rglob("*.html"))
    ids = set(
        re.findall(r"#([\w-]+)[^;{}]*{", (ROOT / "manual/static/manual.css").read_text("utf-8"))
    )
    assert ids >= {"ten-questions", "step-by-step"}
    assert [one for one in ids if f'id="{one}"' not in text] == []


def test_options_and_keys_of_results_are_told_by_the_program(made: Path) -> None:
    text = (made / "gridftp-options.html").read_text(encoding="utf-8")
    assert text.count('class="sig sig-object std"') > 200
    assert 'id="cmdoption-gridftp-transfer-bandwidth"' in text
    # What the manual adds, with its links
    (queue,) = re.findall(r'transfer-queue".*?</dl>', text, re.S)
    assert "Buffer at each end of the bottleneck" in queue
    assert "Default: 100p; allowed: 1 to 1e6 packets" in queue
    assert "sessions.gridftp.chunks.goodput_bps" in (made / "gridftp-output.html").read_text(
        "utf-8"
    )
    assert "more than their help says" not in text


@needs_sphinx
def test_sphinx_s_warnings_are_problems_and_a_former_site_stays(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gather(folder: Path, *_: object) -> None:
        folder.mkdir(parents=True)
        (folder / "index.md").write_text(
            "# First\n\n[a](none.md) [b](other.rst#none)\n\n```{toctree}\nother\n```\n"
        )
        (folder / "other.rst").write_text("Other\n=====\n\n:ref:`nowhere` and :option:`--none`\n")
        (folder / "lost.md").write_text("# Lost\n")

    monkeypatch.setattr(pages, "gather", gather)
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / site.MARK).touch()
    told = "\n".join(site.build(folder).problems)
    for fault in ("none.md", "other.html#none", "nowhere", "--none", "lost.md"):
        assert fault in told
    assert [file.name for file in folder.iterdir()] == [site.MARK]
    assert list(tmp_path.iterdir()) == [folder]


def test_the_address_of_the_lab_does_not_depend_on_the_working_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "lab"
    folder.mkdir()
    monkeypatch.chdir(folder)
    assert pages.lab_address(LAB, "index.md") == LAB
    assert pages.lab_address(LAB, "tutorials/lab.md") == f"../{LAB}"
    assert pages.lab_address("https://a.example/", "tutorials/lab.md") == "https://a.example/"


@needs_sphinx
def test_the_manual_and_the_lab_beside_it_link_to_each_other(made: Path) -> None:
    """As ./gridftp release packs them: any host of files has them, in any folder, and a disk."""
    links_to_lab = {"index.html": LAB, "tutorials/lab.html": f"../{LAB}"}
    for page, address in links_to_lab.items():
        assert f'<a href="{address}">Open the lab</a>' in (made / page).read_text(encoding="utf-8")
    both = made.parent
    dead = {f"{page}: {address} leads nowhere" for page, address in links_to_lab.items()}
    assert {problem.removeprefix("manual/") for problem in links.check(both).problems} == dead
    lab.export(both / "lab", "../manual/index.html")
    assert links.check(both).problems == []
    assert 'href="../manual/index.html"' in (both / "lab/index.html").read_text(encoding="utf-8")


def test_dead_links_and_what_is_fetched_are_problems(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub/good.html").write_text(
        '<p id="here"><a href="#here">1</a><a href="../a.html#b">2</a><a href="../a.css">3</a>'
        '<a href="https://www.nsnam.org">4</a><img src="data:,x"><a href="#">5</a>'
        '<a href="../a.html#n=1&amp;t=0">6</a><a href="../../b/c.html">7</a>'
    )
    (tmp_path / "a.html").write_text(
        '<p id="b"><a href="none.html">1</a><a href="#c">2</a><a href="sub/good.html#d">3</a>'
        '<img src="e.png"><script src="https://cdn.example/x.js"></script>'
        '<link rel="stylesheet" href="//fonts.example/y.css">'
    )
    (tmp_path / "a.css").write_text('a { background: url("//z.example/p.png") }')
    checked = links.check(tmp_path, {"../../b/c.html"})
    assert checked.problems == [
        "a.html: none.html leads nowhere",
        "a.html: #c leads nowhere",
        "a.html: sub/good.html#d leads nowhere",
        "a.html: e.png leads nowhere",
        "a.html: fetches https://cdn.example/x.js",
        "a.html: fetches //fonts.example/y.css",
        "a.css: fetches //z.example/p.png",
    ]
    assert checked.external["https://www.nsnam.org"] == ["sub/good.html"]


def test_links_of_documents_lead_to_the_pages_of_the_site() -> None:
    doc = "contrib/gridftp/doc"
    text = f"[a]({doc}/tutorials/lab.md#b) ![c]({doc}/fig03.png) [d](CHANGELOG.md)"
    moved = "[a](tutorials/lab.md#b) ![c](fig03.png) [d](changes.md)"
    assert pages.moved(text, "README.md") == moved
    text = "[a](../../../../README.md#b) [c](../adding.md) [d](ito.md) [e](https://x.y/z) [f](#g)"
    moved = "[a](../index.md#b) [c](../adding.md) [d](ito.md) [e](https://x.y/z) [f](#g)"
    assert pages.moved(text, f"{pages.DOC}/explanation/speed.md") == moved


def test_a_folder_of_somebody_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").touch()
    with pytest.raises(UserError, match="contains files of something else"):
        site.build(tmp_path)


def test_the_verb_tells_problems_and_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tried = site.Built(["a.md: WARNING: odd"], [], 3)
    monkeypatch.setattr(site, "build", lambda folder, lab: tried)
    assert verb.main([f"--export={tmp_path}"]) == 1
    out, err = capsys.readouterr()
    assert (out, err.splitlines()[0]) == ("", "a.md: WARNING: odd")
    tried = site.Built([], ["https://a.b"], 3)
    assert verb.main([f"--export={tmp_path}", "--links"]) == 0
    out, err = capsys.readouterr()
    assert (out.splitlines()[0], err) == ("https://a.b", "")
    assert str(tmp_path / "index.html") in out


WIDE = {"width": 1366, "height": 768}


@pytest.fixture
def opened(
    chromium: Browser, made: Path, request: pytest.FixtureRequest
) -> Iterator[tuple[Page, str]]:
    """A page in a browser, and the address of the site; nothing else may be asked for anything."""
    with served(made) as address:
        context = chromium.new_context(viewport=request.param)
        context.set_default_timeout(PATIENCE_MS)
        watched = Watched(address)
        watched.add(context)
        yield context.new_page(), address
        context.close()
        assert watched.problems == []


@needs_sphinx
@pytest.mark.parametrize("opened", [WIDE, PHONE], ids=["wide", "phone"], indirect=True)
def test_pages_are_for_everybody_and_the_search_finds(opened: tuple[Page, str]) -> None:
    from axe_playwright_python.sync_playwright import Axe

    page, address = opened
    # Colours are the same on a phone; to compute contrasts takes longer than all other rules
    rules = {"color-contrast": {"enabled": page.viewport_size == WIDE}}
    for name in ("index", "gridftp-tuning", "papers/ito", "search"):
        page.goto(f"{address}{name}.html")
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= page.viewport_size["width"], name
        response = Axe().run(page, options={"resultTypes": ["violations"], "rules": rules}).response
        assert len(response["passes"]) > 15
        assert [f"{one['id']}: {one['nodes'][0]['html']}" for one in response["violations"]] == []
    page.goto(f"{address}search.html?q=fairness")
    expect(
        page.get_by_role("link", name="Ito and others: how many connections?").last
    ).to_be_visible()
    expect(page.get_by_text("Search finished")).to_be_visible()
