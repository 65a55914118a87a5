"""Which policies of a topic are in force, and known, after what is stored of them is read again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from evenkeel.properties.throttling.policy import draw_limits, draw_policy_rate, first_of, limits_of
from evenkeel.properties.throttling.trial_parts import require_policy_rate, require_rate
from evenkeel.reference.edition import Edition
from evenkeel.reference.throttling import rates
from evenkeel.reference.throttling import stored as reference
from evenkeel.reference.throttling.rates import BROKER_PERIOD, DispatchRate, Limits
from evenkeel.reference.throttling.stored import Policy, Scope, Setting, Stored
from evenkeel_engine.kit.clause import Case
from evenkeel_engine.kit.draw import Draw, seldom_repeated
from evenkeel_engine.kit.exempt import Exempt
from evenkeel_engine.kit.judge import monitor, pair_results, require_results
from evenkeel_engine.kit.observations import CommandBroke, CommandRefused
from evenkeel_engine.kit.question import Question
from evenkeel_engine.kit.run import MonitorRun, fill
from evenkeel_engine.kit.trial import Tagged


@dataclass(frozen=True, slots=True)
class Update(Tagged):
    """A rate of one of the topic's policies is set; null removes it.

    Only `local` is of this cluster alone. A rate that is set applies, even if it is -1: then there
    is no limit. `at_once`: it is asked for before the broker has read the last event that it wrote.
    """

    scope: Scope
    setting: Setting
    rate: DispatchRate | None
    at_once: bool = False

    def __post_init__(self) -> None:
        require_policy_rate("rate", self.rate)


@dataclass(frozen=True, slots=True)
class Delete(Tagged):
    """The topic is deleted, with all its policies, and made again by the same broker.

    `partition`: only another partition of the topic is, which has the same policies.
    """

    partition: bool = False


@dataclass(frozen=True, slots=True)
class Compact(Tagged):
    """What is stored of policies is compacted."""


@dataclass(frozen=True, slots=True)
class Load(Tagged):
    """Another broker, which has read nothing yet, loads the topic.

    `meanwhile`: an update comes while it does, after it read the policies; null: none.
    """

    meanwhile: Update | None = None


StoredCommand = Update | Delete | Compact | Load


@dataclass(frozen=True, slots=True)
class StoredTrial:
    """`throttling.stored`: the policies of a topic, which are stored, compacted and read again.

    `namespace` and `configured` hold for the topic and for its subscriptions alike. The one
    subscription that is looked at is also the one that `named` names. What is set by that name
    comes before what is set for all, and of each the local policy before the global one. No
    command is refused; one that finds nothing to do changes nothing.
    """

    configured: Limits
    namespace: DispatchRate | None
    commands: tuple[StoredCommand, ...]

    def __post_init__(self) -> None:
        require_rate("configured", DispatchRate(self.configured.messages, self.configured.bytes))
        require_policy_rate("namespace", self.namespace)


@dataclass(frozen=True, slots=True)
class Kept(Tagged):
    """How things stand after a command: the limits in force, -1 without a limit, and what the
    broker answers who asks it for the policies.
    """

    topic: Limits
    subscription: Limits
    local: Policy
    global_: Policy = field(metadata={"wire": "global"})


StoredResult = Kept | CommandRefused | CommandBroke


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    """One result for each command."""

    results: tuple[StoredResult, ...]


def draw_command(draw: Draw) -> StoredCommand:
    """Mostly an update; else something after which the policies are to be the same."""
    sort = draw.integer(0, 9)
    if sort < 6:
        return draw_update(draw)
    return (Load(), Load(), Compact(), Delete())[sort - 6]


def draw_update(draw: Draw) -> Update:
    return Update(draw.pick(tuple(Scope)), draw.pick(tuple(Setting)), draw_policy_rate(draw))


def draw_sort(draw: Draw, command: StoredCommand) -> StoredCommand:
    """Now and then a command of the rarer sort."""
    if not draw.chance(0.4):
        return command
    match command:
        case Update():
            return replace(command, at_once=True)
        case Delete():
            return Delete(partition=True)
        case Load():
            return Load(draw_update(draw))
    return command


@seldom_repeated("commands", 0.06)
def stored_trial(draw: Draw) -> StoredTrial:
    commands = [draw_command(draw) for _ in draw.items(12, 0.9)]
    if draw.chance(0.5):
        commands += [Compact(), Load()]
    limits, rate = draw_limits(draw), draw_policy_rate(draw)
    if draw.chance(0.2):
        commands = [draw_sort(draw, command) for command in commands]
    return StoredTrial(limits, rate, tuple(commands))


def answer_stored(trial: StoredTrial, edition: Edition) -> StoredAnswer:
    stored, results = reference.Stored(), list[StoredResult]()
    configured = DispatchRate(trial.configured.messages, trial.configured.bytes, BROKER_PERIOD)
    for command in trial.commands:
        match command:
            case Update():
                stored = apply_update(stored, command, edition)
            case Delete(partition):
                stored = reference.delete(stored, edition, partition=partition)
            case Compact():
                stored = reference.compact(stored, edition)
            case Load(meanwhile):
                stored = reference.load(stored, edition)
                if meanwhile is not None:
                    stored = reference.end_load(apply_update(stored, meanwhile, edition), edition)
        places = trial.namespace, configured, edition
        topic = reference.in_force(stored, Setting.TOPIC, *places)
        subscription = reference.in_force(stored, Setting.SUBSCRIPTION, *places)
        limits = rates.in_force(topic), rates.in_force(subscription)
        known = stored.known
        results.append(Kept(*limits, known.local or Policy(), known.global_ or Policy()))
    return StoredAnswer(tuple(results))


def apply_update(stored: Stored, update: Update, edition: Edition) -> Stored:
    place = update.scope, update.setting, update.rate
    return reference.update(stored, *place, edition, at_once=update.at_once)


def stored_labels(trial: StoredTrial) -> Iterator[str]:
    scopes = {command.scope for command in trial.commands if isinstance(command, Update)}
    yield "both policies" if len(scopes) > 1 else "one policy, or none"
    for sort in (Delete, Compact, Load):
        if any(isinstance(command, sort) for command in trial.commands):
            yield sort.__name__.lower()
    for command in trial.commands:
        if isinstance(command, Update) and command.at_once:
            yield "an update at once"
        if isinstance(command, Delete) and command.partition:
            yield "another partition is deleted"
        if isinstance(command, Load) and command.meanwhile:
            yield "an update while the topic is loaded"


class StoredMonitor:
    """What is set now, by scope and setting, as it follows from the commands."""

    def __init__(self, run: MonitorRun, case: Case[StoredTrial, StoredAnswer]) -> None:
        self.run = run
        self.trial = case.trial
        self.overwritten = case.edition.topic_policies_share_a_key
        self.set: dict[tuple[Scope, Setting], DispatchRate] = {}

    def follow(self, command: StoredCommand, kept: Kept) -> None:
        """Follow a command, and judge how things stand after it."""
        update = command.meanwhile if isinstance(command, Load) else command
        if isinstance(update, Delete) and not update.partition:
            self.set.clear()
        elif isinstance(update, Update):
            self.set.pop((update.scope, update.setting), None)
            if update.rate is not None:
                self.set[update.scope, update.setting] = update.rate
        self.judge("topic", kept.topic, (Setting.TOPIC,))
        self.judge("subscription", kept.subscription, (Setting.NAMED, Setting.SUBSCRIPTION))
        for scope, known in ((Scope.LOCAL, kept.local), (Scope.GLOBAL, kept.global_)):
            for setting in Setting:
                right = self.set.get((scope, setting))
                answered: DispatchRate | None = getattr(known, setting.value)
                sentence = "the {} policy has for {} the rate {}, not {}"
                why = fill(sentence, scope.value, setting.value, right, answered)
                self.run.require("THR-85", answered == right, why, scope.value)

    def judge(self, what: str, observed: Limits, settings: tuple[Setting, ...]) -> None:
        """Check the limits in force: a policy's, if the topic has one, or else those below it.

        What one without limits hides is left to THR-3 and THR-4.
        """
        places = [(scope, setting) for setting in settings for scope in Scope]
        there = [limits_of(self.set[place]) for place in places if place in self.set]
        if not there:
            below = first_of([self.trial.namespace], self.trial.configured)
            why = fill("{}: no policy is set, and {} is in force, not {}", what, observed, below[0])
            if not self.overwritten:
                self.run.require("THR-5", observed in below, why, what)
        elif Limits() not in there:
            said, first = observed in there, there[0]
            sentence = "{}: {} is in force, and no policy of the topic says so; {} is set"
            self.run.require("THR-83", said, fill(sentence, what, observed, first), what)
            if said:
                why = fill("{}: {} comes first, and {} is in force", what, first, observed)
                self.run.require("THR-84", observed == first, why, what)


@monitor("throttling.stored", "THR-5", "THR-83", "THR-84", "THR-85", "THR-86")
def judge_stored(run: MonitorRun, case: Case[StoredTrial, StoredAnswer]) -> None:
    require_results(run, case, "THR-86")
    world = StoredMonitor(run, case)
    for command, result in pair_results(run, "THR-5", case, "the broker"):
        if not isinstance(result, Kept):
            run.require("THR-5", False, fill("{}: {}", command, result), "failed")
            return
        world.follow(command, result)


STORED: Final = Question(
    "throttling.stored",
    StoredTrial,
    StoredAnswer,
    stored_trial,
    answer_stored,
    stored_labels,
    commands="commands",
    exempt=Exempt(
        subjects={
            "ignores Compact after 25 commands": "What is stored and not compacted is the same."
        }
    ),
)

QUESTIONS: Final = (STORED,)
