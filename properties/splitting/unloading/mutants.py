"""Mutants of what becomes of the children of automatic splits."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from evenkeel.properties.mutant_maker import always, defect, equivalent, first
from evenkeel.reference.edition import PULSAR_4_0
from evenkeel.reference.splitting import unloading

MUTANTS: Final = (
    defect(
        "children-stay",
        unloading,
        "unloads_children",
        always(False),
        "A hot bundle is cut in two, and the same broker goes on serving both halves.",
    ),
    defect(
        "children-leave-in-spite-of-the-setting",
        unloading,
        "unloads_children",
        first(1, lambda rules: replace(rules, unload_split=True)),
        "Clients are cut off by every split, though the operator switched that off.",
    ),
    defect(
        "unloads-to-nobody",
        unloading,
        "unloads_children",
        first(3, lambda brokers: (*brokers, "nobody:1")),
        "Not 4.0: children are unloaded though no other broker is there to take them.",
        edition=PULSAR_4_0,
    ),
    equivalent(
        "a-single-broker-unloads",
        unloading,
        "unloads_children",
        first(3, lambda brokers: (*brokers, "nobody:1")),
        "Where only the owner can serve the children, unloading them is left open.",
    ),
)
