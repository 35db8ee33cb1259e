"""The shipped specs made small, for tests: few points, two replications, small files."""

from __future__ import annotations

import re
from pathlib import Path

SHIPPED = Path(__file__).parents[2] / "papers" / "ito" / "sweeps"


def small_copy(name: str, folder: Path, size: str = "20MB", new_name: str | None = None) -> Path:
    """Write a shipped spec with three values of each swept option and small files.

    Args:
        name: of the shipped spec.
        folder: where the copy goes.
        size: of the files on engine segment; those on both engines have 3 MB.
        new_name: of the copy; the same if None.

    Returns:
        The copy's path.
    """
    text = (SHIPPED / f"{name}.toml").read_text()
    text = re.sub(r"^replications = \d+$", "replications = 2", text, flags=re.MULTILINE)
    text = text.replace('file-size = "1GB"', 'file-size = "3MB"')
    text = re.sub(r'((?:bandwidth|delay) = \[(?:"[^"]+", ){2})[^\]]*("[^"]+"\])', r"\1\2", text)
    text = re.sub(r"eta = (\{[^}]*\}|\[[^\]]*\])", "eta = [0.2, 0.5, 0.8]", text)
    sizes = f'file-size = "{size}"\nchunk-size = "1MB"\n'
    if "[fixed]\n" in text and not text.startswith("[fixed]"):
        text = re.sub(r"^\[fixed\]\n", f"[fixed]\n{sizes}", text, count=1, flags=re.MULTILINE)
    else:
        text = re.sub(r'^(figure = ".*"\n)', rf"\1\n[fixed]\n{sizes}", text, flags=re.MULTILINE)
    path = folder / f"{new_name or name}.toml"
    path.write_text(text)
    return path


def tiny_copy(name: str, folder: Path, most_settings: int | None = None) -> Path:
    """Write any shipped spec with all files and chunks a thousandth as large, and few replications.

    The figures then show nothing worth reading, but everything is drawn.

    Args:
        name: of the shipped spec.
        folder: where the copy goes.
        most_settings: the copy has only so many of the spec's settings, the first ones; None: all.

    Returns:
        The copy's path.
    """
    text = (SHIPPED / f"{name}.toml").read_text()
    before, *settings = re.split(r"^(?=\[\[setting\]\]$)", text, flags=re.MULTILINE)
    if most_settings is not None and settings:
        _, block, rest = settings[-1].partition("[[block]]")
        text = "".join([before, *settings[:most_settings], block, rest])
    text = re.sub(r"(\d+)MB", r"\1kB", text)
    text = re.sub(r"(\d+)GB", r"\1MB", text)
    text = re.sub(r"^replications = \d+$", "replications = 2", text, flags=re.MULTILINE)
    sizes = {"file-size": "3MB", "chunk-size": "100kB"}
    shared, _, _ = text.partition("[[block]]")
    usual = [f'{key} = "{value}"' for key, value in sizes.items() if f"{key} =" not in shared]
    if re.search(r"^\[fixed\]$", text, flags=re.MULTILINE):
        text = re.sub(r"^\[fixed\]$", "\n".join(["[fixed]", *usual]), text, count=1, flags=re.M)
    else:
        lines = "\n".join(["", "[fixed]", *usual, ""])
        text = re.sub(r'^(figure = ".*"\n)', lambda found: found[1] + lines, text, flags=re.M)
    path = folder / f"{name}.toml"
    path.write_text(text)
    return path
