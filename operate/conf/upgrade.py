"""What an upgrade from one release to another changes for a configuration.

Defaults (shipped.toml), decisions (the switches in which the editions differ), promises (the
verdicts of docs/conformance.json) and what the configuration itself breaks.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import Field, dataclass, fields, replace
from enum import Enum
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, Final

from evenkeel.operate.conf.conf import CLASSES, Conf
from evenkeel.operate.conf.readers import SHEDDERS, SHEDS, list_others
from evenkeel.operate.conf.shipped import edition_of, find_nearest, path_between
from evenkeel.operate.conf.trials import STRATEGY_QUESTIONS
from evenkeel.operate.operating import advice
from evenkeel.operate.operating.expected import moves_now
from evenkeel.operate.operating.snapshot import BadSnapshot, SetTo, Snapshot
from evenkeel.reference.edition import EDITIONS, LINES, Edition
from evenkeel_engine.check.worked_examples import resolve_place
from evenkeel_engine.frame.clauses import STATED
from evenkeel_engine.frame.line import Change
from evenkeel_engine.kit import catalogue

CONFORMANCE: Final = Path(__file__).resolve().parents[2] / "docs/conformance.json"
SUBJECT: Final = "apache-pulsar "
"""How the columns of releases begin."""
MINUTES: Final = 120
"""How far a cluster is simulated."""
KEPT: Final = "holds"
BROKEN: Final = ("violated", "departed")
DEFAULT_CLAUSES: Final = ("BAL-20", "BAL-21")
PLACEMENTS: Final[Mapping[str, str]] = CLASSES["questions"]["placements"]
OF_MANAGERS: Final[Mapping[str, Sequence[str]]] = CLASSES["questions"]["managers"]
OF_SETTINGS: Final[Mapping[str, Mapping[str, str]]] = CLASSES["questions"]["settings"]
ISOLATION: Final = "isolation"
LOOP: Final = "balancing.loop"
SCALABLE: Final = "scalableTopicsEnabled"
DEFAULTS: Final = frozenset({"balancing.defaults", "throttling.default"})
"""The questions about defaults, which are reported setting by setting."""
NARROWER: Final[Mapping[str, Callable[[Conf], bool]]] = {
    "avg_shedder_by_default": lambda conf: conf.manager == "modular" and not conf.sets(SHEDS),
    "lone_planned_placement_replaced": lambda conf: conf.is_plan_alone,
    "planned_placement_refused": lambda conf: conf.placement == "AvgShedder",
    "unknown_shedder_replaced": lambda conf: bool(conf.sheds) and conf.sheds not in SHEDDERS,
    "modular_usage_unweighted": lambda conf: conf.manager == "modular",
    "extensible_needs_a_cut": lambda conf: conf.manager == "extensible",
    "policies_name_ports": lambda conf: is_run(ISOLATION, conf),
    "versions_in_32_bits": lambda conf: conf.flag("preferLaterVersions"),
    "builds_make_newer": lambda conf: conf.flag("preferLaterVersions"),
}
"""By switch: the configurations that it is about, where its questions are about more."""


@dataclass(frozen=True, slots=True)
class DefaultChange:
    """A setting of which the releases differ; None: it is no setting there. `set_to`: what the
    file sets, "" for nothing. `applies`: whether the file leaves it to the release, or sets what
    one of them does not read, and something that runs reads it.
    """

    key: str
    before: str | None
    after: str | None
    set_to: str
    applies: bool

    @property
    def sentence(self) -> str:
        """What changes by default, and whether the file sets it."""
        before, after = self.before or '""', self.after or '""'
        if self.before is None:
            read = f", and so is read now: {self.set_to}" if self.set_to else ""
            return f"{self.key} is new, {after} by default{read}"
        if self.after is None:
            return f"{self.key} is no setting any more{', and is set' if self.set_to else ''}"
        if self.set_to:
            return f"{self.key}: default {before} becomes {after}; {self.set_to} is set and stays"
        return f"{self.key} is not set and changes from {before} to {after}"


@dataclass(frozen=True, slots=True)
class Decision:
    """A switch in which the editions differ, and what is known of it."""

    switch: str
    sentence: str
    source: str
    since: str
    until: str
    questions: tuple[str, ...]
    clauses: tuple[str, ...]
    applies: bool


@dataclass(frozen=True, slots=True)
class Promise:
    """A clause of which the releases have other verdicts. `shown`: how it is broken, if it is."""

    clause: str
    before: str
    after: str
    shown: tuple[str, ...]
    applies: bool

    @property
    def is_kept(self) -> bool:
        """Whether the newer release keeps it."""
        return self.after == KEPT


# ------------------------------------------------------------------------------ defaults


def changed_defaults(before: Conf, after: Conf) -> list[DefaultChange]:
    """The settings of which the releases differ."""
    keys = sorted(before.defaults.keys() | after.defaults.keys())
    pairs = ((key, before.defaults.get(key), after.defaults.get(key)) for key in keys)
    return [
        DefaultChange(
            key,
            old,
            new,
            set_to := after.values.get(key, ""),
            bool(set_to) is (None in (old, new))
            and not (list_others(before, key) and list_others(after, key)),
        )
        for key, old, new in pairs
        if old != new
    ]


# ------------------------------------------------------------------------------ decisions


def changed_decisions(one: str, other: str, confs: Sequence[Conf]) -> list[Decision]:
    """The switches that the editions have otherwise, but for defaults, and whether they matter to
    this file, as either release reads it; those about what the file chooses first.
    """
    before, after = EDITIONS[one], EDITIONS[other]
    changes = [change for name in path_between(one, other) for change in LINES[name].changes]
    known = {change.switch: change for change in changes}
    found = [
        decision_of(field, known[field.name], (before, after), confs)
        for field in fields(Edition)
        if field.metadata
        and getattr(before, field.name) != getattr(after, field.name)
        and not DEFAULTS.issuperset(known[field.name].questions)
    ]
    return sorted(found, key=lambda one: not any(map(is_own, one.questions)))


def decision_of(
    field: Field[Any], change: Change, editions: tuple[Edition, Edition], confs: Sequence[Conf]
) -> Decision:
    """What a switch decides from now on, and whether that matters to this file."""
    before, value = (getattr(one, field.name) for one in editions)
    sentence = field.metadata["sentence"]
    if isinstance(value, Enum):
        begins = f"{before.value} until now, {value.value} from now on"
    else:
        begins = "now" if value else "no longer"
    return Decision(
        field.name,
        f"{begins}: {sentence}",
        change.source,
        change.since,
        change.until,
        change.questions,
        clauses_of(field.name),
        any(map(NARROWER.get(field.name, lambda conf: True), confs))
        and any(
            concerns(question, confs)
            for question in (
                tuple(name for name in change.questions if name != LOOP) or change.questions
            )
        ),
    )


@cache
def clauses_of(switch: str) -> tuple[str, ...]:
    """The clauses of the reference's functions that read a switch."""
    list(catalogue.find_judges())  # imports the whole reference, so that all functions are noted
    return tuple(
        id_
        for id_, places in sorted(STATED.items())
        if any(f".{switch}" in source_of(place) for place in places)
    )


@cache
def source_of(place: str) -> str:
    """The source of a function of the reference, named as `module:name`."""
    return inspect.getsource(resolve_place(place.removeprefix("evenkeel.reference.")))


def concerns(question: str, confs: Sequence[Conf]) -> bool:
    """Whether what a question is about runs with one of these configurations."""
    if question.startswith("scaling.") and not all(SCALABLE in conf.defaults for conf in confs):
        return False  # a cluster of the older release has no scalable topic
    return any(is_run(question, conf) for conf in confs)


def is_own(question: str) -> bool:
    """Whether it is about what a file chooses: a strategy, a placement or a manager."""
    own = chain(STRATEGY_QUESTIONS.values(), PLACEMENTS.values(), *OF_MANAGERS.values())
    return question in (*own, "balancing.strategy")


def is_run(question: str, conf: Conf) -> bool:
    """Whether it runs with this one, and the file says so where a release runs it for some."""
    for_some = OF_SETTINGS.get(question, {})
    set_to = {
        key: (conf.values.get(key), conf.defaults.get(key, no)) for key, no in for_some.items()
    }
    if for_some and not any(value not in (None, "", usual) for value, usual in set_to.values()):
        return False
    if question in STRATEGY_QUESTIONS.values():
        return STRATEGY_QUESTIONS.get(conf.sheds) == question
    if question in PLACEMENTS.values():
        return PLACEMENTS.get(conf.places) == question
    return all(conf.manager == one for one, own in OF_MANAGERS.items() if question in own)


# ------------------------------------------------------------------------------ promises


def read_conformance(path: Path = CONFORMANCE) -> Mapping[str, Any] | None:
    """What `evenkeel compare` found; None without a file."""
    if not path.is_file():
        return None
    found: Mapping[str, Any] = json.loads(path.read_text("utf-8"))
    return found


def find_release_columns(data: Mapping[str, Any]) -> dict[str, int]:
    """The columns of Pulsar's releases."""
    names = [one["name"] for one in data["subjects"]]
    return {
        name.removeprefix(SUBJECT): at for at, name in enumerate(names) if name.startswith(SUBJECT)
    }


def changed_promises(
    data: Mapping[str, Any], one: str, other: str, confs: Sequence[Conf]
) -> Iterator[Promise]:
    """The clauses that hold in one of two releases, and are broken in the other."""
    columns = find_release_columns(data)
    old, new = (find_nearest(release, columns) for release in (one, other))
    for clause, verdicts in data["clauses"].items():
        before, after = verdicts[columns[old]], verdicts[columns[new]]
        if {before, after} & {KEPT} and {before, after} & set(BROKEN):
            at = new if after in BROKEN else old
            shown = [
                finding
                for finding in data["findings"]
                if finding["clause"] == clause and f"{SUBJECT}{at}" in finding["shown_by"]
            ]
            own = [finding for finding in shown if is_about(finding, confs)]
            texts = tuple(finding["sentence"] for finding in own or shown)
            yield Promise(clause, before, after, texts, bool(own))


def is_about(finding: Mapping[str, Any], confs: Sequence[Conf]) -> bool:
    """Whether what was found concerns this file: of a default, whether the file leaves it so."""
    question, asked = finding["question"], finding.get("trial", {})
    if question in DEFAULTS:
        keys = asked.get("keys") or [asked["key"]]
        return any(not conf.values.get(key) for conf in confs for key in keys)
    if asked.get("policies") and not concerns(ISOLATION, confs):
        return False
    if question != "balancing.strategy":
        return concerns(question, confs)
    return any(
        conf.manager == asked["manager"]
        and (conf.strategy == asked["strategy"] if asked["strategy"] else not conf.sets(SHEDS))
        for conf in confs
    )


def edition_note(release: str) -> str:
    """What is said of a release that no edition is about; "" if there is one."""
    name = edition_of(release)
    if (checked := LINES[name].release) == release:
        return ""
    return f"no edition is about {release}: what it decides is taken from {name} ({checked})"


# ------------------------------------------------------------------------------ a cluster


@dataclass(frozen=True, slots=True)
class Forecast:
    """What a release would do with a cluster: with which strategy, which bundles it moves in the
    round that comes, and what becomes of it.
    """

    release: str
    sheds: str
    moves: tuple[tuple[str, ...], ...]
    verdict: str


def forecast(seen: Snapshot, conf: Conf, path: Path, release: str) -> Forecast | None:
    """A cluster as it was seen, with the configuration in a file instead of its own; None without
    one of the five strategies. Raises `BadSnapshot`.
    """
    if (strategy := advice.CLASSES.get(conf.sheds)) is None:
        return None
    own = tuple(SetTo(key, conf.text(key)) for key in conf.defaults)
    changed = replace(seen, settings=own, source=str(path))
    edition = EDITIONS[edition_of(release)]
    scenario = advice.scenario_of(seen, MINUTES)
    settings = advice.settings_of(changed)
    try:
        moves = tuple(sorted(moves_now(changed, strategy, edition)))
    except ValueError as error:
        raise BadSnapshot(f"{path}: a setting means nothing ({error}).") from error
    run = advice.foresee(scenario, settings, strategy, edition, seen.source)
    return Forecast(release, conf.sheds, moves, run.verdict)
