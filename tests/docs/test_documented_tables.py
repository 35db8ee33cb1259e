"""The tables of the documentation, of gridftp.rst, its pages and adding.md, against the programs.

Facts come from the programs (gridftp-introspect, gridftp-transfer --describe, a small run); the
documentation is read as a person would, by its tables. What stands in one must stand in the other.
"""

from __future__ import annotations

import csv
import json
import re
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, Runner
from manual_pages import manual

from analysis import figures
from analysis.read import result_schema
from analysis.read.results import ResultError
from launcher import sources
from manual import tables

sys.path.insert(0, str(Path(__file__).parents[1] / "data"))
import swept
from patience import PATIENCE

MODULE = ROOT / "contrib/gridftp"
NAMESPACE = "ns3::gridftp::"


# ---- what adding.md says of figures -------------------------------------------------------------


def test_labels_that_each_kind_of_figure_needs() -> None:
    lines = (MODULE / "doc/adding.md").read_text(encoding="utf-8").splitlines()
    rows = lines[lines.index("| Kind | needs a set labelled | shows, too |") + 2 :]
    needs = {}
    for line in rows[: rows.index("")]:
        kinds, needed, _ = line.strip("|").split("|")
        needs.update(dict.fromkeys(re.findall(r"`([^`]+)`", kinds), needed.strip()))
    assert set(needs) == set(figures.kinds())
    assert needs.pop("goodput") == "anything"
    study = tomllib.loads((ROOT / "papers/ito/sweeps/assumptions.toml").read_text("utf-8"))
    labels = {block["label"] for block in study["block"]}
    assert set(re.findall(r"`(\w+)`", needs.pop("assumptions"))) == labels
    mine = swept.runs("mine", "mi", "delay_s", {0.1: [9.0]}).assign(index=1)
    for name, needed in needs.items():
        with pytest.raises(ResultError) as told:
            figures.kinds()[name].draw(mine, None)
        wanted = needed.replace("`", '"')
        assert str(told.value) == f'no set is labelled {wanted} (found: "mine")'


# ---- reading the manual -------------------------------------------------------------------------


def table(title: str) -> list[list[str]]:
    """The rows of a csv-table of the manual, without literal marks; no two have the same key."""
    lines = iter(manual().splitlines())
    assert f".. csv-table:: {title}" in lines, f"no table '{title}'"
    block = []
    for line in lines:
        if line and not line.startswith("   "):
            break
        block.append(line.strip())
    rows = [line for line in block if line and not line.startswith(":")]
    assert rows, f"table '{title}' is empty"
    cells = csv.reader(rows, skipinitialspace=True)
    return [[cell.replace("``", "").strip() for cell in row] for row in cells]


def keyed(title: str, keys: int) -> dict[Any, list[str]]:
    """A table by its first column, or by its first two as a tuple."""
    rows = table(title)
    found = {row[0] if keys == 1 else tuple(row[:keys]): row[keys:] for row in rows}
    assert len(found) == len(rows), f"table '{title}' names something twice"
    return found


def number(text: str) -> float:
    """A number as the manual writes it: 8, 0.5, 1e10, 2^30, 2^63 - 1."""
    power, plain, less = re.fullmatch(r"(?:2\^(\d+)|(-?[\d.]+(?:e\d+)?))( - 1)?", text).groups()
    value = 2 ** int(power) if power else float(plain)
    return value - 1 if less else value


@dataclass(frozen=True)
class Range:
    """An interval; a maximum of None is no bound."""

    minimum: float
    maximum: float | None
    open_minimum: bool = False
    open_maximum: bool = False


def interval(text: str) -> Range | None:
    """A range as the manual writes it: "1 to 10", "above 0, to below 1", "at least 0"."""
    if least := re.fullmatch(r"at least (\S+)", text):
        return Range(number(least[1]), None)
    if not (found := re.fullmatch(r"(above )?([^,]+?),? to (below )?(.+)", text)):
        return None
    above, low, below, high = found.groups()
    return Range(number(low), number(high), bool(above), bool(below))


def differences(documented: dict[Any, Any], real: dict[Any, Any]) -> list[str]:
    """What is missing, what does not exist, what is told wrongly."""
    return (
        [f"{key} is not documented: {real[key]}" for key in real if key not in documented]
        + [f"{key} does not exist" for key in documented if key not in real]
        + [
            f"{key}: documented {documented[key]}, really {real[key]}"
            for key in documented
            if key in real and documented[key] != real[key]
        ]
    )


# ---- attributes and trace sources ---------------------------------------------------------------


@pytest.fixture(scope="module")
def types(run_program: Runner) -> list[dict[str, Any]]:
    """What the module registers."""
    done = run_program("gridftp-introspect")
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(done.stdout)["types"]
    assert len(found) > 10
    return found


def short(name: str) -> str:
    """A name without the module's namespace."""
    return name.removeprefix(NAMESPACE)


def attribute_default(text: str, kind: str) -> Any:
    """A default as introspected, comparable: numbers as numbers, times in seconds."""
    if kind in ("ns3::UintegerValue", "ns3::DoubleValue"):
        return float(text)
    if kind == "ns3::TimeValue":
        return float(re.fullmatch(r"\+(.*)ns", text)[1]) / 1e9
    if kind in ("ns3::AddressValue", "ns3::PointerValue"):
        assert text in ("", "0")
        return "none"
    return short(text)


def attribute_range(allowed: str, kind: str) -> Any:
    """A range as introspected: ns-3's checkers know closed intervals and print six digits."""
    if kind in ("ns3::UintegerValue", "ns3::DoubleValue"):
        low, high = map(float, allowed.split()[1].split(":"))
        return Range(low if low > sys.float_info.min else 0.0, high)
    if kind == "ns3::TimeValue":
        low, high = (float(end) / 1e9 for end in re.findall(r"\+(.*?)ns", allowed))
        return Range(low, high if high < 9e9 else None)
    if kind == "ns3::BooleanValue":
        return ["false", "true"]
    return allowed.split("|") if "|" in allowed else "any"


def documented_attribute(default: str, allowed: str, kind: str) -> tuple[Any, Any]:
    """Default and range of a row of the manual, comparable to the introspected ones."""
    if kind == "ns3::TimeValue":
        default, allowed = default.removesuffix(" s"), allowed.removesuffix(" s")
    if kind in ("ns3::UintegerValue", "ns3::DoubleValue", "ns3::TimeValue"):
        found = interval(allowed)
        return number(default), found and Range(found.minimum, found.maximum)
    if allowed == "a name":  # of an option; ns-3 lets a text be any
        return default, "any"
    return default, allowed.split(", ") if ", " in allowed else allowed


def of_tuners(types: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The types whose attributes are the parameters of modes."""
    return [entry for entry in types if short(entry["name"]).endswith("Tuner")]


def test_every_attribute_is_documented_as_it_is(types: list[dict[str, Any]]) -> None:
    real, kinds = {}, {}
    for entry in (entry for entry in types if entry not in of_tuners(types)):
        for item in entry["attributes"]:
            key, kind = (short(entry["name"]), item["name"]), item["type"]
            kinds[key] = kind
            real[key] = (
                attribute_default(item["default"], kind),
                attribute_range(item["allowed"], kind),
            )
    documented = {
        key: documented_attribute(default, allowed, kinds.get(key, ""))
        for key, (default, allowed, _) in keyed("Attributes", 2).items()
    }
    assert differences(documented, real) == []


def test_attributes_of_tuners_are_the_parameters_of_the_modes(types: list[dict[str, Any]]) -> None:
    documented = keyed("Parameters of the modes", 1)
    seen = set()
    for entry in of_tuners(types):
        for item in entry["attributes"]:
            name = re.sub(r"(?<!^)(?=[A-Z])", "-", item["name"]).lower()
            default, allowed, _ = documented[name]
            kind = item["type"]
            real = attribute_default(item["default"], kind), attribute_range(item["allowed"], kind)
            assert documented_attribute(default, allowed, kind) == real, (entry["name"], name)
            seen.add(name)
    assert seen == set(documented)


def test_every_attribute_and_trace_source_has_help(types: list[dict[str, Any]]) -> None:
    items = [item for entry in types for item in entry["attributes"] + entry["trace_sources"]]
    assert [item["name"] for item in items if not item["help"]] == []


def test_every_trace_source_is_documented_as_it_is(types: list[dict[str, Any]]) -> None:
    real = {
        (short(entry["name"]), item["name"]): short(item["callback"])
        for entry in types
        for item in entry["trace_sources"]
    }
    documented = {key: row[0] for key, row in keyed("Trace sources", 2).items()}
    assert differences(documented, real) == []


def test_every_type_is_named(types: list[dict[str, Any]]) -> None:
    text = manual()
    assert [entry["name"] for entry in types if f"``{short(entry['name'])}``" not in text] == []


def test_what_is_said_to_have_no_attributes_has_none(types: list[dict[str, Any]]) -> None:
    text = manual()
    told = re.search(
        r"Types that\s+are not listed have no attributes of their own:(.*?)\n\n", text, re.S
    )
    named = re.findall(r"``(\w+)``(?! *\))", re.sub(r"\([^)]*\)", "", told[1]))
    others = [entry for entry in types if entry not in of_tuners(types)]
    assert named == sorted(short(e["name"]) for e in others if not e["attributes"])


def headers_declaring(name: str, folders: list[Path]) -> str:
    """The text of the headers in these folders that declare a class or namespace of this name."""
    declaration = re.compile(rf"^(class|namespace) (\w+::)*{name}\b[^;]*$", re.M)
    texts = []
    for header in (header for folder in folders for header in sorted(folder.glob("*.h"))):
        text = header.read_text(encoding="utf-8")
        # The include folder of an ns-3 source tree holds stubs that include the real header.
        if stub := re.fullmatch(r'#include "(/.*)"\s*', text):
            text = Path(stub[1]).read_text(encoding="utf-8")
        if declaration.search(text):
            texts.append(text)
    return "\n".join(texts)


def ns3_headers(program: Path) -> Path:
    """The folder with the headers of the ns-3 that a program is linked with."""
    linked = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
    library = Path(re.search(r"=> (/.*/libns3\S*-core\S*\.so)", linked)[1])
    for folder in library.resolve().parents:
        if (folder / "include/ns3/simulator.h").is_file():
            return folder / "include/ns3"
    pytest.fail(f"no headers of ns-3 beside {library}")


def test_callbacks_of_trace_sources_are_existing_typedefs(
    types: list[dict[str, Any]], programs: Path
) -> None:
    callbacks = {item["callback"] for entry in types for item in entry["trace_sources"]}
    assert callbacks
    own_folders = sources.folders(*sources.LIBRARY)
    ns3_folders = [ns3_headers(programs / "gridftp-introspect")]
    missing = []
    for callback in sorted(callbacks):
        *_, owner, name = callback.split("::")
        text = headers_declaring(
            owner, own_folders if callback.startswith(NAMESPACE) else ns3_folders
        )
        if not re.search(rf"\btypedef void \(\*{name}\)\(", text):
            missing.append(callback)
    assert missing == []


def test_introspect_takes_no_argument(run_program: Runner) -> None:
    done = run_program("gridftp-introspect", "--help")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "gridftp-introspect: '--help' is too much; allowed: no argument\n"


# ---- options ------------------------------------------------------------------------------------


def option_range(option: dict[str, Any]) -> Any:
    """What --describe says is allowed, comparable to `documented_range`."""
    if option["name"] == "mode":
        return "a mode"  # the table "Modes"
    if "minimum" in option:
        names = ("minimum", "maximum", "open_minimum", "open_maximum")
        return Range(*(option[name] for name in names))
    if option["kind"] == "switch":
        return ["on", "off"]
    if "choices" in option:
        return option["choices"]
    if "members" in option:
        return [member["name"] for member in option["members"]]
    return "" if option["kind"] == "flag" else "a name"


def documented_range(text: str, kind: str) -> Any:
    """The range of a row of the manual."""
    if kind in ("whole", "real"):
        return interval(text)
    return text if text in ("", "a name", "a mode") else text.split(", ")


def test_every_parameter_of_a_mode_is_documented_as_it_is(run_program: Runner) -> None:
    done = run_program("gridftp-transfer", "--describe")
    assert (done.returncode, done.stderr) == (0, "")
    options = {option["name"]: option for option in json.loads(done.stdout)["options"]}
    assert len(options) > 30
    kind = {name: option["kind"] for name, option in options.items()}
    real = {
        name: (option["unit"], option["default"], option_range(option))
        for name, option in options.items()
    }
    modes = {name for name, option in options.items() if "modes" in option}
    of_modes = {
        name: ("", default, documented_range(allowed, kind.get(name, "")))
        for name, (default, allowed, _) in keyed("Parameters of the modes", 1).items()
    }
    assert differences(of_modes, {name: real[name] for name in modes}) == []
    assert list(of_modes) == [name for name in real if name in modes], "as in --help"


def test_options_are_explained_in_the_order_of_help(run_program: Runner) -> None:
    described = json.loads(run_program("gridftp-transfer", "--describe").stdout)["options"]
    explained = list(keyed("Options, more than their help says", 1))
    assert explained == [row["name"] for row in described if row["name"] in explained]


def test_the_site_has_every_option_as_it_is(run_program: Runner) -> None:
    described = json.loads(run_program("gridftp-transfer", "--describe").stdout)
    notes = {"queue": "What the manual says of it", "seed": "See :ref:`somewhere`"}
    page = tables.options(described, notes)
    blocks = dict(
        re.findall(r"^\.\. option:: --(\S+)\n\n(.*?)(?=\n\.\.|\n\n\n|\Z)", page, re.S | re.M)
    )
    rows = described["options"]
    assert list(blocks) == [row["name"] for row in rows]
    for row in rows:
        text = blocks[row["name"]].replace("\\", "")
        if row["name"] not in notes:
            assert f"   {row['help'][:1].upper()}{row['help'][1:]}\n" in f"{text}\n"
        assert (f"Default: {row['default']}" in text) == bool(row["default"]), row
        assert ("engine ns3 alone" in text) == (row["engines"] == "ns3"), row
        if "minimum" in row:
            (told,) = re.findall(
                rf"allowed: (.*?)(?: {re.escape(row['unit'])})?(?:; |\*$)", text, re.M
            )
            assert interval(told) == option_range(row), row
        for choice in row.get("choices", ()):
            assert choice in text, row
    assert f"   {notes['queue']}\n" in page
    with pytest.raises(ValueError, match="bandwith"):
        tables.options(described, {"bandwith": "misspelt"})


def test_every_key_of_a_further_session_is_documented_as_it_is(run_program: Runner) -> None:
    described = json.loads(run_program("gridftp-transfer", "--describe").stdout)["options"]
    flat = {option["name"]: option for option in described if option["scope"] in ("session", "tcp")}
    real, kinds = {}, {}
    for option in described:
        for member in option.get("members", []):
            key = option["name"], member["name"]
            same = flat.get(member["name"], {})
            if member == {**same, "scope": "session"}:
                continue  # stands in the table of options
            kinds[key] = member["kind"]
            real[key] = (member["unit"], member["default"], option_range(member))
    documented = {
        key: (unit, default, documented_range(allowed, kinds.get(key, "")))
        for key, (unit, default, allowed, _) in keyed(
            "Keys in addition to those of the first session", 2
        ).items()
    }
    assert differences(documented, real) == []
    (session,) = [option for option in described if option["name"] == "session"]
    assert set(flat) < {member["name"] for member in session["members"]}


# ---- what a run writes --------------------------------------------------------------------------


@pytest.fixture(scope="module")
def small_run(
    run_program: Runner, tmp_path_factory: pytest.TempPathFactory
) -> tuple[dict[str, Any], Path]:
    """Result and trace folder of a transfer that takes a fraction of a second."""
    folder = tmp_path_factory.mktemp("trace")
    sizes = ["--file-size=200KB", "--chunk-size=100KB", "--queue=5p", "--background=start=0s"]
    done = run_program("gridftp-transfer", *sizes, "--json", f"--trace={folder}")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout), folder


def test_the_site_s_table_of_result_keys_is_that_of_the_schema() -> None:
    form = json.loads(result_schema.PATH.read_text(encoding="utf-8"))
    wanted = list(tables.result_rows(form))
    assert len(wanted) > 50
    page = tables.results(form)
    assert list(csv.reader(page.replace("``", "").splitlines()[3:], skipinitialspace=True)) == [
        [f"{key}", unit, meaning.replace("``", "")] for key, unit, meaning in wanted
    ]
    units = {"_s": "s", "_bps": "bit/s", "_bytes": "bytes", "_packets": "packets"}
    for key, unit, _ in wanted:
        for suffix, meant in units.items():
            assert not key.endswith(suffix) or unit == meant, key


def test_the_table_of_result_keys_has_all_of_a_result(
    small_run: tuple[dict[str, Any], Path],
) -> None:
    result, _ = small_run
    form = json.loads(result_schema.PATH.read_text(encoding="utf-8"))
    told = {key for key, _, _ in tables.result_rows(form)}
    assert set(result) <= told
    for part in ("sessions", "background", "links"):
        assert {f"{part}.{key}" for key in result[part][0]} <= told, part


def test_every_trace_column_is_documented(small_run: tuple[dict[str, Any], Path]) -> None:
    _, folder = small_run
    real = {
        (file.name, column)
        for file in folder.iterdir()
        for column in file.read_text(encoding="utf-8").splitlines()[0].split(",")
    }
    assert set(keyed("CSV traces", 2)) == real


def test_the_modes_are_those_of_the_program(
    types: list[dict[str, Any]], run_program: Runner
) -> None:
    described = json.loads(run_program("gridftp-transfer", "--describe").stdout)
    (mode,) = [option for option in described["options"] if option["name"] == "mode"]
    modes = keyed("Modes", 1)
    assert list(modes) == mode["choices"]
    parameters = {tuner["name"]: tuner["parameters"] for tuner in described["tuners"]}
    assert {name: row[1].split(", ") for name, row in modes.items()} == parameters
    concrete = {short(e["name"]) for e in types if e["constructor"] and "Tuner" in e["name"]}
    assert {row[0] for row in modes.values()} == concrete


def test_the_congestion_controls_are_those_of_the_program(run_program: Runner) -> None:
    described = json.loads(run_program("gridftp-transfer", "--describe").stdout)
    (tcp,) = [option for option in described["options"] if option["name"] == "tcp"]
    assert list(keyed("Congestion controls", 1)) == tcp["segment_choices"]


def test_the_modules_are_those_of_the_program(run_program: Runner) -> None:
    described = json.loads(run_program("gridftp-transfer", "--describe").stdout)
    (processing,) = [one for one in described["options"] if one["name"] == "processing"]
    assert list(keyed("Modules", 1)) == processing["choices"]


def test_the_example_does_what_it_says(run_program: Runner) -> None:
    done = run_program("gridftp-minimal", timeout=PATIENCE)
    assert (done.returncode, done.stderr) == (0, "")
    levels = re.findall(r" over (\d+) connections, .*; next (\d+)$", done.stdout, re.M)
    assert levels == [("1", "2"), ("2", "4"), ("4", "8"), ("8", "8"), ("8", "8")]
    refused = run_program("gridftp-minimal", "--mode=fast")
    assert (refused.returncode, refused.stdout) == (2, "")
    modes = ", ".join(keyed("Modes", 1))
    assert refused.stderr == f"--mode=fast is unknown; allowed: {modes}\n"
