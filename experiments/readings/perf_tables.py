"""What files of perf show, as tables."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table

from .modules import MODULES, OTHER, shares
from .reading import Run
from .tables import plain, table


def perf_tables(runs: Sequence[Run]) -> list[Table]:
    """Return the shares of modules in runs with a file of perf and none of sadf.

    With a file of sadf the shares are in its table, in CPU seconds.
    """
    alone = [run for run in runs if run.perf is not None and run.sadf is None]
    if not alone:
        return []
    names = [name.replace("_", " ") for name in (*MODULES, OTHER)]
    made = table("Busy CPU time by module (perf)", "run", "event", *names)
    for run in alone:
        found = shares(run.perf)
        values = [*(found.modules[name] for name in MODULES), found.other]
        made.add_row(plain(run.name), run.perf.event, *(f"{one:.1%}" for one in values))
    return [made]
