"""The questions that documents and wire pages leave open, each as a switch.

A comment names the sentence with two interpretations ("001" is the blog post, "002" the
concepts page, "004" the page about dispatch throttling, "page" the question's wire page), or
says that there is none.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from examples.from_documents.variants import read_variants


@dataclass(frozen=True)
class ChannelInterpretations:
    """Open questions of ownership.channel."""

    # No document says when a writer may treat its own record as stored: when storage accepted it,
    # or when it has read it back.
    knows_own_writes_at_once: bool = False
    # page: "topics closed, or the range divided", and `fails`.  What follows a closing that failed
    # is left open: "force" them shut and continue, or "keep" the bundle.
    failed_closing: str = "force"
    # 002, "Bundle unloading": "bundles will be pre-assigned to available brokers when unloading".
    # The old owner writes "Assigning", and the new one confirms; or it writes "Owned" itself.
    handover: str = "Assigning"
    # page: "the range divided", and `fails`: it is tried again, or the parent stays as it was.
    divides_again: bool = False
    # 002: "the owner broker updates the bundle ownerships and ranges in the metadata space":
    # topics of the halves stay open meanwhile, or until the records are read back.
    serves_halves_at_once: bool = True
    # 001: "If already owned, the broker redirects the client to the owner URL": also an owner
    # that is about to release, or only one that stays.
    answers_while_releasing: bool = False
    # The documents leave open which broker cleans up: the "leader", or "all" that are notified.
    cleaner: str = "leader"
    # No document says how long a broker may be gone before that, in milliseconds.
    cleanup_delay: int = 0
    # No document says whether the record of a divided bundle is stored.
    removes_deleted: bool = False
    # page: "assigns it to another or to itself": by a record that the new owner confirms
    # ("never" directly), or as ownership at once (to the writer "self", or "always").
    direct_assignment: str = "never"
    # No document says how a broker learns what was written while it had no session: it loads all
    # records, or reads change after change before it acts again.
    regain_reads_all: bool = True
    # No document says for how long a lookup waits, in milliseconds.
    lookup_patience: int = 30000
    # page: "A client asks the broker who owns a bundle": a broker without a session makes the
    # client wait, or answers that it does not know.
    waits_without_session: bool = False
    # 001: "randomly selects one of the least loaded brokers": none has a load here; the "next"
    # in a circle, or the one with the "fewest" bundles.
    heir: str = "next"


@dataclass(frozen=True)
class LocksInterpretations:
    """Open questions of ownership.locks."""

    # 002: "For performance reasons, these data are cached at the broker in-memory layer too".
    caches_owners: bool = False
    # 001: "the broker redirects the client to the leader for a broker assignment".  Without a
    # leader it assigns the bundle itself, or the lookup fails.
    decides_without_leader: bool = True
    # A node of this broker's former process: "automatically released" (001) in time, or
    # replaced by the new process, which knows that the old one has ended.
    replaces_stale_nodes: bool = False
    # An unload whose deletion failed: the bundle is still "unloading", or "none" of this
    # broker's, until the deletion is tried again.
    failed_delete: str = "unloading"
    # page: "or not in time", "failed": the unload continues, or the broker keeps the bundle
    # ("keep").
    failed_unload: str = "go on"
    # page: "REFUSED: there was nothing to unload".  A second unload joins the first, or is
    # refused.
    unloads_join: bool = False
    # No sentence says whether an operator may unload a broker's heartbeat topics.
    keeps_heartbeats: bool = False
    # Without connection a lock may go any time: stop at once, or when the session has ended.
    stops_when_disconnected: bool = False
    # page: "tries the oldest re-validation again": a broker with a new session takes its bundles
    # again, if no broker has, or waits for a lookup.
    reacquires: bool = False
    # A read-only lookup while a lock is being acquired is "empty" at once, or waits.
    asks_lightly: bool = False
    # page: "the broker that the load manager picks, if it is asked and that one is there".  Of
    # the others, if it is not: the next one or the last one.
    picks_last: bool = False


@dataclass(frozen=True)
class ThrottlingInterpretations:
    """Open questions of throttling.*."""

    # page: "capacity and initial null: the rate".  More initial tokens than the capacity are
    # cut, or are spent first.
    caps_initial_tokens: bool = True
    # Waiting for fewer than 0 tokens is refused, or takes no time.
    refuses_negative_waits: bool = False
    # page: "How long until the bucket has this many tokens?": to the next nanosecond, or below.
    waits_round_up: bool = True
    # page: "refills are at least so far apart": reading the balance refills, or waits too.
    reads_refill: bool = False
    # page: "The rate is another from now on": "less what was taken" already, or "from zero".
    rates_change: str = "less what was taken"
    # 004: "The counter is reset at the end of the period".  Periods follow each other from the
    # start, or one begins with the first use.
    periods_begin_with_use: bool = False
    # page: "where a balancer has several": this one answers for all mechanisms, or for one.
    only_classic: bool = False
    # page: "Another rate takes effect": with what was consumed already, or with a new period.
    configuring_keeps_consumption: bool = False
    # page: "The topic's average publish rate is now so many": it counts now, or at the next
    # period.
    publishing_counts_at_once: bool = True
    # page: "So many attempts of one consumer in so many seconds": in periods of all, or in the
    # consumer's own.
    own_subscribe_periods: bool = False
    # 004: "The average number of messages per entry": of all, or with the past fading.
    averages_fade: bool = False
    # page: "rounded to a whole number": "nearest", "up" or "down".
    average_rounding: str = "nearest"
    # 004: "The total byte size to read / The average byte size per entry": "down" or "up".
    entries_rounding: str = "down"
    # 004: limit 10, 6 messages in an entry, "it means the broker reads 2 entries": "up" or
    # "nearest".
    precise_rounding: str = "up"
    # page: "null if it does not": while a replay is read, its completion leads to the next look.
    replay_looks_again: bool = False
    # page: "in how many milliseconds the dispatcher looks again by itself": any time.
    reread_after: int = 1000
    # 004: "A scheduled task refreshes the quota when a throttling period ends": look then.
    rereads_at_period_end: bool = False
    # page: "The subscription looks again at": another look in the meantime leaves that alone,
    # or puts it off.
    keeps_first_look: bool = True
    # No sentence says what a connection that is not writable means: nothing, or small reads.
    reads_little_if_not_writable: bool = False
    # 004: "When you set the dispatch rate limit in bytes, the broker calculates the number of
    # entries": also for the largest read that is configured, or only for limits.
    divides_largest_read: bool = True
    # page: "The consumer can take so many more messages": a read is delivered whole, or as far
    # as permits go.
    delivers_within_permits: bool = False
    # page: "a level without a limit need not be named".
    charges_name_all: bool = False
    # page: "One charge may name all levels, or each level may have its own".
    charges_together: bool = True
    # page: "The consumer asks for an entry again": an exclusive one goes back to that entry, or to
    # the first that is not acknowledged.
    goes_back_to_first: bool = False
    # page: "The consumer goes and another one comes": what is being written goes too, or not.
    writes_end_with_consumer: bool = False
    # 004: "The quota cannot be decreased before step 3", but in precise mode "pre-decrementing the
    # quota using the approximated average message count per entry".
    reserves_in_precise_mode: bool = False
    # page: "Take permits": of none there is nothing to take.
    refuses_to_take_nothing: bool = False
    # page: "The rate is another from now on": in the same period, or in one that begins now.
    rates_begin_periods: bool = False
    # page: "The subscription looks again at": or as soon as the limits have changed.
    looks_after_configuring: bool = False
    # page: "Messages to be delivered again come first": a balancer may read new ones first.
    replays_last: bool = False


@dataclass(frozen=True)
class BundleInterpretations:
    """Open questions of splitting.* and bundles.*."""

    # page: "the explicit boundary texts or null": an empty list counts as given, or as null.
    empty_lists_are_given: bool = True
    # No sentence says whether boundaries in another order are refused or sorted.
    sorts_given_boundaries: bool = False
    # 002: "the namespace is sharded into a list of bundles": of the same "whole parts" with the
    # rest in the last, or "each its share".
    parts_of: str = "whole parts"
    # page: "its canonical name `0x%08x_0x%08x`": other numbers are ranges too, or not.
    ranges_in_hexadecimal: bool = False
    # No sentence says whether a topic's own name may have slashes.
    refuses_slashes_in_topics: bool = False
    # 001: `hash("my-topic")`: a short name means a complete one, or names nothing.
    takes_short_names: bool = True
    # page: "the positions may be illegal": a position given twice is, or is not.
    refuses_repeated_positions: bool = False
    # 002: "Split a bundle into several parts by the specified positions": one that is not in
    # the bundle is refused, or left out (not in splitting.apply).
    refuses_positions_outside: bool = True
    # 002: 6 topics, "you can set the bundle splitting boundary at 0x50000000": any place between
    # the two; their "middle", or the "next topic".
    parts_at: str = "middle"
    # 002: "two parts with the same hash range size": with or without the last hash of all.
    counts_last_hash: bool = False
    # 002: "the same number of topics": with an odd number, more on the left or on the right.
    odd_topic_left: bool = False
    # page: "`reported`: the broker has statistics of it": without them a topic has no traffic,
    # or is as if it were not there.
    leaves_unreported_out: bool = False
    # page: "`heat` is what `HOT` reads": a bundle of fewer than two topics is hot, or not.
    hot_has_topics: bool = False
    # page: "null: nothing changed": a split that finds no position changes nothing, or is
    # refused.
    refuses_empty_splits: bool = True
    # 001: "can be automatically unloaded from the owner broker": also where there is no other.
    keeps_children_if_alone: bool = True
    # 002: "Any existing bundle that exceeds any of the thresholds is a candidate": also one of
    # a single topic.
    one_topic_is_enough: bool = True
    # page: "Attempt i races with rival i": it does not say how often it is tried.
    split_attempts: int = 1000
    # CONF counts consecutive hits; it does not say whether as many, or one more.
    hits_beyond: bool = False
    # No sentence says in which order bundles are checked, if not all may be split.
    busiest_first: bool = False
    # page: "`known_brokers` is how many brokers the leader knows": with one, splits gain little.
    alone_splits_nothing: bool = False
    # page: "While a bundle changes its broker, two brokers report it": the first or the last.
    last_report_counts: bool = False
    # page: "Long-term averages start empty": thresholds apply to them, or to the latest report.
    averages_before_splitting: bool = False


@dataclass(frozen=True)
class ScalingInterpretations:
    """Open questions of scaling.*."""

    # No document says who has the hashes that are left over when a new topic is divided.
    spreads_left_over_hashes: bool = False
    # PIP-460: "each inheriting a sub-portion": of an odd number of hashes, in halves.
    second_half_is_larger: bool = False
    # PIP-486 does not say how many buckets a merged segment has: those of both, or the more.
    merge_keeps_more_buckets: bool = False
    # page: "`parents` and `children` by number": in the order of the command, or of the hashes.
    lower_parent_first: bool = False
    # PIP-460 wants "stable" assignments; by PIP-468 all are dealt again.
    assignments_are_stable: bool = False
    # PIP-460: "held in reserve": what is new goes to others meanwhile, or to all.
    awaited_get_nothing_new: bool = False
    # No document says in which order consumers have their turns.
    consumers_by_age: bool = False
    # PIP-486: "a consumer may own several buckets": those to spare share a segment, or wait.
    buckets_are_shared: bool = True
    # PIP-483: "most-overloaded candidate": by the largest ratio to a threshold, or by their sum.
    overload_adds_up: bool = False
    # PIP-483: "coldest pair by combined rate": of messages, or of shares of the thresholds.
    coldest_by_messages: bool = False
    # PIP-483 demands a merge of each cold pair, and that none be split again at once.
    merges_what_splits_again: bool = True
    # PIP-483 does not say whether a segment of which nothing was written yet is cold.
    unreported_is_cold: bool = False


@dataclass(frozen=True)
class Interpretations(
    ChannelInterpretations,
    LocksInterpretations,
    ThrottlingInterpretations,
    BundleInterpretations,
    ScalingInterpretations,
):
    """The interpretations of one balancer."""


VARIANTS = read_variants(Path(__file__), Interpretations)
