"""Topic names and their hashes."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from evenkeel.properties.bundles.trial_parts import VARIANTS, draw_hash, topic_with_hash
from evenkeel.reference.bundles import topics
from evenkeel.reference.edition import Edition
from evenkeel.reference.java_text import is_blank, same_ignoring_case, utf8
from evenkeel.reference.switches.bundles import LegacyNames
from evenkeel_engine.kit.clause import Case, describe, name_shape
from evenkeel_engine.kit.draw import Draw
from evenkeel_engine.kit.formatting import display
from evenkeel_engine.kit.judge import answers, decision
from evenkeel_engine.kit.observations import Refused
from evenkeel_engine.kit.question import Question
from evenkeel_engine.kit.run import Run
from evenkeel_engine.kit.trial import require


@dataclass(frozen=True, slots=True)
class TopicTrial:
    """`bundles.topic`: what does this text name, and what is its hash?"""

    text: str

    def __post_init__(self) -> None:
        require(self.text.isprintable() or "\ufffd" not in self.text, "text", "must be plain text")
        require(
            not any(0xD800 <= ord(c) <= 0xDFFF for c in self.text),
            "text",
            "must not hold lone surrogates, which have no UTF-8 form",
        )


@dataclass(frozen=True, slots=True)
class TopicAnswer:
    """The complete name, its pieces, and the 32-bit hash of the complete name.

    `namespace` is `tenant/namespace`; `local_name` is all that follows it, a partition suffix
    included. `base_name` is `name`, as answered, without that suffix; `partition` is null for a
    topic that is not a partition.
    """

    name: str
    domain: str
    namespace: str
    local_name: str
    base_name: str
    partition: int | None
    hash: int


_SPELLED: Final = ("persistent", "non-persistent", "PERSISTENT", "Non-Persistent", "http", "")
_DOMAINS: Final = (*_SPELLED, "per\u017fistent", "PERS\u0130STENT")
_GOOD: Final = ("x", "public", "t", "a-b", "a.b", "a=b", "a:b", "a_b")
_PIECES: Final = (*_GOOD, "", "a b", "ü", "e\u0301", "a/b", "%2F", "t\n", "x\n")

_LOCAL_ENDS: Final = (
    "",
    "-partition-0",
    "-partition-7",
    "-partition-2147483647",
    "-partition-2147483648",
    "-partition-01",
    "-partition--1",
    "-partition-+1",
    "-partition-",
    "-partition-0-partition-3",
    "-partition-3x",
    "-partition-\u0663",
    "-partition-1\u0660",
    "-partition-\U0001d7d9",
)

_LOCALS: Final = (
    "x",
    "my-topic",
    "a/b",
    "x/",
    " ",
    "",
    "\t",
    "\u00a0",
    "\u2003\x1f",
    "\x85",
    "ünï",
    "e\u0301\u212b",
    "日本",
    "😀",
    "a b",
    "://",
)


def draw_text(draw: Draw, items: Sequence[str]) -> str:
    """One of the texts, or a few letters."""
    if draw.chance(0.5):
        return draw.pick(items)
    return "".join(draw.pick("abcxyz019") for _ in draw.items(8, least=1))


def topic_trial(draw: Draw) -> TopicTrial:
    """Short, complete, legacy and malformed names; every kind of partition ending."""
    sort = draw.integer(0, 4)
    local = draw_text(draw, _LOCALS) + (draw.pick(_LOCAL_ENDS) if draw.chance(0.5) else "")
    if sort == 0:
        return TopicTrial(local)
    if sort == 1:
        return TopicTrial(topic_with_hash(draw_hash(draw), variant=draw.integer(0, VARIANTS - 1)))
    pieces = [draw_text(draw, _PIECES), draw_text(draw, _PIECES), local]
    if sort == 2:
        text = "/".join(pieces[draw.integer(0, 1) :])
        return TopicTrial("/" + text if draw.chance(0.2) else text)
    if draw.chance(0.15):
        pieces.insert(1, draw_text(draw, _PIECES))
    if draw.chance(0.1):
        pieces.pop()
    return TopicTrial(f"{draw.pick(_DOMAINS)}://{'/'.join(pieces)}")


def answer_topic(trial: TopicTrial, edition: Edition) -> TopicAnswer:
    topic = topics.parse_topic_name(trial.text, edition)
    return TopicAnswer(
        topic.name,
        topic.domain.value,
        topic.namespace,
        topic.local_name,
        topic.base_name,
        topic.partition,
        topics.topic_hash(topic.name),
    )


def topic_labels(trial: TopicTrial) -> Iterator[str]:
    yield "complete name" if "://" in trial.text else "short name"
    if topics.PARTITION_MARK in trial.text:
        yield "partition ending"


PART: Final = r"[-=:.0-9A-Za-z_]+"
ONE_PIECE: Final = re.compile("/*([^/]+)/*")
THREE_PIECES: Final = re.compile("/*[^/]+/+[^/]+/+[^/]+/*")
DOMAINS: Final = ("persistent", "non-persistent")
NAME: Final = re.compile(f"({PART}/{PART})/([^/]*)", re.DOTALL)
LEGACY_NAME: Final = re.compile(f"({PART}/{PART}/{PART})/(.*)", re.DOTALL)
PARTITION: Final = re.compile(r"(.*)-partition-(\d+)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Named:
    """The topic that a text names. `written`: its domain as the complete name has it."""

    domain: str
    written: str
    namespace: str
    local_name: str
    partition: int | None

    @property
    def name(self) -> str:
        return f"{self.written}://{self.namespace}/{self.local_name}"

    @property
    def hash(self) -> int:
        return zlib.crc32(utf8(self.name))

    @property
    def base_name(self) -> str:
        ending = f"-partition-{'.' * len(str(self.partition))}"
        return self.name if self.partition is None else self.name[: -len(ending)]

    @property
    def is_legacy(self) -> bool:
        return self.namespace.count("/") == 2

    def is_open(self, edition: Edition) -> bool:
        """Whether the edition leaves names of this form open."""
        return self.is_legacy and is_open_form(self.name, edition)

    def is_refused(self, edition: Edition) -> bool:
        """Whether the edition refuses names of this form (BUN-6)."""
        return self.is_legacy and edition.legacy_topic_names is LegacyNames.REFUSED


def is_open_form(name: str, edition: Edition) -> bool:
    """Whether a name has a tenant and four pieces or more, as in Pulsar 1; its legality is open."""
    tenant, *others = name.partition("://")[2].split("/")
    return tenant != "" and len(others) >= 3 and edition.legacy_topic_names is LegacyNames.OPEN


def is_foreign(text: str, edition: Edition) -> bool:
    """Whether it is a name only by Java's treatment of letters and blanks beyond ASCII (open)."""
    domain, _, rest = complete(text, edition).partition("://")
    local = rest.rpartition("/")[2]
    return not domain.isascii() or (is_blank(local) and local.strip(" \t\n\r\f\v") != "")


def complete(text: str, edition: Edition) -> str:
    """The text with domain, if it is a short form (BUN-1); empty if it is none."""
    if "://" in text:
        return text
    if not edition.short_names_skip_empty_pieces and re.search("^/|//|/$", text):
        return ""
    if one := ONE_PIECE.fullmatch(text):
        return f"persistent://public/default/{one[1]}"
    return f"persistent://{text}" if THREE_PIECES.fullmatch(text) else ""


def partition_of(name: str, edition: Edition) -> int | None:
    """The number at a name's end, if it is written without a leading zero."""
    if (found := PARTITION.fullmatch(name)) is None:
        return None
    digits = found[2]
    number = int(digits)
    in_its_form = len(digits) == len(str(number)) and max(digits) <= "\uffff"
    allowed = edition.unicode_partition_digits or digits == str(number)
    return number if in_its_form and allowed and number < 2**31 else None


def read_name(text: str, edition: Edition) -> Named | str:
    """The topic that a text names, or why it names none (BUN-2)."""
    if not (name := complete(text, edition)):
        return "neither topic nor tenant/namespace/topic"
    written, _, rest = name.partition("://")
    domain = next((known for known in DOMAINS if same_ignoring_case(written, known)), None)
    if domain is None:
        return "no such domain"
    found = NAME.fullmatch(rest) or LEGACY_NAME.fullmatch(rest)
    if found is None:
        return "no tenant/namespace/topic after the domain"
    if found[2] == "" or (is_blank(found[2]) and not edition.blank_topic_names):
        return "the topic's own name is blank"
    spelled = written if edition.domain_kept_as_written else domain
    return Named(domain, spelled, found[1], found[2], partition_of(name, edition))


@decision("bundles.topic", "BUN-1", "BUN-2", "BUN-3", "BUN-4", "BUN-5", "BUN-6", "BUN-21")
def judge_topic(run: Run, case: Case[TopicTrial, TopicAnswer]) -> None:
    text, observed = case.trial.text, case.observation
    if not case.edition.unicode_partition_digits and is_foreign(text, case.edition):
        return
    right = read_name(text, case.edition)
    if isinstance(right, str):
        if is_open_form(complete(text, case.edition), case.edition):
            return
        run.require(
            "BUN-2",
            isinstance(observed, Refused),
            lambda: f"{text!r} names no topic ({right}), but the subject {describe(observed)}",
            name_shape(observed),
        )
        return
    if right.is_open(case.edition):
        return
    if right.is_refused(case.edition):
        why = f"{text!r} has a cluster, and the subject {describe(observed)}"
        run.require("BUN-6", isinstance(observed, Refused), why, name_shape(observed))
        return
    naming = "BUN-6" if right.is_legacy else "BUN-1"
    if answers(run, case, naming) and isinstance(observed, TopicAnswer):
        judge_name(run, case.edition, right, observed, naming, text)


def judge_name(
    run: Run, edition: Edition, right: Named, got: TopicAnswer, naming: str, text: str
) -> None:
    run.require(
        naming,
        (got.name, got.domain, got.namespace, got.local_name)
        == (right.name, right.domain, right.namespace, right.local_name),
        lambda: (
            f"{text!r} names {right.name} of {right.namespace}, not {got.name} of {got.namespace}"
        ),
    )
    bases, ending = {right.base_name}, right.name[len(right.base_name) :]
    if not edition.unicode_partition_digits and got.name.endswith(ending):
        bases.add(got.name.removesuffix(ending))  # a name that departs from BUN-1 has its own base
    if right.partition is not None:
        run.require(
            "BUN-4",
            got.hash == right.hash or got.hash not in {zlib.crc32(utf8(base)) for base in bases},
            lambda: f"{right.name} has the hash {got.hash:#010x} of {right.base_name}",
            "shared hash",
        )
    run.require(
        "BUN-3",
        got.hash == right.hash,
        lambda: f"the CRC-32 of {right.name} is {right.hash:#010x}, not {got.hash:#010x}",
    )
    if "-partition-" in text or got.partition is not None or got.base_name not in bases:
        clause = "BUN-4" if is_plain(right) else "BUN-21"
        run.require(
            "BUN-5" if edition.unicode_partition_digits else clause,
            got.partition == right.partition and got.base_name in bases,
            lambda: (
                f"{right.name} is partition {display(right.partition)} of {right.base_name}, "
                f"not {display(got.partition)} of {got.base_name}"
            ),
        )


def is_plain(right: Named) -> bool:
    """Whether a name ends in a number of plain digits, or in nothing like one: no document says
    which other endings are a partition's, nor whether a topic without a name has partitions.
    """
    if right.partition is None:
        return "-partition-" not in right.name
    return not right.base_name.endswith("/")


TOPIC: Final = Question(
    "bundles.topic", TopicTrial, TopicAnswer, topic_trial, answer_topic, topic_labels
)

QUESTIONS: Final = (TOPIC,)
