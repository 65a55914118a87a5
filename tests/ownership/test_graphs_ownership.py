"""The graphs of the channel: their worlds as values, and what judges say of their schedules."""

from random import Random

import pytest

from evenkeel.models.ownership.channel.graphs import graph_from, scope_of
from evenkeel.models.ownership.channel.worlds import freeze, perform, thaw
from evenkeel.properties.ownership.channel import CHANNEL
from evenkeel.properties.ownership.channel.trials import NAMES, ChannelTrial, Settle
from evenkeel.reference.edition import DOCUMENTED, PULSAR_4_0, Edition
from evenkeel.reference.ownership.channel import commands as channel
from evenkeel.reference.ownership.records import Storage
from evenkeel_engine.check.seeded import make_trial
from evenkeel_engine.kit.catalogue import clauses_for
from evenkeel_engine.kit.question import judge


@pytest.mark.parametrize("edition", [DOCUMENTED, PULSAR_4_0], ids=lambda edition: edition.name)
def test_a_world_rebuilt_from_its_value_continues_alike(edition: Edition) -> None:
    for index in range(150):
        trial: ChannelTrial = make_trial(CHANNEL, 5, index)
        names = NAMES[: trial.brokers]
        world = channel.new(trial.storage, names)
        for command in trial.commands:
            again = thaw(freeze(world, True), trial.storage, names)
            assert freeze(again, True) == freeze(world, True)
            perform(again, command, edition)
            perform(world, command, edition)
            assert freeze(again, True) == freeze(world, True), (index, command)
            assert again.written == world.written


@pytest.mark.parametrize("name", ["race", "sessions", "division"])
@pytest.mark.parametrize("storage", list(Storage))
def test_the_judge_agrees_about_the_schedules(name: str, storage: Storage) -> None:
    scope = scope_of(name, storage)
    reached, _ = graph_from(name, scope, "serves-early").reach(scope.moves, most_violations=1)
    states = Random(3).sample(list(reached.states), 40)
    for state in states:
        trial = scope.trial(reached.list_moves(state), Settle())
        observed = CHANNEL.observe(trial, DOCUMENTED)
        checks = clauses_for(CHANNEL.name, DOCUMENTED)
        verdicts = judge(CHANNEL, checks, trial, observed, DOCUMENTED)
        assert [v for v in verdicts if v.status in ("violated", "errored")] == []
