"""docs/how-to/my-cluster.md: what each symptom leads to is there."""

import re
import shlex
from pathlib import Path

import pytest

from evenkeel_engine import spec
from evenkeel_engine.cli.commands import find_command
from evenkeel_engine.cli.parameters import list_names
from evenkeel_engine.cli.places import case_at

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "my-cluster.md"
HEAD, *SYMPTOMS = re.split(r"^## ", PAGE.read_text("utf-8"), flags=re.MULTILINE)
LINK = re.compile(r"\]\(([^)]+)\)")


def anchors(page: Path) -> set[str]:
    """The headings of a page as links name them."""
    titles = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title).lower().replace(" ", "-") for title in titles}


def item(symptom: str, name: str) -> str:
    [found] = re.findall(rf"^- {name}: (.+)$", symptom, re.MULTILINE)
    return str(found)


def test_there_are_twenty_symptoms_and_links_lead_somewhere() -> None:
    assert len(SYMPTOMS) >= 20
    for link in LINK.findall(PAGE.read_text("utf-8")):
        path, _, place = link.partition("#")
        assert (PAGE.parent / path).is_file(), link
        assert not place or place in anchors(PAGE.parent / path), link


@pytest.mark.parametrize("symptom", SYMPTOMS, ids=lambda text: text.partition("\n")[0])
def test_clauses_settings_and_the_command_of_a_symptom_exist(symptom: str) -> None:
    ids = re.findall(r"\b[A-Z]{3}-\d+\b", item(symptom, "Clauses"))
    assert [spec.find_clause(id_).id for id_ in ids]
    named = re.findall(r"`(\w+)`", item(symptom, "Settings"))
    assert named
    assert set(named) <= list_names()
    program, *words = shlex.split(item(symptom, "Command").split("`")[1])
    assert program == "evenkeel"
    path = [word for word in words if word.isalpha() and word.islower()]
    command = find_command(*(path if words[0] == "operate" else path[:1]))
    options = {name for one in command.params for name in one.opts} | {"--help"}
    assert {word for word in words if word.startswith("--")} <= options
    if words[0] == "replay":
        case_at(words[1])
    if words[0] == "explain":
        spec.find_clause(words[1])
