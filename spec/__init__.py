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
    "CONF": "The settings of broker.conf, as `ServiceConfiguration` 4.0.8 describes them",
    "PIP-460": 'PIP-460, "Scalable Topics"',
    "PIP-468": 'PIP-468, "Scalable Topic Controller"',
    "PIP-483": 'PIP-483, "Scalable Topic Auto Split/Merge"',
    "PIP-486": 'PIP-486, "Scalable Topic Key-Shared Consumption"',
    "ST-README": "Pulsar's `spec/scalable-topics/README.md` at 2a4f4f5d",
    "ST-client-api": "Pulsar's `spec/scalable-topics/client-api.md` at 2a4f4f5d",
    "ST-client-behavior": "Pulsar's `spec/scalable-topics/client-behavior.md` at f2250860",
    "ST-compatibility": "Pulsar's `spec/scalable-topics/compatibility.md` at 2a4f4f5d",
    "ST-conformance": "Pulsar's `spec/scalable-topics/conformance.md` at 18b44e6a",
    "ST-conventions": "Pulsar's `spec/scalable-topics/conventions.md` at 1eef14bb",
    "ST-data-model": "Pulsar's `spec/scalable-topics/data-model.md` at 164ea6a5",
    "ST-error-model": "Pulsar's `spec/scalable-topics/error-model.md` at 164ea6a5",
    "ST-java-mapping": "Pulsar's `spec/scalable-topics/java-mapping.md` at ee5a5d83",
    "ST-key-shared": "Pulsar's `spec/scalable-topics/key-shared.md` at d2de775e",
    "ST-stability": "Pulsar's `spec/scalable-topics/stability.md` at ee5a5d83",
    "ST-terminology": "Pulsar's `spec/scalable-topics/terminology.md` at 2a4f4f5d",
    "ST-wire-protocol": "Pulsar's `spec/scalable-topics/wire-protocol.md` at 3c1698d7",
    "SITE-isolation": "Pulsar's site, `administration-isolation-broker.md` at 318d4cb7",
    "SITE-load-balance": "Pulsar's site, `administration-load-balance.md` at 27681e07",
    "SITE-messaging": "Pulsar's site, `concepts-messaging.md` at 00eb6aab",
    "SITE-namespaces": "Pulsar's site, `reference/2.10.x/pulsar-admin/namespaces.md` at a6f1c5b3",
    "SITE-replication": "Pulsar's site, `concepts-replication.md` at 7c98754e",
    "SITE-admin": "Pulsar's site, `admin-api-scalable-topics.md` at 23505586",
    "SITE-concepts": "Pulsar's site, `concepts-scalable-topics.md` at 5982ff5d",
    "SITE-upgrade": "Pulsar's site, `administration-upgrade-to-5.0.x-configuration.md` at 23505586",
}
"""The documents that clauses quote, by the name in a clause's basis."""
