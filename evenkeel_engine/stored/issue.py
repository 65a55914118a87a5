"""The text of an issue: observed, expected, source, how to see it, versions."""

from __future__ import annotations

import json
from typing import Final

from evenkeel_engine import spec, version
from evenkeel_engine.content import PROGRAM
from evenkeel_engine.errors import UserError
from evenkeel_engine.stored.cases import StoredCase
from evenkeel_engine.text import escape_markdown, format_code

TEST: Final = "<!-- A test of your own that fails as long as this is so. -->"
"""The place for one."""


def issue_of(one: StoredCase, file: str) -> str:
    """An issue in Markdown, in the order in which a maintainer reads. What a case does not say is
    not said: one that `check` kept knows neither effect nor cause. Raises `UserError`.
    """
    if not one.answers:
        raise UserError(f"{one.title}: nothing was observed; the subject did not fail so again.")
    if not one.is_violation:
        raise UserError(
            f"{one.title}: is an example of what is right, there is no defect to report."
        )
    clause = spec.find_clause(one.clause)
    title = one.title if one.title != clause.title else f"Not so: {one.title}"
    replay = format_code(f"{PROGRAM} replay {file} --subject CMD")
    texts = {
        **write_parts(one),
        "**Reproduce.**": f"{replay} puts the input below to a subject.",
        "**Test.**": TEST,
        "**Versions.**": f"{escape_markdown(one.observed_by)}. "
        f"Found by evenkeel {version.find_version()}, clause {one.clause} ({clause.title}).",
    }
    lines = [f"# {escape_markdown(title)}", ""]
    for head, text in texts.items():
        lines += [f"{head} {text}", ""]
    return "\n".join([*lines, "The input:", "", "```json", json.dumps(one.trial), "```", ""])


def write_parts(one: StoredCase) -> dict[str, str]:
    """What the case says, by heading."""
    clause, bug = spec.find_clause(one.clause), one.find_note("bug")
    cause = f"{bug[:1].upper()}{bug[1:]}." if bug else ""
    rests = f"{clause.level_in(one.edition)}, by {spec.RESTS_ON[clause.basis]}"
    observer = escape_markdown(one.observed_by)
    said = {
        "**Effect.**": escape_markdown(one.find_note("effect")),
        f"**Observed** ({observer}):": f"{escape_markdown(one.shown.sentence)}.",
        "**Expected.**": f"{clause.sentence} ({rests})",
        "**Cause, as far as seen.**": escape_markdown(cause),
        "**Source.**": escape_markdown(one.find_note("source")) or clause.source,
    }
    return {head: text for head, text in said.items() if text}
