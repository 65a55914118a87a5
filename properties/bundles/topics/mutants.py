from __future__ import annotations

import re
from typing import Final

from evenkeel.properties.mutant_maker import Function, always, defect
from evenkeel.reference import java_text
from evenkeel.reference.bundles import topics
from evenkeel.reference.edition import Edition


def hash_of_local_name(original: Function) -> Function:
    return lambda name: original(name.rpartition("/")[2])


def hash_of_the_whole_topic(original: Function) -> Function:
    return lambda name: original(re.sub("-partition-[0-9]+$", "", name))


def _any_number(original: Function) -> Function:
    def partition_index(text: str, edition: Edition) -> int | None:
        number: int | None = original(text, edition)
        digits = text.rpartition("-partition-")[2]
        if number is None and digits.isdecimal() and digits.isascii():
            return int(digits) if len(digits) <= 9 else None
        return number

    return partition_index


MUTANTS: Final = (
    defect(
        "partition-numbers-with-leading-zeros",
        topics,
        "partition_index",
        _any_number,
        "`x-partition-01` and `x-partition-1` are the same partition under two names.",
    ),
    defect(
        "partitions-share-a-hash",
        topics,
        "topic_hash",
        hash_of_the_whole_topic,
        "All partitions of a topic are in one bundle, and on one broker.",
    ),
    defect(
        "bare-name-hash",
        topics,
        "topic_hash",
        hash_of_local_name,
        "Topics with one local name in different namespaces or domains share a hash.",
    ),
    defect(
        "any-short-name",
        topics,
        "expand_short_name",
        lambda original: lambda text: f"persistent://public/default/{text}",
        "`tenant/namespace/topic` is created as a topic of public/default.",
    ),
    defect(
        "blank-names",
        java_text,
        "is_blank",
        always(False),
        "Topics with blank names are created, and cannot be addressed.",
    ),
)
