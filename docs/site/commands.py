"""`python -m docs.site.commands`: writes docs/commands.md, of all commands and their options."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from evenkeel.cli.commands import COMMANDS, command

PAGE: Final = Path(__file__).parent.parent / "commands.md"
WIDTH: Final = 100
HEAD: Final = """\
# Commands

What `--help` prints of every command. Made by `python -m docs.site.commands`; a test holds that it
is current. Exit status of all: 0 all holds, 1 violated, 2 unusable or unknown. Which options may be
in `evenkeel.toml`: [evenkeel in CI](how-to/run-in-ci.md).
"""


def page() -> str:
    """The page."""
    sections = [
        text
        for title, section in COMMANDS.items()
        for text in (f"## {title}\n", *(part for name in section for part in help_of(name)))
    ]
    return "\n".join([HEAD, *sections])


def help_of(*words: str) -> Iterator[str]:
    """What a command prints of itself; then, of a group, each of its commands."""
    found = command(*words)
    name = " ".join(["evenkeel", *words])
    context = found.make_context(name, [], resilient_parsing=True, terminal_width=WIDTH)
    heading = "#" * min(len(words) + 2, 4)
    yield f"{heading} {' '.join(words)}\n\n```text\n{found.get_help(context)}\n```\n"
    for within in getattr(found, "commands", ()):
        yield from help_of(*words, within)


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
