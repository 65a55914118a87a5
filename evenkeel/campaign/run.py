"""Running a campaign: waves of tasks, parts on disk, findings, tables and a report."""

from __future__ import annotations

import hashlib
import platform
import shlex
import shutil
import time
from collections import deque
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from rich.console import Console

from evenkeel import __version__
from evenkeel.campaign.archive import archive_bytes, digest
from evenkeel.campaign.errors import CampaignUnusable
from evenkeel.campaign.findings import shrink_smallest, write_findings
from evenkeel.campaign.plan import CampaignPlan, Pace, blocks_of, check_plan, next_wave
from evenkeel.campaign.progress import Done, Show, shown, wait_for
from evenkeel.campaign.report import Outcome, clause_verdicts, report_text, summary_line
from evenkeel.campaign.session import Spark, open_spark
from evenkeel.campaign.tables import Folder, read_rows
from evenkeel.campaign.worker import Finding, Meter, Order, Summary, run_blocks
from evenkeel.drivers.seeded import Block
from evenkeel.drivers.tally import Tally
from evenkeel.properties.catalogue import QUESTIONS
from evenkeel.properties.question import Question
from evenkeel.reference.edition import EDITIONS
from evenkeel.stopping import Stopped
from evenkeel.subjects.choose import open_subject
from evenkeel.subjects.process import SubjectUnusable


@dataclass(frozen=True, slots=True)
class CampaignResult:
    """What a campaign came to.

    `status` is 0 if all holds, 1 if a clause is violated, 2 if the campaign could not be run or
    says nothing. `summary` is one line, `report` the text before it, `data` the same for programs.
    """

    status: int
    summary: str
    report: str = ""
    data: dict[str, Any] = field(default_factory=dict)


def run_campaign(
    plan: CampaignPlan, console: Console, spark: Spark | None = None
) -> CampaignResult:
    """Run a campaign, or go on with the one in its folder. `console` shows how far it is.

    Spark is started on the plan's master, unless an open one is given. What prevents the
    campaign is a result with status 2 and its sentence as summary. KeyboardInterrupt and `Stopped`
    pass through once the workers are stopped; the waves that are done stay in the folder.
    """
    folder = Folder(plan.out)
    try:
        return _Campaign(plan, console, folder).run(spark)
    except (CampaignUnusable, SubjectUnusable) as unusable:
        return CampaignResult(2, str(unusable))
    except OSError as error:
        where = f" ({error.filename})" if error.filename else ""
        return CampaignResult(2, f"The campaign ended early: {error.strerror or error}{where}.")
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
        self._questions = self._offered(names)
        self._code = archive_bytes()
        self._folder = folder
        identity = identity_of(plan, digest(self._code), self._subject, names)
        self._state = self._folder.open(identity)
        self._tally, self._done = self._folder.read_parts()
        self._fresh = 0
        self._working = 0.0

    def _offered(self, names: frozenset[str] | None) -> list[Question[Any, Any]]:
        """The plan's questions that the subject answers: trials are made for no others."""
        if names is None:
            return self._questions
        offered = [question for question in self._questions if question.name in names]
        if not offered:
            raise CampaignUnusable(
                f"Nothing was checked, because {self._subject} answers none of the questions."
            )
        if unknown := sorted(names - QUESTIONS.keys()):
            self._say(f"The subject offers what is no question: {', '.join(unknown)}.")
        if missing := len(self._questions) - len(offered):
            self._say(f"The subject does not offer {missing} of {len(self._questions)} questions.")
        return offered

    def run(self, spark: Spark | None) -> CampaignResult:
        """All of it; of a campaign that is finished, its result again."""
        plan = self._plan
        if self._state.get("finished"):
            return self._again()
        log = plan.out / "spark.log"
        opened = nullcontext(spark) if spark else open_spark(plan.master, log, self._code)
        with opened as ready:
            self._say(ready.java.sentence)
            order = Order(plan.subject, plan.edition, plan.clauses, plan.limits, ready.environment)
            began = time.monotonic()
            self._run_blocks(ready, order)
            self._working = time.monotonic() - began
            findings = shrink_smallest(ready, order, self._tally.smallest)
            return self._finish(ready, findings)

    def _say(self, sentence: str) -> None:
        self._console.print(sentence, markup=False, soft_wrap=True)

    def _again(self) -> CampaignResult:
        self._say(f"{self._plan.out} holds this campaign, finished.")
        data, text = self._state["result"], self._folder.report.read_text(encoding="utf-8")
        report = text.rstrip("\n").rpartition("\n")[0]
        return CampaignResult(data["status"], data["summary"], report, data)

    def _run_blocks(self, spark: Spark, order: Order) -> None:
        blocks = blocks_of(self._plan, self._questions)
        pending = deque(block for block in blocks if block not in self._done)
        before = Done(len(self._done), sum(block.count for block in self._done))
        if before.blocks:
            self._say(f"{before.blocks:,} of {len(blocks):,} blocks were done before.")
        context = spark.context
        meter = Meter(context.accumulator(before.blocks), context.accumulator(before.trials))
        work, pace = partial(run_blocks, order, meter), Pace()
        total = Done(len(blocks), sum(block.count for block in blocks))
        with shown(self._console, total, before) as show:
            while pending:
                tasks = next_wave(self._plan, pending, pace, spark.cores)
                summaries = self._wave(spark, work, tasks, meter, show)
                pace.learn(summaries)
                self._keep(summaries)

    def _wave(
        self,
        spark: Spark,
        work: Any,
        tasks: list[list[Block]],
        meter: Meter,
        show: Show,
    ) -> list[Summary]:
        """One Spark job, in another thread, so that this one can show how far it is."""
        with ThreadPoolExecutor(1) as pool:
            job = pool.submit(spark.run, work, tasks)
            try:
                return wait_for(job, lambda: show(Done(meter.blocks.value, meter.trials.value)))
            except (KeyboardInterrupt, Stopped):
                spark.context.cancelAllJobs()
                raise

    def _keep(self, summaries: Iterable[Summary]) -> None:
        """Add a wave to the tally and to the folder."""
        wave = Tally()
        for summary in summaries:
            wave.merge(summary.tally)
        self._folder.write_part(wave, summaries)
        self._tally.merge(wave)
        self._fresh += sum(wave.trials.values())

    def _finish(self, spark: Spark, findings: list[Finding]) -> CampaignResult:
        plan, folder = self._plan, self._folder
        folder.merge_parts(self._tally)
        files = write_findings(plan.out / "counterexamples", plan, self._subject, findings)
        outcome = Outcome(
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
            self._busy(),
        )
        result = result_of(outcome)
        folder.report.write_text(f"{result.report}\n{result.summary}\n", encoding="utf-8")
        ran = {**software(spark), "master": plan.master, "cores": spark.cores}
        self._state |= {"finished": True, "ran": ran, "result": result.data}
        folder.save(self._state)
        folder.drop_parts()
        return result

    def _busy(self) -> dict[str, float]:
        seconds: dict[str, float] = {}
        for row in read_rows(self._plan.out, "blocks"):
            seconds[row["question"]] = seconds.get(row["question"], 0.0) + row["seconds"]
        return seconds


def fingerprint_of(subject: str) -> str:
    """A digest of the files that a subject's command names: its program, and its arguments.

    What a script starts in turn is not seen; a subject that changes there says so by its version.
    """
    whole = hashlib.sha256()
    for place, word in enumerate(shlex.split(subject)):
        path = Path((shutil.which(word) if place == 0 else None) or word)
        if path.is_file():
            whole.update(path.read_bytes())
    return whole.hexdigest()


def identity_of(
    plan: CampaignPlan, code: str, name: str, questions: frozenset[str] | None
) -> dict[str, Any]:
    """What must be equal for two campaigns to be the same one. Its master does not matter."""
    return {
        "answered by": name,
        "offers": sorted(questions) if questions is not None else None,
        "fingerprint": "" if plan.in_process else fingerprint_of(plan.subject),
        "trials": plan.trials,
        "seed": plan.seed,
        "edition": plan.edition,
        "subject": plan.subject,
        "chapters": list(plan.chapters),
        "questions": list(plan.questions),
        "clauses": list(plan.clauses),
        "evenkeel": __version__,
        "code": code,
    }


def software(spark: Spark) -> dict[str, str]:
    """The versions that a campaign ran with."""
    versions = {"python": platform.python_version(), "java": spark.java.sentence}
    for package in ("pyspark", "pyarrow"):
        try:
            versions[package] = version(package)
        except PackageNotFoundError:
            versions[package] = "unknown"
    return versions


def result_of(outcome: Outcome) -> CampaignResult:
    """An outcome as the command line needs it."""
    tally, summary = outcome.tally, summary_line(outcome)
    data = {
        "status": outcome.status,
        "summary": summary,
        "out": str(outcome.plan.out),
        "edition": outcome.plan.edition,
        "strict": outcome.plan.strict,
        "seed": outcome.plan.seed,
        "subject": outcome.subject,
        "trials": dict(sorted(tally.trials.items())),
        "commands": dict(sorted(tally.commands.items())),
        "seconds": round(outcome.seconds, 3),
        "rate": round(outcome.rate, 1),
        "clauses": clause_verdicts(outcome),
        "unanswered": sum(tally.skipped.values()) + sum(tally.errored.values()),
        "failures": [
            {
                "signature": finding.signature,
                "clause": finding.found.clause,
                "departure": outcome.binding.departs(tally, finding.signature),
                "count": tally.failures[finding.signature],
                "sentence": finding.sentence or finding.found.sentence,
                "trial": finding.trial,
                "reproduced_by": finding.reproduced_by,
                "file": str(outcome.files.get(finding.signature, "")) or None,
                "replay": finding.found.replay_command(outcome.plan.edition, outcome.plan.subject),
            }
            for finding in outcome.findings
        ],
    }
    return CampaignResult(outcome.status, summary, report_text(outcome), data)
