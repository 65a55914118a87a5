"""What the plugin of pytest knows of failures: the baseline, read once and written as tests end."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Final

import pytest

from evenkeel_engine.check.tally import Tally
from evenkeel_engine.cli.baseline import Baseline, clause_of, read_baseline
from evenkeel_engine.cli.options import Unusable
from evenkeel_engine.content import Edition
from evenkeel_engine.text import make_printable

KNOWN: Final = pytest.StashKey[dict[tuple[Path, str], "SharedBaseline"]]()


class SharedBaseline:
    """A baseline that all tests of a session share."""

    def __init__(self, baseline: Baseline | None = None, updates: bool = False) -> None:
        self._baseline = baseline or Baseline(Path(), "", {})
        self._updates = updates
        self._checked: set[str] = set()
        self._met = Tally()
        self._tallies: dict[int, Tally] = {}

    def list_new(self, tally: Tally) -> list[str]:
        """The failures of a test that are not known, or known as less frequent."""
        return self._baseline.list_new(tally)

    def more_often(self, tally: Tally) -> list[str]:
        """Which known failures are more frequent now; a sentence each."""
        return [one.sentence for one in self._baseline.more_often(tally)]

    def meet(self, tallies: Iterable[Tally], checked: Collection[str]) -> None:
        """Record the failures of a test that checked these clauses, if the file shall be updated.

        Several tests may check one clause: what any of them meets is added. They may share a
        tally, which counts once.
        """
        self._checked.update(checked)
        for tally in tallies:
            if id(tally) not in self._tallies:
                self._tallies[id(tally)] = tally  # kept, so that no other one gets its id
                self._met.merge(tally)
        if self._updates:
            self._baseline = self._baseline.update(self._met, self._checked)

    def list_removed(self) -> list[str]:
        """Known failures that no test met, although their clauses were checked and exercised."""
        return [
            one for one in self._baseline.list_removed(self._met) if clause_of(one) in self._checked
        ]


def known_of(
    config: pytest.Config | None, edition: Edition, own: str | Path | None = None
) -> SharedBaseline:
    """What a test's own file, or else the option's, knows of an edition. Raises `UserError`."""
    if config is None:
        return SharedBaseline()
    named = own or config.getoption("--evenkeel-baseline")
    updates = config.getoption("--evenkeel-update-baseline")
    if not named:
        if updates:
            raise Unusable("--evenkeel-update-baseline needs --evenkeel-baseline FILE.")
        return SharedBaseline()
    every = config.stash.setdefault(KNOWN, {})
    place = (Path(named), edition.name)
    if place not in every:
        every[place] = SharedBaseline(read_baseline(place[0], edition, made_now=updates), updates)
    return every[place]


def removed_failures(config: pytest.Config) -> list[str]:
    """A line for each known failure that was not met."""
    return [
        make_printable(
            f"removed: {signature} is in {path}, but no longer fails (--evenkeel-update-baseline)"
        )
        for (path, _), known in config.stash.get(KNOWN, {}).items()
        for signature in known.list_removed()
    ]
