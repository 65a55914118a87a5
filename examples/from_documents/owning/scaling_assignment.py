"""scaling.assignment: which consumer of a stream subscription reads which segments.

Followed: chapter scaling, by its quotations of PIP-460, "Consumer Controller and Leader Election",
"Splitting and Merging Protocol"; PIP-468, "Consumer Assignment"; PIP-486, "Routing: bucket
assignment, not per-key consistent hashing".
"""

from __future__ import annotations

from examples.from_documents.owning.interpretations import Interpretations
from examples.from_documents.owning.scaling_layout import Segment, Topic
from examples.from_documents.owning.wire import Json


class Subscription:
    """Consumers in the order in which they came, and who reads what."""

    def __init__(self, interpretations: Interpretations, topic: Topic) -> None:
        self.interpretations = interpretations
        self.topic = topic
        self.consumers: list[str] = []
        self.awaited: set[str] = set()
        self.drained: set[int] = set()
        self.owners: dict[int, list[str]] = {}

    def ancestors(self, segment: Segment) -> set[int]:
        """All that are still known."""
        found: set[int] = set()
        waiting = list(segment.parents)
        while waiting:
            number = waiting.pop()
            if number not in found:
                found.add(number)
                waiting += self.topic.segments[number].parents
        return found

    def readable(self) -> list[Segment]:
        """Segments that are not drained, and whose ancestors are; by their hashes."""
        open_ones = [
            segment
            for segment in self.topic.segments.values()
            if segment.number not in self.drained and self.ancestors(segment) <= self.drained
        ]
        return sorted(open_ones, key=lambda segment: (segment.start, segment.end))

    def turns(self) -> list[str]:
        """The consumers that can get something, in turn."""
        there = list(self.consumers)
        if self.interpretations.awaited_get_nothing_new:
            there = [name for name in there if name not in self.awaited] or there
        return there if self.interpretations.consumers_by_age else sorted(there)

    def deal(self) -> None:
        """PIP-468: all are dealt again, in turn."""
        names, segments = self.turns(), self.readable()
        self.owners = {}
        if not names:
            return
        for index, segment in enumerate(segments):
            self.owners[segment.number] = [names[index % len(names)]]
        self.share(names, segments)

    def share(self, names: list[str], segments: list[Segment]) -> None:
        """Consumers that have nothing take a bucket of a segment, or wait."""
        busy = {name for owners in self.owners.values() for name in owners}
        spare = [name for name in names if name not in busy]
        while spare and self.interpretations.buckets_are_shared:
            room = [s for s in segments if len(self.owners[s.number]) < s.buckets]
            if not room:
                return
            least = min(room, key=lambda segment: len(self.owners[segment.number]))
            self.owners[least.number].append(spare.pop(0))

    def keep(self) -> None:
        """PIP-460: stable; what is new goes to who read its parent, or to who has least."""
        names, segments = self.turns(), self.readable()
        before, self.owners = self.owners, {}
        if not names:
            return
        counts = dict.fromkeys(self.consumers, 0)
        for segment in segments:
            first = [name for name in before.get(segment.number, [])[:1] if name in counts]
            if first:
                self.give(segment, first[0], counts)
        for segment in segments:
            if segment.number not in self.owners:
                self.give(segment, self.heir(segment, before, names, counts), counts)
        self.even_out(names, counts)
        self.share(names, segments)

    def give(self, segment: Segment, name: str, counts: dict[str, int]) -> None:
        """One consumer gets a segment."""
        self.owners[segment.number] = [name]
        counts[name] += 1

    def heir(
        self,
        segment: Segment,
        before: dict[int, list[str]],
        names: list[str],
        counts: dict[str, int],
    ) -> str:
        """Of those that have least one who read a parent, if there is one."""
        parents = {name for number in segment.parents for name in before.get(number, [])}
        return min(names, key=lambda name: (counts[name], name not in parents))

    def even_out(self, names: list[str], counts: dict[str, int]) -> None:
        """The fullest gives to the emptiest until they differ by one at most."""
        while True:
            full = max(names, key=lambda name: counts[name])
            empty = min(names, key=lambda name: counts[name])
            if counts[full] - counts[empty] <= 1:
                return
            last = [number for number, owners in self.owners.items() if owners == [full]][-1]
            self.owners[last] = [empty]
            counts[full] -= 1
            counts[empty] += 1

    def do(self, command: Json) -> None:
        """One command."""
        kind, name = command["do"], command.get("consumer", "")
        if kind == "lose_connection":
            self.awaited.add(name)
            return
        if kind == "take_over" or (kind == "connect" and name in self.awaited):
            self.awaited.discard(name)
            return
        if kind == "connect":
            self.consumers.append(name)
        elif kind in ("leave", "time_out"):
            self.consumers.remove(name)
            self.awaited.discard(name)
        elif kind == "drain":
            self.drained.add(command["segment"])
        else:
            self.topic.must_do(command)
        if self.interpretations.assignments_are_stable:
            self.keep()
        else:
            self.deal()


def show_readers(subscription: Subscription) -> Json:
    """Who reads what, in the form of answers."""
    reads: dict[str, list[int]] = {name: [] for name in subscription.consumers}
    for number, owners in subscription.owners.items():
        for name in owners:
            reads[name].append(number)
    return {
        "do": "assignment",
        "consumers": [{"consumer": name, "segments": sorted(reads[name])} for name in reads],
    }


def answer_assignment(interpretations: Interpretations, trial: Json) -> Json:
    """The answer to scaling.assignment."""
    subscription = Subscription(interpretations, Topic(interpretations, trial))
    results = []
    for command in trial["commands"]:
        subscription.do(command)
        results.append(show_readers(subscription))
    return {"results": results}
