"""docs/upstream/: the gravest unreported defects of the newest line, ready to be reported.

`python -m evenkeel.report.upstream` writes it, of upstream.toml and the cases. What is proposed is
apart from what was observed, and marked as a proposal.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from evenkeel import spec
from evenkeel.files import write_file
from evenkeel.harness import cases
from evenkeel.harness.cases import DESCRIBED, Case
from evenkeel.harness.subjects.pulsar import lines, version_key
from evenkeel.reference.edition import LINES
from evenkeel.report.issue import parts
from evenkeel.report.parts import Method
from evenkeel.report.testng import JavaTest, java_file, test_of

FOLDER: Final = Path(__file__).resolve().parents[2] / "docs" / "upstream"
CLASSES: Final = ("availability", "balance", "cosmetic")
"""Kinds of effect, the gravest first."""
DOCUMENTS: Final = (
    '(001: the article "Achieving Broker Load Balancing with Apache Pulsar"; 002: the page "Concepts" '
    "of Pulsar's documentation on load balancing.)"
)
HEAD: Final = """\
# Not reported yet

The gravest defects that stand in the newest line of Apache Pulsar's load balancing and throttling for which the adapter is built, and of which no issue or pull request
was found: the gravest first, lost availability before lost balance. Of the chapter scaling that line is 5.0.1. Each folder has a test on Pulsar's own classes, which fails as long as the defect is there, and a text for an issue.
Written by `python -m evenkeel.report.upstream`; nothing here is edited by hand. CI runs the tests on the default line and on the newest.

A text claims no more than was seen. What is expected is a sentence of Pulsar's documents; what could be done is a proposal. *Seen in* are the lines that were tried: earlier
ones were not. Effects of which an issue was known were left out, whatever their cause ([track record](../track-record.md)).

| rank | defect | effect | clause | seen in | test |
|---|---|---|---|---|---|
"""


@dataclass(frozen=True, slots=True)
class Defect:
    """A defect to be reported: its case, what it loses, the lines that have it, and its texts.

    `seen` has versions in ascending order, `tested` those of them on which the test can be
    compiled. `said` has what upstream.toml says besides.
    """

    rank: int
    case: Case
    effect: str
    seen: tuple[str, ...]
    tested: tuple[str, ...]
    test: JavaTest
    said: dict[str, str]


def tried() -> tuple[str, ...]:
    """The adapter's lines that have an edition, in ascending order."""
    can = {one.release for one in LINES.values()}
    return tuple(sorted(can & {*lines()}, key=version_key))


def defects() -> list[Defect]:
    """All of upstream.toml, in the order of their ranks."""
    text = files("evenkeel.report").joinpath("upstream.toml").read_text("utf-8")
    known = {one.id: one for one in cases.stored(DESCRIBED)}
    return [
        defect_of(rank, known[said["case"]], said)
        for rank, said in enumerate(tomllib.loads(text)["defect"], 1)
    ]


def defect_of(rank: int, one: Case, said: dict[str, Any]) -> Defect:
    """A defect of upstream.toml, which says `said` of it."""
    since, needs = (version_key(said.get(key, "0")) for key in ("since", "needs"))
    if "clause" in said:
        one = replace(one, clauses=(said["clause"],))
    if "effect" in said:
        one = replace(one, notes={**one.notes, "effect": said["effect"]})
    if "method" in said:
        by_hand = said.pop("method")
        made = Method(by_hand["package"], tuple(by_hand["imports"]), by_hand["body"])
        test = java_file(one, made)
    else:
        test = test_of(one)
    seen = tuple(line for line in tried() if version_key(line) >= since)
    tested = tuple(line for line in seen if version_key(line) >= needs)
    return Defect(rank, one, said["class"], seen, tested, test, said)


def page(defect: Defect) -> str:
    """The text of an issue."""
    one, said, source = defect.case, defect.said, spec.clause(defect.case.clause).source
    rest = [line for line in tried() if line not in defect.seen]
    texts = {
        **parts(one),
        "**What the documents say.**": f"{source.partition('; PULSAR_')[0]} {DOCUMENTS}",
        "**How it is reached.**": said["reach"],
        "**Shown from end to end.**": said["shown"],
        "**Versions.**": f"{', '.join(defect.seen)} show the stored case when they are asked"
        + (f"; not asked of {', '.join(rest)}" if rest else "")
        + "; other lines were not tried.",
        "**Reproduce.**": f"[{defect.test.name}]({defect.test.name}.java) belongs to "
        f"`{defect.test.path}`, below `src/test/java` of pulsar-broker, or of any module that has "
        "pulsar-broker, TestNG and Mockito on its test class path"
        + (f", as of {defect.tested[0]}" if defect.tested != defect.seen else "")
        + ". "
        f"`{defect.test.method}` fails as long as this is so, with `{said['fails']}`, and passes afterwards.",
        "**Replay.**": f'`evenkeel replay {one.id} --subject "adapters/apache-pulsar/run --pulsar '
        f'{defect.seen[-1]}"`',
        "**A proposal.**": f"{said['mend']} This was not tried.",
        "**Reported before?**": f'No issue or pull request of apache/pulsar was found for "{said["searched"]}".',
    }
    return "\n".join([f"# {one.title}", "", *(f"{head} {text}\n" for head, text in texts.items())])


def overview(all_: list[Defect]) -> str:
    """The table of all."""
    return HEAD + "".join(
        f"| {one.rank} | [{one.case.title}]({one.case.id}/README.md) | {one.effect} "
        f"| [{one.case.clause}](../../spec/{spec.clause(one.case.clause).chapter}.md) "
        f"| {one.seen[0]} to {one.seen[-1]} | [{one.test.name}]({one.case.id}/{one.test.name}.java) |\n"
        for one in all_
    )


def documents() -> dict[Path, str]:
    """Each file with its text."""
    all_ = defects()
    written = {FOLDER / "README.md": overview(all_)}
    for one in all_:
        written[FOLDER / one.case.id / "README.md"] = page(one)
        written[FOLDER / one.case.id / f"{one.test.name}.java"] = one.test.text
    return written


if __name__ == "__main__":
    for path, text in documents().items():
        write_file(path, text, folders=True)
