"""What the lab's views compute before they draw: the page's modules, under the lab's Node."""

from __future__ import annotations

import itertools
import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from lab import library
from lab.lessons import load_lessons

TRACES = """
const nan = Number.NaN;
const charts = {
  begin: 0, end: 4, times: Float64Array.of(0.5, 1.5, 2.5, 3.5),
  queue: {min: Float32Array.of(0, 1, 2, 3), max: Float32Array.of(4, 5, 6, 7),
          last: Float32Array.of(2, 3, 4, 5)},
  drops: Uint32Array.of(0, 2, 0, 1),
  windows: [{session: 0, connection: 0, min: Float32Array.of(1, nan, 3, 4),
             max: Float32Array.of(8, nan, 9, 10), last: Float32Array.of(2, nan, 5, 6),
             ssthresh: Float32Array.of(nan, nan, 4, 4), flight: Float32Array.of(1, nan, 4, 5)}],
  marks: Uint32Array.of(1, 0, 0, 3), idle: [0.02],
  rtts: [{min: Float32Array.of(nan, 0.02, 0.03, 0.04), max: Float32Array.of(nan, 0.03, 0.05, 0.06),
          last: Float32Array.of(nan, 0.02, 0.04, 0.05)}],
  intervals: {begins: Float64Array.of(0, 2), ends: Float64Array.of(2, 4),
              times: Float64Array.of(1, 3), jain: Float32Array.of(nan, 0.5),
              goodputs: [Float32Array.of(5, 7), Float32Array.of(nan, 2), Float32Array.of(1, nan)]},
};
const session = {transferring: true, chunkStart: 3, goodput: 7, parallelism: 2,
  chunks: [{start: 0.5, end: 2, goodput: 5, parallelism: 1}]};
const frame = {now: 3.2, sessions: [session], charts};
"""
"""A frame with four bins, a connection that is away in the second, and a chunk under way."""

CHART = """{
  scales: {x: {min: 0, max: 4}, y: {min: 0, max: 8}},
  bbox: {left: 0, top: 0, width: 40, height: 80},
}"""
"""As much of a uPlot as the paths need: 10 pixels a second, 10 pixels a unit."""


def answer(root: Path, module: str, names: str, expression: str, before: str = "") -> Any:
    """Evaluate an expression with what a module of the page exports."""
    page = root / "lab/page/views"
    script = f"""
        import {{ PathRecorder }} from {json.dumps((page / "svg-path.js").as_uri())};
        import {{ {names} }} from {json.dumps((page / module).as_uri())};
        globalThis.Path2D = PathRecorder;
        const drawn = ({{ stroke, fill }}) => (stroke ?? fill).data([1, 0, 0, 1, 0, 0]);
        {before}
        console.log(JSON.stringify({expression}));
    """
    return json.loads(run_node(script))


def run_node(script: str) -> str:
    """Run a module's text, and return what it has printed."""
    node = library.node() / "bin/node"
    done = subprocess.run(
        [node, "--input-type=module", "-e", script], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("rate(95_100_000)", "95.1 Mbit/s"),
        ("rate(999_700_000)", "1.00 Gbit/s"),
        ("rate(null)", "\u2013"),
        ("plainRate(100e6)", "100 Mbit/s"),
        ("plainRate(1.5e6)", "1.5 Mbit/s"),
        ("duration(0.02005920075)", "20.1 ms"),
        ("plainDuration(0.01)", "10 ms"),
        ("plainDuration(1e-5)", "10 µs"),
        ("percent(0)", "0 %"),
        ("percent(0.00421)", "0.42 %"),
        ("percent(0.9996)", "100 %"),
        ("whole(1022)", "1\u202f022"),
        ("moment(12.3456, 1)", "12.346 s"),
        ("prefixFor(65536 * 1.08).prefix", "k"),
        ("prefixFor(1e9).by", 1e9),
        ("prefixFor(3).prefix", ""),
    ],
)
def test_quantities_as_people_read_them(root: Path, expression: str, expected: Any) -> None:
    names = "rate, plainRate, duration, plainDuration, percent, whole, moment, prefixFor"
    found = answer(root, "quantities.js", names, expression)
    assert (found.replace("\u00a0", " ") if isinstance(found, str) else found) == expected


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (
            'zoomed({kind: "last", seconds: 10}, {begin: 5, end: 15}, 15, 0.5)',
            {"kind": "last", "seconds": 5},
        ),
        (
            'zoomed({kind: "span", begin: 4, end: 8}, {begin: 4, end: 8}, 20, 0.5)',
            {"kind": "span", "begin": 5, "end": 7},
        ),
        (
            # The future is not what one wants to see nearer
            'zoomed({kind: "span", begin: 0, end: 8}, {begin: 0, end: 8}, 4, 0.5)',
            {"kind": "span", "begin": 0, "end": 4},
        ),
        (
            'zoomed({kind: "span", begin: 1, end: 9}, {begin: 1, end: 9}, 9, 2)',
            {"kind": "whole"},
        ),
        ("moved({begin: 1, end: 3}, -2)", {"kind": "span", "begin": 0, "end": 2}),
        ("between(3.00004, 1.99996)", {"kind": "span", "begin": 2, "end": 3}),
        (
            'spanOf({kind: "span", begin: 2, end: 8}, {charts: {begin: 2, end: 3}}).end',
            8,
        ),
    ],
)
def test_another_stretch_of_time(root: Path, expression: str, expected: Any) -> None:
    assert answer(root, "time-view.js", "zoomed, moved, between, spanOf", expression) == expected


def test_panels_share_what_the_page_gives(root: Path) -> None:
    panels = "[{height: 100}, {height: 50}]"
    liked = answer(root, "chart-heights.js", "panelHeights", f"panelHeights({panels}, null)")
    assert liked == [100 + 6, 50 + 38]
    given = answer(root, "chart-heights.js", "panelHeights", f"panelHeights({panels}, 386)")
    assert sum(given) + 2 * 18 == 386
    least = answer(root, "chart-heights.js", "panelHeights", f"panelHeights({panels}, 0)")
    # Who gets the least gets it from the others
    uneven = "panelHeights([{height: 100}, {height: 20}], 200)"
    assert sum(answer(root, "chart-heights.js", "panelHeights", uneven)) + 2 * 18 == 200
    # An axis as high has two numbers on it
    assert least == [38 + 6, 38 + 38]


def test_a_window_shows_its_extremes_and_its_gap(root: Path) -> None:
    drawn = f"drawn(extremesPath({CHART}, charts.times, charts.windows[0]))"
    path = answer(root, "chart-paths.js", "extremesPath", drawn, TRACES)
    # Up from the least to the last value; then none; then from 3 to 5. What is beyond the axis
    # is drawn along its end: one pixel below the top.
    assert path == "M5 70L5 60M25 50L25 30L35 1L35 40L35 20"


def test_a_line_of_every_other_bin(root: Path) -> None:
    drawn = f"drawn(linePath({CHART}, charts.times, charts.queue.last, 2))"
    assert answer(root, "chart-paths.js", "linePath", drawn, TRACES) == "M5 60L25 40"


def test_a_band_is_closed(root: Path) -> None:
    drawn = f"drawn(bandPath({CHART}, charts.times, charts.queue.min, charts.queue.max))"
    path = answer(root, "chart-paths.js", "bandPath", drawn, TRACES)
    assert path == "M5 40L15 30L25 20L35 10L35 50L25 60L15 70L5 80Z"


def test_chunks_as_steps(root: Path) -> None:
    found = answer(
        root,
        "chart-traces.js",
        "tracesOf, valueAt, binAt, intervalAt, largestStep",
        "[traces.goodputs, traces.parallelism, traces.few, traces.stride,"
        " valueAt(traces.parallelism[0], 1), valueAt(traces.parallelism[0], 2.5),"
        " binAt(traces, 1.2), binAt(traces, 9), largestStep(traces.goodputs[0], 3, 4),"
        " [-1, 0, 1.9, 2, 9].map((time) => intervalAt(traces, time))]",
        TRACES + "const traces = tracesOf(frame);",
    )
    chunk = {"begin": 0.5, "end": 2}
    under_way = {"begin": 3, "end": 3.2}
    assert found == [
        [[{**chunk, "value": 5}]],
        [[{**chunk, "value": 1}, {**under_way, "value": 2}]],
        True,
        1,
        1,
        None,
        1,
        3,
        0,
        [-1, 0, 0, 1, 1],
    ]


PANEL = """
globalThis.uPlot = {paths: {bars: () => null}};
globalThis.devicePixelRatio = 1;
globalThis.document = {createElement: () => ({getContext: () => null})};
const {tracesOf} = await import(%s);
const {PANELS, headingOf, isOf} = await import(%s);
const {goodputsAt} = await import(%s);
const styles = {flows: 3, name: ({session}) => `flow ${session}`, group: ({session}) => session,
                of: () => ({colour: "red", dash: []})};
const scenario = {bandwidth_bps: 10, sessions: [{}], background: [{}, {}]};
const sheet = {traces: tracesOf(frame), scenario, styles, hidden: new Set(),
               theme: {text: "black"}, span: {begin: 0, end: 4}};
const panel = (name) => PANELS.find((one) => one.name === name);
const paths = (name) => panel(name).series(sheet).map(({paths}) => drawn(paths(chart)));
"""


def panel_answer(root: Path, expression: str) -> Any:
    """Evaluate an expression with a sheet of three flows, `panel`, `paths` and the modules."""
    modules = ("chart-traces.js", "chart-panels.js", "chart-values.js")
    urls = tuple(json.dumps((root / "lab/page/views" / name).as_uri()) for name in modules)
    before = f"{TRACES}{PANEL % urls} const chart = {CHART};"
    return answer(root, "quantities.js", "rate", expression, before)


def test_every_flows_goodput_is_drawn_over_time(root: Path) -> None:
    chunk, *flows = panel_answer(root, 'paths("goodput")')
    assert chunk == "M5 30L20 30"
    # 10 pixels a second, 10 pixels a unit; none while a flow moves nothing
    assert flows == ["M10 30L30 10", "M30 60", "M10 70"]
    heading, now, then, top = panel_answer(
        root,
        '[headingOf(panel("goodput"), sheet), panel("goodput").readout(sheet, 3.2),'
        ' panel("goodput").readout(sheet, 1), panel("goodput").top(sheet)]',
    )
    assert heading == "goodput, bit/s in 2.00\u00a0s each"
    assert now.replace("\u00a0", " ") == "session 1: 7.00 bit/s, TCP 1: 2.00 bit/s, TCP 2: \u2013"
    assert then.replace("\u00a0", " ") == "session 1: 5.00 bit/s, TCP 1: \u2013, TCP 2: 1.00 bit/s"
    assert top == pytest.approx(11.2)


def test_jains_index_has_a_panel_where_there_are_several_flows(root: Path) -> None:
    there, alone, path, shown = panel_answer(
        root,
        '[isOf(panel("fairness"), scenario), isOf(panel("fairness"), {sessions: [{}], background:'
        ' []}), paths("fairness"), [1, 3].map((time) => panel("fairness").readout(sheet, time))]',
    )
    assert (there, alone) == (True, False)
    assert path == ["M30 75"]
    assert shown == ["\u2013", "0.50"]


@pytest.mark.parametrize(
    ("stack", "modes", "backgrounds", "expected"),
    [
        ("classic", ["fixed"], 0, ["rtt"]),
        ("classic", ["fixed"], 1, []),
        ("classic", ["mi", "fixed"], 0, ["parallelism"]),
        ("classic", ["mi"], 1, ["parallelism"]),
        ("linux", ["mi"], 0, ["rtt", "parallelism"]),
        ("linux", ["fixed"], 1, ["rtt"]),
        ("linux", ["fixed"] * 17, 0, []),
    ],
)
def test_n_is_drawn_where_it_can_change_and_the_rtt_of_hosts_of_today(
    root: Path, stack: str, modes: list[str], backgrounds: int, expected: list[str]
) -> None:
    sessions = [{"mode": mode} for mode in modes]
    flows = {"stack": stack, "sessions": sessions, "background": [{}] * backgrounds}
    there = f'["rtt", "parallelism"].filter((name) => isOf(panel(name), {json.dumps(flows)}))'
    assert panel_answer(root, there) == expected


def test_lessons_choose_charts_that_there_are(root: Path) -> None:
    names = panel_answer(root, "PANELS.map(({name}) => name)")
    chosen = [lesson.charts for lesson in load_lessons() if lesson.charts]
    assert chosen
    assert all({*charts} <= {*names} for charts in chosen)


def test_the_rtt_is_told_with_what_of_it_is_waiting(root: Path) -> None:
    alone = "Object.assign(sheet, {scenario: {...scenario, sessions: [{}], background: []}})"
    heading, shown, several, path = panel_answer(
        root,
        f'[headingOf(panel("rtt"), {alone}), panel("rtt").readout(sheet, 3.2),'
        ' panel("rtt").readout({...sheet, scenario}, 3.2), paths("rtt")[1]]',
    )
    assert heading == "smoothed RTT, ms"
    assert shown.replace("\u00a0", " ") == "50.0 ms, 30.0 ms more than R"
    assert several.startswith("session 1: 50.0")
    # 10 pixels a second, 10 pixels a unit: none in the first bin
    assert path == "M15 79.8L25 79.6L35 79.5"


@pytest.mark.parametrize(
    ("discipline", "expected"),
    [
        ("drop-tail", [20]),
        ("red", [20]),
        ("codel", [20, 25]),
        ("fq-codel", [20, 25]),
        ("pie", [20, 35]),
    ],
)
def test_the_rtt_has_lines_for_an_empty_queue_and_its_target(
    root: Path, discipline: str, expected: list[float]
) -> None:
    queue = {"queue_discipline": discipline, "codel_target_s": 0.005, "pie_target_s": 0.015}
    lines = f"panel('rtt').lines({{...sheet, scenario: {json.dumps(queue)}}})"
    found = panel_answer(root, f"{lines}.map(({{value}}) => value * 1000)")
    assert found == pytest.approx(expected)


def test_drops_stand_on_marks(root: Path) -> None:
    without, both, top, shown = panel_answer(
        root,
        '[panel("drops").data(sheet), panel("drops").data(Object.assign(sheet,'
        ' {scenario: {...scenario, ecn: true}})), panel("drops").top(sheet),'
        ' panel("drops").readout(sheet, 3.2)].map((one) => Array.isArray(one)'
        " ? one.map((values) => [...values]) : one)",
    )
    assert without == [[0, 2, 0, 1]]
    assert both == [[1, 2, 0, 4], [0, 2, 0, 1]]
    assert top == pytest.approx(4.6)
    assert shown == "1, marked 3"


def test_the_box_at_the_pointer_has_the_goodput_of_flows_that_are_on(root: Path) -> None:
    shown = "goodputsAt(sheet, 3).map(({name, text}) => [name, text])"
    assert panel_answer(root, shown) == [
        ["flow 0", "7.00\u00a0bit/s"],
        ["flow 1", "2.00\u00a0bit/s"],
    ]
    assert panel_answer(root, f"(sheet.hidden.add(1), {shown})") == [["flow 0", "7.00\u00a0bit/s"]]


@pytest.mark.parametrize(
    ("step", "labels"),
    [
        (0.25, ["0.00", "0.25", "0.50", "0.75"]),
        (0.5, ["0.0", "0.5", "1.0", "1.5"]),
        (2.5, ["0.0", "2.5", "5.0", "7.5"]),
        (1, ["0", "1", "2", "3"]),
        (0.00025, ["0.00000", "0.00025", "0.00050", "0.00075"]),
    ],
)
def test_labels_stand_where_the_grid_is(root: Path, step: float, labels: list[str]) -> None:
    splits = [step * place for place in range(4)]
    shown = f"plainNumbers(1)(null, {splits}, 0, 0, {step})"
    assert answer(root, "quantities.js", "plainNumbers", shown) == labels


def test_the_shape_of_a_sawtooth(root: Path) -> None:
    """Teeth of 1.5 s from 40 to 80, drawn at quarters of a second, and a flat line."""
    teeth = "x.map((t) => 40 + (40 * (t % 1.5)) / 1.5)"
    before = f"const x = Array.from({{length: 45}}, (_, i) => 1 + i / 4); const y = {teeth};"
    before += " const fallen = [60, ...y.slice(1).map((v, i) => (i < 4 ? 1 : v))];"
    shape, fallen, late, flat = answer(
        root,
        "../lessons/sketch-shape.js",
        "shapeOf, compareShapes",
        "[shapeOf(x, y), shapeOf(x, fallen),"
        " compareShapes(shapeOf(x, y.map((v) => v * 1.1)), shapeOf(x, y), 0.2),"
        " compareShapes(shapeOf(x, x.map(() => 57)), shapeOf(x, y), 0.2)]",
        before,
    )
    assert shape["period"] == pytest.approx(1.5)
    assert fallen["period"] == pytest.approx(1.5)
    assert shape["height"] == pytest.approx(100 / 3)
    assert shape["mean"] == pytest.approx(57, abs=1)
    assert [one["near"] for one in late] == [True, True, True]
    assert [one["near"] for one in flat] == [False, False, True]


def test_many_windows_are_thinned(root: Path) -> None:
    many = """
        charts.times = new Float64Array(1000);
        const empty = new Float32Array(0);
        charts.windows = Array.from({length: 200}, (_, connection) =>
          ({session: 0, connection, min: empty, max: empty, last: new Float32Array(1000),
            ssthresh: empty, flight: empty}));
        const traces = tracesOf(frame);
    """
    expression = "[traces.windows.length, traces.total, traces.few, traces.stride]"
    found = answer(root, "chart-traces.js", "tracesOf", expression, TRACES + many)
    windows, total, few, stride = found
    assert (total, few) == (200, False)
    assert windows == 100
    assert windows * 1000 / stride <= 32_000


@pytest.mark.parametrize(("sessions", "backgrounds"), [(1, 0), (2, 1), (6, 0), (9, 4)])
def test_the_dumbbell_has_a_place_for_each(root: Path, sessions: int, backgrounds: int) -> None:
    scenario = {
        "sessions": [{"direction": "upload"}] * sessions,
        "background": [{"tcp": "reno"}] * backgrounds,
    }
    layout = answer(root, "dumbbell-layout.js", "layOut", f"layOut(360, {json.dumps(scenario)})")
    flows = [flow for pair in layout["pairs"] for flow in pair["flows"]]
    assert flows == list(range(sessions + backgrounds))
    assert len(layout["pairs"]) == min(6, sessions + backgrounds)
    assert [flow in layout["pairs"][layout["pairOf"][flow]]["flows"] for flow in flows]
    for one, other in itertools.pairwise(layout["pairs"]):
        assert one["left"]["y"] + one["left"]["height"] <= other["left"]["y"]
    boxes = [layout["pairs"][0]["left"], layout["leftRouter"], layout["pipe"]]
    boxes += [layout["rightRouter"], layout["pairs"][0]["right"]]
    for box, right in itertools.pairwise(boxes):
        assert box["x"] + box["width"] <= right["x"] + 1e-9
    assert boxes[-1]["x"] + boxes[-1]["width"] <= 360


def test_the_sender_stands_left_of_a_download(root: Path) -> None:
    scenario = {"sessions": [{"direction": "download"}], "background": []}
    layout = answer(root, "dumbbell-layout.js", "layOut", f"layOut(900, {json.dumps(scenario)})")
    assert layout["pairs"][0]["sender"] == "server"
    assert layout["pairs"][0]["receiver"] == "client"


@pytest.mark.parametrize(
    ("stripes", "senders", "receivers"),
    [("1x1", 0, 0), ("4x4", 4, 4), ("1x3", 0, 3), ("12x2", 8, 2)],
)
def test_each_stripe_has_a_host(root: Path, stripes: str, senders: int, receivers: int) -> None:
    scenario = {"sessions": [{"direction": "upload", "stripes": stripes}], "background": []}
    layout = answer(root, "dumbbell-layout.js", "layOut", f"layOut(360, {json.dumps(scenario)})")
    (pair,) = layout["pairs"]
    if stripes == "1x1":
        assert pair["stripes"] is None
        return
    for side, shown in [("left", senders), ("right", receivers)]:
        hosts = pair["stripes"][side]["hosts"]
        assert len(hosts) == shown
        boxes = [pair[side], *(host["box"] for host in hosts)]
        for one, other in itertools.pairwise(boxes):
            assert one["y"] + one["height"] <= other["y"]
        assert boxes[-1]["y"] + boxes[-1]["height"] <= layout["ground"]
    if stripes == "12x2":
        assert pair["stripes"]["left"]["hosts"][-1]["name"] == "stripes 8\u201312"


@pytest.mark.parametrize(
    ("stripes", "index", "expected"),
    [((4, 4), 2, [2, 2]), ((2, 3), 3, [1, 0]), ((2, 3), 2, [0, 2]), ((1, 3), 2, [0, 2])],
)
def test_the_hosts_of_a_pair_of_stripes(
    root: Path, stripes: tuple[int, int], index: int, expected: list[int]
) -> None:
    """Pairs are ordered by sender, then by receiver."""
    ends = {"left": {"count": stripes[0]}, "right": {"count": stripes[1]}}
    found = f"stripesOf({json.dumps(ends)}, {index})"
    assert answer(root, "dumbbell-stripes.js", "stripesOf", found) == expected


def test_a_third_party_shows_both_servers(root: Path) -> None:
    scenario = {"sessions": [{"direction": "third-party"}], "background": []}
    layout = answer(root, "dumbbell-layout.js", "layOut", f"layOut(900, {json.dumps(scenario)})")
    shown = [(pair["sender"], pair["receiver"]) for pair in layout["pairs"]]
    assert shown == [("sender", "receiver")]


@pytest.mark.parametrize(
    ("sessions", "backgrounds", "names"),
    [
        (2, 1, ["session 1", "session 2", "TCP"]),
        (1, 2, ["session 1", "TCP 1", "TCP 2"]),
    ],
)
def test_a_flow_has_one_name_at_both_ends_and_in_the_charts(
    root: Path, sessions: int, backgrounds: int, names: list[str]
) -> None:
    scenario = {
        "sessions": [{"direction": "download"}] * sessions,
        "background": [{}] * backgrounds,
    }
    layout = answer(root, "dumbbell-layout.js", "layOut", f"layOut(900, {json.dumps(scenario)})")
    assert [pair["sender"] for pair in layout["pairs"]] == names
    assert [pair["receiver"] for pair in layout["pairs"]] == names
    found = f"byFlow({json.dumps(scenario)}, {json.dumps(['8'] * len(names))})"
    shown = answer(root, "flow-names.js", "byFlow", found)
    short = [names[0], *(name.removeprefix("session ") for name in names[1:])]
    assert shown == ", ".join(f"{name}: 8" for name in short)


def test_a_circle_as_svg_ends_where_it_began(root: Path) -> None:
    before = "const path = new PathRecorder(); path.arc(10, 20, 5, 0, 2 * Math.PI);"
    data = answer(root, "svg-path.js", "multiply", "path.data([2, 0, 0, 2, 1, 0])", before)
    assert data.startswith("M31 40C")
    assert data.endswith("31 40")
    assert data.count("C") == 4


MOTION = """
// A clock that goes from one timer to the next, and a reader who may want less motion.
let now = 1000;
const timers = [];
const later = (at, call) => timers.push({ at, call });
globalThis.performance = { now: () => now };
globalThis.setTimeout = (call, wait) => later(now + wait, call);
globalThis.requestAnimationFrame = (call) => {
  const at = 16 * (Math.floor(now / 16) + 1);
  later(at, () => call(at));
};
globalThis.matchMedia = () => ({ matches: REDUCED });
const { Redraw } = await import(MODULE);
const drawn = [];
const redraw = new Redraw((at) => drawn.push(at), EVERY);
later(now, function ask() { redraw.request(); later(now + 10, ask); });
while (now < 4000) {
  timers.sort((one, other) => one.at - other.at);
  const { at, call } = timers.shift();
  now = at;
  call();
}
console.log(JSON.stringify(drawn));
"""


@pytest.mark.parametrize(
    ("reduced", "every", "least", "most"),
    [
        ("false", 0, 16, 16),
        ("true", 0, 500, 516),
        ("false", 100, 100, 116),
        ("true", 600, 600, 616),
    ],
)
def test_how_often_is_redrawn(root: Path, reduced: str, every: int, least: int, most: int) -> None:
    module = json.dumps((root / "lab/page/views/motion.js").as_uri())
    script = MOTION.replace("REDUCED", reduced).replace("EVERY", str(every))
    drawn = json.loads(run_node(script.replace("MODULE", module)))
    between = [after - before for before, after in itertools.pairwise(drawn)]
    assert len(between) > 3
    assert min(between) >= least
    assert max(between) <= most
