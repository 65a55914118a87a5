"""The graphs of the channel: their moves, their clauses, known violations by shortest schedules."""

from random import Random

import pytest

from evenkeel.models.ownership.channel.graphs import PARENT, QUICK_GRAPHS, once, scope_of
from evenkeel.models.ownership.channel.known_violations import KNOWN, Known, search
from evenkeel.models.ownership.channel.worlds import Scope, Situation, freeze, perform, thaw
from evenkeel.properties.ownership.channel import CHANNEL
from evenkeel.properties.ownership.channel.trials import (
    NAMES,
    Assign,
    ChannelAnswer,
    ChannelTrial,
    Settle,
)
from evenkeel.reference.edition import DOCUMENTED, PULSAR_4_0, Edition
from evenkeel.reference.ownership.channel import commands as channel
from evenkeel.reference.ownership.records import Storage
from evenkeel_engine.check.seeded import make_trial
from evenkeel_engine.kit.catalogue import clauses_for
from evenkeel_engine.kit.codec import to_json
from evenkeel_engine.kit.question import judge
from evenkeel_engine.proofs.graph import Graph
from evenkeel_engine.stored import cases
from evenkeel_engine.subjects.wire import observation_to_json


def test_a_scope_counted_by_hand() -> None:
    """One assignment in a topic.

    Before it 1 state; then broker 1 has read it or not; once broker 0 has, there is Owned too:
    broker 0 has read one or two, broker 1 none to two. 1 + 2 + 6 states. Moves: the assignment;
    broker 0 reads it (2), broker 1 does (1); then 3 reads of broker 0 and 4 of broker 1.
    """
    scope = Scope("hand", Storage.TOPIC, 2, (), (once(Assign(0, PARENT, 0)),))
    reached, _ = graph_like(scope).reach(scope.moves, most_violations=1)
    assert len(reached.states) == 9
    assert reached.transitions == 11


def graph_like(scope: Scope) -> Graph[Situation]:
    """A graph that explores this scope."""
    graph = next(iter(QUICK_GRAPHS))
    return Graph(
        scope.name,
        graph.chapter,
        graph.clauses,
        graph.statement,
        scope.name,
        scope.initial,
        scope.moves,
        graph.wrong,
        graph.final,
        graph.broken,
    )


@pytest.mark.parametrize("edition", [DOCUMENTED, PULSAR_4_0], ids=lambda edition: edition.name)
def test_a_world_rebuilt_from_its_value_continues_alike(edition: Edition) -> None:
    for index in range(400):
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
    reached, _ = graph_like(scope).reach(scope.moves, most_violations=1)
    states = Random(3).sample(list(reached.states), 60)
    for state in states:
        trial = scope.trial(reached.list_moves(state), Settle())
        observed = CHANNEL.observe(trial, DOCUMENTED)
        checks = clauses_for(CHANNEL.name, DOCUMENTED)
        verdicts = judge(CHANNEL, checks, trial, observed, DOCUMENTED)
        assert [v for v in verdicts if v.status in ("violated", "errored")] == []


# -------------------------------------------------------------------------- listed clauses


@pytest.mark.parametrize("name", ["race", "stuck", "sessions", "back", "division"])
def test_clauses_are_those_that_the_commands_could_violate(name: str) -> None:
    """Features of the answers in all states: divisions, forced records, removals."""
    scope = scope_of(name, Storage.NODES)
    reached, _ = graph_like(scope).reach(scope.moves, most_violations=1)
    forced = divided = removed = False
    for state in reached.states:
        answer = CHANNEL.observe(scope.trial(reached.list_moves(state)), DOCUMENTED)
        assert isinstance(answer, ChannelAnswer)
        records = [write.record for step in answer.steps for write in step.wrote]
        removed |= None in records
        forced |= any(record is not None and record.force for record in records)
        divided |= any(r is not None and r.state.value == "Deleted" for r in records)
    [clauses] = [set(one.clauses) for one in QUICK_GRAPHS if one.name == f"channel-{name}-nodes"]
    assert {"OWN-17", "OWN-18"} & clauses == ({"OWN-17", "OWN-18"} if forced else set())
    assert ("OWN-14" in clauses) == divided
    assert ("OWN-6" in clauses) == removed


@pytest.mark.parametrize("graph", QUICK_GRAPHS, ids=lambda graph: graph.name)
def test_the_broken_rule_violates_a_listed_clause(graph: Graph[Situation]) -> None:
    _, [failure] = graph.reach(graph.broken.moves, most_violations=1)
    assert failure.sentence.partition(":")[0] in graph.clauses


def test_only_graphs_with_a_division_list_it() -> None:
    listed = {graph.name for graph in QUICK_GRAPHS if "OWN-14" in graph.clauses}
    assert listed == {
        "channel-division-topic",
        "channel-division-nodes",
        "channel-alone-nodes",
        "channel-division-among-3-nodes",
    }


# ------------------------------------------------------------------------- known violations


@pytest.mark.parametrize("known", KNOWN, ids=lambda known: known.name)
def test_the_search_finds_the_stored_case(known: Known) -> None:
    stored, schedule = cases.find_case(known.name), search(known)
    assert stored is not None
    assert schedule is not None
    assert to_json(schedule.trial) == stored.trial
    assert f", {schedule.states} situations" in stored.notes["found"]
    with known.reference():
        observed = CHANNEL.observe(schedule.trial, known.edition())
    # Another subject may have given the same answer since.
    answers = [CHANNEL.observe(schedule.trial, DOCUMENTED), observed]
    assert [observation_to_json(one) for one in answers] == [a.observed for a in stored.answers[:2]]
    assert stored.clause == known.clause
    checks = clauses_for(CHANNEL.name, DOCUMENTED, frozenset({known.clause}))
    verdicts = judge(CHANNEL, checks, schedule.trial, observed, DOCUMENTED)
    assert [v.sentence for v in verdicts if v.status == "violated"] == [stored.shown.sentence]


@pytest.mark.parametrize("known", KNOWN, ids=lambda known: known.name)
def test_no_schedule_violates_it_as_documented(known: Known) -> None:
    scope = known.scope()
    _, violations = graph_like(scope).reach(scope.moves, most_violations=1)
    assert violations == []


@pytest.mark.parametrize(
    "known", [known for known in KNOWN if known.without], ids=lambda known: known.name
)
def test_no_schedule_violates_it_in_4_0_with_the_guarding_rule(known: Known) -> None:
    schedule = search(known)
    assert schedule is not None
    checks = clauses_for(CHANNEL.name, DOCUMENTED, frozenset({known.clause}))
    observed = CHANNEL.observe(schedule.trial, PULSAR_4_0)
    verdicts = judge(CHANNEL, checks, schedule.trial, observed, DOCUMENTED)
    assert "violated" not in {verdict.status for verdict in verdicts}
