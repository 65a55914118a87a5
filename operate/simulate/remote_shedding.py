"""A subject's own shedders in the loop.

In every round the subject is asked the question of the chapter *shedding* with all rounds so far,
and the loop does what it answers to the last of them. Where that is not what the reference would
have done, the clauses of the question say whether it is allowed (ties are).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

from evenkeel.operate.simulate.subject_calls import SubjectCalls
from evenkeel.properties.balancing.loop.replay import (
    SeenRound,
    modular_trial,
    question_of,
    transfer_trial,
)
from evenkeel.properties.shedding.avg.trials import PlannedShed
from evenkeel.reference.balancing.balancer import Shed, Shedder
from evenkeel.reference.balancing.leader import View
from evenkeel.reference.balancing.settings import Settings, Strategy
from evenkeel.reference.balancing.shedders import Avg, Transfer
from evenkeel.reference.shedding.cluster import BrokerId, BundleName, Millis
from evenkeel.reference.shedding.transfer import TransferDecision, TransferView


def remote_shedder(
    strategy: Strategy, settings: Settings, inner: Shedder, calls: SubjectCalls
) -> Shedder:
    """The subject's shedder of a strategy, with the reference's."""
    if isinstance(inner, Transfer):
        return RemoteTransfer(settings, inner, calls)
    if isinstance(inner, Avg):
        return RemoteAvg(settings, inner, calls)
    return RemoteModular(strategy, settings, inner, calls)


class RemoteModular:
    """A modular shedder of the subject, with the reference's."""

    def __init__(
        self, strategy: Strategy, settings: Settings, inner: Shedder, calls: SubjectCalls
    ) -> None:
        self._strategy, self._settings, self._inner, self._calls = strategy, settings, inner, calls
        self._past: list[SeenRound] = []

    def decide(self, view: View) -> list[Shed]:
        """One round."""
        found, _ = self._last_round(view, list(self._inner.decide(view)))
        return found

    def _last_round(self, view: View, known: Sequence[Shed]) -> tuple[list[Shed], Any]:
        """What the subject sheds, and all that it answered."""
        self._settle(view)
        trial = modular_trial(self._strategy, self._settings, [*self._past, SeenRound(view, ())])
        found, answer = last_round(self._calls, question_of(self._strategy), trial, known, view.now)
        self._past.append(SeenRound(view, tuple(shed.bundle for shed in found)))
        return found, answer

    def _settle(self, view: View) -> None:
        """By now it is known which of the last round's bundles were not unloaded after all."""
        if self._past:
            last = self._past[-1]
            unloaded = view.cluster.recently_unloaded
            failing = tuple(name for name in last.shed if unloaded.get(name) != last.view.now)
            self._past[-1] = replace(last, failing=failing)


class RemoteAvg(RemoteModular):
    """The subject's AvgShedder. Where bundles are to go is planned as the subject says."""

    def __init__(self, settings: Settings, inner: Avg, calls: SubjectCalls) -> None:
        super().__init__(Strategy.AVG, settings, inner, calls)
        self._avg = inner

    def decide(self, view: View) -> list[Shed]:
        """One round."""
        known, _ = self._avg.decisions(view)
        found, answer = self._last_round(view, known)
        sheds: tuple[PlannedShed, ...] = () if answer is None else answer.rounds[-1]
        to = {
            BundleName(planned.bundle): BrokerId(planned.destination)
            for shed in sheds
            for planned in shed.bundles
            if planned.destination is not None
        }
        self._calls.planned[view.now] = to
        self._avg.plans.moves(view, to, found)
        return found


class Retold:
    """The reference's shedder, but for the rounds that a subject shed otherwise, as it may."""

    def __init__(self, inner: Shedder, calls: SubjectCalls) -> None:
        self._inner, self._calls = inner, calls

    def decide(self, view: View) -> list[Shed]:
        """One round."""
        if not isinstance(self._inner, Avg):
            return self._calls.others.get(view.now, list(self._inner.decide(view)))
        known, to = self._inner.decisions(view)
        found = self._calls.others.get(view.now, known)
        self._inner.plans.moves(view, self._calls.planned.get(view.now, to), found)
        return found


class RemoteTransfer:
    """The subject's TransferShedder, with the reference's."""

    def __init__(self, settings: Settings, inner: Transfer, calls: SubjectCalls) -> None:
        self._settings, self._inner, self._calls = settings, inner, calls
        self._views: list[TransferView] = []

    def decide(self, view: View) -> list[Shed]:
        """One round."""
        self._views.append(self._inner.show_view(view))
        known = self._inner.decide(view)
        trial = transfer_trial(self._settings, self._views)
        found, _ = last_round(self._calls, question_of(Strategy.TRANSFER), trial, known, view.now)
        return found


def last_round(
    calls: SubjectCalls, name: str, trial: Any, known: Sequence[Shed], now: Millis
) -> tuple[list[Shed], Any]:
    """What the subject does in the trial's last round, and its answer; `known`: the reference.

    Nothing is done, and there is no answer, where a clause objects to one that is of no use.
    Raises `SubjectFailed` for one that no clause objects to.
    """
    calls.now = now
    answer = calls.answer(name, trial)
    calls.log.rounds += 1
    reason = calls.explain_useless(name, answer, lambda given: no_rounds(name, given, trial, calls))
    found = shed_in(answer.rounds[-1]) if reason is None else []
    if reason is None and is_same_shedding(found, known):
        return list(known), answer
    objected = calls.judge(name, trial, answer)
    if reason is not None:
        if not objected:
            raise calls.make_failure(reason)
        return [], None
    if not objected:
        calls.log.allowed += 1
        calls.others[now] = found
    return found, answer


def no_rounds(name: str, answer: Any, trial: Any, calls: SubjectCalls) -> str | None:
    """Why these are not the rounds of a trial, with what can be done in the last of them."""
    if len(answer.rounds) != len(trial.rounds):
        return f"has {len(answer.rounds)} rounds, must have {len(trial.rounds)}"
    for destination in DESTINATIONS.get(name, lambda _: [])(answer.rounds[-1]):
        if destination is not None and destination not in calls.brokers:
            return f"names the destination {destination}, which is no broker"
    return None


def is_same_shedding(one: Sequence[Shed], other: Sequence[Shed]) -> bool:
    """The same bundles leave the same brokers for the same destinations, in whatever order."""

    def essence(sheds: Sequence[Shed]) -> set[tuple[str, str, str | None]]:
        return {(shed.bundle, shed.source, shed.destination) for shed in sheds}

    return essence(one) == essence(other)


# ------------------------------------------------------------------------ trials and answers


def shed_in(round_: Any) -> list[Shed]:
    """A round of an answer. Where a bundle of AvgShedder's is to go is the placement's matter."""
    if isinstance(round_, TransferDecision):
        moves = round_.moves
        return [Shed(one.bundle, one.source, one.destination, one.reason.value) for one in moves]
    return [
        Shed(BundleName(getattr(one, "bundle", one)), BrokerId(shed.broker), None, "subject")
        for shed in round_
        for one in shed.bundles
    ]


DESTINATIONS: Final[dict[str, Callable[[Any], list[str | None]]]] = {
    "shedding.avg": lambda sheds: [one.destination for shed in sheds for one in shed.bundles],
    "shedding.transfer": lambda cycle: [move.destination for move in cycle.moves],
}
"""Where a round's bundles are to go, by the questions whose answers say so."""
