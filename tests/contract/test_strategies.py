"""Pulsar's five as balancers of any kind: they promise what the adapter's classes promise."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from evenkeel.properties.contract.rebalance.strategies import ANY, PROMISES
from evenkeel.reference.contract.promises import NUMBERS, Promises
from evenkeel_engine.kit.codec import BadData, from_json
from tests.command_line import run

ADAPTER = Path("adapters/apache-pulsar/src/main/resources/promises")
CLASSES = {
    "overload": "OverloadShedder",
    "threshold": "ThresholdShedder",
    "uniform": "UniformLoadShedder",
    "transfer": "TransferShedder",
    "avg": "AvgShedder",
}


def test_reference_and_adapter_promise_the_same() -> None:
    written = {path.stem: json.loads(path.read_text("utf-8")) for path in ADAPTER.iterdir()}
    same = {"any": ANY, **{CLASSES[name]: one for name, one in PROMISES.items()}}
    for name, promises in same.items():
        assert promises == from_json(Promises, written.get(name, written["any"])), name


@pytest.mark.parametrize(
    ("subject", "status", "clauses"),
    [
        ("reference:PULSAR_4_0:threshold", 0, []),
        ("reference:PULSAR_4_0:avg", 1, ["CON-1", "CON-27"]),
        ("reference:DOCUMENTED:avg", 0, []),
    ],
)
def test_a_strategy_is_checked_by_its_name(
    tmp_path: Path, subject: str, status: int, clauses: list[str]
) -> None:
    words = ["check", "--question", "contract.rebalance", "--subject", subject]
    done = run(*words, "--profile", "quick", "--format", "json", cache=tmp_path)
    assert done.returncode == status, done.stderr
    assert sorted(one["clause"] for one in json.loads(done.stdout)["failures"]) == clauses


@pytest.mark.parametrize("name", ["share", *NUMBERS])
def test_a_promise_that_means_nothing_is_refused(name: str) -> None:
    with pytest.raises(BadData, match=name):
        from_json(Promises, {name: 0 if name == "share" else -1})


def test_a_strategy_answers_no_other_question() -> None:
    done = run("check", "--question", "bundles.range", "--subject", "reference:avg")
    assert done.returncode == 2
    assert "does not offer bundles.range" in done.stdout + done.stderr
