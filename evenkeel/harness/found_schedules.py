"""Counterexample files of the known violations, made anew from their searches.

python -m evenkeel.harness.found_schedules FOLDER
"""

from __future__ import annotations

import sys
from pathlib import Path

from evenkeel.harness.counterexample import Counterexample, Kind, write
from evenkeel.harness.subjects.wire import observation_to_json
from evenkeel.models.ownership.channel.known_violations import KNOWN, FoundSchedule, Known, search
from evenkeel.properties.catalogue import clauses_for
from evenkeel.properties.kit.codec import to_json
from evenkeel.properties.kit.question import Observation, judge
from evenkeel.properties.ownership.channel import CHANNEL
from evenkeel.reference.edition import DOCUMENTED, PULSAR_4_0


class NotFound(RuntimeError):
    """No schedule of the scope violates the clause, or the judge does not say that one does."""


def observed(known: Known, found: FoundSchedule) -> Observation:
    """What the reference of the search answers to the schedule."""
    with known.reference():
        return CHANNEL.observe(found.trial, known.edition())


def counterexample_of(known: Known) -> Counterexample:
    """The shortest schedule as a counterexample. Raises `NotFound`."""
    found = search(known)
    if found is None:
        raise NotFound(f"{known.name}: no schedule of its scope violates {known.clause}")
    answer = observed(known, found)
    checks = clauses_for(CHANNEL.name, DOCUMENTED, frozenset({known.clause}))
    verdicts = judge(CHANNEL, checks, found.trial, answer, DOCUMENTED)
    sentence = next((v.sentence for v in verdicts if v.status == "violated"), None)
    if sentence is None:
        raise NotFound(f"{known.name}: the judge does not say that {known.clause} is violated")
    by = f"the reference of {PULSAR_4_0.name}"
    return Counterexample(
        title=known.title,
        kind=Kind.FOUND,
        clause=known.clause,
        edition=DOCUMENTED.name,
        question=CHANNEL.name,
        trial=to_json(found.trial),
        expected=observation_to_json(CHANNEL.observe(found.trial, DOCUMENTED)),
        observed=observation_to_json(answer),
        observed_by=f"{by} with the mutant {known.without}" if known.without else by,
        verdict="violated",
        sentence=sentence,
        bug=known.bug,
        effect=known.effect,
        source=known.source,
        reproduced_by=None if known.without else PULSAR_4_0.name,
        found=f"breadth-first search of every schedule, {found.states} situations; no shorter "
        "schedule of its scope violates the clause",
    )


def main() -> None:
    """Write all files."""
    for known in KNOWN:
        write(Path(sys.argv[1]) / f"{known.name}.json", counterexample_of(known))


if __name__ == "__main__":
    main()
