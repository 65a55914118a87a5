"""What the sweeps' lists name is there, and named once."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from evenkeel.reference.edition import PULSAR_4_0
from evenkeel.sweeps.settings import SEED, settings
from evenkeel_engine.check.seeded import make_trial
from evenkeel_engine.kit.catalogue import QUESTIONS
from evenkeel_engine.kit.exempt import ALL
from evenkeel_engine.mutation.catalogue import CONFORMING, DEFECTS, MUTANTS
from evenkeel_engine.mutation.equivalents import Equivalent, read_equivalents, read_survivors
from evenkeel_engine.mutation.faulty_subjects import subjects_of
from evenkeel_engine.mutation.sites import site_named


def test_names_of_mutants_are_unique() -> None:
    names = [mutant.name for mutant in MUTANTS]
    assert len(set(names)) == len(names)


KNOWN = {
    "shedding": "SH6 SH11 SH12 SH13 SH15 SH16 SH18 SH20 SH21 SH32 SH52 24954",
    "placement": "SH6 SH23 SH25 SH27 SH38 SH39 SH44 SH45 SH50",
    "splitting": "SP2 SP3 SP4 SP6 SP8 SP10 SP11 SP12 SP13 SP15",
}


@pytest.mark.parametrize("chapter", KNOWN)
def test_known_defects_are_mutants(chapter: str) -> None:
    assert {*KNOWN[chapter].split()} <= {one.defect for one in DEFECTS if one.chapter == chapter}


def test_every_exempt_setting_exists() -> None:
    for question in QUESTIONS.values():
        known = {path[-1] for path, _, _ in settings(make_trial(question, SEED, 0))}
        assert {*question.exempt.unread, *question.exempt.unjudged} <= {*known, ALL}


def test_every_faulty_subject_that_is_named_exists() -> None:
    for question in QUESTIONS.values():
        assert {*question.exempt.subjects} <= {one.name for one in subjects_of(question)}


@pytest.mark.parametrize("listed", [read_equivalents(), read_survivors()], ids=["same", "survive"])
def test_listed_mutants_are_what_the_lists_say(listed: Mapping[str, Equivalent]) -> None:
    assert listed
    for name, one in listed.items():
        assert site_named(name).change == one.change
        assert len(one.reason) > 20
    assert not read_survivors().keys() & read_equivalents().keys()


def test_some_conforming_variants_are_of_4_0() -> None:
    assert sum(variant.edition is PULSAR_4_0 for variant in CONFORMING) > 5
