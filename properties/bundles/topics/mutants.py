from __future__ import annotations

from typing import Final

from evenkeel.properties.mutant_maker import Function, always, defect, equivalent, switched
from evenkeel.reference import java_text
from evenkeel.reference.bundles import topics
from evenkeel.reference.edition import PULSAR_4_0
from evenkeel.reference.switches.bundles import LegacyNames


def hash_of_local_name(original: Function) -> Function:
    return lambda name: original(name.rpartition("/")[2])


MUTANTS: Final = (
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
    defect(
        "partition-01",
        topics,
        "partition_index",
        lambda original: (
            lambda text, edition: (
                original(text, edition) if not text.endswith("-partition-01") else 1
            )
        ),
        "`x-partition-01` is taken for partition 1 of x.",
    ),
    defect(
        "ascii-digits-only",
        topics,
        "partition_index",
        switched(unicode_partition_digits=False),
        "Not 4.0: partition numbers in other scripts are ordinary names.",
        edition=PULSAR_4_0,
    ),
    defect(
        "legacy-refused",
        topics,
        "parse_topic_name",
        switched(legacy_topic_names=LegacyNames.OPEN),
        "Not 4.0: names with a cluster are refused.",
        edition=PULSAR_4_0,
    ),
    equivalent(
        "legacy-accepted",
        topics,
        "parse_topic_name",
        switched(legacy_topic_names=LegacyNames.ACCEPTED),
        "Names of Pulsar 1 are left open.",
    ),
)
