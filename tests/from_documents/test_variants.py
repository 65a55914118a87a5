"""Balancers written from the documents alone are accused of nothing; what misreads them is.

Two people who had the documents and the wire pages alone wrote twelve balancers, which differ
wherever something can be read in two ways. Where a judge accused one of them, either the judge was
wrong, or the page said too little, or the document had been read past. Of the latter two sorts the
readings are kept as `WRONG`: each is told, by the clause that says otherwise.
"""

from __future__ import annotations

from typing import Final

import pytest

from tests.from_documents.accusing import BALANCERS, accusations
from tests.from_documents.mixtures import mixtures

pytestmark = pytest.mark.slow

TRIALS: Final = 40
MORE: Final = 900
MIXED: Final = 10

WRONG: Final = {
    # 002: "either message rate […] or throughput": the second where the first finds nothing, too.
    "a1+uniform_tries_other=False": ("shedding.uniform", "SHD-25:masked"),
    # 002: the plan is a bundle's, whatever its traffic has become since.
    "a2+plan_by_name=False": ("placement.avg_shedder", "PLC-20:plan"),
    # The page says since which reports a round goes by.
    "a1+report=first": ("balancing.loop", "BAL-10:overload"),
    # 002 has a crashed broker's bundle reassigned; the page, those of one that shuts down given to
    # others.
    "b1+cleanup_assigns=False": ("ownership.channel", "OWN-47"),
    "b1+shut_down_transfers=False": ("ownership.channel", "OWN-47"),
    # The page says since what an unload without a destination leads to, and that sessions which
    # were lost stay lost; that `other` is another namespace's.
    "b1+unload_chooses=True": ("ownership.channel", "OWN-44"),
    "b1+settling_regains=True": ("ownership.channel", "OWN-8"),
    "b1+other_shares_namespace=True": ("ownership.channel", "OWN-47"),
    # A broker that shuts down is not registered any more; halves stay.
    "b1+shut_down=announced": ("ownership.channel", "OWN-8"),
    "b1+unloads_halves=True": ("ownership.channel", "OWN-45"),
    # OWNER is how clients are sent to the owner.
    "b1+redirects_to_owner=True": ("ownership.locks", "OWN-48"),
    # A policy that is set takes effect, and -1 "means no limit"; what waits is a backlog, whatever
    # the storage's flag says.
    "b1+empty_policies_do_not_count=True": ("throttling.policy", "THR-3:topic"),
    "b1+charges_without_backlog=False": ("throttling.loop", "THR-40:not charged"),
    # 004: "the quota for the next period will be reduced accordingly", however it is called.
    "b1+forgets_if_told=True": ("throttling.quota", "THR-56:messages, too much"),
    # There are no permits below 0.
    "b1+shows_debts=True": ("throttling.counter", "THR-22:too little"),
}
"""Readings that are wrong, with the question and the signature of what tells so."""


@pytest.mark.parametrize("variant", BALANCERS)
def test_nothing_accuses_it(variant: str) -> None:
    assert list(accusations(variant, TRIALS)) == []


@pytest.mark.parametrize("number", range(MIXED))
def test_nothing_accuses_a_mixture(number: int) -> None:
    for variant in mixtures(number):
        assert list(accusations(variant, TRIALS // 2)) == []


@pytest.mark.parametrize("misreading", WRONG)
def test_a_misreading_is_told(misreading: str) -> None:
    question, signature = WRONG[misreading]
    assert (question, signature) in list(accusations(misreading, MORE, [question]))


def test_twelve_are_there() -> None:
    assert len(BALANCERS) == 12
