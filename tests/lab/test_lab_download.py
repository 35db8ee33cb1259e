"""The page as it comes over the wire: small, from one place, and then on its own."""

from __future__ import annotations

import http.server
import threading
from functools import partial
from pathlib import Path

from browser import NewLab

LARGEST = 1_500_000
"""Bytes that the whole page may have."""


class PlainHandler(http.server.SimpleHTTPRequestHandler):
    """Python's own static server, which compresses nothing and knows nothing of this page."""

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def test_the_whole_download_is_small(new_lab: NewLab, lab_site: Path) -> None:
    handler = partial(PlainHandler, directory=str(lab_site))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        lab = new_lab()
        lab.address = lab.watched.address = f"http://127.0.0.1:{server.server_address[1]}/"
        lab.open("t=1")
        sizes = {response.url: len(response.body()) for response in lab.watched.responses}
        server.shutdown()
        thread.join()
    # What came is what the site holds, and the engine is among it.
    for url, size in sizes.items():
        name = url.removeprefix(lab.address).split("#")[0] or "index.html"
        assert size == (lab_site / name).stat().st_size, name
    assert sizes[f"{lab.address}engine/engine.wasm"] > 100_000
    assert sum(sizes.values()) < LARGEST, sorted(sizes.items(), key=lambda item: -item[1])


def test_every_file_of_the_site_is_small_enough_together(lab_site: Path) -> None:
    files = [file for file in lab_site.rglob("*") if file.is_file()]
    assert sum(file.stat().st_size for file in files) < LARGEST


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
