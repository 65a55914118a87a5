"""Named combinations of readings: each of them is right by the documents."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from functools import cache
from typing import Final

from tests.from_documents.owning.readings import Readings

# Plain: of two readings the one that comes to mind first.
PLAIN = Readings()

# Of two readings the other one, nearly everywhere.
OTHER = Readings(
    knows_own_writes_at_once=True,
    failed_closing="keep",
    handover="Owned",
    divides_again=True,
    serves_halves_at_once=False,
    answers_while_releasing=True,
    cleaner="all",
    cleanup_delay=180000,
    removes_deleted=True,
    direct_assignment="always",
    regain_reads_all=False,
    lookup_patience=60000,
    heir="fewest",
    caches_owners=True,
    decides_without_leader=False,
    replaces_stale_nodes=True,
    failed_delete="none",
    failed_unload="keep",
    unloads_join=True,
    keeps_heartbeats=True,
    stops_when_disconnected=True,
    reacquires=True,
    picks_last=True,
    caps_initial_tokens=False,
    refuses_negative_waits=True,
    waits_round_up=False,
    reads_refill=True,
    rates_change="anew",
    configuring_keeps_consumption=True,
    publishing_counts_at_once=False,
    own_subscribe_periods=True,
    averages_fade=True,
    average_rounding="up",
    entries_rounding="up",
    replay_looks_again=True,
    reread_after=100,
    rereads_at_period_end=True,
    keeps_first_look=False,
    reads_little_if_not_writable=True,
    divides_largest_read=False,
    delivers_within_permits=True,
    charges_name_all=True,
    charges_together=False,
    writes_end_with_consumer=True,
    goes_back_to_first=True,
    split_attempts=100,
    empty_lists_are_given=False,
    sorts_given_boundaries=True,
    parts_of="each its share",
    ranges_in_hexadecimal=True,
    refuses_slashes_in_topics=True,
    takes_short_names=False,
    refuses_repeated_positions=True,
    refuses_positions_outside=False,
    parts_at="next topic",
    counts_last_hash=True,
    odd_topic_left=True,
    leaves_unreported_out=True,
    largest_by="range",
    hot_has_topics=True,
    refuses_empty_splits=False,
    keeps_children_if_alone=False,
    one_topic_is_enough=False,
    hits_in_a_row=False,
    hits_beyond=True,
    busiest_first=True,
    alone_splits_nothing=True,
    last_report_counts=True,
    averages_before_splitting=True,
)

# Memories answer, new owners are named by whoever assigns; periods begin with use.
LIVELY = Readings(
    waits_without_session=True,
    cleanup_delay=10000,
    direct_assignment="self",
    failed_closing="keep",
    heir="fewest",
    caches_owners=True,
    reacquires=True,
    asks_lightly=True,
    failed_unload="keep",
    decides_without_leader=False,
    periods_begin_with_use=True,
    precise_rounding="nearest",
    zero_attempts_allow=False,
    rates_change="anew",
    own_subscribe_periods=True,
    reads_refill=True,
    replay_looks_again=True,
    keeps_first_look=False,
    rereads_at_period_end=True,
    configuring_keeps_consumption=True,
    largest_by="range",
    hits_beyond=True,
    parts_of="each its share",
    counts_last_hash=True,
    busiest_first=True,
)

# Everybody cleans up, clients are redirected, nobody serves without a connection.
CAREFUL = Readings(
    knows_own_writes_at_once=True,
    cleaner="all",
    handover="Owned",
    answers_while_releasing=True,
    removes_deleted=True,
    regain_reads_all=False,
    replaces_stale_nodes=True,
    stops_when_disconnected=True,
    unloads_join=True,
    picks_last=True,
    goes_back_to_first=True,
    delivers_within_permits=True,
    charges_together=False,
    charges_name_all=True,
    reread_after=100,
    averages_fade=True,
    entries_rounding="up",
    publishing_counts_at_once=False,
    reads_little_if_not_writable=True,
    hot_has_topics=True,
    refuses_empty_splits=False,
    refuses_repeated_positions=True,
    odd_topic_left=True,
    one_topic_is_enough=False,
    averages_before_splitting=True,
    takes_short_names=False,
)

# The other one, without what its lookups remember or redirect.
QUIET = replace(
    OTHER,
    caches_owners=False,
    reacquires=False,
    stops_when_disconnected=False,
    periods_begin_with_use=True,
    replay_looks_again=False,
    divides_largest_read=True,
    writes_end_with_consumer=False,
    parts_at="middle",
    hits_in_a_row=True,
)

# The plain one in a hurry, with one mechanism for quotas.
HASTY = Readings(
    cleanup_delay=60000,
    cleaner="all",
    lookup_patience=5000,
    failed_delete="none",
    only_classic=True,
    reread_after=1,
    precise_rounding="nearest",
    average_rounding="down",
    waits_round_up=False,
    caps_initial_tokens=False,
    leaves_unreported_out=True,
    refuses_positions_outside=False,
    keeps_children_if_alone=False,
    last_report_counts=True,
    split_attempts=10,
    alone_splits_nothing=True,
    ranges_in_hexadecimal=True,
    refuses_slashes_in_topics=True,
    sorts_given_boundaries=True,
)

VARIANTS: dict[str, Readings] = {
    "b1": PLAIN,
    "b2": OTHER,
    "b3": LIVELY,
    "b4": CAREFUL,
    "b5": QUIET,
    "b6": HASTY,
}

READ: Final[dict[str, Callable[[str], object]]] = {"bool": "True".__eq__, "int": int, "str": str}


@cache
def named(text: str) -> Readings:
    """A variant, or one with some readings changed: `b1+heir=fewest+caches_owners=True`."""
    name, *changes = text.split("+")
    kinds = {field.name: field.type for field in fields(Readings)}
    values = dict[str, object]()
    for change in changes:
        key, _, value = change.partition("=")
        values[key] = READ[str(kinds[key])](value)
    return replace(VARIANTS[name], **values)  # type: ignore[arg-type]
