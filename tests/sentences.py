"""Count the words of the specification's sentences: `python -m tests.sentences [FILE ...]`.

A line for each file: sentences, mean length, how many are longer than 30 words; for files that are
named also each of those. Formulas, editions, bases and code are left out. Examples and cells of
tables have the limit of 30 words, too, and do not count for the mean.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

SPEC: Final = Path(__file__).parent.parent / "spec"
LONGEST: Final = 30
HIGHEST_MEAN: Final = 17.0
GENERATED: Final = {"coverage.md"}

NOT_SENTENCES: Final = re.compile(
    r"^(?:```|~~~).*?^(?:```|~~~)|<!--.*?-->|^(?: {4}|>|\||#)[^\n]*"
    r"|^- \*\*(?:Formula|Editions|Basis|Example)[^\n]*(?:\n  [^\n]*)*",
    re.MULTILINE | re.DOTALL,
)
ASIDE: Final = re.compile(r"^\|(.*)\|$|^- \*\*Example:\*\*([^\n]*(?:\n  [^\n]*)*)", re.MULTILINE)
CELL: Final = re.compile(r"(?<!\\)\|")
QUOTATION: Final = re.compile(r"\"[^\"\n]*\"|“[^”\n]*”|`[^`\n]*`|\]\([^)\s]*\)")
END: Final = re.compile(r"(?<=[.?!])[)*_]*(?:\s+|$)|\n(?=\n|- |\d+\. )")
WORD: Final = re.compile(r"[^\W_][\w'’.-]*")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of prose: where it begins, its words, its text."""

    line: int
    words: int
    text: str


def find_sentences(text: str) -> list[Sentence]:
    """Sentences of a Markdown text; a quotation or a piece of code counts as one word."""
    # Line breaks of what is left out stay, so that lines are still counted rightly.
    prose = QUOTATION.sub("Q", NOT_SENTENCES.sub(lambda match: "\n" * match[0].count("\n"), text))
    found: list[Sentence] = []
    start = 0
    for end in [*(match.end() for match in END.finditer(prose)), len(prose)]:
        piece = prose[start:end]
        if words := WORD.findall(piece):
            first = start + len(piece) - len(piece.lstrip())
            line = prose.count("\n", 0, first) + 1
            found.append(Sentence(line, len(words), " ".join(piece.split())))
        start = end
    return found


def find_asides(text: str) -> list[Sentence]:
    """Sentences of examples and of cells of tables."""
    return [
        replace(each, line=text.count("\n", 0, match.start()) + 1)
        for match in ASIDE.finditer(text)
        for cell in CELL.split(match[1] or match[2] or "")
        for each in find_sentences(cell)
    ]


def main(arguments: list[str]) -> int:
    """Print the counts; 1 if a mean or a sentence is too long."""
    paths = [Path(name) for name in arguments] or [
        path
        for path in (*sorted(SPEC.glob("*.md")), SPEC.parent / "docs/live.md")
        if path.name not in GENERATED
    ]
    status = 0
    for path in paths:
        text = path.read_text(encoding="utf-8")
        sentences = find_sentences(text)
        long = [each for each in (*sentences, *find_asides(text)) if each.words > LONGEST]
        mean = sum(each.words for each in sentences) / len(sentences) if sentences else 0.0
        count = f"{len(sentences)} sentences, mean {mean:.1f}, {len(long)} above {LONGEST}"
        lines = [f"{path}:{each.line}: {each.words} words: {each.text}" for each in long]
        sys.stdout.write("\n".join([f"{path.name}: {count}", *(lines if arguments else [])]) + "\n")
        status |= bool(long) or mean > HIGHEST_MEAN
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
