"""`bundles.topic`: what does a text name, and what is its hash?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from evenkeel.properties.trial import require
from evenkeel.reference.bundles import topics
from evenkeel.reference.edition import Edition


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

    `namespace` is `tenant/namespace`; `base_name` is the complete name without the partition
    suffix; `partition` is null for a topic that is not a partition.
    """

    name: str
    domain: str
    namespace: str
    local_name: str
    base_name: str
    partition: int | None
    hash: int


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
