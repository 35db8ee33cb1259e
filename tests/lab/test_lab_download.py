"""The page as it comes over the wire: small, from one place, and then on its own."""

from __future__ import annotations

import gzip
import http.server
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from browser import Lab, NewLab

from lab import wasm

LARGEST = 1_100_000
"""Bytes that the whole page may have on its way from a host that compresses nothing."""

MOST_FILES = 20
"""Of them: each costs a browser time, and a reader far away a round trip or two."""

ENGINE = "engine/engine.wasm.gz"


class PlainHandler(http.server.SimpleHTTPRequestHandler):
    """Python's own static server, which compresses nothing and knows nothing of this page."""

    def log_message(self, *_: object) -> None:
        """Say nothing."""


class EncodingHandler(PlainHandler):
    """One that tells of .gz files that they are encoded, as Apache's AddEncoding makes it do."""

    def end_headers(self) -> None:
        """Add a line where it is one."""
        if self.path.endswith(".gz"):
            self.send_header("Content-Encoding", "gzip")
        super().end_headers()


@contextmanager
def hosted(folder: Path, handler: type[PlainHandler], lab: Lab) -> Iterator[Lab]:
    """Have a page served by another host meanwhile."""
    made = partial(handler, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), made) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        lab.address = lab.watched.address = f"http://127.0.0.1:{server.server_address[1]}/"
        try:
            yield lab
        finally:
            server.shutdown()
            thread.join()


def test_the_whole_download_is_small(new_lab: NewLab, lab_site: Path) -> None:
    with hosted(lab_site, PlainHandler, new_lab()) as lab:
        lab.open("t=1")
        sizes = {response.url: len(response.body()) for response in lab.watched.responses}
    # What came is what the site holds, and the engine is among it.
    for url, size in sizes.items():
        name = url.removeprefix(lab.address).split("#")[0] or "index.html"
        assert size == (lab_site / name).stat().st_size, name
    assert sizes[lab.address + ENGINE] > 100_000
    assert sum(sizes.values()) < LARGEST, sorted(sizes.items(), key=lambda item: -item[1])
    assert len(sizes) <= MOST_FILES, sorted(sizes)


def test_every_file_of_the_lab_is_small_enough_together(lab_site: Path) -> None:
    # Handouts and the editor of tuners are pages of their own, which the lab does not load; maps to
    # its sources come when somebody looks into them.
    apart = {lab_site / "handout", lab_site / "tuner", *lab_site.rglob("*.map")}
    files = {file for file in lab_site.rglob("*") if file.is_file()}
    files = {file for file in files if not apart & {file, *file.parents}}
    assert sum(file.stat().st_size for file in files) < LARGEST


def test_the_same_engine_is_the_same_file(tmp_path: Path, lab_site: Path) -> None:
    packed = (lab_site / ENGINE).read_bytes()
    (tmp_path / "engine.wasm").write_bytes(gzip.decompress(packed))
    wasm.compress(tmp_path / "engine.wasm", tmp_path / "again.wasm.gz")
    assert (tmp_path / "again.wasm.gz").read_bytes() == packed


def test_a_host_that_has_the_browser_decompress_the_engine(new_lab: NewLab, lab_site: Path) -> None:
    with hosted(lab_site, EncodingHandler, new_lab()) as lab:
        lab.open("t=1")
        assert lab.js("lab.laboratory.run({ 'file-size': '1MB' })")["status"] == "done"


def test_a_browser_that_cannot_decompress_the_engine(new_lab: NewLab) -> None:
    lab = new_lab()
    lab.page.add_init_script("delete globalThis.DecompressionStream")
    lab.page.goto(lab.address)
    lab.page.wait_for_selector("html[data-state=failed]")
    assert lab.page.inner_text("#problems").splitlines()[0] == (
        "The laboratory could not be started: this browser cannot decompress the engine; "
        "allowed: Chromium from 80, Firefox from 113, Safari from 16.4 on"
    )


def test_an_engine_of_which_a_part_is_missing(
    new_lab: NewLab, lab_site: Path, tmp_path: Path
) -> None:
    shutil.copytree(lab_site, tmp_path / "site")
    packed = tmp_path / "site" / ENGINE
    packed.write_bytes(packed.read_bytes()[:200_000])
    with hosted(tmp_path / "site", PlainHandler, new_lab()) as lab:
        lab.page.goto(lab.address)
        lab.page.wait_for_selector("html[data-state=failed]")
        told = lab.page.inner_text("#problems")
    assert "could not be started: engine.wasm.gz is damaged or incomplete: " in told


def test_it_works_without_a_network_once_it_is_loaded(new_lab: NewLab) -> None:
    lab = new_lab().open("mode=fixed&parallelism=2&file-size=5MB")
    count = len(lab.watched.responses)
    lab.page.context.set_offline(True)
    lab.seek(2)
    lab.js("lab.player.setScenario({ 'file-size': '1MB' })")
    lab.until("lab.player.state.scenario['file-size'] === '1MB'")
    assert lab.js("lab.laboratory.run({ 'file-size': '1MB' })")["status"] == "done"
    lab.page.get_by_role("button", name="Lessons").click()
    assert len(lab.watched.responses) == count
