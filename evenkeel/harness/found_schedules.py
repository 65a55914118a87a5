"""Cases of the known violations, a JSON file each, computed again from their searches.

python -m evenkeel.harness.found_schedules FOLDER
"""

from __future__ import annotations

import sys
from pathlib import Path

from evenkeel.harness.cases import SEVERITIES, Answer, Case, text_of_one, write
from evenkeel.harness.subjects.wire import observation_to_json
from evenkeel.models.ownership.channel.known_violations import KNOWN, FoundSchedule, Known, search
from evenkeel.properties.catalogue import clauses_for
from evenkeel.properties.kit.codec import to_json
from evenkeel.properties.kit.question import Observation, judge
from evenkeel.properties.ownership.channel import CHANNEL
from evenkeel.reference.edition import DOCUMENTED, PULSAR_4_0


class NotFound(RuntimeError):
    """No schedule of the scope violates the clause, or the judge finds none that does."""


def observed(known: Known, found: FoundSchedule) -> Observation:
    """What the reference of the search answers to the schedule."""
    with known.reference():
        return CHANNEL.observe(found.trial, known.edition())


def case_of(known: Known) -> Case:
    """The shortest schedule as a case. Raises `NotFound`."""
    found = search(known)
    if found is None:
        raise NotFound(f"{known.name}: no schedule of its scope violates {known.clause}")
    answer = observed(known, found)
    checks = clauses_for(CHANNEL.name, DOCUMENTED, frozenset({known.clause}))
    verdicts = judge(CHANNEL, checks, found.trial, answer, DOCUMENTED)
    sentence = next((v.sentence for v in verdicts if v.status == "violated"), None)
    if sentence is None:
        raise NotFound(f"{known.name}: the judge does not find {known.clause} violated")
    by = PULSAR_4_0.name
    if known.without:
        by = f"the reference of {by} with the mutant {known.without}"
    expected = observation_to_json(CHANNEL.observe(found.trial, DOCUMENTED))
    return Case(
        known.name,
        CHANNEL.name,
        to_json(found.trial),
        known.title,
        "found",
        DOCUMENTED.name,
        (known.clause,),
        notes={
            "bug": known.bug,
            "effect": known.effect,
            "source": known.source,
            "severity": SEVERITIES[0],
            "found": f"breadth-first search of every schedule, {found.states} situations; "
            "no shorter schedule of its scope violates the clause",
        },
        answers=(
            Answer(expected, (DOCUMENTED.name,)),
            Answer(observation_to_json(answer), (by,), known.clause, sentence),
        ),
    )


def main() -> None:
    """Write all files."""
    for known in KNOWN:
        write(Path(sys.argv[1]) / f"{known.name}.json", text_of_one(case_of(known)))


if __name__ == "__main__":
    main()
