"""Plans: schedules generated from a seed, and those of the desk, played with pauses.

The desk's graphs name the schedules by which a channel goes wrong. A running cluster cannot be
stepped, so that each is played several times, with pauses that make its race likely.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Final

from evenkeel.operate.live.schedule import ALGORITHMS, LEADER, OWNER, Step
from evenkeel.operate.tables import read_table

SESSION: Final = 10.0
"""Seconds: metadataStoreSessionTimeoutMillis of live runs (settings.toml)."""
_TABLE: Final = read_table("live/settings.toml")
SETTINGS: Final[dict[str, str]] = _TABLE["live"]
SETTINGS_OF: Final[dict[str, dict[str, str]]] = _TABLE["plans"]
"""Of a plan, in addition to those of all."""
UNEVEN: Final[dict[str, str]] = _TABLE["uneven"]
"""Of a cluster whose leader has something to do every minute."""
FREQUENT: Final = (
    *("create", "unload", "unload", "unload-to", "unload-to"),
    *("split", "delete", "limit", "policy", "visit"),
)


@dataclass(frozen=True, slots=True)
class Scene:
    """What a plan may use: seconds, and brokers."""

    seconds: float
    brokers: int


Plan = Callable[[Random, Scene], list[Step]]


def choose_operation(random: Random, scene: Scene) -> list[Step]:
    """One operation, or two at once."""
    place, wait = random.random(), round(random.uniform(0.5, 8), 2)
    steps = [make_step(random.choice(FREQUENT), wait, place, random, scene)]
    if random.random() < 0.25:  # a race over the same bundle
        other = random.choice(("unload", "unload-to", "split"))
        steps.append(make_step(other, 0.0, place, random, scene))
    return steps


def make_step(kind: str, wait: float, place: float, random: Random, scene: Scene) -> Step:
    """One step."""
    broker = random.randrange(scene.brokers)
    algorithm = random.choice(ALGORITHMS) if kind == "split" else ""
    return Step(wait, kind, place, broker, algorithm, random.randrange(1, 1000))


def for_a_while(do: str, undo: str, *times: float) -> Plan:
    """Something is done to a broker, and undone after one of these times."""

    def generate_steps(random: Random, scene: Scene) -> list[Step]:
        broker = random.randrange(scene.brokers)
        back = round(random.choice(times), 2)
        return [
            Step(round(random.uniform(2, 10), 2), do, broker=broker),
            Step(back, undo, broker=broker),
        ]

    return generate_steps


crash: Final = for_a_while("kill", "start", 0.2, SESSION / 2, SESSION * 1.5, 40.0)
sleep: Final = for_a_while("pause", "resume", *(SESSION * times for times in (0.5, 1.2, 2, 4)))
cut: Final = for_a_while("cut", "join", *(SESSION * times for times in (0.5, 1.2, 3)))


def leave(random: Random, scene: Scene) -> list[Step]:
    """A graceful stop, and the same broker again."""
    broker = random.randrange(scene.brokers)
    return [
        Step(round(random.uniform(2, 10), 2), "stop", broker=broker),
        Step(round(random.uniform(0.5, 20), 2), "start", broker=broker),
    ]


def add_guest(random: Random, scene: Scene) -> list[Step]:
    """One broker more, and gone again."""
    return [
        Step(round(random.uniform(2, 10), 2), "add-broker"),
        Step(round(random.uniform(20, 60), 2), "remove-broker"),
    ]


def restart_storage(random: Random, scene: Scene) -> list[Step]:
    """ZooKeeper, or the bookie, restarted."""
    kind = random.choice(("zookeeper-restart", "bookie-restart"))
    return [Step(round(random.uniform(5, 15), 2), kind)]


def jump_clock(random: Random, scene: Scene) -> list[Step]:
    """A broker's clock is stepped, ahead or behind, and back."""
    broker = random.randrange(scene.brokers)
    seconds = random.choice((1, -1)) * random.choice((5, 40, 120, 3600))
    return [
        Step(round(random.uniform(2, 10), 2), "clock", broker=broker, number=seconds),
        Step(round(random.uniform(10, 40), 2), "clock", broker=broker, number=0),
    ]


def again_and_again(scenes: Plan) -> Plan:
    """One race, played until the time is over."""

    def generate_steps(random: Random, scene: Scene) -> list[Step]:
        steps: list[Step] = []
        while sum(step.wait for step in steps) < scene.seconds:
            steps += scenes(random, scene)
        return steps

    return generate_steps


def mix_parts(*parts: Plan) -> Plan:
    """Parts chosen at random until the time is over, with operations between them."""

    def generate_steps(random: Random, scene: Scene) -> list[Step]:
        steps = []
        for _ in range(random.randrange(1, 5)):
            steps += choose_operation(random, scene)
        return [*steps, *(random.choice(parts)(random, scene) if parts else ())]

    return again_and_again(generate_steps)


def double_ownership(random: Random, scene: Scene) -> list[Step]:
    """The owner sleeps over its session, another one takes over, the first wakes."""
    place = random.random()
    long = round(SESSION + random.choice((0.5, 2, 5, 30)), 2)
    return [
        Step(round(random.uniform(3, 6), 2), "pause", place, OWNER),
        Step(long, "resume", place, OWNER),
        Step(round(random.uniform(0, 1), 2), "unload", place),
        Step(15.0, "unload-to", place, random.randrange(scene.brokers)),
    ]


def gap_after_removal(random: Random, scene: Scene) -> list[Step]:
    """A bundle is freed, its record removed or taken; the broker that takes it dies on the way."""
    place = random.random()
    return [
        Step(round(random.uniform(3, 6), 2), "unload", place),
        Step(round(random.choice((0.0, 0.02, 0.05, 0.1, 0.3)), 2), "kill", place, OWNER),
        Step(round(random.choice((0.0, 5.0, 20.0)), 2), "unload", place),
        Step(round(random.choice((1.0, 30.0)), 2), "start", place, OWNER),
        Step(25.0, "unload", place),
    ]


def stale_override(random: Random, scene: Scene) -> list[Step]:
    """A broker dies and is back before the leader's clean-up of its bundles is done."""
    place = random.random()
    return [
        Step(round(random.uniform(3, 6), 2), "kill", place, OWNER),
        Step(round(random.uniform(0, SESSION * 1.5), 2), "start", place, OWNER),
        Step(round(random.uniform(8, 20), 2), "unload-to", place, random.randrange(scene.brokers)),
        Step(15.0, "unload", place),
    ]


def freed_while_split(random: Random, scene: Scene) -> list[Step]:
    """A bundle is unloaded, or its owner ends, while it is divided."""
    place = random.random()
    second = random.choice(("unload", "unload-to", "kill", "stop"))
    broker = OWNER if second in ("kill", "stop") else random.randrange(scene.brokers)
    steps = [
        Step(round(random.uniform(3, 6), 2), "split", place, 0, ALGORITHMS[0]),
        Step(round(random.choice((0.0, 0.01, 0.05)), 2), second, place, broker),
    ]
    if broker == OWNER:
        steps.append(Step(round(random.uniform(1, 20), 2), "start", place, OWNER))
    return [*steps, Step(10.0, "unload", place)]


def served_beyond_session(random: Random, scene: Scene) -> list[Step]:
    """The owner is cut off from ZooKeeper for longer than its session, but not from its clients.
    New clients come, are sent to the broker that takes over, and both may have the topics open.
    """
    place = random.random()
    cut_off = Step(round(random.uniform(3, 6), 2), "cut", place, OWNER)
    visits = [
        Step(round(SESSION + 1, 2) if at == 0 else 0.5, "visit", at / 4 + 0.01) for at in range(4)
    ]
    return [cut_off, *visits, Step(45.0, "join", place, OWNER), Step(10.0, "unload", place)]


def leader_stops(random: Random, scene: Scene) -> list[Step]:
    """The leader ends cleanly while bundles move, and is back: all others change, or do not
    change, what they are, and begin again to read who carries what.
    """
    place = round(random.random(), 6)
    return [
        Step(round(random.uniform(3, 6), 2), "stop", place, LEADER),
        *(Step(0.0, "unload", random.random()) for _ in range(random.randrange(3))),
        Step(round(random.uniform(4, 10), 2), "start", place, LEADER),
        Step(20.0, "unload", random.random()),
    ]


PLANS: Final[dict[str, tuple[Plan, str]]] = {
    "calm": (mix_parts(), "operations alone"),
    "crashes": (mix_parts(crash, leave), "kill -9 and graceful stops"),
    "sleepers": (mix_parts(sleep), "SIGSTOP for longer than the session, and back"),
    "cuts": (mix_parts(cut), "brokers cut off from ZooKeeper"),
    "guests": (mix_parts(add_guest), "a broker added, and removed"),
    "clocks": (
        mix_parts(jump_clock, jump_clock, crash),
        "a broker's clock stepped, and brokers killed",
    ),
    "storage": (mix_parts(restart_storage), "ZooKeeper and the bookie restarted"),
    "everything": (
        mix_parts(crash, leave, sleep, cut, restart_storage, add_guest),
        "all of these but clocks",
    ),
    "double-ownership": (again_and_again(double_ownership), "of the desk: two owners"),
    "served-beyond-session": (
        again_and_again(served_beyond_session),
        "of the desk: an owner without a session",
    ),
    "gap-after-removal": (again_and_again(gap_after_removal), "of the desk: no broker owns"),
    "stale-override": (again_and_again(stale_override), "of the desk: an override comes late"),
    "leader-stops": (again_and_again(leader_stops), "who leads stops, again and again"),
    "freed-while-split": (again_and_again(freed_while_split), "of the desk: half a split"),
}


def steps_of(plan: str, seed: int, scene: Scene) -> tuple[Step, ...]:
    """The steps of a plan: the same for the same seed."""
    return tuple(PLANS[plan][0](Random(f"{plan} {seed}"), scene))
