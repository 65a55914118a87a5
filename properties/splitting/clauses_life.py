"""The clauses about the stored record as checks, on lives of a namespace (SPL-17 to SPL-30)."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.clause import Case, Finding
from evenkeel.properties.findings import OncePerCase
from evenkeel.properties.splitting.book import check
from evenkeel.properties.splitting.life_walk import walk_life
from evenkeel.properties.splitting.trials_life import LifeAnswer, LifeTrial

walked: Final = OncePerCase(walk_life)
LifeCase = Case[LifeTrial, LifeAnswer]


@check("SPL-17", "splitting.life")
def stated_children_tile_their_parent(case: LifeCase) -> Finding:
    return walked(case).finding("SPL-17")


@check("SPL-18", "splitting.life")
def splits_of_no_bundle_are_refused(case: LifeCase) -> Finding:
    return walked(case).finding("SPL-18")


@check("SPL-19", "splitting.life")
def repeated_positions_count_once_or_are_refused(case: LifeCase) -> Finding:
    return walked(case).finding("SPL-19")


@check("SPL-20", "splitting.life")
def repeated_positions_never_complete(case: LifeCase) -> Finding:
    return walked(case).finding("SPL-20")


@check("SPL-21", "splitting.life")
def splits_are_stored(case: LifeCase) -> Finding:
    return walked(case).finding("SPL-21")


@check("SPL-22", "splitting.life")
def both_copies_are_equal(case: LifeCase) -> Finding:
    return walked(case).finding("SPL-22")


@check("SPL-23", "splitting.life")
def other_fields_are_kept(case: LifeCase) -> Finding:
    return walked(case).finding("SPL-23")


@check("SPL-24", "splitting.life")
def each_write_is_one_version(case: LifeCase) -> Finding:
    return walked(case).finding("SPL-24")


@check("SPL-25", "splitting.life")
def racing_writers_lose_nothing(case: LifeCase) -> Finding:
    return walked(case).finding("SPL-25")


@check("SPL-26", "splitting.life")
def uncontested_splits_succeed(case: LifeCase) -> Finding:
    return walked(case).finding("SPL-26")


@check("SPL-27", "splitting.life")
def contested_splits_are_tried_eight_times(case: LifeCase) -> Finding:
    return walked(case).finding("SPL-27")


@check("SPL-28", "splitting.life")
def lookups_follow_splits(case: LifeCase) -> Finding:
    return walked(case).finding("SPL-28")


@check("SPL-29", "splitting.life")
def nothing_to_cut_changes_nothing(case: LifeCase) -> Finding:
    return walked(case).finding("SPL-29")


@check("SPL-30", "splitting.life")
def nothing_to_cut_is_success(case: LifeCase) -> Finding:
    return walked(case).finding("SPL-30")
