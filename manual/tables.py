"""Tables of the manual that would repeat a program: its options, and the keys of a result."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

_BOTH = "segment,ns3"
"""What ``--describe`` says of an option that both engines know."""


def options(described: Mapping[str, Any], notes: Mapping[str, str]) -> str:
    """Return all options of gridftp-transfer as reStructuredText.

    Args:
        described: what ``gridftp-transfer --describe`` prints.
        notes: what the manual has to say of an option in place of its help.

    Raises:
        ValueError: a note is of an option that does not exist.
    """
    rows: Sequence[Mapping[str, Any]] = described["options"]
    if unknown := set(notes) - {row["name"] for row in rows}:
        raise ValueError(
            f"the manual explains options that do not exist: {', '.join(sorted(unknown))}"
        )
    lines = [".. program:: gridftp-transfer", ""]
    scope = None
    for row in rows:
        if row["scope"] != scope:
            scope = row["scope"]
            lines += ["", f"Options: {scope}", "-" * (9 + len(scope)), ""]
        lines += [f".. option:: --{row['name']}", ""]
        lines += [f"   {notes.get(row['name']) or _sentence(row['help'])}", ""]
        if values := "; ".join(_values(row)):
            lines += [f"   *{values}*", ""]
    return "\n".join(lines)


def _plain(text: str) -> str:
    """Text of a program as it is: neither a substitution nor a role is meant by it."""
    return "".join(f"\\{letter}" if letter in "*`|_\\" else letter for letter in text)


def _sentence(text: str) -> str:
    return _plain(text[:1].upper() + text[1:])


def _values(row: Mapping[str, Any]) -> Iterator[str]:
    """What may be given, as a reader wants to know it."""
    if row["default"]:
        yield f"Default: {_plain(row['default'])}"
    if allowed := values_of(row):
        unit = f" {row['unit']}" if row["unit"] else ""
        yield f"allowed: {_plain(allowed)}{unit}"
    if modes := row.get("modes"):
        yield f"modes: {_plain(', '.join(modes) if isinstance(modes, list) else modes)}"
    if row["engines"] != _BOTH:
        yield f"engine {row['engines']} alone"


def values_of(row: Mapping[str, Any]) -> str:
    """Return the range or the choices of an option, as the manual writes them; empty: any."""
    if "minimum" in row:
        low = f"above {number(row['minimum'])}," if row["open_minimum"] else number(row["minimum"])
        below = "below " if row["open_maximum"] else ""
        return f"{low} to {below}{number(row['maximum'])}"
    if row["kind"] == "switch":
        return "on, off"
    return ", ".join(row.get("choices", ()))


def number(value: float) -> str:
    """Return a number as the manual writes it: 8, 0.5, 1e10, 2^30, 2^63 - 1."""
    whole = int(value)
    if whole == value and whole >= 1 << 10:
        if whole & (whole - 1) == 0:
            return f"2^{whole.bit_length() - 1}"
        if whole >= 1 << 40 and whole & (whole + 1) == 0:
            return f"2^{whole.bit_length()} - 1"
    if whole == value and whole < 1_000_000:
        return str(whole)
    if 0 < value < 1:
        return f"{value:.12f}".rstrip("0")
    short = f"{value:g}"
    return short.replace("e+0", "e").replace("e+", "e") if float(short) == value else str(value)


def results(schema: Mapping[str, Any]) -> str:
    """Return the keys of a result as a table in reStructuredText, from their JSON Schema."""
    lines = [".. csv-table:: Result of gridftp-transfer", "   :header: Key, Unit, Meaning", ""]
    for key, unit, meaning in result_rows(schema):
        lines.append(f'   ``{key}``, {unit}, "{meaning}"')
    return "\n".join([*lines, ""])


def result_rows(schema: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Give key, unit and meaning of everything in a result; a part is told once."""
    told = set()

    def rows(properties: Mapping[str, Any], above: str) -> Iterator[tuple[str, str, str]]:
        for key, value in properties.items():
            name = value.get("items", value).get("$ref", key).removeprefix("#/$defs/")
            part = schema["$defs"].get(name, value)
            meaning = value.get("description") or part["description"]
            yield f"{above}{key}", value.get("unit", ""), meaning.replace("`", "``")
            # What a scenario has stands among the options.
            if name not in told and part.get("additionalProperties") is False:
                told.add(name)
                yield from rows(part["properties"], f"{above}{key}.")

    yield from rows(schema["properties"], "")


def notes(table: str) -> dict[str, str]:
    """Return the two columns of a csv-table of the manual, the first without literal marks."""
    rows = [line.strip() for line in table.splitlines()[1:] if line.startswith("   ``")]
    return {name.strip("`"): told for name, told in csv.reader(rows, skipinitialspace=True)}
