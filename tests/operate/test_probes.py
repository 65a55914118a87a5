"""Judging what probes saw. No cluster is needed."""

from __future__ import annotations

import pytest

from evenkeel.operate.recording.entries import Entry
from evenkeel.operate.recording.findings import Found, Margins
from evenkeel.operate.recording.probes import judge_probes
from tests.operate.entries_made import SECOND, TOPIC, A, B, entry, serving


def probes(found: list[Entry], manager: str = "extensible") -> list[Found]:
    return list(judge_probes(sorted(found), manager, Margins()).found.values())


def both(until: int, messages_at_b: int) -> list[Entry]:
    return [
        one
        for at in range(0, until, 2)
        for one in (serving(at, A, at), serving(at + 1, B, messages_at_b * at))
    ]


def test_two_brokers_that_take_messages_for_one_topic_are_a_violation() -> None:
    (one,) = probes(both(60, 1))
    assert (one.kind, one.clause, one.subject) == ("double", "OWN-7", TOPIC)
    (other,) = probes(both(60, 1), "modular")
    assert other.clause == "OWN-21"
    (at_one,) = probes(both(60, 0))
    assert (at_one.kind, at_one.clause) == ("double", "OWN-7")
    assert at_one.sentence.endswith("messages came in at one at most")


def test_a_hand_over_within_the_margin_is_well() -> None:
    assert probes(both(30, 1)) == []
    assert probes([serving(at, A if at < 60 else B, at) for at in range(0, 120, 2)]) == []


def test_a_broker_that_slept_is_not_known_to_have_served_meanwhile() -> None:
    slept = [serving(at, B, at) for at in range(0, 10, 2)]
    slept += [serving(at, B, None) for at in range(10, 90, 8)]
    slept += [serving(at, A, at) for at in range(12, 120, 2)]
    slept += [serving(at, B, at) for at in range(90, 96, 2)]
    assert probes(slept) == []


def lookups(until: int, named: str | None, every: int = 2) -> list[Entry]:
    return [entry(at, "lookup", {TOPIC: named}, A) for at in range(0, until, every)]


def test_no_broker_is_named_for_longer_than_documented() -> None:
    assert probes(lookups(150, None)) == []
    (one,) = probes(lookups(160, None))
    assert (one.kind, one.clause) == ("gap", "OWN-47")
    assert probes([*lookups(160, None), entry(80, "lookup", {TOPIC: B}, B)]) == []
    away = entry(70, "note", {"source": "zookeeper", "state": "SUSPENDED"})
    assert probes([*lookups(160, None), away]) == []  # no broker's fault
    assert probes(lookups(400, None, every=20)) == []  # a gap between probes


def test_a_broker_that_is_named_but_never_comes() -> None:
    named = lookups(400, B)
    answers = [entry(at, "serving", {}, B) for at in range(0, 400, 2)]
    tries = [entry(at, "client", "tries", subject=TOPIC) for at in range(0, 400, 5)]
    (one,) = probes([*named, *answers, *tries])
    assert (one.kind, one.clause) == ("absent", "OWN-13")
    assert probes([*named, *answers]) == []  # no client tries: it need not open the topic
    assert probes([*named, *tries]) == []  # it does not answer: a lookup may be behind
    comes = [serving(at, B, 1) for at in range(100, 400, 2)]
    late = [entry(at, "client", "works", subject=TOPIC) for at in (102, 300)]
    assert probes([*named, *answers[:50], *comes, *late]) == []


def naming(until: int, at_a: str | None, at_b: str = B) -> list[Entry]:
    """Whom A names, and whom B; both are registered and answer otherwise."""
    there = [entry(0, "session", {"session": 1, "since": 0}, broker) for broker in (A, B)]
    answers = [entry(at, "serving", {}, broker) for at in range(0, until, 2) for broker in (A, B)]
    named = [entry(at + 1, "lookup", {TOPIC: at_b}, B) for at in range(0, until, 2)]
    return [*there, *answers, *named, *lookups(until, at_a)]


SILENCE, DISAGREEMENT = naming(160, None), naming(160, A)


def test_a_broker_that_names_none_where_another_does() -> None:
    assert probes(naming(150, None)) == []
    (one,) = probes(SILENCE)
    assert (one.kind, one.clause, one.subject) == ("silent", "OWN-48", TOPIC)
    assert one.sentence.startswith(f"{A} named no owner for 1")
    assert probes(SILENCE, "modular")[0].clause == "OWN-48"


def test_a_silence_is_none_where_none_is_named_or_the_broker_answers_nothing() -> None:
    quiet = SILENCE
    assert [one.kind for one in probes([o for o in quiet if o.broker == A])] == ["gap"]
    (open_,) = probes([one for one in quiet if one.source != "session"])
    assert (open_.kind, open_.clause) == ("silent", None)  # registrations were not recorded
    assert probes([one for one in quiet if (one.broker, one.source) != (A, "serving")]) == []


def test_brokers_that_go_on_naming_different_owners() -> None:
    assert probes(naming(150, A)) == []
    assert probes(naming(400, A, A)) == []
    (one,) = probes(DISAGREEMENT)
    assert (one.kind, one.clause, one.subject) == ("disagree", "OWN-48", TOPIC)
    assert f"{A} named {A}" in one.sentence
    assert f"{B} named {B}" in one.sentence
    (open_,) = probes([o for o in DISAGREEMENT if (o.broker, o.source) != (B, "session")])
    assert open_.clause is None


@pytest.mark.parametrize(
    ("seen", "source", "data", "broker"),
    [
        (SILENCE, "lookup", {TOPIC: B}, A),  # it names a broker in between
        (SILENCE, "session", None, A),  # it is not registered any more
        (SILENCE, "note", {"source": "zookeeper", "state": "LOST"}, None),
        (SILENCE, "fault", {"of": "zookeeper", "do": "restart"}, None),
        (DISAGREEMENT, "lookup", {TOPIC: A}, B),  # they agreed in between
        (DISAGREEMENT, "lookup", {TOPIC: "c:1"}, A),  # it moved
        (DISAGREEMENT, "session", None, B),
        (DISAGREEMENT, "note", {"source": "zookeeper", "state": "LOST"}, None),
    ],
)
def test_what_ended_in_between_is_no_finding(
    seen: list[Entry], source: str, data: object, broker: str | None
) -> None:
    assert probes([*seen, entry(80.5, source, data, broker)]) == []


def test_a_broker_that_sleeps_is_not_asked_to_agree() -> None:
    woken = [one for one in naming(400, A) if one.broker == A or one.time > 300 * SECOND]
    there = [one for one in naming(400, A) if one.source == "session"]
    assert probes([*there, *(one for one in woken if one.source != "session")]) == []
