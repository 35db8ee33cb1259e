"""What the fluid model predicts along a sweep: the program ``gridftp-optimum`` at each point."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from .programs import Program, locate

PROGRAM = "gridftp-optimum"


def predictions(frame: pd.DataFrame, key: str, program: Program | None = None) -> pd.DataFrame:
    """Return the fluid model's goodput at each value of the swept key.

    R is the round-trip time of the path when its queue is empty: twice the delays of the bottleneck
    and of the two access links.

    Args:
        frame: runs with the scalar keys of their resolved scenarios, as figures take them.
        key: the swept key; of the other keys, each point's first run has the say.
        program: `PROGRAM`; None takes the built one.

    Returns:
        One row per value of the key: the key, ``parallelism`` and ``goodput_bps`` at the model's
        optimum, and ``single_goodput_bps`` with one connection (nan outside the model's domain).

    Raises:
        UserError: the program refuses a point.
        ProgramError: the program is missing or does not do what it should.
    """
    chosen = program or locate(PROGRAM)
    known: dict[tuple[str, ...], dict[str, Any]] = {}
    rows = []
    for x, runs in frame.groupby(key, sort=True):
        options = _options(runs.iloc[0])
        if options not in known:
            known[options] = chosen.object(*options, "--json")
        best, single = known[options]["optimum"], known[options]["curve"][0]
        rows.append(
            {
                key: x,
                "parallelism": best["parallelism"],
                "goodput_bps": best["goodput_bps"],
                "single_goodput_bps": single["goodput_bps"],
            }
        )
    columns = [key, "parallelism", "goodput_bps", "single_goodput_bps"]
    return pd.DataFrame(rows, columns=columns).astype({"single_goodput_bps": float})


def _options(scenario: pd.Series) -> tuple[str, ...]:
    """Return the program's options for the path and the session of a run."""
    rtt_s = 2 * (scenario["delay_s"] + 2 * scenario["access_delay_s"])
    return (
        f"--bandwidth={_plain(scenario['bandwidth_bps'])}bps",
        f"--rtt={_plain(round(rtt_s, 9))}s",
        f"--window={_plain(scenario['window_bytes'])}B",
        f"--packet-size={_plain(scenario['packet_size_bytes'])}B",
        f"--max-parallelism={_plain(scenario['max_parallelism'])}",
    )


def _plain(value: float) -> str:
    """Return a number without an exponent."""
    return np.format_float_positional(float(value), trim="-")
