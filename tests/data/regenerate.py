"""Make the stored sample in runs/ again: the real program, a small file in small chunks.

GRIDFTP_BUILD_DIR=... python tests/data/regenerate.py
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

PROGRAM = "gridftp-transfer"
OPTIONS = ("--file-size=62MB", "--chunk-size=5MB", "--json")


def main() -> None:
    """Write one result per mode."""
    program = Path(os.environ["GRIDFTP_BUILD_DIR"], PROGRAM)
    for mode in ("mi", "mi-plus", "aimd"):
        # The result echoes its command line: the program's bare name keeps this machine's folders
        # out of it.
        done = subprocess.run(
            [PROGRAM, f"--mode={mode}", *OPTIONS],
            executable=program,
            stdout=subprocess.PIPE,
            check=True,
        )
        Path(__file__).with_name("runs").joinpath(f"{mode}.json").write_bytes(done.stdout)


if __name__ == "__main__":
    main()
