"""ownership.channel: brokers that agree on ownership through records.

Followed: document 002, "Bundle assignment", "Bundle splitting" (Workflow, step 3) and "Bundle
unloading" (Workflow), and the wire page for the commands.
"""

from __future__ import annotations

from typing import cast

from examples.from_documents.owning.channel_broker import Broker, Ticket
from examples.from_documents.owning.channel_protocol import Protocol
from examples.from_documents.owning.channel_records import Record, Storage
from examples.from_documents.owning.channel_world import World
from examples.from_documents.owning.interpretations import Interpretations
from examples.from_documents.owning.wire import Json, Refusal, done

ROUNDS = 400


class Channel:
    """The commands of one trial, carried out in a world."""

    def __init__(self, interpretations: Interpretations, trial: Json) -> None:
        brokers = [Broker(number) for number in range(int(trial["brokers"]))]
        self.interpretations = interpretations
        self.world = World(interpretations, str(trial["storage"]), Storage(), brokers)
        self.protocol = Protocol(self.world)

    def run(self, commands: list[Json]) -> list[Json]:
        """Carry out all commands in order."""
        return [self.step(number, command) for number, command in enumerate(commands)]

    def step(self, number: int, command: Json) -> Json:
        """Carry out one command; return the observation."""
        what = str(command["do"])
        try:
            result = cast("Json", getattr(self, f"do_{what}")(number, command))
        except Refusal as refusal:
            result = {"do": "refused", "reason": refusal.reason}
        return self.world.observe_step(result, what == "settle")

    # -- helpers ------------------------------------------------------------------------------

    def broker(self, command: Json) -> Broker:
        """The broker that a command names."""
        return self.world.brokers[int(command["broker"]) % len(self.world.brokers)]

    def able(self, command: Json) -> Broker:
        """The broker that a command names, if it runs, has a session and is up to date."""
        broker = self.broker(command)
        if not self.protocol.may_act(broker):
            raise Refusal("NotAble")
        return broker

    def bundle(self, command: Json) -> str:
        """The bundle that a command names, if the namespace has it."""
        bundle = str(command["bundle"])
        if bundle not in self.world.bundles():
            raise Refusal("NoSuchBundle")
        return bundle

    def target(self, command: Json) -> int:
        """The broker that shall get a bundle."""
        to = int(command["to"]) % len(self.world.brokers)
        if not self.world.is_registered(to):
            raise Refusal("NoSuchBroker")
        return to

    def wait(self, broker: Broker, number: int, bundle: str, after: int) -> None:
        """A lookup begins; it may end at once."""
        deadline = self.world.now + self.interpretations.lookup_patience
        broker.tickets.append(Ticket(number, bundle, after, deadline))
        self.protocol.end_tickets(broker)

    # -- clients and operators ----------------------------------------------------------------

    def do_ask(self, number: int, command: Json) -> Json:
        """A client's lookup."""
        broker = self.broker(command)
        bundle = str(command["bundle"])
        waits = broker.running and self.interpretations.waits_without_session
        able = self.protocol.may_act(broker)
        if not (able or waits) or bundle not in self.world.bundles():
            self.world.end(number, "failed")
        else:
            self.wait(broker, number, bundle, 0)
        return done()

    def is_unowned(self, broker: Broker, bundle: str) -> bool:
        """Whether a bundle has no owner, as far as the broker has seen."""
        record = broker.view.get(bundle)
        return record is None or record.state == "Free"

    def do_assign(self, number: int, command: Json) -> Json:
        """An unowned bundle gets an owner."""
        broker, bundle, to = self.able(command), self.bundle(command), self.target(command)
        if self.is_unowned(broker, bundle):
            self.assign(number, broker, bundle, to)
        else:
            self.wait(broker, number, bundle, 0)
        return done()

    def assign(self, number: int, broker: Broker, bundle: str, to: int) -> None:
        """Writes an assignment, and waits for its outcome."""
        state = "Owned" if self.assigns_directly(broker, to) else "Assigning"
        after = broker.version(bundle) + 1
        self.protocol.write(broker, bundle, Record(state, to))
        self.wait(broker, number, bundle, after)

    def assigns_directly(self, broker: Broker, to: int) -> bool:
        """Whether an assignment is written as ownership at once."""
        how = self.interpretations.direct_assignment
        return how == "always" or (how == "self" and broker.number == to)

    def do_unload(self, _number: int, command: Json) -> Json:
        """A bundle is to be unloaded, perhaps to a certain broker."""
        broker, bundle = self.able(command), self.bundle(command)
        to = None if command["to"] is None else self.target(command)
        if not self.release(broker, bundle, to):
            raise Refusal("NotOwned")
        return done()

    def release(self, broker: Broker, bundle: str, to: int | None) -> bool:
        """Request the owner to release a bundle; whether there is one, other than the target."""
        record = broker.view.get(bundle)
        if record is None or record.state != "Owned" or record.destination is None:
            return False
        if record.destination == to:
            return False
        self.protocol.write(broker, bundle, Record("Releasing", to, record.destination))
        return True

    def do_unload_namespace(self, _number: int, command: Json) -> Json:
        """All bundles of the parent's namespace are to be unloaded."""
        broker = self.able(command)
        for bundle in self.world.bundles():
            if bundle != "other":
                self.release(broker, bundle, None)
        return done()

    def do_split(self, _number: int, command: Json) -> Json:
        """The parent is to be split by its owner."""
        broker = self.able(command)
        record = broker.view.get("parent")
        if self.world.divided or record is None or record.state != "Owned":
            raise Refusal("NotOwned")
        self.protocol.write(broker, "parent", Record("Splitting", source=record.destination))
        return done()

    # -- a broker's own turns -----------------------------------------------------------------

    def do_finish(self, _number: int, command: Json) -> Json:
        """The oldest work on a bundle ends."""
        broker = self.able(command)
        for work in broker.works:
            if work.bundle == command["bundle"]:
                self.protocol.finish(broker, work, bool(command["fails"]))
                return done()
        raise Refusal("NoWork")

    def do_read(self, _number: int, command: Json) -> Json:
        """One change is read."""
        broker = self.broker(command)
        bundle = self.protocol.read(broker) if self.reads(broker) else None
        return {"do": "read_of", "bundle": bundle}

    def reads(self, broker: Broker) -> bool:
        """Whether a broker can read records: nodes need a session, a topic does not."""
        return broker.running and (broker.session or self.world.kind == "SystemTopic")

    def do_notice(self, _number: int, command: Json) -> Json:
        """A broker is notified of one registration that appeared or disappeared."""
        self.notice(self.broker(command))
        return done()

    def notice(self, broker: Broker) -> bool:
        """Whether there was a notification."""
        if not broker.running or not broker.session or not broker.news:
            return False
        number, came = broker.news.popleft()
        if came:
            broker.gone.pop(number, None)
        else:
            broker.gone[number] = self.protocol.grace_end()
        self.protocol.end_tickets(broker)
        return True

    def do_clean(self, _number: int, command: Json) -> Json:
        """Clean-ups that are due."""
        self.protocol.clean(self.broker(command))
        return done()

    def do_monitor(self, _number: int, command: Json) -> Json:
        """The monitor of ownerships."""
        self.protocol.monitor(self.broker(command))
        return done()

    # -- faults -------------------------------------------------------------------------------

    def do_crash(self, _number: int, command: Json) -> Json:
        """A process ends, and its registration with it."""
        broker = self.broker(command)
        if not broker.running:
            raise Refusal("NotRunning")
        had_session = broker.session
        for ticket in broker.tickets:
            self.world.end(ticket.number, "failed")
        fresh = Broker(broker.number, running=False, session=False)
        self.world.brokers[broker.number] = fresh
        if had_session:
            self.lose_registration(broker.number)
        return done()

    def lose_registration(self, number: int) -> None:
        """A registration has disappeared; if the broker led, there is no leader."""
        if self.world.leader == number:
            self.world.leader = None
        self.world.notify_of_registration(number, came=False)

    def do_restart(self, _number: int, command: Json) -> Json:
        """A process starts again and loads all records before it acts."""
        broker = self.broker(command)
        if broker.running:
            raise Refusal("Running")
        broker.running = broker.session = True
        self.world.notify_of_registration(broker.number, came=True)
        self.protocol.catch_up(broker)
        return done()

    def do_lose_session(self, _number: int, command: Json) -> Json:
        """A session ends; the broker's bundles may soon have another owner."""
        broker = self.broker(command)
        if not self.world.is_registered(broker.number):
            raise Refusal("NoSession")
        broker.session = False
        self.protocol.give_up(broker)
        self.lose_registration(broker.number)
        return done()

    def do_regain_session(self, _number: int, command: Json) -> Json:
        """A new session begins; the broker first reads what was written without it."""
        broker = self.broker(command)
        if not broker.running or broker.session:
            raise Refusal("HasSession")
        broker.session = True
        self.world.notify_of_registration(broker.number, came=True)
        if self.interpretations.regain_reads_all:
            self.protocol.catch_up(broker)
        else:
            broker.must_reach = len(self.world.storage.changes)
            self.protocol.resume_if_caught_up(broker)
        return done()

    def do_shut_down(self, _number: int, command: Json) -> Json:
        """A broker releases its bundles, and takes no more."""
        broker = self.able(command)
        if broker.leaving:
            raise Refusal("LeavesAlready")
        for bundle, record in sorted(broker.view.items()):
            if record.keeper == broker.number:
                self.leave(broker, bundle, record)
        broker.leaving = True
        if not self.world.is_registered(broker.number):
            self.protocol.give_up(broker)
            self.lose_registration(broker.number)
        return done()

    def leave(self, broker: Broker, bundle: str, record: Record) -> None:
        """A transition continues, or ends here if the broker leaves at once."""
        if record.state in ("Assigning", "Owned"):
            self.protocol.leave(broker, bundle)
        else:
            broker.open.discard(bundle)
            if record.state == "Releasing":
                self.protocol.hand_over(broker, bundle)

    def do_elect(self, _number: int, command: Json) -> Json:
        """A broker becomes the leader."""
        self.world.leader = self.able(command).number
        return done()

    # -- storage and time ---------------------------------------------------------------------

    def do_compact(self, _number: int, _command: Json) -> Json:
        """The topic is compacted."""
        if self.world.kind == "SystemTopic":
            self.world.storage.compact()
        return done()

    def do_elapse(self, _number: int, command: Json) -> Json:
        """Time passes; lookups that waited for too long fail."""
        self.world.now += int(command["millis"])
        for broker in self.world.brokers:
            for ticket in broker.tickets:
                if ticket.deadline <= self.world.now:
                    self.world.end(ticket.number, "failed")
            broker.tickets = [t for t in broker.tickets if t.deadline > self.world.now]
        return done()

    def do_settle(self, _number: int, _command: Json) -> Json:
        """All brokers take turns until nothing happens any more."""
        leader = self.world.leader
        if leader is None or not self.world.is_registered(leader):
            heirs = [b.number for b in self.world.brokers if self.world.is_registered(b.number)]
            self.world.leader = heirs[0] if heirs else None
        for _ in range(ROUNDS):
            if not self.turns():
                break
        self.do_elapse(0, {"millis": self.interpretations.lookup_patience})
        return done()

    def turns(self) -> bool:
        """One turn for each broker, and some time; whether anything happened."""
        before = len(self.world.wrote)
        busy = False
        for broker in self.world.brokers:
            while self.reads(broker) and self.protocol.read(broker) is not None:
                busy = True
            while self.notice(broker):
                busy = True
            if self.protocol.may_act(broker):
                for work in list(broker.works):
                    self.protocol.finish(broker, work, fails=False)
                    busy = True
            self.protocol.clean(broker)
            self.protocol.monitor(broker)
        waits = [due for broker in self.world.brokers for due in broker.gone.values()]
        if any(due > self.world.now for due in waits):
            self.world.now = max(waits)
            busy = True
        return busy or len(self.world.wrote) > before


def channel(interpretations: Interpretations, trial: Json) -> Json:
    """The answer to ownership.channel."""
    return {"steps": Channel(interpretations, trial).run(trial["commands"])}
