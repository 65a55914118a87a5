"""The graphs of the chapter *splitting*: what their sizes follow from, and what their moves are.

That nothing is violated and the broken rule is detected is the sweep `graphs`.
"""

from collections.abc import Iterable, Mapping
from itertools import pairwise

import pytest

from evenkeel.models.splitting.applying import graphs as division_graphs
from evenkeel.models.splitting.applying.graphs import (
    Division,
    capped_splits,
    capped_states,
    free_splits,
    free_states,
    free_transitions,
    inside,
    middle_splits,
    middle_states,
    middle_transitions,
    splits,
)
from evenkeel.models.splitting.life.graphs import DONE, REMOVED, Race, race_of
from evenkeel.reference.bundles.ranges import TOP_HASH, HashRange
from evenkeel.reference.edition import DOCUMENTED, Edition
from evenkeel.reference.splitting import due
from evenkeel.reference.splitting.applying import apply_positions
from evenkeel_engine.proofs.graph import Graph

Children = tuple[HashRange, ...]


def test_the_sizes_follow_from_the_rules() -> None:
    assert [free_states(top) for top in (7, 9)] == [64, 256]
    assert [free_transitions(top) for top in (7, 9)] == [192, 1024]
    assert (middle_states(15), middle_transitions(15)) == (417, 1493)
    assert capped_states(9, 5) == 163


@pytest.mark.parametrize("top", [1, 2, 3, 5, 8])
def test_the_sizes_of_other_hash_spaces(top: int) -> None:
    free, middle = free_splits(top).explore(), middle_splits(top).explore()
    assert free.has_its_size
    assert middle.has_its_size


def test_the_cap_equals_the_reference(monkeypatch: pytest.MonkeyPatch) -> None:
    """A manager without its cap is detected, and one that forgets its plans."""

    def room_ignored(candidate: due.Candidate, room: int, edition: Edition) -> Children:
        return usable(candidate, len(candidate.positions), edition)

    def in_sequence(
        candidates: Iterable[due.BundleName], counts: Mapping[str, int], most: int, of: Edition
    ) -> list[due.BundleName]:
        return [name for one in candidates for name in modular([one], counts, most, of)]

    usable, modular = due.usable_children, due.modular_due
    monkeypatch.setattr(due, "usable_children", room_ignored)
    assert capped_splits(5, 3).explore().violations
    monkeypatch.undo()
    assert not capped_splits(5, 3).explore().violations
    monkeypatch.setattr(division_graphs, "modular_due", in_sequence)
    assert capped_splits(5, 3).explore().violations


def test_there_are_at_most_as_many_bundles_as_hashes_below_the_last() -> None:
    graph = free_splits(6)
    reached, _ = graph.reach(graph.moves, most_violations=1)
    final = [division for division in reached.states if not list(graph.moves(division))]
    assert final == [(0, 1, 2, 3, 4, 5, 6)]


def test_a_shortest_path_has_one_split_for_each_boundary() -> None:
    assert free_splits(7).find_shortest((0, 3, 5, 7)) == ("cut [0, 7) at 3", "cut [3, 7) at 5")
    assert middle_splits(7).find_shortest((0, 2, 7)) is None


def at_full_size(division: Division) -> Division:
    """The same boundaries in the real hash space, whose top is 0xffffffff."""
    return (*division[:-1], TOP_HASH)


def test_the_moves_are_the_splits_of_the_reference() -> None:
    graph = free_splits(6)
    reached, _ = graph.reach(graph.moves, most_violations=1)
    for division in reached.states:
        expected = {
            apply_positions(at_full_size(division), HashRange(*ends), (cut,), DOCUMENTED)
            for small, ends in zip(
                pairwise(division), pairwise(at_full_size(division)), strict=True
            )
            for cut in inside(*small)
        }
        moves = {at_full_size(after) for _, after in splits(inside, division)}
        assert moves == expected


@pytest.mark.parametrize(
    ("graph", "states", "transitions"),
    [
        (race_of(2, 3, 2), 2266, 3687),
        (race_of(2, 1, 0), 4 * 13 + 5 * 12, 4 * 14 + 5 * 12),
        (race_of(3, 3, 1), 24174, 43236),
    ],
    ids=lambda value: value.name if isinstance(value, Graph) else None,
)
def test_races(graph: Graph[Race], states: int, transitions: int) -> None:
    """The second one is small enough to be counted by hand.

    In 4 of the 9 choices of cuts the brokers split different bundles: 13 states and 14 moves, of
    which two ways lead to the state in which both are done. In the other 5 the later reader finds
    its bundle split: 12 states and 12 moves.
    """
    result = graph.with_all_images().explore()
    assert result.as_expected
    assert (result.states, result.transitions) == (states, transitions)
    folded = graph.explore()
    assert folded.as_expected
    assert folded.stands_for == states
    assert folded.states < states
    for broken in (result.broken, folded.broken):
        assert broken is not None
        first, second = sorted(word[0] for word in broken.schedule[:2])
        assert first != second
        assert [word[2:] for word in broken.schedule] == ["reads", "reads", "writes", "writes"]
        assert sorted(word[0] for word in broken.schedule[2:]) == [first, second]


def test_schedules_of_folded_states_name_brokers_throughout() -> None:
    """Each is a path through the graph with distinguished brokers."""
    graph = race_of(2, 3, 1)
    reached, _ = graph.reach(graph.moves, most_violations=1)
    for race in reached.states:
        at = list(graph.initial())
        for word in graph.schedule_to(reached, race, graph.moves):
            at = [to for one in at for label, to in graph.moves(one) if label == word]
        assert race in {graph.representative(one) for one in at}


def test_a_race_for_one_bundle_has_one_winner() -> None:
    graph = race_of(2, 3, 0)
    reached, _ = graph.reach(graph.moves, most_violations=1)
    ends = [race for race in reached.states if not list(graph.moves(race))]
    for race in ends:
        cuts = [broker.cut for broker in race.brokers]
        stages = sorted(broker.stage for broker in race.brokers)
        assert stages == ([DONE, DONE] if 6 in cuts and cuts != [6, 6] else [DONE, REMOVED])


def test_attempts_run_out_only_against_as_many_writers() -> None:
    graph = race_of(2, 1, 0)
    reached, _ = graph.reach(graph.moves, most_violations=1)
    tired = [race for race in reached.states if "tired" in {b.stage for b in race.brokers}]
    assert tired
    assert all(race.version >= 1 for race in tired)
