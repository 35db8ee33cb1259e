"""The bill of materials: as CycloneDX has it, of all that is pinned, the same for the same."""

from __future__ import annotations

import importlib.metadata
import json
from importlib import resources
from typing import Any

import jsonschema_rs
import pytest

from launcher import packages
from launcher.places import ROOT
from release import materials

COMMIT = "ab" * 20
TIME = 1_000_000_000


def licence(name: str) -> str:
    """A licence of every package, so that none has to be installed."""
    return "MIT" if name < "n" else "somebody's own"


@pytest.fixture(scope="module")
def bill() -> dict[str, Any]:
    """The bill of this repository."""
    return json.loads(materials.bill(ROOT, TIME, COMMIT, licence))


def schema(name: str) -> dict[str, Any]:
    """A schema of CycloneDX's, as its library brings it."""
    folder = resources.files("cyclonedx.schema") / "_res"
    return json.loads((folder / f"{name}.SNAPSHOT.schema.json").read_text(encoding="utf-8"))


def test_it_is_cyclonedx_1_5(bill: dict[str, Any]) -> None:
    base = "http://cyclonedx.org/schema"
    others = [(f"{base}/{name}.SNAPSHOT.schema.json", name) for name in ("spdx", "jsf-0.82")]
    registry = jsonschema_rs.Registry([(address, schema(name)) for address, name in others])
    validator = jsonschema_rs.validator_for(schema("bom-1.5"), registry=registry)
    assert [error.message for error in validator.iter_errors(bill)] == []
    assert bill["specVersion"] == "1.5"
    bill_of_none = {**bill, "components": [{"name": "no type"}]}
    assert not validator.is_valid(bill_of_none)


def test_it_is_the_same_for_the_same_and_no_other(bill: dict[str, Any]) -> None:
    assert json.loads(materials.bill(ROOT, TIME, COMMIT, licence)) == bill
    other = json.loads(materials.bill(ROOT, TIME, "cd" * 20, licence))
    assert other["serialNumber"] != bill["serialNumber"]
    assert bill["metadata"]["timestamp"] == "2001-09-09T01:46:40+00:00"


def test_it_has_all_that_is_pinned(bill: dict[str, Any]) -> None:
    found = {part["bom-ref"]: part for part in bill["components"]}
    pins = {pin for names in packages.pins(None).values() for pin in names}
    assert {ref for ref in found if ref.startswith("pypi:")} == {f"pypi:{pin}" for pin in pins}
    locked = json.loads((ROOT / "lab/package-lock.json").read_text(encoding="utf-8"))["packages"]
    assert sum(ref.startswith("npm:") for ref in found) == len(locked) - 1
    (whole,) = (one for one in bill["dependencies"] if one["ref"] == "gridftp-lab")
    assert sorted(whole["dependsOn"]) == sorted(found)


def test_a_part_has_hashes_a_licence_and_what_it_is_for(bill: dict[str, Any]) -> None:
    found = {part["bom-ref"].partition("==")[0]: part for part in bill["components"]}
    numpy = found["pypi:numpy"]
    (pin,) = (pin for pin in packages.pins(("python",))["python"] if pin.startswith("numpy=="))
    hashes = [one["content"] for one in numpy["externalReferences"][0]["hashes"]]
    assert all(f"sha256:{one}" in packages.hashed([pin]) for one in hashes)
    assert len(hashes) == packages.hashed([pin]).count("sha256:")
    assert numpy["licenses"] == [{"license": {"name": "somebody's own"}}]
    scopes = {"numpy": "required", "ns3": "required", "dask": "optional", "ruff": "excluded"}
    # In a group of those who use it and in one of those who check
    scopes["websockets"] = "optional"
    assert {name: found[f"pypi:{name}"]["scope"] for name in scopes} == scopes
    uplot = next(part for ref, part in found.items() if ref.startswith("npm:uplot"))
    assert (uplot["scope"], uplot["licenses"]) == ("required", [{"license": {"id": "MIT"}}])
    # One for each kind of machine, of which npm takes one
    kinds = {part["scope"] for ref, part in found.items() if ref.startswith("npm:@esbuild/")}
    assert kinds == {"optional"}


def test_installed_packages_tell_their_licences() -> None:
    untold = []
    for pin in {pin for names in packages.pins(None).values() for pin in names}:
        name = pin.partition("==")[0]
        try:
            told = materials.declared_licence(name)
        except importlib.metadata.PackageNotFoundError:
            continue
        if told is None:
            untold.append(name)
        else:
            assert "\n" not in told
            assert len(told) < 100
    assert set(untold) <= {"axe-playwright-python"}
