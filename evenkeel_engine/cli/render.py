"""Render trials and answers as short text: JSON spelling, tables, folded if long.

Omitted are fields at their defaults, and in tables what is zero, false, null or empty in all rows;
what is the same in all rows is printed once. Lists are counted from 1.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, is_dataclass, replace
from enum import Enum
from functools import partial
from itertools import groupby
from typing import Any, Final

from evenkeel_engine.content import NAME_KINDS
from evenkeel_engine.kit.codec import Json, to_json
from evenkeel_engine.kit.fields import members_in
from evenkeel_engine.kit.names import rename_texts, texts_in
from evenkeel_engine.text import count_noun

ROWS: Final = 8
"""Rows of a table, or commands of a list, that are shown before it is folded."""
RESULT: Final = 3
"""Lines of a command and its result, but for the one that breaks a clause."""
STORY: Final = 16
"""Lines of the steps before the one that breaks a clause."""
CELL: Final = 30
"""Characters of a value in a table, or in a comparison."""


@dataclass(frozen=True, slots=True)
class Paper:
    """How wide it is, and whether long things are folded."""

    width: int = 80
    full: bool = False

    def inside(self, indent: int = 2) -> Paper:
        """The same, for what is indented."""
        return replace(self, width=max(self.width - indent, 30))

    def take_head(self, items: Sequence[Json], most: int = ROWS) -> Sequence[Json]:
        """The items that are shown."""
        return items if self.full or len(items) <= most + 1 else items[:most]


@dataclass(frozen=True, slots=True)
class Story:
    """What is shown with a trial that breaks a clause.

    `steps`: the name of its list of steps; `results`: the subject's, one for each; `mark`: the
    step that breaks the clause. `deciding` and `idle`: settings that decide, and those that do not.
    `folded`: of settings that do not decide there is the number; `brief`: of a step before it there
    is one line.
    """

    steps: str = ""
    results: Sequence[Json] = ()
    mark: int = 0
    deciding: Sequence[str] = ()
    idle: Sequence[str] = ()
    folded: bool = False
    brief: bool = False


PLAIN: Final = Story()
WIDE: Final = Paper(10_000)
NOTHING: Final = "nothing"
EMPTY: Final[tuple[Json, ...]] = (None, [], {}, "")


def text_of(value: Json) -> str:
    """A value as JSON writes it."""
    return json.dumps(value, ensure_ascii=False)


def shorten_value(value: Json, paper: Paper, most: int = CELL) -> str:
    """A value on one line, cut where it becomes long."""
    text = text_of(value)
    return text if paper.full or len(text) <= most else f"{text[: most - 1]}…"


def fold_items(items: Sequence[object], shown: Sequence[object]) -> list[str]:
    """The line with the number of hidden ones."""
    left = len(items) - len(shown)
    return [f"… {left:,} more, --full shows all"] if left else []


def indent_lines(lines: Iterable[str], by: int = 2) -> list[str]:
    """Lines further to the right."""
    return [" " * by + line for line in lines]


def prune_defaults(value: Any) -> Json:
    """The JSON form without the fields that are at their default; rows of tables stay whole."""
    if isinstance(value, tuple):
        return [prune_defaults(item) if hasattr(item, "DO") else to_json(item) for item in value]
    if not is_dataclass(value) or isinstance(value, type | Enum):
        return to_json(value)
    do = getattr(value, "DO", None)
    form: dict[str, Json] = {} if do is None else {"do": do}
    for one in members_in(value):
        item = getattr(value, one.attribute)
        if one.default != item:
            form[one.name] = prune_defaults(item)
    return form


def is_empty(value: Json) -> bool:
    """Whether a value is zero, false, null or empty."""
    return not value or (isinstance(value, dict) and all(map(is_empty, value.values())))


def render(trial: Any, paper: Paper, story: Story = PLAIN) -> list[str]:
    """A trial of any question as lines."""
    form = prune_defaults(trial)
    if not isinstance(form, dict):
        return [text_of(form)]
    names = brief_names_in([form, *story.results])
    brief = replace(story, results=[rename_texts(result, names) for result in story.results])
    form = rename_texts(form, names)
    lines = [*render_settings(trial, form, paper, story), *render_blocks(form, paper, brief)]
    named = [f"{brief} = {name}{remark_on(name)}" for name, brief in names.items()]
    legend = wrap_words(named, paper)
    shown = paper.take_head(legend)
    whole = [*(lines or ["all fields are at their defaults"]), *shown, *fold_items(legend, shown)]
    return [cut(line, paper) for line in whole]


def render_settings(trial: Any, form: dict[str, Json], paper: Paper, story: Story) -> list[str]:
    """The single values: those that decide also where they are defaults, then those that were
    tried and do not.
    """
    whole = dict(flatten_form(form))
    given = {name: value for name, value in whole.items() if not is_block(value)}
    values = given if paper.full else {n: v for n, v in given.items() if v != {}}
    idle = {} if paper.full else {n: v for n, v in values.items() if n in story.idle}
    lines = render_pairs({n: v for n, v in values.items() if n not in idle}, paper)
    every = dict(flatten_form(to_json(trial))) if story.deciding else {}
    default = {n: every[n] for n in story.deciding if n in every and n not in whole}
    for head, pairs in (("by default", default), ("decide nothing here", idle)):
        if pairs:
            text = f"{head}: {', '.join(render_pairs(pairs, WIDE))}"
            more = textwrap.wrap(text, paper.width, subsequent_indent="  ")
            folds = story.folded and pairs is idle and more[1:]
            lines += [f"{head}: {count_noun(len(idle), 'setting')} (--full)"] if folds else more
    return lines


def remark_on(name: str) -> str:
    """What its legend adds to a name."""
    kind = next((one for one in NAME_KINDS if one.is_name(name)), None)
    return kind.remark(name) if kind and kind.remark else ""


def cut(line: str, paper: Paper) -> str:
    """A line that the paper holds."""
    return line if paper.full or len(line) <= paper.width else f"{line[: paper.width - 1]}…"


def brief_names_in(form: Json) -> dict[str, str]:
    """Short names for long ones, by their kinds; a name belongs to the first that fits."""
    left, brief = list(dict.fromkeys(texts_in(form))), dict[str, str]()
    for kind in NAME_KINDS:
        named = [text for text in left if kind.is_name(text)]
        left = [text for text in left if text not in named]
        if len(named) >= kind.least:
            brief |= {text: f"{kind.letter}{number}" for number, text in enumerate(named, 1)}
    return brief


def render_blocks(form: dict[str, Json], paper: Paper, story: Story) -> list[str]:
    """A block for each list of records; then the results, where no list holds their steps."""
    lines: list[str] = []
    blocks = {name: value for name, value in flatten_form(form) if is_block(value)}
    for name, items in blocks.items():
        own = story if name == story.steps else PLAIN
        lines += [f"{name}:", *indent_lines(render_list(items, paper.inside(), own))]
    if story.results and story.steps not in blocks:
        items = form.get(story.steps)
        steps: Sequence[Json] = items if isinstance(items, list) else [{}] * len(story.results)
        lines += [f"{story.steps}:", *indent_lines(render_commands(steps, paper.inside(), story))]
    return lines


def is_block(value: Json) -> bool:
    """Whether a value is a list of records, or too long for a pair."""
    return isinstance(value, list) and any(isinstance(item, dict | list) for item in value)


def flatten_form(form: dict[str, Json], prefix: str = "") -> Iterator[tuple[str, Json]]:
    """The leaves of nested objects, by their dotted names."""
    for name, value in form.items():
        if isinstance(value, dict) and value:
            yield from flatten_form(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


def render_pairs(values: dict[str, Json], paper: Paper) -> list[str]:
    """`name: value`, several a line."""
    pairs = (f"{name}: {shorten_value(value, paper, 60)}" for name, value in values.items())
    return wrap_words(pairs, paper)


def wrap_words(words: Iterable[str], paper: Paper) -> list[str]:
    """Pieces joined by commas, in lines no wider than the paper."""
    lines: list[str] = []
    for word in words:
        if lines and len(lines[-1]) + len(word) + 3 <= paper.width:
            lines[-1] += f", {word}"
        else:
            lines.append(word)
    return lines


def render_list(items: list[Json], paper: Paper, story: Story = PLAIN) -> list[str]:
    """A list: of commands and of records with lists in them numbered, of simple records a table."""
    records = [item for item in items if isinstance(item, dict)]
    if any("do" in record for record in records) or (story.results and len(records) < len(items)):
        return render_commands(items, paper, story)
    if len(records) < len(items):
        shown = paper.take_head(items)
        lines = [shorten_value(item, paper, paper.width) for item in shown]
        return lines + fold_items(items, shown)
    if story.results or any(is_block(v) for record in records for _, v in flatten_form(record)):
        return render_records(records, paper, story)
    return render_rows(records, paper)


def render_commands(items: Sequence[Json], paper: Paper, story: Story = PLAIN) -> list[str]:
    """Commands in order, each with its result; nothing of a command is cut."""
    blocks = []
    wrap = partial(textwrap.wrap, width=paper.width, subsequent_indent="       ")
    for number, item in enumerate(items, 1):
        command = f"{choose_mark(story, number)}{number:>2} {words_of(item, top=True)}".rstrip()
        alone, result = wrap(command) or [command], result_of(story, number)
        if not result and not story.brief:
            blocks.append(alone)
            continue
        most = 1 if story.brief else max(RESULT, len(alone) + 1)
        most_lines = None if paper.full or number == story.mark else most
        blocks.append(wrap(f"{command} {result}", max_lines=most_lines, placeholder=" …"))
    return last_of(blocks, paper, story) if story.mark else first_of(blocks, paper, 2 * ROWS)


def render_records(records: list[dict[str, Json]], paper: Paper, story: Story = PLAIN) -> list[str]:
    """Records with lists in them (rounds): a block each, without what equals the one before."""
    befores: list[dict[str, Json]] = [{}, *(dict(flatten_form(record)) for record in records)]
    blocks = [
        render_record(number, record, before, paper, story)
        for number, (record, before) in enumerate(zip(records, befores, strict=False), 1)
    ]
    if not story.mark:
        return first_of(blocks, paper, ROWS // 2)
    if start := first_shown(blocks, paper, story):  # what is before it is not shown
        blocks[start] = render_record(start + 1, records[start], {}, paper, story)
    return last_of(blocks, paper, story)


def render_record(
    number: int, record: dict[str, Json], before: dict[str, Json], paper: Paper, story: Story
) -> list[str]:
    """One block."""
    changed = {n: v for n, v in flatten_form(record) if n not in before or before[n] != v}
    changed = {n: v for n, v in changed.items() if n in before or not is_empty(v)}
    same = [name for name, value in flatten_form(record) if is_block(value) and name not in changed]
    simple = {name: value for name, value in changed.items() if not is_block(value)}
    head, *more = render_pairs(simple, paper.inside(4)) or [""]
    lines = [f"{choose_mark(story, number)}{number}: {head}".rstrip(), *indent_lines(more, 4)]
    for name, value in changed.items():
        if is_block(value):
            lines += indent_lines([f"{name}:", *indent_lines(render_list(value, paper.inside(4)))])
    if same:
        lines.append(f"  as before: {', '.join(same)}")
    if result := result_of(story, number):
        lines += indent_lines(textwrap.wrap(result, paper.width - 2, subsequent_indent="    "))
    return lines


def choose_mark(story: Story, number: int) -> str:
    """What stands before a step: ✗ where a clause is broken."""
    return "" if not story.mark else "✗ " if number == story.mark else "  "


def result_of(story: Story, number: int) -> str:
    """The subject's result of a step; of what lasts only what has changed."""
    if number > len(story.results):
        return ""
    result = story.results[number - 1]
    if not isinstance(result, dict):
        return f"→ {words_of(result, top=True) or NOTHING}"
    before = story.results[number - 2] if number > 1 else None
    old = before if isinstance(before, dict) else {}
    kinds = {one.get("do") for one in story.results if isinstance(one, dict)}
    words = [str(result["do"])] if len(kinds) > 1 else []
    for name, value in result.items():
        if name == "do" or value in EMPTY:
            continue
        if isinstance(value, list) and any(isinstance(i, dict) and "do" in i for i in value):
            words.append(words_of(value, top=True))
        elif not isinstance(value, list) or old.get(name) != value:  # such a list is a state
            words.append(f"{name}={words_of(value)}")
    return f"→ {' '.join(words) or NOTHING}"


def words_of(value: Json, *, top: bool = False) -> str:
    """A value on one line without JSON's signs: `read_issued entries=1`; without what is empty."""
    if isinstance(value, dict):
        leaves = {n: v for n, v in flatten_form(value) if n != "do" and v not in EMPTY}
        names = brief_names(list(leaves))
        simple = [f"{n}={words_of(v)}" for n, v in zip(names, leaves.values(), strict=True)]
        words = " ".join([str(value["do"]), *simple] if "do" in value else simple)
        return words if top or not simple else f"({words})"
    if isinstance(value, list):
        runs = [(words, len([*same])) for words, same in groupby(map(words_of, value))]
        words = ", ".join(f"{n} × {one}" if n > 2 else ", ".join([one] * n) for one, n in runs)
        return words if top else f"[{words}]"
    return value if isinstance(value, str) else text_of(value)


def first_of(blocks: list[list[str]], paper: Paper, most: int) -> list[str]:
    """The first blocks, and how many others there are."""
    shown = paper.take_head(blocks, most)
    return [line for block in shown for line in block] + fold_items(blocks, shown)


def first_shown(blocks: list[list[str]], paper: Paper, story: Story) -> int:
    """The index of the first step for which there is room before the one that breaks a clause."""
    start, room = story.mark - 1, STORY
    while start and (paper.full or len(blocks[start - 1]) <= room):
        start -= 1
        room -= len(blocks[start])
    return start


def last_of(blocks: list[list[str]], paper: Paper, story: Story) -> list[str]:
    """The step that breaks a clause, and those before it that there is room for."""
    start = first_shown(blocks, paper, story)
    left = [f"  … {start:,} before, --full shows all"] if start else []
    return left + [line for block in blocks[start : story.mark] for line in block]


def render_rows(records: list[dict[str, Json]], paper: Paper) -> list[str]:
    """Simple records, a row each: the columns that differ, and below what all rows share."""
    rows = [dict(flatten_form(record)) for record in records]
    names = list(dict.fromkeys(name for row in rows for name in row))
    names = [name for name in names if not all(is_empty(row.get(name)) for row in rows)]
    names, duplicates = without_duplicates(names, rows)
    constant = [n for n in names if len(rows) > 1 and len({text_of(r.get(n)) for r in rows}) == 1]
    columns = [name for name in names if name not in constant]
    shown = paper.take_head(rows)
    every = [*names, *(duplicate for duplicate, _ in duplicates)]
    heads = dict(zip(every, brief_names(every), strict=True))
    cells = [[heads[name] for name in columns]]
    cells += [[render_cell(row, name, paper) for name in columns] for row in shown]
    lines = align_cells(cells) if columns else [f"{len(rows)} alike"]
    if len(columns) == 1 and len(shown) > 1:
        (head,), *values = cells
        lines = textwrap.wrap(f"{head}: {', '.join(value for (value,) in values)}", paper.width)
    if max(map(len, lines)) > paper.width and not paper.full:
        lines = stack_cells(cells, paper)
    lines += fold_items(rows, shown)
    constants = [f"{heads[name]}: {shorten_value(rows[0].get(name), paper)}" for name in constant]
    same = [f"{heads[name]} = {heads[other]}" for name, other in duplicates]
    for label, words in (("every row", constants), ("the same", same)):
        if words:
            lines += textwrap.wrap(f"{label}: {', '.join(words)}", paper.width)
    return lines


def render_cell(row: dict[str, Json], name: str, paper: Paper) -> str:
    """A value in its column; texts without their quotes."""
    value = row.get(name)
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        text = f"[{', '.join(value)}]"
        return text if paper.full or len(text) <= CELL else f"{len(value)}: {text[: CELL - 5]}…"
    text = shorten_value(value, paper)
    return text.strip('"') if isinstance(value, str) else text


def without_duplicates(
    names: list[str], rows: list[dict[str, Json]]
) -> tuple[list[str], list[tuple[str, str]]]:
    """Columns without those with the values of an earlier one of the same last name."""
    different: list[str] = []
    duplicates: list[tuple[str, str]] = []
    for name in names:
        last = name.rpartition(".")[2]
        alike = [k for k in different if k.rpartition(".")[2] == last]
        alike = [k for k in alike if all(row.get(k) == row.get(name) for row in rows)]
        if alike:
            duplicates.append((name, alike[0]))
        else:
            different.append(name)
    return different, duplicates


def brief_names(names: list[str]) -> list[str]:
    """Each dotted name cut from the left as far as it stays unique."""
    split = [name.split(".") for name in names]
    found = []
    for own in split:
        tails = (own[-size:] for size in range(1, len(own) + 1))
        alone = (t for t in tails if sum(other[-len(t) :] == t for other in split) == 1)
        found.append(".".join(next(alone, own)))
    return found


def align_cells(cells: list[list[str]], between: str = "  ") -> list[str]:
    """Rows of cells in columns."""
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return [between.join(map(str.ljust, row, widths)).rstrip() for row in cells]


def stack_cells(cells: list[list[str]], paper: Paper) -> list[str]:
    """A table that is too wide: each row over several lines."""
    head, *rows = cells
    lines: list[str] = []
    for row in rows:
        first, *others = zip(head, row, strict=True)
        words = [f"{name} {value}" for name, value in others]
        lines += [first[1], *indent_lines(wrap_words(words, paper.inside()))]
    return lines
