"""The text of an issue: observed, expected, source, how to see it, versions."""

from __future__ import annotations

import json

from evenkeel import spec, version
from evenkeel.harness.cases import Case
from evenkeel.report.parts import NotSupported
from evenkeel.report.testng import JavaTest


def issue_of(one: Case, test: JavaTest | NotSupported, file: str) -> str:
    """An issue in Markdown, in the order in which a maintainer reads. What a case does not say is
    not said: one that `check` kept knows neither effect nor cause. Where there is no method, it
    says why.
    """
    clause = spec.clause(one.clause)
    title = one.title if one.title != clause.title else f"Not so: {one.title}"
    lines = [f"# {title}", ""]
    for head, text in (parts(one) | {"**Reproduce.**": reproduced(one, test)}).items():
        lines += [f"{head} {text}", ""]
    if isinstance(test, JavaTest):
        lines += ["```java", test.text.rstrip(), "```", ""]
    lines += ["The input:", "", "```json", json.dumps(one.trial), "```", ""]
    return "\n".join(
        [
            *lines,
            f"**Versions.** {one.observed_by}. Found by evenkeel {version.current()}, clause "
            f"{one.clause} ({clause.title}); `evenkeel replay {file}` shows it.",
            "",
        ]
    )


def parts(one: Case) -> dict[str, str]:
    """What the case says, by heading: effect, what was observed, what is expected, cause, source."""
    clause, bug = spec.clause(one.clause), one.note("bug")
    level = clause.level_in(one.edition)
    rests = f"{level}, by {'the documents' if clause.basis is spec.Basis.DOCUMENTS else 'practice'}"
    said = {
        "**Effect.**": one.note("effect"),
        f"**Observed** ({one.observed_by}):": f"{one.shown.sentence}.",
        "**Expected.**": f"{clause.sentence} ({rests})",
        "**Cause, as far as seen.**": f"{bug[:1].upper()}{bug[1:]}." if bug else "",
        "**Source.**": one.note("source") or clause.source,
    }
    return {head: text for head, text in said.items() if text}


def reproduced(one: Case, test: JavaTest | NotSupported) -> str:
    """Where the test belongs, and what is known of its outcome."""
    if isinstance(test, NotSupported):
        why = str(test).partition("; these can")[0].rstrip(".")
        return f"Replay the input below. There is no TestNG method: {why}."
    place = (
        f"`{test.path}`, below `src/test/java` of a module that has "
        "pulsar-broker, TestNG and Mockito on its test class path (pulsar-broker itself has). "
    )
    if any("apache-pulsar" in name for name in one.shown.by):
        return f"{place}`{test.method}` fails as long as this is so, and passes afterwards:"
    return (
        f"{place}`{test.method}` asserts what is expected; that a class of Pulsar fails it was "
        "not observed:"
    )
