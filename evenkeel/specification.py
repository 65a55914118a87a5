"""What the engine needs to know of this specification, and what stands in no room of it.

`evenkeel_engine/content.py` reads it. Modules are named as text: they are imported where they are
needed.
"""

from __future__ import annotations

from typing import Final

from evenkeel.properties.names import NAME_KINDS

__all__ = ["NAME_KINDS"]

PROGRAM: Final = "evenkeel"
"""What one types to call the command line."""
EMERGENT: Final = "follows from the strategies' own rules, round after round; no rule of its own"
UNSTATED: Final = {
    "BAL-9": EMERGENT,
    "BAL-10": EMERGENT,
    "BAL-17": EMERGENT,
    "BAL-18": EMERGENT,
    "PLC-45": "says what is not called: `give`, for a proposal",
}
"""MUST clauses that no function states, and why."""
PART: Final = "/0x"
"""What begins that part of a name which numbers the parts of one thing: a namespace's bundles."""
SYSTEM: Final = "Apache Pulsar"
ADAPTER: Final = "apache-pulsar"
LONG: Final = {"BalancingLoopTrial": ("seed",), "RecordData": ("version",)}
"""By type: the integers of generated trials beyond 2^53 (a test generates trials and checks)."""
TEMPLATES: Final = "evenkeel.templates"
COMMANDS: Final = {
    "Check": {"certify": "evenkeel.certify.command:certify"},
    "Operate": {"operate": "evenkeel.operate.cli.operate_command:operate"},
}
"""Commands of this specification alone, by section of `--help`, each as `module:function`."""
EXTRAS: Final = {"kazoo": "live", "pulsar": "live", "matplotlib": "plots", "numpy": "plots"}
LIBRARIES: Final = {
    "live": ("kazoo>=2.10", "pulsar-client>=3.7", "pyarrow>=21"),
    "plots": ("matplotlib>=3.10", "numpy>=1.26"),
}
"""Modules that come with an extra of this distribution, and what that brings."""
SWEEPS: Final = tuple(
    f"evenkeel.sweeps.{name}"
    for name in ("released", "departures", "settings", "values_met", "from_documents")
)
"""Sweeps of this specification alone, in the order in which they begin."""
SETTINGS: Final = "evenkeel.operate.conf.shipped:list_defaults"
"""What gives the defaults of settings by edition."""
PORTABLE: Final = {"scaling.routing": "evenkeel.report.routing_vectors:text"}
"""What `cases export` writes as QUESTION.json, for clients in any language."""
DRAWINGS: Final = "evenkeel.models.balancing.oscillation.drawings"
PICTURED: Final = (
    "which strategies can oscillate (chapter balancing): every cycle as Graphviz text and SVG, "
    "and a table"
)
"""The module that `prove --drawings` calls, and what it writes."""
SEVERITIES: Final = ("lost availability", "lost balance", "limits exceeded", "cosmetic")
"""How much a defect matters, the worst first."""
EFFECTS: Final = (
    *("availability", "overdelivery", "balance", "isolation", "interruption", "misreporting"),
)
"""What the breach of a SHOULD can do (spec/notation.md)."""
