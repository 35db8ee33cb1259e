"""Real browsers on the built site: Debian's Chromium, driven by Playwright, and its Firefox.

A plugin of pytest, loaded by conftest.py. Every page that a test opens is watched: what the console
complains of, what fails, what is asked of another host; the test fails of it when it ends.
"""

from __future__ import annotations

import asyncio
import importlib.util
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from driven import ARRIVED
from patience import PATIENCE

from lab import firefox as firefox_driver
from lab import site
from lab.chromium import NAMES, browser, served

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Locator, Page, Response

PATIENCE_MS = 1000 * PATIENCE

if importlib.util.find_spec("playwright"):
    from playwright.sync_api import expect

    # Its own five seconds are over before a busy machine has caught up.
    expect.set_options(timeout=PATIENCE_MS)
else:
    expect = None  # every test that would use it is skipped

__all__ = ["PHONE", "SIZES", "WIDE", "Lab", "NewLab", "expect"]

NO_BROWSER = "no Chromium is installed; .ci/run installs it"
NO_FIREFOX = "no Firefox is installed; .ci/run installs it"
NO_PACKAGES = "the packages of the group browser are not installed; ./gridftp test installs them"

DRAWN = """new Promise((done) => {
    requestAnimationFrame(() => requestAnimationFrame(() => done()));
})"""
"""A promise of the page: what was asked for is drawn."""

STANDING = "t=0"
"""The defaults, standing: an address with nothing in it runs them for who sees the page first."""

WIDE = {"width": 1400, "height": 900}
PHONE = {"width": 390, "height": 844}

SIZES = {
    "1440 x 900": {"width": 1440, "height": 900},
    "1366 x 768": {"width": 1366, "height": 768},
    "1024 x 768": {"width": 1024, "height": 768},
    "1366 x 768 at 200 %": {"width": 683, "height": 384},
    "390 x 844": PHONE,
}
"""Viewports, CSS pixels, in which all of the page can be read and done; the narrowest last."""


@pytest.fixture(scope="session")
def started_chromium() -> Iterator[tuple[Browser, asyncio.AbstractEventLoop]]:
    """The browser, which takes a second to start, and the event loop of its driver."""
    if not any(map(shutil.which, NAMES)):
        pytest.skip(NO_BROWSER)
    if importlib.util.find_spec("playwright") is None:
        pytest.skip(NO_PACKAGES)
    with browser() as running:
        loop = asyncio.get_running_loop()
        asyncio._set_running_loop(None)
        yield running, loop
        asyncio._set_running_loop(loop)


@pytest.fixture(scope="module")
def chromium(
    started_chromium: tuple[Browser, asyncio.AbstractEventLoop],
) -> Iterator[Browser]:
    """The browser, shared by all tests; each has pages of its own.

    The driver's event loop always runs, and asyncio starts no second one in a thread. Tests of
    other modules may start one, as the driver's is this thread's loop only meanwhile.
    """
    running, loop = started_chromium
    asyncio._set_running_loop(loop)
    yield running
    asyncio._set_running_loop(None)


@pytest.fixture(scope="module")
def firefox() -> Iterator[firefox_driver.FirefoxPage]:
    """The only page of the other browser, shared by the tests of a module."""
    if firefox_driver.installed() is None:
        pytest.skip(NO_FIREFOX)
    if importlib.util.find_spec("websockets") is None:
        pytest.skip(NO_PACKAGES)
    with firefox_driver.browser() as running:
        yield running


@pytest.fixture(scope="session")
def lab_site(programs: Path) -> Path:
    """The folder of the built site."""
    return site.make()


@pytest.fixture(scope="session")
def lab_address(lab_site: Path) -> Iterator[str]:
    """The address of the site, served from this machine."""
    with served(lab_site) as address:
        yield address


@dataclass
class Watched:
    """What went wrong in a context, and all that it was sent."""

    address: str
    problems: list[str] = field(default_factory=list)
    responses: list[Response] = field(default_factory=list)

    def add(self, context: BrowserContext) -> None:
        """Watch a context's pages."""
        context.on("console", lambda message: self._say(message.type, message.text))
        context.on("weberror", lambda error: self.problems.append(f"uncaught: {error.error}"))
        context.on("request", lambda request: self._ask(request.url))
        context.on("requestfailed", lambda request: self._fail(request.url, request.failure))
        context.on("response", self._answer)

    def _say(self, kind: str, text: str) -> None:
        if kind in ("error", "warning", "assert"):
            self.problems.append(f"console {kind}: {text}")

    def _ask(self, url: str) -> None:
        if not url.startswith((self.address, "blob:", "data:")):
            self.problems.append(f"asked of another host: {url}")

    def _fail(self, url: str, failure: str | None) -> None:
        # A download is no page: the browser takes it over and says that it was aborted.
        if not url.startswith("blob:"):
            self.problems.append(f"failed: {url}: {failure}")

    def _answer(self, response: Response) -> None:
        self.responses.append(response)
        if response.status >= 400:
            self.problems.append(f"{response.status}: {response.url}")


@dataclass
class Lab:
    """The page in one browser context.

    Attributes:
        tab: Playwright's page.
        address: of the site.
        watched: what went on.
        unopened: whether the defaults are loaded by the first use of `page`, unless a test has
            loaded another state before.
    """

    tab: Page
    address: str
    watched: Watched
    unopened: bool = False

    @property
    def page(self) -> Page:
        """Playwright's page."""
        if self.unopened:
            self.open()
        return self.tab

    def open(self, state: str = STANDING) -> Lab:
        """Load the page with a state behind "#", and wait until it is shown."""
        self.unopened = False
        if self.tab.url.startswith(self.address):
            # Otherwise only what is behind "#" would change.
            self.tab.goto("about:blank")
        self.tab.goto(self.address + (f"#{state}" if state else ""))
        self.tab.wait_for_selector("html[data-state=ready]")
        return self

    def js(self, expression: str, value: Any = None) -> Any:
        """Return what an expression is in the page; `lab` in it is the page's own object."""
        return self.page.evaluate(f"async {_function(expression)}", value)

    def until(self, expression: str, value: Any = None) -> None:
        """Wait until an expression, of no promises, holds; `lab` and `value` are known in it."""
        self.page.wait_for_function(_function(expression), arg=value)

    @property
    def state(self) -> dict[str, Any]:
        """The player's state."""
        return self.js("lab.player.state")

    def seek(self, seconds: float) -> None:
        """Go to a moment and wait until it is shown."""
        assert self.js("lab.player.seek(value)", seconds)
        self.js(DRAWN)

    def arrive(self) -> None:
        """Wait until all that was asked of a player that stands is loaded, reached and drawn."""
        self.page.evaluate(ARRIVED)
        self.js(DRAWN)

    def next_frame(self, action: str = "") -> dict[str, Any]:
        """Return the first frame after an action, once it is drawn; none of catching up."""
        return self.js(f"""new Promise((resolve) => {{
            const look = ({{ detail }}) => {{
                if (lab.player.state.catchingUp !== null) return;
                lab.player.removeEventListener("frame", look);
                {DRAWN}.then(() => resolve(detail));
            }};
            lab.player.addEventListener("frame", look);
            {action};
        }})""")

    def saved(self, button: str) -> tuple[str, str]:
        """Return name and text of what a button of the menu Export saves."""
        name, content = self.saved_bytes(button)
        return name, content.decode("utf-8")

    def saved_bytes(self, button: str) -> tuple[str, bytes]:
        """Return name and bytes of what a button of the menu Export saves."""
        menu = open_menu(self)
        with self.page.expect_download() as download:
            menu.get_by_role("button", name=button, exact=True).click()
        name = download.value.suggested_filename
        expect(menu.get_by_role("status")).to_have_text(f"Saved {name}")
        self.page.keyboard.press("Escape")
        expect(menu).to_be_hidden()
        return name, Path(download.value.path()).read_bytes()

    def result(self) -> dict[str, Any]:
        """Return the result of the loaded run so far."""
        return self.js("lab.laboratory.result()")


def open_menu(lab: Lab) -> Locator:
    """Return the menu Export, open and with what it writes at its toggle event, after the click."""
    menu = lab.page.get_by_role("dialog", name="Export")
    if not menu.is_visible():
        lab.page.get_by_role("button", name="Export", exact=True).click()
    expect(menu).to_be_visible()
    expect(menu.locator("#embed-code")).to_contain_text("src=")
    return menu


def _function(expression: str) -> str:
    return f"(value) => {{ const lab = window.gridftpLab; return ({expression}); }}"


NewLab = Callable[..., Lab]


def new_page(chromium: Browser, address: str, **options: Any) -> Lab:
    """A page in a context of its own; not opened yet."""
    context = chromium.new_context(**{"viewport": WIDE, **options})
    context.set_default_timeout(PATIENCE_MS)
    watched = Watched(address)
    watched.add(context)
    return Lab(context.new_page(), address, watched)


@pytest.fixture
def new_lab(chromium: Browser, lab_address: str) -> Iterator[NewLab]:
    """A function that makes a page in a context of its own; not opened yet.

    It takes what Playwright's new_context() takes: viewport, color_scheme, reduced_motion, ...
    """
    made: list[Lab] = []

    def make(**options: Any) -> Lab:
        made.append(new_page(chromium, lab_address, **options))
        return made[-1]

    yield make
    for lab in made:
        lab.tab.context.close()
    assert [problem for lab in made for problem in lab.watched.problems] == []


@pytest.fixture(scope="module")
def usual_page(chromium: Browser, lab_address: str) -> Iterator[Lab]:
    """A page that the tests of a module load one after the other, cheaper than new ones."""
    made = new_page(chromium, lab_address)
    yield made
    made.tab.context.close()


@pytest.fixture
def lab(usual_page: Lab) -> Iterator[Lab]:
    """The page with its defaults, loaded anew, on a wide screen; nothing is remembered."""
    tab, watched = usual_page.tab, usual_page.watched
    tab.set_viewport_size(WIDE)
    tab.emulate_media(color_scheme="light")
    tab.mouse.move(0, 0)
    watched.problems.clear()
    watched.responses.clear()
    # Many tests begin with a state of their own: the defaults are not loaded for nothing
    usual_page.unopened = True
    yield usual_page
    if not usual_page.unopened:
        usual_page.page.evaluate("() => { localStorage.clear(); sessionStorage.clear(); }")
    assert watched.problems == []
