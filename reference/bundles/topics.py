"""Topic names and their hashes (BUN-1 to BUN-6)."""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from evenkeel.reference import java_text
from evenkeel.reference.edition import Edition
from evenkeel.reference.switches.bundles import LegacyNames
from evenkeel_engine.frame.clauses import states
from evenkeel_engine.frame.errors import Refusal

PARTITION_MARK: Final = "-partition-"
_NAME_PART: Final = re.compile(r"[-=:.\w]+", re.ASCII)


class BadTopicName(Refusal):
    """The text names no topic (BUN-2)."""


class Domain(StrEnum):
    """Whether a topic's messages are stored."""

    PERSISTENT = "persistent"
    NON_PERSISTENT = "non-persistent"


@dataclass(frozen=True, slots=True)
class TopicName:
    """A complete topic name. `namespace` is `tenant/namespace` (with a cluster in between in
    legacy names); `partition` is None for a topic that is not a partition of another;
    `domain_text` is how the complete name spells the domain.
    """

    domain: Domain
    domain_text: str
    namespace: str
    local_name: str
    partition: int | None

    @property
    @states("BUN-1")
    def name(self) -> str:
        """The complete name, the text that is hashed."""
        return f"{self.domain_text}://{self.namespace}/{self.local_name}"

    @property
    @states("BUN-4")
    def base_name(self) -> str:
        """The complete name of the partitioned topic that this is a partition of, or its own."""
        return self.name if self.partition is None else self.name.rpartition(PARTITION_MARK)[0]


@states("BUN-3")
def topic_hash(name: str) -> int:
    """CRC-32 of the UTF-8 bytes of a complete topic name: 0 to 0xffffffff."""
    return zlib.crc32(java_text.utf8(name))


@states("BUN-1", "BUN-2", "BUN-6")
def parse_topic_name(text: str, edition: Edition) -> TopicName:
    """The topic that `text` names, short forms expanded.

    Raises `BadTopicName`. Source: Pulsar `TopicName.java` 4.0.8, 4.2.4.
    """
    if "://" not in text:
        text = expand_short_name(text, edition)
    domain_text, _, rest = text.partition("://")
    pieces = rest.split("/", 3)
    if len(pieces) < 3:
        raise BadTopicName(f"{text!r} does not have the form domain://tenant/namespace/topic")
    if len(pieces) == 4 and edition.legacy_topic_names is not LegacyNames.ACCEPTED:
        raise BadTopicName(f"{text!r} has a part too many")
    *namespace, local_name = pieces
    if not all(_NAME_PART.fullmatch(part) for part in namespace):
        raise BadTopicName(f"{'/'.join(namespace)!r} is no namespace")
    if is_nameless(local_name, edition):
        raise BadTopicName("the topic's own name is blank")
    domain = parse_domain(domain_text)
    return TopicName(
        domain,
        domain_text if edition.domain_kept_as_written else domain.value,
        "/".join(namespace),
        local_name,
        partition_index(text, edition),
    )


@states("BUN-2")
def is_nameless(local_name: str, edition: Edition) -> bool:
    """Whether a topic's own name is blank, or in some editions empty."""
    return not local_name if edition.blank_topic_names else java_text.is_blank(local_name)


@states("BUN-1", "BUN-2")
def expand_short_name(text: str, edition: Edition) -> str:
    """`topic` and `tenant/namespace/topic` as complete names; empty pieces do not count, or name
    nothing.
    """
    pieces = text.split("/")
    if edition.short_names_skip_empty_pieces:
        pieces = [piece for piece in pieces if piece]
    if "" in pieces:
        raise BadTopicName(f"a piece of {text!r} is empty")
    if len(pieces) == 1:
        return f"{Domain.PERSISTENT}://public/default/{pieces[0]}"
    if len(pieces) == 3:
        return f"{Domain.PERSISTENT}://{text}"
    raise BadTopicName(f"{text!r} is neither topic nor tenant/namespace/topic")


@states("BUN-2")
def parse_domain(text: str) -> Domain:
    """The domain, in whatever case it is written; `ſ` and the letters i of Turkish count, too."""
    for domain in Domain:
        if java_text.same_ignoring_case(text, domain):
            return domain
    raise BadTopicName(f"{text!r} is no domain")


@states("BUN-4", "BUN-5", "BUN-21")
def partition_index(text: str, edition: Edition) -> int | None:
    """The number after the last `-partition-`, if it is a partition number as Pulsar would write
    it: decimal, no sign, no leading zero, at most 2^31 - 1.
    """
    digits = text.rpartition(PARTITION_MARK)[2] if PARTITION_MARK in text else ""
    if not digits.isdecimal() or (len(digits) > 1 and int(digits[0]) == 0):
        return None
    if not digits.isascii() and not edition.unicode_partition_digits:
        return None
    return java_text.parse(digits, 10, java_text.INTS)
