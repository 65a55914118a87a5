"""The requests of the site's pages, answered without a browser."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import zipfile
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from docs.site import packs
from docs.site.browser.calls import call
from docs.site.interactive import first_questions
from evenkeel.reference.edition import BASE_EDITIONS

pytestmark = pytest.mark.xdist_group("calls")  # each process would answer the first ones again


@cache
def ask_once(name: str, question: str) -> str:
    return call(name, question)


def answer_to(name: str, **changed: Any) -> Any:
    return json.loads(ask_once(name, json.dumps({**first_questions()[name], **changed})))


def test_rounds_show_where_each_bundle_is() -> None:
    count = sum(map(len, first_questions()["shedding"]["brokers"]))
    for runs in answer_to("shedding").values():
        assert set(runs) == set(BASE_EDITIONS)
        for run in runs.values():
            for round_ in run["rounds"]:
                served = [b for broker in round_["brokers"].values() for b in broker["bundles"]]
                assert len(set(served + round_["away"])) == count


def test_a_move_goes_where_the_bundle_is_found_next() -> None:
    rounds = answer_to("shedding")["overload"]["DOCUMENTED"]["rounds"]
    moves = [(place, move) for place, one in enumerate(rounds) for move in one["moves"]]
    assert moves
    for place, move in moves:
        later = [one["brokers"][move["to"]]["bundles"] for one in rounds[place + 1 :]]
        assert any(move["bundle"] in bundles for bundles in later)


def test_unreached_threshold_moves_nothing() -> None:
    setting = {"loadBalancerBrokerOverloadedThresholdPercentage": 99}
    assert answer_to("shedding", settings=setting)["overload"]["DOCUMENTED"]["unloads"] == 0
    assert answer_to("shedding")["overload"]["DOCUMENTED"]["unloads"] > 0


def test_the_worst_window_is_the_first_two_deliveries() -> None:
    answered = answer_to("limits")
    assert answered["delivered"][0] + answered["delivered"][1] == answered["window"] == 3900
    idle = answered["delivered"][2 : 2 + answered["idle"]]
    assert idle == [0]
    assert answered["delivered"][2 + answered["idle"]] > 0


def test_a_plan_is_shown_in_each_edition_and_as_the_command_prints_it() -> None:
    answered = answer_to("segments")
    kept, *broken = answered["runs"].values()
    assert list(answered["runs"]) == ["DOCUMENTED", "PULSAR_5_0", "PULSAR_5_0_1"]
    assert (kept["broken"], done_in(kept)) == ([], (6, 5, 0))
    for run in broken:
        assert [clause for clause, _ in run["broken"]] == ["SCA-40", "SCA-41", "SCA-43"]
        assert done_in(run) == (13, 10, 0)
    for run in (kept, *broken):
        steps, rows = run["steps"], run["rows"]
        assert steps[-1]["segments"] == rows[-1]["after"]
        assert steps[-1]["buckets"] == rows[-1]["buckets"]
        assert max(one["segments"] for one in steps) == max(row["most"] for row in rows)
    assert answered["minutes"] == 2880
    assert answered["changes"] == []


def done_in(run: dict[str, Any]) -> tuple[int, ...]:
    """How often segments are split, merged, and get more entry buckets."""
    did = [one["did"] for one in run["steps"]]
    counts = tuple(map(did.count, ("split", "merge", "rebucket")))
    rows = [[row[name] for row in run["rows"]] for name in ("splits", "merges", "rebuckets")]
    assert counts == tuple(map(sum, rows))
    return counts


def test_more_entry_buckets_are_a_step_of_5_0_1_alone() -> None:
    runs = answer_to("segments", stretches=[[20, 500, 5]], days=1)["runs"]
    assert [done_in(run)[2] for run in runs.values()] == [0, 0, 1]
    (_, step) = runs["PULSAR_5_0_1"]["steps"]
    assert step == {"minute": 0, "segments": 1, "buckets": 8, "did": "rebucket"}


def test_settings_that_let_a_topic_rest_are_looked_for_in_the_edition_asked_for() -> None:
    asked = {"stretches": [[30, 1500, 2]], "days": 1}
    changes = answer_to("segments", **asked, resting="PULSAR_5_0_1")["changes"]
    assert [one["value"] for one in changes] == [750, 2, 2000]
    assert len(answer_to("segments", **asked, resting="PULSAR_5_0")["changes"]) == 2


def test_every_topic_is_in_one_bundle_and_cuts_are_inside_the_chosen_one() -> None:
    answered = answer_to("ranges")
    assert sum(bundle["topics"] for bundle in answered["bundles"]) == len(answered["topics"])
    lower, upper = (
        answered["boundaries"][answered["chosen"]],
        answered["boundaries"][answered["chosen"] + 1],
    )
    for cuts in answered["cuts"].values():
        assert all(lower < cut < upper for one in cuts.values() for cut in one)
    flow = [cuts["flow_or_qps_equally_divide"] for cuts in answered["cuts"].values()]
    assert flow[0] != flow[1]


def test_the_loop_has_every_broker_at_every_step() -> None:
    answered = answer_to("loop", strategies=["threshold"])["runs"]["threshold"]
    assert {len(usages) for usages in answered["usage"].values()} == {len(answered["at"])} == {121}
    assert sum(answered["moves"]) == answered["measures"]["unloads"] > 0


def test_the_other_edition_s_answer_is_judged() -> None:
    answered = answer_to("clause")
    assert answered["observed"]["DOCUMENTED"] != answered["observed"]["PULSAR_4_0"]
    own = answered["verdicts"]["DOCUMENTED"]["DOCUMENTED"]
    assert {status for status, _ in own.values()} == {"holds"}
    assert "violated" in {s for s, _ in answered["verdicts"]["PULSAR_4_0"]["DOCUMENTED"].values()}


def test_an_answer_of_one_s_own_is_judged() -> None:
    nothing: dict[str, Any] = {"answer": {"rounds": [[]]}}
    answered = answer_to("clause", observation=nothing)
    assert answered["verdicts"]["yours"]["DOCUMENTED"]["SHD-11"][0] == "violated"


IMPOSSIBLE = json.loads(Path(__file__).with_name("impossible.json").read_text("utf-8"))


@pytest.mark.parametrize(("name", "changed", "sentence"), IMPOSSIBLE)
def test_impossible_request_is_refused_with_a_sentence(
    name: str, changed: dict[str, Any], sentence: str
) -> None:
    assert sentence in answer_to(name, **changed)["refused"]


ALONE = """
import json, sys
sys.path.insert(0, sys.argv[1])
from browser.calls import call
for name, answer_to in json.load(sys.stdin).items():
    print(call(name, json.dumps(answer_to)))
"""


def test_packed_files_answer_equally_with_the_standard_library_alone(tmp_path: Path) -> None:
    with zipfile.ZipFile(io.BytesIO(packs.python())) as archive:
        archive.extractall(tmp_path)
    ran = subprocess.run(
        [sys.executable, "-I", "-S", "-c", ALONE, str(tmp_path)],
        input=json.dumps(first_questions()),
        capture_output=True,
        text=True,
        check=True,
    )
    answers = [json.loads(line) for line in ran.stdout.splitlines()]
    assert answers == [answer_to(name) for name in first_questions()]
