"""The leader's decisions compared with what follows from the recorded reports."""

from __future__ import annotations

from pathlib import Path

import pytest

from evenkeel.operate.recording import modular_decisions
from evenkeel.operate.recording.decisions import (
    Match,
    Predicted,
    findings_of,
    judge_counts,
    predict,
)
from evenkeel.operate.recording.effective import find_effective
from evenkeel.operate.recording.entries import Entry
from evenkeel.operate.recording.leaderlog import rounds_of, time_of
from evenkeel.operate.recording.modularlog import LoggedModular
from evenkeel.operate.recording.store import read_entries
from evenkeel.reference.edition import DOCUMENTED, PULSAR_4_0
from evenkeel.reference.shedding import threshold
from evenkeel.reference.shedding.cluster import BrokerId
from tests.command_line import run
from tests.operate.entries_made import RECORDED, in_log, judge_changed, modular_rounds

A, B, C = "127.0.0.1:1001", "127.0.0.1:1002", "127.0.0.1:1003"
X, Y, Z = (f"t/n/0x{n}0000000_0x{n + 1}0000000" for n in range(3))
STAMP = "2026-11-22T17:{minute:02}:00,000+0000 [pulsar-load-manager-1-1] INFO  {logger} - "
SETTINGS = {
    "loadBalancerSheddingConditionHitCountThreshold": "0",
    "loadBalancerDebugModeEnabled": "true",
    "loadBalanceSheddingDelayInSeconds": "20",
    "loadBalancerSheddingGracePeriodMinutes": "5",
}
MOVED = f"{X}: {C} -> {A} (Overloaded)"


def minute(number: float) -> int:
    found = time_of(STAMP.format(minute=0, logger="x"))
    assert found is not None
    return found + int(number * 60_000)


def load(broker: str, at: float, share: float, bytes_: float = 1000.0) -> Entry:
    when = minute(at)
    data = {
        "weightedMaxEMA": share,
        "msgThroughputIn": bytes_,
        "msgThroughputOut": bytes_,
        "msgThroughputEMA": 2 * bytes_,
        "updatedAt": when,
    }
    return Entry(when, when, "load", broker, None, when, data)


def top(broker: str, at: float, **bundles: float) -> Entry:
    names = {"x": X, "y": Y, "z": Z}
    stats = [
        {"bundleName": names[key], "stats": {"msgThroughputIn": size, "msgThroughputOut": 0.0}}
        for key, size in bundles.items()
    ]
    when = minute(at)
    return Entry(when, when, "bundles", broker, None, when, {"topBundlesLoadData": stats})


def own(bundle: str, broker: str, at: float, version: int = 1) -> Entry:
    when = minute(at)
    data = {"state": "Owned", "dstBroker": broker, "force": False, "versionId": version}
    return Entry(when, when, "channel", None, bundle, when, data)


def move(bundle: str, source: str, to: str, at: float) -> list[Entry]:
    """A transfer, as the channel tells it."""
    found = []
    for number, state in enumerate(("Releasing", "Assigning", "Owned")):
        one = own(bundle, to, at + number / 1000, number + 2)
        found.append(one._replace(data={**one.data, "state": state, "sourceBroker": source}))
    return found


def line(number: int, logger: str, text: str) -> Entry:
    return Entry(
        0, 0, "log", "broker-1", None, None, STAMP.format(minute=number, logger=logger) + text
    )


def round_of(number: int, *moves: tuple[str, str, str, str], stats: str = "") -> list[Entry]:
    """As 4.0.8 writes it in debug mode."""
    reported = ", ".join(
        f"UnloadDecision(unload=Unload[sourceBroker={source}, serviceUnit={bundle}, "
        f"destBroker=Optional[{to}], force=false], label=Success, reason={why})"
        for source, bundle, to, why in moves
    )
    stats = stats or "sum:1.50, sqSum:1.07, avg:0.50, std:0.33"
    return [
        line(number, "UnloadScheduler", f"Available brokers: [{A}, {B}, {C}]"),
        line(
            number,
            "TransferShedder",
            f"brokers' load stats:{stats}, totalBrokers:3, brokersSortedByLoad:[{A}, {B}, {C}]",
        ),
        line(number, "UnloadScheduler", f"[TransferShedder] Unload decision result: [{reported}]"),
    ]


def reports(at: float) -> list[Entry]:
    found = [load(broker, at, share) for broker, share in {A: 0.1, B: 0.5, C: 0.9}.items()]
    return [*found, top(A, at), top(B, at), top(C, at, x=500.0, y=600.0)]


OWNED = [own(X, C, 0), own(Y, C, 0)]
MOVE = (C, X, A, "Overloaded")


def foretell(*groups: list[Entry], **changes: str) -> list[Predicted]:
    channel = [one for group in groups for one in group if one.source == "channel"]
    rest = [one for group in groups for one in group if one.source != "channel"]
    return predict(rest, find_effective(channel, PULSAR_4_0), {**SETTINGS, **changes}, PULSAR_4_0)


def test_another_bundle_differs_and_breaks_clauses() -> None:
    (one,) = foretell(OWNED, reports(9.0), round_of(10, (C, Y, A, "Overloaded")))
    assert one.match is Match.DIFFERS
    assert "SHD-68" in one.clauses
    (found,) = findings_of([one])
    assert found.violated
    (other,) = foretell([own(X, B, 0), own(Y, C, 0)], reports(9.0), round_of(10, MOVE))
    assert (other.match, "SHD-58" in other.clauses) == (Match.DIFFERS, True)
    (none,) = foretell(OWNED, reports(9.0), round_of(10))
    assert (none.match, none.made) == (Match.DIFFERS, "nothing")
    assert "SHD-66" in none.clauses


def test_a_report_that_came_a_moment_before_may_not_be_read_yet() -> None:
    later = [load(A, 9.99, 0.5), load(C, 9.99, 0.5)]
    (one,) = foretell(OWNED, reports(9.0), later, round_of(10, MOVE))
    assert (one.match, one.predicted) == (Match.EXPLAINED, "nothing: HitCount")
    assert f"had not read the latest of {A}" in one.why
    earlier = [load(A, 9.7, 0.5), load(C, 9.7, 0.5)]
    (two,) = foretell(OWNED, reports(9.0), earlier, round_of(10, MOVE))
    assert two.match is Match.UNKNOWN  # their sum and deviation are not those of the log


def test_what_was_not_recorded_is_unknown() -> None:
    (one,) = foretell(OWNED, reports(9.0)[:-1], round_of(10, MOVE))
    assert one.match is Match.UNKNOWN
    lost = [Entry(minute(8), minute(8), "note", None, None, None, {"source": "bundles"})]
    (two,) = foretell(OWNED, reports(9.0), lost, round_of(10, (C, Y, A, "Overloaded")))
    assert two.match is Match.UNKNOWN
    assert findings_of([one, two]) == []


def test_a_bundle_rests_after_its_unload_and_its_broker_cools_down() -> None:
    begin = [OWNED, reports(9.9), round_of(10, MOVE), move(X, C, A, 10.05)]
    skipped = [
        line(11, "UnloadScheduler", f"Available brokers: [{A}, {B}, {C}]"),
        line(11, "TransferShedder", "Skipped the load stat update. Reason:CoolDown."),
        line(11, "UnloadScheduler", "[TransferShedder] Unload decision result: []"),
    ]
    first, cool = foretell(*begin, [load(C, 10.2, 0.9)], skipped)
    assert (first.match, cool.match) == (Match.AGREED, Match.AGREED)
    assert first.predicted == first.made == MOVED
    assert cool.made == "nothing: CoolDown"
    # C's list still names the bundle, which A owns now: the other one goes.
    _, rests = foretell(*begin, reports(10.9), round_of(11, (C, Y, A, "Overloaded")))
    assert rests.match is Match.AGREED


def count(
    number: int, hits: int | None, *moves: tuple[str, str, str, str], std: str = "0.33"
) -> list[Entry]:
    """A round that counts one more with a cause, if it is not one that continues."""
    *begin, result = round_of(number, *moves, stats=f"sum:1.50, sqSum:1.07, avg:0.50, std:{std}")
    text = f"hit count:{hits} is less than or equal to the threshold:1."
    return [*begin, *([] if hits is None else [line(number, "TransferShedder", text)]), result]


def test_rounds_in_a_row_are_counted_by_the_log() -> None:
    begin = [OWNED, reports(9.9), count(10, 1), reports(10.9)]
    both = foretell(*begin, round_of(11, MOVE), loadBalancerSheddingConditionHitCountThreshold="1")
    assert [one.match for one in both] == [Match.AGREED, Match.AGREED]
    twice = foretell(*begin, count(11, 1), loadBalancerSheddingConditionHitCountThreshold="1")
    assert twice[1].match is Match.DIFFERS


STARTED = [line(15, "x", "Created namespace unload strategy:org.apache.x.TransferShedder")]


@pytest.mark.parametrize(
    ("rounds", "target", "words"),
    [
        ([count(14, 1), count(15, 2), count(16, 0, std="0.04"), count(17, 1)], "", ""),
        ([count(14, 1), count(15, 3)], "", "from 1 to 3"),
        ([count(14, 2), count(15, 0)], "", "begins again, with a deviation of 0.33 > 0.25"),
        ([count(14, 2), count(15, 0)], "0.4", ""),
        ([count(14, 2), count(15, 0)], "x", ""),
        ([count(14, 3), STARTED, count(16, 1)], "", ""),
        ([count(14, 3), STARTED, count(16, 4)], "", "from 0 to 4"),
        ([count(14, None, MOVE)], "", ""),
        ([count(14, 2, MOVE)], "", "moved after 2 rounds"),
        ([count(14, None, MOVE), count(15, 1)], "", ""),
    ],
)
def test_counts_are_judged_by_the_log_alone(
    rounds: list[list[Entry]], target: str, words: str
) -> None:
    settings = {"loadBalancerBrokerLoadTargetStd": target} if target else {}
    found = list(judge_counts([one for each in rounds for one in each], settings))
    assert [one.clause for one in found] == ["SHD-55"] * bool(words)
    assert all(words in one.sentence for one in found)


def test_nothing_is_known_where_clocks_were_stepped() -> None:
    step = [Entry(minute(5), minute(5), "fault", None, None, None, {"do": "clock"})]
    (one,) = foretell(OWNED, reports(9.9), step, round_of(10, (C, Y, A, "Overloaded")))
    assert (one.match, one.why) == (Match.UNKNOWN, "clocks were stepped")


def test_who_comes_to_lead_has_no_report_of_before() -> None:
    """Reports go over topics that keep nothing: C's of before is not known to the new leader."""
    others = [one for one in reports(9.9) if one.broker != C]
    of_two = [*others, load(C, 8, 0.9), top(C, 8, x=500.0, y=600.0)]
    skipped = line(
        10,
        "TransferShedder",
        "Can't continue the unload cycle. Skipped the load stat update. Reason:NoLoadData.",
    )
    rounds = round_of(10)
    rounds = [rounds[0], skipped, rounds[-1]]
    (one,) = foretell(OWNED, of_two, rounds)
    assert one.match is Match.DIFFERS
    led = Entry(minute(9), minute(9), "leader", None, None, None, A)
    (other,) = foretell(OWNED, of_two, [led], rounds)
    assert (other.match, other.made) == (Match.EXPLAINED, "nothing: NoLoadData")
    assert f"came to lead after the report of {C}" in other.why
    before = Entry(minute(7), minute(7), "leader", None, None, None, A)
    (same,) = foretell(OWNED, of_two, [before], rounds)
    assert same.match is Match.DIFFERS


def test_a_line_that_is_cut_off_tells_nothing() -> None:
    cut = round_of(10, MOVE)
    cut[-1] = cut[-1]._replace(data=cut[-1].data[:-20])
    (one,) = foretell(OWNED, reports(9.9), cut)
    assert (one.match, one.why) == (Match.UNKNOWN, "the log's line is cut off")
    (open_,) = rounds_of([("broker-1", entry.data) for entry in round_of(10, MOVE)[:2]])
    assert not open_.ended


# A recorded cluster.

SHEDDING = RECORDED / "shedding-4.0.8"


def test_the_commands_tell_it() -> None:
    table = run("operate", "predict", str(SHEDDING))
    assert table.returncode == 0
    assert "23 rounds: 23 agreed, 0 explained, 0 differs, 0 unknown" in table.stdout
    why = run("operate", "why", "evenkeel/live/0x20000000_0x30000000", str(SHEDDING))
    assert (why.returncode, why.stderr) == (0, "")
    assert "was moved in 3 rounds, and stayed in 20" in why.stdout
    for clause in ("SHD-50", "SHD-55", "SHD-62", "SHD-63"):
        assert clause in why.stdout
    none = run("operate", "predict", str(SHEDDING.parent))
    assert none.returncode == 2
    assert "is no recording" in none.stderr


def test_a_log_whose_layout_prints_no_attributes_is_named(tmp_path: Path) -> None:
    newer = RECORDED / "shedding-5.0.1"
    bare = in_log(r" \{.*\}$", "")
    judge_changed(newer, tmp_path, filter(None, map(bare, read_entries(newer))))
    done = run("operate", "predict", str(tmp_path))
    assert (done.returncode, done.stdout) == (2, "")
    assert "%X after %msg in log4j2.yaml" in " ".join(done.stderr.split())


MODULAR = RECORDED / "shedding-modular-4.0.8"


def test_a_bundle_that_the_threshold_does_not_call_for_breaks_clauses() -> None:
    # In the first round another bundle leaves the same broker.
    other = in_log("0x60000000_0x70000000 from", "0xf0000000_0xffffffff from")
    first = modular_rounds(MODULAR, other)[0]
    assert first.match is Match.DIFFERS
    assert first.clauses
    assert all(clause.startswith("SHD-") for clause in first.clauses)


def test_what_averages_of_bundles_alone_contradict_is_unknown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    another = in_log("evenkeel/live/0x60000000_0x70000000 from", f"{X} from")
    for clauses, edition, match in (
        (("SHD-84",), DOCUMENTED, Match.UNKNOWN),
        (("SHD-84",), PULSAR_4_0, Match.DIFFERS),
        (("SHD-84", "SHD-80"), DOCUMENTED, Match.DIFFERS),
    ):
        found = dict.fromkeys(clauses, "why")
        monkeypatch.setattr(modular_decisions, "judge_decision", lambda *_, found=found: found)
        assert modular_rounds(MODULAR, another, edition)[0].match is match


def test_nothing_is_kept_of_a_broker_that_was_lost_for_a_second() -> None:
    terms = modular_decisions.Terms((), ((90_000, "b"),))
    usages: threshold.History = {BrokerId("b"): 0.9, BrokerId("c"): 0.5}
    terms.enter(LoggedModular("a", 60_000, 120_000))
    terms.keep("a", [usages])
    terms.enter(LoggedModular("a", 120_000, 180_000))
    assert list(terms.histories["a"]) == [{"c": 0.5}, usages]
    terms.keep("a", [usages])
    terms.enter(LoggedModular("a", 180_000, 240_000))
    assert list(terms.histories["a"]) == [usages]


def test_where_too_much_may_be_remembered_it_is_left_open() -> None:
    names = [f"b{number}" for number in range(6)]
    for lost, is_open in ((names[:5], False), (names, True)):
        terms = modular_decisions.Terms((), [(90_000, name) for name in (*lost, "x", "y")])
        usages: threshold.History = {BrokerId(name): 0.1 * n for n, name in enumerate(lost)}
        terms.enter(LoggedModular("a", 60_000, 120_000))
        terms.keep("a", [usages])
        terms.enter(LoggedModular("a", 120_000, 180_000))
        assert ("a" in terms.crowded) is is_open
        assert len(terms.histories["a"]) == (2 if is_open else 2**5)
    terms = modular_decisions.Terms(())
    terms.keep("a", [{BrokerId("b"): number / 1000} for number in range(100)])
    assert not terms.crowded
    terms.keep("a", [{BrokerId("b"): number / 1000} for number in range(101)])
    assert terms.crowded == {"a"}
    assert len(terms.histories["a"]) == 100


def test_a_round_that_was_not_logged_is_no_violation() -> None:
    rounds = modular_rounds(
        MODULAR, lambda one: None if one.source == "log" and "Shedder" in one.data else one
    )
    silent = [one for one in rounds if one.made == "nothing" and one.predicted != "nothing"]
    assert silent
    assert {one.match for one in silent} == {Match.EXPLAINED, Match.UNKNOWN}
