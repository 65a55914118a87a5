"""docs/track-record.md: each known defect upstream, how it was found, its clause, how to see it.

`python -m evenkeel.report.track_record` writes it, of track_record.toml, the cases, and what
`benchmarks/time_to_find.py` measured.
"""

from __future__ import annotations

import json
import shlex
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any, Final

from evenkeel.reference.edition import DOCUMENTED, EDITIONS, LINES
from evenkeel.releases.adapter import lines, version_key
from evenkeel_engine import spec
from evenkeel_engine.check.compare import failed_on
from evenkeel_engine.content import SEVERITIES
from evenkeel_engine.files import write_file
from evenkeel_engine.frame.line import Line
from evenkeel_engine.kit.catalogue import QUESTIONS, clauses_for
from evenkeel_engine.mutation.catalogue import MUTANTS
from evenkeel_engine.stored import cases
from evenkeel_engine.stored.cases import DESCRIBED, StoredCase, decode_case
from evenkeel_engine.subjects.local import ReferenceSubject

PATH: Final = Path(__file__).resolve().parents[2] / "docs" / "track-record.md"
TIMES: Final = PATH.with_suffix(".json")
"""How long each check takes until it finds its defect: `benchmarks/time_to_find.py` writes it."""
BUDGET: Final = 600.0
"""Seconds that a check has."""
SEED: Final = 1
RUN: Final = "adapters/apache-pulsar/run"
ISSUES: Final = "https://github.com/apache/pulsar/issues/"


@dataclass(frozen=True, slots=True)
class Time:
    """After how many trials and seconds a check found what it looks for; or gave up."""

    trials: int
    seconds: float
    found: bool

    @property
    def text(self) -> str:
        """In words."""
        said = f"{self.trials:,} trials, {max(1, round(self.seconds)):,} s"
        return said if self.found else f"not in {said}"


@dataclass(frozen=True, slots=True)
class FirstCheck:
    """A check of a subject against clauses, until one fails."""

    subject: str
    edition: str
    clauses: str
    question: str = ""

    @property
    def command(self) -> str:
        """As it is typed."""
        ids = self.clauses.split()
        departs = all(spec.find_clause(id_).level is spec.Level.SHOULD for id_ in ids)
        words = ["evenkeel", "check", "--subject", self.subject, "--edition", self.edition]
        words += ["--question", self.question] if self.question else []
        words += [word for id_ in ids for word in ("--clause", id_)]
        strict = departs and self.edition == DOCUMENTED.name
        return shlex.join([*words, "--stop-at-first", *(["--strict"] if strict else [])])


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a table."""

    issues: tuple[str, ...]
    title: str
    severity: str
    by: str
    state: str
    introduced: str
    fixed: str
    clause: str
    how: str
    check: FirstCheck | None = None
    """What finds the defect again; its time is measured."""

    def time(self, times: Mapping[str, Time]) -> Time | None:
        """How long its check takes, if that was measured."""
        return times.get(self.check.command) if self.check else None

    def text(self, times: Mapping[str, Time]) -> str:
        """As Markdown."""
        issues = ", ".join(linked(issue) for issue in self.issues) or "none known"
        clause = ", ".join(anchored(id_) for id_ in self.clause.split()) or "—"
        state = self.state or "not known"
        time = found.text if (found := self.time(times)) else "—"
        cells = [issues, self.title, self.severity, self.by, state]
        cells += [self.introduced or "—", self.fixed or "—", clause, time, self.how]
        return f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |"


def linked(issue: str) -> str:
    """An issue of Pulsar's with its address; another repository's stays a name."""
    return f"[{issue}]({ISSUES}{issue[1:]})" if issue.startswith("#") else issue


def anchored(id_: str) -> str:
    """A clause with its chapter."""
    return f"[{id_}](../spec/{spec.find_clause(id_).chapter}.md)"


@cache
def data() -> dict[str, Any]:
    """What was written down of defects upstream."""
    text = files("evenkeel.report").joinpath("track_record.toml").read_text("utf-8")
    return tomllib.loads(text)


def serving(mutant: str, clauses: str) -> FirstCheck:
    """The check of the reference with a mutant in it, which breaks these clauses."""
    [found] = [one for one in MUTANTS if one.name == mutant]
    subject = f"python -m evenkeel_engine.subjects.serve --mutant {mutant}"
    return FirstCheck(subject, found.edition.name, clauses)


def finding(one: StoredCase, clause: str) -> FirstCheck:
    """The check that looks for what a case shows, in what showed it."""
    return FirstCheck(subject_of(one), one.edition, clause, one.question)


def subject_of(one: StoredCase) -> str:
    """What showed a case: the reference of an edition, or the oldest release that did."""
    if one.observed_by.startswith("the reference"):
        return f"reference:{next(name for name in one.shown.by if name in EDITIONS)}"
    seen = observed_in(one)
    line = "" if seen in ([], [lines()[0]]) else f" --pulsar {seen[0]}"
    return f"{RUN}{line}{option_of(one)}"


def option_of(one: StoredCase) -> str:
    """The option for the dispatcher, or the shedder by its class, that showed a case and is named
    after its release; if it is none of the adapter's own.
    """
    named = [name.split()[2:] for name in one.shown.by if name.startswith("apache-pulsar ")]
    word = next((words[0] for words in named if words), "")
    option = "shedder" if "." in word else "dispatcher"
    return f" --{option} {word}" if word else ""


def replaying(name: str, one: StoredCase) -> str:
    """The command that replays a case."""
    subject = subject_of(one)
    words = [] if subject.startswith("reference:") else ["--subject", subject]
    return f"`{shlex.join(['evenkeel', 'replay', name, *words])}`"


def known(written: dict[str, Any]) -> Iterator[Row]:
    """Defects that were reported, or seen in the code, up to 4.0."""
    for one in written["known"]:
        state = one["state"]
        if state == "fixed" and one["fixed_by"]:
            state = f"fixed by {', '.join(one['fixed_by'])}"
        check = serving(one["mutant"], one["clause"]) if "mutant" in one else None
        yield row(one, "users" if one["issues"] else "reading the code", state, check=check)


def later(written: dict[str, Any]) -> Iterator[Row]:
    """Defects that were reported since."""
    shipped = named()
    for one in written["later"]:
        how, span = "", ("", "")
        check = FirstCheck(**one["check"]) if "check" in one else None
        if "case" in one:
            case = shipped[one["case"]]
            how = replaying(one["case"], case)
            check = check or finding(case, one["clause"])
            span = span_of(shown_in(case, one["clause"]))
        elif "mutant" in one:
            check = serving(one["mutant"], one["clause"])
        elif "recorded" in one:
            how = f"`evenkeel operate trace counterexamples/recorded-clusters/{one['recorded']}`"
        yield row(one, "users", one["state"], how, check, span)


def row(
    one: dict[str, Any],
    by: str,
    state: str,
    how: str = "",
    check: FirstCheck | None = None,
    span: tuple[str, str] = ("", ""),
) -> Row:
    """The row of what was written down; what it says of releases counts before `span`."""
    how = how or (f"`{check.command}`" if check else f"**not expressible:** {one['why_not']}")
    note = f" {one['note']}" if "note" in one else ""
    introduced = one.get("introduced_in", span[0])
    fixed = one.get("fixed_in", span[1])
    issues, clause = tuple(one["issues"]), one.get("clause", "")
    title, severity = one["title"], one["severity"]
    return Row(issues, title, severity, by, state, introduced, fixed, clause, how + note, check)


def found_here(written: dict[str, Any]) -> Iterator[Row]:
    """What is shown of releases by a case."""
    for name, one in of_releases():
        own = {"issues": (), "title": one.title, "severity": one.find_note("severity")}
        said = {**own, **written["upstream"].get(name, {}), "clause": one.clause}
        span = span_of(shown_in(one, one.clause))
        how, check = replaying(name, one), finding(one, one.clause)
        yield row(said, said.get("by", "evenkeel"), said.get("state", ""), how, check, span)


def of_releases() -> Iterator[tuple[str, StoredCase]]:
    """The cases, with their ids, in which a release does not do what its documents promise."""
    for name, one in named().items():
        if one.kind in ("divergence", "found") and is_of_a_release(one):
            yield name, one


def is_of_a_release(one: StoredCase) -> bool:
    """Whether a release shows a case."""
    own = any(line.name in one.shown.by for line in releases().values())
    return bool((own and one.edition == DOCUMENTED.name) or observed_in(one) or option_of(one))


def observed_in(one: StoredCase) -> list[str]:
    """The releases whose own classes showed a case, in ascending order."""
    return [release for release in releases() if f"apache-pulsar {release}" in one.shown.by]


def releases() -> dict[str, Line]:
    """The edition of each release, in ascending order."""
    released = [line for line in LINES.values() if line.release]
    return {one.release: one for one in sorted(released, key=lambda o: version_key(o.release))}


def shown_in(one: StoredCase, clause: str) -> dict[str, bool]:
    """Whether each release that has the question violates the clause on a case's trial."""
    if not one.is_violation:
        return {}
    question, (trial, _) = QUESTIONS[one.question], decode_case(one)
    shown = {}
    for release, line in releases().items():
        edition = EDITIONS[line.name]
        if clauses_for(question.name, edition):
            failed = failed_on(ReferenceSubject(edition), question, trial, EDITIONS[one.edition])
            shown[release] = any(verdict.clause == clause for verdict in failed)
    return shown


def span_of(shown: dict[str, bool]) -> tuple[str, str]:
    """The first release that shows a defect, and those with which it went, of these in order."""
    asked = list(shown)
    first = next((release for release in asked if shown[release]), "")
    gone = [
        release + (f" (not in {', '.join(again)})" if again else "")
        for before, release in pairwise(asked)
        if shown[before] and not shown[release]
        for again in [[r for r in asked[asked.index(release) :] if shown[r]]]
    ]
    older = " or before" if first == next(iter(releases())) else ""
    return first + older, ", ".join(gone)


@cache
def named() -> dict[str, StoredCase]:
    """The described cases by id."""
    return {one.id: one for one in cases.read_stored_cases(DESCRIBED)}


def measured() -> dict[str, Time]:
    """The times that were measured, by command."""
    return {check: Time(**one) for check, one in json.loads(TIMES.read_text("utf-8")).items()}


def table(title: str, says: str, rows: Iterable[Row], times: Mapping[str, Time]) -> str:
    """A heading, a sentence and a table."""
    columns = data()["columns"]
    head = f"| {' | '.join(columns)} |\n|{'---|' * len(columns)}"
    return f"\n## {title}\n\n{says}\n\n{head}\n" + "\n".join(r.text(times) for r in rows) + "\n"


@cache
def tables() -> tuple[list[Row], list[Row], list[Row]]:
    """Reported before 4.0, reported since, and shown by a case."""
    written = data()
    return list(known(written)), list(later(written)), list(found_here(written))


def document() -> str:
    """The whole text."""
    (before, since, ours), times = tables(), measured()
    every = overall([*before, *since, *ours], times)
    promised = "Where a release does not do what its documents promise; each case replays."
    numbers = (timed(since, times), counted(before, since, ours), every)
    return (
        "\n".join((data()["head"], *(f"{text}\n" for text in numbers)))
        + str(data()["method"]).format(releases=", ".join(releases()))
        + table("Reported since 2024-10", "After the line 4.0 began.", since, times)
        + table("Shown by a case", promised, ours, times)
        + table("Reported before", "Each is a mutant of the reference.", before, times)
        + uncounted(data())
    )


def uncounted(written: dict[str, Any]) -> str:
    """What was looked at and is no defect of a release, in a table."""
    rows = [
        f"| {', '.join(linked(issue) for issue in one['issues'])} | {one['title']} | {one['why']} |"
        for one in written["uncounted"]
    ]
    head = "\n## Looked at, and not counted\n\n| issue | what it says | why it is not counted |"
    return "\n".join([head, "|---|---|---|", *rows]) + "\n"


def counted(before: Sequence[Row], since: Sequence[Row], ours: Sequence[Row]) -> str:
    """How many defects can be expressed."""
    reported = [*before, *since]
    sayable, recent = (
        sum("not expressible" not in r.how for r in rows) for rows in (reported, since)
    )
    first = sum(row.by == "evenkeel" for row in ours)
    return (
        f"Of {len(reported)} defects that others reported or that were found in the code, {sayable} can "
        f"be expressed by the clauses, and are detected; {len(reported) - sayable} cannot, with the "
        f"reason. Of {len(since)} reported since 2024-10, {recent} can. In {len(ours)} places a release does not do what its documents promise, each shown by "
        f"a case; of {first} of them no issue was found."
    )


def timed(since: Sequence[Row], times: Mapping[str, Time]) -> str:
    """How many of those reported since are found, and why the others are not."""
    looked = [(row.check, time.found) for row in since if row.check and (time := row.time(times))]
    found, missed = (sum(hit is expected for _, hit in looked) for expected in (True, False))
    shipped = sum(hit and check.subject.startswith(RUN) for check, hit in looked)
    ran = sum("operate trace" in row.how for row in since)
    unsaid = sum("not expressible" in row.how for row in since)
    return (
        f"**{found} of the {len(since)} defects that were reported since 2024-10 are found by `evenkeel check` within ten minutes**, {shipped} in Pulsar's own classes and the others in the reference with the defect put in. "
        f"Of the others, {missed} were looked for and not found, {ran} were seen in runs of clusters alone (`operate live`), which no trial draws, and {unsaid} are not expressible, each with the reason."
    )


def overall(rows: Sequence[Row], times: Mapping[str, Time]) -> str:
    """How long it takes in general, and how grave the defects are."""
    checks = {row.check.command for row in rows if row.check}
    own = [times[check] for check in sorted(checks) if check in times]
    found = [one for one in own if one.found]
    trials, seconds = (round(median(getattr(t, k) for t in found)) for k in ("trials", "seconds"))
    grave = ", ".join(f"{sum(r.severity == name for r in rows)} {name}" for name in SEVERITIES)
    return (
        f"Of all {len(own)} checks {len(found)} find their clause violated within ten minutes, half of them within {trials:,} trials and {seconds:,} s. "
        f"By severity: {grave}."
    )


if __name__ == "__main__":
    write_file(PATH, document())
