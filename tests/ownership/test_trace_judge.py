"""Verdicts about the events of one bundle."""

import pytest

from evenkeel.properties.ownership.trace import Event, Rules, Status, TraceVerdict, judge_bundle
from evenkeel.reference.edition import DOCUMENTED, PULSAR_4_0, Edition
from evenkeel.reference.ownership.records import LARGEST_VERSION, SMALLEST_VERSION, State, Storage

TOPIC, NODES = Storage.TOPIC, Storage.NODES


def events(text: str) -> list[Event]:
    """Events of a table: time, broker, state, owner, source, version, and `forced` if it is.

    A dash is none; `?` at the end means that it is unknown whether the record is forced.
    """
    found = []
    for place, line in enumerate(filter(str.strip, text.splitlines())):
        time, broker, state, owner, source, version, *rest = line.split()
        owned, was = (None if name == "-" else name for name in (owner, source))
        force = None if rest == ["?"] else rest == ["forced"]
        number = None if version == "-" else int(version)
        found.append(Event(int(time), broker, State(state), owned, was, number, force, place))
    return found


def judge(
    text: str, storage: Storage = TOPIC, edition: Edition = DOCUMENTED, skew: int = 0
) -> TraceVerdict:
    return judge_bundle("bundle", events(text), Rules(storage, edition, skew))


def found(verdict: TraceVerdict) -> list[tuple[int, str, str | None]]:
    return [(finding.at, finding.kind, finding.clause) for finding in verdict.findings]


HISTORY = """
    10 b0 Assigning b1 - 1
    20 b1 Owned b1 - 2
    30 b1 Releasing b2 b1 3
    40 b1 Assigning b2 b1 4
    50 b2 Owned b2 b1 5
    60 b2 Releasing - b2 6
    70 b2 Free - b2 7
    80 b2 Init - - -
"""
NEXT = HISTORY + "    90 b0 Assigning b0 - 8\n"
RESTARTED = HISTORY + "    90 b0 Assigning b0 - 1\n"


@pytest.mark.parametrize("storage", Storage)
@pytest.mark.parametrize(("text", "edition"), [(NEXT, DOCUMENTED), (RESTARTED, PULSAR_4_0)])
def test_a_history_and_the_next_are_explained(
    storage: Storage, text: str, edition: Edition
) -> None:
    verdict = judge(text, storage, edition)
    assert verdict.status is Status.EXPLAINED
    assert verdict.explained == verdict.events == 9


@pytest.mark.parametrize("storage", Storage)
def test_versions_continue_over_a_removal(storage: Storage) -> None:
    assert found(judge(RESTARTED, storage)) == [(8, "restart", "OWN-40")]
    gap = [(8, "gap", None)] if storage is NODES else []
    assert found(judge(NEXT.replace("b0 - 8", "b0 - 9"), storage)) == gap
    assert found(judge(NEXT, NODES, PULSAR_4_0)) == [(8, "gap", None)]


def test_owners_have_their_times() -> None:
    assert [(s.owner, s.since, s.until) for s in judge(NEXT + "    95 b0 Owned b0 - 9").spans] == [
        ("b1", 20, 30),
        ("b2", 50, 60),
        ("b0", 95, None),
    ]


@pytest.mark.parametrize(("edition", "clause"), [(DOCUMENTED, "OWN-7"), (PULSAR_4_0, "OWN-2")])
def test_two_owners_by_one_version(edition: Edition, clause: str) -> None:
    verdict = judge(
        """
        10 b0 Assigning b1 - 1
        20 b1 Owned b1 - 2
        25 b2 Owned b2 - 2
        30 b1 Releasing - b1 3
        """,
        edition=edition,
    )
    assert verdict.status is Status.VIOLATED
    assert found(verdict) == [(2, "double ownership", clause)]
    assert verdict.explained == 2
    assert verdict.findings[0].sentence == (
        "two brokers own the bundle by version 2: b1 as b1 saw it, b2 as b2 saw it"
    )
    assert [event.place for event in verdict.around] == [0, 1, 2, 3]


def test_other_records_of_one_version_disagree() -> None:
    verdict = judge(
        """
        10 b0 Owned b1 - 4
        20 b0 Releasing b2 b1 5
        21 b2 Releasing - b1 5
        """
    )
    assert found(verdict) == [(2, "disagreement", "OWN-2")]


@pytest.mark.parametrize(
    ("second", "clause"),
    [("Owned b2 - 5", "OWN-1"), ("Assigning b2 b1 5", "OWN-1"), ("Releasing b1 b2 5", "OWN-4")],
)
def test_the_next_record_must_fit(second: str, clause: str) -> None:
    assert found(judge(f"10 b0 Owned b1 - 4\n20 b0 {second}")) == [(1, "step", clause)]


def test_force_explains_and_unknown_force_is_unknown() -> None:
    forced = "10 b0 Owned b1 - 4\n20 b0 Owned b2 b1 5 "
    assert judge(forced + "forced").status is Status.EXPLAINED
    assert found(judge(forced + "?")) == [(1, "force", None)]
    assert judge(forced).status is Status.VIOLATED


def test_a_violation_names_other_brokers_that_saw_an_owner() -> None:
    verdict = judge(
        """
        10 b0 Assigning b1 - 1
        20 b2 Owned b2 - 2
        30 b1 Owned b1 - 2
        """
    )
    assert found(verdict) == [(1, "step", "OWN-4"), (2, "double ownership", "OWN-7")]
    assert verdict.explained == 1


def test_missing_versions_are_unknown_and_both_sides_are_judged() -> None:
    text = """
        10 b0 Owned b1 - 4
        20 b0 Owned b2 - 7
        """
    assert [f.sentence for f in judge(text).findings] == [
        "versions 5 to 6 are missing between Owned 4 (owner b1) and Owned 7 (owner b2)"
    ]
    assert judge(text).status is Status.UNKNOWN
    assert judge(text).explained == 1
    assert (2, "step", "OWN-1") in found(judge(text + "30 b0 Owned b3 - 8"))


def test_a_missing_version_may_come_late() -> None:
    text = """
        10 b0 Assigning b1 - 1
        30 b0 Releasing - b1 3
        35 b1 Owned b1 - 2
        """
    assert found(judge(text)) == [(2, "late", None)]
    assert judge(text, skew=5).status is Status.EXPLAINED


def test_a_record_that_comes_late_must_fit_what_follows() -> None:
    verdict = judge(
        """
        10 b0 Assigning b1 - 1
        30 b0 Releasing - b1 3
        35 b1 Owned b2 - 2
        """
    )
    assert found(verdict)[-1] == (2, "step", "OWN-4")


def test_removals_seen_late_and_records_read_again() -> None:
    late = """
        11 b1 Assigning b1 - 1
        85 b1 Free - b2 7
        86 b1 Init - - -
        87 b1 Assigning b0 - {first}
        100 b3 Assigning b0 - {first}
        101 b2 Assigning b1 - 1
    """
    assert judge(NEXT + late.format(first=8)).status is Status.EXPLAINED
    assert judge(RESTARTED + late.format(first=1), edition=PULSAR_4_0).status is Status.EXPLAINED


def test_a_removal_read_again_ends_nothing() -> None:
    text = NEXT + "95 b0 Owned b0 - 9\n96 b1 Init - - {of}\n97 b1 Releasing - b0 10"
    assert judge(text.format(of=7)).status is Status.EXPLAINED
    assert found(judge(text.format(of=9))) == [(10, "removal", "OWN-6")]


def test_versions_that_restart() -> None:
    after = "90 b0 Assigning b2 - 1\n"
    free = "10 b0 Assigning b1 - 1\n20 b0 Owned b1 - 2\n"
    in_use = free
    free += "30 b0 Releasing - b1 3\n40 b0 Free - b1 4\n"
    assert found(judge(free + after, edition=PULSAR_4_0)) == [(4, "restart", None)]
    assert found(judge(free + after)) == [(4, "restart", "OWN-40")]
    assert found(judge(in_use + after, NODES)) == [(2, "disagreement", "OWN-2")]


@pytest.mark.parametrize(
    ("version", "edition", "expected"),
    [
        ("2", DOCUMENTED, [(2, "removal", "OWN-6")]),
        ("-", DOCUMENTED, [(2, "removal", None)]),
        ("4", DOCUMENTED, [(2, "gap", None)]),
        ("2", PULSAR_4_0, []),
        ("-", PULSAR_4_0, []),
    ],
)
def test_removals_of_records_in_use(
    version: str, edition: Edition, expected: list[tuple[int, str, str | None]]
) -> None:
    verdict = judge(
        f"10 b0 Assigning b1 - 1\n20 b0 Owned b1 - 2\n30 b0 Init - - {version}", edition=edition
    )
    assert found(verdict) == expected


def test_after_a_removal_a_node_of_4_0_has_version_1() -> None:
    text = "10 b0 Free - b1 4\n20 b0 Init - - -\n30 b0 Assigning b1 - 2"
    assert judge(text, TOPIC, PULSAR_4_0).status is Status.EXPLAINED
    assert found(judge(text, NODES, PULSAR_4_0)) == [(2, "gap", None)]


def test_the_largest_version_is_followed_by_the_least() -> None:
    verdict = judge(
        f"""
        10 b0 Assigning b1 - {LARGEST_VERSION}
        20 b1 Owned b1 - {SMALLEST_VERSION}
        30 b1 Releasing - b1 {SMALLEST_VERSION + 1}
        """
    )
    assert verdict.status is Status.EXPLAINED


def test_owners_that_records_do_not_name() -> None:
    text = "10 b0 Owned - b1 4\n20 b0 Releasing b2 b1 5"
    assert found(judge(text, edition=PULSAR_4_0)) == [(1, "step", "OWN-4")]


NEAR_A_REMOVAL = """
    100 b0 Assigning b1 - 1
    110 b0 Owned b1 - 2
    {seen_by} Init - - 4
    {second}
    """


@pytest.mark.parametrize("second", ["135 b2 Owned b2 - 2", "135 b2 Owned b3 - 3"])
def test_nothing_is_flagged_across_a_removal(second: str) -> None:
    unsure = judge(NEAR_A_REMOVAL.format(seen_by="130 b3", second=second), edition=PULSAR_4_0)
    assert unsure.status is not Status.VIOLATED
    far = judge(NEAR_A_REMOVAL.format(seen_by="300 b3", second=second), edition=PULSAR_4_0)
    assert far.status is Status.VIOLATED
    late = judge(NEAR_A_REMOVAL.format(seen_by="300 b3", second=second), TOPIC, PULSAR_4_0, 200)
    assert late.status is not Status.VIOLATED


AFTER_A_REMOVAL = """
    100 b0 Free - b1 4
    101 b0 Init - - -
    112 b0 Assigning b1 - 1
    113 b0 Owned b1 - 2
    114 b2 Owned b2 - 2
    """


def test_a_removal_long_before_explains_nothing() -> None:
    [violation] = found(judge(AFTER_A_REMOVAL, edition=PULSAR_4_0, skew=10))
    assert violation == (4, "double ownership", "OWN-2")
    assert judge(AFTER_A_REMOVAL, edition=PULSAR_4_0, skew=20).status is Status.UNKNOWN


def test_a_broker_that_reads_again_may_have_restarted() -> None:
    text = """
        10 b0 Assigning b1 - 1
        20 b0 Owned b1 - 2
        30 b0 Releasing - b1 3
        40 b0 Assigning b2 - 1
        """
    assert found(judge(text, edition=PULSAR_4_0)) == [(3, "again", None)]
    assert found(judge(text)) == [(3, "restart", "OWN-40")]
    assert found(judge(text, NODES)) == [(3, "disagreement", "OWN-2")]
