"""PLC-23 to PLC-40: the brokers offered to the strategy, once or twice, and the chosen one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, islice, permutations
from math import factorial
from typing import Final, TypeAlias

from evenkeel.properties.placement.candidates.trials import (
    CandidatesAnswer,
    CandidatesTrial,
    FiltersTrial,
    choose_preferred,
)
from evenkeel.properties.placement.judge_parts import exceeds_threshold, is_candidate
from evenkeel.properties.placement.trial_parts import matches
from evenkeel.reference.edition import Edition
from evenkeel.reference.java_text import code_units, same_ignoring_case
from evenkeel.reference.load.namespaces import SYSTEM, namespace_of
from evenkeel.reference.load.usage import Resource, Resources, Weights
from evenkeel.reference.placement.candidates import BrokerReport
from evenkeel.reference.placement.filters import Registration
from evenkeel.reference.placement.isolation import IsolationPolicy
from evenkeel_engine.kit.approx import Ternary
from evenkeel_engine.kit.clause import Case
from evenkeel_engine.kit.formatting import display
from evenkeel_engine.kit.judge import AnyCase, answers, decision, require_equal
from evenkeel_engine.kit.observations import Broke, Refused
from evenkeel_engine.kit.run import Run

DIGITS: Final = frozenset("0123456789")
LETTERS: Final = DIGITS | frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-")
LIMIT: Final = 2**31


@dataclass(frozen=True, slots=True)
class Version:
    numbers: tuple[int, ...]
    words: tuple[str, ...]
    build: tuple[str, ...] = ()


def is_number(word: str) -> bool:
    """Digits, without a leading zero."""
    return bool(word) and set(word) <= DIGITS and (word == "0" or word[0] != "0")


def is_word(word: str) -> bool:
    return bool(word) and set(word) <= LETTERS and (not set(word) <= DIGITS or is_number(word))


@lru_cache(4096)
def parse_version(text: str) -> Version | None:
    """A semantic version; None if invalid."""
    rest, plus, build = text.partition("+")
    if plus and not all(word and set(word) <= LETTERS for word in build.split(".")):
        return None
    core, hyphen, early = rest.partition("-")
    numbers, words = core.split("."), early.split(".") if hyphen else []
    if len(numbers) != 3 or not all(map(is_number, numbers)) or not all(map(is_word, words)):
        return None
    return Version(tuple(map(int, numbers)), tuple(words), tuple(build.split(".")) if plus else ())


def in_32_bits(word: str) -> int | None:
    """A word as a 32-bit integer, with a hyphen as its sign."""
    digits = word[1:] if word[0] == "-" else word
    if not digits or not set(digits) <= DIGITS:
        return None
    return int(word) if -LIMIT <= int(word) < LIMIT else None


def is_newer_word(one: str, other: str, small: bool) -> bool:
    if small:
        first, second = in_32_bits(one), in_32_bits(other)
        if first is None or second is None:
            return one > other
        return 0 < (first - second) % 2**32 < LIMIT
    if is_number(one) != is_number(other):
        return is_number(other)
    return int(one) > int(other) if is_number(one) else one > other


def is_newer(one: Version, other: Version, small: bool) -> bool:
    """Whether one is newer than the other; `small`: words are compared as in 4.0."""
    if one.numbers != other.numbers:
        return one.numbers > other.numbers
    if not one.words or not other.words:
        return bool(other.words) and not one.words
    for word, against in zip(one.words, other.words, strict=False):
        if is_newer_word(word, against, small) or is_newer_word(against, word, small):
            return is_newer_word(word, against, small)
    return len(one.words) > len(other.words)


def goes_after(words: tuple[str, ...], others: tuple[str, ...]) -> bool:
    """Whether words make newer in 5.0.1: numbers of digits, without a zero first, else texts."""
    for word, other in zip(words, others, strict=False):
        if word != other:
            numbers = all(set(one) <= DIGITS and one[0] != "0" for one in (word, other))
            return int(word) > int(other) if numbers else word > other
    return len(words) > len(others)


def is_newer_or_built_later(one: Version, other: Version) -> bool:
    """Whether one is newer than the other in 5.0.1, where builds count."""
    if one.numbers != other.numbers:
        return one.numbers > other.numbers
    if not one.words or not other.words:
        if one.words or other.words:
            return not one.words
    elif one.words != other.words:
        return goes_after(one.words, other.words)
    return goes_after(one.build, other.build)


def newest(texts: Mapping[str, str | None], edition: Edition) -> tuple[str, ...] | None:
    """Those with the newest version; None if one is invalid, or there are none."""
    small = edition.versions_in_32_bits
    versions = {broker: parse_version(text or "") for broker, text in texts.items()}
    known = {
        broker: version
        for broker, version in versions.items()
        if version is not None and not (small and max(version.numbers) >= LIMIT)
    }
    if len(known) < len(texts) or not known:
        return None
    different = set(known.values())

    def beats(other: Version, version: Version) -> bool:
        if edition.builds_make_newer:
            return is_newer_or_built_later(other, version)
        return is_newer(other, version, small)

    return tuple(
        broker
        for broker, version in known.items()
        if not any(beats(other, version) for other in different)
    )


Brokers: TypeAlias = tuple[str, ...]
Keep: TypeAlias = Callable[[Brokers], Brokers]
NO_DOMAIN: Final = "default"


@dataclass(frozen=True, slots=True)
class Filter:
    """`clause`: the one that demands what the filter keeps, if any; `why` it drops the others."""

    kind: str
    clause: str
    why: str
    keep: Keep


def host_of(broker: str) -> str:
    return broker[: broker.rindex(":")]


def policy_of(trial: CandidatesTrial | FiltersTrial) -> IsolationPolicy | None:
    fitting = [p for p in trial.policies if matches(p.namespaces, trial.namespace)]
    return fitting[0] if fitting else None


def has_match(expressions: tuple[str, ...], text: str) -> bool:
    """Whether one of the expressions matches a part of the text."""
    return matches(tuple(f".*(?:{one}).*" for one in expressions), text)


def means(expressions: tuple[str, ...], broker: str, edition: Edition) -> bool:
    """Whether an expression means a broker, by its host or where they count by host and port."""
    with_port = tuple(one for one in expressions if edition.policies_name_ports and ":" in one)
    if matches(expressions, host_of(broker)):
        return True
    number = int(broker[broker.rindex(":") + 1 :])
    host = host_of(broker).removeprefix("[").removesuffix("]")
    shown = f"[{host}]" if ":" in host else host
    there_is = number < 1 << 16 and host.count(":") != 1
    return there_is and matches(with_port, f"{shown}:{number}")


def is_primary(policy: IsolationPolicy, broker: str, edition: Edition) -> bool:
    return means(policy.primary, broker, edition)


def usable(
    trial: CandidatesTrial | FiltersTrial,
    brokers: Brokers,
    takes: Callable[[str], bool],
    edition: Edition,
) -> Brokers:
    """Those of these brokers that the namespace may use (PLC-23 to PLC-26)."""
    if (policy := policy_of(trial)) is None:
        taken = {b for b in brokers for p in trial.policies if is_primary(p, b, edition)}
        return tuple(b for b in brokers if b not in taken and takes(b))
    chosen = {b for b in brokers if is_primary(policy, b, edition)}
    if len(chosen) < policy.least:
        chosen |= {b for b in brokers if means(policy.secondary, b, edition)}
    return tuple(b for b in brokers if b in chosen)


def with_fewest(brokers: Brokers, counts: Mapping[str, int]) -> Brokers:
    """Those with the fewest."""
    ranked = sorted(counts[broker] for broker in brokers)
    return tuple(broker for broker in brokers if counts[broker] <= ranked[0])


def members(trial: CandidatesTrial | FiltersTrial, group: str, by_bundles: bool) -> dict[str, int]:
    """Each broker's share of an anti-affinity group: namespaces, or bundles."""
    inside = {known.namespace for known in trial.groups if same_ignoring_case(known.group, group)}
    counts: dict[str, int] = {}
    for broker in trial.brokers:
        served = [namespace_of(bundle) for bundle in broker.bundles]
        counts[broker.name] = sum(n in inside for n in (served if by_bundles else set(served)))
    return counts


def apart(trial: CandidatesTrial | FiltersTrial, by_bundles: bool) -> Iterator[Filter]:
    """Filters for a domain with the fewest of the group, and there for a broker with the fewest."""
    groups = {known.namespace: known.group for known in trial.groups}
    if trial.namespace not in groups:
        return
    counts = members(trial, groups[trial.namespace], by_bundles)
    domains = {b.name: b.domain for b in trial.brokers if trial.failure_domains}
    if not any(domains.values()):
        domains = {}

    def keep(brokers: Brokers) -> Brokers:
        if domains and brokers:
            sizes = Counter[str]()
            for broker in brokers:
                sizes[domains[broker] or NO_DOMAIN] += counts[broker]
            brokers = with_fewest(brokers, {b: sizes[domains[b] or NO_DOMAIN] for b in brokers})
        return with_fewest(brokers, counts)

    yield Filter("APART", "PLC-28", "it has more of the anti-affinity group", keep)


def is_spread(trial: CandidatesTrial | FiltersTrial) -> bool:
    """Whether the namespace's bundles are to be spread evenly."""
    return trial.config.distribute_evenly or trial.namespace == SYSTEM


def of_namespace(trial: CandidatesTrial | FiltersTrial) -> dict[str, int]:
    """How many bundles of the namespace each broker has."""
    return {
        broker.name: [namespace_of(bundle) for bundle in broker.bundles].count(trial.namespace)
        for broker in trial.brokers
    }


def filter_evenly(trial: CandidatesTrial) -> Iterator[Filter]:
    if not is_spread(trial):
        return
    counts = of_namespace(trial)
    why = "it has more bundles of the namespace"
    yield Filter("EVEN", "PLC-29", why, lambda brokers: with_fewest(brokers, counts))


def dropping(
    kind: str, clause: str, why: str, dropped: set[str], all_stay: bool = False
) -> Iterator[Filter]:
    """A filter that looks at each broker alone; `all_stay`: if it would drop all, it drops none."""
    if dropped:
        yield Filter(
            kind,
            clause,
            why,
            lambda brokers: (
                tuple(b for b in brokers if b not in dropped) or (brokers if all_stay else ())
            ),
        )


def latest(
    trial: CandidatesTrial | FiltersTrial,
    versions: Mapping[str, str | None],
    edition: Edition,
    all_stay: bool,
) -> Iterator[Filter]:
    """`all_stay`: where versions cannot be compared, no broker is dropped; else all are."""
    if trial.config.prefer_later_versions:

        def keep(brokers: Brokers) -> Brokers:
            found = newest({b: versions[b] for b in brokers}, edition)
            return found if found is not None else brokers if all_stay else ()

        yield Filter("VERSION", "PLC-31", "it runs an older version", keep)


def modular_filters(trial: CandidatesTrial, edition: Edition) -> list[Filter]:
    """The filters after the isolation policy, in 4.0's order."""
    config = trial.config
    reports = {broker.name: broker.report for broker in trial.brokers}
    full = {
        b
        for b, report in reports.items()
        if (report.topics + sum(report.preallocated) if report else 0) > config.max_topics
    }
    others = {b for b, report in reports.items() if report and report.manager != config.manager}
    versions = {b: report.version if report else None for b, report in reports.items()}
    return [
        *dropping("TOPICS", "PLC-27", "it has too many topics", full, all_stay=True),
        *apart(trial, by_bundles=False),
        *filter_evenly(trial),
        *dropping("MANAGER", "PLC-30", "it runs another load manager", others),
        *latest(trial, versions, edition, all_stay=False),
    ]


def extensible_filters(trial: FiltersTrial, edition: Edition, isolating: Keep) -> list[Filter]:
    """The filters, with isolation among them, in 4.0's order."""
    config = trial.config
    known = {broker.name: broker.registration for broker in trial.brokers}
    others = {b for b, one in known.items() if one.manager != config.manager}
    full = {b for b, one in known.items() if (one.topics or 0) >= config.max_topics}
    versions = {b: one.version for b, one in known.items()}

    return [
        *dropping("MANAGER", "PLC-30", "it runs another load manager", others),
        *dropping("TOPICS", "PLC-27", "it has too many topics", full),
        *latest(trial, versions, edition, all_stay=True),
        *apart(trial, edition.spread_counts_bundles),
        Filter("ISOLATION", "", "", isolating),
    ]


def topics_of(known: BrokerReport | Registration) -> int:
    """How many topics a broker has and is given."""
    given = known.preallocated if isinstance(known, BrokerReport) else ()
    return (known.topics or 0) + sum(given)


def known_of(
    trial: CandidatesTrial | FiltersTrial, name: str
) -> BrokerReport | Registration | None:
    """What is known of a broker, if anything."""
    if isinstance(trial, CandidatesTrial):
        return next((broker.report for broker in trial.brokers if broker.name == name), None)
    return next((broker.registration for broker in trial.brokers if broker.name == name), None)


def grounds(
    trial: Trial, missing: str, offered: Brokers, kept: Brokers, edition: Edition
) -> list[str]:
    """The clauses of practice from which a balancer can depart so that it drops this broker: no
    document says which rules exist.

    A rule on what a broker reports itself drops it for nothing that another one reports, and also
    those of `kept`, the brokers offered where all are dropped, that report no better.
    """
    known, config = known_of(trial, missing), trial.config
    others = [other for name in kept if (other := known_of(trial, name)) is not None]
    least = min(map(topics_of, others), default=0)
    foreign = any(other.manager != config.manager for other in others)
    takes_it = known and (known.persistent if trial.persistent else known.non_persistent)
    met = {
        "PLC-23": bool(trial.policies),
        "PLC-26": not takes_it,
        "PLC-27": config.max_topics <= 0 or (known and topics_of(known) > least),
        "PLC-28": bool(trial.groups),
        "PLC-29": is_spread(trial) and len({*of_namespace(trial).values()}) > 1,
        "PLC-30": known and known.manager != config.manager and not foreign,
        "PLC-31": config.prefer_later_versions,
        "PLC-33": isinstance(trial, CandidatesTrial)
        and bool(offered)
        and is_overloaded(trial, missing, edition) is not False
        and not any(is_overloaded(trial, one, edition) for one in offered),
    }
    return [clause for clause, possible in met.items() if possible]


def left_by(filters: Sequence[Filter], brokers: Brokers) -> Brokers:
    """The brokers that remain after one filter after the other."""
    for one in filters:
        brokers = one.keep(brokers) if brokers else ()
    return brokers


def same_in_every_order(filters: Sequence[Filter], brokers: Brokers) -> bool:
    first = set(left_by(filters, brokers))
    return all(set(left_by(order, brokers)) == first for order in permutations(filters))


Trial = CandidatesTrial | FiltersTrial


def order_brokers(brokers: Iterable[str]) -> Brokers:
    return tuple(sorted(brokers, key=code_units))


def takes(known: BrokerReport | Registration | None, persistent: bool) -> bool:
    """Whether a broker has reported that it takes topics of this sort."""
    return known is not None and (known.persistent if persistent else known.non_persistent)


def by_sort(
    run: Run,
    trial: Trial,
    brokers: Brokers,
    known: Mapping[str, BrokerReport | Registration | None],
    edition: Edition,
) -> Brokers:
    """PLC-32: under a policy, too, brokers may be dropped that do not take such topics, or have not
    reported it, before those of the policy are counted or afterwards.
    """
    if policy_of(trial) is None:
        return brokers

    def fits(broker: str) -> bool:
        return takes(known[broker], trial.persistent)

    def may_fit(broker: str) -> bool:
        return known[broker] is None or fits(broker)

    options = [brokers]
    for keep in (fits, may_fit):
        options.append(tuple(filter(keep, brokers)))
        options.append(usable(trial, tuple(filter(keep, known)), keep, edition))
    options = list(dict.fromkeys(options))
    return options[run.pick(len(options))]


def isolation(run: Run, trial: FiltersTrial, offered: Brokers, edition: Edition) -> Keep:
    """The filter by policies. Under a policy brokers may be dropped that do not take such topics
    (PLC-32), before those of the policy are counted or afterwards.
    """
    known = {broker.name: broker.registration for broker in trial.brokers}

    def fits(broker: str) -> bool:
        return takes(known[broker], trial.persistent)

    def keep(brokers: Brokers) -> Brokers:
        return usable(trial, brokers, fits, edition)

    way = 0
    if (
        not edition.spread_counts_bundles
        and policy_of(trial) is not None
        and not all(map(fits, known))
    ):
        way = run.pick(3)
    if way == 0:
        return keep
    wrong = [broker for broker in offered if not fits(broker)]
    run.require(
        "PLC-32", not wrong, f"{wrong} take no such topics, and others are left out", "sort"
    )
    if way == 1:
        return lambda brokers: keep(tuple(filter(fits, brokers)))
    return lambda brokers: tuple(filter(fits, keep(brokers)))


@decision(
    "placement.candidates",
    "PLC-1", "PLC-4", "PLC-5", "PLC-23", "PLC-24", "PLC-25", "PLC-26", "PLC-27", "PLC-28",
    "PLC-29", "PLC-30", "PLC-31", "PLC-32", "PLC-33", "PLC-34", "PLC-35", "PLC-39", "PLC-57",
)  # fmt: skip
def judge_candidates(run: Run, case: Case[CandidatesTrial, CandidatesAnswer]) -> None:
    trial, edition, observed = case.trial, case.edition, case.observation
    reports = {broker.name: broker.report for broker in trial.brokers}

    def accepts(broker: str) -> bool:
        return takes(reports.get(broker), trial.persistent)

    all_brokers = usable(trial, tuple(reports), accepts, edition)
    if not edition.unreported_candidates_break:
        all_brokers = by_sort(run, trial, all_brokers, reports, edition)
    filters = modular_filters(trial, edition)
    right = place_as_4_0(trial, edition, all_brokers, left_by(filters, all_brokers) or all_brokers)
    if edition.unreported_candidates_break:
        require_equal(run, case, "PLC-35", right, "placing it")
    if is_none(case, all_brokers):
        return
    if isinstance(right, Broke):
        require_equal(run, case, "PLC-5", right, "the chosen broker has no report")
    elif not answers(run, case, "PLC-5" if edition.unreported_candidates_break else "PLC-4"):
        return
    if not isinstance(observed, CandidatesAnswer):
        return
    is_candidate(run, observed.chosen, order_brokers({*chain(*observed.offers)}))
    for offered in observed.offers:
        judge_isolation(run, trial, offered, edition)
    first = observed.offers[0] if observed.offers else ()
    if policy_of(trial) is None:
        judge_taking(run, trial, first, accepts)
    else:
        failed_over(run, trial, first, all_brokers, edition)
    if not all_brokers:
        run.require("PLC-39", observed.chosen is None, f"{observed.chosen} chosen", "none")
        return
    judge_drops(run, trial, filters, all_brokers, first, all_brokers, edition)
    second_choice(run, case, observed, order_brokers(all_brokers))


def is_overloaded(trial: CandidatesTrial, broker: str | None, edition: Edition) -> Ternary:
    """None also for a broker without a report."""
    report = next((known.report for known in trial.brokers if known.name == broker), None)
    if report is None:
        return None
    resources = Resources(cpu=Resource(report.cpu, 100.0))
    return exceeds_threshold(resources, trial.config.overloaded_threshold, Weights(), edition)


def place_as_4_0(
    trial: CandidatesTrial, edition: Edition, all_brokers: Brokers, left: Brokers
) -> CandidatesAnswer | Broke:
    """The answer of 4.0."""
    chosen = choose_preferred(trial.prefers, left)
    again = is_overloaded(trial, chosen, edition)
    if chosen is not None and again is None and edition.unreported_candidates_break:
        return Broke("no report")
    if not again:
        return CandidatesAnswer((order_brokers(left),), chosen)
    chosen = choose_preferred(trial.prefers_then, all_brokers)
    return CandidatesAnswer((order_brokers(left), order_brokers(all_brokers)), chosen)


def judge_isolation(run: Run, trial: Trial, offered: Brokers, edition: Edition) -> None:
    """What may be offered at all: the policy's brokers, else none that is primary elsewhere."""
    if (policy := policy_of(trial)) is None:
        taken = [b for b in offered for p in trial.policies if is_primary(p, b, edition)]
        if trial.policies:
            run.require(
                "PLC-26",
                not taken,
                lambda: f"{', '.join(taken)}: primary of another namespace",
                "shared",
            )
        return
    named = (*policy.primary, *policy.secondary)
    strangers = [b.name for b in trial.brokers if not has_match(named, b.name)]
    if strangers and sum(has_match(p.namespaces, trial.namespace) for p in trial.policies) == 1:
        wrongly = sorted({*offered} & {*strangers})
        run.require("PLC-57", not wrongly, f"{wrongly}: no expression of the policy names them")
    outside = [b.name for b in trial.brokers if not means(named, b.name, edition)]
    by_port = [broker for broker in outside if matches(named, broker)]
    for clause, kind, wrong in (("PLC-25", "port", by_port), ("PLC-23", "isolation", outside)):
        found = ", ".join(broker for broker in offered if broker in wrong)
        if wrong:
            why = f"{found}: the policy names {', '.join(named)} ({kind})"
            run.require(clause, not found, why, kind)


def judge_taking(run: Run, trial: Trial, offered: Brokers, accepts: Callable[[str], bool]) -> None:
    """Without a policy: brokers that take such topics."""
    if not all(accepts(broker) for broker in (*offered, *(b.name for b in trial.brokers))):
        wrong = [broker for broker in offered if not accepts(broker)]
        run.require("PLC-26", not wrong, f"{wrong} take no such topics", "sort")


def failed_over(
    run: Run, trial: Trial, offered: Brokers, all_brokers: Brokers, edition: Edition
) -> None:
    """With a policy: secondary brokers only where there are too few primary ones."""
    policy = policy_of(trial)
    assert policy is not None
    second = [b.name for b in trial.brokers if means(policy.secondary, b.name, edition)]
    if not {*offered, *second} <= set(all_brokers):
        wrong = [broker for broker in offered if broker not in all_brokers]
        run.require("PLC-24", not wrong, f"{wrong}: there are {policy.least} primary", "failover")


def judge_drops(
    run: Run,
    trial: Trial,
    filters: Sequence[Filter],
    all_brokers: Brokers,
    offered: Brokers,
    rescued: Brokers,
    edition: Edition,
) -> None:
    """Where the order makes no difference: what no filter drops is offered, and nothing else.

    A broker that several filters drop is dropped by the first of them.
    """
    if not same_in_every_order(filters, all_brokers):
        return
    result = left_by(filters, all_brokers)
    if result or not rescued:
        number = run.pick(factorial(len(filters)))
        left = all_brokers
        for one in next(islice(permutations(filters), number, None)):
            remaining = one.keep(left) if left else ()
            dropped = [broker for broker in left if broker not in remaining]
            wrong = [broker for broker in dropped if broker in offered]
            if dropped and one.clause:
                sentence = f"{wrong} offered: {one.why}"
                run.require(one.clause, not wrong, sentence, one.kind)
            left = remaining
    promised = result or rescued
    missing = [broker for broker in promised if broker not in offered]
    kept = () if result else offered
    reasons = [grounds(trial, broker, offered, kept, edition) for broker in missing]
    if missing and all(any(not run.rule(True, so=one) for one in some) for some in reasons):
        return
    if promised:
        run.require("PLC-32", not missing, f"{missing} not offered, without a reason", "missing")


def second_choice(
    run: Run,
    case: Case[CandidatesTrial, CandidatesAnswer],
    observed: CandidatesAnswer,
    all_brokers: Brokers,
) -> None:
    """The second choice, where the first one is overloaded; the last choice counts."""
    trial = case.trial
    first, *later = observed.offers or ((),)
    chosen = choose_preferred(trial.prefers, first)
    again = is_overloaded(trial, chosen, case.edition)
    run.require(
        "PLC-33",
        None if again is None else [*map(order_brokers, later)] == ([all_brokers] if again else []),
        lambda: f"{chosen} {'is' if again else 'is not'} overloaded: {display(later)}",
        "again",
    )
    last = choose_preferred(trial.prefers_then, later[-1]) if later else chosen
    run.require("PLC-34", observed.chosen == last, f"{observed.chosen}, not {last}", "last")


def is_none(case: AnyCase, left: Brokers) -> bool:
    """PLC-4: whether it is refused to place what no broker may get; not in 4.0."""
    refused = isinstance(case.observation, Refused) and not left
    return refused and not case.edition.unreported_candidates_break


@decision(
    "placement.filters",
    "PLC-1", "PLC-4", "PLC-23", "PLC-25", "PLC-26", "PLC-27", "PLC-28", "PLC-29", "PLC-30",
    "PLC-31", "PLC-32", "PLC-38", "PLC-39", "PLC-40", "PLC-57",
)  # fmt: skip
def judge_filters(run: Run, case: Case[FiltersTrial, CandidatesAnswer]) -> None:
    trial, edition, observed = case.trial, case.edition, case.observation
    registered = {broker.name: broker.registration for broker in trial.brokers}
    all_brokers = tuple(name for name in registered if name not in trial.excluded)
    if isinstance(observed, Refused):
        in_order = extensible_filters(trial, edition, isolation(run, trial, (), edition))
        if is_none(case, left_by(in_order, all_brokers)):
            return
    if not answers(run, case, "PLC-38" if edition.spread_counts_bundles else "PLC-4"):
        return
    assert isinstance(observed, CandidatesAnswer)
    is_candidate(run, observed.chosen, order_brokers({*chain(*observed.offers)}))
    first: Brokers = observed.offers[0] if observed.offers else ()
    judge_isolation(run, trial, first, edition)
    if policy_of(trial) is None:
        judge_taking(run, trial, first, lambda b: takes(registered.get(b), trial.persistent))
    if trial.excluded:
        wrong = [broker for broker in first if broker in trial.excluded]
        run.require("PLC-40", not wrong, f"{wrong} excluded", "excluded")
    in_order = extensible_filters(trial, edition, isolation(run, trial, first, edition))
    judge_drops(run, trial, in_order, all_brokers, first, (), edition)
    left = left_by(in_order, all_brokers)
    counts = of_namespace(trial)
    if is_spread(trial) and len({counts[broker] for broker in left if broker in first}) > 1:
        run.require("PLC-29", True)
    if not left and same_in_every_order(in_order, all_brokers):
        run.require("PLC-39", observed.chosen is None, f"{observed.chosen} chosen", "none")
    offers = (order_brokers(left),) if left else ()
    right = CandidatesAnswer(offers, choose_preferred(trial.prefers, left))
    require_equal(run, case, "PLC-38", right, "placing it")
