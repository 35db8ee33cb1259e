#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""Repeat in ns-2 what reference.json holds, and compare; or, with --update, write it anew.

Needs the command `ns` of ns-2 (Debian: ns2), one process at a time. Exit status 1 if anything but
wall time differs: ns-2 is deterministic, so every digit is compared. Without a part named, the
variants (20 minutes) and the wall times are left alone.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
REFERENCE = HERE / "reference.json"
RUNS = 20
VARIANT_RUNS = 200
SIMULATOR = "ns-2 2.35 (Debian ns2 2.35+dfsg-5)"
SLOW_BPS = 90e6

N8 = {"n": 8, "jitter": 0.1}
N16 = {"n": 16, "delay": 0.05, "jitter": 0.1}
# Options of chunk.tcl. One run each, every connection starting at 0.
SINGLE = {
    f"n{n}{suffix}": {"n": n, **more}
    for suffix, more in (("", {}), ("-handshake", {"syn": 1}))
    for n in (1, 2, 4, 8, 16, 32)
}
# RUNS runs each: run 1, 2, ...
REPEATED = {
    **{f"n{n}-jitter": {"n": n, "jitter": 0.1} for n in (1, 2, 4)},
    "n8-jitter": N8,
    "n16-tau50-jitter": N16,
    "n8-jitter-handshake": {**N8, "syn": 1},
    "n16-tau50-jitter-handshake": {**N16, "syn": 1},
}
# VARIANT_RUNS runs each: what one rule of ns-2 does to n8-jitter.
VARIANTS = {
    "none": {},
    "bugFix_ off": {"bugFix_": "false"},
    "limited transmit off": {"singledup_": 0},
    "both off (RFC 2581)": {"bugFix_": "false", "singledup_": 0},
    "both off, handshake": {"bugFix_": "false", "singledup_": 0, "syn": 1},
    "handshake": {"syn": 1},
    "growth of first ACK lost": {"delay_growth_": "true"},
    "limit_ 100 (99 can wait)": {"limit": 100},
    "limit_ 102 (101 can wait)": {"limit": 102},
    "clock tick 1 ms": {"tcpTick_": 0.001},
    "minimum RTO 1 s": {"minrto_": 1},
    "dup. ACKs inflate after RTO": {"exitFastRetrans_": "false"},
    "no restart after idle": {"slow_start_restart_": "false"},
    "halved window truncated": {"precisionReduce_": "false"},
    "at most 4 segments an ACK": {"maxburst_": 4},
    "window 45 segments": {"window_": 45},
    "NewReno": {"tcp": "Newreno"},
    "send delay U(0, 1 ms)": {"overhead_": 0.001},
}


def available() -> bool:
    """Return whether ns-2 is installed."""
    return shutil.which("ns") is not None


def command(options: dict[str, Any], replication: int = 1) -> list[str]:
    """Return the command line, to be started in this folder, of one run."""
    words = [str(word) for pair in options.items() for word in pair]
    return ["ns", "chunk.tcl", *words, "run", str(replication)]


def run(options: dict[str, Any], replication: int = 1) -> dict[str, Any]:
    """Simulate one chunk and return what chunk.tcl prints.

    Raises:
        subprocess.CalledProcessError: ns-2 failed.
    """
    done = subprocess.run(
        command(options, replication), cwd=HERE, stdout=subprocess.PIPE, check=True
    )
    return json.loads(done.stdout)


def stable(result: dict[str, Any]) -> dict[str, Any]:
    """Return the result without the wall time, which no two runs share."""
    return {key: value for key, value in result.items() if not key.startswith("wall_")}


def summary(values: Iterable[float]) -> dict[str, float]:
    """Return mean, sample standard deviation, standard error of the mean, and the extremes."""
    values = list(values)
    sd = statistics.stdev(values)
    return {
        "mean": round(statistics.fmean(values), 3),
        "sd": round(sd, 3),
        "se": round(sd / len(values) ** 0.5, 3),
        "min": min(values),
        "max": max(values),
    }


def single(options: dict[str, Any]) -> dict[str, Any]:
    """Return one case of a single run."""
    result = stable(run(options))
    return {"command": " ".join(command(options)), "options": options, "result": result}


def repeated(options: dict[str, Any]) -> dict[str, Any]:
    """Return one case of RUNS runs."""
    runs = [stable(run(options, index)) for index in range(1, RUNS + 1)]
    return {
        "command": " ".join(command(options)[:-1]) + f" 1..{RUNS}",
        "options": options,
        "goodput_bps": summary(each["goodput_bps"] for each in runs),
        "runs": runs,
    }


def variant(options: dict[str, Any]) -> dict[str, Any]:
    """Return what VARIANT_RUNS runs of a variant add up to."""
    options = {**N8, **options}
    runs = [run(options, index) for index in range(1, VARIANT_RUNS + 1)]
    classes: dict[int, list[float]] = {}
    for each in sorted(runs, key=lambda each: each["timeouts"]):
        classes.setdefault(each["timeouts"], []).append(each["goodput_bps"])
    return {
        "command": " ".join(command(options)[:-1]) + f" 1..{VARIANT_RUNS}",
        "goodput_bps": summary(each["goodput_bps"] for each in runs),
        "timeouts": round(statistics.fmean(each["timeouts"] for each in runs), 3),
        "retransmissions": round(statistics.fmean(each["retransmissions"] for each in runs), 3),
        "drops": round(statistics.fmean(each["drops"] for each in runs), 3),
        "by_timeouts": {
            str(count): {
                "runs": len(values),
                "mean_goodput_bps": round(statistics.fmean(values), 3),
            }
            for count, values in classes.items()
        },
        "under_90_mbps": sum(each["goodput_bps"] < SLOW_BPS for each in runs) / len(runs),
    }


def cost(options: dict[str, Any]) -> float:
    """Return nanoseconds of wall time per delivered segment, the least of ten runs."""
    return min(run(options)["wall_ns_per_segment"] for _ in range(10))


PARTS = {
    "single": (SINGLE, single),
    "repeated": (REPEATED, repeated),
    "variants": (VARIANTS, variant),
    "wall_ns_per_segment": ({f"n{n}": {"n": n} for n in (1, 4, 8, 64)}, cost),
}


def compute(part: str) -> dict[str, Any]:
    """Simulate one part."""
    cases, simulate = PARTS[part]
    out = {}
    for name, options in cases.items():
        print(f"{part}: {name}", file=sys.stderr, flush=True)
        out[name] = simulate(options)
    return out


def differences(old: Any, new: Any, where: str = "") -> Iterator[str]:
    """Yield what differs, wall time aside."""
    if isinstance(old, dict) and isinstance(new, dict):
        old, new = stable(old), stable(new)
        for key in sorted(old.keys() | new.keys()):
            yield from differences(old.get(key), new.get(key), f"{where}/{key}")
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for index, (left, right) in enumerate(zip(old, new, strict=True)):
            yield from differences(left, right, f"{where}/{index}")
    elif old != new:
        yield f"{where}: stored {old}, now {new}"


def layout(value: Any, depth: int = 0) -> str:
    """Return JSON with a line for each innermost object."""
    text = json.dumps(value)
    if "{" not in text[1:]:
        return text
    pad = " " * (depth + 1)
    if isinstance(value, dict):
        lines = [f'{pad}"{key}": {layout(each, depth + 1)}' for key, each in value.items()]
        return "{\n" + ",\n".join(lines) + "\n" + pad[1:] + "}"
    lines = [pad + layout(each, depth + 1) for each in value]
    return "[\n" + ",\n".join(lines) + "\n" + pad[1:] + "]"


def table(variants: dict[str, Any]) -> str:
    """Return the variants as the README's table: Mbit/s, timeouts and drops per run."""
    rows = [
        "| rule changed | mean | s.e. | s.d. | under 90 | timeouts | drops |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, case in variants.items():
        g = {key: value / 1e6 for key, value in case["goodput_bps"].items()}
        rows.append(
            f"| {name} | {g['mean']:.2f} | {g['se']:.2f} | {g['sd']:.2f} "
            f"| {case['under_90_mbps']:.0%} | {case['timeouts']:.1f} | {case['drops']:.0f} |"
        )
    return "\n".join(rows)


def main() -> int:
    """Compare, update or print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    named = f"{', '.join(PARTS)} (default: the first two)"
    parser.add_argument("part", nargs="*", help=named)
    parser.add_argument("--update", action="store_true", help="write reference.json anew")
    parser.add_argument("--table", action="store_true", help="only print the stored table of rules")
    options = parser.parse_args()
    unknown = set(options.part) - PARTS.keys()
    if unknown:
        parser.error(f"part: {unknown.pop()} is not allowed (one of {', '.join(PARTS)})")
    stored = json.loads(REFERENCE.read_text(encoding="ascii")) if REFERENCE.is_file() else {}
    if options.table:
        print(table(stored["variants"]))
        return 0
    if not available():
        print("regenerate.py: ns is not installed (Debian: apt install ns2)", file=sys.stderr)
        return 2
    fresh = {part: compute(part) for part in options.part or ("single", "repeated")}
    if options.update:
        all_parts = {"simulator": SIMULATOR, **stored, **fresh}
        REFERENCE.write_text(layout(all_parts) + "\n", encoding="ascii")
        return 0
    found = list(differences({part: stored.get(part) for part in fresh}, fresh))
    print("\n".join(found) or "everything as stored")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
