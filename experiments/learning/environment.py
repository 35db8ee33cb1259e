"""A GridFTP transfer as an environment of Gymnasium: an episode moves a file, a step a chunk."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from ..programs.program import Program, locate
from .dialogue import Dialogue

PROGRAM = "gridftp-transfer"

_OBSERVED = {
    "goodput_bps": (1e-6, 1e6),
    "rtt_s": (1e3, 1e9),
    "window_bytes": (2.0**-10, 2.0**31),
    "parallelism": (1.0, 16000.0),
    "loss_share": (1.0, 1.0),
    "remaining_share": (1.0, 1.0),
}
"""What is observed of a chunk, in order: what its SI number is multiplied by, and its largest value
after that."""

OBSERVED = tuple(_OBSERVED)
"""What the numbers of an observation are of, in order."""


class GridFtpTuningEnv(gymnasium.Env[np.ndarray, np.integer]):
    """Choose the number of parallel connections N of each chunk of a file.

    Action: ``Discrete(max_parallelism, start=1)``, N of the next chunk.

    Observation: a ``Box`` of six ``float64``, what a client can measure of the last chunk:

    ===== ============ ======= ==================================================
    Index Of           Unit    Meaning
    ===== ============ ======= ==================================================
    0     goodput      Mbit/s  file bytes of the chunk over its duration
    1     R            ms      mean of the last command response times
    2     W            KiB     largest window of a connection
    3     N                    connections that carried it
    4     losses       0 to 1  share of its segments that were sent again
    5     remaining    0 to 1  share of the file that is still to be moved
    ===== ============ ======= ==================================================

    Before the first chunk 0, 1 and 4 are 0, W is what the client asks for, N is 1.

    Reward: minus the duration of the chunk, in seconds of simulated time; so the return of an
    episode is minus the time that the chunks of the file have taken. Chunks are compared fairly:
    all are of one size, but for a last, shorter one.

    An episode ends (``terminated``) with the file, or when the transfer fails; it is never
    ``truncated``. ``info`` is what the program has said of the chunk (see "A tuner from outside" in
    the manual), at reset what it says first, and with the last chunk also ``result``, the whole
    result of ``./gridftp run --json``.

    Each episode is a program of its own, with a ``--run`` drawn from the environment's generator:
    ``reset(seed=...)`` makes it and all that follow the same again, if the actions are. The option
    "run", where it is given, has every episode the same draws.
    """

    metadata = {"render_modes": []}  # noqa: RUF012 - as Gymnasium declares it

    def __init__(
        self,
        scenario: Mapping[str, Any] | None = None,
        *,
        max_parallelism: int = 64,
        program: Program | None = None,
    ) -> None:
        """Make it; nothing is started before reset().

        Args:
            scenario: options of ``./gridftp run`` by their names, as
                ``{"bandwidth": "50Mbps", "file-size": "1GB"}``; the mode is the environment's.
            max_parallelism: the largest N.
            program: that simulates; by default the one that ./gridftp has built.

        Raises:
            ValueError: the scenario has what the environment decides itself, or several files.
            ProgramError: the program is not built.
        """
        self._options = {name: str(value) for name, value in (scenario or {}).items()}
        for name in ("mode", "external-command", "max-parallelism", "json", "batch", "files"):
            if name in self._options:
                raise ValueError(f"the scenario must not contain {name!r}: the environment sets it")
        self._options["max-parallelism"] = str(max_parallelism)
        self._program = program or locate(PROGRAM)
        self._dialogue: Dialogue | None = None
        self._hello: dict[str, Any] = {}
        most = np.array([most for _, most in _OBSERVED.values()])
        self.action_space = spaces.Discrete(max_parallelism, start=1)
        self.observation_space = spaces.Box(np.zeros(len(most)), most, dtype=np.float64)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Begin the transfer of another file; one that is under way is given up.

        Args:
            seed: of all that is drawn from now on; None: go on as before.
            options: of the command line for this episode, in place of the scenario's.

        Raises:
            UserError: the program refuses the scenario; the text is its own line.
            ProgramError: the program does not start, or tells nothing.
        """
        super().reset(seed=seed)
        self.close()
        run = int(self.np_random.integers(1, 2**31))
        own = {name: str(value) for name, value in (options or {}).items()}
        self._dialogue = Dialogue(self._program, {"run": str(run), **self._options, **own})
        self._hello = self._dialogue.hear()
        before = {"window_bytes": self._hello["window_bytes"], "parallelism": 1}
        return self._observe({**before, "remaining_bytes": self._hello["file_size_bytes"]}), {
            **self._hello
        }

    def step(self, action: np.integer) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Move a chunk.

        Args:
            action: N of it.

        Returns:
            Observation, reward, whether the file is moved (or the transfer has failed), False, and
            what there is to know of the chunk.

        Raises:
            gymnasium.error.ResetNeeded: there is no transfer under way.
            ValueError: the action is none.
            ProgramError: the program has ended without a result.
        """
        if self._dialogue is None:
            raise gymnasium.error.ResetNeeded("the episode is over: call reset()")
        if not self.action_space.contains(action):
            raise ValueError(f"{action!r} is not in {self.action_space}")
        self._dialogue.answer(int(action))
        chunk = self._dialogue.hear()
        info = {**chunk}
        if chunk.get("remaining_bytes") == 0:
            self._dialogue.answer(int(action))  # asked of a chunk that will not be
            info["result"] = self._dialogue.hear()
        elif "event" not in chunk:
            info = {"result": chunk}  # it has failed on its way
        over = "result" in info
        if over:
            self.close()
        reward = -float(info.get("duration_s", 0.0))
        return self._observe(chunk), reward, over, False, info

    def close(self) -> None:
        """Give up the transfer that is under way, if any."""
        if self._dialogue is not None:
            self._dialogue.close()
            self._dialogue = None

    def _observe(self, chunk: Mapping[str, Any]) -> np.ndarray:
        share = chunk.get("remaining_bytes", 0) / self._hello["file_size_bytes"]
        told = {**chunk, "remaining_share": share}
        numbers = [told.get(key, 0) * scale for key, (scale, _) in _OBSERVED.items()]
        return np.clip(np.array(numbers, dtype=np.float64), 0, self.observation_space.high)
