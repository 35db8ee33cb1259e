"""Archives of a release: the same from every clone, and whole."""

from __future__ import annotations

import hashlib
import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest
from launcher_sandbox import Sandbox, refused
from test_revision import git
from test_setup import groups

from experiments.errors import ProgramError, UserError
from launcher import sources
from launcher.places import ROOT
from release import archive, contents, version
from release.tree import Entry

LAB = "gridftp-lab-1.2.3.tar.gz"
MODULE = "ns3-gridftp-1.2.3.tar.gz"
TOP = "gridftp-lab-1.2.3"


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small repository with what a release looks for, and one commit."""
    root = tmp_path_factory.mktemp("of origin") / "clone"
    files = {
        ".gitattributes": "launcher/archived-commit.txt export-subst\n",
        "CITATION.cff": "version: 1.2.3\n",
        "LICENSE": "as you like\n",
        "gridftp": "#!/bin/sh\n",
        "launcher/archived-commit.txt": "$Format:%H$\n",
        "contrib/gridftp/README.md": "of the module\n",
        "contrib/gridftp/core/base/a.cc": "int a;\n",
    }
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    (root / "gridftp").chmod(0o755)
    git(root, "init", "--quiet")
    git(root, "add", ".")
    git(root, "commit", "--quiet", "--message=all", "--date=2001-01-01T00:00:00Z")
    return root


def head(root: Path) -> str:
    """The commit that is checked out."""
    return git(root, "rev-parse", "HEAD").decode().strip()


def released(root: Path, site: Path) -> dict[str, bytes]:
    """A release of a clone with a site in it."""
    return contents.release(root, head(root), {"lab": site}, b"{}\n")


def site(folder: Path, *names: str) -> Path:
    """A built site, its files written in this order."""
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name, encoding="utf-8")
    return folder


def unpacked(data: bytes) -> dict[str, tarfile.TarInfo]:
    """What is in an archive."""
    with tarfile.open(fileobj=io.BytesIO(data)) as opened:
        return {member.name: member for member in opened}


def test_two_folders_and_two_users_give_the_same_bytes(clone: Path, tmp_path: Path) -> None:
    first = released(clone, site(tmp_path / "x", "a.js", "b/c.js"))
    other = tmp_path / "an other place"
    before = os.umask(0o077)
    try:
        git(tmp_path, "clone", "--quiet", str(clone), str(other))
        second_site = site(tmp_path / "y z", "b/c.js", "a.js")
    finally:
        os.umask(before)
    # Neither what somebody likes of ends of lines nor a tag changes anything.
    git(other, "config", "core.autocrlf", "true")
    git(other, "config", "tar.umask", "077")
    git(other, "tag", "v9")
    os.utime(second_site / "a.js", (1, 1))
    assert released(other, second_site) == first
    assert [*first] == [LAB, "gridftp-lab-1.2.3.cdx.json", MODULE, "SHA256SUMS"]


def test_the_archive_has_the_tree_the_commit_and_the_site(clone: Path, tmp_path: Path) -> None:
    data = released(clone, site(tmp_path, "index.html"))[LAB]
    found = unpacked(data)
    files = {f"{TOP}/{name}" for name in git(clone, "ls-files").decode().split()}
    assert {name for name, about in found.items() if about.isfile()} == {
        *files,
        f"{TOP}/site/lab/index.html",
    }
    assert [*found] == sorted(found)
    assert found[f"{TOP}/gridftp"].mode == 0o755
    assert found[f"{TOP}/LICENSE"].mode == 0o644
    time = int(git(clone, "show", "-s", "--format=%ct"))
    assert {(about.mtime, about.uid, about.gid, about.uname) for about in found.values()} == {
        (time, 0, 0, "root")
    }
    with tarfile.open(fileobj=io.BytesIO(data)) as opened:
        told = opened.extractfile(f"{TOP}/launcher/archived-commit.txt")
        assert told
        assert told.read().decode() == f"{head(clone)}\n"


def test_gzip_has_neither_name_nor_time(clone: Path, tmp_path: Path) -> None:
    data = released(clone, tmp_path)[MODULE]
    # RFC 1952: magic, deflate, no flags, no time, best compression, unknown system
    assert data[:10] == b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff"


def test_sites_are_made_beside_each_other_and_their_links_are_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def page(name: str, link: str) -> None:
        (site(tmp_path, name) / name).write_text(f'<p id="top"><a href="{link}">x</a>', "utf-8")

    made = {
        "lab": lambda folder: page(f"{folder.name}/index.html", "../manual/index.html#top"),
        "manual": lambda folder: page(f"{folder.name}/index.html", "../lab/index.html#mode=mi"),
    }
    monkeypatch.setattr(contents, "SITES", made)
    assert contents.build(tmp_path) == {name: tmp_path / name for name in made}
    monkeypatch.setitem(made, "manual", lambda _: page("manual/index.html", "../lab/none.html"))
    with pytest.raises(ProgramError, match=r"manual/index.html: ../lab/none.html leads nowhere"):
        contents.build(tmp_path)


def test_the_changes_of_the_version_have_its_number_and_day(tmp_path: Path) -> None:
    citation, changes = tmp_path / "CITATION.cff", tmp_path / "CHANGELOG.md"
    citation.write_text("version: 1.2.3\ndate-released: 2001-02-03\n", encoding="utf-8")
    changes.write_text("# Changes\n\n## Unreleased\n\n## 1.2.3 (2001-02-03)\n", encoding="utf-8")
    version.check(tmp_path)
    for text in ("## Unreleased\n", "## 1.2.3\n", "## 1.2.3 (2001-02-04)\n"):
        changes.write_text(text, encoding="utf-8")
        with pytest.raises(UserError, match=r"no heading '## 1\.2\.3 \(2001-02-03\)'"):
            version.check(tmp_path)
    citation.write_text("version: 1.2.3\n", encoding="utf-8")  # which was never released
    changes.write_text("## 1.2.3\n", encoding="utf-8")
    version.check(tmp_path)


def test_sums_are_those_of_the_files(clone: Path, tmp_path: Path) -> None:
    files = released(clone, site(tmp_path / "site", "a"))
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    lines = files["SHA256SUMS"].decode().splitlines()
    assert [line.split("  ")[1] for line in lines] == sorted(files.keys() - {"SHA256SUMS"})
    for line in lines:
        digest, name = line.split("  ")
        assert digest == hashlib.sha256((tmp_path / name).read_bytes()).hexdigest()


def test_a_file_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="same path"):
        archive.packed([Entry("a", b"1"), Entry("a", b"2")], 0)


def test_the_module_stands_alone_in_contrib(clone: Path, tmp_path: Path) -> None:
    found = unpacked(released(clone, tmp_path)[MODULE])
    assert {name for name, about in found.items() if about.isfile()} == {
        "gridftp/LICENSE",
        "gridftp/README.md",
        "gridftp/RELEASE",
        "gridftp/core/base/a.cc",
    }


@pytest.fixture(scope="module")
def whole() -> dict[str, bytes]:
    """A release of this repository's last commit, without a site."""
    if not (ROOT / ".git").exists():
        pytest.skip("needs a clone")
    return contents.release(ROOT, head(ROOT), {}, b"{}\n")


def test_the_launcher_starts_from_the_archive(whole: dict[str, bytes], tmp_path: Path) -> None:
    place = tmp_path / "some where"
    (name,) = (name for name in whole if name.startswith("gridftp-lab-") and name.endswith("gz"))
    with tarfile.open(fileobj=io.BytesIO(whole[name])) as opened:
        opened.extractall(place, filter="data")
    (top,) = place.iterdir()
    done = subprocess.run(
        [sys.executable, "-W", "error", "-B", top / "gridftp", "--help"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    tell = "from launcher import revision; print(revision.commit(), revision.version())"
    told = subprocess.run(
        [sys.executable, "-P", "-c", tell],
        env={**os.environ, "PYTHONPATH": str(top), "PYTHONDONTWRITEBYTECODE": "1"},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    assert told == [head(ROOT)[:12], name.removeprefix("gridftp-lab-").removesuffix(".tar.gz")]


CMAKE = """
cmake_minimum_required(VERSION 3.13)
project(tree NONE)
function(build_lib)
  set(lists SOURCE_FILES HEADER_FILES LIBRARIES_TO_LINK TEST_SOURCES)
  cmake_parse_arguments(LIB "" "LIBNAME" "${lists}" ${ARGN})
  set(found "${LIB_SOURCE_FILES};${LIB_HEADER_FILES};${LIB_TEST_SOURCES}")
  file(WRITE ${CMAKE_SOURCE_DIR}/found.txt "${found}")
  add_library(gridftp INTERFACE)
endfunction()
function(target_include_directories)
endfunction()
function(build_lib_example)
  cmake_parse_arguments(LIB "" "NAME" "SOURCE_FILES;LIBRARIES_TO_LINK" ${ARGN})
  file(WRITE ${CMAKE_SOURCE_DIR}/example.txt "${LIB_SOURCE_FILES}")
endfunction()
add_subdirectory(contrib/gridftp)
add_subdirectory(contrib/gridftp/examples)
"""


@pytest.mark.skipif(not shutil.which("cmake"), reason="needs cmake")
def test_cmake_finds_all_of_the_module(whole: dict[str, bytes], tmp_path: Path) -> None:
    (data,) = (data for name, data in whole.items() if name.startswith("ns3-"))
    with tarfile.open(fileobj=io.BytesIO(data)) as opened:
        opened.extractall(tmp_path / "contrib", filter="data")
    (tmp_path / "CMakeLists.txt").write_text(CMAKE, encoding="utf-8")
    command = ["cmake", "-S", tmp_path, "-B", tmp_path / "build"]
    assert subprocess.run(command, capture_output=True, text=True, check=False).stderr == ""
    module = tmp_path / "contrib/gridftp"
    found = (tmp_path / "found.txt").read_text(encoding="utf-8").split(";")
    assert len(found) > 300
    assert all((module / name).is_file() for name in found)
    (example,) = (tmp_path / "example.txt").read_text(encoding="utf-8").split(";")
    assert (module / "examples" / example).is_file()
    # What the sources include is ns-3's, the standard library's or beside them.
    own = {file.name for file in module.rglob("*.h")}
    for file in sources.files(sources.folders(root=tmp_path)):
        text = file.read_text(encoding="utf-8")
        assert {*re.findall(r'^#include "(?:ns3/)?(gridftp-[^"]+)"', text, re.M)} <= own, file.name


def test_what_is_in_no_commit_is_refused(fresh: Sandbox) -> None:
    refused(fresh.launch("release"), "made from a clone", status=2)
    (fresh.root / ".gitignore").write_bytes((ROOT / ".gitignore").read_bytes())
    git(fresh.root, "init", "--quiet")
    git(fresh.root, "add", ".")
    git(fresh.root, "commit", "--quiet", "--message=all")
    (fresh.root / "scratch/new.cc").touch()
    refused(fresh.launch("release"), "in no commit: scratch/new.cc; ", status=2)
    (fresh.root / "CITATION.cff").write_text("version: 2.0.0\n", encoding="utf-8")
    refused(fresh.launch("release"), "in no commit: CITATION.cff and 1 more; ", status=2)
    assert not (fresh.root / ".venv").exists()
    # A release tells the licences of all packages, and so needs them.
    (fresh.root / "scratch/new.cc").unlink()
    git(fresh.root, "checkout", "--quiet", ".")
    done = fresh.launch("release", "--export=x")
    assert (done.returncode, done.stdout) == (0, "release --export=x\n"), done.stderr
    assert groups(fresh) > {"waf", "ns3", "python", "dask", "notebook", "browser", "release"}
