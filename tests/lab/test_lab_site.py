"""`./gridftp lab`: the site is made, written out and served; what is wrong is told in one line."""

from __future__ import annotations

import gzip
import re
import shutil
import signal
import socket
import struct
import tomllib
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import ROOT, Started
from patience import PATIENCE

from experiments.__main__ import main
from experiments.errors import ProgramError, UserError
from experiments.programs.program import locate
from lab import folders, site, verb, wasm

Start = Callable[..., Started]


@pytest.fixture(scope="module", autouse=True)
def built(programs: Path) -> Path:
    return site.make()


def files(folder: Path) -> set[str]:
    return {str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file()}


def test_the_site_has_what_the_page_loads(built: Path) -> None:
    page = (built / "index.html").read_text(encoding="utf-8")
    loaded = set(re.findall(r'(?:src|href)="([^":#]+)"', page))
    made = {"engine/engine.wasm.gz", site.LESSONS, site.PAPERS, "paper.json", "main.js"}
    assert loaded | made <= files(built)
    assert len(loaded) > 5


def test_the_site_is_written_out_and_written_again(
    built: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "new"
    assert main(["lab", "--export", str(folder)]) == 0
    assert files(folder) == files(built)
    # What an earlier version had is gone with the next one.
    (folder / "old.js").touch()
    assert main(["lab", f"--export={folder}"]) == 0
    assert files(folder) == files(built)
    assert capsys.readouterr().out.endswith(f"gridftp lab: the site is in {folder}\n")
    assert [path.name for path in tmp_path.iterdir()] == ["new"]


def test_a_written_site_links_to_the_manual_where_it_is_told_one(
    built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(site, "make", lambda: built)
    command = "<code>./gridftp manual --open</code>"
    assert command in (built / "index.html").read_text(encoding="utf-8")
    for given, linked in (
        ("../manual", "../manual/index.html"),
        ("https://a.b/c/", "https://a.b/c/index.html"),
        ("here.html", "here.html"),
    ):
        words = [f"--export={tmp_path / 'lab'}", f"--manual={given}"]
        assert verb.main(words) == 0
        page = (tmp_path / "lab/index.html").read_text(encoding="utf-8")
        assert f'<a href="{linked}">read it</a>' in page
        assert command not in page


def test_only_a_site_that_has_changed_is_made_anew(
    built: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    # Its files go away for a moment: whoever is served from it would miss them.
    before = built.stat().st_ino
    assert site.make() == built
    assert built.stat().st_ino == before

    page, other = tmp_path / "page", tmp_path / "site"
    shutil.copytree(site.PAGE, page)
    monkeypatch.setattr(site, "PAGE", page)
    monkeypatch.setattr(site, "SITE", other)
    site.make()
    assert files(other) == files(built)
    (page / "theme.js").write_text("'another'()", encoding="utf-8")
    (page / "handout/handout.css").write_text("/* another */", encoding="utf-8")
    (page / "main.js").write_text("import './theme.js'", encoding="utf-8")
    site.make()
    scripts = "".join(file.read_text(encoding="utf-8") for file in other.rglob("*.js"))
    assert "'another'()" in scripts.replace('"', "'")
    assert "another" in (other / "handout/handout.css").read_text(encoding="utf-8")
    (page / "theme.js").write_text("import './none.js'", encoding="utf-8")
    with pytest.raises(ProgramError, match=r'joining .* failed: .*resolve "./none.js"'):
        site.make()
    assert scripts == "".join(file.read_text(encoding="utf-8") for file in other.rglob("*.js"))


def test_a_folder_of_somebody_else_is_left_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "thesis.tex").touch()
    assert main(["lab", "--export", str(tmp_path)]) == 2
    assert files(tmp_path) == {"thesis.tex"}
    told = capsys.readouterr().err
    assert told.startswith(
        f"gridftp lab: --export: '{tmp_path}' contains files of something else; allowed: "
    )
    assert told.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--port=x"], "--port: 'x' is not a whole number from 0 to 65535"),
        (["--port=65536"], "--port: '65536' is not a whole number from 0 to 65535"),
        (["--export="], "--export: '' is not a path"),
        (["--notebook", "--export=x"], "--notebook: cannot be exported; allowed: without --export"),
        (["--manual=../manual"], "--manual: only for an exported site; allowed: with --export"),
        (["--export=x", "--manual="], "--manual: '' is not the address of a site"),
        (["--export=x", "--manual=a#b"], "--manual: 'a#b' is not the address of a site"),
        (["--colour"], "unrecognized arguments: --colour"),
    ],
)
def test_wrong_words(words: list[str], told: str) -> None:
    with pytest.raises(UserError, match=re.escape(told)):
        verb.main(words)


def test_a_port_that_is_taken(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["lab", f"--port={port}"]) == 2
    told = capsys.readouterr().err
    assert told.startswith(f"gridftp lab: --port {port}: Address already in use; allowed: ")


def leave_early(port: int) -> None:
    """Ask for what no socket's buffer holds, and reset the connection without reading it."""
    with socket.create_connection(("127.0.0.1", port)) as browser:
        browser.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        browser.sendall(b"GET /engine/engine.wasm.gz HTTP/1.1\r\n\r\n")


def test_it_is_served_on_this_machine_alone_until_ctrl_c(started: Start) -> None:
    serving = started("-m", "experiments", "lab", "--port=0")
    line = serving.stdout.readline()
    address = re.fullmatch(r"gridftp lab: (http://127\.0\.0\.1:(\d+)/) \(Ctrl-C ends it\)\n", line)
    assert address, line
    leave_early(int(address[2]))
    with urllib.request.urlopen(address[1] + "engine/engine.wasm.gz") as answer:
        assert gzip.decompress(answer.read())[:4] == b"\0asm"
    serving.send_signal(signal.SIGINT)
    assert serving.wait(PATIENCE) == 0
    assert serving.stderr.read() == ""


def test_the_papers_values_are_those_of_its_figures() -> None:
    values = site.paper_values(locate("gridftp-transfer"))
    # Of the size of a file, which several figures sweep, the first one's
    for figure, name in (("ito/sweeps/fig06", "delay"), ("gardner/sweeps/fig08", "file-size")):
        with (ROOT / f"papers/{figure}.toml").open("rb") as file:
            assert values[name] == tomllib.load(file)["cross"][name]
    of_buffers = {"file-size", "window", "parallelism", "client-delay"}
    of_storages = {"source-rate", "source-total-rate", "block-size"}
    of_hosts = {"sender-backlog", "receiver-backlog", "sender-wmem-max", "receiver-rmem-max"}
    # Sizes of chunks follow those of files, and numbers of stripes are none
    assert values.keys() == {"bandwidth", "delay", "eta"} | of_buffers | of_storages | of_hosts
    assert values["eta"][0] == "0.1"
    assert len(values["eta"]) == 10


def test_an_engine_that_does_not_compile_is_told_and_the_former_one_stays(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    before = (folders.BUILD / "engine.wasm.gz").stat()
    broken = tmp_path / "broken.cc"
    broken.write_text("int main() { return nothing; }\n", encoding="utf-8")
    monkeypatch.setattr(wasm, "lab_files", lambda *_: [broken])
    with pytest.raises(ProgramError, match=r"compilation of the engine failed: .*nothing"):
        wasm.make()
    assert (folders.BUILD / "engine.wasm.gz").stat() == before
