"""The actions of a broker of the channel: reading, serving, handing over, cleaning up.

The main rule: only the broker that has to act on a record (its keeper) writes the next record, as
long as it is registered; and a broker serves no bundle that it may no longer own. Document 001,
"Assigning topics to brokers dynamically": the lock "is automatically released if the owner becomes
unavailable".
"""

from __future__ import annotations

from dataclasses import replace

from examples.from_documents.owning.channel_broker import Broker, Work
from examples.from_documents.owning.channel_records import Record
from examples.from_documents.owning.channel_world import World


class Protocol:
    """The brokers' own actions in a world."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.interpretations = world.interpretations

    # -- writing ------------------------------------------------------------------------------

    def write(self, broker: Broker, bundle: str, record: Record) -> bool:
        """Writes the next record of a bundle, as far as the broker has seen."""
        stands = self.world.publish(
            broker, bundle, replace(record, version=broker.version(bundle) + 1)
        )
        if stands and self.interpretations.knows_own_writes_at_once:
            self.learn(broker, bundle, self.world.storage.standing[bundle])
        return stands

    # -- reading ------------------------------------------------------------------------------

    def read(self, broker: Broker) -> str | None:
        """Read the next unseen change; return its bundle, or None."""
        changes = self.world.storage.changes
        while broker.position < len(changes):
            change = changes[broker.position]
            broker.position += 1
            if change is None:
                continue
            if change.record is None:
                if change.bundle not in broker.view:
                    continue
                del broker.view[change.bundle]
                broker.open.discard(change.bundle)
                self.end_tickets(broker)
            elif change.record.version <= broker.version(change.bundle):
                continue
            else:
                self.learn(broker, change.bundle, change.record)
            self.resume_if_caught_up(broker)
            return change.bundle
        self.resume_if_caught_up(broker)
        return None

    def catch_up(self, broker: Broker) -> None:
        """Load all records, as at a broker's start."""
        broker.view = dict(self.world.storage.standing)
        broker.position = len(self.world.storage.changes)
        broker.must_reach = broker.position
        for bundle in sorted(broker.view):
            self.react(broker, bundle)
        self.end_tickets(broker)

    def resume_if_caught_up(self, broker: Broker) -> None:
        """A broker that has returned acts again once it has read what was written without it."""
        if 0 < broker.must_reach <= broker.position:
            broker.must_reach = 0
            for bundle in sorted(broker.view):
                self.react(broker, bundle)

    def learn(self, broker: Broker, bundle: str, record: Record) -> None:
        """The broker sees a record."""
        broker.view[bundle] = record
        self.react(broker, bundle)
        self.end_tickets(broker)

    def may_act(self, broker: Broker) -> bool:
        """Whether the broker has a session and has read all that was written without it."""
        return broker.running and broker.session and broker.must_reach <= broker.position

    def react(self, broker: Broker, bundle: str) -> None:
        """Do what a record demands of this broker."""
        record = broker.view[bundle]
        if record.keeper != broker.number:
            self.drop(broker, bundle)
            return
        if not self.may_act(broker) or not self.world.is_registered(broker.number):
            return
        if broker.leaving and record.state in ("Assigning", "Owned"):
            self.leave(broker, bundle)
        elif record.state == "Owned":
            broker.open.add(bundle)
        elif record.state == "Assigning":
            self.write(broker, bundle, replace(record, state="Owned"))
        elif not broker.works_on(bundle):
            self.begin(broker, bundle, record)

    def begin(self, broker: Broker, bundle: str, record: Record) -> None:
        """Begin the work that a record in transit demands; closed topics are closed already."""
        if record.state == "Splitting":
            broker.open.add(bundle)
            broker.works.append(Work(bundle, "divide"))
        elif bundle in broker.open:
            broker.works.append(Work(bundle, "close"))
        else:
            self.hand_over(broker, bundle)

    def leave(self, broker: Broker, bundle: str) -> None:
        """A broker that shuts down releases a bundle, which is open no longer than necessary."""
        to = self.world.next_available(broker.number)
        self.drop(broker, bundle)
        if to is None:
            self.write(broker, bundle, Record("Free", source=broker.number))
        else:
            self.write(broker, bundle, Record("Assigning", to, broker.number))

    def drop(self, broker: Broker, bundle: str) -> None:
        """Stop serving a bundle."""
        broker.open.discard(bundle)
        broker.works = [work for work in broker.works if work.bundle != bundle]

    def give_up(self, broker: Broker) -> None:
        """Close all topics at once, as by a broker that may have lost its bundles."""
        broker.open.clear()
        broker.works.clear()

    # -- work ---------------------------------------------------------------------------------

    def finish(self, broker: Broker, work: Work, fails: bool) -> None:
        """Work ends, successfully or not."""
        broker.works.remove(work)
        record = broker.view[work.bundle]
        if work.kind == "divide":
            if fails and self.interpretations.divides_again:
                self.begin(broker, work.bundle, record)
            elif fails:
                self.write(broker, work.bundle, Record("Owned", broker.number))
            else:
                self.divide(broker)
        elif fails and self.interpretations.failed_closing == "keep":
            self.write(broker, work.bundle, Record("Owned", broker.number))
        else:
            broker.open.discard(work.bundle)
            if record.state == "Releasing":
                self.hand_over(broker, work.bundle)

    def hand_over(self, broker: Broker, bundle: str) -> None:
        """The topics are closed: the next broker must act, or none."""
        record = broker.view[bundle]
        to = record.destination
        if to is None or not self.world.is_registered(to):
            self.write(broker, bundle, Record("Free", source=broker.number))
        else:
            self.write(broker, bundle, Record(self.interpretations.handover, to, broker.number))

    def divide(self, broker: Broker) -> None:
        """The range is divided: both halves begin with the parent's owner."""
        self.world.divided = True
        broker.open.discard("parent")
        for half in ("left", "right"):
            self.write(broker, half, Record("Owned", broker.number))
            if self.serves_halves(broker):
                broker.open.add(half)
        self.write(broker, "parent", Record("Deleted", source=broker.number))

    def serves_halves(self, broker: Broker) -> bool:
        """Whether topics stay open through a division, until the records are read back."""
        knows = self.interpretations.knows_own_writes_at_once
        return self.interpretations.serves_halves_at_once and not knows and not broker.leaving

    # -- lookups ------------------------------------------------------------------------------

    def end_tickets(self, broker: Broker) -> None:
        """Ends the lookups that this broker can answer now."""
        waiting = []
        for ticket in broker.tickets:
            answer = self.answer(broker, ticket.bundle, ticket.after)
            if answer is None:
                waiting.append(ticket)
            else:
                self.world.end(ticket.number, *answer)
        broker.tickets = waiting

    def answer(self, broker: Broker, bundle: str, after: int) -> tuple[str, int | None] | None:
        """A bundle's owner in the broker's view; None while that is open."""
        if not self.may_act(broker):
            return None
        record = broker.view.get(bundle)
        if broker.version(bundle) < after:
            return None
        if record is None or record.state in ("Free", "Deleted"):
            return ("none", None)
        if record.state == "Assigning" or record.keeper is None:
            return None
        if record.state == "Releasing" and not self.interpretations.answers_while_releasing:
            return None
        if not self.world.is_registered(record.keeper):
            return None
        if record.state == "Releasing" and record.keeper == broker.number:
            return ("owner", broker.number) if bundle in broker.open else None
        return ("owner", record.keeper)

    # -- brokers that have left ----------------------------------------------------------------

    def cleans(self, broker: Broker) -> bool:
        """Whether this broker is one that cleans up after others."""
        if not self.may_act(broker) or broker.leaving:
            return False
        return self.interpretations.cleaner == "all" or self.world.leader == broker.number

    def clean(self, broker: Broker) -> None:
        """Release or reassign the bundles of brokers that have been gone for long enough."""
        if not self.cleans(broker) or broker.news:
            return
        for number, due in sorted(broker.gone.items()):
            over = due <= self.world.now and not self.world.is_registered(number)
            if over and not self.release_all(broker, number):
                del broker.gone[number]

    def release_all(self, broker: Broker, number: int) -> bool:
        """Override all records of a broker that has left; whether there were any."""
        found = False
        for bundle, record in sorted(broker.view.items()):
            if record.keeper == number:
                found = True
                self.override(broker, bundle, number)
        return found

    def override(self, broker: Broker, bundle: str, number: int) -> None:
        """Free a bundle whose keeper has left, or assign it to another broker."""
        to = self.world.next_available(number)
        if to is not None:
            self.write(broker, bundle, Record("Assigning", to, number, force=True))
        else:
            self.write(broker, bundle, Record("Free", source=number, force=True))

    def monitor(self, broker: Broker) -> None:
        """Look for records whose keeper is missing, and remove those of divided bundles."""
        if not self.cleans(broker) or broker.news:
            return
        for bundle, record in sorted(broker.view.items()):
            keeper = record.keeper
            if record.state == "Deleted" and self.interpretations.removes_deleted:
                self.world.publish(broker, bundle, None)
            elif keeper is not None and self.missing(broker, keeper):
                self.override(broker, bundle, keeper)

    def missing(self, broker: Broker, keeper: int) -> bool:
        """Whether a keeper is missing, and has been known to be for long enough."""
        if self.world.is_registered(keeper):
            return False
        return broker.gone.setdefault(keeper, self.grace_end()) <= self.world.now

    def grace_end(self) -> int:
        """Until when a broker that is found missing now is left alone."""
        return self.world.now + self.interpretations.cleanup_delay
