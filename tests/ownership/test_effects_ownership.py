"""The effects of commands: the graphs' check "some broker serves at rest" can fail."""

from __future__ import annotations

from evenkeel.models.ownership.channel.worlds import flaws_when_quiescent
from evenkeel.reference.edition import DOCUMENTED
from evenkeel.reference.ownership.channel import commands as channel
from evenkeel.reference.ownership.channel.world import PARENT, Ticket, World
from evenkeel.reference.ownership.records import BrokerId, Storage
from evenkeel_engine.mutation.patches import patches_of

B0, B1 = BrokerId("b0"), BrokerId("b1")


def owner_crashed(storage: Storage) -> World:
    """b1 owned the parent, the channel was quiescent, and b1 crashed."""
    world = channel.new(storage, [B0, B1])
    channel.assign(world, B0, PARENT, B1, Ticket(0), DOCUMENTED)
    channel.settle(world, DOCUMENTED)
    channel.crash(world, B1, DOCUMENTED)
    return world


def test_some_broker_serves_at_rest_what_a_crashed_one_owned() -> None:
    freed = next(one for one in patches_of("ownership") if one.name == "lost-bundles-freed")
    for storage in Storage:
        assert list(flaws_when_quiescent(owner_crashed(storage), DOCUMENTED)) == []
        with freed.apply():
            flaws = list(flaws_when_quiescent(owner_crashed(storage), DOCUMENTED))
        assert flaws == ["OWN-47: parent was owned, and no broker serves it"]
