"""The bounds of trials: each is documented as it is, and wide enough for production."""

from __future__ import annotations

import re

import pytest

from evenkeel_engine.kit.catalogue import QUESTIONS
from evenkeel_engine.trial_types import bounds
from evenkeel_engine.trial_types.bounds import PAGE, Path_

WRITTEN = bounds.on_page(PAGE.read_text(encoding="utf-8"))
HOW = "run `python -m evenkeel_engine.trial_types.bounds` with the question's name"
TODAY = 1_800_000_000_000
"""A clock of today, ms since 1970."""
GIGABYTE = 10**9
BUNDLES = 5_000
"""Bundles of a broker, brokers of a cluster, at most."""
BROKERS = 100

WORLDS = (
    ("ownership.channel", r"brokers|.*\.(broker|to|leader|preferred)"),
    ("ownership.locks", r"brokers|leader|.*\.(broker|bundle|to|preferred|leader)"),
    ("splitting.positions", r"bundle\.lower"),
    ("balancing.loop", r"seed"),
    ("scaling.loop", r"count"),  # four times the default of scalableTopicMaxSegments
    ("scaling.decision", r"history.*|reports\[\]\.segment"),
    ("scaling.loop", r"count"),
    ("scaling.assignment", r"commands.*"),
    ("throttling.entries_for_bytes", r"position\.ledger"),
    ("throttling.averages", r"sends\[\]\.entries"),
)
"""Small worlds that a trial makes itself, and places in its own lists: no numbers of production."""

PRODUCTION: tuple[tuple[str, float, float], ...] = (
    # times in ms, seconds, nanoseconds
    (r".*(\]|\))?\.?(at|now|updated_at)", TODAY, TODAY),
    (r".*\.written|last_split|last_merge|.*\.last_rebucket", 0, TODAY),
    (r".*\.millis", 0, 3_600_000),
    (r"lag", 0, 59_999),
    (r".*\.minutes|leaders\[\]", 1, 1440),
    (r".*\.nanos", 0, 10**12),
    (r".*\.after", 0, 86_400),
    (r"(.*\.)?(resolution)", 1, 10**9),
    # traffic and usage
    (r".*\.(throughput|throughput_in|throughput_out|throughput_average)", 0, 10 * GIGABYTE),
    (r".*\.loads\[\]\.rate", 0, 10 * GIGABYTE),
    (r"message_bytes|fan_out", 0, 1000),
    (r".*\.(msg_rate|msg_rate_in|msg_rate_out|rate_in|rate_out)", 0, 10**7),
    (r".*\.usage|usage", 0, 1000),
    (r".*\.?(cpu|memory|direct_memory|bandwidth_in|bandwidth_out)\.limit", 1, 10 * GIGABYTE),
    (r".*\.(cpu)", 0, 100),
    (r".*\.load", 0, 1),
    (r".*\.cache", 0, 100 * GIGABYTE),
    # settings that are no key of Pulsar's alone
    (r"(.*\.)?(weight|history)", 0, 1),
    (r"(.*\.)?(difference|threshold|overloaded_threshold)", 0, 100),
    (r"misspelt_(in|out)", 0, 1),
    (r".*\.max_topics", 1, 1_000_000),
    (r".*\.least", 1, BROKERS),
    # what a namespace or a topic sets of splits and merges
    (r"(namespace|topic)\.(min|max)_segments", 1, 60),
    (r"(namespace|topic)\.(max_depth|\w+_cooldown|merge_window)", 0, 86_400),
    (r"(namespace|topic)\.split_\w+_(in|out)", 1, 10 * GIGABYTE),
    (r"(namespace|topic)\.merge_\w+_(in|out)", 0, 10**6),
    # numbers of things
    (r".*\.(topics|producers|consumers|preallocated\[\])|(.*\.)?consumers\[\]", 0, 1_000_000),
    (r".*\.(segment|first|second)", 0, 100_000),
    (r".*\.bundles", 0, BUNDLES),
    (r".*\.counts\[\]|(.*\.)?budget|max_buckets|.*\.buckets", 1, 1024),
    (r"known_brokers|.*\.(available|brokers)", 0, BROKERS),
    (r".*\.statistics", 0, 1000),
    (r"(.*\.)?(times|attempts|partition|entry)", 1, 100),
    (r"count|default_count", 1, 1024),
    # hashes
    (r".*\.loads\[\]\.(start|end)", 0, 2**16 - 1),
    (r"(.*\.)?(boundaries\[\]|lower|upper|hash|position|positions\[\])", 1, 2**32 - 2),
    # dispatch rates
    (r"topics\[\]\.entries\[\]\.bytes|.*\(publish\)\.entries\[\]\.bytes", 1, 100 * 10**6),
    (r"(.*\.)?dispatcherMax(Read|RoundRobin)(BatchSize|SizeBytes)", 1, 10**6),
    (r"(.*\.)?(rate|bytes|tokens|capacity|initial|publish_size|dispatch_size)", 1, 10 * GIGABYTE),
    (r"(.*\.)?(messages|permits)", 1, 1_000_000),
    (r"(.*\.)?(entries|average_messages|max_entries|max_bytes|batch_size)", 1, 1_000_000),
    (r"(.*\.)?(period|updated)", 1, 3600),
    (r"(.*\.)?(consumer|subscription|topic|ticket|index|counter|round|version)", 0, 1000),
)
"""By a field's name: what a trial about production must be able to hold."""


def name_of(path: Path_) -> str:
    return ".".join(path).replace(".[]", "[]")


def fields() -> list[tuple[str, Path_]]:
    return [(question, path) for question, found in WRITTEN.items() for path in found]


@pytest.mark.parametrize("name", QUESTIONS)
def test_every_number_of_a_trial_is_on_the_page(name: str) -> None:
    question = QUESTIONS[name]
    seen = {
        path: whole
        for path, whole in bounds.numbers_in_trials(question)
        if bounds.tries_of(question, path)[0]
    }
    assert seen == {path: whole for path, (whole, _, _) in WRITTEN.get(name, {}).items()}, HOW


@pytest.mark.parametrize("name", WRITTEN)
def test_page_matches_bounds_of_trials(name: str) -> None:
    question = QUESTIONS[name]
    for path, (whole, least, most) in WRITTEN[name].items():
        tries, _ = bounds.tries_of(question, path)
        typed = int if whole else float
        for bound, beyond in ((least, -1), (most, 1)):
            assert any(valid(typed(bound)) for valid in tries), (name_of(path), bound, HOW)
            if abs(bound) < bounds.RUNGS[-1] and not is_stepped(path):
                # Of numbers with a fraction the next one is too near to tell.
                further = bound + beyond * (1 if whole else max(1.0, abs(bound)))
                held = any(valid(typed(further)) for valid in tries)
                assert not held, (name_of(path), further, HOW)


def is_stepped(path: Path_) -> bool:
    """Times at whole minutes: the next one is not the next number."""
    return name_of(path) == "cycles[].now"


@pytest.mark.parametrize(("question", "path"), fields(), ids=str)
def test_a_bound_is_wide_enough_for_production(question: str, path: Path_) -> None:
    name = name_of(path)
    if any(one == question and re.fullmatch(form, name) for one, form in WORLDS):
        return
    _, least, most = WRITTEN[question][path]
    default = default_of(question, path)
    if default is not None:
        assert least <= default <= most
        return
    expected = [(low, high) for form, low, high in PRODUCTION if re.fullmatch(form, name)]
    assert expected, "add the range of this number in production to PRODUCTION"
    low, high = expected[0]
    assert least <= low, f"{name} of {question} begins at {least}"
    assert most >= high, f"{name} of {question} ends at {most}"


def default_of(question: str, path: Path_) -> float | None:
    """Pulsar's default, if the field is a setting."""
    kind = QUESTIONS[question].trial_type
    return bounds.default_at(kind, path)
