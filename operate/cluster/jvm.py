"""The servers' command lines, as the distribution's own `bin/pulsar` makes them.

Without that script the process that starts is the process that serves, and it has no child.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Final

from evenkeel.operate.cluster.errors import ClusterUnusable

_OPENED: Final = (
    "java.base/java.io",
    "java.base/java.util.zip",
    "java.base/java.nio",
    "java.base/jdk.internal.misc",
    "java.base/jdk.internal.platform",
    "java.management/sun.management",
    "jdk.management/com.sun.management.internal",
)
_METADATA: Final = "org.apache.pulsar.metadata.bookkeeper.PulsarMetadata"
_OPTIONS: Final = (
    "-XX:+UseSerialGC",
    "-XX:TieredStopAtLevel=1",
    "-Xss512k",
    "-Djava.net.preferIPv4Stack=true",
    "-Djute.maxbuffer=10485760",
    "-Dio.netty.tryReflectionSetAccessible=true",
    "-Dlog4j.configurationFile=log4j2.yaml",
    "-Dlog4j2.is.webapp=false",
    "-Dpulsar.log.appender=Console",
    "-Dpulsar.log.root.level=info",
    "-Dpulsar.log.level=info",
    "-Dpulsar.routing.appender.default=Console",
    f"-Dbookkeeper.metadata.bookie.drivers={_METADATA}BookieDriver",
    f"-Dbookkeeper.metadata.client.drivers={_METADATA}ClientDriver",
)
MEMORY: Final = {
    "zookeeper": ("-Xms32m", "-Xmx128m"),
    "bookie": ("-Xms64m", "-Xmx192m", "-XX:MaxDirectMemorySize=192m"),
    "broker": ("-Xms128m", "-Xmx320m", "-XX:MaxDirectMemorySize=384m"),
    "metadata": ("-Xms32m", "-Xmx128m"),
}
"""Heaps and direct memory: at most 3 GB in all with three brokers."""


def find_java() -> str:
    """The Java to run. Raises `ClusterUnusable`."""
    home = os.environ.get("JAVA_HOME")
    if home and (Path(home) / "bin" / "java").is_file():
        return str(Path(home) / "bin" / "java")
    found = shutil.which("java")
    if found is None:
        raise ClusterUnusable("A cluster needs Java 17 or later, and there is no java.")
    return found


def build_java_command(distribution: Path, kind: str, folder: Path, main: list[str]) -> list[str]:
    """A server's command line."""
    return [
        find_java(),
        "-cp",
        f"{distribution / 'conf'}:{distribution / 'lib'}/*",
        *_OPTIONS,
        *(part for name in _OPENED for part in ("--add-opens", f"{name}=ALL-UNNAMED")),
        "--enable-native-access=ALL-UNNAMED",
        f"-Dpulsar.log.dir={folder / 'logs'}",
        f"-Djava.io.tmpdir={folder / 'tmp'}",
        "-XX:-UsePerfData",
        *MEMORY[kind],
        *main,
    ]


def build_zookeeper_command(distribution: Path, folder: Path) -> list[str]:
    """ZooKeeper."""
    main = "org.apache.zookeeper.server.quorum.QuorumPeerMain"
    options = ["-Dzookeeper.4lw.commands.whitelist=*", "-Dzookeeper.snapshot.trust.empty=true"]
    place = str(folder / "zookeeper.conf")
    return build_java_command(distribution, "zookeeper", folder, [*options, main, place])


def build_bookie_command(distribution: Path, folder: Path) -> list[str]:
    """The bookie."""
    main = ["org.apache.bookkeeper.server.Main", "--conf", str(folder / "bookie.conf")]
    return build_java_command(distribution, "bookie", folder, main)


def build_broker_command(distribution: Path, folder: Path, name: str) -> list[str]:
    """A broker."""
    main = "org.apache.pulsar.PulsarBrokerStarter"
    options = ["-Dlog4j.shutdownHookEnabled=false", main]
    return build_java_command(
        distribution, "broker", folder, [*options, "--broker-conf", str(folder / f"{name}.conf")]
    )


def build_metadata_command(distribution: Path, folder: Path, options: list[str]) -> list[str]:
    """What is written into ZooKeeper once, before the first broker."""
    main = ["org.apache.pulsar.PulsarClusterMetadataSetup", *options]
    return build_java_command(distribution, "metadata", folder, main)
