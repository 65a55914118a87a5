"""SimpleLoadBalancer: about the same number of regions on every server."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from evenkeel_engine.example.reference.edition import Edition
from evenkeel_engine.frame.clauses import states
from evenkeel_engine.frame.settings import FRACTION, setting


@dataclass(frozen=True, slots=True)
class Rules:
    """Settings of the balancer."""

    slop: float = setting("hbase.regions.slop", 0.2, "share of the average", FRACTION)


@dataclass(frozen=True, slots=True)
class Server:
    """A server, and the regions that it holds."""

    name: str
    regions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Move:
    """A region, the server that holds it, and the server that it moves to."""

    region: str
    source: str
    destination: str


@states("RGN-4", "RGN-6", "RGN-7")
def is_due(counts: Sequence[int], rules: Rules, edition: Edition) -> bool:
    """Whether servers with these numbers of regions are to be balanced."""
    if edition.idle_servers_filled and min(counts) == 0:
        return True
    average = sum(counts) / len(counts)
    upper, lower = average * (1 + rules.slop), average * (1 - rules.slop)
    if edition.bounds_rounded:
        return max(counts) > math.ceil(upper) or min(counts) < math.floor(lower)
    return max(counts) > upper


@states("RGN-2")
def share(regions: int, servers: int, place: int) -> int:
    """How many of all regions the server at this place gets, the fullest server first."""
    return regions // servers + (place < regions % servers)


@states("RGN-1", "RGN-3")
def plan(servers: Sequence[Server], rules: Rules, edition: Edition) -> tuple[Move, ...]:
    """The moves of one round."""
    counts = [len(one.regions) for one in servers]
    if not servers or not is_due(counts, rules, edition):
        return ()
    spare: list[tuple[str, str]] = []
    moves: list[Move] = []
    fullest_first = sorted(servers, key=lambda one: (-len(one.regions), one.name))
    for place, server in enumerate(fullest_first):
        own = share(sum(counts), len(servers), place)
        spare += [(region, server.name) for region in server.regions[own:]]
        for _ in range(own - len(server.regions)):
            moves.append(Move(*spare.pop(), server.name))
    return tuple(moves)


def carried_out(servers: Sequence[Server], moves: Sequence[Move]) -> tuple[Server, ...]:
    """The servers after these moves."""
    moved = {move.region for move in moves}
    left = {one.name: [r for r in one.regions if r not in moved] for one in servers}
    for move in moves:
        left[move.destination].append(move.region)
    return tuple(Server(name, tuple(regions)) for name, regions in left.items())
