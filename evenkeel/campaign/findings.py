"""What becomes of the failures: the smallest of each signature shrunk and written to a file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path

from evenkeel import spec
from evenkeel.campaign.plan import CampaignPlan
from evenkeel.campaign.session import Spark
from evenkeel.campaign.worker import Finding, Order, shrink_all
from evenkeel.drivers import counterexample
from evenkeel.drivers.counterexample import Counterexample, Kind
from evenkeel.drivers.tally import Found

BUG = "found by a campaign, not yet explained"
KNOWN_BUG = "what the edition {edition} does by a switch"


def shrink_smallest(spark: Spark, order: Order, smallest: Mapping[str, Found]) -> list[Finding]:
    """Shrink the smallest trial of each signature, on the workers. Raises `CampaignUnusable`."""
    items = sorted(smallest.items())
    tasks = [items[start :: spark.cores] for start in range(min(spark.cores, len(items)))]
    return sorted(spark.run(partial(shrink_all, order), tasks), key=lambda found: found.signature)


def write_findings(
    folder: Path, plan: CampaignPlan, subject: str, findings: Iterable[Finding]
) -> dict[str, Path]:
    """Write a counterexample file for each finding that is a violation; their paths.

    `subject` is the name that the subject gives itself.
    """
    paths: dict[str, Path] = {}
    for finding in findings:
        if finding.status == "violated":
            path = folder / finding.found.question.partition(".")[0] / file_name(finding.signature)
            counterexample.write(path, as_counterexample(finding, plan, subject))
            paths[finding.signature] = path
    return paths


def file_name(signature: str) -> str:
    """A file's name for a signature."""
    return re.sub(r"[^A-Za-z0-9]+", "-", signature).strip("-") + ".json"


def as_counterexample(finding: Finding, plan: CampaignPlan, subject: str) -> Counterexample:
    """A finding as a counterexample that explains itself as far as a campaign can."""
    found, entry, known = finding.found, spec.clause(finding.found.clause), finding.reproduced_by
    return Counterexample(
        title=f"{entry.title}: violated by {subject}",
        kind=Kind.FOUND,
        clause=found.clause,
        edition=plan.edition,
        question=found.question,
        trial=finding.trial,
        expected=finding.expected,
        observed=finding.observed,
        observed_by=subject,
        verdict=finding.status,
        sentence=finding.sentence,
        bug=KNOWN_BUG.format(edition=known) if known else BUG,
        effect="",
        source=entry.source,
        reproduced_by=known,
        found=found.replay_command(plan.edition, plan.subject),
    )
