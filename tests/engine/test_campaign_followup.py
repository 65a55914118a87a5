"""What can be done with a campaign afterwards; on Spark, in one session."""

from __future__ import annotations

import json
import re
import sys
from dataclasses import replace
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from rich.console import Console

from evenkeel_engine import version
from evenkeel_engine.campaign.discovery import estimate_new
from evenkeel_engine.campaign.errors import CampaignUnusable
from evenkeel_engine.campaign.followup import compare_campaigns, extend_campaign, rejudge_campaign
from evenkeel_engine.campaign.forever import _Forever, list_canaries, read_history
from evenkeel_engine.campaign.html import render_campaign_page
from evenkeel_engine.campaign.identity import identity_of
from evenkeel_engine.campaign.plan import CampaignPlan
from evenkeel_engine.campaign.run import CampaignResult, run_campaign
from evenkeel_engine.campaign.session import Spark
from evenkeel_engine.campaign.tables import FORMAT, read_rows, read_tally
from evenkeel_engine.campaign.unchanged import FIRST
from evenkeel_engine.campaign.worker import Order, run_blocks
from evenkeel_engine.check.seeded import Block, make_trial
from evenkeel_engine.kit.catalogue import QUESTIONS
from evenkeel_engine.sdk.new import write_adapter
from evenkeel_engine.stopping import Stopped
from tests import command_line

pytestmark = pytest.mark.slow

SERVED = f"{sys.executable} -m evenkeel_engine.subjects.serve"
ONE = ("bundles.hash_lookup",)
RETURNS = 'return {"bundle": {'
"""Where the new adapter answers `bundles.hash_lookup`."""


def plan(out: Path, **changes: Any) -> CampaignPlan:
    asked = {"trials": 300, "seed": 1, "edition": "DOCUMENTED", "questions": ONE, "out": out}
    return CampaignPlan(**{**asked, **changes})


def run(spark: Spark, asked: CampaignPlan) -> CampaignResult:
    return run_campaign(asked, Console(quiet=True), spark)


def test_finished_campaign_is_extended(spark: Spark, tmp_path: Path) -> None:
    folder = tmp_path / "c"
    first = run(spark, plan(folder, subject="reference:PULSAR_4_0", clauses=("BUN-17",)))
    assert (first.status, first.data["trials"]) == (1, {ONE[0]: 300})
    before = {(row["index"], row["clause"]) for row in read_rows(folder, "failures")}
    assert run(spark, extend_campaign(folder, 200, ())).data["trials"] == {ONE[0]: 500}
    after = [(row["index"], row["clause"]) for row in read_rows(folder, "failures")]
    assert len(set(after)) == len(after)
    assert before < set(after)
    assert [r["start"] for r in read_rows(folder, "blocks")] == [0, 40, 300, 340]
    # … and the same as one that was as long from the beginning.
    whole = plan(tmp_path / "w", subject="reference:PULSAR_4_0", clauses=("BUN-17",), trials=500)
    run(spark, whole)
    assert read_tally(folder) == read_tally(tmp_path / "w")
    assert read_rows(folder, "failures") == read_rows(tmp_path / "w", "failures")


def test_campaign_is_extended_by_another_question(spark: Spark, tmp_path: Path) -> None:
    folder = tmp_path / "c"
    run(spark, plan(folder))
    result = run(spark, extend_campaign(folder, 50, ("bundles.range",)))
    assert result.status == 0, result.summary
    assert result.data["trials"] == {"bundles.hash_lookup": 300, "bundles.range": 50}


def scaffold(folder: Path, build_id: bool) -> tuple[str, Path]:
    """The command of an adapter for Python, and the file with its questions. Without a build id it
    says the same version whatever becomes of that file.
    """
    write_adapter("python", folder)
    if not build_id:
        path = folder / "evenkeel_adapter.py"
        text = path.read_text()
        assert text.count('version += "+" + build_id()') == 1
        path.write_text(text.replace('version += "+" + build_id()', 'version += ""'))
    questions = folder / "questions.py"
    assert questions.read_text().count(RETURNS) == 1
    return f"{sys.executable} {folder / 'adapter.py'}", questions


@pytest.mark.parametrize("build_id", [True, False])
def test_finished_campaign_is_not_extended_for_a_changed_subject(
    spark: Spark, tmp_path: Path, build_id: bool
) -> None:
    subject, questions = scaffold(tmp_path / "subject", build_id)
    asked = plan(tmp_path / "c", subject=subject)
    assert run(spark, asked).status == 0
    assert run(spark, asked).status == 0  # nothing has changed
    state = (tmp_path / "c" / "campaign.json").read_bytes()
    with pytest.raises(CampaignUnusable, match="answers none of these questions"):
        extend_campaign(asked.out, 10, ["scaling.entries"], subject)
    questions.write_text(questions.read_text().replace(RETURNS, f"raise RuntimeError; {RETURNS}"))
    sentence = "holds another campaign (answered by" if build_id else "does not give any more"
    refused = run(spark, asked)
    assert (refused.status, refused.unusable) == (2, True)
    assert sentence in refused.summary
    assert "--again" in refused.summary
    for words in (
        ["resume", "--subject", subject],
        ["extend", "--trials", "100", "--subject", subject],
    ):
        done = command_line.run("campaign", words[0], str(asked.out), *words[1:])
        assert done.returncode == 2
        assert sentence in done.stderr
    assert (tmp_path / "c" / "campaign.json").read_bytes() == state
    worse = run(spark, replace(asked, again=True))
    assert worse.status == 1
    assert worse.data["trials"] == {ONE[0]: 300}
    assert run(spark, asked).summary == worse.summary
    # Mended again: the smallest trial of a failure is answered now.
    questions.write_text(questions.read_text().replace("raise RuntimeError; ", ""))
    assert sentence in run(spark, asked).summary


@pytest.mark.parametrize(
    ("words", "finished"),
    [(["resume"], False), (["resume"], True), (["extend", "--trials", "10"], True)],
)
def test_no_command_of_a_folder_runs_unasked(
    tmp_path: Path, words: list[str], finished: bool
) -> None:
    """The folder may be another user's, and names any command (L11)."""
    mark = tmp_path / "ran"
    asked = plan(tmp_path / "c", subject=f"touch {mark}")
    state = {
        "format": FORMAT,
        "id": "x",
        "campaign": identity_of(asked, "", "x", None),
        "finished": finished,
        "result": {"status": 0, "summary": "x", "clauses": {}, "failures": [], "differing": []},
    }
    asked.out.mkdir()
    (asked.out / "campaign.json").write_text(json.dumps(state))
    again = ["campaign", words[0], str(asked.out), *words[1:]]
    unasked = command_line.run(*again)
    assert unasked.returncode == 2
    assert "is of touch …: add --subject with the same command" in unasked.stderr
    other = command_line.run(*again, "--subject", "true")
    assert other.returncode == 2
    assert "of touch …: add" in other.stderr
    assert not mark.exists()
    assert command_line.run(*again, "--subject", asked.subject).returncode == 2  # it sends no hello
    assert mark.exists() or words[0] == "extend"  # which looks for the tables first


def test_a_change_that_only_a_failure_shows_is_detected(spark: Spark, tmp_path: Path) -> None:
    """A defect that no trial shows among the first ones of the question."""
    subject, questions = scaffold(tmp_path / "subject", build_id=False)
    text = questions.read_text()
    hashes = [make_trial(QUESTIONS[ONE[0]], 1, index).hash for index in range(FIRST + 60)]
    later = next(one for one in hashes[FIRST + 20 :] if one not in hashes[:FIRST])
    defect = f"if trial['hash'] == {later}: raise RuntimeError\n        bounds ="
    questions.write_text(text.replace("bounds =", defect))
    asked = plan(tmp_path / "c", subject=subject)
    assert run(spark, asked).status == 1
    questions.write_text(text)
    assert "does not give any more" in run(spark, asked).summary


def test_a_stopped_campaign_does_not_go_on_with_a_changed_subject(
    spark: Spark, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    subject, questions = scaffold(tmp_path / "subject", build_id=False)
    asked = plan(tmp_path / "c", subject=subject)
    with monkeypatch.context() as patch:
        patch.setattr("evenkeel_engine.campaign.run.Shrinking.run", stop)
        assert run(spark, asked).data["stopped"]
    text = questions.read_text()
    questions.write_text(text.replace(RETURNS, f"raise RuntimeError; {RETURNS}"))
    assert "does not give any more" in run(spark, asked).summary
    questions.write_text(text)
    assert run(spark, asked).status == 0


def stop(*_: object) -> None:
    raise Stopped


def test_chance_is_no_change(spark: Spark, tmp_path: Path) -> None:
    """A subject that answers at random breaks clauses, and is the same one for all that."""
    subject, questions = scaffold(tmp_path / "subject", build_id=False)
    text = questions.read_text().replace(
        RETURNS, f"import random; random.random() < 0.5 or f(); {RETURNS}"
    )
    questions.write_text(text)
    asked = plan(tmp_path / "c", subject=subject)
    first = run(spark, asked)
    assert first.status == 1
    assert run(spark, asked).summary == first.summary


def test_unfinished_or_missing_campaign_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(CampaignUnusable, match="is no folder of a campaign"):
        extend_campaign(tmp_path / "nowhere", 1, ())
    state = {"format": FORMAT, "id": "x", "campaign": {}, "finished": False}
    (tmp_path / "campaign.json").write_text(json.dumps(state))
    with pytest.raises(CampaignUnusable, match="is not finished"):
        rejudge_campaign(tmp_path)


def test_two_campaigns_are_compared(spark: Spark, tmp_path: Path) -> None:
    for name, subject in (("good", "reference"), ("bad", "reference:PULSAR_4_0")):
        run(spark, plan(tmp_path / name, subject=subject))
    worse = compare_campaigns(tmp_path / "good", tmp_path / "bad")
    assert (worse.status, worse.clauses["BUN-17"]) == (1, ("holds", "violated"))
    assert worse.new
    assert all(name.startswith("BUN-17") for name in worse.new)
    better = compare_campaigns(tmp_path / "bad", tmp_path / "good")
    assert (better.status, better.removed) == (0, worse.new)
    same = compare_campaigns(tmp_path / "bad", tmp_path / "bad")
    assert (same.status, same.clauses, same.new, same.removed) == (0, {}, [], [])
    for a, b, status in (("good", "bad", 1), ("bad", "good", 0), ("bad", "bad", 0)):
        words = ["campaign", "diff", str(tmp_path / a), str(tmp_path / b)]
        text = command_line.run(*words)
        data = command_line.run(*words, "--format", "json")
        assert (text.returncode, data.returncode) == (status, status), text.stdout
        output = json.loads(data.stdout)
        assert output["summary"] == text.stdout.splitlines()[-1]
        assert output["trials"] == [300, 300]
        assert ("BUN-17: holds in A, violated in B" in text.stdout) is (status == 1)
        assert output["clauses"].get("BUN-17") == {
            ("good", "bad"): ["holds", "violated"],
            ("bad", "good"): ["violated", "holds"],
        }.get((a, b))
        assert output["note"] == ""


def test_campaigns_of_two_evenkeels_are_distinguished(spark: Spark, tmp_path: Path) -> None:
    for name in ("a", "b"):
        run(spark, plan(tmp_path / name))
    path = tmp_path / "a" / "campaign.json"
    state = json.loads(path.read_text())
    assert state["evenkeel"] == version.find_version()
    other = "1.0.0.post1+g1234567890"
    path.write_text(json.dumps({**state, "evenkeel": other}))
    diff = command_line.run("campaign", "diff", str(tmp_path / "a"), str(tmp_path / "b"))
    said = f"note: evenkeel {other} made A, and {version.find_version()} made B: the code"
    assert said in " ".join(diff.stdout.split())
    console = Console(record=True, file=StringIO(), width=300)
    run_campaign(plan(tmp_path / "a"), console, spark)
    assert (
        f"made by evenkeel {other}, and this is {version.find_version()}" in console.export_text()
    )
    asked = {**state["campaign"], "code": "another"}
    path.write_text(json.dumps({**state, "evenkeel": other, "campaign": asked}))
    refused = run(spark, plan(tmp_path / "a"))
    assert refused.status == 2
    assert f"made by evenkeel {other}, and this is {version.find_version()};" in refused.summary
    assert (
        "due to their trials and judges" in compare_campaigns(tmp_path / "a", tmp_path / "b").note
    )


def test_tables_of_another_campaign_are_detected(spark: Spark, tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    run(spark, plan(one, subject="reference:PULSAR_4_0", trials=60))
    run(spark, plan(other, subject="reference:PULSAR_4_0", trials=60, seed=2))
    compare_campaigns(one, other)
    (one / "answers.parquet").write_bytes((other / "answers.parquet").read_bytes())
    for use in (
        rejudge_campaign,
        partial(compare_campaigns, other),
        lambda path: extend_campaign(path, 10, ()),
    ):
        with pytest.raises(CampaignUnusable, match=r"tables answers in .*/one are not those"):
            use(one)
    assert not (one / "parts").exists()


def test_stored_answers_are_judged_again(spark: Spark, tmp_path: Path) -> None:
    folder = tmp_path / "c"
    asked = plan(
        folder,
        subject=f"{SERVED} --mutant bundle_index:last_hash_breaks:DOCUMENTED",
        keep_answers=True,
    )
    run(spark, asked)
    assert [row["index"] for row in read_rows(folder, "answers")] == list(range(300))
    done = rejudge_campaign(folder)
    assert (done.status, done.new, done.removed, done.unreadable) == (1, [], [], {})
    assert done.tally.verdicts == read_tally(folder).verdicts
    # A right answer where the mutant broke: the failure is removed.
    table = pq.read_table(folder / "answers.parquet").to_pylist()
    broken = [row for row in table if "broke" in row["observation"]]
    assert broken
    assert len(broken) == sum(read_tally(folder).failures.values())


def test_differing_answers_are_stored_for_any_division_of_a_block() -> None:
    order = Order("reference:PULSAR_4_0", "DOCUMENTED")
    [whole] = run_blocks(order, lambda _: None, [[Block(ONE[0], 1, 0, 300)]])
    assert 0 < len(whole.stored) <= 20
    timed = replace(order, seconds=0.0)
    assert list(run_blocks(timed, lambda _: None, [[Block(ONE[0], 1, 0, 300)]])) == []


def test_answers_that_differ_are_counted_though_no_clause_objects(
    spark: Spark, tmp_path: Path
) -> None:
    folder = tmp_path / "c"
    asked = plan(folder, subject="reference:PULSAR_4_0", questions=("splitting.positions",))
    result = run(spark, asked)
    rows = read_rows(folder, "differing")
    assert rows, result.report
    assert sum(row["count"] for row in rows) == sum(read_tally(folder).differing.values())
    assert "not the reference's answer, and no clause objects" in result.report


def test_page_is_complete_and_escapes_markup(spark: Spark, tmp_path: Path) -> None:
    folder = tmp_path / "c"
    run(spark, plan(folder, subject="reference:PULSAR_4_0"))
    state = json.loads((folder / "campaign.json").read_text())
    state["campaign"]["answered by"] = "<script>alert(1)</script>\x1b[2J"
    state["result"]["failures"][0]["sentence"] = "<b>bold</b>"
    (folder / "campaign.json").write_text(json.dumps(state))
    text = render_campaign_page(folder)
    assert "<script" not in text
    assert "&lt;b&gt;bold&lt;/b&gt;" in text
    assert "\x1b" not in text
    assert "BUN-17" in text
    assert not re.search(r"(src|href)=.(?!#)", text.replace("xlink:href", "href"))


def test_a_campaign_without_end_finds_its_canary(
    spark: Spark, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evenkeel_engine.campaign.forever.CANARY_EVERY", 1)
    monkeypatch.setattr("evenkeel_engine.campaign.forever.CANARY_TRIALS", 400)
    asked = plan(tmp_path, chapters=("bundles",), questions=(), trials=120)
    known = list_canaries("DOCUMENTED", ("bundles",))
    sure = [one for one in known if one.name == "lookup-below"]  # nearly each trial shows it
    monkeypatch.setattr("evenkeel_engine.campaign.forever.list_canaries", lambda *_: sure)
    from collections import Counter  # noqa: PLC0415

    result = _Forever(asked, Console(quiet=True), [], Counter()).run(spark, 3)
    assert result.status == 0, result.summary
    rounds = read_history(tmp_path)
    assert [one["canary"] is None for one in rounds] == [True, False, True]
    assert rounds[1]["found"] is True
    assert rounds[0]["new"]
    assert "1 of 1 canaries found" in result.summary


def test_unseen_sorts_are_estimated_from_singletons() -> None:
    assert estimate_new([], 0, 1000) == 0.0
    assert estimate_new([5, 9, 100], 1000, 10**6) == 0.0
    assert 8.9 < estimate_new([1] * 10 + [2] * 4 + [50], 1000, 10**6) <= 9.0  # 10 * 9 / (2 * 5)
    assert 0 < estimate_new([1] * 10 + [2] * 4, 1000, 10) < 0.11
