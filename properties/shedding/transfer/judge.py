"""TransferShedder judged round by round (SHD-50 to SHD-70)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from evenkeel.properties.kit.approx import Approx, Ternary
from evenkeel.properties.kit.clause import Case, Findings, in_full
from evenkeel.properties.kit.formatting import display
from evenkeel.properties.kit.judge import advisory_in, not_in, rounds
from evenkeel.properties.kit.run import MOST_RUNS, Contradiction, Program, Run, runs
from evenkeel.properties.kit.search import explain
from evenkeel.properties.shedding.transfer.pairs import (
    deals_of,
    expected,
    in_short,
    in_words,
    judge_moves,
    proper_moves,
)
from evenkeel.properties.shedding.transfer.release_4_0 import Pairing, require_decision
from evenkeel.properties.shedding.transfer.rounds import Round, Spread
from evenkeel.properties.shedding.transfer.trials import (
    TransferAnswer,
    TransferDebugAnswer,
    TransferTrial,
)
from evenkeel.reference.edition import DOCUMENTED, Edition
from evenkeel.reference.shedding.transfer import (
    TransferDecision,
    TransferLabel,
    TransferMove,
    TransferReason,
    TransferRules,
    TransferView,
)

Hits = int
"""In how many rounds in a row there was a cause to move load: no more than are needed."""


def seen_rounds(trial: TransferTrial, rules: TransferRules, edition: Edition) -> list[Round]:
    """What follows from each round's reports."""
    return [Round(place, view, rules, edition) for place, view in enumerate(trial.rounds)]


def no_answer(case: Case[Any, Any], *clauses: str) -> Program:
    """A program for an observation that is not one decision for each round."""

    def step(run: Run, place: int, state: None) -> None:
        for clause in clauses:
            run.require(clause, False, f"the subject {in_full(case.observation)}", "shape")

    return Program(None, 1, step)


@rounds(
    "shedding.transfer",
    *(f"SHD-{number}" for number in (50, 51, 52, 53, *range(55, 69), 98)),
)
def judge_transfer(case: Case[TransferTrial, TransferAnswer]) -> Iterator[Program]:
    """TransferShedder, by the deviation of the population; then by that of a sample, so that who
    departs from SHD-52 so is not accused of what follows.
    """
    answer, trial = case.observation, case.trial
    if not isinstance(answer, TransferAnswer) or len(answer.rounds) != len(trial.rounds):
        yield no_answer(case, "SHD-50", "SHD-68")
        return
    decisions = answer.rounds

    def program(seen: list[Round]) -> Program:
        def step(run: Run, place: int, hits: Hits) -> Hits:
            if place == 0 and seen[0].by_sample:
                run.require("SHD-52", False, "the deviation is that of a sample", "deviation")
            return one_round(run, seen[place], decisions[place], hits)

        return Program(0, len(seen), step)

    seen = seen_rounds(trial, trial.config, case.edition)
    yield program(seen)
    sampled = [round_.of_sample() for round_ in seen]
    if case.edition is DOCUMENTED and any(map(is_by_sample, sampled, decisions)):
        yield program(sampled)


def is_by_sample(now: Round, said: TransferDecision) -> bool:
    """Whether a deviation is told that is one of a sample, and of no population."""
    if said.deviation is None or not now.young:
        return False
    told, right = Approx(said.deviation), now.listed_spread.told_deviation
    return right.value > 0 and right.may_equal(told)


def judge_alone(
    view: TransferView, rules: TransferRules, said: TransferDecision, hits: Hits, edition: Edition
) -> Findings:
    """One round alone, after so many rounds in a row with a cause: as of a recorded cluster."""
    now = Round(0, view, rules, edition)

    def step(run: Run, place: int, before: Hits) -> Hits:
        return one_round(run, now, said, before)

    entries = judge_transfer.entries
    program = Program(min(hits, needed(now)), 1, step)
    return explain(program, not_in(entries)(edition.name), advisory_in(entries)(edition.name))


def one_round(run: Run, now: Round, said: TransferDecision, hits: Hits) -> Hits:
    """A round without data does not count, and by the documents may interrupt the row or not; so
    may one with a report that is too old.
    """
    exact = now.edition is not DOCUMENTED
    well_formed(run, now, said)
    if now.excuses:
        without_data(run, now, said)
        if exact:
            exactly_without_data(run, now, said, "SHD-68")
        return hits if exact or not hits or run.pick(2) == 0 else 0
    spread = one_spread(run, now, said)
    spread_is_right(run, now, spread, said, "SHD-52")
    hits = counted(now, hits, run.rule(first_cause(now, spread)))
    if hits and now.has_stale and run.pick(2):
        hits = 0
    what_is_moved(run, now, spread, said, hits)
    if exact:
        exactly_moved(run, now, spread, said, hits, "SHD-68")
    return 0 if said.moves else hits


def well_formed(run: Run, now: Round, said: TransferDecision) -> None:
    """SHD-51: a round moves something, or says why it does not."""
    moved = bool(said.moves)
    right = (said.label is TransferLabel.SUCCESS) == moved and (said.reason is None) == moved
    run.require("SHD-51", right, partial(why_ill_formed, now, said), "shape")


def why_ill_formed(now: Round, said: TransferDecision) -> str:
    told = said.reason.value if said.reason else "no reason"
    return f"{now.name}: {said.label.value}, {told}, with {len(said.moves)} moves"


def first_cause(now: Round, spread: Spread) -> Ternary:
    """Whether there is a cause to move load (SHD-54)."""
    return now.is_spread(spread) or now.cause(spread, now.least, now.most, now.any_idle)


def one_spread(run: Run, now: Round, said: TransferDecision) -> Spread:
    """The sums in one order: in that which is told, if it is told to the last bit."""
    told = said.average, said.deviation
    if now.listed_spread.bits == told:
        return now.listed_spread
    spreads = [spread for spread in now.spreads if spread.bits == told] or now.spreads
    return spreads[run.pick(len(spreads))]


def without_data(run: Run, now: Round, said: TransferDecision) -> None:
    """SHD-50, SHD-51: data are missing or too old, or brokers are cooling down."""

    def why() -> str:
        excuses = ", ".join(sorted(reason.value for _, reason in now.excuses))
        return f"{now.name}: {in_short(said)}, but {excuses}"

    run.require("SHD-50", not said.moves, why)
    run.require("SHD-51", (said.label, said.reason) in now.excuses, why)


def counted(now: Round, hits: Hits, caused: bool) -> Hits:
    """The rounds in a row with this one; no more are counted than are needed."""
    return min(hits + 1, needed(now)) if caused else 0


def needed(now: Round) -> Hits:
    """SHD-55: so many rounds in a row with a cause are enough."""
    return max(now.rules.hit_threshold, 0) + 1


def what_is_moved(run: Run, now: Round, spread: Spread, said: TransferDecision, hits: Hits) -> None:
    """Moves come after enough rounds in a row, and not before."""
    moved, enough = bool(said.moves), needed(now)
    if hits < enough:
        run.require("SHD-55", not moved, partial(why_too_early, now, said, hits))
        if not moved:
            run.require(
                "SHD-51",
                said.reason is TransferReason.HIT_COUNT,
                lambda: f"{now.name}: too few rounds in a row, but told {in_short(said)}",
                "hits",
            )
    else:
        if now.first_fits:
            run.require("SHD-66", moved, partial(why_moved, now, enough))
        if now.most == 0 and not moved:
            run.require("SHD-65", True)  # whatever were moved, it would break it
    if moved:
        judge_moves(run, now, spread, said.moves)


def why_too_early(now: Round, said: TransferDecision, hits: Hits) -> str:
    return (
        f"{now.name}: {len(said.moves)} moves, but at most {hits} rounds in a row had a cause, "
        f"of which {needed(now)} are needed"
    )


def why_moved(now: Round, enough: Hits) -> str:
    return (
        f"{now.name}: nothing is moved, although there was a cause in {enough} rounds in a row "
        "and the first bundle of the most loaded broker fits"
    )


def spread_is_right(
    run: Run, now: Round, spread: Spread, said: TransferDecision, clause: str
) -> None:
    """Average and standard deviation of the loads that count; in 4.0 the latter need not be a
    number where it should be 0.
    """
    average, deviation = spread.told_average, spread.told_deviation
    run.require(
        clause,
        said.average is not None and average.may_equal(Approx(said.average)),
        lambda: f"{now.name}: the average is {average}, not {display(said.average)}",
        "average",
    )
    if said.deviation is None:
        allowed = now.edition.transfer_deviation_breaks and deviation.may_equal(Approx(0.0))
        run.require(clause, allowed, lambda: f"{now.name}: no deviation", "none")
        return
    run.require(
        clause,
        deviation.may_equal(Approx(said.deviation)),
        lambda: f"{now.name}: the deviation is {deviation}, not {said.deviation}",
        "deviation",
    )


# ------------------------------------------------------------------------- debug mode


@rounds("shedding.transfer_debug", "SHD-69", "SHD-70")
def judge_transfer_debug(case: Case[TransferTrial, TransferDebugAnswer]) -> Program:
    answer, trial, rules = case.observation, case.trial, case.trial.config
    if not isinstance(answer, TransferDebugAnswer):
        return no_answer(case, "SHD-69", "SHD-70")
    quiet, debug = answer.quiet.rounds, answer.debug.rounds
    if not len(quiet) == len(debug) == len(trial.rounds):
        return no_answer(case, "SHD-69", "SHD-70")
    once = seen_rounds(trial, rules, case.edition)
    seen = [
        round_ if rules.debug is debug_ else round_.in_mode(debug_)
        for debug_ in (False, True)
        for round_ in once
    ]

    def documented(run: Run, place: int, state: Hits) -> Hits:
        same_in_debug_mode(run, seen[place], quiet[place], debug[place])
        return 0

    def exact(run: Run, place: int, hits: Hits) -> Hits:
        begins = place == len(quiet)
        return exact_round(run, seen[place], (quiet + debug)[place], 0 if begins else hits)

    if case.edition is DOCUMENTED:
        return Program(0, len(quiet), documented)
    return Program(0, len(seen), exact)


def same_in_debug_mode(
    run: Run, now: Round, quiet: TransferDecision, debug: TransferDecision
) -> None:
    """SHD-69: the same is moved, unless the order of the reports or rounding decides."""
    if len({report.load for report in now.paired}) < len(now.paired):
        return
    same = set(quiet.moves) == set(debug.moves)
    least = min(quiet.moves, debug.moves, key=len)
    hangs = not same and not now.excuses and hangs_on_rounding(run, now, least)
    run.require(
        "SHD-69",
        None if hangs else same,
        lambda: f"{now.name}: {in_words(quiet.moves)}; in debug mode {in_words(debug.moves)}",
        "moves",
    )


def hangs_on_rounding(run: Run, now: Round, moves: tuple[TransferMove, ...]) -> bool:
    """Whether it is open if there was a cause, or if there still is one behind these moves."""
    [spread] = now.spreads
    if first_cause(now, spread) is None:
        return True
    listed = proper_moves(now, moves)
    behind = expected(now, spread, deals_of(run, listed)) if listed else None
    if behind is None:
        return False
    loads = behind.loads.values()
    return now.cause(behind.spread, min(loads), max(loads), now.any_idle) is None


def exact_round(run: Run, now: Round, said: TransferDecision, hits: Hits) -> Hits:
    """SHD-70: what 4.0 decides."""
    if now.excuses:
        exactly_without_data(run, now, said, "SHD-70")
        return hits
    spread = one_spread(run, now, said)
    spread_is_right(run, now, spread, said, "SHD-70")
    hits = counted(now, hits, run.rule(first_cause(now, spread)))
    exactly_moved(run, now, spread, said, hits, "SHD-70")
    return 0 if said.moves else hits


def exactly_without_data(run: Run, now: Round, said: TransferDecision, clause: str) -> None:
    """The first thing that is wrong is told, and nothing else."""
    require_decision(run, now, said, clause, frozenset(), now.excuses[0])
    nothing = said.average is None and said.deviation is None
    run.require(clause, nothing, f"{now.name}: a spread, without data", "spread")


def exactly_moved(
    run: Run, now: Round, spread: Spread, said: TransferDecision, hits: Hits, clause: str
) -> None:
    """What the pairs come to, after enough rounds in a row: in one of the orders in which the
    store may list equally loaded brokers.
    """
    if hits < needed(now):
        skip = TransferLabel.SKIP, TransferReason.HIT_COUNT
        require_decision(run, now, said, clause, frozenset(), skip)
        return
    first: Contradiction | None = None
    for alike in now.alike(spread):
        for order in runs(frozenset(), MOST_RUNS):
            try:
                Pairing(order, now, alike, said, clause).carried_out()
            except Contradiction as contradiction:
                first = first or contradiction
            else:
                run.require(clause, True)
                return
    if first:
        run.require(clause, False, first.sentence, first.kind)
