"""Every chapter's machines: the reference holds under Hypothesis, mutants are found.

The examples are derandomized and depend on a class's name alone, so that a run repeats itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from evenkeel.mutation.catalogue import MUTANTS
from evenkeel.mutation.mutant import Mutant
from evenkeel.properties.kit.machine import Machine
from evenkeel.properties.kit.question import Observation
from evenkeel.reference.edition import EDITIONS, Edition
from tests.machines.balancing_loop import LoopMachine as BalancingMachine
from tests.machines.load_leader import LeaderMachine
from tests.machines.ownership_channel import ChannelMachine
from tests.machines.ownership_locks import LocksMachine
from tests.machines.placement_preallocation import LeaderMachine as PlacingMachine
from tests.machines.shedding_avg import AvgMachine
from tests.machines.shedding_transfer import TransferMachine
from tests.machines.splitting_life import LifeMachine
from tests.machines.throttling_loop import LoopMachine

pytestmark = pytest.mark.slow

SEARCHED = 1000
"""Examples until a mutant counts as not found; every one is found in far fewer."""


@dataclass(frozen=True, slots=True)
class Tried:
    """A machine, how many examples of how many steps the reference is put to, and which mutant
    defects it finds when these clauses judge.
    """

    machine: type[Machine[Any]]
    examples: int
    steps: int
    found: dict[str, str]


TRIED = (
    Tried(
        LeaderMachine,
        examples=30,
        steps=12,
        found={
            "bundles-of-the-last-broker-only": "LOA-17",
            "departed-broker-stays": "LOA-18",
            "every-notification-is-a-sample": "LOA-20",
            "writing-samples-nothing": "LOA-22",
        },
    ),
    Tried(
        ChannelMachine,
        examples=15,
        steps=8,
        found={
            "everybody-serves": "OWN-7",
            "names-itself": "OWN-16",
            "anybody-says-owned": "OWN-10",
        },
    ),
    Tried(
        LocksMachine,
        examples=25,
        steps=15,
        found={
            "locks-created-over-another": "OWN-21 OWN-22 OWN-28",
            "locks-expiry-ignored": "OWN-21 OWN-22",
            "locks-leader-always-empty": "OWN-36",
            "locks-failure-untold": "OWN-26",
        },
    ),
    Tried(
        PlacingMachine,
        examples=200,
        steps=14,
        found={
            "preallocations-stay": "PLC-41 PLC-43 PLC-44",
            "preallocations-of-departed-brokers-stay": "PLC-41 PLC-43 PLC-44",
            "nothing-preallocated": "PLC-41 PLC-42",
            "preallocations-do-not-count": "PLC-42 PLC-44",
        },
    ),
    Tried(
        AvgMachine,
        examples=40,
        steps=12,
        found={
            "avg-acts-too-soon": "SHD-30",
            "avg-hits-of-brokers": "SHD-30",
            "avg-acts-too-late": "SHD-31",
            "grace-period-ignored": "SHD-3",
            "avg-hits-of-pairs": "SHD-38",
        },
    ),
    Tried(
        TransferMachine,
        examples=30,
        steps=18,
        found={
            "transfer-grace-ignored": "SHD-58",
            "transfer-count-not-begun-anew": "SHD-55",
            "transfer-no-cool-down": "SHD-50",
        },
    ),
    Tried(
        LifeMachine,
        examples=25,
        steps=15,
        found={
            "no-membership-test": "SPL-18",
            "other-fields-lost": "SPL-23",
            "one-copy-only": "SPL-22",
            "blind-write": "SPL-21 SPL-24 SPL-25",
            "stale-lookup": "SPL-28",
        },
    ),
    Tried(
        LoopMachine,
        examples=20,
        steps=12,
        found={
            "deliveries-not-charged": "THR-39 THR-50",
            "writes-not-charged": "THR-40",
            "blocked-for-good": "THR-45",
            "charged-twice": "THR-40",
        },
    ),
    Tried(
        BalancingMachine,
        examples=40,
        steps=10,
        found={
            "unloaded-bundle-stays": "BAL-3",
            "slow-brokers-look-idle": "BAL-1",
            "grace-unknown": "BAL-4",
            "clients-back-too-soon": "BAL-7",
            "sheds-without-trigger": "BAL-9",
            "nothing-is-shed": "BAL-10",
            "avg-a-round-late": "BAL-10",
            "avg-reverses-pairs": "BAL-17",
            "transfer-never-counts": "BAL-18",
        },
    ),
)


def machine_over(
    machine: type[Machine[Any]],
    edition: Edition,
    mutant: Mutant | None = None,
    only: frozenset[str] | None = None,
) -> type[Machine[Any]]:
    """The machine over the reference of an edition, with a change mutant in it or not.

    The class has no source of its own, from which Hypothesis would otherwise seed itself.
    """

    def observe(self: Machine[Any], trial: Any) -> Observation:
        if mutant is None:
            return machine.observe(self, trial)
        with mutant.applied():
            return machine.observe(self, trial)

    own = {"edition": edition, "only": only, "observe": observe}
    return type(f"{machine.__name__}Tried", (machine,), own)


def bounded(tried: Tried, examples: int) -> settings:
    """So many examples, the same ones every time. Nothing is shrunk: only that it fails counts."""
    return settings(
        max_examples=examples,
        stateful_step_count=tried.steps,
        deadline=None,
        derandomize=True,
        database=None,
        phases=(Phase.generate,),
    )


def everything_found() -> Iterator[Any]:
    """A case for each machine and each defect that it finds."""
    for tried in TRIED:
        for name, clauses in tried.found.items():
            id_ = f"{tried.machine.question.chapter}-{name}"
            yield pytest.param(tried, name, clauses.split(), id=id_)


@pytest.mark.parametrize("tried", TRIED, ids=lambda tried: tried.machine.question.name)
@pytest.mark.parametrize("edition", EDITIONS.values(), ids=EDITIONS)
def test_the_reference_lives_up_to_its_clauses(tried: Tried, edition: Edition) -> None:
    machine = machine_over(tried.machine, edition)
    run_state_machine_as_test(machine, settings=bounded(tried, tried.examples))


@pytest.mark.parametrize(("tried", "name", "clauses"), list(everything_found()))
def test_mutants_are_found(tried: Tried, name: str, clauses: list[str]) -> None:
    chapter = tried.machine.question.chapter
    [mutant] = [p for p in MUTANTS if (p.chapter, p.name) == (chapter, name)]
    machine = machine_over(tried.machine, mutant.edition, mutant, frozenset(clauses))
    with pytest.raises(AssertionError, match=f"^({'|'.join(clauses)}): "):
        run_state_machine_as_test(machine, settings=bounded(tried, SEARCHED))
