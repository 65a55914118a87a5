"""The specification in words: a file for each chapter. The engine reads the clauses out of them
(`evenkeel_engine/spec.py`).
"""

from __future__ import annotations

from typing import Final

CHAPTERS: Final = (
    "bundles",
    "splitting",
    "ownership",
    "load",
    "placement",
    "shedding",
    "balancing",
    "throttling",
    "scaling",
    "contract",
)
DOCUMENTS: Final = {
    "001": 'Document 001, "Achieving Broker Load Balancing with Apache Pulsar"',
    "002": 'Document 002, "Concepts"',
    "003": "Document 003, ThresholdShedder",
    "004": 'Document 004, "Message dispatch throttling"',
    "PIP-460": 'PIP-460, "Scalable Topics"',
    "PIP-468": 'PIP-468, "Scalable Topic Controller"',
    "PIP-483": 'PIP-483, "Scalable Topic Auto Split/Merge"',
    "PIP-486": 'PIP-486, "Scalable Topic Key-Shared Consumption"',
}
"""The documents that clauses quote, by the name in a clause's basis."""
