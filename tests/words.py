"""Refuse private words: `python -m tests.words [PATH ...]`, which `make lint` runs.

The list is tests/words.toml. Each hit is a line with file, line, word and what to write instead;
exit status 1 if there are any. Paths that are named are checked even if the list leaves them out.
"""

from __future__ import annotations

import io
import re
import subprocess
import sys
import tokenize
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatch
from functools import cache
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).parent.parent
LIST: Final = Path(__file__).with_suffix(".toml")

PART: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
"""A word of an identifier."""
NOT_PROSE: Final = re.compile(
    r"^(?:```|~~~).*?^(?:```|~~~)|<!--.*?-->|`[^`\n]*`|^(?: {4}|>)[^\n]*|\"[^\"]*?\"|“[^”]*?”"
    r"|\]\([^)\s]*\)|^\[[^\]]+\]:[^\n]*",
    re.MULTILINE | re.DOTALL,
)
"""Code, comments, quotations and addresses in Markdown."""


@dataclass(frozen=True, slots=True)
class Words:
    """The list. `allowed`: by word the patterns of files in which it is right."""

    unchecked: list[str]
    words: dict[str, str]
    phrases: dict[str, str]
    allowed: dict[str, list[str]] = field(default_factory=dict)

    def covers(self, path: str) -> bool:
        """Whether a file is held to the list."""
        return not any(fnmatch(path, pattern) for pattern in self.unchecked)

    def instead(self, word: str) -> str:
        """What to write in place of a word or phrase."""
        return self.words.get(word) or self.phrases[word]

    def in_text(self, text: str) -> Iterator[tuple[str, int]]:
        """Listed words and phrases in prose, with their offsets."""
        for found in pattern_of((*self.phrases, *self.words)).finditer(text):
            yield " ".join(re.split(r"[\s#]+", found[0].lower())), found.start()

    def in_name(self, name: str) -> Iterator[str]:
        """Listed words in an identifier."""
        yield from (part for part in map(str.lower, PART.findall(name)) if part in self.words)


@cache
def pattern_of(words: tuple[str, ...]) -> re.Pattern[str]:
    """A pattern of whole words; a blank in a phrase may be a line break, also in a comment."""
    either = "|".join(re.escape(word).replace(r"\ ", r"[\s#]+") for word in words)
    return re.compile(rf"(?<![\w-])(?:{either})(?![\w-])", re.IGNORECASE)


def in_python(words: Words, source: str) -> Iterator[tuple[int, str]]:
    """Listed words in names, comments, and strings with a blank, with their lines.

    Comments of adjacent lines are one text, so that a phrase may be broken between them.
    """
    if not any(words.in_text(source)) and not any(word in source.lower() for word in words.words):
        return  # most files: reading tokens takes long
    comments: list[tuple[int, str]] = []
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        line = token.start[0]
        if token.type == tokenize.NAME:
            yield from ((line, word) for word in words.in_name(token.string))
        elif token.type == tokenize.COMMENT:
            if comments and line == comments[-1][0] + 1:
                comments.append((line, token.string))
                continue
            yield from in_comments(words, comments)
            comments = [(line, token.string)]
        elif token.type == tokenize.STRING and " " in token.string:
            for word, at in words.in_text(token.string):
                yield line + token.string.count("\n", 0, at), word
    yield from in_comments(words, comments)


def in_comments(words: Words, comments: list[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Listed words in adjacent lines of comments."""
    text = "\n".join(comment for _, comment in comments)
    for word, at in words.in_text(text):
        yield comments[0][0] + text.count("\n", 0, at), word


def in_markdown(words: Words, source: str) -> Iterator[tuple[int, str]]:
    """Listed words in prose, outside code and quotations, with their lines."""
    prose = NOT_PROSE.sub(lambda found: re.sub(r"[^\n]", "\0", found[0]), source)
    for word, at in words.in_text(prose):
        yield prose.count("\n", 0, at) + 1, word


READERS: Final[dict[str, Any]] = {".py": in_python, ".md": in_markdown}


def hits(words: Words, path: str) -> Iterator[str]:
    """A sentence for each listed word in a file."""
    source = (ROOT / path).read_text("utf-8")
    for line, word in sorted(set(READERS[Path(path).suffix](words, source))):
        if not any(fnmatch(path, pattern) for pattern in words.allowed.get(word, ())):
            yield f"{path}:{line}: {word}: write {words.instead(word)} (tests/words.toml)"


def files() -> list[str]:
    """All files of the repository that are Python or Markdown, links left out."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.py", "*.md"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    paths = [path for path in done.stdout.splitlines() if (ROOT / path).is_file()]
    return [path for path in paths if not (ROOT / path).is_symlink()]


def main(named: list[str]) -> int:
    """Print the hits; the exit status."""
    words = Words(**tomllib.loads(LIST.read_text("utf-8")))
    chosen = [p for p in files() if any(p.startswith(name) for name in named) or not named]
    found = [hit for path in chosen if named or words.covers(path) for hit in hits(words, path)]
    print("\n".join(found or ["no private words"]))  # noqa: T201
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
