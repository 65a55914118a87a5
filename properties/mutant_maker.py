"""What the chapters' lists of mutants share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any

from evenkeel.properties.mutant import Mutant
from evenkeel.reference.edition import DOCUMENTED, Edition

Function = Callable[..., Any]
Make = Callable[[Function], Function]


@dataclass(frozen=True, slots=True)
class MutantMaker:
    """Makes the mutants of one chapter."""

    chapter: str

    def defect(
        self,
        name: str,
        module: ModuleType,
        function: str,
        make: Make,
        story: str,
        source: str = "",
        edition: Edition = DOCUMENTED,
    ) -> Mutant:
        """A change that some clause must notice; `source` is its entry in the list of defects."""
        return Mutant(name, self.chapter, module, function, make, story, source, edition=edition)

    def correct(
        self,
        name: str,
        module: ModuleType,
        function: str,
        make: Make,
        story: str,
        edition: Edition = DOCUMENTED,
    ) -> Mutant:
        """A change that the specification allows."""
        return Mutant(
            name, self.chapter, module, function, make, story, correct=True, edition=edition
        )


def always(value: Any) -> Make:
    """The function answers this value."""
    return lambda original: lambda *arguments: value


def switched(**switches: Any) -> Make:
    """The function as it is in an edition with these switches; the edition comes last."""

    def make(original: Function) -> Function:
        return lambda *arguments: original(*arguments[:-1], replace(arguments[-1], **switches))

    return make


def then(change: Callable[[Any], Any]) -> Make:
    """The function's answer, changed."""
    return lambda original: lambda *arguments: change(original(*arguments))


def first(index: int, change: Callable[[Any], Any]) -> Make:
    """The function with its argument number `index` changed first."""

    def make(original: Function) -> Function:
        def changed(*arguments: Any) -> Any:
            return original(*arguments[:index], change(arguments[index]), *arguments[index + 1 :])

        return changed

    return make


def instead(applies: Callable[..., bool], action: Function) -> Make:
    """Where this applies to the arguments, the action is taken in the function's place."""
    return lambda original: lambda *args: action(*args) if applies(*args) else original(*args)


def around(before: Function | None = None, after: Function | None = None) -> Make:
    """The function, with something done before it or after it."""

    def make(original: Function) -> Function:
        def changed(*arguments: Any, **named: Any) -> Any:
            if before is not None:
                before(*arguments, **named)
            result = original(*arguments, **named)
            if after is not None:
                after(*arguments, **named)
            return result

        return changed

    return make


defect = MutantMaker("").defect
"""A mutant of the component in whose module `mutants` it stands, which tells the chapter."""

equivalent = MutantMaker("").correct
"""An equivalent mutant of that component."""


def defect_of(
    module: ModuleType, function: str, story: str, source: str = "", edition: Edition = DOCUMENTED
) -> Callable[[Make], Mutant]:
    """The decorated function makes a mutant, which has its name."""
    return lambda make: defect(
        make.__name__.replace("_", "-"), module, function, make, story, source, edition
    )


def equivalent_of(
    module: ModuleType, function: str, story: str, edition: Edition = DOCUMENTED
) -> Callable[[Make], Mutant]:
    """The decorated function makes an equivalent mutant, which has its name."""
    return lambda make: equivalent(
        make.__name__.replace("_", "-"), module, function, make, story, edition
    )
