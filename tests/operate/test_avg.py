"""AvgShedder's rounds in a recording compared with what follows from the recorded reports."""

from __future__ import annotations

import json
import tomllib
from functools import partial
from pathlib import Path

import pytest

from evenkeel.operate.recording.attributes import in_older_form, in_text
from evenkeel.operate.recording.avglog import avg_rounds_of
from evenkeel.operate.recording.decisions import Match, findings_of
from evenkeel.operate.recording.entries import Entry
from evenkeel.operate.recording.store import read_entries
from evenkeel.operate.recording.why import reasons_of
from evenkeel.reference.edition import DOCUMENTED, PULSAR_4_0
from evenkeel.reference.shedding.avg import Hits
from tests.operate.entries_made import RECORDED, in_log, modular_rounds

RECORDING = RECORDED / "shedding-avg-4.0.8"
MOVED = "evenkeel/live/0x90000000_0xa0000000"


rounds = partial(modular_rounds, RECORDING)


def test_another_bundle_breaks_clauses() -> None:
    first = rounds(in_log("0x10000000_0x20000000 from", "0xf0000000_0xffffffff from"))[0]
    assert first.match is Match.DIFFERS
    assert set(first.clauses) & {"SHD-33", "SHD-35", "SHD-38"}
    (found,) = findings_of([first])
    assert found.violated


@pytest.mark.parametrize(
    ("old", "new", "word"),
    [
        (r"(brokerHitCountForHigh:\{[^=}]*=)1", r"\g<1>3", "counted"),
        (r"AvgShedder - broker:\[(\S+)\] is planning", r"AvgShedder - no \1", "is not to shed"),
        (r"(bundles to broker:\[)[^\]]*", r"\g<1>nobody", "to shed"),
    ],
)
def test_counts_and_pairs_are_judged_by_the_log_alone(old: str, new: str, word: str) -> None:
    first = rounds(in_log(old, new))[0]
    assert (first.match, first.clauses) == (Match.DIFFERS, ("SHD-38",))
    assert word in first.why


def test_a_pair_that_waits_longer_than_it_must_breaks_a_clause() -> None:
    """The same log with settings by which no pair would have waited long enough."""
    many = rounds(
        loadBalancerAvgShedderHitCountHighThreshold="9",
        loadBalancerAvgShedderHitCountLowThreshold="9",
    )
    moving = [one for one in many if one.made != "nothing"]
    assert moving
    assert {one.match for one in moving} == {Match.DIFFERS}
    assert {one.clauses for one in moving} == {("SHD-38",)}


def test_unknown_where_reports_do_not_have_the_ranking() -> None:
    assert rounds(lambda one: None if one.source == "load" else one) == []
    early = rounds(lambda one: one if one.source != "load" or one.time < began() else None)
    assert {one.match for one in early if one.made != "nothing"} == {Match.UNKNOWN}
    assert not any(one.match is Match.DIFFERS for one in early)


def began() -> int:
    """Just after the first reports of all brokers."""
    seen: set[str | None] = set()
    for one in read_entries(RECORDING, ("load",)):
        seen.add(one.broker)
        if len(seen) == 3:
            return one.time + 1
    raise AssertionError


def test_a_line_of_counts_that_is_missing_is_unknown() -> None:
    found = rounds(lambda one: None if "brokerHitCount" in str(one.data) else one)
    assert {one.match for one in found} == {Match.UNKNOWN}


def test_the_documented_edition_counts_by_pairs() -> None:
    found = rounds(edition=DOCUMENTED)
    assert found[0].match is Match.AGREED
    assert not any("SHD-38" in one.clauses for one in found)


def test_what_the_log_says() -> None:
    stamp = "2026-11-22T17:0{}:00,000+0000 [t] INFO  org.apache.pulsar.x."
    texts = [
        "AvgShedder - sorted broker list:[a:1, b:1, c:1]",
        "AvgShedder - brokerHitCountForHigh:{a:1=1, c:1=1}, brokerHitCountForLow:{a:1=2, c:1=2}",
        "AvgShedder - broker:[c:1] is planning to shed bundles to broker:[a:1],but the throughput",
        "AvgShedder - sorted broker list:[a:1, b:1, c:1]",
        "AvgShedder - brokerHitCountForHigh:{}, brokerHitCountForLow:{a:1=1, c:1=1}",
    ]
    first, second = avg_rounds_of(
        ("b", stamp.format(place // 3) + text) for place, text in enumerate(texts)
    )
    assert first.hits == {"a:1": Hits(2, 1), "c:1": Hits(2, 1)}
    assert (first.left, second.left) == ({}, {"a:1": Hits(1, 0), "c:1": Hits(1, 0)})
    assert first.offloads[0].stats == ()


def test_why_tells_of_its_rounds() -> None:
    assert MOVED in next(one.why for one in rounds() if "stayed" in one.why)
    reported = reasons_of(RECORDING, MOVED, PULSAR_4_0)
    assert any(one.moved for one in reported)
    assert "SHD-30" in " ".join(one.sentence for one in reported)


LAYOUTS = tomllib.loads((Path(__file__).parent / "logs" / "layouts.toml").read_text("utf-8"))


@pytest.mark.parametrize("line", LAYOUTS["lines"])
def test_a_line_of_json_is_read_as_text(line: str) -> None:
    logger = "org.apache.pulsar.broker.loadbalance.extensions.scheduler.UnloadScheduler"
    text = f"2026-11-29T23:28:08,072+0000 {logger} - Available brokers"
    assert in_text(line) == f"{text} {{broker=[a:1, b:1]}}"
    assert in_older_form(line) == f"{text}: [a:1, b:1]"
    assert in_text(line[:-1]) == line[:-1]  # it is cut off


def test_a_log_in_json_tells_the_same() -> None:
    def in_json(one: Entry) -> Entry:
        if one.source != "log":
            return one
        head, _, message = one.data.partition(" - ")
        words = head.split()
        data = {"@timestamp": words[0].replace(",", "."), "logger_name": words[-1]}
        return one._replace(data=json.dumps({**data, "message": message}))

    assert rounds(in_json) == rounds()
