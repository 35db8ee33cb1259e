"""``gridftp optimum --figure FILE``: draw goodput over parallelism."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from analysis.drawing import style
from analysis.figures import optimum
from analysis.files import write_atomically

from ..errors import UserError
from ..programs.program import locate
from ..terminal import present
from ..terminal.arguments import Parser, user_path

PROGRAM = "gridftp-optimum"


def main(arguments: list[str]) -> int:
    """Run the command; return the exit status."""
    parser = Parser("optimum", __doc__.split(": ", 1)[1].strip().capitalize(), add_help=False)
    parser.add_argument("--figure", type=user_path, metavar="FILE", help="draw the curve into FILE")
    parser.add_argument("--csv", type=user_path, metavar="FILE", help="write the curve to FILE")
    parser.add_argument("--json", action="store_true")
    options, passed_on = parser.parse_known_args(arguments)
    _check_suffix(options.figure, [f".{kind}" for kind in style.FORMATS], "--figure")
    program = locate(PROGRAM)
    text = program.call(*passed_on, "--json")
    out = present.standard_output()
    if options.json:
        out.file.write(text.decode())
    data = json.loads(text)
    files = {}
    if options.csv:
        files[options.csv] = style.table_csv(optimum.curve_table(data))
    if options.figure:
        with style.styled():
            kind = options.figure.suffix.removeprefix(".").lower()
            files[options.figure] = style.render(optimum.draw(data), kind)
    write_atomically(files)
    if not options.json:
        present.say(out, _sentence(data))
        for model in data.get("loss_models", []):
            best = model["optimum"]
            present.say(
                out,
                f"With random loss of {data['scenario']['loss']:g}, {model['name']}: "
                f"{best['parallelism']}; {best['goodput_bps'] / 1e6:.4g} Mbit/s "
                f"(limited by the {best['limited_by']})",
            )
        present.print_files(out, files)
    return 0


def _sentence(data: Mapping[str, Any]) -> str:
    """Return the answer in a sentence."""
    best = data["optimum"]
    goodput = f"{best['goodput_bps'] / 1e6:.4g} Mbit/s"
    if optimum.is_simulated(data):
        return f"Best parallelism: {best['parallelism']}; simulated goodput {goodput}"
    return (
        f"Best parallelism: {best['parallelism']}; predicted goodput {goodput} "
        f"(limited by the {best['limited_by']})"
        + (", without random loss" if data.get("loss_models") else "")
    )


def _check_suffix(path: Path | None, allowed: list[str], option: str) -> None:
    if path is not None and path.suffix.lower() not in allowed:
        raise UserError(
            f"gridftp optimum: {option}: {path.name!r} has another suffix; allowed: "
            f"{', '.join(allowed)}"
        )
