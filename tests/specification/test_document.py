"""The pages of the wire protocol: where their links lead, and what they say of times and rates."""

import re
from collections import Counter
from dataclasses import Field, fields, is_dataclass

from evenkeel_engine.kit.catalogue import QUESTIONS
from evenkeel_engine.subjects.schema import describe
from evenkeel_engine.trial_types import bounds, document
from evenkeel_engine.trial_types.document import make_anchor, make_headings

PAGES = {
    path.name: path.read_text("utf-8")
    for path in document.PAGES.glob("*.md")
    if path != bounds.PAGE  # nothing on the other pages leads there
}
TEXT = "\n".join(PAGES.values())
LINK = re.compile(r"\]\((?:shared\.md)?#([^)]*)\)")


def test_every_link_has_one_target() -> None:
    links = LINK.findall(TEXT)
    assert len(links) > 300
    targets = Counter(make_anchor(it) for it in re.findall(r"^#+ (.+)$", TEXT, re.MULTILINE))
    assert {link: targets[link] for link in links} == dict.fromkeys(links, 1)


UNITS = {
    re.compile(r"(^|_)(at|now|since|until|after|by|lasts|begin|peak|step|session|period)$"): (
        r"\((ms|s)\)|\bms\b|[sS]econds\b|minutes|\brounds?\b"
    ),
    re.compile(r"(^|_)(msg_rate|throughput)(_|$)|^rate_(in|out)$"): (
        r"(msg|bytes|MB|MiB)/s|(messages|bytes) per second"
    ),
}
"""Names of times and of rates, and the texts that describe them."""


def numbers() -> list[tuple[type, Field[object]]]:
    """The fields of all trials and answers that hold a number, or milliseconds."""
    kinds = [k for q in QUESTIONS.values() for k in (q.trial_type, q.answer_type)]
    return [
        (kind, field)
        for kind in [*kinds, *make_headings()]
        if is_dataclass(kind)
        for field in fields(kind)
        if str(field.type).removesuffix(" | None") in ("int", "float", "Millis", "Seconds")
    ]


def test_times_and_rates_have_units() -> None:
    without = [
        f"{kind.__name__}.{field.name}"
        for kind, field in numbers()
        for names, words in UNITS.items()
        if names.search(field.name)
        and not re.search(words, describe(kind))
        and not field.metadata.get("unit")
    ]
    assert not without
