"""Mutants and conforming variants: the reference with other code in some functions, by name.

A mutant has a defect that some clause must detect. A conforming variant answers differently where
the specification leaves the choice open, and must satisfy every clause.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from types import CodeType, FunctionType

from evenkeel_engine.content import PROMISED, Edition
from evenkeel_engine.mutation.code_swap import swap_code
from evenkeel_engine.mutation.sites import FunctionSource


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """A change of the reference.

    `description`: what a user would see of it. `defect` is its entry in the
    catalogue of real defects (`SP2`), or a number of ours (`F1`). Judged, and otherwise right, in
    `edition`.
    """

    name: str
    chapter: str
    description: str
    defect: str = ""
    conforming: bool = False
    edition: Edition = PROMISED

    @property
    @abstractmethod
    def sources(self) -> tuple[FunctionSource, ...]:
        """The functions that are changed."""

    @property
    @abstractmethod
    def codes(self) -> Mapping[FunctionType, CodeType]:
        """The code that each of them has instead."""

    def require_fit(self) -> None:
        """Raise what `codes` raises for a change that fits nowhere."""
        _ = self.codes

    def apply(self) -> AbstractContextManager[None]:
        """A context in which the reference has the change, for every caller."""
        return swap_code(self.codes)
