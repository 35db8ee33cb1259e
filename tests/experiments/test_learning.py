"""Transfers as an environment of Gymnasium."""

from __future__ import annotations

import gc
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import Started
from manual_pages import manual

from experiments.__main__ import main
from experiments.errors import ProgramError, UserError

WHY = "the packages of the group learning are not installed; ./gridftp test installs them"
gymnasium = pytest.importorskip("gymnasium", reason=WHY)

import numpy as np  # noqa: E402
from gymnasium.utils.env_checker import check_env  # noqa: E402

from experiments.learning import GridFtpTuningEnv  # noqa: E402

SMALL = {"file-size": "2500KB", "chunk-size": "1MB", "start-jitter": "20ms"}
LOSSY = {**SMALL, "random-loss": "0.003"}


@pytest.fixture
def environment(programs: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A function that makes an environment, which is closed in the end."""
    monkeypatch.setenv("GRIDFTP_BUILD_DIR", str(programs))
    made = []

    def make(scenario: dict[str, str], **more: Any) -> GridFtpTuningEnv:
        made.append(GridFtpTuningEnv(scenario, **more))
        return made[-1]

    yield make
    for one in made:
        one.close()


def played(env: GridFtpTuningEnv, actions: list[int], **reset: Any) -> list[Any]:
    """Play an episode; return what reset and each step have returned."""
    return [env.reset(**reset), *(env.step(np.int64(n)) for n in actions)]


@pytest.mark.parametrize("engine", ["segment", "ns3"])
@pytest.mark.usefixtures("environment")
def test_gymnasium_finds_nothing_wrong(engine: str) -> None:
    env = gymnasium.make("GridFtpTuning-v0", scenario={**LOSSY, "engine": engine})
    check_env(env.unwrapped)


def test_what_is_observed_and_rewarded(environment: Any) -> None:
    env = environment(LOSSY, max_parallelism=8)
    (first, hello), *steps = played(env, [3, 8, 1], seed=4)
    assert (hello["event"], hello["max_parallelism"]) == ("hello", 8)
    assert first.tolist() == [0, 0, 64, 1, 0, 1]
    assert [step[2:4] for step in steps] == [(False, False), (False, False), (True, False)]
    result = steps[-1][4]["result"]
    chunks = result["sessions"][0]["gridftp"]["chunks"]
    assert [chunk["parallelism"] for chunk in chunks] == [3, 8, 1]
    for (seen, reward, _, _, info), chunk, left in zip(steps, chunks, [0.6, 0.2, 0.0], strict=True):
        expected = [
            chunk["goodput_bps"] / 1e6,
            chunk["rtt_s"] * 1e3,
            chunk["window_bytes"] / 1024,
            chunk["parallelism"],
            info["retransmitted"] / info["segments"],
            left,
        ]
        assert seen.tolist() == pytest.approx(expected, rel=1e-12)
        assert env.observation_space.contains(seen)
        assert reward == -info["duration_s"]
        assert info["duration_s"] == pytest.approx(chunk["end_s"] - chunk["start_s"], rel=1e-9)
    assert max(step[0][4] for step in steps) > 0
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(np.int64(1))


def runs(env: GridFtpTuningEnv, seeds: list[int | None]) -> list[int]:
    """The number of the replication in each episode."""
    return [env.reset(seed=seed)[1]["run"] for seed in seeds]


def test_a_seed_makes_episodes_the_same_again(environment: Any) -> None:
    env, other = environment(LOSSY), environment(LOSSY)
    drawn = runs(env, [1, None, None, 2])
    assert len(set(drawn)) == 4
    assert runs(other, [1, None, None, 2]) == drawn
    again = [[step[0].tolist() for step in played(one, [2, 4, 2], seed=1)] for one in (env, other)]
    assert again[0] == again[1]
    elsewhere = [step[0].tolist() for step in played(env, [2, 4, 2], seed=2)]
    assert elsewhere != again[0]
    fixed = environment({**LOSSY, "run": "7"})
    assert runs(fixed, [1, 2, None]) == [7, 7, 7]
    assert fixed.reset(options={"run": 8, "file-size": "3MB"})[1]["file_size_bytes"] == 3_000_000


def test_a_transfer_that_fails_ends_the_episode(environment: Any) -> None:
    env = environment({**SMALL, "fault": "kind=control-reset,at=2s", "bandwidth": "10Mbps"})
    env.reset(seed=1)
    steps = [env.step(np.int64(1))]
    while not steps[-1][2]:
        steps.append(env.step(np.int64(1)))
    assert steps[-1][1] == 0
    assert steps[-1][4]["result"]["status"] == "failed"
    assert 0 < len(steps) - 1 < 3


def test_bad_input_is_told(environment: Any, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"--bandwith is unknown; did you mean --bandwidth\?"):
        environment({"bandwith": "1Mbps"}).reset()
    for name in ("mode", "max-parallelism", "files"):
        with pytest.raises(ValueError, match=name):
            environment({name: "4"})
    env = environment(SMALL, max_parallelism=4)
    env.reset()
    for action in (0, 5, 2.5):
        with pytest.raises(ValueError, match="is not in Discrete"):
            env.step(action)
    assert env.step(np.int64(4))[2] is False


def test_no_program_is_left(environment: Any) -> None:
    env = environment({**SMALL, "file-size": "1GB"})
    processes = []
    for _ in range(2):
        env.reset()
        processes.append(env._dialogue._process)
    assert processes[0].returncode is not None  # reset() has ended it
    env.close()
    env.close()
    assert processes[1].returncode is not None
    lost = GridFtpTuningEnv(SMALL)
    lost.reset()
    process = lost._dialogue._process
    del lost
    gc.collect()
    assert process.returncode is not None


def test_a_program_that_ends_is_told(environment: Any) -> None:
    env = environment({**SMALL, "file-size": "1GB"})
    env.reset()
    env._dialogue._process.kill()
    with pytest.raises(ProgramError, match="ended with exit status -9 and without a result"):
        env.step(np.int64(1))


def test_the_learner_of_the_manual_learns(programs: Path, tmp_path: Path, started: Any) -> None:
    (text,) = re.findall(r"\n    import numpy as np\n.*?(?=\n\S)", manual(), re.DOTALL)
    (tmp_path / "agent.py").write_text(textwrap.dedent(text), encoding="utf-8")
    process: Started = started("-m", "experiments", "learn", tmp_path / "agent.py")
    out, err = process.communicate()
    assert err == ""
    told = re.fullmatch(r"(\S+) s at random, (\S+) s with N = \[[\d ]+\]\n", out)
    assert told, out
    assert float(told[2]) < 0.9 * float(told[1])


def test_the_verb_runs_a_script_with_its_arguments(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "agent.py").write_text("import sys\nprint(__name__, sys.argv[1:])\n")
    monkeypatch.setattr("sys.argv", [])
    assert main(["learn", str(tmp_path / "agent.py"), "a", "--b"]) == 0
    assert capsys.readouterr().out == "__main__ ['a', '--b']\n"
    for words in ([], ["--fast"], [str(tmp_path / "none.py")]):
        assert main(["learn", *words]) == 2
        assert "allowed: " in capsys.readouterr().err
