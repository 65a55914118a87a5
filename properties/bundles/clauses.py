"""The clauses BUN-1 to BUN-20 as checks."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.bundles.trials import (
    BoundariesAnswer,
    BoundariesTrial,
    CreationAnswer,
    CreationTrial,
    HashLookupTrial,
    LookupAnswer,
    MembershipAnswer,
    MembershipTrial,
    RangeAnswer,
    RangeTrial,
    TopicAnswer,
    TopicLookupAnswer,
    TopicLookupTrial,
    TopicTrial,
)
from evenkeel.properties.clause import (
    UNEXERCISED,
    Case,
    ClauseBook,
    Finding,
    as_expected,
    describe,
    shape,
    unless,
)
from evenkeel.properties.observations import Broke, Refused
from evenkeel.reference.bundles import topics
from evenkeel.reference.bundles.ranges import TOP_HASH
from evenkeel.reference.switches.bundles import LegacyNames

CLAUSES: Final = ClauseBook("bundles")
check = CLAUSES.check


# ---------------------------------------------------------------------------------- topics


def is_open_legacy(case: Case[TopicTrial, TopicAnswer]) -> bool:
    """A name of Pulsar 1 where the edition says nothing about those."""
    rest = case.trial.text.partition("://")[2]
    return case.edition.legacy_topic_names is LegacyNames.OPEN and rest.count("/") >= 3


@check("BUN-1", "bundles.topic")
def names_are_completed(case: Case[TopicTrial, TopicAnswer]) -> Finding:
    if not isinstance(case.expected, TopicAnswer):
        return UNEXERCISED
    if not isinstance(case.observation, TopicAnswer):
        return as_expected(case, f"{case.trial.text!r} names a topic")
    got, want = case.observation, case.expected
    pieces = (want.name, want.domain, want.namespace, want.local_name)
    return unless(
        (got.name, got.domain, got.namespace, got.local_name) == pieces,
        f"{case.trial.text!r} names {want.name} of {want.namespace}, "
        f"not {got.name} of {got.namespace}",
    )


@check("BUN-2", "bundles.topic")
def other_texts_name_no_topic(case: Case[TopicTrial, TopicAnswer]) -> Finding:
    if not isinstance(case.expected, Refused) or is_open_legacy(case):
        return UNEXERCISED
    return unless(
        isinstance(case.observation, Refused),
        f"{case.trial.text!r} names no topic ({case.expected.detail}), but the subject "
        f"{describe(case.observation)}",
        shape(case.observation),
    )


@check("BUN-3", "bundles.topic")
def hash_is_crc32(case: Case[TopicTrial, TopicAnswer]) -> Finding:
    if not isinstance(case.expected, TopicAnswer) or not isinstance(case.observation, TopicAnswer):
        return UNEXERCISED
    return unless(
        case.observation.hash == case.expected.hash,
        f"the CRC-32 of {case.expected.name} is {case.expected.hash:#010x}, "
        f"not {case.observation.hash:#010x}",
    )


def partition_as_expected(case: Case[TopicTrial, TopicAnswer]) -> Finding:
    """The partition number and the name without it."""
    if topics.PARTITION_MARK not in case.trial.text:
        return UNEXERCISED
    if not isinstance(case.expected, TopicAnswer) or not isinstance(case.observation, TopicAnswer):
        return UNEXERCISED
    got, want = case.observation, case.expected
    return unless(
        (got.partition, got.base_name) == (want.partition, want.base_name),
        f"{want.name} is partition {want.partition} of {want.base_name}, "
        f"not {got.partition} of {got.base_name}",
    )


@check("BUN-4", "bundles.topic")
def partitions_have_numbers(case: Case[TopicTrial, TopicAnswer]) -> Finding:
    return partition_as_expected(case)


@check("BUN-5", "bundles.topic")
def partitions_have_numbers_in_any_digits(case: Case[TopicTrial, TopicAnswer]) -> Finding:
    return partition_as_expected(case)


@check("BUN-6", "bundles.topic")
def legacy_names_are_accepted(case: Case[TopicTrial, TopicAnswer]) -> Finding:
    if not isinstance(case.expected, TopicAnswer) or case.expected.namespace.count("/") != 2:
        return UNEXERCISED
    return as_expected(case, f"{case.trial.text!r} is a name of Pulsar 1")


# ---------------------------------------------------------------------------------- ranges


@check("BUN-7", "bundles.range")
def canonical_names_are_understood(case: Case[RangeTrial, RangeAnswer]) -> Finding:
    if not isinstance(case.expected, RangeAnswer) or case.trial.text != case.expected.name:
        return UNEXERCISED
    return as_expected(case, f"{case.trial.text} names a range")


@check("BUN-8", "bundles.range")
def other_texts_name_no_range(case: Case[RangeTrial, RangeAnswer]) -> Finding:
    if not isinstance(case.expected, Refused):
        return UNEXERCISED
    return unless(
        isinstance(case.observation, Refused),
        f"{case.trial.text!r} names no range ({case.expected.detail}), but the subject "
        f"{describe(case.observation)}",
        shape(case.observation),
    )


@check("BUN-9", "bundles.range")
def other_spellings_are_read_leniently(case: Case[RangeTrial, RangeAnswer]) -> Finding:
    if isinstance(case.expected, RangeAnswer) and case.trial.text == case.expected.name:
        return UNEXERCISED
    return as_expected(case, f"range text {case.trial.text!r}")


# ------------------------------------------------------------------------------ boundaries


@check("BUN-10", "bundles.boundaries")
def boundaries_divide_the_hash_space(case: Case[BoundariesTrial, BoundariesAnswer]) -> Finding:
    return as_expected(case, f"boundaries {case.trial.boundaries}")


@check("BUN-11", "bundles.boundaries")
def boundaries_may_start_anywhere(case: Case[BoundariesTrial, BoundariesAnswer]) -> Finding:
    return as_expected(case, f"boundaries {case.trial.boundaries}")


@check("BUN-12", "bundles.creation")
def equal_division(case: Case[CreationTrial, CreationAnswer]) -> Finding:
    ignored = case.edition.boundaries_need_count and case.trial.count <= 0
    if case.trial.boundaries is not None and not ignored:
        return UNEXERCISED
    count = case.trial.count if case.trial.count > 0 else case.trial.default_count
    return as_expected(case, f"{count} bundles")


@check("BUN-13", "bundles.creation")
def explicit_boundaries(case: Case[CreationTrial, CreationAnswer]) -> Finding:
    if case.trial.boundaries is None:
        return UNEXERCISED
    return as_expected(case, f"explicit boundaries {case.trial.boundaries}")


@check("BUN-14", "bundles.creation")
def explicit_boundaries_as_texts(case: Case[CreationTrial, CreationAnswer]) -> Finding:
    if case.trial.boundaries is None or case.trial.count <= 0:
        return UNEXERCISED
    return as_expected(case, f"explicit boundaries {case.trial.boundaries}")


# ---------------------------------------------------------------------------------- lookup


@check("BUN-15", "bundles.hash_lookup")
def lookup_names_the_holder(case: Case[HashLookupTrial, LookupAnswer]) -> Finding:
    if case.trial.hash == TOP_HASH:
        return UNEXERCISED
    return as_expected(case, f"hash {case.trial.hash:#010x}")


@check("BUN-15", "bundles.topic_lookup")
def one_holder_and_the_lookup_names_it(
    case: Case[TopicLookupTrial, TopicLookupAnswer],
) -> Finding:
    hash_ = topics.topic_hash(case.trial.topic)
    if hash_ == TOP_HASH or not isinstance(case.expected, TopicLookupAnswer):
        return UNEXERCISED
    return as_expected(case, f"topic {case.trial.topic} with hash {hash_:#010x}")


@check("BUN-16", "bundles.hash_lookup")
def boundary_belongs_above(case: Case[HashLookupTrial, LookupAnswer]) -> Finding:
    if case.trial.hash not in case.trial.boundaries[:-1]:
        return UNEXERCISED
    return as_expected(case, f"boundary {case.trial.hash:#010x}")


@check("BUN-17", "bundles.hash_lookup")
def last_hash_is_found(case: Case[HashLookupTrial, LookupAnswer]) -> Finding:
    if case.trial.hash != TOP_HASH:
        return UNEXERCISED
    return as_expected(case, "the last hash")


@check("BUN-17", "bundles.topic_lookup")
def topic_with_the_last_hash_is_found(
    case: Case[TopicLookupTrial, TopicLookupAnswer],
) -> Finding:
    if topics.topic_hash(case.trial.topic) != TOP_HASH or isinstance(case.expected, Refused):
        return UNEXERCISED
    return as_expected(case, f"topic {case.trial.topic} with the last hash")


@check("BUN-18", "bundles.hash_lookup")
def last_hash_breaks(case: Case[HashLookupTrial, LookupAnswer]) -> Finding:
    return as_expected(case, "the last hash") if case.trial.hash == TOP_HASH else UNEXERCISED


@check("BUN-18", "bundles.topic_lookup")
def topic_with_the_last_hash_breaks(case: Case[TopicLookupTrial, TopicLookupAnswer]) -> Finding:
    if not isinstance(case.expected, Broke):
        return UNEXERCISED
    return as_expected(case, f"topic {case.trial.topic} with the last hash")


@check("BUN-18", "bundles.membership")
def range_of_the_last_hash_breaks(case: Case[MembershipTrial, MembershipAnswer]) -> Finding:
    if case.trial.lower != TOP_HASH:
        return UNEXERCISED
    return as_expected(case, "the range of the last hash alone")


@check("BUN-19", "bundles.topic_lookup")
def other_namespaces_are_refused(case: Case[TopicLookupTrial, TopicLookupAnswer]) -> Finding:
    if not isinstance(case.expected, Refused):
        return UNEXERCISED
    return as_expected(case, f"{case.trial.topic} among the bundles of {case.trial.namespace}")


@check("BUN-20", "bundles.membership")
def only_bundles_are_bundles(case: Case[MembershipTrial, MembershipAnswer]) -> Finding:
    if isinstance(case.expected, Broke):
        return UNEXERCISED
    return as_expected(case, f"range {case.trial.lower:#010x} to {case.trial.upper:#010x}")
