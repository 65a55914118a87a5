"""The heaviest bundles in a report (LOA-50 to LOA-57)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from evenkeel.properties.load.judge_parts import (
    are_ascending,
    are_heaviest,
    eligible,
    is_bound,
    is_idle,
    is_system,
    rank,
)
from evenkeel.properties.load.trial_parts import require_bundles, require_settings
from evenkeel.properties.names import require_namespace
from evenkeel.reference.edition import Edition
from evenkeel.reference.load import top_bundles
from evenkeel.reference.load.statistics import BundleStatistics
from evenkeel.reference.load.top_bundles import TopRules
from evenkeel.reference.load.traffic import Traffic
from evenkeel.reference.switches.bundles import LegacyNames
from evenkeel_engine.frame.settings import INT
from evenkeel_engine.kit.clause import Case, describe, in_full
from evenkeel_engine.kit.draw import Draw
from evenkeel_engine.kit.formatting import display
from evenkeel_engine.kit.judge import decision, is_must
from evenkeel_engine.kit.observations import Broke, Refused
from evenkeel_engine.kit.question import Question
from evenkeel_engine.kit.run import Run
from evenkeel_engine.kit.trial import require_different


@dataclass(frozen=True, slots=True)
class TopBundlesTrial:
    """`load.top_bundles`: which bundles does a broker report as its heaviest, of those with
    throughput that are not Pulsar's own?

    Heavier is more bytes in, else bytes out, else messages in plus out, else topics plus clients,
    else cache, in steps of 10^5, 10^5, 100, 500 and 10^5; the first three are rounded half up.
    """

    bundles: tuple[BundleStatistics, ...]
    rules: TopRules

    def __post_init__(self) -> None:
        require_bundles("bundles", self.bundles)
        for name in ("isolated", "grouped"):
            namespaces = getattr(self.rules, name)
            require_different(f"rules.{name}", namespaces)
            for namespace in namespaces:
                require_namespace(f"rules.{name}", namespace)
        require_settings("rules", self.rules)


@dataclass(frozen=True, slots=True)
class TopBundlesAnswer:
    """The bundles in the order of the report: the lightest of the heaviest first."""

    bundles: tuple[str, ...]


SORTED_AT_ONCE: Final = 32
"""Java sorts more in parts, and can fail where comparisons contradict one another."""

NAMESPACES: Final = (
    "tenant/ns",
    "tenant/ns2",
    "pulsar/system",
    "pulsar/broker-1:8080",
    "pulsar/cluster/broker-1:8080",
    "sla-monitor/cluster/broker-1:8080",
    "pulsar/systems",
    "sla-monitor/broker-1:8080",
)

RANGES: Final = ("0x00000000_0x40000000", "0x40000000_0x80000000", "0x80000000_0xffffffff")


def draw_statistics(draw: Draw, name: str) -> BundleStatistics:
    """Measurements that equal those of others in most respects, up to the steps."""
    inbound = draw.pick((100_000.0, 0.0, 149_999.0, 150_000.0, 300_000.0, 50_000.0, 49_999.0))
    outbound = draw.pick((0.0, 100_000.0, 160_000.0, 1e7))
    rate = draw.pick((0.0, 49.0, 50.0, 100.0, 1000.0))
    return BundleStatistics(
        name,
        Traffic(rate, draw.pick((0.0, 100.0)), inbound, outbound),
        draw.pick((0, 1, 499, 500)),
        draw.pick((0, 1, 500)),
        draw.pick((0, 500)),
        draw.pick((0, 99_999, 100_000, 2**31, 2**32)),
    )


def top_bundles_trial(draw: Draw) -> TopBundlesTrial:
    """Some bundles of ordinary and of special namespaces, some with policies."""
    names: list[str] = []
    for _ in draw.items(14, 0.85):
        namespace = draw.pick(NAMESPACES[:2]) if draw.chance(0.7) else draw.pick(NAMESPACES)
        names.append(f"{namespace}/{draw.pick(RANGES)}")
    bundles = tuple(draw_statistics(draw, name) for name in dict.fromkeys(names))
    most = draw.pick((1, 2, 3, 10)) if draw.chance(0.9) else draw.pick((0, -1, 0, -1, INT[0]))
    isolated = tuple(draw.sample(NAMESPACES[:2], 1)) if draw.chance(0.3) else ()
    grouped = tuple(draw.sample(NAMESPACES[:2], 1)) if draw.chance(0.3) else ()
    if bundles and draw.chance(0.15):  # only what is compared last differs
        first = bundles[0]
        bundles = tuple(replace(first, bundle=one.bundle, cache=one.cache) for one in bundles)
    return TopBundlesTrial(bundles, TopRules(most, draw.chance(0.3), isolated, grouped))


def answer_top_bundles(trial: TopBundlesTrial, edition: Edition) -> TopBundlesAnswer:
    """One of the right lists."""
    chosen = top_bundles.top_bundles(trial.bundles, trial.rules, edition)
    return TopBundlesAnswer(tuple(bundle.bundle for bundle in chosen))


def top_bundles_labels(trial: TopBundlesTrial) -> Iterator[str]:
    """The number requested, and whether policies count."""
    yield "none requested" if trial.rules.most <= 0 else f"{trial.rules.most} requested"
    if trial.rules.isolated or trial.rules.grouped:
        yield "policies allowed" if trial.rules.with_policies else "policies"


@decision("load.top_bundles", "LOA-65", *(f"LOA-{number}" for number in range(50, 58)))
def judge_top_bundles(run: Run, case: Case[TopBundlesTrial, TopBundlesAnswer]) -> None:
    trial, observed = case.trial, case.observation
    rules, candidates = trial.rules, eligible(trial.bundles, trial.rules, case.edition)
    known = {bundle.bundle: bundle for bundle in trial.bundles}
    if breaks(trial, case.edition):
        why = f"a namespace has a cluster in its name, and the broker {describe(observed)}"
        run.require("LOA-50", isinstance(observed, Broke), why, "answered")
        return
    if rules.most <= 0:
        judge_none(run, case, len(candidates))
        return
    count = min(rules.most, len(candidates))
    by_difference = case.edition.top_bundles_by_difference
    if isinstance(observed, Refused | Broke) and by_difference and count > SORTED_AT_ONCE:
        return
    if isinstance(observed, Refused | Broke) or not set(observed.bundles) <= set(known):
        run.require("LOA-50", False, f"the broker {in_full(observed)}", "failed")
        return
    names = observed.bundles
    why = f"{len(names)} bundles are listed, at most {rules.most}"
    run.require("LOA-65", len(names) <= rules.most, why)
    right = len(names) == len(set(names)) == count
    run.require("LOA-50", right, lambda: f"{display(names)} are listed, but {count} can be")
    for clause, kind, barred in (
        ("LOA-51", "idle", [one for one in trial.bundles if is_idle(one, case.edition)]),
        ("LOA-52", "system", [one for one in trial.bundles if is_system(one, case.edition)]),
        ("LOA-53", "bound", [bundle for bundle in trial.bundles if is_bound(bundle, rules)]),
    ):
        if barred:
            wrong = sorted({bundle.bundle for bundle in barred} & set(names))
            run.require(clause, not wrong, f"{display(wrong)} must not be listed", kind)
    if by_difference:
        judge_differences(run, [known[name] for name in names], candidates)
        return
    judge_ranks(run, [rank(known[name]) for name in names], candidates, rules.most)


def judge_ranks(
    run: Run, listed: Sequence[tuple[int, ...]], candidates: Sequence[BundleStatistics], most: int
) -> None:
    """Check that the heaviest are listed, and the lightest of them first."""
    count = min(most, len(candidates))
    if len(candidates) > most or len(listed) != count:
        ranks = sorted(map(rank, candidates), reverse=True)
        heaviest = sorted(listed, reverse=True) == ranks[:most]
        run.require(
            "LOA-54", heaviest, lambda: f"ranks {display(listed)} are listed of {display(ranks)}"
        )
    if len(listed) > 1:
        ascending = listed == sorted(listed)
        run.require("LOA-55", ascending, lambda: f"ranks {display(listed)} are not ascending")


def breaks(trial: TopBundlesTrial, edition: Edition) -> bool:
    """LOA-50: whether policies are asked for of a namespace that has no name any more."""
    return (
        edition.legacy_topic_names is LegacyNames.REFUSED
        and not trial.rules.with_policies
        and any(
            one.bundle.count("/") > 2 and not (is_idle(one, edition) or is_system(one, edition))
            for one in trial.bundles
        )
    )


def judge_differences(
    run: Run, listed: list[BundleStatistics], candidates: list[BundleStatistics]
) -> None:
    """LOA-54 and LOA-55 in PULSAR_4_0_6: what follows from having been parted by a bundle."""
    names = display([bundle.bundle for bundle in listed])
    if any(one not in listed for one in candidates):
        heaviest = are_heaviest(listed, candidates)
        run.require("LOA-54", heaviest, f"{names} are listed, and a heavier one is not")
    if len(listed) > 1:
        run.require("LOA-55", are_ascending(listed, candidates), f"{names} are not ascending")


def judge_none(run: Run, case: Case[TopBundlesTrial, TopBundlesAnswer], candidates: int) -> None:
    """LOA-56, LOA-57: none are requested."""
    observed, edition = case.observation, case.edition.name
    why = f"{case.trial.rules.most} bundles are requested, and the broker {describe(observed)}"
    empty = not isinstance(observed, Refused | Broke) and observed.bundles == ()
    run.require("LOA-56", empty or isinstance(observed, Refused), why)
    wraps = case.trial.rules.most == INT[0]
    if isinstance(observed, Broke) and is_must("LOA-57", edition):
        run.require("LOA-57", candidates > (0 if wraps else 1), "there is nothing to sort", "broke")
    else:
        must_break = wraps and candidates > 0 and is_must("LOA-57", edition)
        run.require("LOA-57", empty and not must_break, why)


TOP_BUNDLES: Final = Question(
    "load.top_bundles",
    TopBundlesTrial,
    TopBundlesAnswer,
    top_bundles_trial,
    answer_top_bundles,
    top_bundles_labels,
    one_decision=True,
)

QUESTIONS: Final = (TOP_BUNDLES,)
