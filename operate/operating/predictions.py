"""What a snapshot lets expect of the leader's next round, and what the leader decided then.

A snapshot holds less than the leader knows: not for how many rounds there was a cause, not what was
unloaded a short while ago, not what is averaged; and loads keep changing until the round. Where
the decision is another one, the smallest set of these is looked for which, put in the place of what
the snapshot has, leads to the leader's decision.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Final

from evenkeel.operate.operating.expected import (
    Moves,
    Parts,
    cluster_of,
    moves_of,
    rules_of_top,
    shed_of,
    snapshot_cluster,
    snapshot_parts,
    view_of,
)
from evenkeel.operate.operating.snapshot import Snapshot, read
from evenkeel.operate.recording.decisions import GRACE, USUAL_GRACE, Match, is_logged
from evenkeel.operate.recording.effective import find_effective
from evenkeel.operate.recording.judge import DECIDING_MODULAR
from evenkeel.operate.recording.leaderlog import Round
from evenkeel.operate.recording.modular_decisions import RULES, Agreed, predict_modular, strategy_of
from evenkeel.operate.recording.modular_decisions import choose_decide as deciding_modular
from evenkeel.operate.recording.store import read_about, read_entries
from evenkeel.operate.recording.views import DECIDING, known_of, list_readings, rules_of, sort_heard
from evenkeel.reference.edition import Edition
from evenkeel.reference.shedding.transfer import TransferRules, TransferView, decide

WORDS: Final = {
    "hits": "for how many rounds there had been a cause",
    "unloads": "what had been unloaded a short while before",
    "loads": "what brokers had reported of their loads by then",
    "lists": "what brokers had reported of their largest bundles by then",
    "history": "the leader's averages of brokers' usages",
    "averages": "the leader's averages of bundles",
    "reports": "what brokers had reported by then",
}
"""What a snapshot does not have, or has of another time."""
LATEST: Final = 180_000
"""Milliseconds in which the round after a snapshot must come."""


@dataclass(frozen=True, slots=True)
class AskedRound:
    """A round of the leader: what it was given, in parts, and what it decided; no parts if the
    recording does not tell.
    """

    at: int
    given: Parts | None
    made: Moves


@dataclass(frozen=True, slots=True)
class Prediction:
    """A snapshot, the leader's next round, and how the two decisions stand."""

    taken: int
    round: int
    predicted: Moves
    made: Moves
    match: Match
    why: str = ""

    @property
    def moves(self) -> bool:
        """Whether something was moved, or was to be."""
        return bool(self.predicted or self.made)


def predictions_in(
    recording: Path, snapshots: Iterable[Path], edition: Edition
) -> list[Prediction]:
    """All snapshots with the rounds that came next. Raises `RecordingUnusable`, `BadSnapshot`,
    `ValueError` for a setting that is no number.
    """
    whole = read_about(recording)
    settings = whole.get("settings", {})
    if whole.get("manager") == "modular":
        rounds, decision, parts = of_modular(recording, settings, edition)
    else:
        rounds, decision, parts = of_transfer(recording, settings, edition)
    found = []
    for path in sorted(snapshots):
        seen = read(path)
        following = next((one for one in rounds if one.at > seen.taken), None)
        if following is not None and following.at <= seen.taken + LATEST:
            found.append(compare_snapshot(seen.taken, parts(seen), following, decision))
    return found


def compare_snapshot(
    taken: int, mine: Parts, then: AskedRound, decision: Callable[[Parts], Moves]
) -> Prediction:
    """What follows from a snapshot with what was decided."""
    predicted = decision(mine)

    def found(match: Match, why: str = "") -> Prediction:
        return Prediction(taken, then.at, predicted, then.made, match, why)

    if predicted == then.made:
        return found(Match.AGREED)
    if then.given is None:
        return found(Match.UNKNOWN, "what the leader was given is not known from the recording")
    for count in range(1, len(mine) + 1):
        for names in combinations(mine, count):
            if decision({**mine, **{name: then.given[name] for name in names}}) == then.made:
                return found(Match.EXPLAINED, " and ".join(WORDS[name] for name in names))
    return found(Match.DIFFERS, "it does not follow from what the leader was given, either")


Kit = tuple[list[AskedRound], Callable[[Parts], Moves], Callable[[Snapshot], Parts]]
"""The rounds of a recording; what the strategy does with parts; the parts of a snapshot."""


# TransferShedder.


def of_transfer(recording: Path, settings: Mapping[str, str], edition: Edition) -> Kit:
    """For the extensible manager."""
    channel = find_effective(read_entries(recording, ("channel",)), edition)
    reported = sort_heard(read_entries(recording, DECIDING))
    rules, top_rules = rules_of(TransferRules, settings), rules_of_top(settings)
    grace = int(settings.get(GRACE, USUAL_GRACE))
    known = known_of(reported, channel)
    rounds = [one for one in reported.list_rounds() if not one.cut]

    def find(one: Round) -> Parts | None:
        for way in list_readings(one, rounds, known, rules, grace):
            if is_logged(decide(way.hits, way.view, rules, edition)[1], one):
                return parts_of(way.hits, way.view)
        return None

    def decision(parts: Parts) -> Moves:
        return moves_of(decide(parts["hits"], view_of(parts), rules, edition)[1].moves)

    def mine(seen: Snapshot) -> Parts:
        return snapshot_parts(seen, rules, top_rules, edition)

    return [AskedRound(one.at, find(one), moves_of(one.decided)) for one in rounds], decision, mine


def parts_of(hits: int, view: TransferView) -> Parts:
    """What a round was given."""
    return {
        "hits": hits,
        "unloads": (view.recent_bundles, view.recent_brokers),
        "loads": (view.now, view.registered, [replace(one, top=None) for one in view.reports]),
        "lists": {one.broker: one.top for one in view.reports},
    }


# The modular manager's strategies.


def of_modular(recording: Path, settings: Mapping[str, str], edition: Edition) -> Kit:
    """For strategies that are given a cluster. Raises `ValueError` for AvgShedder, whose pairs
    wait for rounds that a snapshot does not tell of.
    """
    strategy = strategy_of(settings)
    if strategy not in RULES or strategy == "AvgShedder":
        raise ValueError(f"{strategy} is not predicted from snapshots")
    rules = rules_of(RULES[strategy], settings)
    agreed: dict[int, Agreed] = {}
    found = predict_modular(
        read_entries(recording, DECIDING_MODULAR), settings, edition, agreed.__setitem__
    )
    shedder = deciding_modular(strategy, rules, edition)

    def decision(parts: Parts) -> Moves:
        return shed_of(shedder(parts["history"], cluster_of(parts))[1])

    rounds = [
        AskedRound(
            one.at,
            None
            if (way := agreed.get(one.at)) is None
            else {
                "history": way.history,
                "unloads": way.cluster.recently_unloaded,
                "reports": way.cluster.brokers,
                "averages": way.cluster.bundles,
            },
            frozenset(made_in(one.made)),
        )
        for one in found
    ]
    return rounds, decision, snapshot_cluster


def made_in(words: str) -> Iterator[tuple[str, ...]]:
    """A decision out of its words."""
    for text in words.split("; ") if "->" in words else ():
        bundle, _, rest = text.partition(": ")
        yield rest.partition(" ->")[0], bundle, "?"
