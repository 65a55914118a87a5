"""The actions of brokers in `ownership.locks`: lookups, operations on nodes, unloads.

Followed: document 001, "Assigning topics to brokers dynamically" (search the owner, else go to
the leader, which chooses), and "Shedding" for unloads ("the owner broker removes the target
bundles' ownerships in the metadata store and closes the client topic connections").
"""

from __future__ import annotations

from examples.from_documents.owning.interpretations import Interpretations
from examples.from_documents.owning.locks_world import Broker, Keeping, Node, Store, Waiting
from examples.from_documents.owning.wire import Json


class Brokers:
    """The brokers of one trial."""

    def __init__(
        self, interpretations: Interpretations, store: Store, bundles: list[tuple[str, int]]
    ) -> None:
        self.interpretations = interpretations
        self.store = store
        self.bundles = bundles
        self.ended: list[Json] = []

    # -- replies ------------------------------------------------------------------------------

    def end(
        self, number: int, outcome: str, broker: int | None = None, authoritative: bool = False
    ) -> None:
        """A lookup or an unload ends."""
        self.ended.append(
            {"number": number, "outcome": outcome, "broker": broker, "authoritative": authoritative}
        )

    def end_all(self, keeping: Keeping, outcome: str, broker: int | None = None) -> None:
        """All waiting lookups end with the same reply."""
        waiting, keeping.waiting = keeping.waiting, []
        for lookup in waiting:
            self.end(lookup.number, outcome, broker)

    def name_owner(self, broker: Broker, lookup: Waiting, owner: int) -> None:
        """Report the owner to a client."""
        self.end(lookup.number, "owner", owner)

    def there(self, number: int) -> bool:
        """Whether a broker is registered: after a crash until its session ends."""
        broker = self.store.brokers[number]
        if not broker.running:
            return bool(broker.orphans) and not broker.stopping
        return broker.session is not None and not broker.stopping

    # -- lookups ------------------------------------------------------------------------------

    def look_up(self, broker: Broker, bundle: int, lookup: Waiting) -> None:
        """A client asks."""
        if not broker.running:
            self.end(lookup.number, "failed")
            return
        keeping = broker.keeps[bundle]
        if keeping.standing == "serving":
            self.end(lookup.number, "owner", broker.number)
        elif keeping.standing == "unloading":
            self.end(lookup.number, "unloading")
        elif keeping.cached is not None:
            self.name_owner(broker, lookup, keeping.cached)
        elif (
            keeping.standing == "acquiring"
            and lookup.read_only
            and self.interpretations.asks_lightly
        ):
            self.end(lookup.number, "empty")
        else:
            keeping.waiting.append(lookup)
            if not keeping.operations:
                keeping.operations.append("get")

    def decide(self, broker: Broker, bundle: int, lookup: Waiting) -> None:
        """Choose an owner for a bundle without one."""
        if lookup.read_only:
            self.end(lookup.number, "empty")
            return
        to, authoritative = self.choose(broker, bundle, lookup)
        if to == broker.number and not broker.stopping:
            keeping = broker.keeps[bundle]
            keeping.waiting.append(lookup)
            if keeping.standing != "acquiring":
                keeping.standing = "acquiring"
                keeping.operations.append("create")
        elif to is None or to == broker.number:
            self.end(lookup.number, "failed")
        else:
            self.end(lookup.number, "redirect", to, authoritative)

    def choose(self, broker: Broker, bundle: int, lookup: Waiting) -> tuple[int | None, bool]:
        """The broker to redirect to, and whether it may take it without asking the leader."""
        sort, named = self.bundles[bundle]
        named %= len(self.store.brokers)
        if sort != "plain":
            if self.there(named):
                return named, True
            if sort == "heartbeat":
                return None, False
        if lookup.authoritative and not broker.stopping:
            return broker.number, True
        leader = broker.leader
        if leader is None or not self.there(leader):
            if not self.interpretations.decides_without_leader:
                return None, False
        elif leader != broker.number:
            return leader, False
        return self.pick(lookup.preferred), True

    def pick(self, preferred: int) -> int | None:
        """The broker that the load manager names, or else the first active one."""
        count = len(self.store.brokers)
        if self.there(preferred):
            return preferred
        others = [(preferred + step) % count for step in range(1, count)]
        others = [number for number in others if self.there(number)]
        if not others:
            return None
        return others[-1] if self.interpretations.picks_last else others[0]

    # -- operations on nodes ------------------------------------------------------------------

    def answer(self, broker: Broker, bundle: int, fails: bool, done: bool) -> bool:
        """The oldest operation ends; whether there was one."""
        keeping = broker.keeps[bundle]
        if not broker.running or not keeping.operations:
            return False
        operation = keeping.operations.popleft()
        carried = broker.connected and (done or not fails)
        if operation == "get":
            node = self.store.nodes[bundle]
            if fails or not broker.connected:
                self.end_all(keeping, "failed")
            else:
                self.found(broker, bundle, node)
        elif operation == "create":
            if carried and self.store.create(broker, bundle) is not None and not fails:
                self.note_created(broker, bundle)
            elif fails or not broker.connected:
                keeping.standing = "none"
                self.end_all(keeping, "failed")
                broker.retries.append(bundle)
            else:
                self.found_other(broker, bundle)
        else:
            self.note_deleted(broker, bundle, operation, carried, fails or not broker.connected)
        return True

    def found(self, broker: Broker, bundle: int, node: Node | None) -> None:
        """A read of the node ended; there may be none."""
        keeping = broker.keeps[bundle]
        if node is not None and node.session == broker.session:
            self.adopt(broker, bundle, node)
            return
        if node is not None and node.holder == broker.number:
            self.found_stale(keeping)
            return
        keeping.cached = (
            node.holder if node is not None and self.interpretations.caches_owners else None
        )
        waiting, keeping.waiting = keeping.waiting, []
        for lookup in waiting:
            if node is not None:
                self.name_owner(broker, lookup, node.holder)
            else:
                self.decide(broker, bundle, lookup)

    def found_stale(self, keeping: Keeping) -> None:
        """The node is of a former process of this broker."""
        writers = [lookup for lookup in keeping.waiting if not lookup.read_only]
        if self.interpretations.replaces_stale_nodes and writers:
            keeping.standing = "acquiring"
            keeping.operations.extend(("replace", "create"))
        else:
            self.end_all(keeping, "failed")

    def found_other(self, broker: Broker, bundle: int) -> None:
        """The node to be created existed already."""
        keeping = broker.keeps[bundle]
        node = self.store.nodes[bundle]
        if node is not None and node.session == broker.session:
            self.adopt(broker, bundle, node)
            return
        keeping.standing = "none"
        if keeping.waiting:
            keeping.operations.append("get")

    def adopt(self, broker: Broker, bundle: int, node: Node) -> None:
        """The node is of this broker's own session."""
        keeping = broker.keeps[bundle]
        if broker.stopping:
            keeping.standing = "unloading"
            self.end_all(keeping, "unloading")
            keeping.operations.append("delete")
            return
        keeping.standing = "serving"
        keeping.node = node.identity
        keeping.cached = None
        self.end_all(keeping, "owner", broker.number)

    def note_created(self, broker: Broker, bundle: int) -> None:
        """A node was created."""
        node = self.store.nodes[bundle]
        if node is not None:
            self.adopt(broker, bundle, node)

    def note_deleted(
        self, broker: Broker, bundle: int, operation: str, carried: bool, fails: bool
    ) -> None:
        """A node was deleted, or not."""
        keeping = broker.keeps[bundle]
        node = self.store.nodes[bundle]
        mine = node is not None and node.holder == broker.number
        if carried and mine:
            self.store.delete(bundle)
        if operation == "replace":
            if fails:
                keeping.operations.clear()
                keeping.standing = "none"
                self.end_all(keeping, "failed")
            return
        outcome = "done"
        if fails:
            outcome = "failed"
            broker.retries.append(bundle)
            if self.interpretations.failed_delete == "none":
                keeping.standing = "none"
        else:
            keeping.standing = "none"
        unloads, keeping.unloads = keeping.unloads, []
        for number in unloads:
            self.end(number, outcome)

    def retry(self, broker: Broker) -> bool:
        """Retry an operation that failed without a connection; whether there was one."""
        if not broker.running or not broker.connected or not broker.retries:
            return False
        bundle = broker.retries.pop(0)
        keeping = broker.keeps[bundle]
        if not keeping.operations:
            keeping.operations.append("delete" if keeping.standing == "unloading" else "get")
        return True

    # -- unloads ------------------------------------------------------------------------------

    def unload(self, broker: Broker, bundle: int, number: int | None) -> None:
        """A bundle is to be unloaded."""
        keeping = broker.keeps[bundle]
        if not broker.running:
            if number is not None:
                self.end(number, "failed")
            return
        joins = keeping.standing == "unloading" and self.interpretations.unloads_join
        named = self.bundles[bundle][0] == "heartbeat" and not broker.stopping
        keeps = named and self.interpretations.keeps_heartbeats
        if keeps or (keeping.standing != "serving" and not joins):
            if number is not None:
                self.end(number, "refused")
            return
        if keeping.standing == "serving":
            keeping.standing = "unloading"
            keeping.closing = True
        if number is not None:
            keeping.unloads.append(number)

    def end_closing(self, broker: Broker, bundle: int, how: str) -> bool:
        """The closing of topics ends; whether any were being closed."""
        keeping = broker.keeps[bundle]
        if not broker.running or not keeping.closing:
            return False
        keeping.closing = False
        keeps = self.interpretations.failed_unload == "keep" and keeping.node is not None
        if how == "failed" and keeps and not broker.stopping:
            keeping.standing = "serving"
            unloads, keeping.unloads = keeping.unloads, []
            for number in unloads:
                self.end(number, "failed")
        else:
            keeping.operations.append("delete")
        return True
