"""Edges as trials: covers are complete, the reference follows them, mutants are detected."""

import json
from collections.abc import Iterable, Iterator

import pytest

from evenkeel.harness.edge_driving import Driven, drive
from evenkeel.harness.severity import Severity
from evenkeel.harness.subjects.base import Errored, Observed, Reply, Request, Skipped
from evenkeel.harness.subjects.local import MutantSubject, ReferenceSubject
from evenkeel.models.edge_cover import Explored, cover, explored
from evenkeel.models.graph import Graph, Move
from evenkeel.models.ownership.channel.graphs import QUICK_GRAPHS, SCOPES, mutant
from evenkeel.models.ownership.channel.worlds import Situation
from evenkeel.models.ownership.edge_trials import COMMANDS, Covered, coverers
from evenkeel.models.ownership.locks.graphs import ACTS
from evenkeel.properties.ownership.channel import CHANNEL
from evenkeel.properties.ownership.channel.trials import ChannelAnswer
from evenkeel.reference.edition import DOCUMENTED, PULSAR_4_0, Edition
from tests.command_line import run


def covered(name: str, edition: Edition = DOCUMENTED) -> Covered:
    found = coverers()[name](edition, 2000, 60)
    assert found is not None
    return found


def graph_by_hand() -> Explored:
    """A diamond with a tail, a shortcut, and a loop at its end."""
    moves: dict[str, list[Move[str]]] = {
        "a": [("ab", "b"), ("ac", "c")],
        "b": [("bd", "d")],
        "c": [("cd", "d"), ("cb", "b")],
        "d": [("de", "e")],
        "e": [("ea", "a")],
    }
    found = explored(["a"], moves.__getitem__, 5)
    assert found is not None
    assert explored(["a"], moves.__getitem__, 4) is None
    return found


def test_a_cover_by_hand() -> None:
    graph = graph_by_hand()
    walks = [" ".join(walk.words) for walk in cover(graph, 10)]
    assert walks == ["ab bd de ea ac cd", "ac cb"]
    assert graph.edges == 7


def test_walks_have_at_most_the_given_length() -> None:
    walks = list(cover(graph_by_hand(), 2))
    assert all(len(walk.words) <= 2 for walk in walks)
    taken = {word for walk in walks for word in walk.words}
    assert taken == {"ab", "ac", "bd", "cd", "cb"}


@pytest.mark.parametrize("edition", [DOCUMENTED, PULSAR_4_0], ids=lambda edition: edition.name)
@pytest.mark.parametrize(
    "name", ["channel-race-nodes", "channel-stuck-nodes", "channel-back-topic"]
)
def test_every_edge_is_covered_and_the_reference_follows_it(name: str, edition: Edition) -> None:
    found = covered(name, edition)
    driven = drive(found, ReferenceSubject(edition), edition)
    assert len(driven.taken) == len(driven.alike) == found.edges > 100
    assert driven.failures == {}
    assert driven.answered == len(found.trials)


def test_every_edge_of_the_locks_is_covered() -> None:
    found = covered("locks-2-2-1-1-0-0")
    taken = {edge for trial in found.trials for edge in trial.edges}
    assert (found.states, found.edges, len(taken)) == (1762, 5024, 5024)
    assert COMMANDS.keys() == ACTS.keys()


@pytest.mark.parametrize("name", ["race", "back", "leaving"])
def test_a_mutant_of_the_reference_is_detected(name: str) -> None:
    found = covered(f"channel-{name}-nodes")
    driven = drive(found, MutantSubject(mutant(SCOPES[name][3])), DOCUMENTED)
    assert driven.errors(Severity(DOCUMENTED.name))
    assert len(driven.taken) == found.edges


def test_a_walk_with_other_answers_is_not_covered() -> None:
    found = covered("channel-race-nodes")
    driven = drive(found, MutantSubject(mutant("serves-early")), DOCUMENTED)
    assert 0 < len(driven.alike) < len(driven.taken)


class Half:
    """Answers every other trial, and gives a fixed reply to the rest."""

    name = "half"
    questions: frozenset[str] | None = None

    def __init__(self, otherwise: Reply) -> None:
        self.otherwise = otherwise

    def replies(self, asks: Iterable[Request]) -> Iterator[tuple[Request, Reply]]:
        for ask in asks:
            yield ask, self.reply(ask)

    def reply(self, ask: Request) -> Reply:
        observed = Observed(ask.question.observe(ask.trial, DOCUMENTED))
        return self.otherwise if ask.key % 2 else observed

    def close(self) -> None:
        """No resources are held."""


@pytest.mark.parametrize(
    ("reply", "errored"), [(Skipped("not this"), 0), (Errored("dead", True), 15)]
)
def test_unanswered_trials_are_not_covered(reply: Reply, errored: int) -> None:
    found = covered("channel-race-nodes")
    driven: Driven = drive(found, Half(reply), DOCUMENTED)
    assert (driven.trials, driven.answered, driven.errored) == (30, 15, errored)
    assert len(driven.taken) < found.edges
    assert sum(driven.unanswered.values()) == 15


def test_clauses_are_those_that_the_commands_could_violate() -> None:
    """Features of the answers along all edges: divisions, forced records, removals."""
    by_name = {graph.name: graph for graph in QUICK_GRAPHS}
    for name in ("race-nodes", "stuck-nodes", "sessions-nodes", "back-nodes", "division-nodes"):
        found = covered(f"channel-{name}")
        forced = divided = removed = False
        for trial in found.trials:
            answer = CHANNEL.observe(trial.trial, DOCUMENTED)
            assert isinstance(answer, ChannelAnswer)
            records = [write.record for step in answer.steps for write in step.wrote]
            removed |= None in records
            forced |= any(record is not None and record.force for record in records)
            divided |= any(r is not None and r.state.value == "Deleted" for r in records)
        clauses = set(by_name[found.graph].clauses)
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


# ---------------------------------------------------------------------------- the command


def test_the_command_reports_the_share() -> None:
    words = ["prove", "--drive", "reference", "--graph", "channel-race-nodes", "--format", "json"]
    result = run(*words)
    assert result.returncode == 0, result.stdout + result.stderr
    reported = json.loads(result.stdout)
    [graph] = reported["graphs"]
    assert (graph["edges"], graph["covered"], graph["as_reference"]) == (127, 127, 127)
    assert "127 of 127 edges of 1 graphs covered (100 %)" in reported["summary"]


def test_a_subject_of_another_edition_is_detected() -> None:
    graph = ["--graph", "channel-stuck-nodes"]
    result = run("prove", "--drive", "reference:PULSAR_4_0", *graph)
    assert result.returncode == 1, result.stdout + result.stderr
    assert "OWN-" in result.stdout


@pytest.mark.parametrize(
    "words", [["--chapter", "splitting"], ["--graph", "channel-race-nodes", "--states", "5"]]
)
def test_graphs_that_cannot_be_covered_are_reported(words: list[str]) -> None:
    result = run("prove", "--drive", "reference", *words)
    assert result.returncode == 2
    assert "--drive" in result.stderr
