"""Which entries a producer makes of messages to a segment (SCA-91 to SCA-95)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Annotated, Final

from evenkeel.properties.scaling import routing
from evenkeel.reference.edition import Edition
from evenkeel.reference.scaling.entries import Entry, SentMessage, Stamp, batch_size, publish
from evenkeel_engine.kit.clause import Case, in_full
from evenkeel_engine.kit.draw import Draw
from evenkeel_engine.kit.judge import monitor
from evenkeel_engine.kit.observations import Broke, Refused
from evenkeel_engine.kit.question import Question
from evenkeel_engine.kit.run import MonitorRun, fill
from evenkeel_engine.kit.trial import Within, require_name, require_within


@dataclass(frozen=True, slots=True)
class EntriesTrial:
    """`scaling.entries`: a client sends these messages in order to one segment, by one producer.

    All keys are of this segment; bucket hashes and `splits` are as in `scaling.routing`. A batch
    may have `max_messages`, by a setting. Without `batching` the application wants no batches;
    `encrypted`: the producer encrypts. At the end all that waits is published. An entry of messages
    that all have no key may have a stamp or none.
    """

    splits: tuple[int, ...]
    messages: tuple[SentMessage, ...]
    max_messages: Annotated[int, Within(1, 2**31 - 1)] = 1000
    batching: bool = True
    encrypted: bool = False

    def __post_init__(self) -> None:
        require_within(self)
        routing.require_splits(self.splits)
        for message in self.messages:
            require_name("messages", message.key or "none")


@dataclass(frozen=True, slots=True)
class EntriesAnswer:
    """The entries in the order of publishing; whether the client has buckets, always the same."""

    entries: tuple[Entry, ...]
    buckets: bool


def entries_trial(draw: Draw) -> EntriesTrial:
    """Messages with a few keys, at whose hashes buckets often begin or end."""
    keys = [routing.draw_key(draw) for _ in draw.items(6, 0.85, 1)]
    sent = (SentMessage(draw.pick(keys), draw.chance(0.1)) for _ in draw.items(16, 0.9, 1))
    splits = routing.draw_cuts(draw, hashes_of(keys))
    size = draw.pick((1000, draw.integer(1, 6)))
    return EntriesTrial(splits, tuple(sent), size, not draw.chance(0.1), draw.chance(0.15))


def entries_labels(trial: EntriesTrial) -> Iterator[str]:
    """What decides who shares an entry."""
    yield "buckets" if trial.splits else "one bucket"
    yield "encrypted" if trial.encrypted else "batches" if trial.batching else "no batches"


def answer_entries(trial: EntriesTrial, edition: Edition) -> EntriesAnswer:
    """The reference's answer."""
    size = batch_size(trial.max_messages, trial.batching, trial.encrypted)
    return EntriesAnswer(tuple(publish(trial.messages, trial.splits, size, edition)), True)


@monitor("scaling.entries", "SCA-91", "SCA-92", "SCA-93", "SCA-94", "SCA-95")
def judge_entries(run: MonitorRun, case: Case[EntriesTrial, EntriesAnswer]) -> None:
    trial, observed = case.trial, case.observation
    if isinstance(observed, Refused | Broke):
        run.require("SCA-94", False, fill("the client {}", in_full(observed)), "shape")
        return
    keys = [one.key for one in trial.messages]
    places = [place for one in observed.entries for place in one.messages]
    once = sorted(places) == [*range(len(keys))] and all(one.messages for one in observed.entries)
    run.require("SCA-94", once, fill("messages {} are in entries", places), "number")
    if not once:
        return
    for key in {*keys} - {None}:
        order = [place for place in places if keys[place] == key]
        wrong = fill("messages of key {} are published in the order {}", key, order)
        run.require("SCA-94", order == sorted(order), wrong)
    if trial.encrypted or not (observed.buckets and trial.batching):
        wrong = fill("without batches messages are published in the order {}", places)
        run.require("SCA-94", places == sorted(places), wrong)
    if len(keys) > 1 and (trial.encrypted or not observed.buckets):
        shared = [one.messages for one in observed.entries if len(one.messages) != 1]
        wrong = fill("messages {} share entries, encrypted or without buckets", shared)
        run.require("SCA-95", not shared, wrong)
    several = len(buckets_of(trial, hashes_of(keys))) > 1
    for entry in observed.entries:
        hashes = hashes_of(keys[place] for place in entry.messages)
        among = buckets_of(trial, hashes)
        if several and among:
            wrong = fill("messages {} of one entry are in buckets {}", entry.messages, among)
            run.require("SCA-91", len(among) == 1, wrong)
        if entry.stamp is not None and len(among) <= 1:
            wrong = fill("messages with bucket hashes {} are stamped {}", hashes, entry.stamp)
            run.require("SCA-92", is_tight(trial, entry, entry.stamp, hashes), wrong)
        if observed.buckets and among and (trial.batching or trial.encrypted):
            lone = trial.encrypted or trial.messages[entry.messages[0]].delayed
            right = not (lone and case.edition.lone_entries_unstamped)
            wrong = fill("the entry with messages {} is stamped {}", entry.messages, entry.stamp)
            run.require("SCA-93", (entry.stamp is not None) == right, wrong)


def is_tight(trial: EntriesTrial, entry: Entry, has: Stamp, hashes: list[int]) -> bool:
    """Whether a stamp has these hashes at its ends; with messages without keys, in its bucket."""
    if len(hashes) == len(entry.messages):
        return has == Stamp(min(hashes), max(hashes))
    least, most = min(hashes, default=has.least), max(hashes, default=has.most)
    around = 0 <= has.least <= least <= most <= has.most < 2**16
    return around and len(buckets_of(trial, [has.least, has.most])) == 1


def hashes_of(keys: Iterable[str | None]) -> list[int]:
    """The bucket hashes of the keys that there are."""
    return [routing.hash_of(key) % 2**16 for key in keys if key is not None]


def buckets_of(trial: EntriesTrial, hashes: Iterable[int]) -> set[int]:
    """The entry buckets of these hashes."""
    return {routing.bucket_at(trial.splits, low) for low in hashes}


ENTRIES: Final = Question(
    "scaling.entries", EntriesTrial, EntriesAnswer, entries_trial, answer_entries, entries_labels
)

QUESTIONS: Final = (ENTRIES,)
