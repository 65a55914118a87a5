"""All sections, and the words of the glossary, for the search: an extension of Sphinx."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def setup(app: Any) -> dict[str, bool]:
    """Sphinx calls this to load the extension."""
    app.connect("html-page-context", scripts)
    app.connect("build-finished", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def scripts(app: Any, page: str, *_: object) -> None:
    """The search page alone loads them."""
    if page == "search":
        app.add_js_file("sections.js")
        app.add_js_file("search.js")


def write(app: Any, error: Exception | None) -> None:
    """Write what the search looks in as a script: a page from a folder may run one."""
    if error is None:
        found = [one for page in sorted(app.env.found_docs) for one in sections(app.env, page)]
        path = Path(app.outdir) / "_static" / "sections.js"
        path.write_text(f"const SECTIONS = {json.dumps(found, ensure_ascii=False)};\n", "utf-8")


def sections(env: Any, page: str) -> Iterator[tuple[str, str, str, str, str]]:
    """Each section: its page, that page's title, its anchor, its title, its own text."""
    of = env.titles[page].astext()
    for section in env.get_doctree(page).findall(is_section):
        title, *rest = section.children
        own = (child for child in rest if not is_section(child))
        text = " ".join(" ".join(map(text_of, own)).split())
        yield page, of, f"#{section['ids'][0]}", title.astext(), text
    for word in env.get_doctree(page).findall(lambda node: bool(node.tagname == "term")):
        meaning = " ".join(word.parent.children[-1].astext().split())
        yield page, of, f"#{word['ids'][0]}", word.astext(), meaning


def is_section(node: Any) -> bool:
    """Whether a node of docutils is a section."""
    return bool(node.tagname == "section")


def text_of(node: Any) -> str:
    """The text of a node of docutils without what is raw HTML."""
    if node.tagname == "raw":
        return ""
    if node.tagname == "#text":
        return str(node)
    return str(node.child_text_separator).join(map(text_of, node.children))
