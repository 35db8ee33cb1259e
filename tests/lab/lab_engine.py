"""The engine of the lab, compiled for this machine: the same C functions that the page calls."""

from __future__ import annotations

import ctypes
import itertools
import json
import os
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from launcher import joined, sources

ENGINE = sources.ROOT / sources.LAB_ENGINE

WHOLE, LAST, SPAN = 0, 1, 2
"""What the charts show, as `lab_load` takes it."""

ABOUT = 'extern const char* const g_lab{0}; const char* const g_lab{0} = "{1}";\n'


def compile_engine(folder: Path, archive: Path) -> Path:
    """Make a shared library of `lab/engine` and the built core, warnings being errors.

    Its sources are compiled as few, and not optimised: the simulations are core's.
    """
    about = folder / "about.cc"
    about.write_text(ABOUT.format("Version", "1.2") + ABOUT.format("Commit", "abc"), "utf-8")
    built = folder / "liblab.so"
    flags = ["-std=c++20", "-O0", "-fPIC", "-shared", "-Wall", "-Wextra", "-Werror"]
    compiler = os.environ.get("CXX", "g++").split()
    includes = [f"-I{folder}" for folder in (ENGINE, *sources.folders("core"))]
    files = [str(about)]
    own = sources.files([ENGINE], ".cc")
    for number, unit in enumerate(joined.units(own, headers=sources.lab_files(".h"))):
        files.append(str(folder / f"unit-{number}.cc"))
        Path(files[-1]).write_text(unit.text, encoding="utf-8")
    subprocess.run(
        [*compiler, *flags, *includes, *files, str(archive), "-o", str(built)],
        check=True,
    )
    return built


def binned(times: pd.Series, values: pd.Series, edges: np.ndarray, first: float) -> np.ndarray:
    """What the bins should hold: least, most and last, the value before it included."""
    rows = []
    before = first
    for begin, end in itertools.pairwise(edges):
        inside = values[(times >= begin) & (times < end)]
        all_of_it = [before, *inside]
        rows.append([np.fmin.reduce(all_of_it), np.fmax.reduce(all_of_it), all_of_it[-1]])
        before = all_of_it[-1]
    return np.array(rows, dtype=np.float32)


class Engine:
    """One engine; there is one in a library."""

    def __init__(self, library: Path) -> None:
        self.c = ctypes.CDLL(str(library))
        for name in ("input", "text", "rows", "windows"):
            getattr(self.c, f"lab_{name}").restype = ctypes.c_void_p
        for name in ("advance", "apart_advance"):
            getattr(self.c, f"lab_{name}").argtypes = [ctypes.c_double]
        double, whole = ctypes.c_double, ctypes.c_int32
        self.c.lab_load.argtypes = [whole, double, double, ctypes.c_uint32]
        self.c.lab_apart.argtypes = [whole, double, double]
        self.c.lab_passage.restype = double
        self.c.lab_segment_bytes.restype = double

    def text(self) -> str:
        """Return the last text made."""
        return ctypes.string_at(self.c.lab_text(), self.c.lab_text_size()).decode()

    def rows(self, count: int, width: int) -> np.ndarray:
        """Return the last rows made, of so many numbers each."""
        address = ctypes.cast(self.c.lab_rows(), ctypes.POINTER(ctypes.c_double))
        flat = np.ctypeslib.as_array(address, (count,)).copy() if count else np.empty(0)
        return flat.reshape(-1, width)

    def write(self, scenario: dict[str, Any]) -> None:
        """Write a scenario for the next call."""
        text = json.dumps(scenario).encode()
        ctypes.memmove(self.c.lab_input(len(text)), text, len(text))

    def load(
        self,
        scenario: dict[str, Any],
        view: int = WHOLE,
        begin: float = 0,
        length: float = 0,
        bins: int = 1000,
    ) -> bool:
        """Load a scenario; `text` is what it resolves to, or what is wrong with it."""
        self.write(scenario)
        return bool(self.c.lab_load(view, begin, length, bins))

    def apart(
        self, scenario: dict[str, Any], traced: int = 0, begin: float = 0, end: float = 0
    ) -> bool:
        """Begin a run that is not shown; `text` is what is wrong where it is refused."""
        self.write(scenario)
        return bool(self.c.lab_apart(traced, begin, end))

    def axis(self) -> tuple[float, float, int]:
        """Return the first bin's begin, a bin's width, and how many there are."""
        begin, width, count = self.rows(self.c.lab_axis(), 3)[0]
        return begin, width, int(count)

    def edges(self) -> np.ndarray:
        """Return where bins begin and the last one ends, in the whole nanoseconds of the engine."""
        begin, width, count = self.axis()
        return np.round((begin + width * np.arange(count + 1)) * 1e9) / 1e9

    def queue(self) -> np.ndarray:
        """Return least, most and last of the queue, drops and marks, a row for each bin."""
        return self.rows(self.c.lab_queue(), 5)

    def state(self) -> np.ndarray:
        """Return the row of what is as it is now (LabSimulation::MakeState())."""
        return self.rows(self.c.lab_state(), 8)[0]

    def packets(self) -> np.ndarray:
        """Return a row for each packet (LabSimulation::MakePackets())."""
        return self.rows(self.c.lab_packets(), 8)

    def rtts(self, flow: int) -> np.ndarray:
        """Return least, most and mean smoothed RTT of a flow, a row for each bin."""
        count = self.axis()[2]
        return self.rows(self.c.lab_rtts(), 3)[flow * count :][:count]

    def flows(self, flows: int) -> np.ndarray:
        """Return begin, end, Jain's index and each flow's goodput, a row for each interval."""
        return self.rows(self.c.lab_flows(), 3 + flows)

    def windows(self, session: int, connection: int) -> np.ndarray:
        """Return least, most, last cwnd, last ssthresh, data in flight, a row for each bin."""
        address = ctypes.cast(
            self.c.lab_windows(session, connection), ctypes.POINTER(ctypes.c_float)
        )
        return np.ctypeslib.as_array(address, (5 * self.axis()[2],)).copy().reshape(-1, 5)
