"""Small pieces of Markdown and HTML that several pages use."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from evenkeel.report.track_record import ISSUES
from evenkeel_engine import spec

PAGES: Final = Path(__file__).parent / "pages"
ROOT: Final = Path(__file__).parent.parent.parent
CLAUSE: Final = re.compile(r"(?<![\w`\[#/-])([A-Z]{3}-\d+)\b(?!\.json)")
ISSUE: Final = re.compile(r"(?<![\w&])#(\d{3,5})\b")
CHAPTERS: Final = re.compile(r"\[([A-Z]{3}-\d+)\]\([a-z]+\.md\)")
"""A link to a clause's chapter, which becomes one to the clause."""
FENCE: Final = re.compile(r"^( *)(```+)(\w*)\n(.*?)^\1\2 *$", re.MULTILINE | re.DOTALL)
LINK: Final = re.compile(r"(?<!!)\[([^\]\n]+)\]\(([^)\s]+)\)")
INLINE: Final = re.compile(r"(`+[^`\n]+`+|\[[^\]\n]*\]\([^)\n]*\))")


def page_text(name: str) -> str:
    """What is written by hand of a page."""
    return (PAGES / f"{name}.md").read_text("utf-8")


def anchor(id_: str) -> str:
    """Where a clause is to be found on the site."""
    return f"clause-{id_.lower()}"


def add_links(text: str) -> str:
    """The text with links at clauses and issues that it names outside code, links, headings."""
    text = CHAPTERS.sub(link, text)
    pieces = re.split(r"(^```.*?^``` *$|^#[^\n]*$)", text, flags=re.MULTILINE | re.DOTALL)
    return "".join(part if index % 2 else linked_plain(part) for index, part in enumerate(pieces))


def within(text: str, page: Path) -> str:
    """The text of a page with links to pages only: of others, such as files, the words stay."""

    def drop_dead_link(found: re.Match[str]) -> str:
        target = found[2].partition("#")[0]
        leads = target.startswith("http") or not target or is_page(page.parent / target)
        return found[0] if leads else found[1]

    return LINK.sub(drop_dead_link, text)


def linked_plain(text: str) -> str:
    """The same for a text without fences."""
    parts = INLINE.split(text)
    issue = rf"[#\1]({ISSUES}\1)"
    return "".join(
        p if i % 2 else ISSUE.sub(issue, CLAUSE.sub(link, p)) for i, p in enumerate(parts)
    )


def link(found: re.Match[str]) -> str:
    """A clause's id as a link, if the specification has such a clause."""
    id_ = found[1]
    return f"[{id_}](#{anchor(id_)})" if id_ in spec.read_entries() else id_


def with_diagrams(text: str) -> str:
    """The text with Mermaid's fences as elements that the page draws."""
    return FENCE.sub(lambda fence: diagram(fence[4]) if fence[3] == "mermaid" else fence[0], text)


def diagram(code: str) -> str:
    """A diagram's element. Without scripts its text is shown."""
    return f'\n<pre class="mermaid">\n{html.escape(code)}</pre>\n'


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table, its cells in Markdown."""
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    for row in rows:
        lines.append(f"| {' | '.join(cell.replace('|', '&#124;') for cell in row)} |")
    return "\n".join(lines) + "\n"


def details(summary: str, body: str, sort: str = "") -> str:
    """HTML that is folded away; no empty line may end it early."""
    shut = re.sub(r"\n\s*\n", "\n", body)
    return f'<details class="{sort}"><summary>{summary}</summary>\n{shut}\n</details>\n'


def code(text: str) -> str:
    """Code in HTML."""
    return f"<code>{html.escape(text)}</code>"


def block(lines: Iterable[str]) -> str:
    """Lines of plain text in HTML; an empty one would end the HTML."""
    return f"<pre>{html.escape(chr(10).join(line or ' ' for line in lines))}</pre>"


def is_page(path: Path) -> bool:
    """Whether a file is a text of the specification or a document, which are pages."""
    resolved = path.resolve()
    folders = (ROOT / "spec", ROOT / "docs")
    return resolved.suffix == ".md" and any(map(resolved.is_relative_to, folders))
