"""Theorem: which bandwidth limits in bytes fit into 32 bits (SPL-34, SPL-38)."""

from __future__ import annotations

from functools import partial
from random import Random
from typing import Final

import z3

from evenkeel.properties.splitting.due_modular import ModularDueTrial, ModularRound
from evenkeel.properties.splitting.due_parts import BundleLoad, NamespaceCount
from evenkeel.reference.edition import DOCUMENTED, PULSAR_4_0
from evenkeel.reference.splitting.due import bandwidth_limit
from evenkeel.reference.splitting.settings import MEBIBYTE, SplitRules
from evenkeel_engine.proofs.assumptions import Step, case
from evenkeel_engine.proofs.terms import Model, Scope, Term, evaluate, number
from evenkeel_engine.proofs.theorem import CrossCheck, ReferenceMutant, Theorem

MEGABYTES: Final = z3.BitVec("megabytes", 32)
THROUGHPUT: Final = z3.BitVec("throughput", 64)
MOST: Final = 2047
LEAST: Final = -2048


def wide(megabytes: Term) -> Term:
    """The limit in bytes: the product in 64 bits, which no 32-bit factor can overflow."""
    return z3.SignExt(32, megabytes) * z3.BitVecVal(MEBIBYTE, 64)


def wrap(megabytes: Term) -> Term:
    """Pulsar's limit in bytes: the product in 32 bits, widened afterwards."""
    return z3.SignExt(32, megabytes * z3.BitVecVal(MEBIBYTE, 32))


def steps(scope: Scope) -> tuple[Step, ...]:
    """All 32-bit integers; signed comparison is what the operators of bit-vectors mean."""
    fits = z3.And(LEAST <= MEGABYTES, MEGABYTES <= MOST)
    above = MEGABYTES > MOST
    return (
        Step("exactly", (), (wrap(MEGABYTES) == wide(MEGABYTES)) == fits),
        Step("too low", (case("above the limit", above),), wrap(MEGABYTES) < wide(MEGABYTES)),
    )


def mutant_step(scope: Scope) -> Step:
    """Throughput within the limit does not exceed the product in 32 bits."""
    within = (MEGABYTES >= 0, THROUGHPUT >= 0, THROUGHPUT <= wide(MEGABYTES))
    return Step("not exceeded", within, z3.Not(THROUGHPUT > wrap(MEGABYTES)))


def trial_of(model: Model) -> ModularDueTrial:
    """One bundle with the throughput of a model and nothing else that makes it due."""
    throughput = float(number(model, THROUGHPUT))
    load = BundleLoad("t/ns/0x00000000_0xffffffff", "b1", 2, 1, 1, 1.0, 1.0, throughput, 0.0)
    config = SplitRules(
        max_topics=1000,
        max_sessions=1000,
        max_msg_rate=30000,
        max_bandwidth_mbytes=number(model, MEGABYTES),
        max_bundles=128,
        split_enabled=True,
        hit_count_threshold=3,
        max_splits_per_cycle=10,
    )
    return ModularDueTrial(config, True, 2, (ModularRound((load,), (NamespaceCount("t/ns", 1),)),))


def arguments(random: Random) -> tuple[int]:
    """A 32-bit integer, often near a multiple of 2048."""
    near = 2048 * random.randint(-3, 5) + random.randint(-1, 1)
    return (random.choice((near, random.randrange(-(2**31), 2**31))),)


BANDWIDTH_FITS: Final = Theorem(
    name="bandwidth-fits",
    chapter="splitting",
    clauses=("SPL-34", "SPL-38"),
    statement="MB * 2^20 as a signed 32-bit product equals the 64-bit one exactly for -2048 <= MB "
    "<= 2047; from 2048 on it is always lower.",
    bound="every 32-bit integer",
    steps=steps,
    mutant=ReferenceMutant(
        broken="PULSAR_4_0",
        sentence="The product in 32 bits is the limit for all values that can be configured.",
        step=mutant_step,
        trial=trial_of,
        question="splitting.due_modular",
    ),
    cross_checks=(
        CrossCheck(
            "limit in bytes",
            arguments,
            lambda megabytes: int(evaluate(wide(z3.BitVecVal(megabytes, 32)))),
            partial(bandwidth_limit, edition=DOCUMENTED),
        ),
        CrossCheck(
            "limit in bytes in Pulsar",
            arguments,
            lambda megabytes: int(evaluate(wrap(z3.BitVecVal(megabytes, 32)))),
            partial(bandwidth_limit, edition=PULSAR_4_0),
        ),
    ),
)

THEOREMS: Final = (BANDWIDTH_FITS,)
