"""The effect of a command is computed in a smaller world: it is that in the whole world."""

from random import Random

import pytest

from evenkeel.models.ownership.channel.graphs import WIDE, scope_of
from evenkeel.models.ownership.channel.worlds import Scope, choice, going_on, sight_of
from evenkeel.properties.ownership.channel.trials import NAMES, Notice
from evenkeel.reference.edition import DOCUMENTED, PULSAR_4_0, Edition
from evenkeel.reference.ownership.channel import commands as channel
from evenkeel.reference.ownership.channel.world import World
from evenkeel.reference.ownership.records import BrokerId, Storage

SCOPES = [
    *(scope for _, scope, _, _ in WIDE),
    *(scope_of(name, storage) for name in ("leaving", "back", "removal") for storage in Storage),
]


@pytest.mark.parametrize("scope", SCOPES, ids=lambda scope: scope.name)
@pytest.mark.parametrize("edition", [DOCUMENTED, PULSAR_4_0], ids=lambda edition: edition.name)
def test_a_command_has_the_same_effect_in_a_smaller_world(scope: Scope, edition: Edition) -> None:
    random, steps = Random(6), scope.steps(edition)
    for _ in range(12):
        situation = next(iter(scope.initial(edition)))
        while following := scope.moves(situation, edition):
            offered = (chosen for chosen, _ in scope.offered(situation.left))
            for chosen in (*going_on(situation.world), *offered):
                after = steps.after(situation.world, chosen)
                plain = steps.among_all(situation.world, chosen.command)
                assert (after.world, after.written) == (plain.world, plain.written), chosen
            situation = random.choice(following)[1]


def peeking(world: World, name: BrokerId, edition: Edition) -> None:
    """A broker looks into another's view."""
    assert not world.brokers[NAMES[1]].view


def meddling(world: World, name: BrokerId, edition: Edition) -> None:
    """A broker takes another's registration away."""
    world.brokers[NAMES[1]].registered = False


@pytest.mark.parametrize("step", [peeking, meddling])
def test_uninvolved_brokers_cannot_be_read_or_changed(
    step: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    scope = scope_of("race", Storage.TOPIC)
    steps, world = scope.steps(DOCUMENTED), next(iter(scope.initial())).world
    sight = sight_of(world, choice(Notice(0)), 0)
    monkeypatch.setattr(channel, "notice", step)
    with pytest.raises(AttributeError):
        steps.among_strangers(sight, Notice(0))


def test_commands_that_do_not_read_cannot_read(monkeypatch: pytest.MonkeyPatch) -> None:
    scope = scope_of("race", Storage.TOPIC)
    steps, world = scope.steps(DOCUMENTED), next(iter(scope.initial())).world
    sight = sight_of(world, choice(Notice(0)), 0)
    monkeypatch.setattr(channel, "notice", channel.read)
    with pytest.raises(TypeError, match="reads"):
        steps.among_strangers(sight, Notice(0))
