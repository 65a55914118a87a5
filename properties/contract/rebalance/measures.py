"""What a balancer does in a situation, in numbers: also what it does not promise."""

from __future__ import annotations

from dataclasses import dataclass, field

from evenkeel.properties.contract.rebalance.scene import Story, is_less, show_scene, tell
from evenkeel.properties.contract.rebalance.trials import Rebalance, Replies, replay
from evenkeel.reference.contract.promises import Measure
from evenkeel_engine.kit.talk import WrongCount
from evenkeel_engine.text import count_noun


@dataclass(frozen=True, slots=True)
class Measured:
    """Of one situation: `rests` says whether it came to rest, after `rounds` in which anything
    moved since the last event; `most` moves in a round; `acting` rounds with moves for balance, of
    which `lowering` left the fullest node less full; `back`: moves to a node that the unit has left
    before. `cycle` is the number of rounds in which the same situation returns, 0 if none does.
    """

    rests: bool
    rounds: int
    moves: int
    most: int
    back: int
    acting: int
    lowering: int
    apart: float
    usage: float
    unserved: int
    cycle: int


@dataclass(slots=True)
class Total:
    """The same over all situations."""

    situations: int = 0
    resting: int = 0
    rounds: int = 0
    moves: int = 0
    most: int = 0
    back: int = 0
    acting: int = 0
    lowering: int = 0
    apart: float = 0.0
    usage: float = 0.0
    unserved: int = 0
    failed: dict[str, int] = field(default_factory=dict)

    def add(self, one: Measured) -> None:
        """Count a situation."""
        self.situations += 1
        self.resting += one.rests
        self.rounds = max(self.rounds, one.rounds if one.rests else 0)
        self.moves += one.moves
        self.most = max(self.most, one.most)
        self.back += one.back
        self.acting += one.acting
        self.lowering += one.lowering
        self.apart = max(self.apart, one.apart if one.rests else 0.0)
        self.usage = max(self.usage, one.usage if one.rests else 0.0)
        self.unserved += one.unserved

    def merge(self, other: Total) -> None:
        """Add another part of the same run."""
        self.situations += other.situations
        self.resting += other.resting
        self.rounds, self.most = max(self.rounds, other.rounds), max(self.most, other.most)
        self.apart = max(self.apart, other.apart)
        self.usage = max(self.usage, other.usage)
        self.moves, self.back = self.moves + other.moves, self.back + other.back
        self.acting, self.lowering = self.acting + other.acting, self.lowering + other.lowering
        self.unserved += other.unserved
        for clause, count in other.failed.items():
            self.failed[clause] = self.failed.get(clause, 0) + count

    def tell(self, trials: str = "trials") -> str:
        """The numbers in words; empty of no trial."""
        if not self.situations:
            return ""
        share = f"{self.lowering / self.acting:.0%}" if self.acting else "none"
        return (
            f"at rest in {self.resting:,} of {self.situations:,} {trials}, after at most "
            f"{count_noun(self.rounds, 'round')}; at most {count_noun(self.most, 'move')} a round, "
            f"{self.moves:,} in all, of which {self.back:,} back; {share} of the rounds that act "
            f"lower the fullest node; at rest nodes differ by at most {self.apart:g}"
        )


def add_up(trial: Rebalance, answer: Replies) -> Total:
    """The numbers of a trial, to be added to those of others; none if the balancer broke."""
    total = Total()
    if (measured := measure(trial, answer)) is not None:
        total.add(measured)
    return total


def measure(trial: Rebalance, answer: Replies) -> Measured | None:
    """The numbers of a situation; None if the balancer broke."""
    try:
        seen = replay(trial, answer)
    except WrongCount:
        return None
    if seen.promises is None or seen.first is None or seen.first.rounds[-1].reply.broke:
        return None
    story = tell(seen.first, seen.promises)
    rests = story.is_resting()
    acts = [one.now for one in story.rounds if one.acts]
    since = [now for now in acts if now >= story.last_event]
    acting = [
        index for index in range(len(story.rounds)) if any(True for _ in story.balancing(index))
    ]
    return Measured(
        rests=rests,
        rounds=since[-1] - story.last_event + 1 if since else 0,
        moves=sum(len(one.orders) for one in story.rounds),
        most=max((len(one.reply.moves) for one in story.rounds), default=0),
        back=count_back(story),
        acting=len(acting),
        lowering=sum(lowers(story, index) for index in acting),
        apart=find_difference(story, story.promises.measure or Measure.LOAD),
        usage=find_difference(story, Measure.USAGE),
        unserved=sum(unit.node is None for one in story.rounds for unit in one.truth.units),
        cycle=0 if rests else find_cycle(story),
    )


def find_difference(story: Story, measure: Measure) -> float:
    """The fullest node less the emptiest, in the end."""
    scene = show_scene(story.rounds[-1].truth)
    use = scene.measure(scene.where, measure)
    return max(use.values(), default=0.0) - min(use.values(), default=0.0)


def lowers(story: Story, index: int) -> bool:
    """Whether the fullest node is less full where the moves of a round have arrived, however long
    they take.
    """
    scene = show_scene(story.rounds[index].truth)
    where = scene.where
    for move, order in story.balancing(index):
        where[move.unit] = order.arrived if order and order.arrived else where[move.unit]
    uses = (
        scene.measure(one, story.promises.measure or Measure.LOAD) for one in (scene.served, where)
    )
    before, after = (max(use.values(), default=0.0) for use in uses)
    return is_less(after, before)


def count_back(story: Story) -> int:
    """Moves to a node that the unit has left before."""
    left: dict[str, set[str]] = {}
    count = 0
    for round_ in story.rounds:
        for order in round_.orders:
            known = left.setdefault(order.move.unit, set())
            count += order.arrived in known
            if order.move.source is not None:
                known.add(order.move.source)
    return count


def find_cycle(story: Story) -> int:
    """After how many rounds the last situation was there before; 0 if it was not."""
    places = [tuple((unit.name, unit.node) for unit in one.truth.units) for one in story.rounds]
    moving = [place for place, one in zip(places, story.rounds, strict=True) if one.acts]
    last = moving[-1] if moving else None
    earlier = [index for index, place in enumerate(moving[:-1]) if place == last]
    return len(moving) - 1 - earlier[-1] if earlier else 0
