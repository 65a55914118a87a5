"""The text of an issue: observed, expected, source, how to see it, versions."""

from __future__ import annotations

import json

from evenkeel import __version__, spec
from evenkeel.harness.cases import Case
from evenkeel.report.testng import JavaTest


def issue_of(one: Case, test: JavaTest, file: str) -> str:
    """An issue in Markdown, in the order in which a maintainer reads."""
    clause, bug = spec.clause(one.clause), one.note("bug")
    return "\n".join(
        [
            f"# {one.title}",
            "",
            f"**Effect.** {one.note('effect')}",
            "",
            f"**Observed** ({one.observed_by}): {one.shown.sentence}.",
            "",
            f"**Expected.** {clause.sentence}",
            "",
            f"**Cause, as far as seen.** {bug[:1].upper()}{bug[1:]}.",
            "",
            f"**Source.** {one.note('source')}",
            "",
            f"**Reproduce.** `{test.path}`, below `src/test/java` of a module that has "
            f"pulsar-broker, TestNG and Mockito on its test class path (pulsar-broker itself has). "
            f"`{test.method}` fails as long as this is so, and passes afterwards:",
            "",
            "```java",
            test.text.rstrip(),
            "```",
            "",
            "The input:",
            "",
            "```json",
            json.dumps(one.trial),
            "```",
            "",
            f"**Versions.** {one.observed_by}. Found by evenkeel {__version__}, clause "
            f"{one.clause} ({clause.title}); `evenkeel replay {file}` shows it.",
            "",
        ]
    )
