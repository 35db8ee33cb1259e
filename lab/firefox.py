"""Opens the built site in a real browser: Firefox, driven over WebDriver BiDi.

Playwright drives only a Firefox that it has built itself; this drives the one that is installed,
by the protocol that browsers have in common (https://www.w3.org/TR/webdriver-bidi/): JSON messages
over a websocket.
"""

from __future__ import annotations

import base64
import json
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from experiments.errors import ProgramError

if TYPE_CHECKING:
    from websockets.sync.client import ClientConnection

NAMES = ("firefox-esr", "firefox")

PATIENCE_S = 300.0
"""No answer takes longer."""

_LISTENING = re.compile(r"WebDriver BiDi listening on (ws://\S+)")

_CALL = "async (text) => JSON.stringify((await ({})(JSON.parse(text))) ?? null)"
"""Values go there and come back as JSON: the protocol has a type for each of JavaScript's."""


KEYS = {
    "Backspace": "\ue003",
    "Tab": "\ue004",
    "Enter": "\ue006",
    "Shift": "\ue008",
    "Control": "\ue009",
    "Alt": "\ue00a",
    "Escape": "\ue00c",
    "End": "\ue010",
    "Home": "\ue011",
    "ArrowLeft": "\ue012",
    "ArrowUp": "\ue013",
    "ArrowRight": "\ue014",
    "ArrowDown": "\ue015",
    "Delete": "\ue017",
}
"""Keys that are no characters, by KeyboardEvent.key: what the protocol has for each."""


class Keyboard:
    """The keys of a page, as Playwright's of the same name."""

    def __init__(self, act: Callable[[list[dict[str, Any]]], None]) -> None:
        """Take what has input sources of the protocol do their actions."""
        self._act = act

    def press(self, key: str) -> None:
        """Press and lift a key.

        Args:
            key: a character or a name of KEYS, behind those that are held meanwhile: "Enter", "a",
                "Shift+Tab", "Control+a".

        Raises:
            ValueError: a name is unknown.
        """
        *held, last = key.split("+") if key != "+" else [key]
        self._strike([*map(_code, held), _code(last)])

    def type(self, text: str) -> None:
        """Press and lift the key of each character."""
        for character in text:
            self._strike([character])

    def _strike(self, codes: Sequence[str]) -> None:
        down = [{"type": "keyDown", "value": code} for code in codes]
        up = [{"type": "keyUp", "value": code} for code in reversed(codes)]
        self._act([{"type": "key", "id": "keyboard", "actions": [*down, *up]}])


def _code(key: str) -> str:
    if len(key) == 1:
        return key
    if key not in KEYS:
        raise ValueError(f"no key is called {key!r}; known: a character, {', '.join(KEYS)}")
    return KEYS[key]


class FirefoxPage:
    """A tab.

    Attributes:
        keyboard: its keys.
        problems: what the console complained of.
    """

    def __init__(self, connection: ClientConnection) -> None:
        self._connection = connection
        self._asked = 0
        self.keyboard = Keyboard(self._act)
        self.problems: list[str] = []
        self.capabilities = self._ask("session.new", {"capabilities": {}})["capabilities"]
        # The tab that is there is as one of a window behind others: nothing in it has the focus
        self._context = self._ask("browsingContext.create", {"type": "tab"})["context"]
        self._ask("session.subscribe", {"events": ["log.entryAdded"]})

    @property
    def version(self) -> str:
        """The browser's."""
        return self.capabilities["browserVersion"]

    def set_viewport_size(self, size: dict[str, int]) -> None:
        """Give the page so much room, CSS pixels: `width` and `height`."""
        self._do("browsingContext.setViewport", viewport=size)

    def goto(self, address: str) -> None:
        """Load a page; one that differs behind "#" alone is not loaded anew."""
        self._do("browsingContext.navigate", url=address, wait="complete")

    def evaluate(self, function: str, value: Any = None) -> Any:
        """Call a function of the page and return what it does.

        Args:
            function: JavaScript; may return a promise.
            value: its only argument, of what JSON has.

        Raises:
            ProgramError: it throws.
        """
        answer = self._ask(
            "script.callFunction",
            {
                "functionDeclaration": _CALL.format(function),
                "arguments": [{"type": "string", "value": json.dumps(value)}],
                "target": {"context": self._context},
                "awaitPromise": True,
            },
        )
        if answer["type"] == "exception":
            raise ProgramError(f"firefox: {answer['exceptionDetails']['text']}")
        return json.loads(answer["result"]["value"])

    def move(self, x: float, y: float) -> None:
        """Move the pointer there, CSS pixels of the viewport."""
        moved = {"type": "pointerMove", "x": round(x), "y": round(y)}
        self._act([_pointer(moved)])

    def click(self, selector: str) -> None:
        """Click in the middle of an element.

        Raises:
            ProgramError: there is none.
        """
        x, y = self.evaluate(
            """(selector) => {
                const found = document.querySelector(selector);
                if (!found) throw new Error(`no ${selector}`);
                found.scrollIntoView({ block: "nearest" });
                const { left, top, width, height } = found.getBoundingClientRect();
                return [left + width / 2, top + height / 2];
            }""",
            selector,
        )
        self.move(x, y)
        press, lift = ({"type": f"pointer{what}", "button": 0} for what in ("Down", "Up"))
        self._act([_pointer(press, lift)])

    def screenshot(self, path: Path) -> None:
        """Save what is on the screen as a PNG file."""
        answer = self._do("browsingContext.captureScreenshot")
        path.write_bytes(base64.b64decode(answer["data"]))

    def _act(self, sources: list[dict[str, Any]]) -> None:
        """Have keys or pointer do something; what listens to it has run when this returns."""
        self._do("input.performActions", actions=sources)

    def _do(self, method: str, **parameters: Any) -> dict[str, Any]:
        return self._ask(method, {"context": self._context, **parameters})

    def _ask(self, method: str, parameters: dict[str, Any]) -> dict[str, Any]:
        self._asked += 1
        message = {"id": self._asked, "method": method, "params": parameters}
        self._connection.send(json.dumps(message))
        while True:
            answer = json.loads(self._connection.recv(timeout=PATIENCE_S))
            if answer["type"] == "event":
                self._hear(answer["params"])
            elif answer["id"] == self._asked:
                break
        if answer["type"] == "error":
            raise ProgramError(f"firefox: {method}: {answer['message']}")
        return answer["result"]

    def _hear(self, entry: dict[str, Any]) -> None:
        if entry.get("level") in ("error", "warn"):
            self.problems.append(f"{entry['level']}: {entry['text']}")


def _pointer(*actions: dict[str, Any]) -> dict[str, Any]:
    kind = {"pointerType": "mouse"}
    return {"type": "pointer", "id": "mouse", "parameters": kind, "actions": list(actions)}


def installed() -> str | None:
    """Where Firefox is, if it is installed."""
    return next(filter(None, map(shutil.which, NAMES)), None)


@contextmanager
def browser() -> Iterator[FirefoxPage]:
    """Give a tab of a browser without a window, with a profile of its own.

    Raises:
        ProgramError: there is none on this machine, or it does not start.
    """
    found = installed()
    if found is None:
        raise ProgramError("no Firefox is installed: sudo apt install firefox-esr")
    from websockets.sync.client import connect

    # It goes on writing there while it ends
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = [found, "--headless", "--no-remote", "--profile", profile]
        running = subprocess.Popen(
            [*command, "--remote-debugging-port", "0"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            address = _address(running)
            with connect(f"{address}/session", max_size=None, proxy=None) as connection:
                yield FirefoxPage(connection)
        finally:
            running.terminate()
            running.communicate()


def _address(running: subprocess.Popen[str]) -> str:
    """Return where it listens, once it says so."""
    said = []
    assert running.stderr is not None
    for line in running.stderr:
        if match := _LISTENING.search(line):
            return match[1]
        said.append(line)
    raise ProgramError(f"firefox does not start: {''.join(said[-3:])}")
