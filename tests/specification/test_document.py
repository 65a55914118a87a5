"""The pages of the wire protocol: where their links lead, and what they say of times and rates."""

import re
from dataclasses import Field, fields, is_dataclass

import pytest

from evenkeel_engine.kit.catalogue import QUESTIONS
from evenkeel_engine.subjects.schema import describe
from evenkeel_engine.trial_types import bounds, document
from evenkeel_engine.trial_types.document import make_anchor, make_headings, types_inside

PAGES = {
    path.name: path.read_text("utf-8")
    for path in document.PAGES.glob("*.md")
    if path != bounds.PAGE  # nothing on the other pages leads there
}
TEXT = "\n".join(PAGES.values())
LINK = re.compile(r"\]\((?:shared\.md)?#([^)]*)\)")


def sections() -> dict[str, list[str]]:
    """The texts under the headings that a link with this anchor may mean."""
    found: dict[str, list[str]] = {}
    for piece in re.split(r"^#+ ", TEXT, flags=re.MULTILINE)[1:]:
        heading, _, text = piece.partition("\n")
        found.setdefault(make_anchor(heading), []).append(text)
    return found


SECTIONS = sections()


def test_every_link_has_one_target() -> None:
    links = LINK.findall(TEXT)
    assert len(links) > 300
    assert {link: len(SECTIONS.get(link, [])) for link in links} == dict.fromkeys(links, 1)


@pytest.mark.parametrize("name", QUESTIONS)
def test_links_of_a_question_lead_to_its_own_types(name: str) -> None:
    """What can be reached from a question's part are the types inside it, and no others."""
    reached: set[str] = set()
    left = LINK.findall(SECTIONS[make_anchor(name)][0])
    while left:
        link = left.pop()
        if link not in reached:
            reached.add(link)
            left += LINK.findall(SECTIONS[link][0])
    kinds = types_inside(QUESTIONS[name])
    assert reached == {make_anchor(make_headings()[kind]) for kind in kinds}
    for kind in kinds:
        assert describe(kind) in SECTIONS[make_anchor(make_headings()[kind])][0]


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


def test_milliseconds_are_documented() -> None:
    kinds = {kind for kind, field in numbers() if field.type == "Millis"}
    assert len(kinds) > 10
    assert not [kind for kind in kinds if not re.search(r"\bms\b", describe(kind))]
