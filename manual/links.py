"""Whether every link of a built site leads somewhere, and what it would fetch from elsewhere."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

_FETCHED = ("img", "script", "link", "iframe", "source", "video", "audio")
"""Elements whose address a browser asks for by itself."""

_CSS_URL = re.compile(r"(?:url\(|@import\s+)[\"']?((?:https?:)?//[^\"')\s]+)")


@dataclass
class Page(HTMLParser):
    """What a page has that can be linked to, and what it links to.

    Attributes:
        ids: anchors in it.
        links: each with whether a browser fetches it unasked.
    """

    ids: set[str] = field(default_factory=set)
    links: list[tuple[str, bool]] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Make it ready to be fed."""
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element."""
        for name, value in attrs:
            if value and (name == "id" or (name == "name" and tag == "a")):
                self.ids.add(value)
            elif value and name in ("href", "src"):
                self.links.append((value, tag in _FETCHED))


@dataclass
class Checked:
    """What there is to say of a site.

    Attributes:
        problems: a line for each dead link, and for each thing that is fetched from elsewhere.
        external: addresses of other sites, each with the pages that link to it.
    """

    problems: list[str] = field(default_factory=list)
    external: dict[str, list[str]] = field(default_factory=dict)


def check(site: Path, outside: Collection[str] = ()) -> Checked:
    """Look at all links of a site in a folder; nothing is asked of another host.

    Args:
        site: the folder, in which there may be several sites that link to each other.
        outside: links that lead out of it, and are not looked at.
    """
    pages = {file.relative_to(site).as_posix(): _read(file) for file in site.rglob("*.html")}
    files = {file.relative_to(site).as_posix() for file in site.rglob("*") if file.is_file()}
    checked = Checked()
    for name, page in sorted(pages.items()):
        for link, fetched in dict.fromkeys(page.links):
            parts = urlsplit(link)
            if parts.scheme == "data" or link in outside:
                continue
            if parts.scheme or parts.netloc:
                checked.external.setdefault(link, []).append(name)
                if fetched:
                    checked.problems.append(f"{name}: fetches {link}")
            elif not _leads_somewhere(name, parts.path, parts.fragment, pages, files):
                checked.problems.append(f"{name}: {link} leads nowhere")
    checked.problems += _fetched_by_styles(site)
    return checked


def _read(file: Path) -> Page:
    page = Page()
    page.feed(file.read_text(encoding="utf-8"))
    return page


def _leads_somewhere(
    here: str, path: str, fragment: str, pages: Mapping[str, Page], files: set[str]
) -> bool:
    target = posixpath.normpath(posixpath.join(posixpath.dirname(here), unquote(path)))
    target = target if path else here
    if target not in files:
        return False
    if "=" in fragment:
        return True  # a state that a script of the page reads, as the lab's does
    return not fragment or target not in pages or unquote(fragment) in pages[target].ids


def _fetched_by_styles(site: Path) -> Iterator[str]:
    for file in sorted(site.rglob("*.css")):
        for found in _CSS_URL.finditer(file.read_text(encoding="utf-8")):
            yield f"{file.relative_to(site).as_posix()}: fetches {found[1]}"
