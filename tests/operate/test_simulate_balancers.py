"""`evenkeel operate simulate --balancer`: balancers of any kind on scenarios."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evenkeel.operate.simulate.balancers import list_left_out, list_unknown, make_trial
from evenkeel.operate.simulate.scenario_file import load
from evenkeel.reference.contract.promises import Feature
from tests.command_line import run


def test_the_reference_is_ranked_on_a_scenario(tmp_path: Path) -> None:
    words = ["operate", "simulate", "broker-joins", "--balancer", "reference"]
    done = run(*words, "--format", "json", cache=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    [found] = json.loads(done.stdout)["balancers"].values()
    assert (found["situations"], found["resting"], found["violated"]) == (1, 1, {})


def test_a_scenario_keeps_its_brokers_loads_and_events() -> None:
    trial = make_trial(load("broker-joins"))
    assert [node.joins for node in trial.nodes] == [0, 0, 0, 0, 15]
    assert {unit.load for unit in trial.units} == {12}
    restarted = make_trial(load("rolling-restart")).nodes
    assert [(node.name, node.joins, node.leaves) for node in restarted][:3] == [
        ("broker-1", 0, 10),
        ("broker-1-2", 12, None),
        ("broker-2", 0, 20),
    ]
    assert list_left_out(load("slow-broker")) == ["slow"]
    assert list_unknown(load("rolling-restart"), [Feature.JOINS, Feature.GRACE]) == ["leaves"]


def test_a_scenario_that_is_too_long_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "long.toml"
    text = Path("operate/simulate/scenarios/broker-joins.toml").read_text("utf-8")
    lines = ["minutes = 2000" if line.startswith("minutes") else line for line in text.splitlines()]
    path.write_text("\n".join(lines))
    done = run("operate", "simulate", str(path), "--balancer", "reference")
    assert done.returncode == 2
    assert "has more than 1000 steps" in done.stderr


@pytest.mark.slow
def test_each_balancer_has_a_panel_and_other_options_are_refused(tmp_path: Path) -> None:
    words = ["operate", "simulate", "rolling-restart", "--balancer", "reference"]
    done = run(*words, "--picture", "svg", "--out", str(tmp_path / "out"))
    assert done.returncode == 0, done.stderr
    assert "broker-5-2" in (tmp_path / "out" / "rolling-restart.svg").read_text("utf-8")
    refused = run(*words, "--strategy", "avg")
    assert refused.returncode == 2
    assert "--balancer and --strategy exclude each other" in refused.stderr
