"""Generate the wire protocol's pages from the types: the list of questions in spec/wire.md, and
a page for each chapter in spec/wire/ with every question, its fields, examples.

`python -m evenkeel_engine.trial_types.document` rewrites them. The examples are the smallest trials
of the generators, shrunk, with the reference's observations.
"""

from __future__ import annotations

import json
import re
import types
import typing
from collections import Counter
from collections.abc import Iterable, Iterator
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any, Final

from evenkeel_engine import content
from evenkeel_engine.check.seeded import trial_seed
from evenkeel_engine.check.shrink import ShrinkSearch, Small
from evenkeel_engine.content import PROMISED
from evenkeel_engine.files import json_lines, write_file
from evenkeel_engine.kit.catalogue import QUESTIONS
from evenkeel_engine.kit.codec import Json, to_json
from evenkeel_engine.kit.draw import RecordingDraw, SeededDraw
from evenkeel_engine.kit.fields import members_of
from evenkeel_engine.kit.observations import Broke, Refused
from evenkeel_engine.kit.question import AnyQuestion, Observation
from evenkeel_engine.subjects import wire
from evenkeel_engine.subjects.base import Observed
from evenkeel_engine.subjects.schema import SCALARS, describe, list_omittables, settings_of

PATH: Final = Path(str(content.chapters.__file__)).resolve().with_name("wire.md")
PAGES: Final = PATH.with_suffix("")
SHARED: Final = "shared"
"""The page of the types that questions of several chapters have."""
GENERATED: Final = "<!-- written by `python -m evenkeel_engine.trial_types.document` -->\n"
LINK: Final = re.compile(r"\]\(#([^)]*)\)")
BEGIN: Final = "<!-- from here on written by `python -m evenkeel_engine.trial_types.document` -->\n"
END: Final = "<!-- down to here -->\n"
TITLE: Final = "# The wire protocol\n\n"
MOST_TURNS: Final = 4
"""Turns of a talk that are shown."""
TRIED: Final = 100
"""Trials among which examples are looked for."""
SHRUNK: Final = 4
"""The smallest of them, which are shrunk: the smallest one does not always become the smallest."""


def generate_pages() -> dict[Path, str]:
    """The texts of the document and its pages, by path."""
    pages = {PAGES / f"{page}.md": page_text(page) for page in [*list_chapters(), SHARED]}
    return {PATH: rewrite_document(PATH.read_text("utf-8") if PATH.exists() else TITLE), **pages}


def list_chapters() -> list[str]:
    """The chapters that have questions."""
    return list(dict.fromkeys(question.chapter for question in QUESTIONS.values()))


def rewrite_document(text: str) -> str:
    """The document with its list of pages and questions as it must be."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    rows = ["| page | questions |", "|---|---|"]
    for chapter in list_chapters():
        page = f"wire/{chapter}.md"
        links = [
            f"[{q.name}]({page}#{make_anchor(q.name)})"
            for q in QUESTIONS.values()
            if q.chapter == chapter
        ]
        rows.append(f"| [{chapter}]({page}) | {', '.join(links)} |")
    rows.append(f"| [{SHARED}](wire/{SHARED}.md) | types of several chapters |")
    rows.append("| [bounds](wire/bounds.md) | the least and the largest number of each field |")
    return "\n".join([f"{before}{BEGIN}", *rows, "", f"{END}{after}"])


def page_text(page: str) -> str:
    """The page of a chapter: its questions, then the types inside them alone."""
    questions = [question for question in QUESTIONS.values() if question.chapter == page]
    kinds = [kind for kind, place in find_places().items() if place == page]
    title = "Types of several chapters" if page == SHARED else f"Questions about {page}"
    pieces = [f"# {title}\n\n{GENERATED}\nWhat holds for all questions: [wire](../wire.md).\n"]
    if questions:
        headings = make_headings()
        links = [f"[{headings[kind]}](#{make_anchor(headings[kind])})" for kind in kinds]
        pieces += [f"\n- [{one.name}](#{make_anchor(one.name)})" for one in questions]
        pieces.append(f"\n\nTypes: {', '.join(links)}.\n" if links else "\n")
        pieces.append("\n## Questions\n")
        pieces += [f"\n{question_text(question)}" for question in questions]
        pieces.append("\n## Types inside trials and answers\n")
    pieces += [f"\n{type_text(kind)}" for kind in kinds]
    shared = {
        make_anchor(make_headings()[kind])
        for kind, place in find_places().items()
        if place == SHARED != page
    }
    elsewhere = {one: f"]({SHARED}.md#{one})" for one in shared}
    return LINK.sub(lambda link: elsewhere.get(link[1], link[0]), "".join(pieces))


@cache
def find_places() -> dict[type, str]:
    """The page of each type inside trials and answers: its chapter's, or that of shared ones."""
    users: dict[type, set[str]] = {}
    for question in QUESTIONS.values():
        for kind in types_inside(question):
            users.setdefault(kind, set()).add(question.chapter)
    return {kind: SHARED if len(of) > 1 else min(of) for kind, of in users.items()}


def question_text(question: AnyQuestion) -> str:
    """One question: its description, fields and examples."""
    introduction = describe(question.trial_type).removeprefix(f"`{question.name}`: ")
    lines = [f"### {question.name}\n", f"{introduction[:1].upper()}{introduction[1:]}\n"]
    sent = question.sent
    if question.talk is not None:
        lines.append(f"A trial takes several messages. {describe(sent.trial_type)}\n")
    lines.append(fields_text("trial", sent.trial_type))
    lines.append(f"Answer: {describe(sent.answer_type)}\n")
    lines.append(fields_text("answer", sent.answer_type))
    dumped = [json.dumps(m, ensure_ascii=False) for m in example_messages(question)]
    lines.append("\n".join(["```json", *dumped, "```"]) + "\n")
    return "\n".join(lines)


def type_text(kind: type) -> str:
    """One type that is used inside others."""
    lines = [f"### {make_headings()[kind]}\n", f"{describe(kind)}\n"]
    if issubclass(kind, Enum):
        lines.append("One of " + ", ".join(f"`{json.dumps(m.value)}`" for m in kind) + ".\n")
    else:
        lines.append(fields_text("field", kind))
    return "\n".join(lines)


def fields_text(heading: str, kind: Any) -> str:
    """The table of a type's fields; of none, a sentence."""
    if settings := settings_of(kind):
        return settings_text(kind, settings)
    omitted = list_omittables(kind)
    rows = [
        f"| `{one.name}` | {type_words(one.hint)}{', or left out' if one.name in omitted else ''} |"
        for one in members_of(kind)
    ]
    if hasattr(kind, "DO"):
        rows.insert(0, f'| `do` | `"{kind.DO}"` |')
    return "\n".join([f"| {heading} | type |", "|---|---|", *rows]) + "\n"


def settings_text(kind: Any, settings: dict[str, tuple[str, str, str]]) -> str:
    """The table of a strategy's settings."""
    rows = ["| setting | type | default | unit | bounds |", "|---|---|---|---|---|"]
    for one in members_of(kind):
        words = (f"`{one.name}`", type_words(one.hint), *settings.get(one.name, ("", "", "")))
        rows.append(f"| {' | '.join(words)} |")
    return "\n".join(rows) + "\n"


def type_words(kind: Any) -> str:
    """A type in words; a name for a type is that type."""
    kind = getattr(kind, "__supertype__", kind)
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is tuple:
        return f"array of {_bracket(type_words(arguments[0]))}"
    if origin in (typing.Union, types.UnionType):
        return " or ".join(_bracket(type_words(argument)) for argument in arguments)
    return SCALARS.get(kind) or f"[{kind.__name__}](#{make_anchor(make_headings()[kind])})"


def _bracket(words: str) -> str:
    return f"({words})" if " or " in words or words.startswith("array of") else words


@cache
def make_headings() -> dict[type, str]:
    """The heading of each type inside trials and answers, in order of appearance.

    A name that several types have is followed by its type's only question, or its
    chapter: no two headings differ in case alone.
    """
    users: dict[type, list[str]] = {}
    for question in QUESTIONS.values():
        for kind in types_inside(question):
            users.setdefault(kind, []).append(question.name)
    named = Counter(kind.__name__.lower() for kind in users)
    found = {}
    for kind, questions in users.items():
        of = questions[0] if len(questions) == 1 else questions[0].partition(".")[0]
        alone = named[kind.__name__.lower()] == 1
        found[kind] = kind.__name__ if alone else f"{kind.__name__} of {of}"
    return found


def make_anchor(heading: str) -> str:
    """What a link calls a heading."""
    return "".join(c for c in heading.lower().replace(" ", "-") if c.isalnum() or c in "-_")


def types_inside(question: AnyQuestion) -> list[type]:
    """The dataclasses and enums inside a question's trials and answers, outer ones first."""
    found: dict[type, None] = {}

    def add_inside(record: Any) -> None:
        for member in members_of(record):
            for kind in member.records or (member.sort,):
                if kind not in SCALARS and kind not in found:
                    found[kind] = None
                    if not issubclass(kind, Enum):
                        add_inside(kind)

    add_inside(question.sent.trial_type)
    add_inside(question.sent.answer_type)
    return list(found)


def messages_in(text: str) -> Iterator[Json]:
    """The messages in the json blocks of a text, one a line. Raises JSONDecodeError."""
    for block in text.split("```json\n")[1:]:
        yield from (json.loads(line) for line in json_lines(block.partition("```")[0]))


def example_messages(question: AnyQuestion) -> Iterator[Json]:
    """A trial with its observation for each sort of observation that is promised."""
    for id_, (trial, observation) in enumerate(find_messages(question), start=1):
        yield wire.trial_message(id_, question, trial)
        yield wire.reply_message(id_, Observed(observation))


def find_messages(question: AnyQuestion) -> Iterator[tuple[Any, Observation]]:
    """What is sent and answered in a small example of each sort of observation."""
    if question.talk is None:
        yield from find_examples(question)
        return
    answer = question.talk.answer_turns()
    for trial, _ in find_examples(question):
        sent: list[tuple[Any, Observation]] = []

        def reply_to(turn: Any) -> Any:
            sent.append((turn, answer(turn, PROMISED)))  # noqa: B023 - called at once
            return sent[-1][1]  # noqa: B023 - the same

        question.talk.hold(trial, reply_to)
        yield from sent[:MOST_TURNS]


def find_examples(question: AnyQuestion) -> Iterator[tuple[Any, Observation]]:
    """A small example of each sort of observation."""

    tried = [small_trial(question, index) for index in range(TRIED)]
    for sort in (question.answer_type, Refused, Broke):
        of_sort = [small for small in tried if isinstance(small.why, sort)]
        of_sort.sort(key=lambda small: measure_size(small.trial, small.why))
        found = [shrink_example(question, sort, small) for small in of_sort[:SHRUNK]]
        if found:
            yield min(found, key=lambda example: measure_size(*example))


def small_trial(question: AnyQuestion, index: int) -> Small[Observation]:
    """Trial `index` of seed 1, with the choices that make it and the reference's observation."""
    draw = RecordingDraw(SeededDraw(trial_seed(question.name, 1, index)))
    trial = question.generate(draw)
    return Small(draw.record, trial, question.observe(trial, PROMISED))


def shrink_example(
    question: AnyQuestion, sort: type, small: Small[Observation]
) -> tuple[Any, Observation]:
    """The example shrunk, as far as its observation stays of this sort."""
    most = measure_size(small.trial, small.why)

    def accepts(trial: Any) -> Observation | None:
        seen = question.observe(trial, PROMISED)
        return seen if isinstance(seen, sort) and measure_size(trial, seen) <= most else None

    best = ShrinkSearch(question.generate, accepts).run(small)
    return best.trial, best.why


def measure_size(trial: Any, observation: Observation) -> tuple[int, int]:
    """How many of an observation's arrays are never filled; then how long the example is."""
    seen = to_json(observation)
    filled: dict[tuple[str, ...], bool] = {}
    for path, is_filled in find_arrays(seen, ()):
        filled[path] = is_filled or filled.get(path, False)
    unfilled = sum(not is_filled for is_filled in filled.values())
    return unfilled, len(json.dumps(to_json(trial))) + len(json.dumps(seen))


def find_arrays(data: Json, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], bool]]:
    """Each array inside: the names that lead to it, and whether something but null is in it."""
    items: Iterable[tuple[str, Json]] = ()
    if isinstance(data, dict):
        items = data.items()
    elif isinstance(data, list):
        yield path, any(item is not None for item in data)
        items = (("", item) for item in data)
    for name, item in items:
        yield from find_arrays(item, (*path, name))


if __name__ == "__main__":
    for path, text in generate_pages().items():
        write_file(path, text, folders=True)
