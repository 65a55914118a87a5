"""What becomes of the failures: the smallest of each signature shrunk and written to a file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Final

from evenkeel_engine import spec
from evenkeel_engine.campaign.folder import Folder
from evenkeel_engine.campaign.plan import CampaignPlan
from evenkeel_engine.campaign.progress import Show
from evenkeel_engine.campaign.session import Spark
from evenkeel_engine.campaign.tables import found_of
from evenkeel_engine.campaign.worker import Finding, Order, shrink_all
from evenkeel_engine.check.tally import Found
from evenkeel_engine.stored import cases
from evenkeel_engine.stored.cases import HOLDS, Answer, StoredCase

AT_ONCE: Final = 4
"""Failures per core that are shrunk before the result is shown and stored."""
BUG = "found by a campaign, not yet explained"
KNOWN_BUG = "what the edition {edition} does by a switch"


class Shrinking:
    """Shrinks each signature's smallest trial on the workers; a stopped campaign keeps results."""

    def __init__(
        self, spark: Spark, order: Order, folder: Folder, smallest: Mapping[str, Found]
    ) -> None:
        self._spark, self._order, self._folder = spark, order, folder
        stored = (
            Finding(**{**row, "found": found_of(row["found"])}) for row in folder.read_shrunk()
        )
        self._done = {f.signature: f for f in stored if smallest.get(f.signature) == f.found}
        waiting = ((name, found) for name, found in smallest.items() if name not in self._done)
        self._waiting = sorted(waiting, key=lambda item: (item[1].size, item[0]))

    @property
    def amounts(self) -> tuple[int, int]:
        """The number of failures to shrink, and how many are done."""
        return len(self._done) + len(self._waiting), len(self._done)

    def run(self, show: Show) -> list[Finding]:
        """All of it. Raises `CampaignUnusable`."""
        cores, at_once = self._spark.cores, self._spark.cores * AT_ONCE
        for begin in range(0, len(self._waiting), at_once):
            wave = self._waiting[begin : begin + at_once]
            tasks = [wave[start::cores] for start in range(min(cores, len(wave)))]
            found = self._spark.run_watched(partial(shrink_all, self._order), tasks)
            self._folder.keep_shrunk(asdict(finding) for finding in found)
            self._done |= {finding.signature: finding for finding in found}
            show(len(self._done))
        return [self._done[name] for name in sorted(self._done)]


def write_findings(
    folder: Path, plan: CampaignPlan, subject: str, findings: Iterable[Finding]
) -> dict[str, Path]:
    """Write a case for each violation; the files. `subject` is the name that it gives itself."""
    paths: dict[str, Path] = {}
    for finding in findings:
        if finding.status == "violated":
            words = re.sub(r"[^A-Za-z0-9]+", "-", finding.signature).strip("-")
            path = folder / finding.found.question.partition(".")[0] / f"{words}.json"
            cases.store_text(path, cases.text_of_one(as_case(path.stem, finding, plan, subject)))
            paths[finding.signature] = path
    return paths


def as_case(id_: str, finding: Finding, plan: CampaignPlan, subject: str) -> StoredCase:
    """A finding as a case that explains itself as far as a campaign can."""
    found, known = finding.found, finding.reproduced_by
    entry = spec.find_clause(found.clause)
    notes = {
        "bug": KNOWN_BUG.format(edition=known) if known else BUG,
        "source": entry.source,
        "found": plan.replay(found),
    }
    by = (known, subject) if known else (subject,)
    return StoredCase(
        id_,
        found.question,
        finding.trial,
        f"{entry.title}: violated by {subject}",
        "found",
        plan.edition,
        (found.clause,),
        notes={name: text for name, text in notes.items() if text},
        answers=(
            Answer(finding.expected, (plan.edition,), HOLDS),
            Answer(finding.observed, by, found.clause, finding.sentence),
        ),
    )
