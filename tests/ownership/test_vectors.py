"""Numbers of Pulsar's own tests, and the sequences of PIP-192, compared with the reference."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evenkeel.properties.ownership.channel.trials import (
    Ask,
    Assign,
    Bundle,
    ChannelCommand,
    ChannelTrial,
    Clean,
    Crash,
    Elapse,
    Finish,
    HalfName,
    LookupEnd,
    LoseSession,
    Monitor,
    Notice,
    Read,
    RegainSession,
    RestartBroker,
    Settle,
    ShutDown,
    Split,
    Step,
    Unload,
    answer_channel,
)
from evenkeel.reference.edition import DOCUMENTED, PULSAR_4_0, Edition
from evenkeel.reference.ownership.conflict import OwnerlessRecord, accepts
from evenkeel.reference.ownership.records import (
    LARGEST_VERSION,
    SMALLEST_VERSION,
    BrokerId,
    EmptyBroker,
    Record,
    State,
    Storage,
    next_version,
)

TOPIC, NODES = Storage.TOPIC, Storage.NODES
EDITIONS = (DOCUMENTED, PULSAR_4_0)


def record(
    state: State, destination: str | None, source: str | None, version: int, force: bool = False
) -> Record:
    """A record by plain texts."""
    d = None if destination is None else BrokerId(destination)
    s = None if source is None else BrokerId(source)
    return Record(state, d, s, version, force)


OWNED = record(State.OWNED, "d", "s", 10)

VECTORS = [  # ServiceUnitStateDataConflictResolverTest 4.0.8
    ("39", TOPIC, record(State.ASSIGNING, "d", None, 1), record(State.ASSIGNING, "d", None, 1), 0),
    ("39", TOPIC, record(State.ASSIGNING, "d", None, 1), record(State.ASSIGNING, "d", None, 2), 0),
    ("40", TOPIC, OWNED, record(State.RELEASING, "b2", "d", 11), 1),
    ("42", TOPIC, OWNED, record(State.RELEASING, "b2", "d", 5), 0),
    ("43", TOPIC, OWNED, record(State.OWNED, "d", "s", 12), 1),
    ("44", TOPIC, None, record(State.OWNED, "d", None, 1), 1),
    ("44", TOPIC, None, record(State.OWNED, "d", None, 2), 1),
    ("45", NODES, None, record(State.OWNED, "d", None, 1), 1),
    ("45", NODES, None, record(State.OWNED, "d", None, 2), 0),
    ("46", TOPIC, record(State.OWNED, "d", None, 1), record(State.OWNED, "d", None, 3), 1),
    ("46", NODES, record(State.OWNED, "d", None, 1), record(State.OWNED, "d", None, 3), 0),
    ("47", TOPIC, record(State.INIT, "d", None, 1), record(State.INIT, "d", None, 2, True), 1),
    ("47", TOPIC, record(State.INIT, "d", None, 1), record(State.INIT, "d", None, 1, True), 0),
    ("48", TOPIC, OWNED, None, 1),
    ("49", TOPIC, record(State.ASSIGNING, "d", None, 1), record(State.OWNED, "d", "s", 2), 0),
    ("49", TOPIC, record(State.ASSIGNING, "d", None, 1), record(State.OWNED, "d", None, 2), 1),
    ("50", TOPIC, OWNED, record(State.RELEASING, None, "d", 11), 1),
    ("50", TOPIC, OWNED, record(State.RELEASING, "d2", "d", 11), 1),
    ("50", TOPIC, OWNED, record(State.RELEASING, None, "s", 11), 0),
    ("51", TOPIC, OWNED, record(State.SPLITTING, None, "d", 11), 1),
    ("51", TOPIC, OWNED, record(State.SPLITTING, "d2", "d", 11), 0),
    ("52", TOPIC, record(State.RELEASING, "d", "s", 1), record(State.ASSIGNING, "d", "s", 2), 1),
    ("52", TOPIC, record(State.RELEASING, "d", "s", 1), record(State.OWNED, "d", "s", 2), 0),
    ("53", TOPIC, record(State.FREE, None, "s", 1), record(State.ASSIGNING, "d", None, 2), 1),
    ("53", TOPIC, record(State.FREE, None, "s", 1), record(State.ASSIGNING, "d", "s", 2), 0),
]


@pytest.mark.parametrize("edition", EDITIONS, ids=lambda edition: edition.name)
@pytest.mark.parametrize(("number", "storage", "before", "after", "wins"), VECTORS)
def test_which_record_wins(
    number: str,
    storage: Storage,
    before: Record | None,
    after: Record | None,
    wins: int,
    edition: Edition,
) -> None:
    assert accepts(storage, before, after, edition) is bool(wins), number


def test_versions_wrap() -> None:
    last = record(State.OWNED, "d", None, LARGEST_VERSION)
    assert next_version(last) == SMALLEST_VERSION
    first = record(State.RELEASING, None, "d", SMALLEST_VERSION)
    assert accepts(TOPIC, last, first, PULSAR_4_0)
    after = record(State.FREE, None, "d", SMALLEST_VERSION + 1)
    assert accepts(NODES, first, after, PULSAR_4_0)


def test_a_record_names_a_broker() -> None:
    with pytest.raises(EmptyBroker):
        record(State.OWNED, "", " ", 1)
    assert record(State.FREE, None, None, 1).version == 1


def test_an_ownerless_record_breaks_in_4_0_only() -> None:
    ownerless = record(State.OWNED, None, "s", 1)
    update = record(State.SPLITTING, None, "s", 2)
    assert not accepts(TOPIC, ownerless, update, DOCUMENTED)
    with pytest.raises(OwnerlessRecord):
        accepts(TOPIC, ownerless, update, PULSAR_4_0)


# ------------------------------------------------------------------------------- sequences


def steps(storage: Storage, *commands: ChannelCommand, edition: Edition) -> tuple[Step, ...]:
    """The steps of two brokers."""
    return answer_channel(ChannelTrial(storage, 2, commands), edition).steps


def states(all_steps: tuple[Step, ...], bundle: Bundle) -> list[str]:
    """The states that were written about a bundle, in order."""
    return [
        write.record.state.value if write.record else "Init"
        for step in all_steps
        for write in step.wrote
        if write.bundle is bundle and write.stands
    ]


READ_ALL = (Read(0), Read(1), Read(0), Read(1), Read(0), Read(1))
ASSIGNED = (Assign(0, Bundle.PARENT, 0), *READ_ALL)


@pytest.mark.parametrize("edition", EDITIONS, ids=lambda edition: edition.name)
@pytest.mark.parametrize("storage", Storage, ids=lambda storage: storage.value)
def test_a_transfer(storage: Storage, edition: Edition) -> None:
    transfer = (Unload(1, Bundle.PARENT, 1), *READ_ALL, Finish(0, Bundle.PARENT, False))
    seen = steps(storage, *ASSIGNED, *transfer, *READ_ALL, edition=edition)
    expected = ["Assigning", "Owned", "Releasing", "Assigning", "Owned"]
    assert states(seen, Bundle.PARENT) == expected
    assert [(served.broker, served.hashes) for served in seen[-1].serves] == [
        (1, (HalfName.LEFT, HalfName.RIGHT))
    ]


@pytest.mark.parametrize("edition", EDITIONS, ids=lambda edition: edition.name)
@pytest.mark.parametrize("storage", Storage, ids=lambda storage: storage.value)
def test_an_unload(storage: Storage, edition: Edition) -> None:
    unload = (Unload(1, Bundle.PARENT, None), *READ_ALL, Finish(0, Bundle.PARENT, False))
    seen = steps(storage, *ASSIGNED, *unload, *READ_ALL, edition=edition)
    assert states(seen, Bundle.PARENT) == ["Assigning", "Owned", "Releasing", "Free"]
    assert seen[-1].serves == ()


@pytest.mark.parametrize("edition", EDITIONS, ids=lambda edition: edition.name)
@pytest.mark.parametrize("storage", Storage, ids=lambda storage: storage.value)
def test_a_split(storage: Storage, edition: Edition) -> None:
    split = (Split(1), *READ_ALL, *READ_ALL, Finish(0, Bundle.PARENT, False), *READ_ALL)
    seen = steps(storage, *ASSIGNED, *split, *READ_ALL, edition=edition)
    parent = ["Assigning", "Owned", "Splitting", "Deleted", "Init"]
    assert states(seen, Bundle.PARENT) == parent
    assert states(seen, Bundle.LEFT) == ["Owned"]
    assert states(seen, Bundle.RIGHT) == ["Owned"]
    assert seen[-1].serves[0].hashes == (HalfName.LEFT, HalfName.RIGHT)


@pytest.mark.parametrize("edition", EDITIONS, ids=lambda edition: edition.name)
def test_a_lookup_waits_for_the_owner_to_be(edition: Edition) -> None:
    seen = steps(
        TOPIC,
        Assign(0, Bundle.OTHER, 1),
        Read(1),
        Ask(1, Bundle.OTHER),
        Read(1),
        Read(0),
        Ask(0, Bundle.OTHER),
        edition=edition,
    )
    assert not seen[2].ended
    assert [(end.ticket, end.end, end.owner) for end in seen[3].ended] == [(2, LookupEnd.OWNER, 1)]
    assert [(end.ticket, end.owner) for end in seen[5].ended] == [(5, 1)]


def test_the_monitor_of_4_0_overtakes_an_active_source() -> None:
    owned = (Assign(0, Bundle.PARENT, 1), *READ_ALL)
    late = (Unload(0, Bundle.PARENT, 0), *READ_ALL, Elapse(31_000), Monitor(0))
    for edition, servers in ((DOCUMENTED, [1]), (PULSAR_4_0, [0, 1])):
        seen = steps(NODES, *owned, *late, edition=edition)
        assert [served.broker for served in seen[-1].serves] == servers


@pytest.mark.parametrize("edition", EDITIONS, ids=lambda edition: edition.name)
def test_the_bundles_of_a_crashed_broker_are_served_again(edition: Edition) -> None:
    owned = (Assign(0, Bundle.PARENT, 1), *READ_ALL)
    seen = steps(TOPIC, *owned, Crash(1), Notice(0), Clean(0), Settle(), edition=edition)
    assert [served.broker for served in seen[-1].serves] == [0]


@pytest.mark.parametrize(
    ("storage", "version", "wins"),
    [
        (TOPIC, 4, False),
        (TOPIC, 5, True),
        (TOPIC, 7, True),
        (NODES, 1, False),
        (NODES, 5, True),
        (NODES, 6, False),
    ],
)
def test_versions_continue_over_a_removal(storage: Storage, version: int, wins: bool) -> None:
    record = Record(State.ASSIGNING, BrokerId("b0"), None, version)
    assert accepts(storage, None, record, DOCUMENTED, removed=4) is wins
    assert next_version(None, removed=4) == 5
    assert next_version(None, removed=LARGEST_VERSION) == SMALLEST_VERSION


LEFT_DIVIDING: tuple[ChannelCommand, ...] = (
    Assign(0, Bundle.PARENT, 0),
    *(Read(0), Read(1)) * 3,
    Split(0),
    *(Read(0), Read(1)),
    LoseSession(1),
    ShutDown(0),
    RegainSession(1),
    *(Read(1),) * 5,
    Assign(1, Bundle.PARENT, 1),
    *(Read(1),) * 3,
    Finish(0, Bundle.PARENT, False),
)
"""The last broker leaves while it splits; another returns, and is asked to take the parent."""


@pytest.mark.parametrize("storage", Storage)
@pytest.mark.parametrize("freed", [False, True])
def test_what_is_being_split_is_not_freed(storage: Storage, freed: bool) -> None:
    """OWN-14, OWN-7: with the parent freed, broker 1 has it when broker 0 divides it."""
    edition = replace(DOCUMENTED, divisions_freed=freed)
    halved = (Crash(0), RestartBroker(0), Assign(1, Bundle.LEFT, 0), *(Read(0), Read(1)) * 3)
    answer = answer_channel(ChannelTrial(storage, 2, (*LEFT_DIVIDING, *halved)), edition)
    served = [(by.broker, half) for by in answer.steps[-1].serves for half in by.hashes]
    left, right = HalfName.LEFT, HalfName.RIGHT
    assert served == ([(0, left), (1, left), (1, right)] if freed else [(0, left)])


@pytest.mark.parametrize("storage", Storage)
def test_a_division_that_no_broker_could_continue_ends_later(storage: Storage) -> None:
    """OWN-11, OWN-14: broker 0 crashes before it divides; broker 1 does it when it leads."""
    commands = (*LEFT_DIVIDING[:-1], Crash(0), Settle())
    answer = answer_channel(ChannelTrial(storage, 2, commands), DOCUMENTED)
    splits = [
        write.record.source
        for write in answer.steps[-1].wrote
        if write.record is not None and write.record.state is State.SPLITTING
    ]
    assert splits == ["b1"]
    parents = [seen.record.state for seen in answer.steps[-1].views if seen.bundle is Bundle.PARENT]
    assert set(parents) <= {State.DELETED}
    assert any(
        write.record is not None and write.record.state is State.DELETED
        for write in answer.steps[-1].wrote
    )
