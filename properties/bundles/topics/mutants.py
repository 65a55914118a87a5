from __future__ import annotations

import re
from typing import Final

from evenkeel.properties.mutant_maker import Function, always, defect
from evenkeel.reference import java_text
from evenkeel.reference.bundles import topics


def hash_of_local_name(original: Function) -> Function:
    return lambda name: original(name.rpartition("/")[2])


def hash_of_the_whole_topic(original: Function) -> Function:
    return lambda name: original(re.sub("-partition-[0-9]+$", "", name))


MUTANTS: Final = (
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
