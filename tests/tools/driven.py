"""A page that a test drives in any browser: what Playwright and lab/firefox.py have in common."""

from __future__ import annotations

import time
from typing import Any, Protocol

from patience import PATIENCE

READY = """
() => new Promise((resolve) => {
  const look = () => {
    const { state } = document.documentElement.dataset;
    if (state) resolve(state); else setTimeout(look, 20);
  };
  look();
})
"""

ARRIVED = """
async () => {
  const { player } = window.gridftpLab;
  // It arrives behind all that was asked for before; what is asked for meanwhile takes its place
  while (!(await player.seek(player.destination)));
}
"""
"""All that was asked of a player that stands is loaded and reached."""

POLL_S = 0.02


class Keys(Protocol):
    """The keys of a page."""

    def press(self, key: str, /) -> None:
        """Press and lift a key: "Enter", "a", "Shift+Tab", "Control+a"."""

    def type(self, text: str, /) -> None:
        """Press and lift the key of each character."""


class Driven(Protocol):
    """A page, as Playwright and lab/firefox.py drive it."""

    @property
    def keyboard(self) -> Keys:
        """Its keys."""

    def set_viewport_size(self, viewport_size: Any, /) -> None:
        """Give it so much room, CSS pixels: `width` and `height`."""

    def goto(self, url: str, /) -> Any:
        """Load an address."""

    def evaluate(self, expression: str, arg: Any = None, /) -> Any:
        """Call a function of the page."""


def open_site(page: Driven, address: str, state: str = "") -> None:
    """Load the site with a state behind "#", and wait until it is shown."""
    # Otherwise only what is behind "#" may change.
    page.goto("about:blank")
    page.goto(address + (f"#{state}" if state else ""))
    assert page.evaluate(READY) == "ready"


def until(page: Driven, expression: str, value: Any = None) -> None:
    """Wait until an expression of the page holds; `lab` and `value` are known in it."""
    function = f"(value) => {{ const lab = window.gridftpLab; return !!({expression}); }}"
    end = time.monotonic() + PATIENCE
    while not page.evaluate(function, value):
        assert time.monotonic() < end, f"never so: {expression}, with {value!r}"
        time.sleep(POLL_S)
