"""docs/agreement.md: how often each release of Apache Pulsar answers as its edition.

`benchmarks/agreement.py` puts the trials and stores what came of them; `python -m
evenkeel.report.agreement` writes the page.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Final, TypeAlias

from evenkeel.files import write_file
from evenkeel.harness.agreement import OPEN, OTHERWISE, SAME, SKIPPED
from evenkeel.harness.subjects.pulsar import version_key

DATA: Final = Path(__file__).resolve().parents[2] / "docs" / "agreement.json"
AIM: Final = 200_000
"""Trials of a question that each release is to answer, for each generator."""
Counts: TypeAlias = defaultdict[tuple[str, str, str], Counter[str]]
"""By generator, question and release: how many trials came to what."""
HEAD: Final = """\
# Agreement

How often each release of Apache Pulsar answers as the edition that models it. Written by `python -m evenkeel.report.agreement` of what `python benchmarks/agreement.py` counted in [agreement.json](agreement.json); nothing here is edited by hand.

All releases get the same trials: of the generator that each question has (*own*), and of one that knows only the types and limits of trials (*independent*). An answer that is not the reference's is judged by the clauses of the release's edition. Where these leave a choice (a tie, a random destination, the order of a map), it may be another right answer; else a clause objects, and a switch, an adapter or the specification is wrong. A trial is skipped where the release, or its adapter, cannot be asked it. The aim is {aim:,} trials of each question, and nothing open.
"""


def read(path: Path = DATA) -> Counts:
    """What was counted so far."""
    stored = json.loads(path.read_text("utf-8")) if path.exists() else {}
    counts = defaultdict[tuple[str, str, str], Counter[str]](Counter)
    for generator, questions in stored.items():
        for question, releases in questions.items():
            for release, count in releases.items():
                counts[generator, question, release].update(count)
    return counts


def by_question(counts: Counts, generator: str) -> dict[str, dict[str, Counter[str]]]:
    """The counts of a generator by question and release, both in their order."""
    found: dict[str, dict[str, Counter[str]]] = {}
    for key in sorted(counts, key=lambda key: (key[1], version_key(key[2]))):
        if key[0] == generator:
            found.setdefault(key[1], {})[key[2]] = counts[key]
    return found


def generators(counts: Counts) -> list[str]:
    """The generators, the questions' own first."""
    return sorted({generator for generator, _, _ in counts}, reverse=True)


def write(counts: Counts, path: Path = DATA) -> None:
    """Store the counts, a line for each question; a run may be ended at any time."""
    parts = []
    for generator in generators(counts):
        rows = by_question(counts, generator).items()
        lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(row)}" for name, row in rows)
        parts.append(f"{json.dumps(generator)}: {{\n{lines}\n}}")
    write_file(path, "{\n" + ",\n".join(parts) + "\n}\n")


def page(counts: Counts) -> str:
    """The page."""
    return "\n".join([HEAD.format(aim=AIM), *summary(counts), *tables(counts)])


def summary(counts: Counts) -> Iterator[str]:
    """All of it in a few sentences."""
    total = sum(counts.values(), Counter[str]())
    done = sum(count.total() >= AIM for count in counts.values())
    open_ = ", ".join(f"{total[word]:,} {word}" for word in OPEN)
    yield (
        f"**{total.total():,} trials: {total[SAME]:,} answers as the reference's, "
        f"{total[OTHERWISE]:,} otherwise and right, {total[SKIPPED]:,} skipped, {open_}.** "
        f"{done} of the {len(counts)} fields below have {AIM:,} trials.\n"
    )


def tables(counts: Counts) -> Iterator[str]:
    """For each generator a table of questions and releases."""
    for generator in generators(counts):
        rows = by_question(counts, generator)
        releases = sorted({release for row in rows.values() for release in row}, key=version_key)
        yield f"## The {generator} generator\n"
        yield (
            "Thousands of trials, and the shares that were answered otherwise and skipped; – where "
            "the release lacks what the question is about.\n"
        )
        yield f"| question | {' | '.join(releases)} |"
        yield f"|---|{'---|' * len(releases)}"
        for question, row in rows.items():
            cells = [field(row.get(release, Counter())) for release in releases]
            yield f"| `{question}` | {' | '.join(cells)} |"
        yield ""


def field(count: Counter[str]) -> str:
    """What came of the trials of one question and release."""
    if not (trials := count.total()):
        return "–"
    shares = [
        f"{100 * count[word] / trials:.2g} % {word}" for word in (OTHERWISE, SKIPPED) if count[word]
    ]
    open_ = [f"**{count[word]:,} {word}**" for word in OPEN if count[word]]
    return ", ".join([f"{trials / 1000:g}", *shares, *open_])


if __name__ == "__main__":
    write_file(DATA.with_suffix(".md"), page(read()))
