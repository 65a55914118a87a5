"""How the independent generator draws fields of this chapter, alone and together."""

from __future__ import annotations

from typing import Final

from evenkeel.properties.independent_parts import SHARE, WEIGHT
from evenkeel.properties.production import Cluster
from evenkeel_engine.kit.independent.fields import Fields
from evenkeel_engine.kit.independent.numbers import Whole

FIELDS: Final = Fields(
    wholes={
        "max_interval": Whole(15, 0, 60),
        "most": Whole(10, 0, 20),
        "cache": Whole(0, 0, 2**40),
        "after": Whole(60, 0, 7200),
        "statistics": Whole(1, 1, 5),
    },
    reals={"weight": SHARE, "misspelt_in": WEIGHT, "misspelt_out": WEIGHT},
    lists={"isolated": Cluster.some_namespaces, "grouped": Cluster.some_namespaces},
    yes={"store_fails": 0.1, "failed": 0.1, "connected": 0.9},
)
