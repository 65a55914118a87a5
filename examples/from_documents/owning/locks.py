"""ownership.locks: the commands of a trial, its faults, and observations."""

from __future__ import annotations

from examples.from_documents.owning.interpretations import Interpretations
from examples.from_documents.owning.locks_broker import Brokers
from examples.from_documents.owning.locks_world import Broker, Keeping, Store, Waiting
from examples.from_documents.owning.wire import Json

LOOKUPS = 8


class Locks:
    """One trial, with a store and brokers of its own."""

    def __init__(self, interpretations: Interpretations, trial: Json) -> None:
        count = int(trial["brokers"])
        bundles = [(str(b["sort"]), int(b["broker"])) for b in trial["bundles"]]
        leader = None if trial["leader"] is None else int(trial["leader"]) % count
        self.interpretations = interpretations
        self.store = Store(count, len(bundles), leader)
        self.work = Brokers(interpretations, self.store, bundles)
        self.asked: list[Json] = []

    def step(self, number: int, command: Json) -> Json:
        """Carry out one command; return the observation."""
        getattr(self, f"do_{command['do']}")(number, command)
        ended, self.work.ended = self.work.ended, []
        asked, self.asked = self.asked, []
        return {
            "do": "step",
            "ended": sorted(ended, key=lambda reply: int(reply["number"])),
            "asked": asked,
            "standings": [[k.standing for k in b.keeps] for b in self.store.brokers],
            "holders": [None if n is None else n.holder for n in self.store.nodes],
        }

    def broker(self, command: Json) -> Broker:
        """The broker that a command names, modulo how many there are."""
        return self.store.brokers[int(command["broker"]) % len(self.store.brokers)]

    def bundle(self, command: Json) -> int:
        """The bundle that a command names, modulo how many there are."""
        return int(command["bundle"]) % len(self.store.nodes)

    # -- clients and operators ----------------------------------------------------------------

    def do_lookup(self, number: int, command: Json) -> None:
        """A client asks for an owner."""
        lookup = Waiting(
            number,
            bool(command["authoritative"]),
            bool(command["read_only"]),
            int(command["preferred"]) % len(self.store.brokers),
        )
        self.work.look_up(self.broker(command), self.bundle(command), lookup)

    def do_unload(self, number: int, command: Json) -> None:
        """An operator asks for an unload."""
        self.work.unload(self.broker(command), self.bundle(command), number)

    def do_closed(self, _number: int, command: Json) -> None:
        """Topics are closed, or not."""
        self.work.end_closing(self.broker(command), self.bundle(command), str(command["how"]))

    # -- the store ----------------------------------------------------------------------------

    def do_answer(self, _number: int, command: Json) -> None:
        """An operation is carried out."""
        self.work.answer(self.broker(command), self.bundle(command), fails=False, done=True)

    def do_fail(self, _number: int, command: Json) -> None:
        """An operation fails without a connection."""
        broker, bundle = self.broker(command), self.bundle(command)
        self.work.answer(broker, bundle, fails=True, done=bool(command["done"]))

    def do_notify(self, _number: int, command: Json) -> None:
        """A broker is notified of a change."""
        self.notify(self.broker(command), self.bundle(command))

    def notify(self, broker: Broker, bundle: int) -> bool:
        """Whether there was a notification."""
        keeping = broker.keeps[bundle]
        if not broker.running or not broker.connected or not keeping.events:
            return False
        identity = keeping.events.popleft()
        keeping.cached = None
        node = self.store.nodes[bundle]
        gone = node is None or node.identity != identity
        if keeping.standing == "serving" and keeping.node == identity and gone:
            keeping.standing = "none"
        return True

    def do_retry(self, _number: int, command: Json) -> None:
        """A re-validation is tried again."""
        self.work.retry(self.broker(command))

    # -- faults -------------------------------------------------------------------------------

    def do_disconnect(self, _number: int, command: Json) -> None:
        """A connection breaks."""
        broker = self.broker(command)
        if not broker.running or not broker.connected:
            return
        broker.connected = False
        for bundle, keeping in enumerate(broker.keeps):
            keeping.events.clear()
            keeping.cached = None
            if self.interpretations.stops_when_disconnected and keeping.standing == "serving":
                keeping.standing = "none"
                broker.lost.append(bundle)

    def do_expire(self, _number: int, command: Json) -> None:
        """A session ends: of the crashed process, or else the broker's own."""
        broker = self.broker(command)
        if broker.orphans:
            self.store.end_session(broker.orphans.pop(0))
        elif broker.running and broker.session is not None:
            session, broker.session = broker.session, None
            broker.connected = False
            self.store.end_session(session)
            self.give_up(broker)

    def give_up(self, broker: Broker) -> None:
        """Without a session nothing is served; pending operations will fail."""
        for bundle, keeping in enumerate(broker.keeps):
            keeping.events.clear()
            keeping.cached = keeping.node = None
            if keeping.standing == "serving":
                keeping.standing = "none"
                broker.lost.append(bundle)

    def do_reconnect(self, _number: int, command: Json) -> None:
        """A broker is connected again."""
        self.reconnect(self.broker(command))

    def reconnect(self, broker: Broker) -> None:
        """The bundles served before are checked, if this balancer does that."""
        if not broker.running or broker.connected:
            return
        broker.connected = True
        if broker.session is None:
            broker.session = self.store.new_session()
        lost, broker.lost = broker.lost, []
        if not self.interpretations.reacquires or broker.stopping:
            return
        for bundle in lost:
            keeping = broker.keeps[bundle]
            if keeping.standing == "none" and not keeping.operations:
                keeping.standing = "acquiring"
                keeping.operations.append("create")

    def do_crash(self, _number: int, command: Json) -> None:
        """A process ends; its session stays for now."""
        broker = self.broker(command)
        if not broker.running:
            return
        broker.running = broker.connected = False
        if broker.session is not None:
            broker.orphans.append(broker.session)
            broker.session = None
        broker.keeps = [Keeping() for _ in broker.keeps]
        broker.retries, broker.lost = [], []

    def do_restart(self, _number: int, command: Json) -> None:
        """A new process in a new session."""
        broker = self.broker(command)
        if not broker.running:
            broker.running = broker.connected = True
            broker.stopping = False
            broker.session = self.store.new_session()
            broker.leader = None

    def do_stop(self, _number: int, command: Json) -> None:
        """A broker begins to stop."""
        broker = self.broker(command)
        if broker.running and not broker.stopping:
            broker.stopping = True
            for bundle in range(len(self.store.nodes)):
                self.work.unload(broker, bundle, None)

    def do_elect(self, _number: int, command: Json) -> None:
        """A broker is notified of the leader."""
        leader = command["leader"]
        count = len(self.store.brokers)
        self.broker(command).leader = None if leader is None else int(leader) % count

    # -- rest ---------------------------------------------------------------------------------

    def do_settle(self, _number: int, _command: Json) -> None:
        """Sessions of crashed processes end, the others are connected, all is carried out."""
        for broker in self.store.brokers:
            while broker.orphans:
                self.store.end_session(broker.orphans.pop(0))
            self.reconnect(broker)
        heirs = [b.number for b in self.store.brokers if b.running and not b.stopping]
        for broker in self.store.brokers:
            if broker.running:
                broker.leader = heirs[0] if heirs else None
        while self.turns():
            pass

    def turns(self) -> bool:
        """One turn for each broker; whether anything happened."""
        busy = False
        for broker in self.store.brokers:
            for bundle in range(len(self.store.nodes)):
                busy |= self.work.answer(broker, bundle, fails=False, done=True)
                busy |= self.notify(broker, bundle)
                busy |= self.work.end_closing(broker, bundle, "closed")
            busy |= self.work.retry(broker)
        return busy

    def ask(self, broker: Broker, bundle: int, lookup: Waiting) -> Json:
        """A lookup after settling, carried out to its end."""
        before, self.work.ended = self.work.ended, []
        self.work.look_up(broker, bundle, lookup)
        while self.turns():
            pass
        reply = self.work.ended.pop(0)
        self.work.ended = before
        self.asked.append(reply)
        return reply

    def do_find(self, number: int, command: Json) -> None:
        """A client follows redirects until the bundle is served."""
        self.do_settle(number, command)
        broker, bundle = self.broker(command), self.bundle(command)
        preferred = int(command["preferred"]) % len(self.store.brokers)
        authoritative = False
        for _ in range(LOOKUPS):
            lookup = Waiting(broker.number, authoritative, False, preferred)
            reply = self.ask(broker, bundle, lookup)
            if reply["outcome"] not in ("owner", "redirect"):
                break
            broker = self.store.brokers[int(reply["broker"])]
            if reply["outcome"] == "owner" and broker.keeps[bundle].standing == "serving":
                break
            authoritative = bool(reply["authoritative"])

    def do_views(self, number: int, command: Json) -> None:
        """Every running broker is asked, read-only."""
        self.do_settle(number, command)
        for broker in self.store.brokers:
            if broker.running:
                self.ask(broker, self.bundle(command), Waiting(broker.number, False, True, 0))


def locks(interpretations: Interpretations, trial: Json) -> Json:
    """The answer to ownership.locks."""
    world = Locks(interpretations, trial)
    return {"results": [world.step(i, command) for i, command in enumerate(trial["commands"])]}
