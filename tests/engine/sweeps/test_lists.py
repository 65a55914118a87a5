"""What the sweeps' lists name is there, and named once."""

from __future__ import annotations

from evenkeel.reference.edition import PULSAR_4_0
from evenkeel.sweeps.settings import SEED, settings
from evenkeel_engine.check.seeded import make_trial
from evenkeel_engine.kit.catalogue import QUESTIONS
from evenkeel_engine.kit.exempt import ALL
from evenkeel_engine.mutation.catalogue import CONFORMING, MUTANTS


def test_names_of_mutants_are_unique() -> None:
    names = [mutant.name for mutant in MUTANTS]
    assert len(set(names)) == len(names)


def test_every_exempt_setting_exists() -> None:
    for question in QUESTIONS.values():
        known = {path[-1] for path, _, _ in settings(make_trial(question, SEED, 0))}
        assert {*question.exempt.unread, *question.exempt.unjudged} <= {*known, ALL}


def test_some_conforming_variants_are_of_4_0() -> None:
    assert sum(variant.edition is PULSAR_4_0 for variant in CONFORMING) > 5
