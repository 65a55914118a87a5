"""Verdicts of the judge of the lock protocol on answers that the reference does not give."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evenkeel.properties.ownership.locks import LOCKS
from evenkeel.properties.ownership.locks.trials import (
    Answer,
    Closed,
    Closing,
    LocksAnswer,
    LocksCommand,
    LocksStep,
    LocksTrial,
    Lookup,
    NamedBundle,
    Reply,
    Unload,
)
from evenkeel.reference.edition import BASE_EDITIONS, DOCUMENTED, Edition
from evenkeel.reference.ownership.locks.state import BundleState, Outcome, Sort
from evenkeel_engine.kit.catalogue import clauses_for
from evenkeel_engine.kit.codec import BadData, from_json, to_json
from evenkeel_engine.kit.question import judge

NONE, ACQUIRING = BundleState.NONE, BundleState.ACQUIRING
SERVING, UNLOADING = BundleState.SERVING, BundleState.UNLOADING
PLAIN = NamedBundle(Sort.PLAIN, 0)
each_edition = pytest.mark.parametrize("edition", BASE_EDITIONS.values(), ids=BASE_EDITIONS)


def run(
    edition: Edition,
    *commands: LocksCommand,
    brokers: int = 2,
    bundle: NamedBundle = PLAIN,
    leader: int | None = 0,
) -> list[LocksStep]:
    """The observations after each command."""
    answer = LOCKS.answer(LocksTrial(brokers, (bundle,), leader, commands), edition)
    return [result for result in answer.results if isinstance(result, LocksStep)]


def take(broker: int, answers: int = 3) -> tuple[LocksCommand, ...]:
    """A broker takes the bundle if no broker has it: read, create, and refresh the cache."""
    return (Lookup(broker, 0, True, False, broker), *(Answer(broker, 0),) * answers)


@pytest.mark.parametrize(
    ("change", "place"),
    [({"brokers": 0}, "brokers"), ({"bundles": []}, "bundles"), ({"leader": -1}, "leader")],
)
def test_impossible_trials_are_refused(change: dict[str, object], place: str) -> None:
    form = {**to_json(LocksTrial(2, (PLAIN,), 0, (Lookup(0, 0, True, False, 0),))), **change}
    with pytest.raises(BadData) as refused:
        from_json(LocksTrial, form)
    assert refused.value.place == place


def test_an_authoritative_lookup_is_not_sent_back_to_the_leader_without_the_flag() -> None:
    trial = LocksTrial(2, (PLAIN,), 0, take(1, 2))
    answer = LOCKS.answer(trial, DOCUMENTED)
    asked, _, made = answer.results
    assert isinstance(asked, LocksStep)
    assert isinstance(made, LocksStep)

    def status_of(authoritative: bool) -> str:
        sent = replace(asked, ended=(Reply(0, Outcome.REDIRECT, 0, authoritative),))
        observed = replace(answer, results=(asked, sent, replace(sent, ended=())))
        checks = clauses_for(LOCKS.name, DOCUMENTED, frozenset({"OWN-55"}))
        [verdict] = judge(LOCKS, checks, trial, observed, DOCUMENTED)
        return verdict.status

    assert status_of(authoritative=False) == "violated"
    assert status_of(authoritative=True) == "holds"


def unloading(*rest: LocksCommand) -> tuple[LocksTrial, list[LocksStep]]:
    """Broker 0 has taken the bundle, its topics are closed in time or not, and it releases it."""
    closed = Closed(0, 0, Closing.TIMED_OUT)
    commands = (*take(0, 2), Unload(0, 0), closed, Answer(0, 0), *rest)
    return LocksTrial(2, (PLAIN,), 0, commands), run(DOCUMENTED, *commands)


def says_of_unloads(trial: LocksTrial, steps: list[LocksStep]) -> str:
    checks = clauses_for(LOCKS.name, DOCUMENTED, frozenset({"OWN-50"}))
    [verdict] = judge(LOCKS, checks, trial, LocksAnswer(tuple(steps)), DOCUMENTED)
    return verdict.status


def test_an_unload_that_is_done_has_released_the_node() -> None:
    trial, steps = unloading(Lookup(0, 0, True, False, 0), *(Answer(0, 0),) * 2)
    assert steps[5].ended == (Reply(3, Outcome.DONE, None, False),)
    assert [step.holders[0] for step in steps[4:]] == [0, None, None, None, 0]
    assert says_of_unloads(trial, steps) == "holds"

    done = steps[5]
    kept = replace(done, holders=(0,))
    assert says_of_unloads(trial, [*steps[:5], kept, *steps[6:]]) == "violated"
    at_once = replace(steps[4], ended=done.ended, standings=done.standings)
    after = replace(kept, ended=())
    assert says_of_unloads(trial, [*steps[:4], at_once, after, *steps[6:]]) == "violated"


def test_an_unload_may_be_answered_once_the_node_was_taken_again() -> None:
    trial, steps = unloading(Lookup(0, 0, True, False, 0), *(Answer(0, 0),) * 2)
    done, untold = steps[5].ended, replace(steps[5], ended=())
    taking = replace(steps[7], ended=done, standings=((ACQUIRING,), (NONE,)), holders=(0,))
    later = [*steps[:5], untold, steps[6], taking, replace(steps[8], ended=())]
    assert says_of_unloads(trial, later) == "holds"
