"""Pages of HTML that need nothing else."""

from __future__ import annotations

import base64
import html
from collections.abc import Iterable, Sequence

STYLE = """
:root { color-scheme: light; }
body { font: 16px/1.5 system-ui, sans-serif; color: #1b1b1b; max-width: 62rem; margin: 0 auto;
       padding: 1rem 1.2rem 4rem; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 1.2rem 0 .4rem; }
h2 { font-size: 1.25rem; margin: 2.2rem 0 .6rem; }
h3 { font-size: 1.05rem; margin: 1.4rem 0 .4rem; }
p, li { max-width: 46rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-size: .87rem; }
th, td { text-align: left; vertical-align: top; padding: .35rem .7rem .35rem 0;
         border-bottom: 1px solid #ddd; }
th { border-bottom: 2px solid #888; white-space: nowrap; }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
.verdict { font-weight: 600; white-space: nowrap; }
.holds { color: #00664a; } .fails { color: #a33c00; } .open { color: #6b5600; }
.id { white-space: nowrap; }
.small { color: #555; font-size: .85rem; }
figure { margin: 1rem 0 1.8rem; }
figure img { width: 100%; height: auto; }
figcaption { color: #444; font-size: .87rem; }
pre { background: #f4f4f4; padding: .6rem .8rem; overflow-x: auto; font-size: .85rem; }
td.again { min-width: 13rem; }
code { font-size: .85em; overflow-wrap: anywhere; }
a { color: #0b5cad; }
@media print { body { max-width: none; padding: 0; } .wide { overflow: visible; }
  tr, figure, h2, h3 { break-inside: avoid; } h2, h3 { break-after: avoid; }
  a { color: inherit; } pre { white-space: pre-wrap; } }
"""
"""The look of all of them."""


def document(title: str, parts: Iterable[str], style: str = "", script: str = "") -> str:
    """Return a whole page.

    Args:
        title: of it.
        parts: its HTML.
        style: what it has beside `STYLE`.
        script: JavaScript that runs when all of the page is there.
    """
    run = f"\n<script>\n{script}</script>" if script else ""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escaped(title)}</title>\n<style>{STYLE}{style}</style>\n</head>\n<body>\n<main>\n"
        + "\n".join(parts)
        + f"\n</main>{run}\n</body>\n</html>\n"
    )


def under(title: str, *parts: str) -> str:
    """Return parts under a heading."""
    return f"<h2>{escaped(title)}</h2>\n" + "\n".join(parts)


def as_table(headings: Sequence[str], rows: Iterable[str], about: str = "", name: str = "") -> str:
    """Return a table, which may be wider than the page.

    Args:
        headings: of its columns.
        rows: HTML, each a tr.
        about: what it shows, for who reaches it by keyboard, to scroll it; "": nobody can.
        name: its id, "" for none.
    """
    head = "".join(f'<th scope="col">{escaped(heading)}</th>' for heading in headings)
    place = f' role="region" tabindex="0" aria-label="{escaped(about)}"' if about else ""
    own = f' id="{escaped(name)}"' if name else ""
    return (
        f'<div class="wide"{place}><table{own}>\n<thead><tr>{head}</tr></thead>\n<tbody>\n'
        + "\n".join(rows)
        + "\n</tbody>\n</table></div>"
    )


def picture(svg: bytes, about: str) -> str:
    """Return an SVG as an image of its own: the ids of several in one page would clash."""
    data = base64.b64encode(svg).decode()
    return f'<img alt="{escaped(about)}" src="data:image/svg+xml;base64,{data}">'


def escaped(words: object) -> str:
    """Return what stands for a text in HTML."""
    return html.escape(str(words))
