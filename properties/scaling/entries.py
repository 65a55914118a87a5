"""Which entries a producer makes of messages to a segment (SCA-91 to SCA-95)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Annotated, Final

from evenkeel.properties.scaling.routing import draw_cuts, draw_key, hash_of, require_splits
from evenkeel.properties.scaling.trial_parts import HASHES
from evenkeel.reference.edition import Edition
from evenkeel.reference.scaling.entries import Batching, Entry, SentMessage, Stamp, publish
from evenkeel_engine.kit.clause import Case, in_full
from evenkeel_engine.kit.draw import Draw
from evenkeel_engine.kit.judge import monitor
from evenkeel_engine.kit.observations import Broke, Refused
from evenkeel_engine.kit.question import Question
from evenkeel_engine.kit.run import MonitorRun, fill
from evenkeel_engine.kit.trial import Within, require, require_within


@dataclass(frozen=True, slots=True)
class EntriesTrial:
    """`scaling.entries`: a client sends these messages in order to one segment, by one producer.

    `splits` are the first bucket hashes of the segment's entry buckets but the first; an empty
    list means that there is one. All keys are of this segment. A batch may have `max_messages`,
    by a setting of the producer. Without `batching` the application wants no batches; `encrypted`:
    the producer encrypts. At the end all that waits is published.
    """

    splits: tuple[int, ...]
    messages: tuple[SentMessage, ...]
    max_messages: Annotated[int, Within(1, 2**31 - 1)] = 1000
    batching: bool = True
    encrypted: bool = False

    def __post_init__(self) -> None:
        require_within(self)
        require_splits(self.splits)
        texts = "".join(one.key or "" for one in self.messages)
        lone = any("\ud800" <= one <= "\udfff" for one in texts)
        require(not lone, "messages", "must not hold lone surrogates")


@dataclass(frozen=True, slots=True)
class EntriesAnswer:
    """The entries in the order of publishing; whether the client implements entry bucketing, which
    is the same in all trials.
    """

    entries: tuple[Entry, ...]
    buckets: bool


# -------------------------------------------------------------------------- trials


def entries_trial(draw: Draw) -> EntriesTrial:
    """Messages with a few keys, at whose hashes buckets often begin or end."""
    keys = [draw_key(draw) for _ in draw.items(6, 0.85, 1)]
    lows = [hash_of(key) % HASHES for key in keys if key is not None]
    sent = (SentMessage(draw.pick(keys), draw.chance(0.1)) for _ in draw.items(16, 0.9, 1))
    return EntriesTrial(
        draw_cuts(draw, lows),
        tuple(sent),
        draw.pick((1000, 1000, draw.integer(1, 6))),
        not draw.chance(0.1),
        draw.chance(0.15),
    )


def entries_labels(trial: EntriesTrial) -> Iterator[str]:
    """What decides who shares an entry."""
    yield "buckets" if trial.splits else "one bucket"
    yield "encrypted" if trial.encrypted else "batches" if trial.batching else "no batches"
    if any(one.key is None for one in trial.messages):
        yield "without a key"
    if any(one.delayed for one in trial.messages):
        yield "delayed"


# -------------------------------------------------------------- the reference's answer


def answer_entries(trial: EntriesTrial, edition: Edition) -> EntriesAnswer:
    """The reference's answer."""
    batching = Batching(trial.max_messages, trial.batching, trial.encrypted)
    return EntriesAnswer(tuple(publish(trial.messages, trial.splits, batching, edition)), True)


# -------------------------------------------------------------------------- the judge


@monitor("scaling.entries", "SCA-91", "SCA-92", "SCA-93", "SCA-94", "SCA-95")
def judge_entries(run: MonitorRun, case: Case[EntriesTrial, EntriesAnswer]) -> None:
    trial, observed = case.trial, case.observation
    if isinstance(observed, Refused | Broke):
        run.require("SCA-94", False, fill("the client {}", in_full(observed)), "shape")
        return
    places = [place for entry in observed.entries for place in entry.messages]
    once = sorted(places) == list(range(len(trial.messages)))
    run.require("SCA-94", once, fill("messages {} are in entries", places), "number")
    if not once:
        return
    for key in {one.key for one in trial.messages} - {None}:
        of_key = [place for place in places if trial.messages[place].key == key]
        wrong = fill("messages of key {} are published in the order {}", key, of_key)
        run.require("SCA-94", of_key == sorted(of_key), wrong)
    require_alone(run, trial, observed)
    several = len(buckets_of(trial, range(len(places)))) > 1
    for entry in observed.entries:
        among = buckets_of(trial, entry.messages)
        if several and among:
            wrong = fill("messages {} of one entry are in buckets {}", entry.messages, among)
            run.require("SCA-91", len(among) == 1, wrong)
        if entry.stamp is not None and len(among) <= 1:
            require_tight(run, trial, entry, entry.stamp)
        if observed.buckets and among and (trial.batching or trial.encrypted):
            require_stamped(run, trial, entry, case.edition)


def require_alone(run: MonitorRun, trial: EntriesTrial, observed: EntriesAnswer) -> None:
    """Who must not batch at all."""
    if len(trial.messages) > 1 and (trial.encrypted or not observed.buckets):
        shared = [entry.messages for entry in observed.entries if len(entry.messages) != 1]
        who = "encrypts" if trial.encrypted else "has no buckets"
        run.require("SCA-95", not shared, fill("a producer that {} made batches {}", who, shared))


def require_tight(run: MonitorRun, trial: EntriesTrial, entry: Entry, has: Stamp) -> None:
    """What the stamp of an entry of one bucket says."""
    hashes = hashes_of(trial, entry.messages)
    if len(hashes) == len(entry.messages):
        wrong = fill("messages with bucket hashes {} are stamped {}", hashes, has)
        run.require("SCA-92", has == Stamp(min(hashes), max(hashes)), wrong)
        return
    least, most = min(hashes, default=has.least), max(hashes, default=has.most)
    around = 0 <= has.least <= least <= most <= has.most < HASHES
    one = around and bucket_at(trial, has.least) == bucket_at(trial, has.most)
    wrong = fill("messages with bucket hashes {}, others without, are stamped {}", hashes, has)
    run.require("SCA-92", one, wrong)


def require_stamped(run: MonitorRun, trial: EntriesTrial, entry: Entry, edition: Edition) -> None:
    """Whether the entry must have a stamp."""
    lone = trial.encrypted or trial.messages[entry.messages[0]].delayed
    right = not (lone and edition.lone_entries_unstamped)
    wrong = fill("the entry with messages {} is stamped {}", entry.messages, entry.stamp)
    run.require("SCA-93", (entry.stamp is not None) == right, wrong)


def hashes_of(trial: EntriesTrial, places: Iterable[int]) -> list[int]:
    """The bucket hashes of those of these messages that have a key."""
    keys = (trial.messages[place].key for place in places)
    return [hash_of(key) % HASHES for key in keys if key is not None]


def buckets_of(trial: EntriesTrial, places: Iterable[int]) -> list[int]:
    """The entry buckets of those of these messages that have a key, each once."""
    return sorted({bucket_at(trial, one) for one in hashes_of(trial, places)})


def bucket_at(trial: EntriesTrial, low: int) -> int:
    """The last bucket that begins at this hash or before."""
    return max(place for place, first in enumerate((0, *trial.splits)) if first <= low)


ENTRIES: Final = Question(
    "scaling.entries", EntriesTrial, EntriesAnswer, entries_trial, answer_entries, entries_labels
)

QUESTIONS: Final = (ENTRIES,)
