"""The words of the report: claims, values and lists as readers have them."""

from __future__ import annotations

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
    told = {"heading": "A paper", "citation": "A. Author. A title.", "judged": JUDGED,
            "basis": [], "pictures": [], "assumptions": entries, "scenario": SCENARIO}  # fmt: skip
    return report.Part(**{**told, **more})


def page(*parts: report.Part) -> str:
    return report.build(report.Page(parts, [], [], pd.DataFrame(), pd.DataFrame()))


def test_a_claim_is_told_in_words_and_its_id_is_small() -> None:
    html = page(part())
    assert (
        '<td>MI: N goes 1, 2<br><span class="small">Fig. 1 <span class="id">(x-mi)</span></span>'
    ) in html
    assert '<p class="small">A. Author. A title.</p>' in html
    assert '<p class="small"></p>' not in page(part(citation=""))


def test_how_far_a_number_moves_stands_below_it() -> None:
    moved = replace(JUDGED[0], moves="under 3 settings 1 to 2")
    assert '<td>1, 2<br><span class="small">under 3 settings 1 to 2</span></td>' in page(
        part(judged=[moved])
    )
    assert moved.told == "1, 2; under 3 settings 1 to 2"
    assert JUDGED[0].told == "1, 2"


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
        ("other", "not told"),
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
