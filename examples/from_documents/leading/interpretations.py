"""The questions that the documents leave open; variants.toml has different answers."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from examples.from_documents.variants import read_variants


@dataclass(frozen=True)
class Interpretations:
    """One switch for each sentence with more than one interpretation."""

    # wire.md: "Other numbers are doubles."  A subject may compute with them as doubles, as the
    # exact decimals in the text, or with percentages of single precision.
    arithmetic: str = "double"  # or "decimal", "single"
    # No document says which of several equal bundles or brokers comes first.
    ties: str = "reported"  # or "name", "reverse", "random"
    # ModularRound: a bundle "is recently unloaded [...] until its grace period is over".  Over
    # at the very millisecond, or only after it.
    grace_includes_end: bool = False
    # AveragedBundle: "Averages of a bundle's traffic, over few and over many samples."  No
    # document says which of them a shedding strategy uses.
    term: str = "short"  # or "long"
    # ReportedBroker: "A usage of -1 could not be measured".  Counted as 0, or as it is.
    unmeasured_is_zero: bool = True

    # Blog, "Section 5": "%memory * memoryWeight": direct memory, or heap memory, to which the page
    # gives the weight 0 in shedding.*.
    memory_is_heap: bool = False

    # --- OverloadShedder (Concepts, "OverloadShedder")
    # "if a broker's maximum resource usage exceeds the configured threshold", but a few lines on
    # "Whenever either of those metrics reaches the threshold [...] the system triggers".
    overload_at_limit: bool = False
    # "this (these) bundle(s) will be unloaded" names no amount: enough to come below the
    # threshold if usage follows throughput, as much as ThresholdShedder 1.3 would take (points of
    # usage as shares of the traffic), one bundle, or all that may go.
    overload_amount: str = "proportional"  # or "points", "one", "all"
    # "based on the threshold of CPU, network, and memory usage" says nothing of weights.
    overload_weighted: bool = False
    # Whether "memory" there means the heap as well as direct memory.
    overload_heap: bool = False

    # --- ThresholdShedder
    # ThresholdShedder 1.3: "percentOfTrafficToOffload = currentUsage - avgUsage - threshold +
    # ADDITIONAL_THRESHOLD_PERCENT_MARGIN"; Concepts: "removing enough bundles to bring the
    # unloaded broker 5% below the cluster average usage".
    below_average: bool = False
    # 1.4: "when the maximum resource usage of a broker [...] is less than [...], it will unload
    # [...] from the broker with the highest load": only where nothing else is shed in the
    # round, or also for a highest broker of a round in which others shed.
    lower_only_if_idle: bool = True
    # 1.2: "brokerAvgResourceUsage.put(broker, historyUsage)" says nothing of brokers that do
    # not report in a round: their history is stored, or dropped.
    forget_silent: bool = False
    # 1.2: "unloading this bundle would result in the broker no longer carrying any traffic, so
    # the bundle unload will be skipped": only with one bundle, or the last one always stays.
    keep_last: bool = False
    # 1.3: "unload bundles that at least meet this throughput volume [...] select from the
    # largest to the smallest".  A bundle without traffic helps nothing: shed never, or if its
    # turn comes.
    shed_idle: bool = True
    # 1.3: "the minimum throughput threshold for unloading": an amount of exactly that much is
    # unloaded, or not.
    minimum_included: bool = True

    # --- UniformLoadShedder and AvgShedder
    # Concepts, "UniformLoadShedder": "either message rate [...] or throughput [...], then it
    # finds out bundles": by rate where both differ, or by throughput.
    uniform_prefers_rate: bool = True
    # No document says what a broker without any traffic means for a ratio: as if it had one
    # message (byte) per second, or a difference without bound.
    uniform_least_is_one: bool = True
    # "the shedding strategy will try to make the message rate of two brokers the same": never
    # more than the amount, or a bundle more where that comes nearer to it.
    nearest: bool = False
    # AvgRules: "moved, if that is more than `minUnloadMessage` or else ...".  For the uniform
    # shedder the page leaves open whether the same figure may be moved.
    uniform_minimum_included: bool = True
    # Concepts, "AvgShedder": "When the difference in scores between two paired brokers exceeds
    # [...] by [...] times": hits belong to the pair in its order, or to the pair.
    avg_ordered_pairs: bool = True
    # After an unload the hits restart, for the whole pair or for the threshold hit.
    avg_reset_both: bool = True

    # --- TransferShedder
    # Concepts, "TransferShedder": "the standard deviation of the broker load distribution": of
    # these brokers (the population), or estimated from them as a sample.
    sample_deviation: bool = False
    # TransferReason: "there was no cause in enough rounds in a row": as many rounds as the
    # threshold says, or more.
    hits_must_exceed: bool = False
    # Concepts: "until all of the following are true": every pair is handled again until
    # then, or each broker is handled once in a round.
    transfer_once_each: bool = True
    # Moves within a pair: largest bundles first, or smallest first.
    transfer_smallest_first: bool = False
    # Half of the pair's difference, or only what brings the source to the average.
    transfer_amount: str = "half"  # or "average"
    # After a round that moved something the row of hits starts again, or continues.
    transfer_restart_hits: bool = False

    # --- load
    # AveragesNow: "of how many samples each is": a running mean of at most this many samples, or
    # the mean of the last ones.
    sliding_window: bool = False
    # load.usage: "those of the bandwidths under their old ones": with both configured, the
    # present one counts, or the old one.
    old_name_wins: bool = False
    # load.usage: "`usage` null: what was measured is not a number": it leaves the largest
    # without a number, or is left out.
    not_a_number_spreads: bool = False
    # "When does a broker write its report": the threshold is met, or must be exceeded.
    report_at_threshold: bool = False
    # TopBundles: "the heaviest": by bytes, or by messages and then bytes.
    heaviest_by: str = "throughput"  # or "messages"
    # load.leader: a bundle that no report has any more is still known, or forgotten at once.
    keep_unreported: bool = False

    # --- placement
    # Blog, "Section 1": "maximum local usage of CPU, memory, and network": with or without the
    # weights of the trial.
    rate_weighted: bool = False
    # A plan once used is kept, or removed.
    plan_used_up: bool = False
    # "points below the mean": exactly this many points below are enough, or not.
    difference_included: bool = False
    # None is so far below the mean: any of the candidates, or the least loaded one.
    fallback_least: bool = False
    # "A placer that chooses in turn": in the order given, or in the order of names.
    round_robin_sorted: bool = False
    # placement.candidates: a second choice "each time" an overloaded broker was chosen first.
    ask_again: bool = True

    # Concepts, table of strategies: "only available in the modular load balancer": any other is
    # refused, or the manager's default takes its place.
    unavailable_refused: bool = True


VARIANTS = read_variants(Path(__file__), Interpretations)
