"""ZooKeeper's nodes: who is registered, and in the modular manager who holds which bundle."""

from __future__ import annotations

import json
import logging
import re
from threading import Event
from typing import Any, Final

from evenkeel.operate.cluster.errors import ClusterUnusable
from evenkeel.operate.recording.extra import import_needed
from evenkeel.operate.recording.store import Store
from evenkeel.operate.recording.target import Target

BROKERS: Final = "/loadbalance/brokers"
NAMESPACES: Final = "/namespace"
AVERAGES: Final = "/loadbalance/bundle-data"
_BUNDLE: Final = re.compile(r"/namespace/(.+/0x[0-9a-f]{8}_0x[0-9a-f]{8})")


class NodesFollower:
    """Follows both trees. kazoo connects again by itself; what is lost meanwhile is noted."""

    def __init__(self, target: Target, store: Store, stop: Event) -> None:
        self.target, self.store, self.stop = target, store, stop

    def follow(self) -> None:
        """Until the end."""
        logging.getLogger("kazoo").setLevel(logging.CRITICAL)  # a loss is noted in the recording
        zookeeper = import_needed("kazoo.client").KazooClient(
            hosts=self.target.zookeeper, read_only=True, timeout=10
        )
        zookeeper.add_listener(self.note_connection)
        zookeeper.start(timeout=20)
        cache = import_needed("kazoo.recipe.cache").TreeCache
        caches = [cache(zookeeper, BROKERS)]
        if self.target.manager == "modular":
            caches += [cache(zookeeper, NAMESPACES), cache(zookeeper, AVERAGES)]
        try:
            for one in caches:
                one.listen(self.take)
                one.start()
            self.stop.wait()
        finally:
            for one in caches:
                one.close()
            zookeeper.stop()
            zookeeper.close()

    def note_connection(self, state: Any) -> None:
        """Connected, suspended, lost."""
        self.store.add("note", {"source": "zookeeper", "state": str(state)})

    def take(self, event: Any) -> None:
        """A node that is there, that changed, or that went."""
        kinds = import_needed("kazoo.recipe.cache").TreeEvent
        if event.event_type not in (kinds.NODE_ADDED, kinds.NODE_UPDATED, kinds.NODE_REMOVED):
            return
        removed = event.event_type == kinds.NODE_REMOVED
        node = event.event_data
        if node.path.startswith(BROKERS + "/"):
            self.note_registration(node, removed)
        elif node.path.startswith(AVERAGES + "/"):
            bundle = node.path.removeprefix(AVERAGES + "/")
            if not removed and node.data:
                self.store.add(
                    "average", parse_content(node.data), subject=bundle, clock=node.stat.mtime
                )
        elif (found := _BUNDLE.fullmatch(node.path)) is not None:
            data = (
                None
                if removed
                else {**parse_content(node.data), "session": node.stat.ephemeralOwner}
            )
            clock = None if removed else node.stat.mtime
            self.store.add("node", data, subject=found[1], clock=clock)

    def note_registration(self, node: Any, removed: bool) -> None:
        """A broker that is there, or went; in the modular manager the node is its load report."""
        broker = node.path.rpartition("/")[2]
        data = None if removed else {"session": node.stat.ephemeralOwner, "since": node.stat.ctime}
        self.store.add("session", data, broker=broker)
        if not removed and self.target.manager == "modular":
            self.store.add("load", parse_content(node.data), broker=broker, clock=node.stat.mtime)


def parse_content(data: bytes | None) -> dict[str, Any]:
    """What a node holds."""
    try:
        found = json.loads(data or b"{}")
    except ValueError:
        return {"text": repr(data)[:200]}
    return found if isinstance(found, dict) else {"value": found}


def require_zookeeper(target: Target) -> None:
    """The modular manager's owners are in ZooKeeper alone. Raises `ClusterUnusable`."""
    if target.manager == "modular" and target.zookeeper is None:
        raise ClusterUnusable(
            "This cluster has the modular manager, whose owners are nodes: name --zookeeper."
        )
