"""Bad command lines: one line on standard error, exit status 2, nothing else.

What an option allows is read from --describe; no default and no range is repeated here.
"""

from __future__ import annotations

import json
import random
import re
import string
import subprocess
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from patience import PATIENCE

TRANSFER = "gridftp-transfer"
OPTIMUM = "gridftp-optimum"
# The least unit of each dimension, and a unit of another one.
LEAST_UNIT = {"bytes": "B", "bit/s": "bps", "s": "ns", "packets": "p", "segments": "", "": ""}
WRONG_UNIT = {"bytes": "ms", "bit/s": "MB", "s": "KiB", "packets": "s", "segments": "p", "": "B"}
HUGE = 2**63 - 1

Option = dict[str, Any]
Word = str | bytes
Outcome = subprocess.CompletedProcess[bytes]
Start = Callable[..., Outcome]


@pytest.fixture(scope="session")
def start(programs: Path) -> Start:
    """Return a function that runs a program by its name, with words of any bytes."""

    def run(name: str, *words: Word) -> Outcome:
        return subprocess.run(
            [programs / name, *words],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=PATIENCE,
            check=False,
        )

    return run


@pytest.fixture(scope="session")
def options(start: Start) -> list[Option]:
    """Return the option table as gridftp-transfer describes it."""
    return json.loads(start(TRANSFER, "--describe").stdout)["options"]


def faults(name: str, outcome: Outcome, naming: str = "") -> list[str]:
    """Say what about a refusal is not as promised."""
    said = outcome.stderr
    found = []
    if outcome.returncode != 2:
        found.append(f"status {outcome.returncode}")
    if outcome.stdout:
        found.append("something on standard output")
    if said.count(b"\n") != 1 or not said.endswith(b"\n"):
        found.append("not one line")
    if not said.startswith(f"{name}: ".encode()) or naming.encode() not in said:
        found.append(f"does not name {naming}")
    if not re.search(rb"; (allowed[^:]*: .|did you mean (--|').|--help lists)", said):
        found.append("does not say what is allowed")
    if len(said) > 600 or not all(b" "[0] <= byte <= b"~"[0] for byte in said[:-1]):
        found.append("not fit for a terminal")
    if b"terminate" in said or b"NS_" in said:
        found.append("an abort")
    return found


def complaints(
    start: Start, name: str, lines: Iterable[tuple[list[Word], str]]
) -> list[tuple[list[Word], list[str], bytes]]:
    """Run bad command lines, each with a word that its error has to name; give those at fault."""

    def one(line: tuple[list[Word], str]) -> tuple[list[Word], list[str], bytes]:
        words, naming = line
        outcome = start(name, *words)
        return words, faults(name, outcome, naming), outcome.stderr

    with ThreadPoolExecutor(2) as pool:
        return [told for told in pool.map(one, lines) if told[1]]


def is_number(option: Option) -> bool:
    return option["kind"] in ("whole", "real")


def allows(option: Option, value: float) -> bool:
    """Tell whether a number, in SI units, is within the range of an option."""
    low, high = option["minimum"], option["maximum"]
    above = value > low if option["open_minimum"] else value >= low
    below = value < high if option["open_maximum"] else value <= high
    return above and below


def numbers(option: Option) -> list[tuple[str, bool]]:
    """Texts for a number, and whether the range allows them."""
    unit = LEAST_UNIT[option["unit"]]
    wrong = ["7" + WRONG_UNIT[option["unit"]], f"+1{unit}", "-0", f" 1{unit}"]
    wrong += [] if allows(option, -1) else [f"-1{unit}"]
    wrong += [f"1{unit} ", f"1 {unit}x", "nan", "inf", "-inf", f"NaN{unit}", "1e", "1e1000", "1,5"]
    wrong += [f".5{unit}", f"5.{unit}", "0x10", "", "junk", "\u0663", f"{2**63}{unit}", "9" * 30]
    wrong += [f"1.5{unit}", f"1e3{unit}"] if option["kind"] == "whole" else []
    wrong += ["7"] if option["unit"] in ("bit/s", "s") else []
    scale = 1e9 if option["unit"] == "s" else 1
    huge = "9" * 12 if option["kind"] == "real" else str(HUGE)
    return [
        *((text, False) for text in wrong),
        (f"0{unit}", allows(option, 0)),
        (f"{huge}{unit}", allows(option, int(huge) / scale if scale > 1 else int(huge))),
    ]


# Six bad texts of each option by default, others at each: one function reads them all.
@pytest.mark.parametrize("most", [6, pytest.param(None, marks=pytest.mark.extensive)])
def test_every_number(start: Start, options: list[Option], most: int | None) -> None:
    bad: list[tuple[list[Word], str]] = []
    good = []
    for place, option in enumerate(filter(is_number, options)):
        name = f"--{option['name']}"
        # allowed with any mode, whatever else is at its default
        mode = ["--mode=fixed"] if option["name"] == "parallelism" else []
        texts = numbers(option)
        good += [(option, text, [*mode, f"{name}={text}"]) for text, allowed in texts if allowed]
        wrong = some([text for text, allowed in texts if not allowed], place, most)
        bad += [([*mode, f"{name}={text}"], f"{name}=") for text in wrong]
    assert len(bad) > 6 * 20
    assert complaints(start, TRANSFER, bad) == []

    assert {option["name"] for option, *_ in good} >= {"delay", "random-loss", "run"}
    for option, text, words in good:
        outcome = start(TRANSFER, *words, "--resolve")
        assert outcome.returncode == 0, words
        digits = int(re.sub(r"\D", "", text))
        assert json.loads(outcome.stdout)[option["key"]] == digits, words


def some(texts: list[str], place: int, most: int | None) -> list[str]:
    """Return so many of the texts, others at each place; all if None."""
    if most is None or most >= len(texts):
        return texts
    return [texts[(place + i * len(texts) // most) % len(texts)] for i in range(most)]


def further(option: Option, most: int | None) -> list[tuple[list[Word], str]]:
    """Bad values of an option that takes KEY=V,..., each naming the part that is bad.

    Of each key so many, other ones at each; all if None.
    """
    name = f"--{option['name']}"
    bad: list[tuple[list[Word], str]] = []
    for place, member in enumerate(option["members"]):
        key = member["name"]
        texts = ["", "junk", "7ms,", "-1", "\u0663"]
        if is_number(member):
            texts = [text for text, allowed in numbers(member) if not allowed and "," not in text]
        elif member["kind"] == "name" and "choices" not in member:
            texts = [""]
        for text in some(texts, place, most):
            shown = f"{name} '{key}={text.split(',')[0]}"
            shown = shown if shown.isascii() else f"{name} '{key}="
            bad += [([name, f"{key}={text}"], shown), ([f"{name}={key}={text}"], shown)]
        bad += [([name, key], f"{name} '{key}' lacks"), ([name, f"{key}x=1"], f"{name} '{key}x=1'")]
    time = next(m["name"] for m in option["members"] if m["unit"] == "s")
    bad += [([name, "junk"], name), ([f"{name}={time}=10s,,"], f"{name} ''"), ([name, ""], name)]
    return bad


# One of each option's and key's bad values by default: all of them take a minute.
@pytest.mark.parametrize("most", [1, pytest.param(None, marks=pytest.mark.extensive)])
def test_every_other_option(start: Start, options: list[Option], most: int | None) -> None:
    bad: list[tuple[list[Word], str]] = []
    for place, option in enumerate(options):
        name = f"--{option['name']}"
        if option["kind"] == "flag":
            bad += [([f"{name}={text}"], name) for text in ("", "on", "1", "nan")]
            continue
        bad += [([name], name), ([f"{name}="], f"{name}="), ([f"{name}=a\nb"], f"{name}=")]
        if "members" in option:
            bad += further(option, most)
            continue
        free = option["kind"] == "name" and "choices" not in option
        free = free and (option["scope"] == "output" or option["name"] == "external-command")
        if not is_number(option) and not free:
            texts = ["7ms", "-1", "0", str(HUGE), "nan", "inf", "junk", "ON", " on", "mi,aimd"]
            bad += [([f"{name}={text}"], f"{name}=") for text in some(texts, place, most)]
    assert {words[0].split("=")[0] for words, _ in bad if isinstance(words[0], str)} >= {
        f"--{option['name']}" for option in options
    }
    assert complaints(start, TRANSFER, bad) == []


def test_unknown_names(start: Start, options: list[Option]) -> None:
    names = [option["name"] for option in options]
    lines: list[tuple[list[Word], str]] = []
    for name in names:
        misspelt = [name[:2] + name[3:], name.upper()[:1] + name[1:], name + "x"]
        if len(name) > 4:
            lines += [([f"--{word}=1"], f"did you mean --{name}?") for word in misspelt]
        lines.append(([f"-{name}=1"], "--name=VALUE"))
        lines.append(([f"{name}=1"], "--name=VALUE"))
    lines += [(["--xyzzy"], "--xyzzy is unknown"), ([""], "''"), (["--"], "'--'"), (["-"], "'-'")]
    assert complaints(start, TRANSFER, lines) == []


def bad_line(draw: random.Random, options: list[Option]) -> list[Word]:
    """Make up a command line that cannot be right."""

    def some_bytes(most: int) -> bytes:
        return bytes(draw.randrange(1, 256) for _ in range(draw.randrange(1, most)))

    # Those that any text is right for are not among them.
    free = ("trace", "pcap", "batch", "help", "external-command")
    option = draw.choice([o for o in options if o["name"] not in free])
    name = f"--{option['name']}"
    good = draw.choice(["--queue=7", "--eta=0.5", "--json", "--sack=on", "--direction=download"])
    other = "".join(draw.choices(string.punctuation + string.ascii_letters, k=20))
    bad: Word = draw.choice(
        [
            b"#" + some_bytes(60),
            b"--" + some_bytes(60) + b"\xff",
            f"{name}=".encode() + b"\xfe" + some_bytes(20),
            f"{name}={'7' * draw.choice([25, 300, 100_000])}x",
            f"--{'q' * draw.choice([65, 5000, 100_000])}=1",
            f"{name}=\U0001f4be\u0661\u202e{other}",
            f"--\u00e9{option['name']}=1",
            f"{name} =1",
            f"{name}==1;",
            f"{name[1:]}=1",
            option["name"],
            f"--no-{option['name']}=",
            f"{name}=1\n{name}=2\r\t\x1b[31m",
            f"{name}=%s%n%d{other}",
            f"{name}={'../' * 50}$(id)",
        ]
    )
    surroundings = draw.choice([[], [good], [good] * 300, [good, bad, good, bad]])
    line = [*surroundings, bad]
    draw.shuffle(line)
    return line


def test_two_hundred_bad_lines(start: Start, options: list[Option]) -> None:
    draw = random.Random(20080519)
    lines = [(bad_line(draw, options), "") for _ in range(200)]
    assert complaints(start, TRANSFER, lines) == []


def test_rules_between_options(start: Start, options: list[Option]) -> None:
    most = max(o["maximum"] for o in options if o["name"] == "max-parallelism")
    lines: list[tuple[list[Word], str]] = [
        (["--window=1B"], "--window=1B"),
        (["--packet-size=41B", "--timestamps=on"], "--packet-size=41B"),
        ([f"--initial-parallelism={most}", "--max-parallelism=1"], f"--initial-parallelism={most}"),
        (["--mode=aimd", "--parallelism=2"], "--parallelism=2"),
        (["--session", "mode=aimd,parallelism=2"], "--session 'parallelism=2'"),
        (["--delay=5ms", "--session", "delay=4999us"], "--session 'delay=4999us'"),
        (["--background", "delay=0s"], "--background 'delay=0s'"),
        (["--background", "start=3s,stop=3s"], "--background 'stop=3s'"),
        (["--background", "tcp=reno"] * 5000, "5001"),
        (["--engine=ns3", "--links=ns3", "--link-header=0B"], "--link-header=0B"),
        (["--engine=ns3", "--links=ns3", "--limit-rate=1Mbps"], "--limit-rate=1Mbps"),
        (["--limit-rate=999bps"], "--limit-rate=999bps"),
        (["--limit-rate=1Mbps", "--limit-burst=1499B"], "--limit-burst=1499B"),
        (["--limit-rate=1Mbps", "--direction=third-party"], "--limit-rate=1Mbps"),
        *(
            (["--engine=segment", *words.split()], words.split("=")[0].split()[0])
            for words in (
                "--links=ns3",
                "--tcp=ns3::TcpCubic",
                "--session tcp=ns3::TcpCubic",
                "--background tcp=ns3::TcpCubic",
                "--set=ns3::TcpSocketBase::ClockGranularity=1s",
                "--pcap=x",
            )
        ),
    ]
    assert complaints(start, TRANSFER, lines) == []


@pytest.mark.parametrize(
    "assignment",
    [
        "ns3::Nope::X=1",
        "ns3::TcpSocketBase::Nope=1",
        "ns3::TcpSocketBase::ClockGranularity",
        "ns3::TcpSocketBase::ClockGranularity=",
        "ns3::TcpSocketBase::ClockGranularity=abc",
        "ns3::TcpSocketBase::ClockGranularity=-1",
        "ns3::TcpSocketBase::ClockGranularity=-1ms",
        "ns3::TcpSocketBase::ClockGranularity=1parsec",
        "ns3::TcpSocketBase::ClockGranularity=nan",
        "ns3::TcpSocketBase::ClockGranularity=1e30s",
        "ns3::TcpSocketBase::WindowScaling=maybe",
        "ns3::TcpSocketBase::UseEcn=Nope",
        "ns3::TcpSocket::DataRetries=abc",
        "ns3::TcpSocket::DataRetries=-1",
        "ns3::TcpSocket::DataRetries=99999999999999999999",
        "ns3::TcpSocketBase::MaxWindowSize=0",
        "ns3::TcpL4Protocol::RttEstimatorType=ns3::Node",
        "ns3::TcpL4Protocol::RecoveryType=ns3::Nope",
        "ns3::RateErrorModel::ErrorRate=inf",
        "ns3::RateErrorModel::RanVar=[",
        "ns3::RateErrorModel::RanVar=ns3::UniformRandomVariable[Min=abc]",
        "ns3::OnOffApplication::DataRate=-5Mbps",
        "ns3::BulkSendApplication::Remote=abc",
        "ns3::Object::=1",
        "::=",
        "=",
        "=1",
        "::",
        "\u00fc::\u00df=1",
        "ns3::" * 1000 + "X=1",
    ],
)
def test_attributes_that_ns3_cannot_take(start: Start, tmp_path: Path, assignment: str) -> None:
    # Left to itself, ns-3 ends the process on most of these.
    word = f"--set={assignment}"
    for more in ([], ["--resolve"], ["--json", "--set=ns3::TcpSocketBase::ClockGranularity=1s"]):
        outcome = start(TRANSFER, word, *more, f"--trace={tmp_path}/trace")
        assert faults(TRANSFER, outcome, "--set=") == [], outcome.stderr
    assert list(tmp_path.iterdir()) == []


def test_attributes_of_types_that_are_not_there(start: Start, tmp_path: Path) -> None:
    vegas = "--set=ns3::TcpVegas::Alpha=3"
    gap = "--set=ns3::PointToPointNetDevice::InterframeGap=1us"
    small = "--set=ns3::PcapFileWrapper::CaptureSize=100"
    for words, is_there in (
        (["--queue-discipline=red", "--set=ns3::RedQueueDisc::UseEcn=true"], False),
        ([vegas], False),
        ([vegas, "--tcp=ns3::TcpVegas"], True),
        ([vegas, "--session=start=1000s,tcp=ns3::TcpVegas"], True),
        ([vegas, "--background=start=5s,tcp=ns3::TcpVegas"], True),
        ([gap], False),
        ([gap, "--links=ns3"], True),
        ([small], False),
        ([small, f"--pcap={tmp_path}/p"], True),
        (["--set=ns3::RateErrorModel::ErrorRate=0.1"], False),
        (["--set=ns3::Node::Nope=1"], False),
        (["--set", "ns3::Ipv4L3Protocol::DefaultTtl=9"], True),
        (["--set", "ns3::TcpSocket::DataRetries=9"], True),  # a base of what is constructed
    ):
        outcome = start(TRANSFER, "--engine=ns3", *words, "--file-size=10KB", "--json")
        if is_there:
            assert (outcome.returncode, outcome.stderr) == (0, b""), words
        else:
            assert faults(TRANSFER, outcome, "--set=") == [], outcome.stderr
    done = start(TRANSFER, "--engine=ns3", "--set=ns3::RedQueueDisc::UseEcn=true")
    assert b"constructs no ns3::RedQueueDisc; allowed: attributes of types that it" in done.stderr


@pytest.mark.parametrize(
    ("assignment", "said"),
    [
        ("ns3::TcpSocket::DataRetris=9", "did you mean --set=ns3::TcpSocket::DataRetries=VALUE?"),
        # An attribute belongs to the type that declares it
        ("ns3::TcpSocketBase::DataRetries=9", "did you mean --set=ns3::TcpSocket::DataRetries="),
        ("ns3::Ipv4L3Protocol::DefaultTTL=9", "did you mean --set=ns3::Ipv4L3Protocol::DefaultTtl"),
        ("ns3::TcpSocketBas::ReTxThreshold=5", "did you mean --set=ns3::TcpSocketBase::Attribute="),
        ("TcpSocketBase::ReTxThreshold=5", "did you mean --set=ns3::TcpSocketBase::Attribute="),
        ("ns3::tcpsocketbase::ReTxThreshold=5", "ns-3 has no type ns3::tcpsocketbase; did you"),
        (
            "ns3::Wifi6NetDevice::Mtu=5",
            "ns-3 has no type ns3::Wifi6NetDevice; allowed: ns3::Type::",
        ),
        ("ns3::TcpSocketBase::Speed=5", "has no attribute Speed of its own; allowed: attributes"),
        ("ns3::TcpSocketBase::ClockGranularity=abc", "the attribute does not take"),
        ("ns3::TcpSocketBase::UseEcn=Maybe", "; allowed: Off|On|AcceptOnly, such as Off"),
        ("ClockGranularity=1ms", "is not an attribute with a value; allowed: ns3::Type::Attrib"),
        # What the scenario sets is so under the name of a type that inherits it, too
        ("ns3::TcpSocketBase::SndBufSize=100000", "as the scenario sets it; allowed: --window"),
        ("ns3::DropTailQueue<Packet>::MaxSize=10p", "as the scenario sets it; allowed: --queue"),
        ("ns3::TcpL4Protocol::SocketType=ns3::TcpVegas", "the scenario sets it; allowed: --tcp"),
    ],
)
def test_what_is_wrong_with_an_attribute_is_named(start: Start, assignment: str, said: str) -> None:
    outcome = start(TRANSFER, "--engine=ns3", f"--set={assignment}")
    assert faults(TRANSFER, outcome, "--set=") == [], outcome.stderr
    assert said in outcome.stderr.decode()


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (["--tcp=CUBIC"], "'cubic'"),
        (["--tcp=new-reno"], "'newreno'"),
        (["--session", "tcp=NewReno"], "'newreno'"),
        (["--tcp=CUBIC", "--engine=ns3"], "cubic"),
        (["--tcp=NewReno", "--engine=ns3"], "newreno"),
        (["--tcp=westwood", "--engine=ns3"], "ns3::TcpWestwoodPlus"),
        (["--tcp=htcp", "--engine=ns3"], "ns3::TcpHtcp"),
        (["--tcp=bbr2", "--engine=ns3"], "ns3::TcpBbr"),
        (["--tcp=TcpCUBIC", "--engine=ns3"], "ns3::TcpCubic"),
    ],
)
def test_the_tcp_that_may_have_been_meant(start: Start, words: list[str], meant: str) -> None:
    outcome = start(TRANSFER, *words)
    assert outcome.returncode == 2
    assert outcome.stderr.decode().endswith(f" is unknown; did you mean {meant}?\n")


@pytest.mark.parametrize(
    ("words", "note"),
    [
        (["--delay-jitter-distribution=normal"], "--delay-jitter=TIME"),
        (["--delay-jitter-order=fifo", "--reorder=0.1"], "--delay-jitter=TIME"),
        (["--delay-jitter-at=data"], "--delay-jitter=TIME or --reorder=X"),
        (["--reorder-gap=5"], "--reorder=X"),
        (["--red-min-threshold=10p"], "--queue-discipline=red"),
        (["--limit-kind=shaper"], "--limit-rate=RATE"),
        (["--retry-wait=1s"], "--retries=N"),
        (["--min-rate-period=60s"], "--min-rate=RATE"),
        (["--delay-jitter=1ms", "--delay-jitter-distribution=normal"], ""),
        (["--reorder=0.1", "--delay-jitter-at=data", "--reorder-gap=5"], ""),
        (["--reverse-queue-discipline=red", "--red-min-threshold=10p"], ""),
        (["--retry-wait=1s", "--session", "retries=2"], ""),
        (["--reorder-gap=1", "--red-gentle=on"], ""),  # as by default
    ],
)
def test_an_option_without_effect_gives_a_note(start: Start, words: list[str], note: str) -> None:
    outcome = start(TRANSFER, *words, "--file-size=100KB", "--json")
    assert outcome.returncode == 0
    wanted = f"gridftp-transfer: {words[0]} has no effect; it needs {note}\n" if note else ""
    assert outcome.stderr.decode() == wanted


FREE = {
    "Client::ControlTcp",
    "Server::ControlTcp",
    "Server::MarkerInterval",
    "Server::Port",
    "BackgroundSink::Port",
    "BbftpServerApplication::Port",
    "DatagramApplication::Port",
    "DataTransferProcess::ControlTcp",
    "DataTransferProcess::MarkerInterval",
    "TcpSocketReno::AvoidMultipleFastRetransmits",
}
"""The attributes of this module that no scenario sets."""


def test_attributes_that_the_scenario_sets_are_refused(start: Start, tmp_path: Path) -> None:
    told = json.loads(start("gridftp-introspect").stdout)["types"]
    own = [
        f"{entry['name']}::{attribute['name']}"
        for entry in told
        for attribute in entry["attributes"]
        if f"{entry['name']}::{attribute['name']}".removeprefix("ns3::gridftp::") not in FREE
    ]
    assert len(own) > 30
    for name in [*own, "ns3::TcpSocketBase::MinRto", "ns3::TcpSocket::SegmentSize"]:
        outcome = start(TRANSFER, "--engine=ns3", f"--set={name}=1")
        assert faults(TRANSFER, outcome, "--set=") == [], outcome.stderr
        assert b"would have no effect, as the scenario sets it; allowed: " in outcome.stderr
    outcome = start(TRANSFER, "--engine=ns3", "--set=ns3::TcpSocketBase::MinRto=1s")
    assert outcome.stderr.endswith(b"allowed: --min-rto\n")


@pytest.mark.parametrize(
    "name",
    ["nonsense", "Reno", "ns3::Node", "ns3::TcpSocket", "ns3::TcpCongestionOps", "ns3::", "\x7f"],
)
def test_tcp_that_is_none(start: Start, name: str) -> None:
    assert faults(TRANSFER, start(TRANSFER, f"--tcp={name}"), "--tcp=") == []
    for option in ("--session", "--background"):
        outcome = start(TRANSFER, option, f"tcp={name}", f"{option}=start=1s")
        naming = option if name == "\x7f" else f"{option} 'tcp="
        assert faults(TRANSFER, outcome, naming) == [], outcome.stderr


@pytest.mark.parametrize("option", ["trace", "pcap"])
def test_places_that_cannot_be_written(start: Start, tmp_path: Path, option: str) -> None:
    # Below a plain file not even the superuser can write.
    plain = tmp_path / "plain"
    plain.touch()
    small = ["--file-size=1KB", "--json"]
    for place in (f"{plain}/x", f"{plain}/x/y", f"/{'long' * 100}/x"):
        outcome = start(TRANSFER, f"--{option}={place}", *small)
        assert faults(TRANSFER, outcome, f"--{option}=") == [], outcome.stderr
    # A bad command line writes nothing where it could.
    assert start(TRANSFER, f"--{option}={tmp_path}/good", "--queue=0").returncode == 2
    assert list(tmp_path.iterdir()) == [plain]


def test_optimum(start: Start, options: list[Option], tmp_path: Path) -> None:
    said = start(OPTIMUM, "--help").stdout.decode()
    mine = re.findall(r"^  --([a-z-]+)", said, re.MULTILINE)
    assert {"bandwidth", "rtt", "window", "max-parallelism", "csv", "json"} <= set(mine)
    table = {option["name"]: option for option in options}
    # Not in the transfer's table: R, a time that is never zero.
    table["rtt"] = {**table["delay"], "name": "rtt", "open_minimum": True}
    bad: list[tuple[list[Word], str]] = []
    for name in mine:
        option = table.get(name)
        if option and is_number(option):
            texts = [text for text, allowed in numbers(option) if not allowed]
            bad += [([f"--{name}={text}"], f"--{name}=") for text in texts]
        elif option and option["kind"] == "flag":
            bad.append(([f"--{name}=1"], f"--{name}"))
        else:
            bad += [([f"--{name}"], f"--{name}"), ([f"--{name}="], f"--{name}=")]
    bad += [([f"--{name[:1]}{name[2:]}x=1"], "did you mean") for name in mine if len(name) > 5]
    bad += [([f"--csv={tmp_path}"], "--csv="), (["--csv=/dev/full"], "--csv=")]
    bad += [(["--window=1B"], "--window=1B"), (["--delay=1ms"], "--delay is unknown")]
    draw = random.Random(1)
    usable = [table[name] for name in mine if name in table and name != "help"]
    bad += [(line, "") for line in (bad_line(draw, usable) for _ in range(40))]
    assert complaints(start, OPTIMUM, bad) == []
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("engine", ["segment", "ns3"])
@pytest.mark.parametrize("place", ["file", "folder"])
def test_traces_that_cannot_be_written(
    start: Start, tmp_path: Path, engine: str, place: str
) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "folder" / "queue.csv").mkdir(parents=True)
    word = f"--trace={tmp_path / place}"
    outcome = start(TRANSFER, f"--engine={engine}", "--file-size=1MB", word)
    assert faults(TRANSFER, outcome, "--trace=") == [], outcome.stderr
    assert outcome.stderr.endswith(b" cannot be written; allowed: a writable folder\n")
