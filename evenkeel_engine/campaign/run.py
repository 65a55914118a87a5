"""Running a campaign: waves of tasks, parts on disk, findings, tables and a report."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from rich.console import Console

from evenkeel_engine.campaign.archive import archive_bytes, compute_digest
from evenkeel_engine.campaign.errors import CampaignUnusable
from evenkeel_engine.campaign.findings import Shrinking, write_findings
from evenkeel_engine.campaign.folder import (
    COUNTEREXAMPLES,
    Folder,
    by_another,
    digests_of,
    hash_json,
)
from evenkeel_engine.campaign.followup import require_own_tables
from evenkeel_engine.campaign.identity import id_of, identity_of, list_software
from evenkeel_engine.campaign.plan import (
    LONGEST_WAVE,
    WAVE_SECONDS,
    CampaignPlan,
    Pace,
    blocks_of,
    check_plan,
    next_wave,
)
from evenkeel_engine.campaign.progress import show_campaign_progress
from evenkeel_engine.campaign.session import Spark, open_spark
from evenkeel_engine.campaign.summary import ReportData, clause_verdicts, report_text, summary_line
from evenkeel_engine.campaign.tables import Common, sum_seconds
from evenkeel_engine.campaign.unchanged import require_unchanged, require_unchanged_result
from evenkeel_engine.campaign.worker import Finding, Order, Summary, close_subject, run_blocks
from evenkeel_engine.check.blocks import left_of
from evenkeel_engine.check.severity import Severity
from evenkeel_engine.check.tally import Tally, asked_clauses
from evenkeel_engine.content import EDITIONS
from evenkeel_engine.files import Unreadable, read_text, write_file
from evenkeel_engine.kit.catalogue import QUESTIONS
from evenkeel_engine.kit.question import AnyQuestion
from evenkeel_engine.stopping import Stopped
from evenkeel_engine.subjects.choose import open_subject
from evenkeel_engine.subjects.process import SubjectUnusable


@dataclass(frozen=True, slots=True)
class CampaignResult:
    """What a campaign came to.

    `status` is 0 if all holds, 1 if a clause is violated, 2 if the campaign could not be run or
    says nothing. `summary` is one line, `report` the text before it, `data` the same for programs.
    If the campaign is `unusable`, the summary is the reason.
    """

    status: int
    summary: str
    report: str = ""
    data: dict[str, Any] = field(default_factory=dict)
    unusable: bool = False


def run_campaign(
    plan: CampaignPlan, console: Console, spark: Spark | None = None
) -> CampaignResult:
    """Run a campaign, or continue the one in its folder. `console` shows the progress.

    Spark is started on the plan's master, unless an open one is given. An obstacle
    is a result with status 2 and its sentence as summary. KeyboardInterrupt and `Stopped`
    end it at once with the results so far; finished waves stay in the folder.
    """
    folder = Folder(plan.out)
    try:
        return _Campaign(plan, console, folder).run(spark)
    except (CampaignUnusable, SubjectUnusable) as unusable:
        return CampaignResult(2, str(unusable), unusable=True)
    except Unreadable as error:
        return CampaignResult(2, f"{folder.report}: {error}.", unusable=True)
    except OSError as error:
        where = f" ({error.filename})" if error.filename else ""
        why = f"The campaign ended early: {error.strerror or error}{where}."
        return CampaignResult(2, why, unusable=True)
    finally:
        folder.close()


class _Campaign:
    """One run of a plan."""

    def __init__(self, plan: CampaignPlan, console: Console, folder: Folder) -> None:
        self._plan, self._console = plan, console
        self._began = time.monotonic()
        self._questions = check_plan(plan)
        opened = open_subject(plan.subject, EDITIONS[plan.edition], plan.limits)
        self._subject, names = opened.name, opened.questions
        opened.close()
        self._questions = self._list_offered(names)
        self._code = archive_bytes()
        self._folder = folder
        identity = identity_of(plan, compute_digest(self._code), self._subject, names)
        self._state = self._folder.open(identity, id_of(identity), plan.again)
        if other := by_another(self._state):
            self._say(f"A campaign{other}: the code that makes and judges trials is the same.")
        self._tally, self._done = self._folder.read_parts()
        self._blocks = blocks_of(plan, self._questions)
        self._fresh = 0
        self._working = 0.0

    def _list_offered(self, names: frozenset[str] | None) -> list[AnyQuestion]:
        """The plan's questions that the subject answers; only these get trials."""
        if names is None:
            return self._questions
        supported = [question for question in self._questions if question.name in names]
        if not supported:
            raise CampaignUnusable(
                f"Nothing was checked, because {self._subject} answers none of the questions."
            )
        if unknown := sorted(names - QUESTIONS.keys()):
            some = f"{', '.join(unknown[:5])}{' …' if len(unknown) > 5 else ''}"
            self._say(f"The subject names {len(unknown)} unknown questions: {some}.")
        if missing := len(self._questions) - len(supported):
            self._say(f"The subject does not offer {missing} of {len(self._questions)} questions.")
        return supported

    def run(self, spark: Spark | None) -> CampaignResult:
        """All of it; of a campaign that is finished, its result again.

        Raises `CampaignUnusable` where trials that are done would be answered otherwise now.
        """
        plan = self._plan
        if self._state.get("finished"):
            require_own_tables(plan.out, self._state)
            require_unchanged_result(plan, self._state["result"])
            return self._repeat_result()
        if self._done:
            require_unchanged(plan, self._tally, self._folder.list_parts())
        log = plan.out / "spark.log"
        opened = nullcontext(spark) if spark else open_spark(plan.master, log, self._code)
        try:
            with opened as ready:
                return self._run_on(ready)
        except (KeyboardInterrupt, Stopped):
            return self._conclude_stopped()

    def _run_on(self, spark: Spark) -> CampaignResult:
        plan = self._plan
        self._say(spark.java.sentence)
        order = Order(
            plan.subject,
            plan.edition,
            plan.clauses,
            plan.limits,
            spark.environment,
            keep_all=plan.keep_answers,
        )
        began = time.monotonic()
        self._run_blocks(spark, order)
        self._working = time.monotonic() - began
        shrinking = Shrinking(spark, order, self._folder, self._tally.smallest)
        with show_campaign_progress(
            self._console, *shrinking.amounts, "shrinking", "failures"
        ) as show:
            findings = shrinking.run(show)
        if not plan.in_process:  # the workers' subjects end, and may yet break the protocol
            spark.run(close_subject, [[number] for number in range(spark.cores)])
        return self._finish(spark, findings)

    def _conclude_stopped(self) -> CampaignResult:
        """The results when the user stops it: the finished waves."""
        done, total = len(self._done), sum(block.count for block in self._blocks)
        trials = sum(self._tally.trials.values())
        asked = asked_clauses(
            [q.name for q in self._questions], EDITIONS[self._plan.edition], self._plan.clauses
        )
        severity = Severity(self._plan.edition, self._plan.strict)
        departures = severity.list_departures(self._tally)
        summary = (
            f"campaign of {self._subject} against {self._plan.edition}: "
            f"{self._tally.conclude_outcome(asked, departures)}, stopped before {total:,}; the "
            f"same command continues from there"
        )
        found = [f"{name}: {n:,} trials" for name, n in sorted(self._tally.failures.items())]
        status = 1 if severity.list_errors(self._tally) else 2
        data = {"status": status, "stopped": True, "trials": trials, "parts": done}
        return CampaignResult(status, summary, "\n".join(found), data)

    def _say(self, sentence: str) -> None:
        self._console.print(sentence, markup=False, soft_wrap=True)

    def _repeat_result(self) -> CampaignResult:
        self._say(f"{self._plan.out} holds this campaign, finished.")
        data, text = self._state["result"], read_text(self._folder.report)
        if self._state.get("digest", digest := hash_json([data, text])) != digest:
            what = f"The result or the report in {self._plan.out} is not what this campaign wrote"
            raise CampaignUnusable(f"{what}; put it back, or run it again with --again.")
        report = text.rstrip("\n").rpartition("\n")[0]
        return CampaignResult(data["status"], data["summary"], report, data)

    def _run_blocks(self, spark: Spark, order: Order) -> None:
        blocks = self._blocks
        pending = deque(left_of(blocks, self._done))
        total, before = (sum(block.count for block in some) for some in (blocks, self._done))
        if before:
            self._say(f"{before:,} of {total:,} trials were done before.")
        done = spark.context.accumulator(before)
        pace, began = Pace(), time.monotonic()
        with show_campaign_progress(self._console, total, before) as show:
            while pending:
                seconds = min(max(WAVE_SECONDS, (time.monotonic() - began) / 100), LONGEST_WAVE)
                tasks = next_wave(pending, pace, spark.cores, seconds)
                work = partial(run_blocks, replace(order, seconds=seconds), done.add)
                summaries = spark.run_watched(work, tasks, lambda: show(done.value))
                pace.learn(summaries)
                self._keep(summaries)
                planned = [block for task in tasks for block in task]
                pending.extendleft(reversed([*left_of(planned, [one.block for one in summaries])]))

    def _keep(self, summaries: Sequence[Summary]) -> None:
        """Add a wave to the tally and to the folder."""
        wave = Tally()
        for summary in summaries:
            wave.merge(summary.tally)
        self._folder.write_part(wave, summaries)
        self._tally.merge(wave)
        self._done |= {summary.block for summary in summaries}
        self._fresh += sum(wave.trials.values())

    def _finish(self, spark: Spark, findings: list[Finding]) -> CampaignResult:
        plan, folder = self._plan, self._folder
        common = Common(self._state["id"], self._subject, plan.edition)
        folder.merge_parts(self._tally, self._blocks, common, plan.keep_answers)
        files = write_findings(plan.out / COUNTEREXAMPLES, plan, self._subject, findings)
        outcome = ReportData(
            plan,
            self._subject,
            spark.java.sentence,
            spark.cores,
            self._tally,
            findings,
            files,
            time.monotonic() - self._began,
            self._working,
            self._fresh,
            sum_seconds(plan.out),
        )
        result = result_of(outcome)
        write_file(folder.report, report := f"{result.report}\n{result.summary}\n")
        ran = {**list_software(spark), "master": plan.master, "cores": spark.cores}
        digests = digests_of(folder.path)
        self._state |= {"finished": True, "ran": ran, "result": result.data, "tables": digests}
        self._state["digest"] = hash_json([result.data, report])
        folder.save(self._state)
        folder.drop_parts()
        return result


def result_of(outcome: ReportData) -> CampaignResult:
    """An outcome as the command line needs it."""
    tally, summary = outcome.tally, summary_line(outcome)
    data = {
        "status": outcome.status,
        "summary": summary,
        "out": str(outcome.plan.out),
        "edition": outcome.plan.edition,
        "strict": outcome.plan.strict,
        "seed": outcome.plan.seed,
        "generator": outcome.plan.generator,
        "subject": outcome.subject,
        "trials": dict(sorted(tally.trials.items())),
        "commands": dict(sorted(tally.commands.items())),
        "seconds": round(outcome.seconds, 3),
        "rate": round(outcome.rate, 1),
        "clauses": clause_verdicts(outcome),
        "unanswered": sum(tally.skipped.values()) + sum(tally.errored.values()),
        "differing": [
            {"question": name, "kind": kind, "count": count, "smallest": tally.least[key].place}
            for key, count in sorted(tally.differing.items())
            for name, kind in [key]
        ],
        "failures": [
            {
                "signature": finding.signature,
                "clause": finding.found.clause,
                "departure": outcome.severity.departs(tally, finding.signature),
                "count": tally.failures[finding.signature],
                "sentence": finding.sentence or finding.found.sentence,
                "trial": finding.trial,
                "reproduced_by": finding.reproduced_by,
                "file": str(outcome.files.get(finding.signature, "")) or None,
                "replay": outcome.plan.replay(finding.found),
            }
            for finding in outcome.findings
        ],
    }
    return CampaignResult(outcome.status, summary, report_text(outcome), data)
