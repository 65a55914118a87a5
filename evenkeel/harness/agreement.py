"""Whether releases of Apache Pulsar answer as the editions that model them, on the same trials.

The reference's answer is taken once for all editions that do not differ in a question. An answer
that is the same on the wire, but for the wording of refusals, needs no judge; any other one is
judged once for these editions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from typing import Any, Final

from evenkeel.harness.cases import same_essence
from evenkeel.harness.fast_dataclasses import unfreeze
from evenkeel.harness.seeded import Block, requests
from evenkeel.harness.subjects import wire
from evenkeel.harness.subjects.base import Observed, Reply, Skipped
from evenkeel.harness.subjects.process import ProcessSubject
from evenkeel.harness.subjects.pulsar import ADAPTER
from evenkeel.properties.catalogue import QUESTIONS, clauses_for
from evenkeel.properties.kit.clause import Case
from evenkeel.properties.kit.codec import Json, to_text
from evenkeel.properties.kit.question import Observation, Question, judged
from evenkeel.reference.edition import EDITIONS, LINES, Edition

EDITION_OF: Final = {line.release: EDITIONS[name] for name, line in LINES.items() if line.release}
"""By release the edition that models it."""
SAME, OTHERWISE, SKIPPED = "same", "otherwise", "skipped"
ERRORED: Final = "errored"
OPEN: Final = ("violated", "undecided", ERRORED)
"""What has to be decided: a clause objects, a judge gave up, or the process failed."""

SHARED: Final = 500
"""How many messages are kept: those of the releases that are read in turn."""


@dataclass(frozen=True, slots=True)
class Job:
    """A block of trials for these releases."""

    block: Block
    releases: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Open:
    """A release's answer that has to be decided: to which trial, what it came to, and why."""

    release: str
    trial: str
    word: str
    why: str

    def __str__(self) -> str:
        return f"{self.release}: {self.trial}: {self.word}: {self.why}"


@dataclass(slots=True)
class Found:
    """What came of the trials by release, and what has to be decided."""

    counts: dict[str, Counter[str]] = field(default_factory=dict)
    open: list[Open] = field(default_factory=list)


def work(job: Job) -> Found:
    """Put the trials to all releases at the same time."""
    block, found = job.block, Found({release: Counter() for release in job.releases})
    unfreeze(block.question)
    question = QUESTIONS[block.question]
    asked = [replace(one, text=to_text(one.trial)) for one in requests(block)]
    models = {release: alike(EDITION_OF[release], block.question) for release in job.releases}
    distinct = {one.name: one for one in models.values()}.values()
    answers = (opened(release).replies(asked) for release in job.releases)
    for request, *replies in zip(asked, *answers, strict=True):
        expected = expected_of(question, request.trial, distinct)
        for release, (_, reply) in zip(job.releases, replies, strict=True):
            word, why = expected[models[release].name].compared(reply)
            found.counts[release][word] += 1
            if word in OPEN:
                place = f"{block.question}@{block.seed}:{request.key}"
                found.open.append(Open(release, place, word, why))
    return found


def expected_of(
    question: Question[Any, Any], trial: Any, editions: Iterable[Edition]
) -> dict[str, Expected]:
    """What is expected, by edition; where editions answer alike, the answer is encoded once."""
    found: dict[str, Expected] = {}
    for edition in editions:
        observation = question.observe(trial, edition)
        twin = next((one for one in found.values() if one.observation == observation), None)
        message = wire.observation_to_json(observation) if twin is None else twin.message
        found[edition.name] = Expected(question, trial, edition, observation, message)
    return found


def alike(edition: Edition, question: str) -> Edition:
    """The nearest parent from which an edition does not differ in a question, or itself."""
    line = LINES[edition.name]
    if line.parent is None or any(question in change.questions for change in line.changes):
        return edition
    return alike(EDITIONS[line.parent], question)


@cache
def opened(release: str) -> ProcessSubject:
    """A release, for as long as this process runs."""
    return started(release)


def started(release: str) -> ProcessSubject:
    """A release in a process of its own. Raises `SubjectUnusable`."""
    command = [str(ADAPTER / "run"), "--pulsar", release]
    return ProcessSubject(command, read=unread, decode=decoded)


@lru_cache(maxsize=SHARED)
def decoded(line: bytes) -> dict[str, Json]:
    """A message of a line, once for all releases that answer alike. Raises `BadMessage`."""
    return wire.read_line(line)


def unread(question: Question[Any, Any], message: Mapping[str, Json]) -> Reply:
    """A reply; an observation as the message that it came in."""
    return (
        Observed(message)
        if message["type"] == "observation"
        else wire.read_reply(question, message)
    )


class Expected:
    """What the reference observes on a trial, the same on the wire, and what other answers of
    releases came to.
    """

    __slots__ = ("came_to", "edition", "message", "observation", "question", "trial")

    def __init__(
        self,
        question: Question[Any, Any],
        trial: Any,
        edition: Edition,
        observation: Observation,
        message: dict[str, Json],
    ) -> None:
        self.question, self.trial, self.edition = question, trial, edition
        self.observation, self.message = observation, message
        self.came_to: list[tuple[Mapping[str, Json], tuple[str, str]]] = []

    def compared(self, reply: Reply) -> tuple[str, str]:
        """What the reply comes to, and why if that has to be decided."""
        if not isinstance(reply, Observed):
            return (SKIPPED if isinstance(reply, Skipped) else ERRORED), reply.reason
        message: Any = reply.observation
        for other, found in self.came_to:
            if other is message or all(
                other.get(name) == message.get(name) for name in wire.SHAPES
            ):
                return found
        found = self.looked_at(message)
        self.came_to.append((message, found))
        return found

    def looked_at(self, message: Mapping[str, Json]) -> tuple[str, str]:
        """What a message comes to that no other release has sent."""
        observed = {name: message.get(name) for name in self.message}
        if same_essence(observed, self.message):
            return SAME, ""
        reply = wire.read_reply(self.question, message)
        return (
            self.judged(reply.observation)
            if isinstance(reply, Observed)
            else (ERRORED, reply.reason)
        )

    def judged(self, observation: Observation) -> tuple[str, str]:
        """The same for an observation."""
        if same_essence(wire.observation_to_json(observation), self.message):
            return SAME, ""
        case = Case(self.trial, observation, self.edition, self.question.observe)
        judgement = judged(clauses_for(self.question.name, self.edition), case)
        for verdict in judgement.failed:
            return "violated", f"{verdict.signature}: {verdict.sentence}"
        undecided = [one.clause for one in judgement.verdicts if one.status == "undecided"]
        return ("undecided", ", ".join(undecided)) if undecided else (OTHERWISE, "")
