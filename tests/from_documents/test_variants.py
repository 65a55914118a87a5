"""Balancers written from the documents alone are accused of nothing but what is known.

Each entry is a clause that accuses some of them, and why. *Kept*: the documents say what the
clause says, or the page does, and the variant reads past it. *Open*: perhaps the judge is wrong, or
the page says too little; whoever decides one takes it out here.
"""

from __future__ import annotations

from typing import Final

import pytest

from tests.from_documents.accusing import BALANCERS, accusations

pytestmark = pytest.mark.slow

TRIALS: Final = 40

ENOUGH: Final = "Kept: 001 has so much shed that load comes below the threshold."
AT_MOST: Final = "Kept: maxUnloadPercentage is the most of a difference that is moved."
ALONE: Final = "Kept or open as it is in the strategy's own question."
REPORTS: Final = "Kept: the page says since which reports a round goes by; it did not then."
TRANSFERRED: Final = "Kept: the page says since that a transfer is told in `placed`, too."
LESS_LOADED: Final = "Kept: 002 has bundles that were shed go to less loaded brokers."
TO_THE_OWNER: Final = "Kept: the page says since that OWNER is how clients are sent to the owner."
MEMORY: Final = "Open: 002 and 001 let brokers answer from memory; a notification takes its time."

KNOWN: Final = {
    ("balancing.loop", "BAL-10:overload"): ("a4", REPORTS),
    ("balancing.loop", "BAL-10:threshold"): (
        "a3 a4 a5 a6",
        "Open: not looked into.",
    ),
    ("balancing.loop", "BAL-11:SHD-11"): ("a4", REPORTS),
    ("balancing.loop", "BAL-11:SHD-13"): ("a2 a4 a6", ENOUGH),
    ("balancing.loop", "BAL-11:SHD-20"): ("a4", REPORTS),
    ("balancing.loop", "BAL-11:SHD-30"): ("a3 a5 a6", ALONE),
    ("balancing.loop", "BAL-11:SHD-33"): ("a3 a4 a6", AT_MOST),
    ("balancing.loop", "BAL-11:SHD-66"): ("a1 a2 a3 a4 a5 a6", "Open: when is a bundle small?"),
    ("balancing.loop", "BAL-11:SHD-80"): ("a4", REPORTS),
    ("balancing.loop", "BAL-11:SHD-81"): ("a4", REPORTS),
    ("balancing.loop", "BAL-11:placed"): ("a1 a2 a3 a4 a5 a6", TRANSFERRED),
    ("balancing.loop", "BAL-22"): ("a3 a4 a5 a6", LESS_LOADED),
    ("balancing.loop", "BAL-2:lost"): ("a4", TRANSFERRED),
    ("balancing.loop", "BAL-9"): ("a4", REPORTS),
    ("ownership.channel", "OWN-47"): ("b1", "Kept: 002 has a crashed broker's bundle reassigned."),
    ("ownership.locks", "OWN-23:owner"): ("b3", MEMORY),
    ("ownership.locks", "OWN-23:redirect"): ("b2", MEMORY),
    ("ownership.locks", "OWN-36:redirect"): ("b2 b4 b6", TO_THE_OWNER),
    ("ownership.locks", "OWN-36:takes"): (
        "b2 b3",
        "Open: no document says that only a lookup leads to a lock.",
    ),
    ("ownership.locks", "OWN-48"): ("b2 b4 b6", TO_THE_OWNER),
    ("shedding.avg", "SHD-30:early"): (
        "a3 a6",
        "Open: that an unload sets back both counts of hits is said nowhere.",
    ),
    ("shedding.avg", "SHD-32:pair"): ("a4 a6", AT_MOST),
    ("shedding.avg", "SHD-33"): ("a3 a4 a6", AT_MOST),
    ("shedding.avg", "SHD-41"): ("a3 a4 a6", AT_MOST),
    ("shedding.overload", "SHD-12"): ("a4 a6", ENOUGH),
    ("shedding.overload", "SHD-13"): ("a2 a6", ENOUGH),
    ("shedding.transfer", "SHD-62"): (
        "a4",
        "Open: loads before, or after each move?",
    ),
    ("shedding.uniform", "SHD-25:masked"): ("a3", "Kept: 002 has either dimension suffice."),
    ("throttling.counter", "THR-22:too little"): ("b3", "Kept: the page has no permits below 0."),
    ("throttling.loop", "THR-40:not charged"): ("b2", "Open: is a flag that is set no backlog?"),
    ("throttling.policy", "THR-3:subscription"): ("b2", "Open: does an empty policy count as set?"),
    ("throttling.policy", "THR-3:topic"): ("b2", "Open: does an empty policy count as set?"),
}
"""By question and signature: which variants are accused, and why that stands here."""


@pytest.mark.parametrize("variant", BALANCERS)
def test_only_what_is_known_accuses_it(variant: str) -> None:
    known = {check for check, (variants, _) in KNOWN.items() if variant in variants.split()}
    assert set(accusations(variant, TRIALS)) == known


def test_ten_are_there_and_the_table_names_only_them() -> None:
    assert len(BALANCERS) >= 10
    assert {v for variants, _ in KNOWN.values() for v in variants.split()} <= BALANCERS.keys()
