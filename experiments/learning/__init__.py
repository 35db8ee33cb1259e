"""Learners of the parallelism: a transfer as an environment of Gymnasium.

Once this is imported, ``gymnasium.make("GridFtpTuning-v0", scenario={...})`` makes one, too. Its
packages are a group of their own, ``learning``, which ``./gridftp learn SCRIPT`` installs.
"""

import gymnasium

from .environment import GridFtpTuningEnv as GridFtpTuningEnv

gymnasium.register("GridFtpTuning-v0", entry_point=f"{__name__}:GridFtpTuningEnv")
