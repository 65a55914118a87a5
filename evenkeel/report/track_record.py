"""docs/track-record.md: each known defect upstream, how it was found, its clause, how to see it.

`python -m evenkeel.report.track_record` writes it, of track_record.toml and the cases.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from evenkeel import spec
from evenkeel.harness import cases
from evenkeel.harness.cases import DESCRIBED, Case, decoded
from evenkeel.harness.compare import failed_on, span_of
from evenkeel.harness.subjects.local import ReferenceSubject
from evenkeel.harness.subjects.pulsar import lines, version_key
from evenkeel.mutation.catalogue import MUTANTS
from evenkeel.properties.catalogue import QUESTIONS, clauses_for
from evenkeel.reference.edition import DOCUMENTED, EDITIONS, LINES, PULSAR_4_0
from evenkeel.reference.editions.line import Line

PATH: Final = Path(__file__).resolve().parents[2] / "docs" / "track-record.md"
ISSUES: Final = "https://github.com/apache/pulsar/issues/"
HEAD: Final = """\
# Track record

What is known of defects in Apache Pulsar's load balancing and dispatch throttling, and whether this specification can say them. Written by
`python -m evenkeel.report.track_record`; nothing here is edited by hand. The idea is that of etcd's robustness tests.

*Found by*: users, where an issue came first, or evenkeel. *Releases*: of {releases}, those with the question whose edition violates the clause on the case's trial (5.0.1 was asked about scaling alone); an edition is the reference with
all that a release does otherwise. Releases between them were not looked at. Commands run from the repository; those with `adapters/apache-pulsar/run` need the adapter (`make adapter`) and show the defect in Pulsar's own classes. The others show it in the reference with that defect put in.
"""


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a table."""

    issues: tuple[str, ...]
    title: str
    by: str
    state: str
    clause: str
    how: str
    releases: str = ""

    @property
    def text(self) -> str:
        """As Markdown."""
        issues = ", ".join(linked(issue) for issue in self.issues) or "none known"
        clause = ", ".join(anchored(id_) for id_ in self.clause.split()) or "—"
        state = self.state or "not known"
        cells = [issues, self.title, self.by, state, self.releases or "—", clause, self.how]
        return f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |"


def linked(issue: str) -> str:
    """An issue of Pulsar's with its address; another repository's stays a name."""
    return f"[{issue}]({ISSUES}{issue[1:]})" if issue.startswith("#") else issue


def anchored(id_: str) -> str:
    """A clause with its chapter."""
    return f"[{id_}](../spec/{spec.clause(id_).chapter}.md)"


def data() -> dict[str, Any]:
    """What was written down of defects upstream."""
    text = files("evenkeel.report").joinpath("track_record.toml").read_text("utf-8")
    return tomllib.loads(text)


def serving(mutant: str, clauses: str) -> str:
    """The command that checks the reference with a mutant in it, which breaks these clauses."""
    [found] = [one for one in MUTANTS if one.name == mutant]
    subject = f"python -m evenkeel.harness.subjects.serve --mutant {mutant}"
    departs = all(spec.clause(id_).level is spec.Level.SHOULD for id_ in clauses.split())
    strict = " --strict" if departs and found.edition is DOCUMENTED else ""
    return (
        f"`evenkeel check --subject '{subject}' --edition {found.edition.name} "
        f"--chapter {found.chapter} --stop-at-first{strict}`"
    )


def replaying(name: str, one: Case) -> str:
    """The command that replays a case."""
    command = f"evenkeel replay {name}"
    if one.observed_by.startswith("the reference"):
        return f"`{command}`"
    seen = observed_in(one)
    if seen in ([], [lines()[0]]):
        return f"`{command} --subject adapters/apache-pulsar/run`"
    return f"`{command} --subject 'adapters/apache-pulsar/run --pulsar {seen[0]}'`"


def known(written: dict[str, Any]) -> Iterator[Row]:
    """Defects that were reported, or seen in the code, up to 4.0."""
    for one in written["known"]:
        state = one["state"]
        if state == "fixed" and one["fixed_by"]:
            state = f"fixed by {', '.join(one['fixed_by'])}"
        how = serving(one["mutant"], one["clause"]) if "mutant" in one else not_said(one)
        by = "users" if one["issues"] else "reading the code"
        yield Row(tuple(one["issues"]), one["title"], by, state, one.get("clause", ""), how)


def later(written: dict[str, Any]) -> Iterator[Row]:
    """Defects that were reported since."""
    shipped = named()
    for one in written["later"]:
        seen = ""
        if "case" in one:
            how = replaying(one["case"], shipped[one["case"]])
            seen = releases_of(shipped[one["case"]], one["clause"])
        elif "mutant" in one:
            how = serving(one["mutant"], one["clause"])
        elif "recorded" in one:
            how = f"`evenkeel operate trace counterexamples/recorded-clusters/{one['recorded']}`"
        else:
            how = not_said(one)
        note = f" {one['note']}" if "note" in one else ""
        clause = one.get("clause", "")
        issues = tuple(one["issues"])
        yield Row(issues, one["title"], "users", one["state"], clause, how + note, seen)


def not_said(one: dict[str, Any]) -> str:
    """Why a defect is not expressible."""
    return f"**not expressible:** {one['why_not']}"


def found_here(written: dict[str, Any]) -> Iterator[Row]:
    """What is shown of releases by a case."""
    for name, one in named().items():
        if one.kind not in ("divergence", "found") or not is_of_a_release(one):
            continue
        said = written["upstream"].get(name, {})
        by, state = said.get("by", "evenkeel"), said.get("state", "")
        issues, how = tuple(said.get("issues", ())), replaying(name, one)
        yield Row(issues, one.title, by, state, one.clause, how, releases_of(one, one.clause))


def is_of_a_release(one: Case) -> bool:
    """Whether a release shows a case."""
    return PULSAR_4_0.name in one.shown.by or bool(observed_in(one))


def observed_in(one: Case) -> list[str]:
    """The releases whose own classes showed a case, in ascending order."""
    return [release for release in releases() if f"apache-pulsar {release}" in one.shown.by]


def releases() -> dict[str, Line]:
    """The edition of each release, in ascending order."""
    released = (line for line in LINES.values() if line.release)
    return {
        line.release: line for line in sorted(released, key=lambda one: version_key(one.release))
    }


def releases_of(one: Case, clause: str) -> str:
    """Since and until when releases violate a clause on a case's trial, in words."""
    if not one.is_violation:
        return ""
    question, (trial, _) = QUESTIONS[one.question], decoded(one)
    shown: dict[str, float] = {}
    for release, line in releases().items():
        edition = EDITIONS[line.name]
        if line.knows(question.name) and clauses_for(question.name, edition):
            failed = failed_on(ReferenceSubject(edition), question, trial, EDITIONS[one.edition])
            shown[release] = float(any(verdict.clause == clause for verdict in failed))
    return span_of(list(shown.values()), list(shown))


def named() -> dict[str, Case]:
    """The described cases by id."""
    return {one.id: one for one in cases.stored(DESCRIBED)}


def table(title: str, says: str, rows: Iterable[Row]) -> str:
    """A heading, a sentence and a table."""
    lines = [row.text for row in rows]
    head = (
        "| issue | defect | found by | upstream | releases | clause | one command |\n"
        "|---|---|---|---|---|---|---|"
    )
    return f"\n## {title}\n\n{says}\n\n{head}\n" + "\n".join(lines) + "\n"


def document() -> str:
    """The whole text."""
    written = data()
    before, since, ours = list(known(written)), list(later(written)), list(found_here(written))
    reported = before + since
    sayable, recent = (
        sum("not expressible" not in r.how for r in rows) for rows in (reported, since)
    )
    first = sum(row.by == "evenkeel" for row in ours)
    summary = (
        f"\nOf {len(reported)} defects that others reported or that were found in the code, {sayable} can "
        f"be expressed by the clauses, and are detected; {len(reported) - sayable} cannot, with the "
        f"reason. Of {len(since)} reported since 2024-10, {recent} can. In {len(ours)} places a release does not do what its documents promise, each shown by "
        f"a case; of {first} of them no issue was found.\n"
    )
    return (
        HEAD.format(releases=", ".join(releases()))
        + summary
        + table("Reported since 2024-10", "After the line 4.0 began.", since)
        + table(
            "Shown by a case",
            "Where a release does not do what its documents promise; each case replays.",
            ours,
        )
        + table("Reported before", "Each is a mutant of the reference.", before)
    )


if __name__ == "__main__":
    PATH.write_text(document(), encoding="utf-8")
