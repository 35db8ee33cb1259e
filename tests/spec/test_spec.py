"""Specs: what they declare, and what is refused in which line."""

from __future__ import annotations

from pathlib import Path

import pytest
from spec_tools import load, read_table, refusal, resolve

from experiments.errors import ProgramError, UserError
from experiments.programs.option_table import OptionTable
from experiments.spec.load import Spec, load_spec

HEAD = 'title = "T"\n[[block]]\nlabel = "one"\n'


@pytest.fixture(scope="module")
def table() -> OptionTable:
    return read_table()


def column(spec: Spec, name: str) -> list[object]:
    """Return what an option is in each simulation."""
    return [planned.line[name] for planned in spec.planned]


# ---- what is declared ---------------------------------------------------------------------------


def test_what_is_swept_in_every_block(table: OptionTable, tmp_path: Path) -> None:
    text = """
title = "Shared"
[cross]
mode = ["mi", "aimd"]
eta = [0.5, 0.6]
[[block]]
label = "both"
[[block]]
label = "one mode"
[block.fixed]
mode = "fixed"
[[block]]
label = "zipped"
[[block.zip]]
eta = [0.1, 0.2, 0.3]
delay = ["1ms", "2ms", "3ms"]
[[block]]
label = "other values"
[block.cross]
eta = [0.9]
"""
    spec = load(tmp_path, text, table)
    found = {}
    for one in spec.planned:
        found.setdefault(one.label, []).append((one.line["mode"], one.line["eta"]))
    assert found == {
        "both": [("mi", "0.5"), ("mi", "0.6"), ("aimd", "0.5"), ("aimd", "0.6")],
        "one mode": [("fixed", "0.5"), ("fixed", "0.6")],
        "zipped": [(mode, eta) for mode in ("mi", "aimd") for eta in ("0.1", "0.2", "0.3")],
        "other values": [("mi", "0.9"), ("aimd", "0.9")],
    }
    twice = text.replace("[cross]\n", "[fixed]\neta = 0.3\n[cross]\n")
    with pytest.raises(UserError, match='"eta" is set twice here, first in line 4'):
        load(tmp_path, twice, table)


def test_everything_at_once(table: OptionTable, tmp_path: Path) -> None:
    text = """
title = "Everything"
[fixed]
start-jitter = "1ms"
eta = 0.9
[[block]]
label = "a"
engine = ["segment", "ns3"]
replications = 2
first-run = 5
[block.fixed]
eta = 0.70
sack = false
[block.cross]
bandwidth = ["10Mbps", "20Mbps"]
[[block.zip]]
queue = ["20p", "100p"]
window = ["64KiB", "1MiB"]
[block.follow]
access-bandwidth = { same-as = "bandwidth" }
max-parallelism = { by = "bandwidth", map = { "10Mbps" = 8, "20Mbps" = 16, "50Mbps" = 1 } }
block-size = { times = 2, of = "window" }
[[block]]
label = "b"
"""
    spec = load(tmp_path, text, table)
    assert (spec.name, spec.title, spec.path) == ("some", "Everything", tmp_path / "some.toml")
    expected = [
        {
            "engine": engine,
            "start-jitter": "1ms",
            "eta": "0.7",
            "sack": "off",
            "bandwidth": bandwidth,
            "queue": queue,
            "window": window,
            "access-bandwidth": bandwidth,
            "max-parallelism": most,
            "block-size": block,
            "run": run,
        }
        for engine in ("segment", "ns3")
        for bandwidth, most in (("10Mbps", "8"), ("20Mbps", "16"))
        for queue, window, block in (("20p", "64KiB", "128KiB"), ("100p", "1MiB", "2MiB"))
        for run in ("5", "6")
    ]
    assert [dict(p.line) for p in spec.planned if p.label == "a"] == expected
    rest = [dict(p.line) for p in spec.planned if p.label == "b"]
    assert rest == [{"start-jitter": "1ms", "eta": "0.9", "run": "1"}]


@pytest.mark.parametrize(
    ("name", "value", "points"),
    [
        ("eta", "{ from = 0.1, to = 1.0, step = 0.1 }", "0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1"),
        ("delay", '{ from = "0.5ms", to = "2ms", step = "0.5ms" }', "0.5ms 1ms 1.5ms 2ms"),
        ("queue", '{ from = "10p", to = "30p", step = "10p" }', "10p 20p 30p"),
        # The square root of ten, to three digits; of packets there are no parts.
        (
            "delay",
            '{ from = "1ms", to = "100ms", count = 5, log = true }',
            "1ms 3.16ms 10ms 31.6ms 100ms",
        ),
        ("queue", '{ from = "1p", to = "100p", count = 5, log = true }', "1p 3p 10p 32p 100p"),
        ("queue", '{ from = "1", to = "10", count = 3, log = true }', "1 3 10"),
        ("delay", '{ from = "1s", to = "10s", per-decade = 3, log = true }', "1s 2.15s 4.64s 10s"),
        ("parallelism", "{ from = 1, to = 100, per-decade = 2, log = true }", "1 3 10 32 100"),
        ("file-size", '{ from = "1MB", to = "100MB", log = true, count = 2 }', "1MB 100MB"),
        ("gamma", "{ from = 1.5, to = 6, log = true, count = 3 }", "1.5 3 6"),
        ("sack", '[true, "off"]', "on off"),
        ("eta", '[1, 0.50, "0.50", 1e-2]', "1 0.5 0.50 0.01"),
    ],
)
def test_swept_values(
    table: OptionTable, tmp_path: Path, name: str, value: str, points: str
) -> None:
    spec = load(tmp_path, f"{HEAD}[block.cross]\n{name} = {value}\n", table)
    assert column(spec, name) == points.split()


def test_sessions_and_background_are_lists_of_tables(table: OptionTable, tmp_path: Path) -> None:
    text = f"""{HEAD}[block.fixed]
background = [{{ tcp = "newreno", start = "1s" }}]
[block.cross]
sessions = [[{{}}, {{ mode = "aimd", eta = 0.5 }}], [{{ delay = "20ms" }}]]
set = [[], ["ns3::TcpSocket::SegmentSize=1000"]]
"""
    spec = load(tmp_path, text, table)
    two, one = [{}, {"mode": "aimd", "eta": "0.5"}], [{"delay": "20ms"}]
    assert column(spec, "sessions") == [two, two, one, one]
    assert column(spec, "set")[:2] == [[], ["ns3::TcpSocket::SegmentSize=1000"]]
    answers = resolve(tmp_path, [spec])
    assert [len(answer.get("sessions", ())) for answer in answers[::2]] == [2, 1]
    assert answers[0]["background"][0]["start_s"] == 1


def test_a_chain_of_what_follows_is_followed_in_any_order(
    table: OptionTable, tmp_path: Path
) -> None:
    text = f"""{HEAD}[block.follow]
access-delay = {{ same-as = "delay" }}
block-size = {{ times = 3, of = "chunk-size" }}
chunk-size = {{ times = 0.1, of = "file-size" }}
[block.fixed]
file-size = "1GB"
delay = "7ms"
"""
    (planned,) = load(tmp_path, text, table).planned
    assert (planned.line["chunk-size"], planned.line["block-size"]) == ("0.1GB", "0.3GB")
    assert planned.line["access-delay"] == "7ms"


def test_what_follows_overrides_what_the_file_fixes(table: OptionTable, tmp_path: Path) -> None:
    text = """title = "T"
fixed = { delay = "5ms", access-delay = "1ms", queue = "9p" }
[[block]]
label = "one"
follow.access-delay = { same-as = "delay" }
cross.queue = ["1p"]
"""
    (planned,) = load(tmp_path, text, table).planned
    assert planned.line == {"delay": "5ms", "access-delay": "5ms", "queue": "1p", "run": "1"}


def test_a_long_range_takes_no_time(table: OptionTable, tmp_path: Path) -> None:
    # Each of these against each other would take minutes.
    text = f"{HEAD}[block.cross]\neta = {{ from = 0.00001, to = 1, step = 0.00001 }}\n"
    assert len(set(column(load(tmp_path, text, table), "eta"))) == 100_000


# ---- what is refused ----------------------------------------------------------------------------

# Each with the line at fault, what is said, and the text behind HEAD, which has three lines.
REFUSED = {
    "option": (5, 'did you mean "bandwidth"?', '[block.cross]\nbandwith = ["1Mbps"]'),
    "key of a result": (5, 'did you mean "start-jitter"?', '[block.fixed]\nstart_jitter = "1s"'),
    "no such word": (5, "allowed: the options of", "[block.fixed]\nzzz = 1"),
    "session": (5, 'did you mean "sessions"?', "[block.fixed]\nsession = [{}]"),
    "word": (4, 'did you mean "replications"?', "replicatons = 2"),
    "table": (4, 'did you mean "cross"?', "[block.cros]\neta = [1]"),
    "option in a block": (4, "is an option of ./gridftp run; allowed: in", 'bandwidth = "1Mbps"'),
    "word in a table": (5, "allowed: in [[block]]", "[block.fixed]\nreplications = 2"),
    "run": (5, "allowed: replications and first-run", "[block.cross]\nrun = [1]"),
    "engine": (5, 'allowed: engine = "..."', '[block.fixed]\nengine = "ns3"'),
    "output": (5, "is unknown", "[block.fixed]\njson = true"),
    "no unit": (5, 'a text with its unit, such as "100Mbps"', "[block.fixed]\nbandwidth = 1e6"),
    "no number": (5, 'such as "10ms"', '[block.fixed]\ndelay = "fast"'),
    "unit too much": (5, "a number above 0 to 1", '[block.fixed]\neta = "1s"'),
    "range of eta": (5, "a number above 0 to 1", "[block.fixed]\neta = 0"),
    "range of beta": (5, "to below 1", "[block.fixed]\nbeta = 1"),
    "not whole": (5, "a whole number from 1 to", "[block.fixed]\nparallelism = 1.5"),
    "too small": (5, "1E-999999", "[block.fixed]\neta = 1e-999999"),
    "infinite": (5, "inf", "[block.fixed]\neta = inf"),
    "truth as a number": (5, "true is not allowed", "[block.fixed]\neta = true"),
    "switch": (5, '"on" or "off"', '[block.fixed]\nsack = "yes"'),
    "choice": (5, 'did you mean "mi-plus"?', '[block.fixed]\nmode = "mi-pluss"'),
    "list where fixed": (5, "a list is not allowed", "[block.fixed]\neta = [0.1, 0.2]"),
    "date": (5, "1979-05-27", "[block.fixed]\ntcp = 1979-05-27"),
    "single where swept": (5, "a single value is fixed", "[block.cross]\neta = 0.1"),
    "item": (7, '"2 s" is not', '[block.cross]\ndelay = [\n"1s",\n"2 s"]'),
    "empty list": (5, "an empty list", "[block.cross]\neta = []"),
    "range of names": (5, "a list", "[block.cross]\nmode = { from = 1, to = 2, step = 1 }"),
    "twice in a list": (5, '"1ms" comes twice', '[block.cross]\ndelay = ["1ms", "1ms"]'),
    "range, word": (5, 'did you mean "step"?', "[block.cross]\neta = { from = 0.1, stepp = 1 }"),
    "range, ends": (5, 'lacks "from" or "to"', "[block.cross]\neta = { from = 0.1, step = 1 }"),
    "range, no step": (5, "is not a range", "[block.cross]\neta = { from = 0.1, to = 1 }"),
    "range, log and step": (
        5, "is not a range", "[block.cross]\neta = { from = 0.1, to = 1, step = 0.1, log = true }",
    ),
    "range, both": (
        5, "is not a range",
        "[block.cross]\neta = { from = 0.1, to = 1, count = 2, per-decade = 1, log = true }",
    ),
    "range, end missed": (
        5, 'from "0.1" to "1" exactly', "[block.cross]\neta = { from = 0.1, to = 1, step = 0.2 }",
    ),
    "range, decade missed": (
        5, "a number of points with which",
        "[block.cross]\neta = { from = 0.1, to = 0.5, per-decade = 3, log = true }",
    ),
    "range, two units": (
        5, "two units", '[block.cross]\ndelay = { from = "1ms", to = "1s", step = "1ms" }',
    ),
    "range, unit of step": (
        5, "in the unit of the range",
        '[block.cross]\ndelay = { from = "1ms", to = "9ms", step = 1 }',
    ),
    "range, half a connection": (
        5, "a whole number above 0",
        "[block.cross]\nparallelism = { from = 1, to = 2, step = 0.5 }",
    ),
    "range, backwards": (
        5, "more than", "[block.cross]\neta = { from = 1, to = 0.1, step = 0.1 }",
    ),
    "range, log from 0": (
        5, "a number above 0",
        '[block.cross]\ndelay = { from = "0s", to = "1s", count = 3, log = true }',
    ),
    "range, out of the option's": (
        5, "a number above 0 to 1", "[block.cross]\neta = { from = 0.5, to = 1.5, step = 0.5 }",
    ),
    "range, too fine": (
        5, "at most 100000", "[block.cross]\neta = { from = 0.1, to = 1, step = 1e-9 }",
    ),
    "range, points too near": (
        5, 'near "1p" are equal after rounding',
        '[block.cross]\nqueue = { from = "1p", to = "4p", count = 9, log = true }',
    ),
    "range, points too near its begin": (
        5, 'near "1.23s" are equal after rounding',
        '[block.cross]\ndelay = { from = "1.231s", to = "1.3s", count = 99, log = true }',
    ),
    "zip of two lengths": (
        6, '"eta" has 3 values, "delay" has 2',
        '[[block.zip]]\ndelay = ["1s", "2s"]\neta = [0.1, 0.2, 0.3]',
    ),
    "zip, empty": (4, "is empty", "[[block.zip]]"),
    "zip, once": (4, "[[block.zip]]", "[block.zip]\neta = [0.1]"),
    "zip, twice": (
        5, "value 3 of this zip repeats",
        '[[block.zip]]\neta = [1, 0.5, 1]\ndelay = ["1s", "1s", "1s"]',
    ),
    "zip, second": (8, '"et" is unknown', "[[block.zip]]\neta = [1]\n[[block.zip]]\n\net = [2]"),
    "fixed and swept": (
        7, "first in line 5", "[block.fixed]\neta = 1\n[block.cross]\neta = [0.5]",
    ),
    "swept and fixed": (
        7, "first in line 5", "[block.cross]\neta = [0.5]\n[block.fixed]\neta = 1",
    ),
    "swept in two zips": (
        7, "set twice", "[[block.zip]]\neta = [1]\n[[block.zip]]\neta = [0.5]",
    ),
    "fixed and following": (
        5, "first in line 4",
        'fixed.delay = "1s"\nfollow = { delay = { same-as = "access-delay" } }',
    ),
    "follow of nothing": (
        5, "not set in this block", '[block.follow]\nwindow = { times = 2, of = "packet-size" }',
    ),
    "follow of a misspelt one": (
        5, 'did you mean "delay"?', '[block.follow]\naccess-delay = { same-as = "dealy" }',
    ),
    "follow of itself": (
        5, "delay -> delay", '[block.follow]\ndelay = { same-as = "delay" }',
    ),
    "follow in a circle": (
        6, "start -> access-delay -> start",
        '[block.follow]\ndelay = { same-as = "start" }\nstart = { same-as = "access-delay" }\n'
        'access-delay = { same-as = "start" }',
    ),
    "follow, word": (
        5, 'did you mean "same-as"?', '[block.follow]\ndelay = { same_as = "start" }',
    ),
    "follow, half": (5, "too few or too many keys", '[block.follow]\ndelay = { by = "start" }'),
    "follow, no table": (5, "{ same-as =", '[block.follow]\ndelay = "start"'),
    "follow, factor": (
        7, "above 0",
        '[block.fixed]\nstart = "1s"\n[block.follow]\ndelay = { times = 0, of = "start" }',
    ),
    "follow, other unit": (
        7,
        '"window" (whole, bytes) cannot follow "start" (whole, s); allowed: a number of the '
        "same kind and unit",
        '[block.fixed]\nstart = "1s"\n[block.follow]\nwindow = { times = 2, of = "start" }',
    ),
    "follow, no unit": (
        7,
        '"window" (whole, bytes) cannot follow "mode" (name); allowed: an option of the ',
        '[block.fixed]\nmode = "mi"\n[block.follow]\nwindow = { same-as = "mode" }',
    ),
    "follow, map lacks one": (
        8, 'has no entry for delay = "10ms"; did you mean "100ms"?',
        '[block.cross]\ndelay = ["1ms", "10ms"]\n[block.follow.eta]\nby = "delay"\n'
        '[block.follow.eta.map]\n"1ms" = 1\n"100ms" = 0.5',
    ),
    "follow, value of a map": (
        7, '"2" is not',
        '[block.fixed]\ndelay = "1s"\n[block.follow]\n'
        'eta = { by = "delay", map = { "1s" = "2" } }',
    ),
    "session, key": (
        6, 'did you mean "mode"?', '[block.fixed]\nsessions = [{},\n{ mod = "mi" }]',
    ),
    "session, value": (5, "a number above 0 to 1", "[block.fixed]\nsessions = [{ eta = 3 }]"),
    "session, none": (5, "one table or more", "[block.fixed]\nsessions = []"),
    "session, swept once": (5, "a list of tables", "[block.cross]\nsessions = [{}]"),
    "engine, misspelt": (4, 'allowed: "segment", "ns3"', 'engine = "ns-3"'),
    "engine, list": (4, '"x" is not', 'engine = ["ns3", "x"]'),
    "engine, none": (4, "an empty list", "engine = []"),
    "engine, twice": (4, "comes twice", 'engine = ["ns3", "ns3"]'),
    "engine, number": (4, "3 is not", "engine = 3"),
    "replications": (4, "a whole number from 1", "replications = 0"),
    "replications, true": (4, "true is not", "replications = true"),
    "first run": (4, "a whole number from 0", "first-run = -1"),
    "too many": (1, "at most 1000000", "replications = 999999\ncross.eta = [0.1, 0.2]"),
    "too many with engines": (
        1, "declares 1200000 simulations", 'replications = 600000\nengine = ["segment", "ns3"]',
    ),
    "last run": (4, "a whole number from 0", "first-run = 9223372036854775807"),
    "label twice": (6, "an earlier block", '\n[[block]]\nlabel = "one"'),
    "label missing": (4, '"label" is missing', "[[block]]"),
    "no TOML": (4, "is not valid TOML", "eta = ="),
    "no TOML at the end": (5, "is not valid TOML", "eta = [\n"),
    "a key twice": (5, "is not valid TOML", "replications = 1\nreplications = 1"),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case.replace(" ", "-"))
def test_what_is_wrong_is_refused_in_its_line(
    table: OptionTable, tmp_path: Path, case: str
) -> None:
    line, said, text = REFUSED[case]
    at, message = refusal(tmp_path, f"{HEAD}{text}\n", table)
    assert said in message
    assert at == line


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("", 1, '"title" is missing'),
        ("title = 3", 1, "a text of one line"),
        ('title = ""', 1, "a text of one line"),
        ('\ntitle = "T"', 1, "one [[block]] or more"),
        ('title = "T"\n\nblock = []', 3, "one [[block]] or more"),
        ('title = "T"\n[block]\nlabel = "one"', 2, "one [[block]] or more"),
        ('title = "T"\nfigure = "goodput-over-eto"', 2, 'did you mean "goodput-over-eta"?'),
        ('title = "T"\nfigure = 3', 2, '"goodput-over-delay"'),
        ('title = "T"\n[fixd]\n', 2, 'did you mean "fixed"?'),
        ('title = "T"\nfixed = 3\n', 2, "a table of options"),
        ('title = "T"\n[fixed]\n\ndelai = "1s"\n', 4, 'did you mean "delay"?'),
    ],
)
def test_what_is_wrong_in_the_file_itself(
    table: OptionTable, tmp_path: Path, text: str, line: int, said: str
) -> None:
    at, message = refusal(tmp_path, text, table)
    assert said in message
    assert at == line


def test_files_that_cannot_be_read(table: OptionTable, tmp_path: Path) -> None:
    path = tmp_path / "some.toml"
    for content, said in ((b"a = 1\nb = \xff", ":2: is not UTF-8"), (b"a=" + b"[" * 9999, ": ")):
        path.write_bytes(content)
        with pytest.raises(UserError) as caught:
            load_spec(path, table)
        assert str(caught.value).startswith(f"{path}{said}")
    for wrong in (tmp_path, tmp_path / "none.toml"):
        with pytest.raises(UserError, match=str(wrong)):
            load_spec(wrong, table)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"{'q' * 900} = 1", f':1: "{"q" * 57}..." is unknown here; allowed: title, figure'),
        ('"a\\nb" = 1', ':1: "a?b" is unknown here; allowed: title'),
        (f"title = 0x{'f' * 9000}", f':1: "title": 0x{"f" * 55}... is not allowed; allowed: a'),
    ],
)
def test_what_is_wrong_is_one_short_line(
    table: OptionTable, tmp_path: Path, text: str, said: str
) -> None:
    path = tmp_path / "some.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UserError) as caught:
        load_spec(path, table)
    assert str(caught.value).startswith(f"{path}{said}")


def test_a_name_that_no_file_can_have_is_left_to_the_program(
    table: OptionTable, tmp_path: Path
) -> None:
    path, name = tmp_path / "some.toml", "x" * 5000
    text = f'title = "A"\n[fixed]\ntopology = "{name}"\n[[block]]\nlabel = "all"\n'
    path.write_text(text, encoding="utf-8")
    assert column(load_spec(path, table), "topology") == [name]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_specs_in_other_encodings(table: OptionTable, tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "some.toml"
    text = 'title = "Größen"\r\n[[block]]\r\nlabel = "a"\r\n'
    path.write_bytes(text.encode(encoding))
    assert load_spec(path, table).title == "Größen"


@pytest.mark.parametrize("described", [{}, {"options": 3}, {"options": [{"name": "eta"}]}])
def test_what_is_no_table_of_options(described: dict[str, object]) -> None:
    with pytest.raises(ProgramError, match="--describe"):
        OptionTable.read(described)
