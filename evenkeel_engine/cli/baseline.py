"""Known divergences: a new one fails, a known one passes, a removed one is listed.

A divergence is known by its signature and by how often trials fail with it, in all and by what the
judge's sentence says. A second defect of the same signature is new if it is common.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from math import exp, lgamma, log
from pathlib import Path
from typing import Annotated, Any, Final, TypeAlias

from msgspec import Meta, ValidationError, convert

from evenkeel_engine.check.tally import Tally, sum_questions
from evenkeel_engine.cli.options import Unusable
from evenkeel_engine.cli.output import warn, write_text
from evenkeel_engine.content import EDITIONS, Edition
from evenkeel_engine.files import Unreadable, lock_folder, read_json
from evenkeel_engine.kit.catalogue import clauses_for
from evenkeel_engine.kit.draw import Generator
from evenkeel_engine.version import find_version

FORMAT: Final = "evenkeel baseline 2"
DECIDED: Final = ("holds", "violated", "errored")
Count: TypeAlias = Annotated[int, Meta(ge=0, le=2**63 - 1)]
"""More trials are never counted; a number beyond a double's would have no likelihood."""
RISK: Final = 1e-6
"""How likely it is at most that a run calls known failures more frequent that are not."""


@dataclass(frozen=True, slots=True)
class Counts:
    """How many of a question's trials failed, by the pattern of the sentence; "" counts all."""

    trials: Count
    failed: dict[str, Count]


@dataclass(frozen=True, slots=True)
class KnownFailure:
    """A known failure: a sentence for readers, and counts by question."""

    sentence: str
    questions: dict[str, Counts]


@dataclass(frozen=True, slots=True)
class BaselineEntry(KnownFailure):
    """A known failure in the file."""

    signature: str


@dataclass(frozen=True, slots=True)
class MoreOften:
    """A known signature that fails more often than recorded; `chance` of that without a change."""

    signature: str
    question: str
    pattern: str
    now: tuple[int, int]
    before: tuple[int, int]
    chance: float

    @property
    def sentence(self) -> str:
        """What a user reads of it."""
        how = f" as in '{self.pattern}'" if self.pattern else ""
        (failed, trials), (once, of) = self.now, self.before
        return (
            f"more often: {self.signature} is in the baseline, with {once:,} of {of:,} trials of "
            f"{self.question}{how}, but now with {failed:,} of {trials:,}: this can be another "
            "defect (--update-baseline if it is none)"
        )


@dataclass(frozen=True, slots=True)
class Baseline:
    """What is known, by signature, of an edition and a generator."""

    path: Path
    edition: str
    known: dict[str, KnownFailure]
    generator: Generator = Generator.OWN

    def list_unknown(self, tally: Tally) -> list[str]:
        """The failures whose signatures are not known."""
        return [signature for signature in tally.smallest if signature not in self.known]

    def list_new(self, tally: Tally) -> list[str]:
        """The failures that are not known, or known as less frequent."""
        unknown = {*self.list_unknown(tally), *(one.signature for one in self.more_often(tally))}
        return [signature for signature in tally.smallest if signature in unknown]

    def list_seen(self, tally: Tally) -> list[str]:
        """The failures that are known."""
        new = set(self.list_new(tally))
        return sorted(signature for signature in tally.smallest if signature not in new)

    def more_often(self, tally: Tally) -> list[MoreOften]:
        """Known failures that are more frequent than recorded, each with its least likely count."""
        compared = list(self.compare_counts(tally))
        found: dict[str, MoreOften] = {}
        for one in sorted(compared, key=lambda one: one.chance):
            if one.chance * len(compared) < RISK:
                found.setdefault(one.signature, one)
        return list(found.values())

    def compare_counts(self, tally: Tally) -> Iterator[MoreOften]:
        """Each count of a known failure with the recorded one, which is 0 if not asked then."""
        for (signature, question, pattern), failed in tally.failing.items():
            if known := self.known.get(signature):
                then = known.questions.get(question, Counts(0, {}))
                now = failed, tally.trials[question]
                before = then.failed.get(pattern, 0), then.trials
                yield MoreOften(signature, question, pattern, now, before, chance_of(now, before))

    def list_removed(self, tally: Tally) -> list[str]:
        """What is known and was not met, although its clause was exercised."""
        missing = sorted(set(self.known) - set(tally.smallest))
        return [s for s in missing if tally.conclude_verdict(clause_of(s)) in DECIDED]

    def include_failures(self, tally: Tally, checked: Collection[str]) -> Baseline:
        """With the failures of this run. Entries of other clauses and questions stay, and those of
        which this run says nothing: no trial decided the clause, or some had no answer.
        """
        known: dict[str, KnownFailure] = {}
        said = tally.trials.keys() - sum_questions(tally.errored).keys()
        for signature, entry in self.known.items():
            clause = clause_of(signature)
            others = {q: n for q, n in entry.questions.items() if q not in said}
            if clause not in checked or tally.conclude_verdict(clause) not in DECIDED:
                known[signature] = entry
            elif others:
                known[signature] = KnownFailure(entry.sentence, others)
        for signature, one in tally.smallest.items():
            if clause_of(signature) in checked:
                others = known[signature].questions if signature in known else {}
                counts = counts_of(signature, tally, EDITIONS[self.edition])
                known[signature] = KnownFailure(one.sentence, {**others, **counts})
        return Baseline(self.path, self.edition, known, self.generator)

    def update(self, tally: Tally, checked: Collection[str]) -> Baseline:
        """Add this run's failures to what the file has by now. Raises `Unusable`, `Unwritable`."""
        with lock_folder(self.path.parent):
            now = read_baseline(self.path, EDITIONS[self.edition], self.generator, made_now=True)
            updated = now.include_failures(tally, checked)
            updated.write()
        return updated

    def write(self) -> None:
        """Write the file, the same bytes for the same failures. Raises `Unwritable`."""
        known = []
        for signature, entry in sorted(self.known.items()):
            questions = {
                question: {"trials": n.trials, "failed": dict(sorted(n.failed.items()))}
                for question, n in sorted(entry.questions.items())
            }
            listed = {"signature": signature, "sentence": entry.sentence, "questions": questions}
            known.append(listed)
        data = {
            "format": FORMAT,
            "evenkeel": find_version(),
            "edition": self.edition,
            "generator": self.generator.value,
            "known": known,
        }
        write_text(self.path, json.dumps(data, indent=2, ensure_ascii=False) + "\n")


def clause_of(signature: str) -> str:
    """The clause of a signature."""
    return signature.partition(":")[0]


def counts_of(signature: str, tally: Tally, edition: Edition) -> dict[str, Counts]:
    """What a run adds to a known failure: of each question with its clause, also without any."""
    failed: dict[str, dict[str, int]] = {
        question: {}
        for question in tally.trials
        if clauses_for(question, edition, frozenset({clause_of(signature)}))
    }
    for (name, question, pattern), count in tally.failing.items():
        if name == signature:
            failed[question][pattern] = count
    return {question: Counts(tally.trials[question], those) for question, those in failed.items()}


def chance_of(now: tuple[int, int], before: tuple[int, int]) -> float:
    """How likely n or more of all failures are in the present run, if trials fail equally often."""
    (failed, trials), (once, of) = now, before
    if of == 0:
        return 0.0
    if failed * of <= once * trials:
        return 1.0
    both, share = failed + once, trials / (trials + of)

    def exactly(number: int) -> float:
        ways = lgamma(both + 1) - lgamma(number + 1) - lgamma(both - number + 1)
        return exp(ways + number * log(share) + (both - number) * log(1 - share))

    return sum(map(exactly, range(failed, both + 1)))


def read_baseline(
    path: Path | None,
    edition: Edition,
    generator: Generator = Generator.OWN,
    made_now: bool = False,
) -> Baseline:
    """The baseline in a file; without a file an empty one, and a note of that unless it is
    `made_now`. Raises `Unusable`.
    """
    if path is None:
        return Baseline(Path(), edition.name, {}, generator)
    if not path.exists():
        if not made_now:
            warn(f"{path}: is not there, so nothing is known; `check --update-baseline` makes it.")
        return Baseline(path, edition.name, {}, generator)
    try:
        data = read_json(path)
    except Unreadable as why:
        raise Unusable(f"{path}: {why}.") from why
    return check_baseline(path, data, edition, generator)


def check_baseline(path: Path, data: Any, edition: Edition, generator: Generator) -> Baseline:
    """The baseline that was read. Raises `Unusable`."""
    format_ = data.get("format") if isinstance(data, dict) else None
    if format_ != FORMAT:
        raise Unusable(f"{path}: format: must be {FORMAT!r}.")
    if data.get("edition") != edition.name:
        raise Unusable(f"{path}: edition: is {data.get('edition')}, but {edition.name} is checked.")
    if data.get("generator") != generator.value:
        raise Unusable(
            f"{path}: generator: is {data.get('generator')}, but the trials are of {generator}."
        )
    if (made := data.get("evenkeel")) != find_version():
        by = f"made by evenkeel {made}" if isinstance(made, str) else "made by an older evenkeel"
        warn(
            f"{path}: {by}, and this is {find_version()}: trials and judges may be others, so a "
            "failure may be new, gone or more frequent though the subject is the same; "
            "`--update-baseline` makes it this one's."
        )
    entries = data.get("known")
    if not isinstance(entries, list):
        raise Unusable(f"{path}: known: must be an array.")
    try:
        found = convert(entries, list[BaselineEntry])
    except (ValidationError, UnicodeEncodeError) as error:  # the latter: half a character
        raise Unusable(
            f"{path}: known: must be objects with signature, sentence, and questions with "
            "trials and failed."
        ) from error
    known = {one.signature: KnownFailure(one.sentence, one.questions) for one in found}
    return Baseline(path, edition.name, known, generator)
