"""Files that a scenario names: their content is what is kept, whoever simulates it and wherever."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from analysis.read import stored
from experiments.__main__ import main
from experiments.programs.option_table import OptionTable
from experiments.programs.program import locate
from experiments.spec.load import load_spec
from experiments.verbs.sweep import plan_of

SPEC = """
title = "A path that changes"

[fixed]
file-size = "1MB"
bandwidth = "2Mbps"

[[block]]
label = "csv"
[block.cross]
path-schedule = ["path.csv", "none", "1s:3Mbps"]

[[block]]
label = "drawn"
replications = 2
[block.fixed]
bandwidth = "100Mbps"
path-schedule = "random,duration=100s"
"""


def write(folder: Path, rate: int) -> Path:
    (folder / "path.csv").write_text(f"time_s,rate_Mbps\n1,{rate}\n")
    path = folder / "changing.toml"
    path.write_text(SPEC)
    return path


def test_a_sweep_keeps_the_content_of_a_file(
    programs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = tmp_path / "store.sqlite"
    words = ["sweep", str(write(tmp_path, 5)), f"--store={store}"]
    assert main(words) == 0
    assert "changing: 5 done" in capsys.readouterr().out
    kept = stored.session_table(store, "changing")
    assert sorted(kept[kept["label"] == "csv"]["path_schedule"]) == [
        "0s:2Mbps:10ms,1s:3Mbps:10ms",
        "0s:2Mbps:10ms,1s:5Mbps:10ms",
        "none",
    ]
    assert kept[kept["label"] == "drawn"]["path_schedule"].nunique() == 2
    assert main(words) == 0
    assert "5 already stored; 0 to do" in capsys.readouterr().err
    write(tmp_path, 6)
    assert main(words) == 0
    assert "4 already stored; 1 to do" in capsys.readouterr().err


def test_what_simulates_needs_no_file(programs: Path, tmp_path: Path) -> None:
    program = locate("gridftp-transfer")
    table = OptionTable.read(program.object("--describe"))
    spec = load_spec(write(tmp_path, 5), table)
    assert spec.planned[0].line["path-schedule"] == str(tmp_path / "path.csv"), "beside the spec"
    runs = [run for _, run in plan_of(spec, program)]
    (tmp_path / "path.csv").unlink()
    for run in runs:
        batch = tmp_path / "line.json"
        batch.write_text(json.dumps(dict(run.line)))
        assert json.loads(program.call(f"--batch={batch}", "--resolve")) == run.scenario


NETWORKS = """
title = "A network with its values"

[fixed]
file-size = "1MB"

[[block]]
label = "file"
[block.fixed]
topology = "net.topology"
[block.cross]
delay = ["10ms", "20ms"] # the default, and another

[[block]]
label = "word"
[block.fixed]
topology = "dumbbell"
"""


def test_what_simulates_needs_no_file_of_a_network(programs: Path, tmp_path: Path) -> None:
    program = locate("gridftp-transfer")
    table = OptionTable.read(program.object("--describe"))
    (tmp_path / "net.topology").write_text("bandwidth = 2Mbps\ndelay = 3ms\nqueue = 100p\n")
    path = tmp_path / "networks.toml"
    path.write_text(NETWORKS)
    runs = [run for _, run in plan_of(load_spec(path, table), program)]
    (tmp_path / "net.topology").unlink()
    told = [(run.scenario["bandwidth_bps"], run.scenario["delay_s"]) for run in runs]
    assert told == [(2_000_000, 0.01), (2_000_000, 0.02), (100_000_000, 0.01)]
    for run in runs:
        assert "queue_packets" not in run.line, "the default"
        batch = tmp_path / "line.json"
        batch.write_text(json.dumps(dict(run.line)))
        assert json.loads(program.call(f"--batch={batch}", "--resolve")) == run.scenario


HOSTS = """
title = "A host with its settings"

[fixed]
file-size = "1MB"
sender-host = "server.conf"
receiver-host = "server.conf"

[[block]]
label = "both"
[block.cross]
delay = ["10ms", "20ms"]
"""


def test_a_sweep_takes_what_a_run_takes(
    programs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "server.conf").write_text(
        "net.core.netdev_max_backlog = 2500000\nnet.ipv4.tcp_adv_win_scale = -2\n"
        "net.ipv4.tcp_rto_min_us = 5000\nnet.ipv4.tcp_congestion_control = cubic\n"
        "net.core.default_qdisc = fq\n"
    )
    path = tmp_path / "hosts.toml"
    path.write_text(HOSTS)
    store = tmp_path / "store.sqlite"
    assert main(["sweep", str(path), f"--store={store}"]) == 0
    out, err = capsys.readouterr()
    assert "hosts: 2 done" in out
    assert err.count("net.core.default_qdisc") == 1, "noted once"
    table = stored.session_table(store, "hosts")
    assert set(table["receiver_backlog_packets"]) == {2_500_000}
    assert set(table["receiver_adv_win_scale"]) == {-2}
    assert set(table["min_rto_s"]) == {0.005}
    assert set(table["tcp"]) == {"cubic"}
