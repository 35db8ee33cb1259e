"""A table as a Parquet file: columns of the types that their values have in every sweep."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import pyarrow as pa
from pyarrow import parquet

from analysis.read.results import CHUNK_KINDS, LINK_KINDS, SESSION_KINDS

from ..programs.program import Program

_TYPES: Mapping[type | None, pa.DataType] = {
    float: pa.float64(),
    int: pa.int64(),
    bool: pa.bool_(),
    str: pa.string(),
}

_TABLE = {"label": str, "session": int}
_SESSIONS = {**_TABLE, **SESSION_KINDS, **LINK_KINDS}
_CHUNKS = {**_TABLE, **CHUNK_KINDS, "completed_s": float}


def kinds_of(program: Program, *, chunks: bool) -> dict[str, type]:
    """Return as what a table has each of its columns, by name, whatever the values in it are.

    Args:
        program: whose options make the scenario.
        chunks: of `stored.chunk_table`, else of `stored.session_table`.

    Raises:
        ProgramError: it does not describe its options.
    """
    return {**_scenario_kinds(program), **(_CHUNKS if chunks else _SESSIONS)}


def _scenario_kinds(program: Program) -> dict[str, type]:
    kinds = {"whole": int, "real": float, "switch": bool}
    # A time is a whole number of nanoseconds to the program, and told in seconds.
    return {
        row["key"]: float if row["unit"] == "s" else kinds.get(row["kind"], str)
        for row in program.object("--describe")["options"]
    }


def content(table: pd.DataFrame, kinds: Mapping[str, type], about: Mapping[str, str]) -> bytes:
    """Return the content of a Parquet file.

    Args:
        table: what is in it; a value that is missing is null there.
        kinds: of columns by name; of one that is not named, as its values are.
        about: goes into the file's metadata, each name with ``gridftp.`` in front.
    """
    arrays = {
        name: pa.array(column, _TYPES.get(kinds.get(name)), from_pandas=True)
        for name, column in table.items()
    }
    told = {f"gridftp.{name}": text for name, text in about.items()}
    sink = pa.BufferOutputStream()
    parquet.write_table(pa.table(arrays).replace_schema_metadata(told), sink)
    return sink.getvalue().to_pybytes()
