"""The editor of tuners: what a tuner may do, what is told of one that fails, what a race gives."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from browser import PATIENCE_MS, PHONE, WIDE, Lab, NewLab, expect, new_page
from driven import until
from test_lab_access import findings

from lab import site

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page, Route

    from lab.firefox import FirefoxPage

FOUR = "function tune() {\n  return 4;\n}\n"

SMALL = {'"320MB"': '"32MB"', '"20MB"': '"2MB"', '"max-parallelism":"32"': '"max-parallelism":"6"'}
"""The transfers of a race, a tenth of what they are, with N up to 6."""

RACING = "tuner/main.js"
"""The script of the page that races."""

RACE = """async ([code, seed]) => {
  const { laboratory, Race, scenarioOf } = window.gridftpRace;
  const { paths, best, contenders } = await new Race(laboratory, () => {}).run(code, seed);
  return { best, contenders, scenarios: paths.map((path) => scenarioOf(path, {})) };
}"""
"""A race as a script sees it: all digits."""


def shrink(route: Route) -> None:
    text = (site.SITE / RACING).read_text(encoding="utf-8")
    for long, short in SMALL.items():
        assert text.count(long) == 1, long
        text = text.replace(long, short)
    route.fulfill(body=text, content_type="text/javascript")


def open_editor(lab: Lab, state: str = "") -> Page:
    """Load the editor, and wait until it can be used."""
    lab.page.goto("about:blank")
    lab.page.goto(f"{lab.address}tuner/index.html{state}")
    lab.page.wait_for_selector("html[data-state=ready]")
    return lab.page


@pytest.fixture(scope="module")
def shared(chromium: Browser, lab_address: str) -> Iterator[Lab]:
    """One page for all, on which races are small; the lab's, until a test opens the editor."""
    made = new_page(chromium, lab_address)
    made.page.route(f"**/{RACING}", shrink)
    yield made
    made.page.context.close()


@pytest.fixture
def editor(shared: Lab) -> Iterator[Page]:
    """The editor as the test before has left it: to load it is what costs most."""
    page = shared.page
    page.set_viewport_size(WIDE)
    shared.watched.problems.clear()
    yield page if "/tuner/" in page.url else open_editor(shared)
    assert shared.watched.problems == []


def code_of(page: Page) -> Locator:
    return page.get_by_label("Code, JavaScript")


def enter(page: Page, code: str) -> None:
    code_of(page).fill(code)
    page.get_by_label("Seed of the paths").fill("5")


def press_race(page: Page) -> None:
    page.get_by_role("button", name="Race", exact=True).click()


def results_of(page: Page) -> Locator:
    return page.get_by_role("region", name="The race", exact=True)


def race(page: Page) -> Locator:
    """Press Race, and return the results."""
    press_race(page)
    expect(results_of(page)).to_be_visible(timeout=PATIENCE_MS)
    return results_of(page)


def call(programs: Path, scenario: dict[str, str], **options: str) -> Any:
    """Return the first session of what the program makes of a scenario."""
    words = [f"--{name}={value}" for name, value in {**scenario, **options}.items()]
    command = [programs / "gridftp-transfer", "--json", *words]
    return json.loads(subprocess.run(command, capture_output=True, check=True).stdout)["sessions"][
        0
    ]


def test_the_lab_leads_to_the_editor_and_loads_nothing_of_it(shared: Lab, lab_site: Path) -> None:
    lessons = site.read_data(lab_site / site.LESSONS)
    assert '<a href="tuner/index.html">' in json.dumps(lessons[9]["parts"]).replace("\\", "")
    page = shared.open("lessons=list").page
    link = page.get_by_role("link", name="race it against MI, MI+ and AIMD")
    expect(link).to_be_visible()
    assert not [answer.url for answer in shared.watched.responses if "/tuner/" in answer.url]
    link.click()
    expect(code_of(page)).to_be_visible()
    expect(page.get_by_role("link", name="To the laboratory")).to_have_attribute(
        "href", "../index.html#lessons=list"
    )
    page.wait_for_selector("html[data-state=ready]")


def test_who_always_says_four_has_what_fixed_four_has_to_the_last_digit(
    editor: Page, programs: Path
) -> None:
    raced = editor.evaluate(RACE, [FOUR, 5])
    names = [contender["name"] for contender in raced["contenders"]]
    assert names == ["yours", "MI", "MI+", "AIMD", "best fixed N"]
    for place, scenario in enumerate(raced["scenarios"]):
        yours, *tuners, best = (one["outcomes"][place] for one in raced["contenders"])
        fixed = [
            call(programs, scenario, mode="fixed", parallelism=str(n))["goodput_bps"]
            for n in range(1, 7)
        ]
        assert (yours["goodput"], yours["list"]) == (fixed[3], [4] * 16)
        assert yours["share"] == fixed[3] / max(fixed)
        assert (best["goodput"], raced["best"][place]) == (max(fixed), fixed.index(max(fixed)) + 1)
        for mode, outcome in zip(("mi", "mi-plus", "aimd"), tuners, strict=True):
            session = call(programs, scenario, mode=mode)
            chunks = [chunk["parallelism"] for chunk in session["gridftp"]["chunks"]]
            assert (outcome["goodput"], outcome["list"]) == (session["goodput_bps"], chunks)


PROGRAM = """
while read -r line; do
  echo "$line" >> {log}
  case "$line" in
    *hello*) echo '{{"parallelism": 2}}' ;;
    *'"index": 0,'*) echo '{{"parallelism": 5}}' ;;
    *) echo '{{"parallelism": 3}}' ;;
  esac
done
"""
"""A tuner of mode external, which keeps what it is asked."""

UNTOLD = {"protocol", "session", "pair", "pairs", "seed", "run"}

OUTSIDE = """([scenario, answers]) => {
  const { laboratory } = window.gridftpRace;
  const known = answers.map((_, turn) => answers.slice(0, turn));
  return Promise.all(known.map((sofar) => laboratory.outside(scenario, sofar)));
}"""


def test_a_tuner_in_the_page_is_asked_what_a_program_is(
    editor: Page, programs: Path, tmp_path: Path
) -> None:
    program, log = tmp_path / "tuner.sh", tmp_path / "log"
    program.write_text(PROGRAM.format(log=log), encoding="utf-8")
    scenario = {"file-size": "3MB", "chunk-size": "2MB", "external-command": f"sh {program}"}
    session = call(programs, scenario, mode="external")
    turns = editor.evaluate(OUTSIDE, [{**scenario, "mode": "external"}, [2, 5, 3, 0]])
    lines = log.read_text(encoding="utf-8").splitlines()
    assert [turn.get("question") for turn in turns] == [*map(json.loads, lines), None]
    assert turns[-1]["result"]["sessions"][0] == session
    # The page tells what there is but for what is of no use in a race.
    told = editor.get_by_role("region", name="What tune() sees and returns").inner_text()
    known = {key for line in lines for key in json.loads(line)} - UNTOLD
    assert [key for key in sorted(known) if not re.search(rf"\b{key}\b", told)] == []
    assert [chunk["parallelism"] for chunk in session["gridftp"]["chunks"]] == [2, 5]


def test_one_session_alone_is_tuned_by_the_page(editor: Page) -> None:
    outside = {"mode": "external", "external-command": "page"}
    scenario = {"file-size": "1MB", "sessions": [outside, outside]}
    *_, turn = editor.evaluate(OUTSIDE, [scenario, [1, 1, 1]])
    assert turn["result"]["reason"] == (
        "session 1: tuner 'page' is the tuner of another session, too; allowed: one session with it"
    )


BY_CHANCE = """function tune({ event }) {
  return event === "hello" ? 2 : 1 + Math.floor(4 * Math.random());
}
"""


def test_a_link_gives_the_same_table_and_runs_nothing_before(editor: Page) -> None:
    enter(editor, BY_CHANCE)
    assert "Mbit/s" not in editor.locator("main").inner_text()
    results = race(editor)
    expect(results.get_by_text(re.compile(r"^Score \d"))).to_contain_text("best fixed N 100.0.")
    expect(results.get_by_role("table")).to_have_count(2)
    told = results.inner_text()
    assert len(re.findall(r"\d+\sMbit/s, delay \d+\sms, queue \d+ packets", told)) == 3
    # The transfer itself is on the bench, decided as the tuner did.
    bench = results.get_by_role("link", name="Bench: yours, path 1").get_attribute("href") or ""
    decided = re.search(
        r"index\.html#.*&mode=by-hand&.*chunk-parallelism=(2(?::[1-4]){15})&", bench
    )
    assert decided
    assert len(set(decided[1])) > 3
    link = editor.url
    assert re.fullmatch(r".*/tuner/index\.html#seed=5&code=[\w-]+", link)

    editor.goto("about:blank")
    editor.goto(link)
    editor.wait_for_selector("html[data-state=ready]")
    expect(code_of(editor)).to_have_value(BY_CHANCE)
    expect(editor.get_by_text("came with the link and has not run yet")).to_be_visible()
    expect(editor.locator("iframe")).to_have_count(0)
    assert race(editor).inner_text() == told
    # What has changed since is not told as if it had been raced.
    code_of(editor).press("x")
    expect(results_of(editor)).to_be_hidden()


BAD = "; allowed: a whole number from 1 to 6."
FIRST = "Path 1, before the first chunk: "

FAILURES = {
    "function tune() { return NaN; }": f"{FIRST}tune() returned NaN{BAD}",
    "function tune() { return 0; }": f"{FIRST}tune() returned 0{BAD}",
    "function tune() { return 2.5; }": f"{FIRST}tune() returned 2.5{BAD}",
    'function tune() { return "4"; }': f'{FIRST}tune() returned "4"{BAD}',
    "async function tune() { return 4; }": f"{FIRST}tune() returned an object{BAD}",
    "function tune(seen) { if (seen.event === 'hello') return 6; }": (
        f"Path 1, after chunk 1: tune() returned undefined{BAD}"
    ),
    "function tune({ max_parallelism }) { return max_parallelism + 1; }": (
        f"{FIRST}tune() returned 7{BAD}"
    ),
    "let n = 4;\n": f"{FIRST}there is no function tune; the code has to define one.",
    "function tune() {\n  retrun 4;\n}": re.compile(f"^{re.escape(FIRST)}line 2: SyntaxError: .*"),
    "let n = 1;\n\nm = n;": f"{FIRST}line 3: ReferenceError: m is not defined.",
    "let n = 1;\nfunction tune({ index }) {\n  if (index === 2) n = none;\n  return n;\n}": (
        "Path 1, after chunk 3: line 3: ReferenceError: none is not defined."
    ),
    "/" * 4001: "The code has 4,001 characters; allowed: 4,000, so that a link can hold it",
}
"""Code that is no tuner, and what is said of it."""


def test_what_is_wrong_with_a_tuner_is_told_in_a_line(editor: Page) -> None:
    failure = editor.locator("#race-failure")
    for code, told in FAILURES.items():
        enter(editor, code)
        expect(failure).to_be_empty()
        press_race(editor)
        expect(failure).to_have_text(told, timeout=PATIENCE_MS)
        assert "\n" not in failure.inner_text()
        expect(editor.get_by_role("button", name="Race", exact=True)).to_be_visible()
    enter(editor, FOUR)
    editor.get_by_label("Seed of the paths").fill("1e3")
    press_race(editor)
    expect(failure).to_have_text('seed "1e3"; allowed: a whole number from 0 to 999999')


CONFINED = """
// Hoisted before the confinement could use it
function Reflect() {}

const NAMES = [
  "fetch", "XMLHttpRequest", "WebSocket", "EventSource", "importScripts", "indexedDB", "caches",
  "Worker", "navigator", "location", "postMessage", "setTimeout", "crypto", "Date", "performance",
  "self", "WebAssembly"
];
const there = NAMES.filter((name) => name in globalThis);
let evaluated = "";
try {
  evaluated = (0, eval)("1");
} catch {
  evaluated = "refused";
}
function tune() {
  throw new Error(`there: [${there}]; eval: ${evaluated}; Math.random: ${Math.random()}`);
}
"""


def test_a_tuner_has_no_network_no_storage_and_no_clock(editor: Page, shared: Lab) -> None:
    enter(editor, CONFINED)
    press_race(editor)
    failure = editor.locator("#race-failure")
    expect(failure).to_contain_text("Error: there: ", timeout=PATIENCE_MS)
    assert "Error: there: []; eval: refused; Math.random: 0." in failure.inner_text()
    # What cannot be taken away is refused, on each path, before anything is sent.
    address = f"{shared.address}main.js"
    enter(editor, f'import("{address}").catch(() => {{}});\n{FOUR}')
    with editor.expect_event("request", lambda request: request.url == address) as asked:
        race(editor)
    assert asked.value.failure == "csp"
    assert set(shared.watched.problems) == {f"failed: {address}: csp"}
    shared.watched.problems.clear()


ENDLESS = {
    'function tune() {\n  console.log("begun");\n  for (;;) {}\n}': (
        f"{FIRST}tune() has not returned within 3 s and was ended."
    ),
    'console.log("begun");\nfor (;;) {}': (
        f"{FIRST}the code did not finish within 3 s and was ended."
    ),
}


def test_an_endless_loop_is_ended(editor: Page) -> None:
    editor.clock.install()
    for code, told in ENDLESS.items():
        enter(editor, code)
        with editor.expect_console_message(lambda message: message.text == "begun"):
            press_race(editor)
        loop = next(worker for worker in editor.workers if worker.url.startswith("blob:"))
        with loop.expect_event("close"):
            editor.clock.fast_forward(4000)
        expect(editor.locator("#race-failure")).to_have_text(told, timeout=PATIENCE_MS)


def test_a_race_is_stopped(editor: Page) -> None:
    enter(editor, FOUR)
    editor.get_by_role("button", name="Race", exact=True).press("Enter")
    editor.keyboard.press("Enter")  # the focus is at Stop then
    expect(editor.locator("#race-failure")).to_have_text("Stopped.", timeout=PATIENCE_MS)
    expect(editor.get_by_role("button", name="Race", exact=True)).to_be_focused()
    expect(editor.locator("iframe")).to_have_count(0)


def test_the_code_is_written_and_left_by_keyboard(editor: Page) -> None:
    area = code_of(editor)
    area.fill("")
    area.press("Tab")
    editor.keyboard.type("a\nb")
    expect(area).to_have_value("  a\n  b")
    expect(area).to_be_focused()
    area.press("Escape")
    area.press("Tab")
    expect(area).not_to_be_focused()
    area.focus()
    area.press("Shift+Tab")
    expect(area).not_to_be_focused()


def test_a_link_may_have_the_paths_alone_and_one_that_is_damaged_is_told(editor: Page) -> None:
    editor.evaluate("() => { location.hash = '#seed=77'; }")
    expect(editor.get_by_label("Seed of the paths")).to_have_value("77")
    expect(code_of(editor)).to_have_value(re.compile(r"function tune\(seen\)"))
    expect(editor.get_by_text("came with the link")).to_be_hidden()
    code_of(editor).fill(FOUR)
    editor.evaluate("() => { location.hash = '#seed=5&code=eJx'; }")
    expect(editor.locator("#problems")).to_contain_text(
        "This link is not valid; the page shows the example. its code is damaged"
    )
    expect(code_of(editor)).to_have_value(re.compile(r"function tune\(seen\)"))
    editor.get_by_role("button", name="Dismiss").click()


def test_axe_finds_nothing_after_a_race_on_a_phone(editor: Page, shared: Lab) -> None:
    editor.set_viewport_size(PHONE)
    editor.emulate_media(color_scheme="dark")
    editor.get_by_role("button", name="Example").click()
    expect(race(editor).get_by_role("img")).to_have_count(3)
    assert editor.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    assert findings(shared) == []


CELLS = "() => [...document.querySelectorAll('#results :is(td, th)')].map((one) => one.textContent)"


@pytest.mark.extensive
def test_a_whole_race_is_the_same_in_both_browsers(
    new_lab: NewLab, firefox: FirefoxPage, lab_address: str
) -> None:
    page = open_editor(new_lab())
    page.get_by_label("Seed of the paths").fill("5")
    race(page)
    told = page.evaluate(CELLS)
    firefox.goto("about:blank")
    firefox.goto(page.url)
    until(firefox, "document.documentElement.dataset.state === 'ready'")
    firefox.evaluate("() => document.querySelector('#race').click()")
    until(firefox, "document.querySelector('#results').checkVisibility()")
    assert firefox.evaluate(CELLS) == told
    assert len(told) == 54
    loop = "function tune() {\n  for (;;) {}\n}"
    firefox.evaluate("(code) => { document.querySelector('#code').value = code; }", loop)
    firefox.evaluate("() => document.querySelector('#race').click()")
    until(firefox, "document.querySelector('#race-failure').innerText.includes('within 3 s')")
