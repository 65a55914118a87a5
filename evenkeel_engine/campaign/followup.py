"""Work with a finished campaign's folder: extend it, compare it, judge it again."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from evenkeel_engine.campaign.archive import archive_bytes, compute_digest
from evenkeel_engine.campaign.errors import CampaignUnusable
from evenkeel_engine.campaign.folder import Folder, digests_of, made_by
from evenkeel_engine.campaign.identity import identity_of
from evenkeel_engine.campaign.plan import CampaignPlan, More, check_plan
from evenkeel_engine.campaign.tables import read_rows, read_tally
from evenkeel_engine.campaign.unchanged import require_unchanged_result
from evenkeel_engine.check.seeded import Block, as_found
from evenkeel_engine.check.severity import Severity
from evenkeel_engine.check.tally import Tally
from evenkeel_engine.content import EDITIONS
from evenkeel_engine.files import Unreadable
from evenkeel_engine.kit.catalogue import QUESTIONS, clauses_for
from evenkeel_engine.kit.clause import Case
from evenkeel_engine.kit.codec import BadData, from_json
from evenkeel_engine.kit.draw import Generator
from evenkeel_engine.kit.question import judge_case
from evenkeel_engine.subjects.base import Request
from evenkeel_engine.subjects.choose import open_subject
from evenkeel_engine.subjects.wire import read_observation


def finished_state(path: Path) -> dict[str, Any]:
    """`campaign.json` of a finished campaign. Raises `CampaignUnusable`."""
    state = Folder(path).read_state() if path.is_dir() else None
    if state is None:
        raise CampaignUnusable(f"{path} is no folder of a campaign.")
    if not state.get("finished"):
        raise CampaignUnusable(
            f"The campaign in {path} is not finished; the same command continues it."
        )
    return state


def plan_of(path: Path, state: dict[str, Any], subject: str | None = None) -> CampaignPlan:
    """The plan of a campaign; its folder may hold no whole command. Raises `CampaignUnusable`."""
    requested = state["campaign"]
    try:
        return CampaignPlan(
            trials=requested["trials"],
            seed=requested["seed"],
            generator=Generator(requested["generator"]),
            edition=requested["edition"],
            out=path,
            subject=subject or requested["subject"],
            chapters=tuple(requested["chapters"]),
            questions=tuple(requested["questions"]),
            clauses=tuple(requested["clauses"]),
            keep_answers=requested["keep answers"],
            strict=requested["strict"],
            more=tuple(More(one["trials"], tuple(one["questions"])) for one in requested["more"]),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise CampaignUnusable(f"{path / 'campaign.json'} describes no campaign.") from error


def extend_campaign(
    path: Path, trials: int, questions: Collection[str], subject: str | None = None
) -> CampaignPlan:
    """Open a finished campaign again, for more trials of these questions (none: of its own).

    Raises `CampaignUnusable` or `SubjectUnusable`, also if the subject has changed; then the
    folder is unchanged. Running the plan continues it.
    """
    state = finished_state(path)
    require_own_tables(path, state)
    plan = plan_of(path, state, subject)
    longer = replace(plan, more=(*plan.more, More(trials, tuple(questions))))
    check_plan(longer)
    folder = Folder(path)
    known = state["campaign"]
    with closing(open_subject(plan.subject, EDITIONS[plan.edition], plan.limits)) as opened:
        requested = compute_digest(archive_bytes()), opened.name, opened.questions
        if questions and opened.questions is not None and opened.questions.isdisjoint(questions):
            raise CampaignUnusable(f"{opened.name} answers none of these questions.")
    try:
        folder.open(identity_of(plan, *requested), state["id"])
        require_unchanged_result(plan, state["result"])
        folder.extend(
            {
                **{name: state[name] for name in ("format", "id")},
                "evenkeel": made_by(state),
                "campaign": {**known, "more": identity_of(longer, *requested)["more"]},
                "finished": False,
            }
        )
    finally:
        folder.close()
    return longer


@dataclass(slots=True)
class CampaignDifference:
    """What is otherwise in another campaign: clauses by id with both verdicts, failures."""

    clauses: dict[str, tuple[str, str]] = field(default_factory=dict)
    new: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    trials: tuple[int, int] = (0, 0)
    differing: dict[str, tuple[int, int]] = field(default_factory=dict)
    departures: list[str] = field(default_factory=list)
    """Those of `new` that are none."""
    status: int = 0
    """1 if there are new failures that are no mere departures, else 0."""
    evenkeel: tuple[str, str] = ("", "")
    """Which evenkeel made each."""
    note: str = ""
    """What it means that these differ."""


def compare_campaigns(one: Path, other: Path) -> CampaignDifference:
    """How the second campaign differs from the first. Raises `CampaignUnusable`."""
    before, after = (tables_of(path) for path in (one, other))
    states = [finished_state(path) for path in (one, other)]
    requested = states[1]["campaign"]
    severity = Severity(requested["edition"], requested["strict"])
    ids = sorted({id_ for tally in (before, after) for id_, _ in tally.verdicts})
    verdicts = {id_: (before.conclude_verdict(id_), after.conclude_verdict(id_)) for id_ in ids}
    differing = {
        f"{key[0]}: {key[1]}": (before.differing[key], after.differing[key])
        for key in sorted(before.differing.keys() ^ after.differing.keys())
    }
    return CampaignDifference(
        {id_: pair for id_, pair in verdicts.items() if pair[0] != pair[1]},
        sorted(after.failures.keys() - before.failures.keys()),
        sorted(before.failures.keys() - after.failures.keys()),
        (sum(before.trials.values()), sum(after.trials.values())),
        differing,
        [name for name in severity.list_departures(after) if name not in before.failures],
        int(any(name not in before.failures for name in severity.list_errors(after))),
        (made_by(states[0]), made_by(states[1])),
        note_of(states),
    )


def note_of(states: Sequence[Mapping[str, Any]]) -> str:
    """What it means for a comparison that two campaigns were made by two evenkeels."""
    one, other = (made_by(state) for state in states)
    if one == other:
        return ""
    same = states[0]["campaign"].get("code") == states[1]["campaign"].get("code")
    means = (
        "the code that makes and judges trials is the same"
        if same
        else "what differs may be due to their trials and judges, and not to the subject"
    )
    return f"evenkeel {one} made A, and {other} made B: {means}"


def tables_of(path: Path) -> Tally:
    """The tally of a finished campaign, in its own tables. Raises `CampaignUnusable`."""
    state, tally = finished_state(path), read_tally(path)
    require_own_tables(path, state)
    return tally


def require_own_tables(path: Path, state: dict[str, Any]) -> None:
    """Compare the tables with their digests; a campaign of an earlier evenkeel has none.

    Raises `CampaignUnusable` for tables of another campaign, which are sound by themselves.
    """
    try:
        found = digests_of(path)
    except Unreadable as why:
        raise CampaignUnusable(f"A table in {path} {why}.") from why
    wrong = [table for table, digest in state.get("tables", {}).items() if digest != found[table]]
    if wrong:
        raise CampaignUnusable(
            f"The tables {', '.join(wrong)} in {path} are not those that this campaign wrote; put "
            f"them back, or run it again with --again."
        )


@dataclass(slots=True)
class Rejudged:
    """Today's verdicts on a campaign's answers; `unreadable` counts those that fit no more."""

    edition: str
    strict: bool = False
    tally: Tally = field(default_factory=Tally)
    unreadable: Counter[str] = field(default_factory=Counter)
    all_stored: bool = False
    before: Tally = field(default_factory=Tally)

    @property
    def new(self) -> list[str]:
        """Failures that the campaign did not have."""
        return sorted(self.tally.failures.keys() - self.before.failures.keys())

    @property
    def removed(self) -> list[str]:
        """Failures of the campaign that none of its answers shows today."""
        return sorted(self.before.failures.keys() - self.tally.failures.keys())

    @property
    def status(self) -> int:
        """1 if a clause is violated; 2 if nothing could be judged, or something not; else 0."""
        if Severity(self.edition, self.strict).list_errors(self.tally):
            return 1
        return 2 if self.unreadable or not self.tally.verdicts else 0


def rejudge_campaign(path: Path) -> Rejudged:
    """Judge the answers of a finished campaign again. Raises `CampaignUnusable`."""
    requested, before = finished_state(path)["campaign"], tables_of(path)
    done = Rejudged(
        requested["edition"],
        requested["strict"],
        all_stored=bool(requested.get("keep answers")),
        before=before,
    )
    for row in read_rows(path, "answers"):
        try:
            judge_again(done, row, frozenset(requested["clauses"]) or None)
        except (BadData, ValueError) as bad:  # a trial or an answer of another time
            done.unreadable[f"{row['question']}: {bad}"] += 1
    return done


def judge_again(done: Rejudged, row: dict[str, Any], only: frozenset[str] | None) -> None:
    """One answer. Raises `BadData` where it does not fit today's question."""
    if (question := QUESTIONS.get(row["question"])) is None:
        raise BadData("", "this question no longer exists")
    edition = EDITIONS[done.edition]
    trial = from_json(question.trial_type, json.loads(row["trial"]))
    observation = read_observation(question, json.loads(row["observation"]))
    clauses = clauses_for(question.name, edition, only)
    judgement = judge_case(clauses, Case(trial, observation, edition, question.observe))
    done.tally.trials[question.name] += 1
    done.tally.add(judgement.verdicts)
    block = Block(question.name, row["seed"], row["index"], 1, Generator(row["generator"]))
    for verdict in judgement.failed:
        found = as_found(block, Request(row["index"], question, trial), verdict)
        done.tally.count_failure(verdict.signature, found)
