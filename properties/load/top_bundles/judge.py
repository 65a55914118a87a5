"""The heaviest bundles in a report (LOA-50 to LOA-57)."""

from __future__ import annotations

from evenkeel.properties.clause import Case, describe, in_full
from evenkeel.properties.judging.judge import binds, decision
from evenkeel.properties.judging.run import Run
from evenkeel.properties.load.ranks import eligible, is_bound, is_idle, is_system, rank
from evenkeel.properties.load.top_bundles.trial import TopBundlesAnswer, TopBundlesTrial
from evenkeel.properties.observations import Broke, Refused
from evenkeel.properties.plain import plain
from evenkeel.reference.settings import INT


@decision("load.top_bundles", *(f"LOA-{number}" for number in range(50, 58)))
def top_bundles(run: Run, case: Case[TopBundlesTrial, TopBundlesAnswer]) -> None:
    trial, observed = case.trial, case.observation
    rules, candidates = trial.rules, eligible(trial.bundles, trial.rules)
    known = {bundle.bundle: bundle for bundle in trial.bundles}
    if rules.most <= 0:
        judge_none(run, case, len(candidates))
        return
    if isinstance(observed, Refused | Broke) or not set(observed.bundles) <= set(known):
        run.require("LOA-50", False, f"the broker {in_full(observed)}", "failed")
        return
    names = observed.bundles
    count = min(rules.most, len(candidates))
    right = len(names) == len(set(names)) == count
    run.require("LOA-50", right, lambda: f"{plain(names)} are listed, but {count} can be")
    for clause, kind, barred in (
        ("LOA-51", "idle", [bundle for bundle in trial.bundles if is_idle(bundle)]),
        ("LOA-52", "system", [bundle for bundle in trial.bundles if is_system(bundle)]),
        ("LOA-53", "bound", [bundle for bundle in trial.bundles if is_bound(bundle, rules)]),
    ):
        if barred:
            wrong = sorted({bundle.bundle for bundle in barred} & set(names))
            run.require(clause, not wrong, f"{plain(wrong)} must not be listed", kind)
    listed = [rank(known[name]) for name in names]
    if len(candidates) > rules.most or len(listed) != count:
        ranks = sorted(map(rank, candidates), reverse=True)
        heaviest = sorted(listed, reverse=True) == ranks[: rules.most]
        run.require(
            "LOA-54", heaviest, lambda: f"ranks {plain(listed)} are listed of {plain(ranks)}"
        )
    if len(listed) > 1:
        ascending = listed == sorted(listed)
        run.require("LOA-55", ascending, lambda: f"ranks {plain(listed)} are not ascending")


def judge_none(run: Run, case: Case[TopBundlesTrial, TopBundlesAnswer], candidates: int) -> None:
    """LOA-56, LOA-57: none are wanted."""
    observed, edition = case.observation, case.edition.name
    why = f"{case.trial.rules.most} bundles are wanted, and the broker {describe(observed)}"
    empty = not isinstance(observed, Refused | Broke) and observed.bundles == ()
    run.require("LOA-56", empty or isinstance(observed, Refused), why)
    wraps = case.trial.rules.most == INT[0]
    if isinstance(observed, Broke) and binds("LOA-57", edition):
        enough = candidates > (0 if wraps else 1)
        run.require("LOA-57", enough, "there is nothing to sort", "broke")
    else:
        must_break = wraps and candidates > 0 and binds("LOA-57", edition)
        run.require("LOA-57", empty and not must_break, why)
