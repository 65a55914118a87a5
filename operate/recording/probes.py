"""Judging what probes saw: topics that two brokers have open, topics for which no broker is named,
brokers that are named but never come to open the topic, brokers that name no broker where others
do, and brokers that keep naming different owners.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from evenkeel.operate.recording.entries import Entry
from evenkeel.operate.recording.findings import Found, Margins

PRODUCERS, CONSUMERS, MESSAGES = 0, 1, 2


@dataclass(slots=True)
class SeenMessages:
    """A broker has a topic open, with clients: from the end of one probe to the beginning of
    another. `entered` counts the messages that came in meanwhile.
    """

    since: int
    until: int
    first: int
    entered: int = 0


@dataclass(slots=True)
class Unnamed:
    """For a topic no broker is named, by any broker or by one: since when, how often asked."""

    since: int
    until: int
    asked: int = 0

    @property
    def lasted(self) -> str:
        """In words."""
        return f"{(self.until - self.since) / 1000:.0f} s, asked {self.asked} times"


@dataclass(slots=True)
class NamedOwner:
    """Whom a broker names for a topic: from the end of one lookup to the beginning of another."""

    owner: str
    since: int
    until: int


@dataclass(slots=True)
class Probes:
    """What is known at one time of a recording."""

    margins: Margins
    double_clause: str
    gap_clause: str
    serves_clause: str
    answer_clause: str = "OWN-48"
    seen: dict[str, dict[str, SeenMessages]] = field(default_factory=dict)
    """Topic, broker."""
    probed: dict[str, int] = field(default_factory=dict)
    """When each broker last answered."""
    registered: dict[str, bool] = field(default_factory=dict)
    """By the sessions that were recorded."""
    unnamed: dict[str, Unnamed] = field(default_factory=dict)
    silent: dict[tuple[str, str], Unnamed] = field(default_factory=dict)
    """Broker, topic: it names no broker."""
    answers: dict[str, dict[str, NamedOwner]] = field(default_factory=dict)
    """Topic, broker: whom it names."""
    named: dict[str, tuple[str, int, int]] = field(default_factory=dict)
    """Topic: the broker that all name, since when, until when."""
    tried: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Topic: since when a client fails there, and when it last did."""
    disturbed: int = 0
    """When the store of metadata was last out of reach, or an operation was under way."""
    found: dict[tuple[str, str, int], Found] = field(default_factory=dict)

    @property
    def apart(self) -> float:
        """Milliseconds between two probes of a broker that belong together, at most."""
        return self.margins.broken * 1000

    def take(self, entry: Entry) -> None:
        """One more entry."""
        match entry.source:
            case "serving" if entry.broker is not None:
                self.take_serving(entry, entry.broker)
            case "lookup":
                self.take_lookups(entry)
            case "session" if entry.broker is not None:
                self.registered[entry.broker] = entry.data is not None
                if entry.data is None:
                    self.forget(entry.broker)
            case "client" if entry.subject is not None:
                self.take_client(entry, entry.subject)
            case "note" if entry.data.get("source") == "zookeeper":
                self.disturbed = max(self.disturbed, entry.time)
            case "fault" if entry.data.get("of") in ("zookeeper", "bookie"):
                self.disturbed = max(self.disturbed, entry.time)

    def forget(self, broker: str) -> None:
        """What a broker said before its session went does not count."""
        for answers in self.answers.values():
            answers.pop(broker, None)

    def take_serving(self, entry: Entry, broker: str) -> None:
        """What a broker has open now. One that does not answer is not known to have anything."""
        with_clients = {
            topic: counts
            for topic, counts in (entry.data or {}).items()
            if counts[PRODUCERS] or counts[CONSUMERS]
        }
        for topic, of_topic in self.seen.items():
            if topic not in with_clients:
                of_topic.pop(broker, None)
        if entry.data is not None:
            self.probed[broker] = entry.time
        for topic, counts in with_clients.items():
            self.see(topic, broker, entry, counts[MESSAGES])

    def see(self, topic: str, broker: str, entry: Entry, messages: int) -> None:
        """A broker has a topic open, with clients."""
        of_topic = self.seen.setdefault(topic, {})
        known = of_topic.get(broker)
        if known is None or entry.began - known.until > self.apart or messages < known.first:
            of_topic[broker] = SeenMessages(entry.time, entry.began, messages)
            return
        known.until, known.entered = entry.began, messages - known.first
        for other, seen in of_topic.items():
            if other != broker:
                self.compare(topic, (broker, known), (other, seen))

    def compare(
        self, topic: str, one: tuple[str, SeenMessages], two: tuple[str, SeenMessages]
    ) -> None:
        """Two brokers that both have a topic open, for too long."""
        since = max(one[1].since, two[1].since)
        until = min(one[1].until, two[1].until)
        if until - since <= self.margins.double * 1000:
            return
        both = one[1].entered > 0 and two[1].entered > 0
        names = sorted((one[0], two[0]))
        entered = "messages came in at both" if both else "messages came in at one at most"
        lasted = f"{(until - since) / 1000:.0f} s"
        sentence = f"{names[0]} and {names[1]} had it open, with clients, for {lasted}; {entered}"
        self.report("double", topic, sentence, (since, until), self.double_clause)

    def report(
        self,
        kind: str,
        topic: str,
        sentence: str,
        times: tuple[int, int],
        clause: str | None,
        of: str = "",
    ) -> None:
        """What was found of a topic; what lasts longer by now takes the place of itself."""
        self.found[kind, f"{of}{topic}", times[0]] = Found(kind, topic, sentence, *times, clause)

    def take_lookups(self, entry: Entry) -> None:
        """Whom a broker names. One that names no broker at all, though asked, may be cut off."""
        for topic, broker in entry.data.items():
            asked = (entry.broker or "", topic)
            if broker is None:
                self.no_broker(topic, entry)
                self.says_nothing(asked, entry)
            else:
                self.unnamed.pop(topic, None)
                self.silent.pop(asked, None)
                self.some_broker(topic, broker, entry)
                self.note_owner(asked, broker, entry)

    def note_owner(self, asked: tuple[str, str], owner: str, entry: Entry) -> None:
        """A broker named an owner. One that names another for as long must come to agree."""
        broker, topic = asked
        limit = self.margins.gap * 1000
        answers = self.answers.setdefault(topic, {})
        known = answers.get(broker)
        if known is None or known.owner != owner or not self.goes_on(known, entry):
            answers[broker] = NamedOwner(owner, entry.time, entry.began)
            return
        known.until = entry.began
        for other, answer in answers.items():
            since, until = max(known.since, answer.since), min(known.until, answer.until)
            lives = entry.began - answer.until <= self.apart
            there = self.registered.get(broker, True) and self.registered.get(other, True)
            if answer.owner != owner and lives and there and until - since > limit:
                lasted = f"{(until - since) / 1000:.0f} s"
                sentence = f"{broker} named {owner} and {other} named {answer.owner} for {lasted}"
                clause = self.answer_clause if {broker, other} <= set(self.registered) else None
                self.report("disagree", topic, sentence, (since, until), clause)

    def goes_on(self, known: Unnamed | NamedOwner, entry: Entry) -> bool:
        """It was so just before, and nothing disturbed it."""
        return entry.began - known.until <= self.apart and self.disturbed <= known.since

    def prolong(self, known: Unnamed | None, entry: Entry) -> Unnamed | None:
        """It is so for longer, if it continues."""
        if known is None or not self.goes_on(known, entry):
            return None
        known.until, known.asked = entry.time, known.asked + 1
        return known

    def says_nothing(self, asked: tuple[str, str], entry: Entry) -> None:
        """A broker named no broker. It counts against one that is registered and answers otherwise,
        where others name one; whether it is registered may not be recorded.
        """
        broker, topic = asked
        named = self.named.get(topic)
        elsewhere = named is not None and entry.began - named[2] <= self.apart
        answers = entry.began - self.probed.get(broker, 0) <= self.apart
        known = self.prolong(self.silent.get(asked), entry)
        if known is None or not (elsewhere and answers and self.registered.get(broker, True)):
            self.silent[asked] = Unnamed(entry.began, entry.time, 1)
        elif known.until - known.since > self.margins.gap * 1000:
            sentence = f"{broker} named no owner for {known.lasted}, while others named one"
            clause = self.answer_clause if broker in self.registered else None
            self.report("silent", topic, sentence, (known.since, known.until), clause, f"{broker} ")

    def no_broker(self, topic: str, entry: Entry) -> None:
        """A topic for which no broker was named."""
        if (known := self.prolong(self.unnamed.get(topic), entry)) is None:
            self.unnamed[topic] = Unnamed(entry.began, entry.time, 1)
        elif known.until - known.since > self.margins.gap * 1000:
            sentence = f"no broker named an owner for {known.lasted}"
            self.report("gap", topic, sentence, (known.since, known.until), self.gap_clause)

    def some_broker(self, topic: str, broker: str, entry: Entry) -> None:
        """A broker that is named. If it answers, and clients try, it must come to open it."""
        known = self.named.get(topic)
        kept = known is not None and known[0] == broker and entry.began - known[2] <= self.apart
        opened = broker in self.seen.get(topic, {})
        if not kept or known is None or opened or self.disturbed > known[1]:
            self.named[topic] = (broker, entry.time, entry.began)
            return
        self.named[topic] = (broker, known[1], entry.began)
        answers = entry.began - self.probed.get(broker, 0) <= self.apart
        limit = self.margins.gap * 1000
        tries = self.tried.get(topic)
        if not answers or tries is None or entry.began - known[1] <= limit:
            return
        if entry.began - tries[0] > limit and entry.began - tries[1] <= self.apart:
            lasted = f"{(entry.began - known[1]) / 1000:.0f} s"
            named = f"all lookups named {broker}, which answers but did not open it for {lasted}"
            times = known[1], entry.began
            self.report("absent", topic, f"{named} while a client tried", times, self.serves_clause)

    def take_client(self, entry: Entry, topic: str) -> None:
        """A client that fails, or succeeds, at a topic."""
        if entry.data == "works":
            self.tried.pop(topic, None)
        else:
            self.tried[topic] = (self.tried.get(topic, (entry.time, 0))[0], entry.time)


def judge_probes(entries: Iterable[Entry], manager: str, margins: Margins) -> Probes:
    """All that probes tell."""
    modular = manager == "modular"
    probes = Probes(
        margins,
        "OWN-21" if modular else "OWN-7",
        "OWN-26" if modular else "OWN-47",
        "OWN-24" if modular else "OWN-13",
    )
    for entry in entries:
        probes.take(entry)
    return probes
