"""The bill of materials: what the archive uses, as CycloneDX 1.5 in JSON.

Of the lists that pin it: `pyproject.toml` with `launcher/packages.lock`, and
`lab/package-lock.json`. The compiler is the user's own and in none of them.
"""

from __future__ import annotations

import base64
import importlib.metadata
import json
import re
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model import (
    ExternalReference,
    ExternalReferenceType,
    HashAlgorithm,
    HashType,
    Property,
    XsUri,
)
from cyclonedx.model.bom import Bom, BomMetaData
from cyclonedx.model.component import Component, ComponentScope, ComponentType
from cyclonedx.model.license import License
from cyclonedx.output.json import JsonV1Dot5
from packageurl import PackageURL

from launcher import packages, revision

LICENCE = "GPL-2.0-only"
"""Of the archive itself."""

_REQUIRED = {"python", "waf", "ns3", "uv"}
"""Groups of packages without which nothing runs."""

_EXCLUDED = {"dev", "mutants", "browser", "release"}
"""Groups of packages that test, check or pack it."""

_LINKED = {
    "wasi-libc": "Apache-2.0 WITH LLVM-exception OR Apache-2.0 OR MIT",
    "libcxx": "Apache-2.0 WITH LLVM-exception",
    "libcxxabi": "Apache-2.0 WITH LLVM-exception",
}
"""Libraries that ziglang brings, parts of which are in the lab's engine, and their licences."""


def bill(
    root: Path, time: int, commit: str, licence: Callable[[str], str | None] | None = None
) -> bytes:
    """Return the bill, the same bytes for the same lists, time and commit.

    Args:
        root: the repository.
        time: of the commit, in seconds since 1970.
        commit: its name.
        licence: of a Python package by name; by default as the installed one tells.

    Raises:
        PackageNotFoundError: a package is not installed, without `licence`.
    """
    parts = [*_python(licence or declared_licence), *_npm(root), *_linked()]
    whole = Component(
        name="gridftp-lab",
        version=revision.version(root),
        type=ComponentType.APPLICATION,
        bom_ref="gridftp-lab",
        licenses=_licences(LICENCE),
        properties=[Property(name="gridftp:commit", value=commit)],
    )
    made = BomMetaData(component=whole, timestamp=datetime.fromtimestamp(time, UTC))
    bom = Bom(components=parts, metadata=made, serial_number=uuid.UUID(int=0))
    bom.register_dependency(whole, parts)
    # A number of its own for every content.
    bom.serial_number = uuid.uuid5(uuid.NAMESPACE_URL, JsonV1Dot5(bom).output_as_string())
    return f"{JsonV1Dot5(bom).output_as_string(indent=1)}\n".encode()


def declared_licence(name: str) -> str | None:
    """Return the licence that an installed package declares, in its own words; None if in none.

    Raises:
        PackageNotFoundError: it is not installed.
    """
    about = importlib.metadata.metadata(name)
    if expression := about.get("License-Expression"):
        return expression
    told = (about.get("License") or "").strip()
    # Some have the whole text there.
    if told and "\n" not in told:
        return told
    classifiers = about.get_all("Classifier") or []
    words = [word.rpartition(" :: ")[2] for word in classifiers if word.startswith("License ::")]
    return ", ".join(words) or None


def _licences(text: str | None) -> list[License]:
    # Of what classifiers say "MIT License" alone is one of SPDX's.
    told = "MIT" if text == "MIT License" else text
    return [LicenseFactory().make_from_string(told)] if told else []


def _python(licence: Callable[[str], str | None]) -> Iterator[Component]:
    """The pinned Python packages; ns-3 and the engine's compiler, zig, are two of them."""
    groups: dict[str, list[str]] = {}
    for group, pins in packages.pins(None).items():
        for pin in pins:
            groups.setdefault(pin, []).append(group)
    for pin, names in sorted(groups.items()):
        name, _, version = pin.partition("==")
        # Of every file that the index has of it: for each platform, and the sources.
        hashes = re.findall(r"--hash=sha256:([0-9a-f]+)", packages.hashed([pin]))
        purl = PackageURL("pypi", None, name, version)
        yield Component(
            name=name,
            version=version,
            type=ComponentType.LIBRARY,
            bom_ref=f"pypi:{pin}",
            scope=_scope(names),
            licenses=_licences(licence(name)),
            purl=purl,
            external_references=[_distribution(purl, HashAlgorithm.SHA_256, hashes)],
            properties=[Property(name="gridftp:group", value=group) for group in names],
        )


def _scope(groups: Iterable[str]) -> ComponentScope:
    if _REQUIRED & {*groups}:
        return ComponentScope.REQUIRED
    return ComponentScope.OPTIONAL if {*groups} - _EXCLUDED else ComponentScope.EXCLUDED


def _npm(root: Path) -> Iterator[Component]:
    """What the lab's page is made of and with, and what checks its sources."""
    lock = json.loads((root / "lab" / "package-lock.json").read_text(encoding="utf-8"))
    for path, about in sorted(lock["packages"].items()):
        if not path:
            continue  # the lab itself
        full, version = path.rpartition("node_modules/")[2], about["version"]
        scope, _, name = full.rpartition("/")
        algorithm, _, digest = about["integrity"].partition("-")
        assert algorithm == "sha512"
        purl = PackageURL("npm", scope or None, name, version)
        yield Component(
            name=name,
            group=scope or None,
            version=version,
            type=ComponentType.LIBRARY,
            bom_ref=f"npm:{full}@{version}",
            scope=_npm_scope(about),
            licenses=_licences(about["license"]),
            purl=purl,
            external_references=[
                _distribution(purl, HashAlgorithm.SHA_512, [base64.b64decode(digest).hex()])
            ],
        )


def _npm_scope(about: Mapping[str, Any]) -> ComponentScope:
    """Scope of a package of the lock file. Of those for one kind of machine, npm takes one."""
    if about.get("dev"):
        return ComponentScope.EXCLUDED
    return ComponentScope.OPTIONAL if about.get("optional") else ComponentScope.REQUIRED


def _linked() -> Iterator[Component]:
    """What the compiler links to the lab's engine."""
    (zig,) = (pin for pin in packages.pins(("lab",))["lab"] if pin.startswith("ziglang=="))
    for name, licence in _LINKED.items():
        yield Component(
            name=name,
            description=f"As {zig} of the Python package index brings it",
            type=ComponentType.LIBRARY,
            bom_ref=f"zig:{name}",
            scope=ComponentScope.REQUIRED,
            licenses=_licences(licence),
        )


def _distribution(
    purl: PackageURL, algorithm: HashAlgorithm, hashes: Iterable[str]
) -> ExternalReference:
    """Files of a package and their hashes, wherever they are had from."""
    return ExternalReference(
        type=ExternalReferenceType.DISTRIBUTION,
        url=XsUri(purl.to_string()),
        hashes=[HashType(alg=algorithm, content=one) for one in hashes],
    )
