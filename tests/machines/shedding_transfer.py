"""TransferShedder as a Hypothesis state machine, over the reference or any other subject.

Hypothesis chooses how loads and traffic change and when rounds come. What the subject moves is
carried out: bundles change their brokers, and are told as unloaded recently in later rounds. After
every round everything so far is put to the subject and judged by the clauses.
"""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.stateful import initialize, rule

from evenkeel.properties.kit.machine import GrowingMachine
from evenkeel.properties.shedding.transfer import QUESTIONS
from evenkeel.properties.shedding.transfer.trials import TransferAnswer, TransferTrial
from evenkeel.reference.adding import added
from evenkeel.reference.shedding.cluster import BrokerId, BundleName, Millis
from evenkeel.reference.shedding.transfer import (
    LastUnload,
    TopBundle,
    TransferDecision,
    TransferReport,
    TransferRules,
    TransferView,
)

BROKERS = tuple(BrokerId(f"broker-{i}:8080") for i in range(1, 4))


BUNDLES = tuple(BundleName(f"t/ns/0x{i:x}0000000_0x{i:x}fffffff") for i in range(9))


START: Millis = 10_000_000


GRACE: Millis = 30 * 60_000


DELAY = 60


MOST_ROUNDS = 12


SIZES = st.integers(0, 40)


PERCENT = st.integers(0, 100)


class TransferMachine(GrowingMachine[TransferTrial, TransferView]):
    """Three brokers, nine bundles; a bundle's size is its traffic."""

    question = QUESTIONS[0]
    steps = "rounds"

    def __init__(self) -> None:
        super().__init__()
        self.now = START
        self.owner = {bundle: BROKERS[i % 3] for i, bundle in enumerate(BUNDLES)}
        self.size = {bundle: 2 + i for i, bundle in enumerate(BUNDLES)}
        self.load = dict(zip(BROKERS, (0.9, 0.5, 0.1), strict=True))
        self.unloaded: dict[BundleName, Millis] = {}
        self.gave: dict[BrokerId, Millis] = {}

    def first(self) -> TransferTrial:
        """No round yet."""
        return TransferTrial(config=TransferRules(), rounds=())

    def report(self, broker: BrokerId) -> TransferReport:
        """A broker's report at this moment, its smallest bundle first."""
        own = sorted((b for b in BUNDLES if self.owner[b] == broker), key=lambda b: self.size[b])
        top = tuple(TopBundle(bundle, float(self.size[bundle]), 0.0) for bundle in own)
        traffic = added(self.size[bundle] for bundle in own)
        return TransferReport(broker, self.load[broker], traffic, 0.0, traffic, self.now, top)

    def view(self) -> TransferView:
        """The cluster at this moment."""
        recent = tuple(b for b, at in self.unloaded.items() if at >= self.now - GRACE)
        return TransferView(
            self.now,
            BROKERS,
            tuple(map(self.report, BROKERS)),
            recent_bundles=recent,
            recent_brokers=tuple(LastUnload(broker, at) for broker, at in self.gave.items()),
        )

    @initialize(hits=st.integers(0, 2), transfer=st.booleans(), debug=st.booleans())
    def start(self, hits: int, transfer: bool, debug: bool) -> None:
        """The settings."""
        config = TransferRules(
            target_std=0.1,
            hit_threshold=hits,
            transfer=transfer,
            debug=debug,
            delay_seconds=DELAY,
        )
        self.trial = TransferTrial(config=config, rounds=())

    @rule(broker=st.sampled_from(BROKERS), percent=PERCENT)
    def change_load(self, broker: BrokerId, percent: int) -> None:
        """A broker is more or less loaded."""
        self.load[broker] = percent / 100

    @rule(bundle=st.sampled_from(BUNDLES), size=SIZES)
    def change_bundle(self, bundle: BundleName, size: int) -> None:
        """A bundle's traffic is another."""
        self.size[bundle] = size

    @rule(seconds=st.sampled_from((60, 1, 59, 61, 1800, 1801)))
    def round(self, seconds: int) -> None:
        """Time passes; a round, unless there were enough."""
        self.now += seconds * 1000
        if len(self.trial.rounds) >= MOST_ROUNDS:
            return
        observation = self.perform(self.view())
        if isinstance(observation, TransferAnswer):
            self.carry_out(observation.rounds[-1])

    def carry_out(self, decision: TransferDecision) -> None:
        """Bundles go where they are sent, or anywhere else."""
        for move in decision.moves:
            others = [broker for broker in BROKERS if broker != move.source]
            self.owner[move.bundle] = move.destination or others[0]
            self.unloaded[move.bundle] = self.now
            self.gave[move.source] = self.now
