"""How the independent generator chooses fields of this chapter that depend on one another."""

from __future__ import annotations

import re
from dataclasses import fields
from typing import Any, Final, get_args

from evenkeel.properties.scaling import updates
from evenkeel.properties.scaling.assignment import (
    AssignmentCommand,
    Connect,
    Drain,
    Group,
    Leave,
    LoseConnection,
    TakeOver,
    TimeOut,
)
from evenkeel.properties.scaling.trial_parts import (
    Change,
    Command,
    History,
    Merge,
    Prune,
    Rebucket,
    Split,
)
from evenkeel.properties.scaling.updates import PushAssignment, PushLayout, SendKey, UpdatesCommand
from evenkeel.reference.scaling.loop import Load, Phase
from evenkeel.reference.scaling.policy import ScalePolicy
from evenkeel.reference.scaling.routing import KnownSegment
from evenkeel.reference.scaling.settings import BucketRules, Rates, ScaleRules
from evenkeel.reference.scaling.updates import SentAssignment, SentLayout
from evenkeel_engine.kit.codec import wire_name
from evenkeel_engine.kit.draw import Draw
from evenkeel_engine.kit.independent.fields import Fields
from evenkeel_engine.kit.independent.maker import Maker, Shaper, record_in, wire_hints
from evenkeel_engine.kit.independent.numbers import Whole
from evenkeel_engine.kit.independent.world import World

FIELDS: Final = Fields(
    wholes={
        "back": Whole(0, 0, 4),
        "StreamingTrial.splits": Whole(0x8000, 1, 0xFFFF),
        "Assign.alone": Whole(0, 0, 2),
        "Assign.shared": Whole(1, 0, 2),
    },
    reals={"scalableTopicLoadReportRateChangeThreshold": World.real},
)
NOW: Final = 3_600_000
HASHES: Final = 65_536
PAIRED: Final = re.compile("Split|Merge|Max|Min")


def thresholds(maker: Maker) -> dict[str, Any]:
    """Any settings that a controller accepts."""
    draw, values = maker.draw, dict[str, Any]()
    for way in ("In", "Out"):
        for unit, kind in (("Msg", float), ("Bytes", int)):
            split = draw.pick((100, 2_000, 10_000, 1, 3_000_000))
            merge = draw.pick((split // 10, split // 2, split - 1, 0))
            values[f"scalableTopicSplit{unit}Rate{way}Threshold"] = kind(split)
            values[f"scalableTopicMerge{unit}Rate{way}Threshold"] = kind(merge)
    for name in ("SplitCooldown", "MergeCooldown", "MergeWindow"):
        values[f"scalableTopic{name}Seconds"] = draw.pick((60, 300, 0, 3600))
    least = draw.pick((1, 1, 2, 4))
    return {
        **values,
        "scalableTopicAutoScaleEnabled": not draw.chance(0.05),
        "scalableTopicMinSegments": least,
        "scalableTopicMaxSegments": least + draw.pick((0, 1, 3, 60)),
        "scalableTopicMaxDagDepth": draw.pick((10, 0, 1, 2)),
    }


def changes(draw: Draw, initial: int) -> tuple[list[Command], list[int]]:
    """Splits and merges, and the numbers of the segments that are live after them, by hash; seldom
    the first has a single hash.
    """
    live, made, commands = list(range(initial)), initial, list[Command]()
    for _ in range((HASHES // initial - 1).bit_length() if draw.chance(0.05) else 0):
        commands.append(Split(live[0]))
        live[:1] = [made, made + 1]
        made += 2
    for _ in draw.items(8, 0.7):
        place = draw.integer(0, len(live) - 1)
        if draw.chance(0.5) and place + 1 < len(live):
            commands.append(Merge(*live[place : place + 2]))
            live[place : place + 2] = [made]
            made += 1
        else:
            commands.append(Split(live[place]))
            live[place : place + 1] = [made, made + 1]
            made += 2
    return commands, live


def evaluation(maker: Maker) -> dict[str, Any]:
    """Live segments with rates in the region of the thresholds."""
    draw = maker.draw
    initial = draw.integer(1, 8)
    commands, live = changes(draw, initial)
    kind = record_in(maker, "reports")
    reports = tuple(
        kind(number, Rates(*(rate(draw) for _ in range(4))), draw.pick((0, NOW - 300_000, NOW)))
        for number in live
        if draw.chance(0.95)
    )
    last = (None, NOW - 60_000, NOW - 299_999, NOW, 0)
    return {
        "count": initial,
        "history": tuple(commands),
        "reports": reports,
        "consumers": tuple(draw.integer(0, 10) for _ in draw.items(2, 0.5)),
        "now": NOW,
        "last_split": draw.pick(last),
        "last_merge": draw.pick(last),
        "entry": draw.pick((None, entry_buckets(maker, draw.pick(last)))),
    }


def entry_buckets(maker: Maker, last: int | None) -> Any:
    """Buckets of some segments, and of any size."""
    draw = maker.draw
    return record_in(maker, "entry")(
        BucketRules(draw.integer(1, 9), draw.pick((0.0, 50.0, 1000.0)), draw.pick((60, 0, 300))),
        tuple(draw.integer(1, 5) for _ in draw.items(8, 0.8)),
        tuple(draw.chance(0.7) for _ in draw.items(2, 0.8)),
        last,
    )


def rate(draw: Draw) -> float:
    """Mostly little."""
    return draw.pick((0.0, 1.0, 10.0, draw.real(0.0, 100.0), draw.real(0.0, 20_000.0)))


def any_commands(maker: Maker) -> dict[str, Any]:
    """Commands about segments that may exist."""
    draw = maker.draw
    initial = draw.integer(1, 9)
    made, live = changes(draw, initial)
    commands: list[Change] = [*made]
    read = next(one for one in get_args(record_in(maker, "commands")) if not wire_hints(one))
    if draw.chance(0.5):
        commands.insert(0, read())
    if draw.chance(0.5):
        commands.append(Split(live[0]))
    for _ in draw.items(6, 0.6):
        number, other = draw.pick(live), draw.integer(0, initial + len(live))
        wrong: tuple[Command, ...] = (Prune(other), Merge(number, other), Split(other))
        commands.insert(draw.integer(0, len(commands)), draw.pick(wrong))
    most = draw.pick((1, 3, 16))
    for _ in draw.items(4, 0.6) if most > 1 else ():
        change = Rebucket(draw.pick(live), draw.integer(1, most))
        commands.insert(draw.integer(0, len(commands)), change)
    budget = draw.integer(1, 20)
    return {"count": initial, "commands": tuple(commands), "budget": budget, "max_buckets": most}


def consuming(maker: Maker) -> dict[str, Any]:
    """Consumers that come and go while segments change; only what can happen."""
    draw = maker.draw
    initial, most = draw.integer(1, 5), draw.pick((1, 2, 16))
    group = Group(History.of(initial, 4, most))
    commands = list[AssignmentCommand]()
    for _ in draw.items(25, 0.92):
        name, live = draw.pick(("x", "y", "xx", "Y", "10", "9")), group.history.live()
        number = draw.pick(list(group.history.segments))
        possible: tuple[AssignmentCommand, ...] = (
            Connect(name),
            Split(draw.pick(live)),
            Drain(number),
            Drain(min(group.history.segments)),
            Merge(live[0], live[-1]),
            LoseConnection(name),
            Leave(name),
            TimeOut(name),
            TakeOver(),
            Prune(number),
        )
        command = draw.pick(possible)
        if not group.why_not(command):
            group.apply(command)
            commands.append(command)
    return {"count": initial, "commands": tuple(commands), "budget": 4, "max_buckets": most}


def levels(maker: Maker) -> dict[str, Any]:
    """What a namespace and a topic set: of a pair that depends on one another, both or none; or any
    numbers close to 0, or any of the values that are there.
    """
    draw, names = maker.draw, {wire_name(one): one.name for one in fields(ScaleRules)}
    found = dict[str, Any]()
    for level in ("namespace", "topic"):
        values = thresholds(maker)
        pairs = {PAIRED.sub("", name): draw.chance(0.4) for name in values}
        some = {names[name]: values[name] for name in values if pairs[PAIRED.sub("", name)]}
        while draw.chance(0.4):
            name = draw.pick(tuple(values))
            kind, number = type(values[name]), draw.pick((-1, 0, 1, *map(int, values.values())))
            some[names[name]] = kind(number)
        some["split_floor"] = draw.pick((None, 0.0, -0.5, 1000.0))
        some["rebucket_cooldown"] = draw.pick((None, 0, -1, 60))
        found[level] = ScalePolicy(**some)
    most, floor = draw.pick((1, 1024, 0, 65_536, 65_537)), draw.pick((0.0, 500.0, -1.0))
    return {"buckets": draw.pick((None, BucketRules(most, floor, draw.pick((-1, 9))))), **found}


def samples(maker: Maker) -> dict[str, Any]:
    """Rates of any size, of which each is written or not."""
    draw = maker.draw
    sizes = (0.0, 1.0, 100.0, 124.0, 126.0, 80.0, draw.real(0.0, 1e6))
    some = [Rates(*(draw.pick(sizes) for _ in range(4))) for _ in draw.items(12, 0.8)]
    return {"samples": tuple(some), "stored": draw.pick((None, *some))}


def day(maker: Maker) -> dict[str, Any]:
    """Hours of a topic, with any load."""
    draw = maker.draw
    phases = tuple(phase(draw) for _ in draw.items(3, 0.6, 1))
    return {
        "count": draw.integer(1, 6),
        "phases": phases,
        "message_bytes": draw.pick((1024, 1, 0)),
        "fan_out": draw.integer(0, 3),
        "lag": draw.integer(0, 59_999),
        "leaders": tuple(draw.integer(0, 60) for _ in draw.items(1, 0.3)),
        "failing": tuple(draw.integer(0, 60) for _ in draw.items(2, 0.2)),
        "entry": draw.pick((None, hours_of_buckets(maker))),
    }


def hours_of_buckets(maker: Maker) -> Any:
    """A budget of entry buckets, and settings about it."""
    draw = maker.draw
    rules = BucketRules(draw.integer(1, 9), draw.pick((0.0, 50.0, 1000.0)), draw.pick((60, 0, 300)))
    sharing = tuple(draw.chance(0.7) for _ in draw.items(2, 0.8))
    return record_in(maker, "entry")(rules, draw.integer(1, 9), sharing)


def phase(draw: Draw) -> Phase:
    """Some minutes of load on some of the hashes."""
    ends = [sorted((draw.integer(0, 65_535), draw.integer(0, 65_535))) for _ in draw.items(2, 0.4)]
    loads = [Load(start, end, draw.real(0.0, 20_000.0)) for start, end in ends]
    return Phase(
        draw.integer(5, 40),
        (Load(0, 65_535, draw.pick((0.0, 150.0, 2_500.0, draw.real(0.0, 90_000.0)))), *loads),
        tuple(draw.integer(0, 4) for _ in draw.items(2, 0.4)),
    )


def make_client(maker: Maker) -> dict[str, Any]:
    """A layout as splits and merges make it, or partitions; and any keys, or the same few."""
    draw, number = maker.draw, maker.draw.integer(1, 8)
    legacy = draw.chance(0.2)
    history = History.of(number)
    for command in () if legacy else changes(draw, number)[0]:
        history.apply(command)
    segments = tuple(
        KnownSegment(number, one.start, one.end, one.sealed, legacy, () if legacy else equal(draw))
        for number, one in history.segments.items()
    )
    words = [maker.world.name() for _ in range(3)]
    keys = list[str | None]()
    for _ in draw.items(12, 0.9, 1):
        text = "".join(draw.pick("aé€🔑") for _ in draw.items(9))
        keys.append(draw.pick((None, draw.pick(words), text)))
    return {"segments": segments, "keys": tuple(keys)}


def session(maker: Maker) -> dict[str, Any]:
    """What a client is sent while its topic is split and merged: all of it, any part again; the
    first layout comes first.
    """
    draw, number = maker.draw, maker.draw.integer(1, 4)
    history, sent = History.of(number), [updates.show_layout(History.of(number), 0)]
    for command in changes(draw, number)[0]:
        history.apply(command)
        sent.append(updates.show_layout(history, sent[-1].epoch + draw.pick((1, 1, 2**33))))
    commands: list[UpdatesCommand] = [PushLayout(sent[0])]
    for layout in (*sent, *(draw.pick(sent) for _ in draw.items(6))):
        numbers = tuple(one.number for one in layout.segments if draw.chance(0.6))
        assignment = PushAssignment(SentAssignment(layout.epoch, numbers))
        commands += draw.pick(([PushLayout(layout)], [assignment], [SendKey(maker.world.name())]))
    live = [one for one in sent[-1].segments if not one.sealed]
    if len(live) > 1 and draw.chance(0.3):
        lacking = tuple(one for one in sent[-1].segments if one != live[0])
        commands.append(PushLayout(SentLayout(sent[-1].epoch + 1, lacking)))
        commands += [SendKey(str(number)) for number in range(9)]
    return {"commands": tuple(commands)}


def equal(draw: Draw) -> tuple[int, ...]:
    """Where entry buckets of one size begin, but the first."""
    size = HASHES // draw.pick((1, 2, 4, 3, 16))
    return tuple(range(size, HASHES - size + 1, size))


def share(maker: Maker) -> dict[str, Any]:
    """A segment with buckets of one size."""
    return {"starts": (0, *equal(maker.draw))}


def subscribe(maker: Maker) -> dict[str, Any]:
    """Most consumers know the buckets."""
    return {"starts": maker.draw.pick((None,) * 6 + ((), (0, HASHES // 2)))}


SHAPERS: Final[dict[str, Shaper]] = {
    "ScaleRules": thresholds,
    "scaling.assignment/AssignmentTrial": consuming,
    "scaling.decision/DecisionTrial": evaluation,
    "scaling.entries/EntriesTrial": lambda maker: {"splits": equal(maker.draw)},
    "scaling.layout/LayoutTrial": any_commands,
    "scaling.loop/LoopTrial": day,
    "scaling.policy/PolicyTrial": levels,
    "scaling.report/ReportTrial": samples,
    "scaling.routing/RoutingTrial": make_client,
    "scaling.sharing/SharingTrial": share,
    "scaling.sharing/Subscribe": subscribe,
    "scaling.updates/UpdatesTrial": session,
}
