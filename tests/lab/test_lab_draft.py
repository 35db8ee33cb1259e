"""Addresses of the lab that the suite makes, as the page's own parser reads them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from test_lab_view_modules import run_node

from analysis.papers import papers
from experiments.programs.draft import Draft, draft_of, lab_address
from experiments.programs.option_table import OptionTable
from experiments.programs.program import locate
from experiments.programs.resolve import resolve_lines, without_files
from experiments.spec.load import load_spec


@pytest.fixture(scope="module")
def described(programs: Path) -> dict[str, Any]:
    return locate("gridftp-transfer").object("--describe")


def as_the_page_reads(
    root: Path, described: dict[str, Any], addresses: list[str]
) -> list[dict[str, Any]]:
    """What the page asks its engine for, of each address."""
    page = root / "lab/page/address"
    keys = ("name", "kind", "scope", "default", "variants")
    options = [
        {key: option[key] for key in keys if key in option} for option in described["options"]
    ]
    return json.loads(
        run_node(f"""
        import {{ parseAddress }} from {json.dumps((page / "address.js").as_uri())};
        import {{ toScenario }} from {json.dumps((page / "scenario.js").as_uri())};
        const options = {json.dumps(options)};
        const hashes = {json.dumps(addresses)}.map((text) => new URL(text).hash);
        const read = (hash) => toScenario(parseAddress(hash, options).draft);
        console.log(JSON.stringify(hashes.map(read)));
    """)
    )


def test_the_page_reads_what_is_meant(root: Path, described: dict[str, Any]) -> None:
    drafts = [
        Draft({}),
        Draft({"mode": "aimd", "eta": "0.5", "external-command": "a b&c=#%2"}),
        Draft({"window": "1MiB"}, ["mode=mi,delay=30ms", "tcp=cubic"], ["load=0.1", "tcp=reno"]),
        Draft({}, fault=["kind=dtp-dies,at=5s"]),
        # Defaults of classic hosts: those of Linux are others
        Draft({"stack": "linux", "initial-window": "2", "sack": "off", "tcp": "reno"}),
    ]
    read = as_the_page_reads(root, described, list(map(lab_address, drafts)))
    assert read == [draft.line() for draft in drafts]


@pytest.mark.parametrize(
    "line",
    [
        {"stack": "linux", "tcp": "reno"},
        {"stack": "linux", "tcp": "cubic", "sessions": [{}, {}, {"tcp": "bbr"}]},
        {"stack": "linux", "initial-window": "2", "delayed-ack": "1", "sack": "off"},
        {"stack": "linux", "timestamps": "off", "buffers": "fixed"},
        {"stack": "linux", "window": "1MiB", "buffers": "linux-receiver"},
        {"stack": "linux", "sessions": [{"tcp": "reno"}, {}, {"tcp": "bbr"}]},
        {"stack": "linux", "background": [{}, {"tcp": "reno"}]},
        {"stack": "classic", "tcp": "reno", "sack": "off"},
    ],
    ids=str,
)
def test_defaults_of_another_stack_are_said(
    root: Path, described: dict[str, Any], line: dict[str, Any]
) -> None:
    program, table = locate("gridftp-transfer"), OptionTable.read(described)
    (meant,) = resolve_lines(program, [line])
    draft = draft_of(line, table)
    assert draft is not None
    read = as_the_page_reads(root, described, [lab_address(draft)])
    assert resolve_lines(program, [draft.line(), *read]) == [meant, meant]


def test_so_it_does_of_a_run_of_each_sweep_that_is_shipped(
    root: Path, described: dict[str, Any]
) -> None:
    program, table = locate("gridftp-transfer"), OptionTable.read(described)
    meant, addresses = [], []
    for paper in papers().values():
        for name in paper.sweeps():
            planned = load_spec(paper.spec(name), table).planned
            first = next(one for one in planned if one.line.get("engine") != "ns3")
            (scenario,) = resolve_lines(program, [first.line])
            draft = draft_of(without_files(table, first.line, scenario), table)
            if draft is not None and len(lab_address(draft)) < 10_000:
                meant.append(scenario)
                addresses.append(lab_address(draft))
    assert len(addresses) > 40
    read = as_the_page_reads(root, described, addresses)
    assert resolve_lines(program, read) == meant
