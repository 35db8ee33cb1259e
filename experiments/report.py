"""``gridftp report``: figures, claims and how they came about on one page, from what is kept."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd

from analysis import claims, report, stored, study
from analysis.claims import Judged, sweeps
from analysis.figures import assumptions, registry, sweep_registry
from analysis.files import write_atomically

from . import present
from .arguments import Parser, add_results, add_store, store_of
from .evidence import Evidence, load_evidence, nothing_kept


def main(arguments: list[str]) -> int:
    """Run the verb; return the exit status: 0, or 1 if something cannot be drawn."""
    parser = Parser("report", __doc__.split(": ", 1)[1].strip().capitalize())
    add_results(parser)
    add_store(parser)
    options = parser.parse_args(arguments)
    folder = options.results
    kept = load_evidence(folder, store_of(options))
    numbers = kept.drawable()
    if kept.is_empty():
        raise nothing_kept(folder)
    written, judged, problems = present.draw_and_judge(numbers, kept.results, folder, kept.frames)
    written += write_page(kept, judged, numbers, folder)
    out, err = present.standard_output(), present.standard_error()
    present.say(out, "Files:")
    present.print_files(out, written)
    for problem in problems:
        present.say(err, problem)
    return 1 if problems else 0


def write_page(
    kept: Evidence, judged: list[Judged], numbers: list[int], folder: Path
) -> list[Path]:
    """Write ``report.html``, and the figure of the study where that is kept.

    Args:
        kept: what it is made of.
        judged: the claims.
        numbers: figures that are drawn already, in the folder's ``figures``.
        folder: of results.

    Returns:
        The files written.

    Raises:
        OSError: a file cannot be written.
    """
    written = []
    basis = [claims.basis(kept.results), *claims.DEFINITIONS]
    if kept.frames:
        basis += [sweeps.sweep_basis(kept.frames), *sweeps.DEFINITIONS]
    pictures = _pictures(numbers, folder / "figures")
    if kept.study is not None:
        written += assumptions.draw(kept.study, folder / "figures")
        pictures.append(_study_picture(folder / "figures"))
    page = report.build(
        judged,
        basis,
        pictures,
        report.engine_agreement(kept.frames),
        _provenance(kept),
        _scenario(kept),
    )
    path = folder / "report.html"
    write_atomically({path: page.encode()})
    return [*written, path]


def _pictures(numbers: list[int], folder: Path) -> list[report.Picture]:
    """Return those figures that were drawn."""
    known = {**registry(), **sweep_registry()}
    return [
        report.Picture(
            f"Figure {number}",
            known[number].title,
            (folder / f"{known[number].name}.svg").read_bytes(),
            f"figures/{known[number].name}.csv",
        )
        for number in sorted(numbers)
        if (folder / f"{known[number].name}.svg").exists()
    ]


def _study_picture(folder: Path) -> report.Picture:
    svg = (folder / f"{assumptions.NAME}.svg").read_bytes()
    data = f"figures/{assumptions.NAME}.csv"
    return report.Picture("The study of assumptions", assumptions.TITLE, svg, data)


def _provenance(kept: Evidence) -> pd.DataFrame:
    """Return where single results and those of sweeps come from, one table."""
    rows = []
    for name, result in kept.results.items():
        about = result.data["provenance"]
        rows.append(
            {
                "sweep": f"Figures 3 and 4, {name}",
                "engine": result.engine,
                "commit": about.get("commit", "not told"),
                "ns3_version": about.get("ns3_version", "not told"),
                "build_profile": about.get("build_profile", "not told"),
                "runs": 1,
                "wall_s": result.data["cost"]["wall_s"],
            }
        )
    swept = stored.provenance(kept.store) if kept.store.exists() else pd.DataFrame()
    return pd.concat([pd.DataFrame(rows), swept], ignore_index=True)


def _scenario(kept: Evidence) -> dict[str, Any]:
    """Return the scenario that the assumptions are told of: of a single result, else of a sweep."""
    for result in kept.results.values():
        return dict(result.scenario)
    for frame in kept.frames.values():
        return frame.iloc[0].to_dict()
    return stored.run_table(kept.store, study.SWEEP).iloc[0].to_dict()
