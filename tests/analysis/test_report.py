"""The words of the report: claims, values and lists as readers have them."""

from __future__ import annotations

import re
from dataclasses import replace

import pandas as pd
import pytest

from analysis import report
from analysis.claims import Judged
from analysis.claims.study import summary

JUDGED = [
    Judged("x-mi", "Fig. 1", "MI: N goes 1, 2", "1, 2", "holds", "as claimed"),
    Judged("x-mi-plus", "Fig. 1", "MI+: N goes up", "3", "fails", "3 is not up"),
]
SCENARIO = {
    "access_bandwidth_bps": 10_000_000_000,
    "delay_s": 0.01,
    "window_bytes": 65536,
    "chunk_size_bytes": 100_000_000,
    "file_size_bytes": 10_000_000_000,
    "queue_packets": 300_000,
    "packet_size_bytes": 1500,
    "initial_window_segments": 2,
    "sack": False,
    "tcp": "reno",
    "background": [{"load": 0.1, "bandwidth_bps": 1_000_000, "tcp": None}],
}


def part(**more: object) -> report.Part:
    entries = [{"what": key, "key": key, "why": "a test"} for key in [*SCENARIO, "other"]]
    told = {"name": "paper", "heading": "A paper", "citation": "A. Author. A title.",
            "judged": JUDGED, "basis": [], "pictures": [], "assumptions": entries,
            "scenario": SCENARIO}  # fmt: skip
    return report.Part(**{**told, **more})


def pages(*parts: report.Part, **more: object) -> dict[str, str]:
    drawn = {"drawn": [part.name for part in parts]}
    return report.build(report.Report(parts, **{**drawn, **more}))


def page(*parts: report.Part) -> str:
    return pages(*parts)["report/paper.html"]


def first_page(*parts: report.Part, **more: object) -> str:
    return pages(*parts, **more)["report.html"]


def row(html: str, claim: str) -> str:
    """The row of a claim in the table of all."""
    return next(row for row in re.findall(r"<tr.*?</tr>", html) if f"({claim})" in row)


def test_a_claim_is_told_in_words_and_its_id_is_small() -> None:
    html = page(part())
    assert (
        '<td data-heading="claim">MI: N goes 1, 2<br><span class="small">Fig. 1 '
        '<span class="id">(x-mi)</span></span>'
    ) in html
    assert '<p class="small">A. Author. A title.</p>' in html
    assert '<p class="small"></p>' not in page(part(citation=""))


def test_how_far_a_number_moves_stands_below_it() -> None:
    moved = replace(JUDGED[0], moves="under 3 settings 1 to 2")
    assert (
        '"simulated value">1, 2<br><span class="small">under 3 settings 1 to 2</span></td>'
        in page(part(judged=[moved]))
    )
    assert moved.told == "1, 2; under 3 settings 1 to 2"
    assert JUDGED[0].told == "1, 2"


def test_one_table_has_the_claims_of_all_papers() -> None:
    other = part(name="other", judged=[replace(JUDGED[0], id="y", verdict="cannot be judged")])
    html = first_page(part(), other)
    assert "Of 3 claims, 1 hold, 1 fail and 1 cannot be judged" in html
    assert 'data-paper="paper" data-verdict="fails"' in row(html, "x-mi-plus")
    assert 'data-paper="other" data-verdict="cannot be judged"' in row(html, "y")
    assert '<a href="report/other.html#y">other</a>' in row(html, "y")
    assert html.count("<tr data-paper=") == 3
    assert '<tr id="y"><td ' in pages(part(), other)["report/other.html"]


def test_a_page_that_is_there_stays_and_is_linked() -> None:
    made = pages(part(), part(name="other"), drawn=["other"], there=["paper"])
    assert set(made) == {"report.html", "report/other.html"}
    assert 'href="report/paper.html"' in made["report.html"]
    made = pages(part(), part(name="other"), drawn=["other"])
    assert 'href="report/paper.html' not in made["report.html"]
    assert "(x-mi)" in made["report.html"]


def test_a_number_that_was_not_studied_says_so_and_has_no_range() -> None:
    moved = replace(JUDGED[0], moves="under 3 settings 1 to 2")
    html = first_page(part(judged=[moved, JUDGED[1]]))
    assert '<td data-heading="sensitivity">under 3 settings 1 to 2</td>' in row(html, "x-mi")
    assert '<td data-heading="sensitivity">not studied</td>' in row(html, "x-mi-plus")


def test_beside_a_claim_and_a_figure_stands_how_to_see_it_again() -> None:
    again = report.Again(
        ("./gridftp reproduce --paper a --figure 1",),
        "./gridftp run --mode=aimd '--a=<&>'",
        "http://127.0.0.1:8000/#mode=aimd&eta=0.5",
    )
    shown = report.Picture(report.PAPER, "Figure 1", "G", b"<svg/>", "fig01.csv", None, [], again)
    told = part(again={"x-mi": again}, pictures=[shown])
    link = 'href="http://127.0.0.1:8000/#mode=aimd&amp;eta=0.5" aria-label="open in the lab: '
    command = "<code>./gridftp reproduce --paper a --figure 1</code>"
    for html in (row(first_page(told), "x-mi"), row(page(told), "x-mi")):
        assert f"{link}MI: N goes 1, 2" in html
        assert command in html
    figure = page(told).partition("<figcaption>")[2].partition("</figcaption>")[0]
    assert command in figure
    assert f"{link}Figure 1: G" in figure
    assert "<code>./gridftp run --mode=aimd &#x27;--a=&lt;&amp;&gt;&#x27;</code>" in figure
    assert "in the lab" not in row(page(told), "x-mi-plus")


def test_links_lead_to_a_lab_beside_the_report() -> None:
    here = "lab/index.html#mode=aimd"
    told = part(again={"x-mi": report.Again(lab=here), "x-mi-plus": report.Again(lab=f"/{here}")})
    made = pages(told, lab="lab/index.html")
    assert f'href="{here}"' in row(made["report.html"], "x-mi")
    assert f'href="../{here}"' in row(made["report/paper.html"], "x-mi")
    assert f'href="/{here}"' in row(made["report/paper.html"], "x-mi-plus")
    assert 'in <a href="lab/index.html">the lab</a>.' in made["report.html"]
    assert "./gridftp lab" in first_page(told)


def test_sweeps_of_no_paper_have_a_page_of_their_own() -> None:
    shown = report.Picture(report.OTHER, "mine", "My sweep", b"<svg/>", "mine.csv", None, [])
    made = pages(part(), pictures=[shown])
    assert "mine: My sweep" in made["report/own-sweeps.html"]
    assert 'href="report/own-sweeps.html"' in made["report.html"]
    assert "own-sweeps" not in first_page(part())


@pytest.mark.parametrize(
    ("key", "told"),
    [
        ("access_bandwidth_bps", "10 Gbit/s"),
        ("delay_s", "10 ms"),
        ("window_bytes", "64 KiB"),
        ("chunk_size_bytes", "100 MB"),
        ("file_size_bytes", "10 GB"),
        ("queue_packets", "300,000 packets"),
        ("packet_size_bytes", "1500 bytes"),
        ("initial_window_segments", "2 segments"),
        ("sack", "off"),
        ("tcp", "reno"),
        ("background", "load 0.1, bandwidth 1 Mbit/s"),
        ("other", "not specified"),
    ],
)
def test_values_have_units(key: str, told: str) -> None:
    assert f'<td>{key}</td><td class="number">{told}</td>' in page(part())


def test_sentences_have_the_claims_words_in_place_of_their_ids() -> None:
    told = report.in_words("x-mi-plus fails; x-mi holds, x-mi-other is none.", JUDGED)
    assert told == '"MI+: N goes up" fails; "MI: N goes 1, 2" holds, x-mi-other is none.'
    assert report.in_words("as it is", []) == "as it is"


def test_names_with_commas_in_them_are_told_apart() -> None:
    rows = [
        (setting, "claim", "holds" if setting == "as shipped" else "fails")
        for setting in ("as shipped", "NewReno, kept", "SACK")
    ]
    judged = pd.DataFrame(rows, columns=["setting", "claim", "verdict"])
    assert summary(judged)[1] == ("claim holds as shipped, and fails under 2: NewReno, kept; SACK.")
