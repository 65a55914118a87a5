"""The effect of a command is computed in a smaller world: it is that in the whole world."""

from random import Random

import pytest

from evenkeel.models.ownership.channel.graphs import WIDE, scope_of
from evenkeel.models.ownership.channel.worlds import Scope, going_on
from evenkeel.reference.edition import DOCUMENTED, PULSAR_4_0, Edition
from evenkeel.reference.ownership.records import Storage

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
            offered = (chosen for chosen, _ in scope.list_offered(situation.left))
            for chosen in (*going_on(situation.world), *offered):
                after = steps.after(situation.world, chosen)
                plain = steps.among_all(situation.world, chosen.command)
                assert (after.world, after.written) == (plain.world, plain.written), chosen
            situation = random.choice(following)[1]
