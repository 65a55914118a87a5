"""The frame of graphs: shortest schedules, violations, dead ends and cycles are found."""

from collections.abc import Iterator
from dataclasses import replace

from evenkeel_engine.proofs.catalogue import GRAPHS, graphs_of
from evenkeel_engine.proofs.graph import Broken, Graph, Size


def up_to_nine(state: int) -> Iterator[tuple[str, int]]:
    """From 0 to 9 in steps of one and two."""
    for step in (1, 2):
        if state + step <= 9:
            yield f"+{step}", state + step


def without_end(state: int) -> Iterator[tuple[str, int]]:
    yield "+1", state + 1


def above_nine(state: int) -> str | None:
    return f"{state} is above 9" if state > 9 else None


def not_nine(state: int) -> str | None:
    return None if state == 9 else f"stuck at {state}"


GRAPH: Graph[int] = Graph(
    name="counting",
    chapter="bundles",
    clauses=("BUN-10",),
    statement="A counter stops at nine.",
    bound="0 to 9",
    initial=lambda: [0],
    moves=up_to_nine,
    wrong=above_nine,
    final=not_nine,
    broken=Broken("no-end", "The counter does not stop.", without_end),
)


def test_everything_is_counted() -> None:
    result = GRAPH.explore()
    assert (result.states, result.transitions) == (10, 9 + 8)
    assert result.violations == ()
    assert result.cycle == ()
    assert result.as_expected
    assert result.seconds > 0


def test_the_broken_rule_fails_by_a_shortest_schedule() -> None:
    broken = GRAPH.explore().broken
    assert broken is not None
    assert broken.sentence == "10 is above 9"
    assert broken.schedule == ("+1",) * 10


def test_a_violation_ends_its_branch() -> None:
    result = replace(GRAPH, wrong=lambda state: "six" if state == 6 else None).explore()
    assert [violation.schedule for violation in result.violations] == [("+2", "+2", "+2")]
    assert not result.as_expected


def test_a_dead_end_is_a_violation() -> None:
    result = replace(GRAPH, final=lambda state: f"stuck at {state}").explore()
    assert [violation.sentence for violation in result.violations] == ["stuck at 9"]


def test_a_cycle_is_found() -> None:
    def around(state: int) -> list[tuple[str, int]]:
        return [("on", (state + 1) % 4)]

    result = replace(GRAPH, moves=around).explore()
    assert sorted(str(state) for state in result.cycle) == ["0", "1", "2", "3"]
    assert not result.as_expected


def test_undetected_broken_rule_is_no_success() -> None:
    result = replace(GRAPH, broken=Broken("same", "Nothing is broken.", up_to_nine)).explore()
    assert result.broken is None
    assert not result.as_expected


def test_a_pinned_size_must_be_right() -> None:
    assert replace(GRAPH, size=Size(10, 17)).explore().as_expected
    wrong = replace(GRAPH, size=Size(10, 18)).explore()
    assert not wrong.has_its_size
    assert not wrong.as_expected


def test_graphs_are_chosen_by_chapter_and_clause() -> None:
    assert graphs_of() == GRAPHS
    assert graphs_of({"bundles"}) == ()
    assert [graph.name for graph in graphs_of(clauses={"SPL-36"})] == ["capped-splits-9-5"]
