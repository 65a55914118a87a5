"""The made part of spec/wire.md: where its links lead, and what it says of times and rates."""

import re
from enum import Enum
from typing import Any

import pytest

from evenkeel.properties.catalogue import QUESTIONS
from evenkeel.subjects import document
from evenkeel.subjects.document import anchor, headings, types_inside
from evenkeel.subjects.schema import describe, members

TEXT = document.PATH.read_text("utf-8")
LINK = re.compile(r"\]\(#([^)]*)\)")


def sections() -> dict[str, list[str]]:
    """The texts under the headings that a link with this anchor may mean."""
    found: dict[str, list[str]] = {}
    for piece in re.split(r"^#+ ", TEXT, flags=re.MULTILINE)[1:]:
        heading, _, text = piece.partition("\n")
        found.setdefault(anchor(heading), []).append(text)
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
    left = LINK.findall(SECTIONS[anchor(name)][0])
    while left:
        link = left.pop()
        if link not in reached:
            reached.add(link)
            left += LINK.findall(SECTIONS[link][0])
    kinds = types_inside(QUESTIONS[name])
    assert reached == {anchor(headings()[kind]) for kind in kinds}
    for kind in kinds:
        assert describe(kind) in SECTIONS[anchor(headings()[kind])][0]
