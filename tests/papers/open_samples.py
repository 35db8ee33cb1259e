"""Small sweeps of what the paper left open, and what is drawn of them, for tests."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
from matplotlib.figure import Figure

from analysis import figures
from analysis.drawing import style
from analysis.figures import Kind
from analysis.statistics import curve, sharing, swing
from experiments.__main__ import main
from experiments.programs.predictions import predictions

KINDS = {
    "chunk-size": "chunk-size",
    "fluid-model": "fluid-model",
    "aimd": "aimd-parameters",
    "fairness": "fairness",
}
"""The sweeps, and the kinds of figures they are drawn as."""

SPECS = {
    "chunk-size": """
[[block]]
label = "segment"
replications = 2
[block.cross]
mode = ["mi", "mi-plus", "aimd"]
file-size = ["1MB", "4MB", "16MB"]
chunk-size = ["1MB", "4MB"]
[[block]]
label = "fixed"
replications = 2
[block.fixed]
mode = "fixed"
[block.cross]
parallelism = [1, 4]
file-size = ["1MB", "4MB", "16MB"]
[block.follow]
chunk-size = { same-as = "file-size" }
""",
    "fluid-model": """
[fixed]
mode = "fixed"
file-size = "4MB"
[[block]]
label = "segment"
replications = 2
[block.cross]
delay = ["10ms", "50ms"]
window = ["64KiB", "1MiB"]
parallelism = [1, 4, 20]
[[block]]
label = "ns3"
engine = "ns3"
[block.cross]
delay = ["10ms"]
window = ["64KiB"]
parallelism = [4]
[[block]]
label = "ns3-twin"
[block.cross]
delay = ["10ms"]
window = ["64KiB"]
parallelism = [4]
""",
    "aimd": """
[fixed]
file-size = "40MB"
chunk-size = "4MB"
[[block]]
label = "segment"
replications = 2
[block.fixed]
mode = "aimd"
[block.cross]
delay = ["10ms", "50ms"]
alpha = [1, 4]
beta = [0.1, 0.5]
[[block]]
label = "others"
replications = 2
[block.cross]
mode = ["mi", "mi-plus"]
delay = ["10ms", "50ms"]
""",
    "fairness": """
[fixed]
window = "16KiB"
chunk-size = "1MB"
file-size = "10MB"
[[block]]
label = "one mode"
[block.cross]
mode = ["mi", "mi-plus", "aimd", "fixed"]
sessions = [
    [{}, { start = "1s" }],
    [{ start = "2s" }, {}],
    [{}, { start = "1s", delay = "40ms" }],
    [{ start = "2s" }, { delay = "40ms" }],
]
[[block]]
label = "two modes"
[block.cross]
sessions = [
    [{ mode = "mi" }, { mode = "aimd", start = "1s" }],
    [{ mode = "mi", start = "1s" }, { mode = "aimd" }],
]
[[block]]
label = "beside a session"
[block.fixed]
file-size = "50MB"
[block.cross]
mode = ["mi", "aimd"]
background = [[{ start = "1s", stop = "4s" }], [{ start = "2s", stop = "5s" }]]
[[block]]
label = "beside plain TCP"
[block.fixed]
mode = "fixed"
file-size = "1B"
start = "6s"
[block.cross]
background = [[{ start = "1s", stop = "4s" }, {}], [{ start = "2s", stop = "5s" }, {}]]
[[block]]
label = "alone"
[block.fixed]
mode = "fixed"
file-size = "1B"
start = "6s"
[block.cross]
background = [[{ start = "1s", stop = "4s" }], [{ start = "2s", stop = "5s" }]]
""",
}
"""Small sweeps of the same sets as the shipped ones; a second of simulations in all."""

MEASURED = {*curve.MEASURED, *swing.MEASURED, *sharing.MEASURED}
"""What a run that is not done lacks."""


def sweep_small(folder: Path) -> Path:
    """Return a store in the folder with the small sweeps, all done."""
    path = folder / "store.sqlite"
    specs = []
    for name, text in SPECS.items():
        spec = folder / f"{name}.toml"
        head = f'title = "{name}"\nfigure = "{KINDS[name]}"\n'
        spec.write_text(head + ("" if "[fixed]" in text else "[fixed]\n") + text)
        spec.write_text(spec.read_text().replace("[fixed]", '[fixed]\nstart-jitter = "20ms"', 1))
        specs.append(str(spec))
    assert main(["sweep", *specs, f"--store={path}", "--jobs=1"]) == 0
    return path


def kind_of(name: str) -> Kind:
    """Return the kind of figure of a sweep."""
    return figures.kinds()[KINDS[name]]


def drawn(name: str, runs: pd.DataFrame) -> tuple[Figure, pd.DataFrame]:
    """Return what is drawn of the runs of a sweep."""
    kind = kind_of(name)
    predicted = None if kind.key is None else predictions(runs, kind.key)
    with style.styled():
        return kind.draw(runs, predicted)


def rows_of(name: str, store: Path) -> pd.DataFrame:
    """Return the rows that a sweep is drawn from."""
    return kind_of(name).rows(store, name)
