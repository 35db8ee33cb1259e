"""``gridftp bench --lab``: the engine in the browser against the native one, and its frames.

Both engines are timed by clocks of their own, without starting and set-up, in turn. Frames are
timed as the browser shows them, from one call of requestAnimationFrame to the next.
"""

from __future__ import annotations

import itertools
import json
import statistics
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rich.table import Table

from analysis.files import write_atomically
from experiments.programs.program import locate
from experiments.terminal import present
from experiments.terminal.arguments import Parser, add_results, positive, results_of

from . import site
from .chromium import browser, served

if TYPE_CHECKING:
    from playwright.sync_api import Page

WIDE = {"width": 1440, "height": 900}

FRAMES_MS = 10_000
"""How long frames are watched, real time."""

_WATCH_FRAMES = """
(duration) => new Promise((resolve) => {
  const times = [];
  const look = (now) => {
    times.push(now);
    if (now - times[0] < duration) requestAnimationFrame(look);
    else resolve(times);
  };
  requestAnimationFrame(look);
})
"""


@dataclass(frozen=True)
class Transfer:
    """A transfer that both engines simulate."""

    label: str
    scenario: dict[str, str]


@dataclass(frozen=True)
class Animation:
    """What the page shows while its frames are timed.

    Attributes:
        label: for people.
        address: the page's state.
    """

    label: str
    address: str


_WIDE_PATH = {"bandwidth": "1Gbps", "queue": "1000p"}
TRANSFERS = (
    Transfer("MI, 10 GB: no option at all", {}),
    Transfer("AIMD, 10 GB", {"mode": "aimd"}),
    Transfer("N = 64, 1 Gbit/s, 10 GB", {"mode": "fixed", "parallelism": "64", **_WIDE_PATH}),
)

_SIXTY_FOUR = "#mode=fixed&parallelism=64&bandwidth=1Gbps&queue=1000p&t=2"
ANIMATIONS = (
    Animation("64 connections, packet by packet", f"{_SIXTY_FOUR}&speed=0.003"),
    Animation("64 connections, real time", f"{_SIXTY_FOUR}&speed=1"),
)


def main(arguments: list[str]) -> int:
    """Run the verb; return the exit status.

    Raises:
        ProgramError: there is no browser, or a program fails.
    """
    parser = Parser(
        "bench --lab",
        "Speed of the segment engine in a browser compared with the native program, and the "
        "frames of the lab's page (needs Debian's package chromium).",
    )
    parser.add_argument(
        "--repeat", type=positive, default=3, metavar="N", help="runs of each (default: 3)"
    )
    add_results(parser)
    options = parser.parse_args(arguments)
    with served(site.make()) as address, browser() as running:
        page = running.new_page(viewport=WIDE)
        # An address without a state would play
        _open(page, f"{address}#t=0")
        transfers = [_time(page, transfer, options.repeat) for transfer in TRANSFERS]
        animations = [_watch(page, address, animation) for animation in ANIMATIONS]
        version = running.version
    data = {
        "schema": 1,
        "chromium": version,
        "repeat": options.repeat,
        "transfers": transfers,
        "animations": animations,
    }
    path = results_of(options) / "bench-lab.json"
    write_atomically({path: (json.dumps(data, indent=1) + "\n").encode()})
    out = present.standard_output()
    out.print(_transfer_table(transfers))
    out.print(_animation_table(animations))
    present.say(out, f"Chromium {version}")
    present.print_files(out, [path])
    return 0


def _open(page: Page, address: str) -> None:
    page.goto("about:blank")
    page.goto(address)
    page.wait_for_selector("html[data-state=ready]")


def _time(page: Page, transfer: Transfer, repeat: int) -> dict[str, Any]:
    """Simulate a transfer on both engines in turn; return ns a segment of each round."""
    program = locate("gridftp-transfer")
    words = [f"--{name}={value}" for name, value in transfer.scenario.items()]
    native, lab = [], []
    for _ in range(repeat):
        # The page simulates every segment, and so does the program here
        result = program.object(*words, "--fast-forward=off", "--json")
        segments = result["sessions"][0]["tcp"]["segments"]
        native.append(result["cost"]["wall_s"] * 1e9 / segments)
        took = page.evaluate(
            "async (scenario) => (await gridftpLab.laboratory.run(scenario)).milliseconds",
            transfer.scenario,
        )
        lab.append(took * 1e6 / segments)
    ratios = [one / other for one, other in zip(lab, native, strict=True)]
    return {
        "label": transfer.label,
        "scenario": transfer.scenario,
        "native_ns_per_segment": native,
        "lab_ns_per_segment": lab,
        "ratios": ratios,
        "median_ratio": statistics.median(ratios),
    }


def _watch(page: Page, address: str, animation: Animation) -> dict[str, Any]:
    """Play, and return how long the frames took, ms."""
    _open(page, address + animation.address)
    page.evaluate("() => { gridftpLab.player.play(); }")
    times = page.evaluate(_WATCH_FRAMES, FRAMES_MS)
    frames = sorted(later - earlier for earlier, later in itertools.pairwise(times))
    return {
        "label": animation.label,
        "address": animation.address,
        "frames": len(frames),
        "median_ms": statistics.median(frames),
        "p95_ms": statistics.quantiles(frames, n=20)[-1],
        "longest_ms": frames[-1],
    }


def _table(title: str, headings: tuple[str, ...], rows: list[tuple[str, ...]]) -> Table:
    """Return a table whose first column is words, and the others numbers."""
    table = Table(title=title, title_justify="left")
    for index, heading in enumerate(headings):
        table.add_column(heading, justify="right" if index else "left")
    for row in rows:
        table.add_row(*row)
    return table


def _transfer_table(transfers: list[dict[str, Any]]) -> Table:
    return _table(
        "Time of a delivered segment, medians",
        ("transfer", "native ns", "browser ns", "ratio", "lowest to highest"),
        [
            (
                told["label"],
                f"{statistics.median(told['native_ns_per_segment']):.1f}",
                f"{statistics.median(told['lab_ns_per_segment']):.1f}",
                f"{told['median_ratio']:.2f}",
                f"{min(told['ratios']):.2f} to {max(told['ratios']):.2f}",
            )
            for told in transfers
        ],
    )


def _animation_table(animations: list[dict[str, Any]]) -> Table:
    keys = ("median_ms", "p95_ms", "longest_ms")
    return _table(
        "Time from frame to frame",
        ("the page shows", "frames", "median ms", "95 % within ms", "longest ms"),
        [
            (told["label"], str(told["frames"]), *(f"{told[key]:.1f}" for key in keys))
            for told in animations
        ],
    )
