"""A check for machines of others: JUnit XML, SARIF 2.1.0, annotations and summaries of GitHub."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree as Xml

from evenkeel_engine import spec, version
from evenkeel_engine.cli.baseline import clause_of
from evenkeel_engine.cli.check_report import Report, ShownFailure, render_failure
from evenkeel_engine.content import PROGRAM
from evenkeel_engine.text import make_printable

SARIF_SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
NO_XML: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def find_level(report: Report, id_: str) -> str:
    """The level of SARIF for a breach of a clause."""
    level = report.level_of(id_)
    if level is spec.Level.SHOULD:
        return "warning" if report.severity.may(id_) else "error"
    return "note" if level is spec.Level.NOTE else "error"


def sentence_of(report: Report, signature: str) -> str:
    """The judge's sentence, on the shrunk trial, if there is one."""
    shown = shown_of(report, signature)
    return shown.failure.sentence if shown else report.tally.smallest[signature].sentence


def shown_of(report: Report, signature: str) -> ShownFailure | None:
    """The failure as it was described, if it was."""
    return next((s.for_files() for s in report.failures if s.failure.signature == signature), None)


def lines_of(report: Report, signature: str) -> list[str]:
    """The report of a failure; if it was not described, its sentence."""
    shown = shown_of(report, signature)
    return [sentence_of(report, signature)] if shown is None else render_failure(shown, report)


def render_junit(report: Report) -> str:
    """A test case for each checked clause, in a suite for each chapter."""
    root = Xml.Element("testsuites", name="evenkeel", time=f"{report.seconds:.3f}")
    for chapter in spec.CHAPTERS:
        ids = [id_ for id_ in report.clauses if spec.find_clause(id_).chapter == chapter]
        if ids:
            root.append(make_suite(report, chapter, ids))
    if report.coverage_gaps or report.stopped:
        root.append(broken_suite(report))
    for total in ("tests", "failures", "errors", "skipped"):
        root.set(total, str(sum(int(one.get(total, "0")) for one in root)))
    Xml.indent(root)
    text = Xml.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def make_suite(report: Report, chapter: str, ids: list[str]) -> Xml.Element:
    """The clauses of one chapter."""
    found = Xml.Element("testsuite", name=f"evenkeel.{chapter}")
    for id_ in ids:
        name = xml_text(f"{id_} {spec.find_clause(id_).title}")
        case = Xml.SubElement(found, "testcase", classname=f"evenkeel.{chapter}", name=name)
        new = [signature for signature in report.new if clause_of(signature) == id_]
        known = [signature for signature in report.known if clause_of(signature) == id_]
        departed = [signature for signature in report.departures if clause_of(signature) == id_]
        if new:
            message = xml_text(sentence_of(report, new[0]))
            failure = Xml.SubElement(case, "failure", message=message, type=new[0])
            reports = ["\n".join(lines_of(report, signature)) for signature in new]
            failure.text = xml_text("\n\n".join(reports))  # a test case has one for all of them
        elif departed:
            effect = spec.find_clause(id_).effect
            without = f"--fail-on {effect} or --strict" if effect else "--strict"
            note(case, f"departure, no error without {without}: {sentence_of(report, departed[0])}")
        elif known:
            note(case, f"known divergence: {', '.join(known)}")
        elif report.tally.conclude_verdict(id_) in ("unexercised", "undecided"):
            note(case, f"{report.tally.conclude_verdict(id_)}: no trial could show a breach")
    return count_suite(found)


def note(case: Xml.Element, message: str) -> None:
    """Why a test case neither passed nor failed."""
    Xml.SubElement(case, "skipped", message=xml_text(message))


def broken_suite(report: Report) -> Xml.Element:
    """What is wrong with the check as a whole."""
    found = Xml.Element("testsuite", name="evenkeel")
    reasons = [*report.coverage_gaps, *([report.stopped.strip(", ")] if report.stopped else [])]
    for number, reason in enumerate(reasons, 1):
        case = Xml.SubElement(found, "testcase", classname="evenkeel", name=f"check {number}")
        Xml.SubElement(case, "error", message=xml_text(reason), type="unknown")
    return count_suite(found)


def count_suite(found: Xml.Element) -> Xml.Element:
    """A suite with its totals."""
    found.set("tests", str(len(found)))
    for attribute, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        found.set(attribute, str(len(found.findall(f"testcase/{tag}"))))
    return found


def xml_text(text: str) -> str:
    """A text without the characters that XML cannot hold, even escaped."""
    return NO_XML.sub("\ufffd", text)


def render_sarif(report: Report) -> str:
    """A rule for each checked clause, a result for each failure; known ones suppressed."""
    signatures = [*report.new, *report.departures, *report.known]
    ids = list(dict.fromkeys([*report.clauses, *map(clause_of, signatures)]))
    driver = {
        "name": "evenkeel",
        "semanticVersion": version.find_version(),
        "rules": [make_rule(report, id_) for id_ in ids],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [
            {
                "executionSuccessful": not report.stopped and not report.coverage_gaps,
                "exitCode": report.status,
                "toolExecutionNotifications": [
                    {"level": "warning", "message": {"text": make_printable(text)}}
                    for text in report.coverage_gaps
                ],
            }
        ],
        "results": [make_result(report, signature, ids) for signature in signatures],
        "properties": {
            "subject": report.subject,
            "edition": report.edition,
            "seed": report.seed,
            "generator": report.generator,
            "summary": make_printable(report.summary),
        },
    }
    return json.dumps({"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def make_rule(report: Report, id_: str) -> dict[str, Any]:
    """A clause as a rule with its text as help; it links to a published site only."""
    entry, docs_url = spec.find_clause(id_), report.docs_url
    items = {
        "Formula": entry.formula,
        "Basis": f"{entry.basis}: {entry.source}",
        "Example": entry.example,
        "Place": f"spec/{entry.chapter}.md, `{PROGRAM} explain {entry.id}`",
    }
    if docs_url:
        anchor = f"spec/{entry.chapter}.html#clause-{entry.id.lower()}"
        items["Page"] = page = f"{docs_url.rstrip('/')}/{anchor}"
    tags = [entry.chapter, entry.level.value, entry.basis.value]
    tags += [entry.effect] if entry.effect else []
    entries = [f"{name}: {item}" for name, item in items.items()]
    marked = [f"- **{name}:** {item}" for name, item in items.items()]
    found: dict[str, Any] = {
        "id": entry.id,
        "shortDescription": {"text": entry.title},
        "fullDescription": {"text": entry.sentence},
        "help": {
            "text": "\n".join([entry.sentence, "", *entries]),
            "markdown": "\n".join([entry.sentence, "", *marked]),
        },
        "defaultConfiguration": {"level": find_level(report, id_)},
        "properties": {"tags": tags},
    }
    return {**found, "helpUri": page} if docs_url else found


def make_result(report: Report, signature: str, ids: list[str]) -> dict[str, Any]:
    """One failure. Its place is the user's source, if that was named, else its trial's file."""
    id_ = clause_of(signature)
    found = report.tally.smallest[signature]
    shown = shown_of(report, signature)
    file = (shown.file if shown else None) or report.unshrunk.get(signature)
    location: dict[str, Any] = {"logicalLocations": [{"fullyQualifiedName": found.question}]}
    trial = {"artifactLocation": {"uri": uri_of(Path(file))}} if file else None
    if place := report.location:
        region = {"startLine": place.line}
        source = {"artifactLocation": {"uri": uri_of(place.path)}, "region": region}
        location["physicalLocation"] = source
    elif trial:
        location["physicalLocation"] = trial
    known = signature in report.known
    data: dict[str, Any] = {
        "ruleId": id_,
        "ruleIndex": ids.index(id_),
        "level": find_level(report, id_),
        "message": {"text": "\n".join(map(make_printable, lines_of(report, signature)))},
        "locations": [location],
        "partialFingerprints": {"evenkeelSignature/v1": signature},
        "baselineState": "unchanged" if known else "new",
        "properties": {"trials": report.tally.failures[signature], "place": found.place},
    }
    if report.location and trial:
        data["relatedLocations"] = [{"physicalLocation": trial, "message": {"text": "its trial"}}]
    if known:
        data["suppressions"] = [{"kind": "external", "justification": "in the baseline"}]
    if shown:
        data["properties"]["replay"] = shown.replay
    return data


def uri_of(path: Path) -> str:
    """A path below this folder as a relative reference, any other as a file URI."""
    whole = path.absolute()
    if whole.is_relative_to(Path.cwd()):
        return whole.as_uri().removeprefix(f"{Path.cwd().as_uri().rstrip('/')}/")
    return whole.as_uri()


def workflow_commands(report: Report) -> list[str]:
    """A workflow command for each failure, known ones as level `notice`, and for unknown ones."""
    lines = []
    place = ""
    if one := report.location:
        place = f"file={escape_command(one.path.as_posix(), ',:')},line={one.line},"
    for signature in [*report.new, *report.departures, *report.known]:
        departs = signature in report.departures
        command = "notice" if signature in report.known else "warning" if departs else "error"
        message = "\n".join(lines_of(report, signature))
        entry = spec.find_clause(clause_of(signature))
        title = f"{signature}: {entry.title}" + (f" ({entry.effect})" if entry.effect else "")
        heading = f"{place}title={escape_command(title, ',:')}"
        lines.append(f"::{command} {heading}::{escape_command(message)}")
    lines += [f"::warning title=evenkeel::{escape_command(text)}" for text in report.coverage_gaps]
    for signature in report.removed:
        lines.append(f"::notice title=evenkeel::{escape_command(signature)} no longer fails")
    return lines


def escape_command(text: str, more: str = "") -> str:
    """A text as workflow commands spell it."""
    for character in ("%", "\r", "\n", *more):
        text = text.replace(character, f"%{ord(character):02X}")
    return make_printable(text)


def render_summary(report: Report) -> str:
    """The job summary of GitHub, in Markdown: the summary line, a row for each failure."""
    lines = [f"### evenkeel: {'failed' if report.status else 'passed'}", "", report.summary, ""]
    kinds = {
        "new": report.new,
        "departure": report.departures,
        "known": report.known,
        "no longer fails": report.removed,
    }
    rows = [(kind, signature) for kind, those in kinds.items() for signature in those]
    if rows:
        lines += ["| | clause | trials | what is wrong |", "|---|---|---|---|"]
    for kind, signature in rows:
        id_, count = clause_of(signature), report.tally.failures[signature]
        entry = spec.find_clause(id_)
        what = f"{kind}, {entry.effect}" if entry.effect else kind
        clause = f"{id_} {entry.title}"
        wrong = sentence_of(report, signature) if count else signature
        cells = (what, clause, f"{count:,}", wrong)
        lines.append(f"| {' | '.join(map(escape_cell, cells))} |")
    others = (*report.coverage_gaps, *report.tally.list_measured())
    lines += ["", *(f"- {escape_cell(other)}" for other in others)]
    return "\n".join(lines).rstrip() + "\n\n"


def escape_cell(text: str) -> str:
    """A text as a table's cell spells it, so that no text of a subject becomes markup."""
    one_line = make_printable(" ".join(text.split()))
    return re.sub(r"([\\`*_{}\[\]<>|#!~&@])", r"\\\1", one_line)
