"""The servers' configuration files: those of the distribution, with what a small cluster needs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from evenkeel.operate.cluster.errors import ClusterUnusable
from evenkeel.operate.cluster.http import why_no_token
from evenkeel.operate.cluster.ports import LOOPBACK
from evenkeel_engine.files import write_file

NAME: Final = "c1"
"""The cluster's name in Pulsar."""
MOST_BROKERS: Final = 8


class Manager(StrEnum):
    """Which load manager runs."""

    EXTENSIBLE = "extensible"
    MODULAR = "modular"


_BALANCE: Final = "org.apache.pulsar.broker.loadbalance"
MANAGERS: Final = {
    Manager.EXTENSIBLE: {
        "loadManagerClassName": f"{_BALANCE}.extensions.ExtensibleLoadManagerImpl",
        "loadBalancerLoadSheddingStrategy": f"{_BALANCE}.extensions.scheduler.TransferShedder",
        "loadBalancerDebugModeEnabled": "true",
    },
    Manager.MODULAR: {"loadManagerClassName": f"{_BALANCE}.impl.ModularLoadManagerImpl"},
}


@dataclass(frozen=True, slots=True)
class RequestedCluster:
    """The requested cluster. `settings` go into broker.conf as they are."""

    version: str
    brokers: int
    manager: Manager
    settings: dict[str, str] = field(default_factory=dict)
    cut_off: bool = False
    """Brokers speak to ZooKeeper through a proxy of ours, so that they can be cut off."""
    clocks: bool = False
    """Brokers' clocks can be stepped."""

    def __post_init__(self) -> None:
        if not 1 <= self.brokers <= MOST_BROKERS:
            raise ClusterUnusable(
                f"--brokers must be from 1 to {MOST_BROKERS}, not {self.brokers}."
            )
        if self.token is not None and (why := why_no_token(self.token)):
            raise ClusterUnusable(f"brokerClientAuthenticationParameters {why}.")

    @property
    def token(self) -> str | None:
        """What the brokers show each other, where they want tokens: good enough to ask them."""
        kind, _, token = self.settings.get("brokerClientAuthenticationParameters", "").partition(
            ":"
        )
        return token if kind == "token" and token else None

    def data(self) -> dict[str, Any]:
        """As JSON."""
        return asdict(self)

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> RequestedCluster:
        """From JSON."""
        return cls(**{**data, "manager": Manager(data["manager"])})


def settings_of(texts: list[str]) -> dict[str, str]:
    """What `--set key=value` says. Raises `ClusterUnusable`, without a value: it may be secret."""
    found = {}
    for text in texts:
        key, sign, value = text.partition("=")
        if not sign or not re.fullmatch(r"[A-Za-z][A-Za-z0-9_.]*", key):
            raise ClusterUnusable(f"--set {key!r} must be of the form key=value.")
        if not value.isprintable():
            raise ClusterUnusable(f"--set {key}: the value must be printable, and one line.")
        found[key] = value
    return found


def change_properties(text: str, settings: Mapping[str, str]) -> str:
    """A properties file with these settings: in their places, or at its end."""
    left = dict(settings)
    lines = []
    for line in text.splitlines():
        key = line.partition("=")[0].strip()
        if key in settings:
            if key in left:
                lines.append(f"{key}={left.pop(key)}")
            continue
        lines.append(line)
    lines += [f"{key}={value}" for key, value in left.items()]
    return "\n".join(lines) + "\n"


def configure_zookeeper(port: int, folder: Path) -> dict[str, str]:
    """ZooKeeper's settings. No admin server, no metrics: they would listen everywhere."""
    return {
        "dataDir": str(folder / "zookeeper"),
        "clientPort": str(port),
        "clientPortAddress": LOOPBACK,
        "admin.enableServer": "false",
        "metricsProvider.className": "org.apache.zookeeper.metrics.impl.NullMetricsProvider",
        "forceSync": "no",
        "maxClientCnxns": "0",
    }


def configure_bookie(port: int, zookeeper_port: int, folder: Path) -> dict[str, str]:
    """The bookie's settings, with little memory."""
    return {
        "journalDirectory": str(folder / "journal"),
        "ledgerDirectories": str(folder / "ledgers"),
        "metadataServiceUri": f"metadata-store:zk:{LOOPBACK}:{zookeeper_port}",
        "zkServers": f"{LOOPBACK}:{zookeeper_port}",
        "bookiePort": str(port),
        "advertisedAddress": LOOPBACK,
        "listeningInterface": "lo",
        "allowLoopback": "true",
        "httpServerEnabled": "false",
        "statsProviderClass": "org.apache.bookkeeper.stats.NullStatsProvider",
        "journalSyncData": "false",
        "journalPreAllocSizeMB": "4",
        "journalMaxSizeMB": "64",
        "diskUsageThreshold": "0.99",
        "diskUsageWarnThreshold": "0.99",
        "dbStorage_writeCacheMaxSizeMb": "32",
        "dbStorage_readAheadCacheMaxSizeMb": "16",
        "dbStorage_rocksDB_blockCacheSize": "8388608",
        "dbStorage_rocksDB_writeBufferSizeMB": "4",
        "numAddWorkerThreads": "2",
        "numReadWorkerThreads": "2",
        "numHighPriorityWorkerThreads": "2",
    }


def configure_broker(
    requested: RequestedCluster, service: int, web: int, zookeeper_port: int
) -> dict[str, str]:
    """A broker's settings; those that the user set come last."""
    metadata = f"zk:{LOOPBACK}:{zookeeper_port}"
    return {
        "metadataStoreUrl": metadata,
        "configurationMetadataStoreUrl": metadata,
        "brokerServicePort": str(service),
        "webServicePort": str(web),
        "clusterName": NAME,
        "advertisedAddress": LOOPBACK,
        "bindAddress": LOOPBACK,
        "managedLedgerDefaultEnsembleSize": "1",
        "managedLedgerDefaultWriteQuorum": "1",
        "managedLedgerDefaultAckQuorum": "1",
        "managedLedgerCacheSizeMB": "16",
        "numIOThreads": "2",
        "numHttpServerThreads": "8",
        "numOrderedExecutorThreads": "2",
        "numExecutorThreadPoolSize": "2",
        "brokerDeleteInactiveTopicsEnabled": "false",
        **MANAGERS[requested.manager],
        **requested.settings,
    }


def write(source: Path, place: Path, settings: Mapping[str, str]) -> None:
    """A configuration file of the distribution, changed."""
    write_file(place, change_properties(source.read_text(), settings))
