"""The lock protocol: cases of the upstream tests, translated by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evenkeel.properties.ownership.locks import LOCKS
from evenkeel.properties.ownership.locks.trials import (
    Answer,
    Closed,
    Closing,
    Crash,
    Elect,
    Expire,
    Fail,
    Find,
    LocksAnswer,
    LocksCommand,
    LocksStep,
    LocksTrial,
    Lookup,
    NamedBundle,
    Notify,
    Reconnect,
    Reply,
    Restart,
    Retry,
    Settle,
    Stop,
    Unload,
    Views,
)
from evenkeel.reference.edition import BASE_EDITIONS, DOCUMENTED, PULSAR_4_0, Edition
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


def standings(step: LocksStep) -> list[BundleState]:
    """Each broker's state of the bundle."""
    return [row[0] for row in step.standings]


@each_edition
def test_a_lookup_reads_creates_and_names_itself(edition: Edition) -> None:
    asked, read, created = run(edition, *take(0, 2))
    assert standings(asked) == [NONE, NONE]
    assert standings(read) == [ACQUIRING, NONE]
    assert created.ended == (Reply(0, Outcome.OWNER, 0, False),)
    assert (standings(created), created.holders) == ([SERVING, NONE], (0,))


@each_edition
def test_another_session_has_the_node(edition: Edition) -> None:
    # OwnershipCacheTest.testGetOrSetOwner: acquiring fails, and the other is named.
    steps = run(
        edition,
        Lookup(1, 0, True, False, 1),
        Answer(1, 0),
        *take(0),
        *(Answer(1, 0),) * 3,
        Notify(1, 0),
        Lookup(1, 0, True, False, 1),
        *(Answer(1, 0),) * 2,
    )
    ended = [reply for step in steps for reply in step.ended]
    assert ended[:2] == [Reply(2, Outcome.OWNER, 0, False), Reply(0, Outcome.FAILED, None, False)]
    assert ended[2].outcome is Outcome.OWNER
    assert ended[2].broker == 0
    assert standings(steps[-1]) == [SERVING, NONE]


@each_edition
def test_the_leader_is_asked_and_decides(edition: Edition) -> None:
    steps = run(edition, Lookup(1, 0, False, False, 1), Answer(1, 0), Find(1, 0, 1))
    assert steps[1].ended == (Reply(0, Outcome.REDIRECT, 0, False),)
    assert steps[2].asked == (
        Reply(1, Outcome.REDIRECT, 0, False),
        Reply(0, Outcome.REDIRECT, 1, True),
        Reply(1, Outcome.OWNER, 1, False),
    )


@each_edition
def test_without_a_leader_each_decides(edition: Edition) -> None:
    steps = run(edition, Elect(1, None), Lookup(1, 0, False, False, 0), Answer(1, 0))
    assert steps[2].ended == (Reply(1, Outcome.REDIRECT, 0, True),)


@each_edition
def test_read_only_takes_nothing(edition: Edition) -> None:
    steps = run(edition, Lookup(0, 0, True, True, 0), Answer(0, 0), Settle(), Views(0))
    assert steps[1].ended == (Reply(0, Outcome.EMPTY, None, False),)
    assert steps[3].holders == (None,)
    assert {reply.outcome for reply in steps[3].asked} == {Outcome.EMPTY}


@each_edition
@pytest.mark.parametrize("how", Closing)
def test_an_unload_ends_for_each_result_of_closing(edition: Edition, how: Closing) -> None:
    steps = run(
        edition,
        *take(0),
        Unload(0, 0),
        Lookup(0, 0, True, False, 0),
        Unload(0, 0),
        Closed(0, 0, how),
        Answer(0, 0),
    )
    assert standings(steps[4]) == [UNLOADING, NONE]
    assert steps[5].ended == (Reply(5, Outcome.UNLOADING, None, False),)
    assert steps[6].ended == (Reply(6, Outcome.REFUSED, None, False),)
    assert steps[8].ended == (Reply(4, Outcome.DONE, None, False),)
    assert (standings(steps[8]), steps[8].holders) == ([NONE, NONE], (None,))


@each_edition
def test_others_name_the_owner_while_it_unloads(edition: Edition) -> None:
    steps = run(edition, *take(0), Unload(0, 0), Lookup(1, 0, False, False, 0), Answer(1, 0))
    assert steps[-1].ended == (Reply(5, Outcome.OWNER, 0, False),)


@each_edition
def test_a_restarted_broker_replaces_its_old_node(edition: Edition) -> None:
    steps = run(
        edition, *take(0), Crash(0), Restart(0), *take(0, 5), Expire(0), Settle(), Find(1, 0, 1)
    )
    assert [step.holders for step in steps[6:12]] == [(0,), (0,), (0,), (0,), (None,), (0,)][:6]
    assert standings(steps[-1]) == [SERVING, NONE]


def test_a_restarted_broker_reads_deletes_and_creates() -> None:
    steps = run(DOCUMENTED, *take(0), Crash(0), Restart(0), *take(0, 5))
    assert [step.holders[0] for step in steps[6:]] == [0, 0, 0, 0, None, 0]


@each_edition
def test_the_session_of_a_crashed_process_ends_alone(edition: Edition) -> None:
    steps = run(edition, *take(0), Crash(0), Restart(0), Expire(0), *take(0))
    assert steps[6].holders == (None,)
    assert standings(steps[-1]) == [SERVING, NONE]


def test_the_end_of_a_session() -> None:
    commands = (*take(0), Expire(0), *take(1), Reconnect(0), Answer(0, 0))
    promised, shipped = run(DOCUMENTED, *commands), run(PULSAR_4_0, *commands)
    assert standings(promised[4]) == [NONE, NONE]
    assert standings(promised[8]) == [NONE, SERVING]
    assert standings(shipped[4]) == [SERVING, NONE]
    assert standings(shipped[8]) == [SERVING, SERVING]
    assert standings(shipped[-1]) == [NONE, SERVING]


def test_a_lock_is_created_again_if_no_broker_took_it() -> None:
    steps = run(PULSAR_4_0, *take(0), Expire(0), Reconnect(0), Answer(0, 0), Answer(0, 0))
    assert [step.holders for step in steps[4:]] == [(None,), (None,), (None,), (0,)]
    assert standings(steps[-1]) == [SERVING, NONE]


def test_a_validation_without_connection_is_tried_again() -> None:
    steps = run(
        PULSAR_4_0, *take(0), Expire(0), Reconnect(0), Fail(0, 0, False), Retry(0), Answer(0, 0)
    )
    assert standings(steps[6]) == [SERVING, NONE]
    steps = run(PULSAR_4_0, *take(0), Expire(0), Reconnect(0), Fail(0, 0, False), Settle())
    assert steps[-1].holders == (0,)


def test_a_deleted_node_is_validated() -> None:
    notifications = (Notify(0, 0), Notify(0, 0), Notify(0, 0), Answer(0, 0), Answer(0, 0))
    again = (*take(0), Unload(0, 0), Closed(0, 0, Closing.CLOSED), Answer(0, 0), *take(0))
    steps = run(PULSAR_4_0, *again, *notifications)
    assert (standings(steps[-1]), steps[-1].holders) == ([SERVING, NONE], (0,))


@each_edition
def test_bundles_named_after_a_broker(edition: Edition) -> None:
    heartbeat, monitor = NamedBundle(Sort.HEARTBEAT, 1), NamedBundle(Sort.MONITOR, 1)
    for bundle in (heartbeat, monitor):
        steps = run(edition, Lookup(0, 0, True, False, 0), Answer(0, 0), bundle=bundle)
        assert steps[1].ended == (Reply(0, Outcome.REDIRECT, 1, True),)
    gone = (Crash(1), Expire(1), *take(0))
    assert run(edition, *gone, bundle=heartbeat)[3].ended[0].outcome is Outcome.FAILED
    assert standings(run(edition, *gone, bundle=monitor)[-1]) == [SERVING, NONE]


def test_stopping() -> None:
    commands = (*take(0), Stop(0), Closed(0, 0, Closing.CLOSED), Answer(0, 0), *take(0))
    assert standings(run(DOCUMENTED, *commands)[-1]) == [NONE, NONE]
    assert standings(run(PULSAR_4_0, *commands)[-1]) == [SERVING, NONE]


@each_edition
def test_no_broker_is_registered(edition: Edition) -> None:
    steps = run(edition, Expire(0), Expire(1), Lookup(0, 0, True, False, 0), Answer(0, 0))
    assert steps[-1].ended == (Reply(2, Outcome.FAILED, None, False),)
    steps = run(edition, Crash(0), Lookup(0, 0, True, False, 0), Unload(0, 0))
    assert [step.ended[0].outcome for step in steps[1:]] == [Outcome.FAILED, Outcome.REFUSED]


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
