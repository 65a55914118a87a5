"""Clauses about the ownership channel: its records, and what its brokers do."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.clause import (
    HOLDS,
    UNEXERCISED,
    Case,
    Finding,
    Violation,
    as_expected,
)
from evenkeel.properties.findings import OncePerCase
from evenkeel.properties.observations import Broke, CommandBroke, CommandRefused, Refused
from evenkeel.properties.ownership.book import check
from evenkeel.properties.ownership.channel_walk import walk_channel
from evenkeel.properties.ownership.trials_channel import (
    ChannelAnswer,
    ChannelTrial,
    ConflictAnswer,
    ConflictTrial,
    Step,
    TransitionAnswer,
    TransitionTrial,
)
from evenkeel.reference.ownership.conflict import Order, order
from evenkeel.reference.ownership.records import Storage

walked: Final = OncePerCase(walk_channel)
ConflictCase = Case[ConflictTrial, ConflictAnswer]
ChannelCase = Case[ChannelTrial, ChannelAnswer]


@check("OWN-1", "ownership.transition")
def the_table(case: Case[TransitionTrial, TransitionAnswer]) -> Finding:
    trial = case.trial
    return as_expected(case, f"{trial.before.value} to {trial.after.value}")


# --------------------------------------------------------------------------------- conflict


def compared(case: ConflictCase) -> Order | None:
    """How the versions of two records stand to each other; None unless there are two."""
    trial = case.trial
    if trial.current is None or trial.update is None:
        return None
    return order(trial.current.version, trial.update.version)


@check("OWN-2", "ownership.conflict")
def versions_decide_first(case: ConflictCase) -> Finding:
    if compared(case) in (None, Order.NEXT):
        return UNEXERCISED
    return as_expected(case, "the version")


@check("OWN-3", "ownership.conflict")
def the_first_record_of_a_node(case: ConflictCase) -> Finding:
    trial = case.trial
    if trial.storage is Storage.TOPIC or trial.current is not None or trial.update is None:
        return UNEXERCISED
    return as_expected(case, "the first record")


@check("OWN-4", "ownership.conflict")
def transition_and_brokers_fit(case: ConflictCase) -> Finding:
    trial = case.trial
    next_version = compared(case) is Order.NEXT
    first = trial.storage is Storage.TOPIC and trial.current is None and trial.update is not None
    return as_expected(case, "the next record") if next_version or first else UNEXERCISED


@check("OWN-5", "ownership.conflict")
def removals_are_accepted(case: ConflictCase) -> Finding:
    if case.trial.update is not None:
        return UNEXERCISED
    return as_expected(case, "the removal")


# ---------------------------------------------------------------------------------- channel


@check("OWN-6", "ownership.channel")
def records_in_use_stay(case: ChannelCase) -> Finding:
    return walked(case).finding("OWN-6")


@check("OWN-7", "ownership.channel")
def one_server(case: ChannelCase) -> Finding:
    return walked(case).finding("OWN-7")


@check("OWN-8", "ownership.channel")
def the_registered_serve(case: ChannelCase) -> Finding:
    return walked(case).finding("OWN-8")


@check("OWN-9", "ownership.channel")
def owners_serve(case: ChannelCase) -> Finding:
    return walked(case).finding("OWN-9")


@check("OWN-10", "ownership.channel")
def everybody_for_himself(case: ChannelCase) -> Finding:
    return walked(case).finding("OWN-10")


@check("OWN-11", "ownership.channel")
def transitions_end(case: ChannelCase) -> Finding:
    return walked(case).finding("OWN-11")


@check("OWN-12", "ownership.channel")
def views_agree(case: ChannelCase) -> Finding:
    return walked(case).finding("OWN-12")


@check("OWN-13", "ownership.channel")
def the_owned_is_served(case: ChannelCase) -> Finding:
    return walked(case).finding("OWN-13")


@check("OWN-14", "ownership.channel")
def parents_do_not_come_back(case: ChannelCase) -> Finding:
    return walked(case).finding("OWN-14")


@check("OWN-15", "ownership.channel")
def lookups_end(case: ChannelCase) -> Finding:
    return walked(case).finding("OWN-15")


@check("OWN-16", "ownership.channel")
def lookups_name_the_named(case: ChannelCase) -> Finding:
    return walked(case).finding("OWN-16")


@check("OWN-17", "ownership.channel")
def the_healthy_keep(case: ChannelCase) -> Finding:
    return walked(case).finding("OWN-17")


@check("OWN-18", "ownership.channel")
def the_registered_receive(case: ChannelCase) -> Finding:
    return walked(case).finding("OWN-18")


@check("OWN-19", "ownership.channel")
def the_channel_of_4_0(case: ChannelCase) -> Finding:
    expected, observed = case.expected, case.observation
    if isinstance(expected, Refused | Broke) or isinstance(observed, Refused | Broke):
        return as_expected(case, "the channel")
    if len(observed.steps) != len(expected.steps):
        return Violation(f"{len(observed.steps)} steps of {len(expected.steps)}", "shape")
    rows = zip(case.trial.commands, observed.steps, expected.steps, strict=True)
    for place, (command, step, right) in enumerate(rows):
        part = differing(step, right)
        if part is not None:
            word = type(command).__name__
            sentence = (
                f"command {place}, {command}: {part} must be {getattr(right, part)}, "
                f"not {getattr(step, part)}"
            )
            return Violation(sentence, f"{word}:{part}")
    return HOLDS


def differing(step: Step, right: Step) -> str | None:
    """The first part in which two steps differ; of refusals and failures only the sort counts."""
    failed = isinstance(right.result, CommandRefused | CommandBroke)
    same_result = type(step.result) is type(right.result) if failed else step.result == right.result
    if not same_result:
        return "result"
    parts = ("ended", "wrote", "serves", "views")
    return next((part for part in parts if getattr(step, part) != getattr(right, part)), None)


@check("OWN-20", "ownership.channel")
def nodes_change_by_the_rules(case: ChannelCase) -> Finding:
    return walked(case).finding("OWN-20")


@check("OWN-40", "ownership.channel")
def versions_go_on(case: ChannelCase) -> Finding:
    return walked(case).finding("OWN-40")
