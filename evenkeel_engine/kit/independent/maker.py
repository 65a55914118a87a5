"""Generate trials from their types, field by field, by the tables of `spec/wire.md`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import NoneType
from typing import Any, Final, get_args, get_origin, get_type_hints

from evenkeel.reference.throttling.configuration import BY_NAME
from evenkeel_engine import content
from evenkeel_engine.frame.errors import Refusal
from evenkeel_engine.kit.codec import wire_name
from evenkeel_engine.kit.draw import Draw
from evenkeel_engine.kit.independent import numbers
from evenkeel_engine.kit.independent.world import LAST, LAST_HASHED, World
from evenkeel_engine.kit.trial import INVALID, BadTrial

PARTS: Final = 12
"""How often a part that could not exist is generated again."""

WHOLE: Final = 60
"""How often the whole trial is; every question needs fewer (a test measures)."""

Shaper = Callable[["Maker"], dict[str, Any]]


class Unlucky(Exception):
    """No trial that can exist was generated."""


def trial_of(draw: Draw, question: str, trial_type: type[Any]) -> Any:
    """A trial of a question."""
    for _ in range(WHOLE):
        try:
            return Maker(draw, question, trial_type).part(trial_type)
        except (BadTrial, Refusal, Unlucky):
            continue
    raise Unlucky(f"no trial of {question} could be generated")


@cache
def named_fields(kind: Any) -> tuple[tuple[str, str, Any], ...]:
    """The fields of a record: their names, those on the wire, their types."""
    types = get_type_hints(kind)
    return tuple((one.name, wire_name(one), types[one.name]) for one in fields(kind))


@cache
def wire_hints(kind: Any) -> dict[str, Any]:
    """The types of a record's fields by their names on the wire."""
    return {name: hint for _, name, hint in named_fields(kind)}


@cache
def is_record(kind: Any) -> bool:
    """Whether a type is that of records."""
    return isinstance(kind, type) and is_dataclass(kind)


@cache
def of_numbers(kind: Any) -> bool:
    """Whether a type is that of records of nothing but numbers."""
    return is_record(kind) and {*wire_hints(kind).values()} <= {int, float}


@cache
def parts_of(kind: Any) -> tuple[bool, tuple[Any, ...]]:
    """Whether a type is that of lists, and the types in it."""
    return get_origin(kind) is tuple, get_args(kind)


class Maker:
    """Generates the parts of one trial."""

    def __init__(self, draw: Draw, question: str, trial_type: Any) -> None:
        self.draw, self.question, self.trial_type = draw, question, trial_type
        self.world = World(draw)
        self.kinds: dict[str, Any] = {}
        self.things: dict[tuple[Any, str], Any] | None = None
        self.same: dict[type[Any], Any] = {}

    def part_with(self, kind: Any, **known: Any) -> Any:
        """A record of which some fields are known."""
        return self.part(kind, known)

    def part(self, kind: Any, known: dict[str, Any] | None = None) -> Any:
        """A record: some fields from its shaper, the others by their names."""
        if kind in self.same:
            return self.same[kind]
        self.kinds[kind.__name__] = kind
        shaper = shaper_of(self.question, kind.__name__)
        problem: Exception | None = None
        for _ in range(PARTS):
            values = {**(shaper(self) if shaper else {}), **(known or {})}
            named = {}
            for own, name, hint in named_fields(kind):
                if name not in values:
                    values[name] = self.value(hint, name, kind.__name__)
                named[own] = values[name]
            try:
                return kind(**named)
            except INVALID as bad:
                problem = bad
        raise Unlucky(f"{kind.__name__}: {problem}")

    def value(self, kind: Any, name: str, owner: str) -> Any:
        """A value of a field; in a story the same for all fields that name a thing."""
        if self.things is None or name not in numbers.THINGS or self.draw.chance(0.1):
            return self.any_value(kind, name, owner)
        if (kind, name) not in self.things:
            self.things[kind, name] = self.any_value(kind, name, owner)
        return self.things[kind, name]

    def any_value(self, kind: Any, name: str, owner: str) -> Any:
        """A value, whatever other fields of this name have."""
        draw, (is_list, arguments) = self.draw, parts_of(kind)
        if is_list:
            return self.several(arguments[0], name, owner)
        if arguments:
            if NoneType in arguments and draw.chance(0.15):
                return None
            return self.value(
                draw.pick([one for one in arguments if one is not NoneType]), name, owner
            )
        if is_record(kind):
            return self.part(kind)
        if kind is float:
            return numbers.real(self.world, name, owner)
        if kind is int:
            return numbers.whole(self.world, name, owner)
        if kind is bool:
            return draw.chance(numbers.YES.get(name, 0.5))
        if isinstance(kind, type) and issubclass(kind, Enum):
            return draw.pick(list(kind))
        return self.text(name, owner)

    def several(self, kind: Any, name: str, owner: str) -> tuple[Any, ...]:
        """A list: of different names, or of many commands."""
        base = getattr(kind, "__supertype__", kind)
        if base is str:
            return self.texts(name, owner)
        draw = self.draw
        if len(parts_of(kind)[1]) > 1 and name == "commands" and draw.chance(0.7):
            return self.story(parts_of(kind)[1], owner)
        if name in ("cycles", "rounds") and draw.chance(0.4):
            return self.alike(self.value(kind, name, owner))
        if name == "commands" and draw.chance(0.04):
            return (self.value(kind, name, owner),) * draw.pick(numbers.MANY)
        if of_numbers(kind) and draw.chance(0.4):
            return (self.value(kind, name, owner),) * draw.pick(numbers.MANY)
        most = numbers.LENGTHS.get(name, 6)
        often = 0.9 if name == "commands" else 0.7
        least = 1 if name in numbers.NOT_EMPTY else 0
        if draw.chance(0.05):
            most *= 5
        return tuple(self.value(kind, name, owner) for _ in draw.items(most, often, least))

    def alike(self, record: Any) -> tuple[Any, ...]:
        """A few times the same record, each time perhaps with other values of a few fields."""
        records, often = [record], self.draw.pick((0.0, 0.03, 0.2))
        for _ in range(self.draw.integer(1, 5)):
            records.append(self.changed(records[-1], often))
        return tuple(records)

    def changed(self, value: Any, often: float) -> Any:
        """A record, or a list of them, of which some fields have other values if they may."""
        if isinstance(value, tuple):
            return tuple(self.changed(one, often) for one in value)
        kind: Any = type(value)
        if not is_record(kind) or not often:
            return value
        values = dict[str, Any]()
        for own, name, hint in named_fields(kind):
            old = getattr(value, own)
            if isinstance(old, tuple) or is_dataclass(old) or not self.draw.chance(often):
                values[own] = self.changed(old, often)
            else:
                values[own] = self.value(hint, name, kind.__name__)
        try:
            return kind(**values)
        except INVALID:
            return value

    def story(self, kinds: tuple[Any, ...], owner: str) -> tuple[Any, ...]:
        """Commands that belong together: some in the order in which the page lists them, mostly
        about one thing; often what concerns none, such as time that passes, between them; repeated,
        or done again about another thing.
        """
        draw, commands = self.draw, list[Any]()
        others = [kind for kind in kinds if not wire_hints(kind).keys() & numbers.THINGS]
        if others and draw.chance(0.5):
            others = [draw.pick(others), draw.pick(others)]
        if draw.chance(0.4):
            kinds = kinds[: draw.integer(3, 6)]
        pause, density = draw.pick((0.0, 0.2, 0.5, 0.9)), draw.pick((1.0, 0.9, 0.5))
        for number in draw.items(12, 0.9, 1):
            first = 0 if number == 0 or draw.chance(0.3) else draw.integer(0, len(kinds) - 1)
            if self.things is None or draw.chance(0.4):
                self.things = {}
            near = kinds[first : first + draw.integer(1, 7)]
            part = [one for one in near if draw.chance(density)]
            commands += self.done(part, others, pause, owner) * draw.pick((1, 2, 4))
            if draw.chance(0.2):
                self.things = {}
                commands += self.done(part, others, pause, owner)
            if len(commands) >= numbers.LONGEST:
                break
        self.things = None
        return tuple(commands[: numbers.LONGEST])

    def done(self, part: list[Any], others: list[Any], pause: float, owner: str) -> list[Any]:
        """Commands of these kinds, and at times of others between them."""
        commands = list[Any]()
        for kind in part:
            commands.append(self.value(kind, "commands", owner))
            if others and self.draw.chance(pause):
                commands.append(self.value(self.draw.pick(others), "commands", owner))
        return commands

    def texts(self, name: str, owner: str) -> tuple[str, ...]:
        """Different names of a field's kind."""
        world = self.world
        if owner == "StoredPolicyTrial":
            return self.expressions((*world.brokers, *world.namespaces), 0)
        if name in numbers.BUNDLE_LISTS:
            return world.some(world.bundles, 8)
        if name in numbers.NAMESPACE_LISTS:
            return world.some(world.namespaces, 4)
        if name in ("primary", "secondary"):
            return self.expressions(world.brokers, int(name == "primary"))
        if name in ("prefers", "prefers_then"):
            return world.some(world.brokers, len(world.brokers), len(world.brokers))
        return world.some(world.brokers, 20, 1)

    def expressions(self, names: tuple[str, ...], least: int) -> tuple[str, ...]:
        """Of hosts, some with their ports, or of namespaces; seldom one that is none."""
        draw = self.draw
        known = [name for name in names if name.isascii()]
        hosts = [name if draw.chance(0.3) else name.partition(":")[0] for name in known]
        odd = (draw.pick((".*", "[b-z].*", "(", "[z-a]")),) if draw.chance(0.2) else ()
        return (*self.world.some(hosts, 3, least), *odd)

    def text(self, name: str, owner: str) -> str:
        """A name of a field's kind."""
        world, draw = self.world, self.draw
        if name in ("bundle", "bundles"):
            return draw.pick(world.bundles)
        if name == "namespace":
            return draw.pick(world.namespaces)
        if name == "topic":
            return world.topic()
        if name == "group":
            return draw.pick(("", "rack-a", "grüppe", "g 1", " \u2003", "\u00a0"))
        if name == "version":
            return draw.pick(("4.0.8", "3.3.1", "4.1.0-SNAPSHOT", "2.11", "4.0.8.1"))
        if name == "manager":
            return draw.pick(numbers.MANAGERS)
        if name == "domain":
            return draw.pick(("zone-a", "zone-b", "zone-c"))
        return draw.pick(world.brokers)


@cache
def shaper_of(question: str, part: str) -> Shaper | None:
    """The function that chooses related fields of a part together, if there is one."""
    known = shapers(question.partition(".")[0])
    return known.get(f"{question}/{part}") or known.get(part)


@cache
def shapers(chapter: str) -> dict[str, Shaper]:
    """The functions that choose related fields together, by the part's name, or by question and
    part: those below, and those of a chapter's `independent_parts`.
    """
    name = content.name(f"properties.{chapter}.independent_parts")
    own = import_module(name).SHAPERS if find_spec(name) else {}
    return {**SHAPERS, **own}


STEP: Final = 60_000
SLOWEST: Final = 0.001
HOUR: Final = 3_600_000


def timing(maker: Maker) -> dict[str, Any]:
    """A few steps of a minute, with the defaults of Pulsar around them."""
    draw = maker.draw
    step = draw.pick((STEP, STEP, 10_000, 300_000))
    return {
        "steps": draw.integer(2, 12),
        "step": step,
        "shedding": step * draw.pick((1, 1, 2, 3)),
        "reconnect": draw.pick((1000, 0, 100, STEP, STEP + 1)),
        "transfer": draw.pick((100, 0, STEP)),
        "session": draw.pick((30_000, 0, STEP, 120_000)),
    }


def scenario(maker: Maker) -> dict[str, Any]:
    """Different brokers, different bundles, each with an owner or none, and events."""
    world, draw = maker.world, maker.draw
    if draw.chance(0.4):
        return constant(maker)
    types = wire_hints(maker.kinds["Scenario"])
    broker, bundle, event = (get_args(types[name])[0] for name in ("brokers", "bundles", "events"))
    world.brokers = world.some(world.brokers, 20, 1)
    present = [index == 0 or draw.chance(0.9) for index in range(len(world.brokers))]
    brokers = tuple(
        maker.part_with(
            broker,
            id=name,
            present=there,
            messages=draw.pick((1000.0, 10_000.0, 50_000.0)),
            bandwidth=draw.pick((1e6, 1.25e8, 1.25e9)),
        )
        for name, there in zip(world.brokers, present, strict=True)
    )
    owners = [name for name, there in zip(world.brokers, present, strict=True) if there]
    bundles = tuple(
        maker.part_with(bundle, name=name, owner=draw.pick(owners) if draw.chance(0.9) else None)
        for name in world.some(world.bundles, 40, 1)
    )
    events = tuple(maker.value(event, "events", "Scenario") for _ in draw.items(3, 0.5))
    return {
        "brokers": brokers,
        "bundles": bundles,
        "events": tuple(sorted(events, key=lambda one: int(one.at))),
    }


def constant(maker: Maker) -> dict[str, Any]:
    """Equal brokers, constant traffic in proportion, most of it at one of them; perhaps a split."""
    world, draw = maker.world, maker.draw
    types = wire_hints(maker.kinds["Scenario"])
    broker, bundle, event = (get_args(types[name])[0] for name in ("brokers", "bundles", "events"))
    world.brokers, world.bundles = world.brokers[:6], world.some(world.bundles, 12, 2)
    same = {"present": True, "messages": 10_000.0, "bandwidth": 1.25e8}
    hints_ = wire_hints(bundle)
    splits = [one for one in get_args(event) if "children" in wire_hints(one)]

    def spec(name: str) -> Any:
        rate = draw.integer(1, 15) * 100.0
        load = hints_["traffic"](rate, rate, rate * 12_500, rate * 12_500)
        owner = world.brokers[0] if draw.chance(0.7) else draw.pick(world.brokers)
        steady = get_args(hints_["curve"])[0]()
        return maker.part_with(bundle, name=name, owner=owner, traffic=load, curve=steady)

    return {
        "brokers": tuple(maker.part_with(broker, id=name, **same) for name in world.brokers),
        "bundles": tuple(map(spec, world.bundles)),
        "events": tuple(maker.part(one) for one in splits if draw.chance(0.4)),
    }


def quick_settings(maker: Maker) -> dict[str, Any]:
    """Settings with which a few minutes show what is moved: little is waited for."""
    if maker.draw.chance(0.4):
        return {}
    return {
        "loadBalancerSheddingGracePeriodMinutes": maker.draw.pick((0, 1, 3)),
        "loadBalancerSheddingConditionHitCountThreshold": maker.draw.pick((0, 1)),
        "loadBalancerAvgShedderHitCountLowThreshold": 1,
        "loadBalancerAvgShedderHitCountHighThreshold": 1,
        "loadBalancerBrokerLoadTargetStd": maker.draw.pick((0.25, 0.1)),
        "minUnloadMessage": 0,
        "minUnloadMessageThroughput": 0,
    }


def traffic(maker: Maker) -> dict[str, Any]:
    """Traffic with a heavy tail: most bundles have little, a few have very much."""
    draw = maker.draw
    scale = draw.pick((0.0, 1.0, 100.0, 1000.0, 10_000.0))
    rate, size = draw.real(0.0, 1.0) * scale, draw.pick((0.0, 100.0, 1024.0, 65_536.0))
    fan_out = draw.pick((0.0, 1.0, 2.0, 10.0))
    return {
        "msg_rate_in": rate,
        "msg_rate_out": rate * fan_out,
        "throughput_in": rate * size,
        "throughput_out": rate * size * fan_out,
    }


def moment(maker: Maker) -> int:
    """A moment within a short run (ms)."""
    return maker.draw.integer(0, 12) * STEP


def at_a_moment(maker: Maker) -> dict[str, Any]:
    """An event."""
    factor = maker.draw.pick((0.5, 1.0, SLOWEST, 0.1))
    lasts = maker.draw.integer(1, 5) * STEP
    return {"at": moment(maker), "lasts": lasts, "by": STEP, "factor": factor}


def spike(maker: Maker) -> dict[str, Any]:
    """A spike, or a dip."""
    begin = moment(maker)
    return {
        "begin": begin,
        "end": begin + maker.draw.integer(1, 6) * STEP,
        "factor": maker.draw.pick((2.0, 0.0, 10.0, 0.5)),
    }


def daily(maker: Maker) -> dict[str, Any]:
    """A day and a night."""
    low = maker.draw.pick((0.0, 0.5, 1.0))
    return {"peak": maker.draw.integer(0, 23) * HOUR, "low": low}


def drift(maker: Maker) -> dict[str, Any]:
    """Slow growth, or the opposite."""
    return {"per_hour": maker.draw.pick((0.5, -0.5, 10.0, -1.0)), "until": moment(maker)}


def split(maker: Maker) -> dict[str, Any]:
    """A split in the middle; placement decides which broker gets the halves."""
    parent = maker.draw.pick(maker.world.bundles)
    namespace, _, cut = parent.rpartition("/")
    lower, upper = (int(end, 16) for end in cut.split("_"))
    middle = (lower + upper + 1) // 2
    kind = get_args(wire_hints(maker.kinds["Split"])["children"])[0]
    names = (f"{namespace}/0x{a:08x}_0x{b:08x}" for a, b in ((lower, middle), (middle, upper)))
    children = tuple(maker.part_with(kind, name=name, owner=None) for name in names)
    return {"at": moment(maker), "bundle": parent, "children": children}


SCENARIO_SHAPERS: Final[dict[str, Shaper]] = {
    "Timing": timing,
    "Scenario": scenario,
    "balancing.loop/Traffic": traffic,
    "balancing.loop/Settings": quick_settings,
    "Spike": spike,
    "Daily": daily,
    "Drift": drift,
    **{
        f"balancing.loop/{name}": at_a_moment
        for name in ("Join", "Leave", "Crash", "Slow", "DelayReports", "LoseReports")
    },
    "LeaderChange": at_a_moment,
    "balancing.loop/Split": split,
}


def resource(maker: Maker) -> dict[str, Any]:
    """Usage and limit in one unit: idle, usual, over its limit, or not measured."""
    draw = maker.draw
    limit = draw.pick((100.0, 100.0, 1_250_000.0, 2048.0, 0.0, 0.001))
    if draw.chance(0.05):
        return {"usage": -1.0, "limit": limit}
    share = draw.pick((0.0, 0.5, 0.85, 1.0)) if draw.chance(0.3) else draw.real(0.0, 1.1)
    return {"usage": share * (limit or 1.0), "limit": limit}


def hash_range(maker: Maker) -> dict[str, Any]:
    """Mostly a bundle of the namespace."""
    world, draw = maker.world, maker.draw
    if draw.chance(0.1):
        ends = sorted((draw.integer(0, LAST), draw.integer(0, LAST)))
        return {"lower": ends[0], "upper": max(ends[1], ends[0] + 1)}
    place = draw.integer(0, len(world.boundaries) - 2)
    return {"lower": world.boundaries[place], "upper": world.boundaries[place + 1]}


def boundaries(maker: Maker) -> dict[str, Any]:
    """Legal boundaries of a namespace."""
    return {"boundaries": maker.world.boundaries}


def one_namespace(maker: Maker) -> dict[str, Any]:
    """A namespace with its boundaries; all topics are its own."""
    world = maker.world
    world.namespaces = (maker.draw.pick(world.namespaces),)
    return {"namespace": world.namespaces[0], "boundaries": world.boundaries}


def any_boundaries(maker: Maker) -> dict[str, Any]:
    """Boundaries, sometimes with an error in them."""
    draw, ends = maker.draw, list(maker.world.boundaries)
    slip = draw.integer(0, 9)
    if slip == 1:
        ends.reverse()
    elif slip == 2:
        ends.append(draw.pick(ends))
    elif slip == 3:
        ends.pop(draw.integer(0, len(ends) - 1))
    elif slip == 4:
        ends.insert(draw.integer(0, len(ends)), draw.pick((-1, LAST + 1, 2**31, 2**63)))
    elif slip == 5:
        ends = ends[: draw.integer(0, 1)]
    return {"boundaries": tuple(ends)}


def creation(maker: Maker) -> dict[str, Any]:
    """A namespace with explicit boundaries, or without."""
    draw = maker.draw
    forms = ("0x{:08x}", "0x{:x}", "{}", "0X{:08X}", "{:#o}", " {}")
    ends = tuple(draw.pick(forms).format(end) for end in maker.world.boundaries)
    odd = ("", "0x", "0xfffffffff", "-1", "zz", "\u0661")
    if draw.chance(0.2):
        ends = (*ends, draw.pick(odd))
    counts = (0, 1, 4, 64, 1024, -1, 3, 2**31 - 1)
    return {
        "boundaries": ends if draw.chance(0.6) else None,
        "count": len(ends) - 1 if draw.chance(0.4) else draw.pick(counts),
    }


def topic_lookup(maker: Maker) -> dict[str, Any]:
    """A topic of the namespace, mostly."""
    world, draw = maker.world, maker.draw
    namespace = draw.pick(world.namespaces)
    if draw.chance(0.02):
        topic = f"persistent://{LAST_HASHED}"
        namespace = LAST_HASHED.rpartition("/")[0]
        return {"namespace": namespace, "boundaries": world.boundaries, "topic": topic}
    other = draw.chance(0.15)
    return {
        "namespace": namespace,
        "boundaries": world.boundaries,
        "topic": world.topic(None if other else namespace),
    }


def membership(maker: Maker) -> dict[str, Any]:
    """A bundle, or a range that looks like one."""
    world, draw = maker.world, maker.draw
    place = draw.integer(0, len(world.boundaries) - 2)
    lower, upper = world.boundaries[place], world.boundaries[place + 1]
    slips = ((0, 0), (0, 0), (1, 0), (0, -1), (-1, 0), (0, 1))
    if draw.chance(0.05):
        return {"boundaries": world.boundaries, "lower": LAST, "upper": LAST}
    below, above = draw.pick(slips)
    return {"boundaries": world.boundaries, "lower": lower + below, "upper": upper + above}


def range_text(maker: Maker) -> dict[str, Any]:
    """The name of a range."""
    return {"text": maker.world.range_text()}


def topic_text(maker: Maker) -> dict[str, Any]:
    """A topic's name: full, short, old, or nonsense."""
    world, draw = maker.world, maker.draw
    full = world.topic()
    forms = (
        full,
        full.rpartition("/")[2],
        full.partition("://")[2],
        full.replace("persistent://", "persistent://cluster/", 1),
        f"{full}-partition-{draw.integer(0, 20)}",
        f"{full}-partition-0{draw.integer(0, 9)}",
        f"{full}-partition--1",
        full.replace("://", ":/"),
        full.upper(),
        f"{full}/deep/er",
        "",
        "://",
        f" {full} ",
        full.replace("/", "//", 1),
    )
    return {"text": draw.pick(forms)}


def whole_range(maker: Maker) -> dict[str, Any]:
    """The bundle with all hashes, so that any topic lies in it."""
    kind = trial_hints(maker)["bundle"]
    known: dict[str, Any] = {"positions": ()} if maker.draw.chance(0.1) else {}
    topics = topics_of(maker, maker.world.namespaces[0])
    return {"bundle": kind(0, LAST), "topics": topics, **known}


def trial_hints(maker: Maker) -> dict[str, Any]:
    """The types of the fields of the question's trial."""
    return wire_hints(maker.trial_type)


def record_in(maker: Maker, name: str) -> Any:
    """The type of the records of a list in the trial."""
    return get_args(trial_hints(maker)[name])[0]


def topics_of(maker: Maker, namespace: str) -> tuple[Any, ...]:
    """Different topics of a namespace with their traffic."""
    kind = record_in(maker, "topics")
    names = [f"persistent://{namespace}/t{number}" for number in maker.draw.items(12, 0.8)]
    return tuple(maker.part_with(kind, topic=name) for name in names)


def manual(maker: Maker) -> dict[str, Any]:
    """A request for a split, of a namespace whose topics are known."""
    world, draw = maker.world, maker.draw
    namespace = draw.pick(world.namespaces)
    names = (
        "range_equally_divide",
        "topic_count_equally_divide",
        "specified_positions_divide",
        "flow_or_qps_equally_divide",
    )
    place = draw.integer(0, len(world.boundaries) - 2)
    inside = [draw.integer(*world.boundaries[place : place + 2]) for _ in draw.items(3)]
    selector = "0x{:08x}_0x{:08x}".format(*world.boundaries[place : place + 2])
    return {
        "namespace": namespace,
        "boundaries": world.boundaries,
        "positions": tuple(inside),
        "selector": draw.pick((selector, world.range_text(), "LARGEST", "HOT", "largest")),
        "algorithm": draw.pick((*names, "", "by_moonlight")),
        "defaultNamespaceBundleSplitAlgorithm": draw.pick(names),
        "supportedNamespaceBundleSplitAlgorithms": world.some(names, 4, 1),
        "topics": topics_of(maker, namespace),
    }


def split_among_others(maker: Maker) -> dict[str, Any]:
    """A split: at times without positions, or while others write again and again."""
    draw, kind = maker.draw, get_args(wire_hints(maker.kinds["Split"])["rivals"])[0]
    known: dict[str, Any] = {"positions": ()} if draw.chance(0.1) else {}
    if draw.chance(0.1):
        rival = maker.part(draw.pick(get_args(kind)))
        known["rivals"] = (rival,) * draw.integer(6, 9)
    return known


def split_target(maker: Maker) -> dict[str, Any]:
    """A bundle that is cut at hashes within it, mostly."""
    world, draw = maker.world, maker.draw
    place = draw.integer(0, len(world.boundaries) - 2)
    lower, upper = world.boundaries[place], world.boundaries[place + 1]
    points = []
    for _ in draw.items(5, 0.5, 1):
        inside = draw.integer(lower, upper)
        points.append(draw.pick((inside, (lower + upper) // 2, lower, upper, lower + 1)))
    return {
        "boundaries": world.boundaries,
        "target": trial_hints(maker)["target"](lower, upper),
        "positions": tuple(points),
    }


def own_load(maker: Maker) -> dict[str, Any]:
    """A bundle, mostly with a hash inside it to cut it at."""
    draw = maker.draw
    load = maker.part(wire_hints(maker.kinds["OwnLoad"])["load"])
    lower, upper = (int(end, 16) for end in load.bundle.rpartition("/")[2].split("_"))
    inside = draw.pick(((lower + upper) // 2, draw.integer(lower, upper)))
    return {"load": load, **({"positions": (inside,)} if draw.chance(0.7) else {})}


def counted(cycle: str) -> Shaper:
    """Of a cycle: how many bundles every namespace has."""

    def counts(maker: Maker) -> dict[str, Any]:
        kind = get_args(wire_hints(maker.kinds[cycle])["counts"])[0]
        every = (maker.part_with(kind, namespace=name) for name in maker.world.namespaces)
        return {"counts": tuple(every)}

    return counts


def automatic_splits(maker: Maker) -> dict[str, Any]:
    """Different bundles, each owned by one of the brokers."""
    world, draw, kind = maker.world, maker.draw, record_in(maker, "splits")
    brokers = world.some(world.brokers, 20, 1)
    bundles = world.some(world.bundles, 8)
    splits = tuple(maker.part_with(kind, bundle=b, owner=draw.pick(brokers)) for b in bundles)
    return {"brokers": brokers, "splits": splits}


def modular_round(maker: Maker) -> dict[str, Any]:
    """Brokers with their bundles, and the averages of most; a few bundles change their broker, so
    that two report them.
    """
    world, draw = maker.world, maker.draw
    types = wire_hints(maker.kinds["ModularRound"])
    reported, averaged = (get_args(types[name])[0] for name in ("brokers", "bundles"))
    served: dict[str, list[str]] = {name: [] for name in world.brokers}
    monitored = f"{draw.pick(('pulsar', 'sla-monitor/c'))}/{draw.pick(world.brokers)}"
    if draw.chance(0.3) and monitored.isascii():
        served[draw.pick(world.brokers)].append(f"{monitored}/0x00000000_0xffffffff")
    for bundle in world.bundles:
        if draw.chance(0.85):
            served[draw.pick(world.brokers)].append(bundle)
            taker = served[draw.pick(world.brokers)]
            if draw.chance(0.03) and bundle not in taker:
                taker.append(bundle)
    brokers = tuple(
        maker.part_with(reported, broker=name, bundles=tuple(bundles))
        for name, bundles in served.items()
        if draw.chance(0.95)
    )
    known = [name for name in world.bundles if draw.chance(0.9)]
    averages = tuple(maker.part_with(averaged, bundle=name) for name in known)
    return {"at": world.later(), "brokers": brokers, "bundles": averages}


def transfer_view(maker: Maker) -> dict[str, Any]:
    """All brokers, most of them with a fresh report; mostly one carries more than the others."""
    world, draw = maker.world, maker.draw
    now = world.later()
    world.brokers = world.brokers[:12]
    types = wire_hints(maker.kinds["TransferView"])
    kind, last = (get_args(types[name])[0] for name in ("reports", "recent_brokers"))
    bundle = get_args(get_args(wire_hints(kind)["top"])[0])[0]
    tops = {
        name: world.bundles[at :: len(world.brokers)][:5] for at, name in enumerate(world.brokers)
    }
    hot, rest = draw.pick(world.brokers), draw.pick((0.0, 0.3, 0.6))
    return {
        "now": now,
        "registered": None if draw.chance(0.05) else world.brokers,
        "reports": in_proportion(maker, now, tops)
        if draw.chance(0.4)
        else tuple(
            maker.part_with(
                kind,
                broker=name,
                load=1.0 if name == hot else rest,
                updated_at=max(0, now - draw.pick((0, 1000, 60_000, 1_800_001, 7_200_000))),
                top=tuple(maker.part_with(bundle, bundle=top, admits=None) for top in tops[name]),
            )
            for name in world.brokers
            if draw.chance(0.95)
        ),
        "isolated": world.some(world.namespaces, 1) if draw.chance(0.2) else (),
        "anti_affine": world.some(world.namespaces, 1) if draw.chance(0.2) else (),
        "recent_bundles": world.some(world.bundles, 2) if draw.chance(0.2) else (),
        "recent_brokers": tuple(
            last(name, max(0, now - draw.pick((1000, 60_000, 600_000))))
            for name in (world.some(world.brokers, 2) if draw.chance(0.2) else ())
        ),
    }


def in_proportion(maker: Maker, now: int, tops: dict[str, tuple[str, ...]]) -> tuple[Any, ...]:
    """Reports in which a broker's load is that of its bundles, the smallest of them first."""
    draw = maker.draw
    kind = get_args(wire_hints(maker.kinds["TransferView"])["reports"])[0]
    bundle = get_args(get_args(wire_hints(kind)["top"])[0])[0]
    free = {"throughput_out": 0.0, "owned": True, "admits": None, "filter_fails": False}

    def report(name: str) -> Any:
        heat = draw.pick((1, 1, 10))
        sizes = sorted(draw.integer(1, 6) * heat for _ in tops[name])
        top = tuple(
            maker.part_with(bundle, bundle=one, throughput_in=size * 1e6, **free)
            for one, size in zip(tops[name], sizes, strict=True)
        )
        known = {"throughput_in": sum(sizes) * 1e6, "throughput_out": 0.0, "updated_at": now}
        return maker.part_with(kind, broker=name, load=sum(sizes) / 100, top=top, **known)

    return tuple(report(name) for name in tops)


def unloaded_before(maker: Maker) -> dict[str, Any]:
    """Bundles that were unloaded before the first round, each named once."""
    world, kind = maker.world, record_in(maker, "recently_unloaded")
    done = tuple(kind(bundle, world.later()) for bundle in world.some(world.bundles, 5))
    return {"recently_unloaded": done}


def served_brokers(maker: Maker) -> dict[str, Any]:
    """Different brokers, each bundle served by one of them at most."""
    world, draw = maker.world, maker.draw
    kind = record_in(maker, "brokers")
    names = world.some(world.brokers, 100, 1)
    served: dict[str, list[str]] = {name: [] for name in names}
    for bundle in world.bundles[1:]:
        if draw.chance(0.6):
            served[draw.pick(names)].append(bundle)
    groups = record_in(maker, "groups")
    grouped = tuple(
        maker.part_with(groups, namespace=name) for name in world.some(world.namespaces)
    )
    brokers = (maker.part_with(kind, name=name, bundles=tuple(served[name])) for name in names)
    return {
        "brokers": tuple(brokers),
        "groups": grouped,
        "bundle": world.bundles[0],
        "prefers": world.some(names, 100, len(names)),
        **(
            {"prefers_then": world.some(names, 100, len(names))}
            if "prefers_then" in trial_hints(maker)
            else {}
        ),
    }


def known_bundles(maker: Maker) -> dict[str, Any]:
    """Different bundles, to which the commands refer."""
    world, field = maker.world, "bundles"
    kind = record_in(maker, field)
    key = "name" if "name" in wire_hints(kind) else "bundle"
    world.bundles = world.some(world.bundles, 8, 1)
    return {field: tuple(maker.part_with(kind, **{key: name}) for name in world.bundles)}


def planned(maker: Maker) -> dict[str, Any]:
    """Known bundles; at times one changes, or is planned, and is placed again and again, on the
    same brokers.
    """
    found, draw = known_bundles(maker), maker.draw
    if draw.chance(0.9):
        return found
    types = get_args(record_in(maker, "commands"))
    plan, update, place = (
        next(one for one in types if field in wire_hints(one))
        for field in ("broker", "statistics", "candidates")
    )
    bundle = draw.pick(maker.world.bundles)
    placed, often = maker.part_with(place, bundle=bundle), draw.pick(numbers.MANY)
    if draw.chance(0.5):
        return {**found, "commands": (maker.part_with(plan, bundle=bundle), placed) * often}
    again = [maker.part_with(update, bundle=bundle) for _ in range(often)]
    return {**found, "commands": tuple(one for change in again for one in (change, placed))}


def overloaded(maker: Maker) -> dict[str, Any]:
    """Candidates, of which some are overloaded, or none."""
    candidates = maker.texts("candidates", "Place")
    most = len(candidates) if maker.draw.chance(0.5) else 0
    return {"candidates": candidates, "full": maker.world.some(candidates, most)}


def known_brokers_too(maker: Maker) -> dict[str, Any]:
    """The same, with the active brokers."""
    return {**known_bundles(maker), "brokers": maker.world.some(maker.world.brokers, 20, 1)}


def cycle(maker: Maker) -> dict[str, Any]:
    """A cycle at a whole minute, with decisions about a few bundles, each once."""
    world = maker.world
    world.now += 60_000 * maker.draw.pick((1, 1, 2, 5, 30, 60))
    return {"now": world.now}


def alike_entries(maker: Maker) -> dict[str, Any]:
    """Mostly all entries are the same, and quotas are divided by what is known of each."""
    if maker.draw.chance(0.3):
        return {}
    topic = record_in(maker, "topics")
    entry = get_args(wire_hints(topic)["entries"])[0]
    maker.same[entry] = maker.part(entry)
    precise = {"preciseDispatcherFlowControl": True}
    by_message = {"dispatchThrottlingOnBatchMessageEnabled": False}
    return {"settings": maker.part_with(trial_hints(maker)["settings"], **precise, **by_message)}


def throttling_key(maker: Maker) -> dict[str, Any]:
    """A key of dispatch throttling, of those that the wire lists."""
    return {"key": maker.draw.pick(tuple(BY_NAME))}


SHAPERS: Final[dict[str, Shaper]] = {
    "throttling.default/DefaultTrial": throttling_key,
    "throttling.loop/LoopTrial": alike_entries,
    **SCENARIO_SHAPERS,
    "Resource": resource,
    "HashRange": hash_range,
    "Cycle": cycle,
    "bundles.boundaries/BoundariesTrial": any_boundaries,
    "bundles.creation/CreationTrial": creation,
    "bundles.hash_lookup/HashLookupTrial": boundaries,
    "bundles.topic_lookup/TopicLookupTrial": topic_lookup,
    "bundles.membership/MembershipTrial": membership,
    "bundles.range/RangeTrial": range_text,
    "bundles.topic/TopicTrial": topic_text,
    "splitting.positions/PositionsTrial": whole_range,
    "splitting.manual/ManualTrial": manual,
    "splitting.apply/ApplyTrial": split_target,
    "splitting.life/LifeTrial": one_namespace,
    "splitting.life/Split": split_among_others,
    "OwnLoad": own_load,
    "ExtensibleCycle": counted("ExtensibleCycle"),
    "splitting.due_modular/ModularRound": counted("ModularRound"),
    "splitting.unloading/UnloadingTrial": automatic_splits,
    "placement.candidates/CandidatesTrial": served_brokers,
    "placement.filters/FiltersTrial": served_brokers,
    "placement.avg_shedder/PlannedTrial": planned,
    "placement.avg_shedder/Place": overloaded,
    "TransferView": transfer_view,
    "TransferRules": quick_settings,
    "placement.preallocation/PreallocationTrial": known_brokers_too,
    **{
        key: shaper
        for chapter in ("avg", "overload", "threshold", "uniform")
        for key, shaper in (
            (f"shedding.{chapter}/ModularRound", modular_round),
            (f"shedding.{chapter}/{chapter.title()}Trial", unloaded_before),
        )
    },
}
