"""The pinned packages and the version, as this repository states them."""

from __future__ import annotations

import importlib.metadata
import re
import tomllib

import pytest
from conftest import ROOT
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from launcher import packages, revision
from release import version as release_version


def test_the_version_is_in_one_place() -> None:
    """That it is what programs say of themselves, tests/launcher/test_revision.py sees."""
    told = revision.version()
    assert re.fullmatch(r"\d+\.\d+\.\d+", told)
    # Not the number alone: some package may have the same.
    named = re.compile(rf"version\W+{re.escape(told)}\b", re.IGNORECASE)
    assert all(map(named.search, (f'version = "{told}"', f'"version": "{told}"')))
    elsewhere = [
        file
        for file in ("pyproject.toml", "wscript", "lab/package.json")
        if named.search((ROOT / file).read_text(encoding="utf-8"))
    ]
    assert elsewhere == []
    release_version.check(ROOT)


def test_every_pin_is_exact() -> None:
    data = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    lists = [
        data["project"]["dependencies"],
        *data["dependency-groups"].values(),
        *data["tool"]["gridftp"].values(),
    ]
    for pin in [pin for names in lists for pin in names]:
        assert re.fullmatch(r"[a-z0-9-]+==[0-9.]+((b|post)[0-9]+)?", pin), pin


def test_every_pin_has_hashes_and_nothing_else_has() -> None:
    text = (ROOT / "launcher/packages.lock").read_text(encoding="utf-8")
    locked = re.findall(r"^([a-z0-9-]+==[0-9a-z.]+) ", text, re.MULTILINE)
    assert sorted(locked) == sorted(
        {pin for group in packages.pins(None).values() for pin in group}
    )
    assert packages.hashed(locked).count("--hash=sha256:") == text.count("--hash=sha256:")


@pytest.mark.parametrize("python", ["3.11", "3.12", "3.13"])
def test_the_lists_of_packages_are_complete(python: str) -> None:
    data = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    always = data["project"]["dependencies"]
    # Of what Cosmic Ray needs only a part is used, see pyproject.toml
    groups = {k: v for k, v in data["dependency-groups"].items() if k != "mutants"}
    for group in ([], *groups.values()):
        pinned = dict(pin.split("==") for pin in [*always, *group])
        for name in pinned:
            try:
                needed = importlib.metadata.requires(name) or []
            except importlib.metadata.PackageNotFoundError:
                pytest.skip(f"{name} is not installed; ./gridftp test installs it")
            for requirement in map(Requirement, needed):
                here = {"python_version": python, "extra": ""}
                if requirement.marker is None or requirement.marker.evaluate(here):
                    found = pinned.get(canonicalize_name(requirement.name))
                    assert found is not None, f"{name} needs {requirement}"
                    assert requirement.specifier.contains(found), f"{name} needs {requirement}"
