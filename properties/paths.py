"""Searching for states that explain what was observed, step by step.

Which state a subject is in is often not seen; the states that are possible are. A run can have
thousands of steps, so this is a loop with a stack, not a recursion.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from typing import TypeVar

State = TypeVar("State", bound=Hashable)


def some_path(begin: State, nexts: Callable[[int, State], Iterator[State]], steps: int) -> bool:
    """Whether so many steps can be taken from the beginning.

    `nexts` tells the states that one step leads to: they are asked for one by one, and no state
    of a step is tried twice.
    """
    if steps == 0:
        return True
    stack = [nexts(0, begin)]
    tried: set[tuple[int, State]] = {(0, begin)}
    while stack:
        reached = next((s for s in stack[-1] if (len(stack), s) not in tried), None)
        if reached is None:
            stack.pop()
            continue
        place = len(stack)
        if place == steps:
            return True
        tried.add((place, reached))
        stack.append(nexts(place, reached))
    return False
