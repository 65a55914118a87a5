"""TransferShedder judged round by round (SHD-50 to SHD-70)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from evenkeel.properties.shedding.transfer.pairs import (
    deals_of,
    expect,
    in_short,
    in_words,
    is_caused,
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
from evenkeel_engine.kit.approx import Approx, Ternary
from evenkeel_engine.kit.clause import Case, Findings, in_full
from evenkeel_engine.kit.formatting import display
from evenkeel_engine.kit.judge import advisory_in, not_in, rounds
from evenkeel_engine.kit.run import MOST_RUNS, Contradiction, Program, Run, fill, generate_runs
from evenkeel_engine.kit.search import explain

Hits = int
"""The number of rounds in a row with a cause to move load, capped at the number needed."""


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
    *(f"SHD-{n}" for n in (*range(50, 54), *range(55, 69), 98, 107, 109, 111, 112)),
)
def judge_transfer(case: Case[TransferTrial, TransferAnswer]) -> Iterator[Program]:
    """Judge TransferShedder by the deviation of the population, then by that of a sample, so that
    the consequences of departing from SHD-52 are not reported as violations.
    """
    answer, trial = case.observation, case.trial
    if not isinstance(answer, TransferAnswer) or len(answer.rounds) != len(trial.rounds):
        yield no_answer(case, "SHD-50", "SHD-68")
        return
    decisions = answer.rounds

    def program(seen: list[Round]) -> Program:
        def step(run: Run, place: int, hits: Hits) -> Hits:
            if place == 0 and seen[0].by_sample:
                run.depart("SHD-52", "the deviation is that of a sample", "deviation")
            if place + 1 < trial.config.hit_threshold:
                sentence = "round {} moves load, and {} rounds with a cause are needed at least"
                why = fill(sentence, place + 1, trial.config.hit_threshold)
                run.require("SHD-112", not decisions[place].moves, why)
            return one_round(run, seen[place], decisions[place], hits)

        return Program(0, len(seen), step)

    seen = seen_rounds(trial, trial.config, case.edition)
    yield program(seen)
    sampled = [round_.of_sample() for round_ in seen]
    if case.edition is DOCUMENTED and any(map(is_by_sample, sampled, decisions)):
        yield program(sampled)


def is_by_sample(now: Round, decision: TransferDecision) -> bool:
    """Whether the reported deviation is one of a sample, and not of the population."""
    if decision.deviation is None or not now.young:
        return False
    reported, right = Approx(decision.deviation), now.listed_spread.reported_deviation
    return right.value > 0 and right.may_equal(reported)


def judge_alone(
    view: TransferView,
    rules: TransferRules,
    decision: TransferDecision,
    hits: Hits,
    edition: Edition,
) -> Findings:
    """Judge one round of a recorded cluster, after `hits` rounds in a row with a cause."""
    now = Round(0, view, rules, edition)

    def step(run: Run, place: int, before: Hits) -> Hits:
        return one_round(run, now, decision, before)

    entries = judge_transfer.entries
    program = Program(min(hits, compute_needed(now)), 1, step)
    return explain(program, not_in(entries)(edition.name), advisory_in(entries)(edition.name))


def one_round(run: Run, now: Round, decision: TransferDecision, hits: Hits) -> Hits:
    """One round. A round without data does not count, and by the documents may or may not interrupt
    the row; so may one with a report that is too old.
    """
    exact = now.edition is not DOCUMENTED
    well_formed(run, now, decision)
    if not exact and now.has_oldest and run.pick(2):
        now = now.as_older()
    if not exact and (cooling := now.as_cooling()).skip_reasons != now.skip_reasons:
        now = cooling if run.pick(2) else now
    if now.skip_reasons:
        without_data(run, now, decision)
        if exact:
            exactly_without_data(run, now, decision, "SHD-68")
        return hits if exact or not hits or run.pick(2) == 0 else 0
    spread = one_spread(run, now, decision)
    run.note("average {}, deviation {}, target {}", spread.average, spread.deviation, now.target)
    spread_is_right(run, now, spread, decision, "SHD-52")
    hits = count_rounds(now, hits, run.rule(first_cause(now, spread)))
    if hits and now.has_stale and run.pick(2):
        hits = 0
    run.note("{} rounds in a row had a cause, {} are needed", hits, compute_needed(now))
    what_is_moved(run, now, spread, decision, hits)
    if exact:
        exactly_moved(run, now, spread, decision, hits, "SHD-68")
    return 0 if decision.moves else hits


def well_formed(run: Run, now: Round, decision: TransferDecision) -> None:
    """SHD-51: a round moves something, or reports why it does not."""
    moved = bool(decision.moves)
    right = (decision.label is TransferLabel.SUCCESS) == moved and (
        decision.reason is None
    ) == moved
    run.require("SHD-51", right, partial(why_ill_formed, now, decision), "shape")


def why_ill_formed(now: Round, decision: TransferDecision) -> str:
    reported = decision.reason.value if decision.reason else "no reason"
    return f"{now.name}: {decision.label.value}, {reported}, with {len(decision.moves)} moves"


def first_cause(now: Round, spread: Spread) -> Ternary:
    """Whether there is a cause to move load (SHD-54)."""
    return now.is_spread(spread) or now.cause(spread, now.least, now.most, now.any_idle)


def one_spread(run: Run, now: Round, decision: TransferDecision) -> Spread:
    """The spread by one order of addition: the reported one, if it matches to the last bit."""
    reported = decision.average, decision.deviation
    if now.listed_spread.bits == reported:
        return now.listed_spread
    spreads = [spread for spread in now.spreads if spread.bits == reported] or now.spreads
    return spreads[run.pick(len(spreads))]


def without_data(run: Run, now: Round, decision: TransferDecision) -> None:
    """SHD-50, SHD-51: data are missing or too old, or brokers are cooling down."""

    def why() -> str:
        skip_reasons = ", ".join(sorted(reason.value for _, reason in now.skip_reasons))
        at_last = " at the last moment of the delay" if now.at_last_moment else ""
        return f"{now.name}: {in_short(decision)}, but {skip_reasons}{at_last}"

    run.require("SHD-50", not decision.moves, why)
    run.require("SHD-51", (decision.label, decision.reason) in now.skip_reasons, why)


def count_rounds(now: Round, hits: Hits, caused: bool) -> Hits:
    """The rounds in a row including this one, capped at the number needed."""
    return min(hits + 1, compute_needed(now)) if caused else 0


def compute_needed(now: Round) -> Hits:
    """SHD-55: the number of rounds in a row with a cause that is enough."""
    return max(now.rules.hit_threshold, 0) + 1


def what_is_moved(
    run: Run, now: Round, spread: Spread, decision: TransferDecision, hits: Hits
) -> None:
    """Moves follow enough rounds in a row, and not fewer."""
    moved, enough = bool(decision.moves), compute_needed(now)
    if hits < enough:
        causes = f"at most {hits} rounds in a row had a cause, of which {enough} are needed"
        sentence = f"{now.name}: {len(decision.moves)} moves, but {causes}"
        run.require("SHD-55", not moved, sentence)
        if not moved:
            run.require(
                "SHD-51",
                decision.reason is TransferReason.HIT_COUNT,
                lambda: f"{now.name}: too few rounds in a row, but reported {in_short(decision)}",
                "hits",
            )
    else:
        if now.first_fits and not now.is_idle_elsewhere(spread):
            run.require(
                "SHD-66",
                moves_load(now, decision),
                lambda: (
                    f"{now.name}: no load is moved, although there was a cause in {enough} rounds "
                    "in a row and the first bundle of the most loaded broker fits"
                ),
            )
        if now.most == 0 and not moved:
            run.require("SHD-65", True)  # any move would violate it
    if moved:
        judge_moves(run, now, spread, decision.moves)


def moves_load(now: Round, decision: TransferDecision) -> bool:
    """Whether something moves; by the documents something with traffic, unless the most loaded
    broker has no more to give than what moves.
    """
    if now.edition is not DOCUMENTED:
        return bool(decision.moves)
    if (listed := proper_moves(now, decision.moves)) is None:
        return True  # SHD-56 says so
    giver = now.by_load[-1]
    given = [move for move in listed if move.source is giver]
    spent = bool(given) and len(given) >= len(giver.top or ()) - 1
    return spent or any(move.bundle.throughput > 0 for move in listed)


def spread_is_right(
    run: Run, now: Round, spread: Spread, decision: TransferDecision, clause: str
) -> None:
    """Average and standard deviation of the loads that count; 4.0 may have NaN in place of 0."""
    average, deviation = spread.reported_average, spread.reported_deviation
    run.require(
        clause,
        decision.average is not None and average.may_equal(Approx(decision.average)),
        lambda: f"{now.name}: the average is {average}, not {display(decision.average)}",
        "average",
    )
    if decision.deviation is None:
        allowed = now.edition.transfer_deviation_breaks and deviation.may_equal(Approx(0.0))
        run.require(clause, allowed, lambda: f"{now.name}: no deviation", "none")
        return
    run.require(
        clause,
        deviation.may_equal(Approx(decision.deviation)),
        lambda: f"{now.name}: the deviation is {deviation}, not {decision.deviation}",
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

    def judge_documented(run: Run, place: int, state: Hits) -> Hits:
        same_in_debug_mode(run, seen[place], quiet[place], debug[place])
        return 0

    def exact(run: Run, place: int, hits: Hits) -> Hits:
        begins = place == len(quiet)
        return exact_round(run, seen[place], (quiet + debug)[place], 0 if begins else hits)

    if case.edition is DOCUMENTED:
        return Program(0, len(quiet), judge_documented)
    return Program(0, len(seen), exact)


def same_in_debug_mode(
    run: Run, now: Round, quiet: TransferDecision, debug: TransferDecision
) -> None:
    """SHD-69: debug mode moves the same, unless the order of the reports or rounding decides."""
    if len({report.load for report in now.paired}) < len(now.paired):
        return
    same = set(quiet.moves) == set(debug.moves)
    least = min(quiet.moves, debug.moves, key=len)
    hangs = not same and not now.skip_reasons and depends_on_rounding(run, now, least)
    run.require(
        "SHD-69",
        None if hangs else same,
        lambda: f"{now.name}: {in_words(quiet.moves)}; in debug mode {in_words(debug.moves)}",
        "moves",
    )


def depends_on_rounding(run: Run, now: Round, moves: tuple[TransferMove, ...]) -> bool:
    """Whether rounding decides if there was a cause, or if one remains after these moves."""
    [spread] = now.spreads
    if first_cause(now, spread) is None:
        return True
    listed = proper_moves(now, moves)
    behind = expect(now, spread, deals_of(run, listed)) if listed else None
    if behind is None:
        return False
    return is_caused(now, behind, now.any_idle) is None


def exact_round(run: Run, now: Round, decision: TransferDecision, hits: Hits) -> Hits:
    """SHD-70: what 4.0 decides."""
    if now.skip_reasons:
        exactly_without_data(run, now, decision, "SHD-70")
        return hits
    spread = one_spread(run, now, decision)
    spread_is_right(run, now, spread, decision, "SHD-70")
    hits = count_rounds(now, hits, run.rule(first_cause(now, spread)))
    exactly_moved(run, now, spread, decision, hits, "SHD-70")
    return 0 if decision.moves else hits


def exactly_without_data(run: Run, now: Round, decision: TransferDecision, clause: str) -> None:
    """The first reason is reported, and nothing else."""
    require_decision(run, now, decision, clause, frozenset(), now.skip_reasons[0])
    nothing = decision.average is None and decision.deviation is None
    run.require(clause, nothing, f"{now.name}: a spread, without data", "spread")


def exactly_moved(
    run: Run, now: Round, spread: Spread, decision: TransferDecision, hits: Hits, clause: str
) -> None:
    """Require the result of the pairs, after enough rounds in a row: in one of the orders in which
    the store may list equally loaded brokers.
    """
    if hits < compute_needed(now):
        skip = TransferLabel.SKIP, TransferReason.HIT_COUNT
        require_decision(run, now, decision, clause, frozenset(), skip)
        return
    first: Contradiction | None = None
    for alike in now.alike(spread):
        for order in generate_runs(frozenset(), MOST_RUNS):
            try:
                Pairing(order, now, alike, decision, clause).carried_out()
            except Contradiction as contradiction:
                first = first or contradiction
            else:
                run.require(clause, True)
                return
    if first:
        run.require(clause, False, first.sentence, first.kind)
