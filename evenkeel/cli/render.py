"""Render trials and answers as short text: JSON spelling, tables, folded if long.

Omitted are fields at their defaults, and in tables what is zero, false, null or empty in all rows;
what is the same in all rows is printed once.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass, replace
from enum import Enum
from typing import Any, Final

from evenkeel.properties.kit.codec import Json, to_json, wire_name

ROWS: Final = 8
"""Rows of a table, or commands of a list, that are shown before it is folded."""
BUNDLE: Final = re.compile(r".+/0x[0-9a-f]{8}_0x[0-9a-f]{8}")
CELL: Final = 30
"""Characters of a value in a table, or in a comparison."""


@dataclass(frozen=True, slots=True)
class Paper:
    """How wide it is, whether long things are folded, and from what number lists are counted."""

    width: int = 80
    full: bool = False
    first: int = 0

    def inside(self, indent: int = 2) -> Paper:
        """The same, for what is indented."""
        return replace(self, width=max(self.width - indent, 30))

    def head(self, items: Sequence[Json], most: int = ROWS) -> Sequence[Json]:
        """The items that are shown."""
        return items if self.full or len(items) <= most + 1 else items[:most]


def text_of(value: Json) -> str:
    """A value as JSON writes it."""
    return json.dumps(value, ensure_ascii=False)


def short(value: Json, paper: Paper, most: int = CELL) -> str:
    """A value on one line, cut where it becomes long."""
    text = text_of(value)
    return text if paper.full or len(text) <= most else f"{text[: most - 1]}…"


def folded(items: Sequence[object], shown: Sequence[object]) -> list[str]:
    """The line with the number of hidden ones."""
    left = len(items) - len(shown)
    return [f"… {left:,} more, --full shows all"] if left else []


def indented(lines: Iterable[str], by: int = 2) -> list[str]:
    """Lines further to the right."""
    return [" " * by + line for line in lines]


# ----------------------------------------------------------------------- what is left out


def pruned(value: Any) -> Json:
    """The JSON form without the fields that are at their default; rows of tables stay whole."""
    if isinstance(value, tuple):
        return [pruned(item) if hasattr(item, "DO") else to_json(item) for item in value]
    if not is_dataclass(value) or isinstance(value, type | Enum):
        return to_json(value)
    do = getattr(value, "DO", None)
    form: dict[str, Json] = {} if do is None else {"do": do}
    for one in fields(value):
        item = getattr(value, one.name)
        if not at_default(one, item):
            form[wire_name(one)] = pruned(item)
    return form


def at_default(field: Field[Any], value: Any) -> bool:
    """Whether a field has its default value."""
    if field.default is not MISSING:
        return bool(field.default == value)
    return field.default_factory is not MISSING and bool(field.default_factory() == value)


def is_empty(value: Json) -> bool:
    """Whether a value is zero, false, null or empty."""
    return not value or (isinstance(value, dict) and all(map(is_empty, value.values())))


# ----------------------------------------------------------------------- a trial


def render(trial: Any, paper: Paper) -> list[str]:
    """A trial of any question as lines."""
    form = pruned(trial)
    if not isinstance(form, dict):
        return [text_of(form)]
    names = bundle_names(form)
    lines = render_object(renamed(form, names), paper)
    label = [f"{brief} = {name}" for name, brief in names.items()]
    shown = paper.head(label)
    whole = [*(lines or ["all fields are at their defaults"]), *shown, *folded(label, shown)]
    return [cut(line, paper) for line in whole]


def cut(line: str, paper: Paper) -> str:
    """A line that the paper holds."""
    return line if paper.full or len(line) <= paper.width else f"{line[: paper.width - 1]}…"


def texts_in(value: Json) -> Iterator[str]:
    """Every text in a value, in order."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for item in value.values() if isinstance(value, dict) else value:
            yield from texts_in(item)


def bundle_names(form: Json) -> dict[str, str]:
    """Short names for bundles; none if there is only one."""
    bundles = list(dict.fromkeys(text for text in texts_in(form) if BUNDLE.fullmatch(text)))
    return {text: f"b{number}" for number, text in enumerate(bundles, 1)} if bundles[1:] else {}


def renamed(value: Json, names: dict[str, str]) -> Json:
    """The same with these texts replaced."""
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, list):
        return [renamed(item, names) for item in value]
    if isinstance(value, dict):
        return {name: renamed(item, names) for name, item in value.items()}
    return value


def render_object(form: dict[str, Json], paper: Paper) -> list[str]:
    """The simple fields first, wrapped; then a block for each list of records."""
    simple = {name: value for name, value in flat(form) if not is_block(value)}
    blocks = [(name, value) for name, value in flat(form) if is_block(value)]
    lines = pairs(simple, paper)
    for name, items in blocks:
        lines += [f"{name}:", *indented(render_list(items, paper.inside()))]
    return lines


def is_block(value: Json) -> bool:
    """Whether a value is a list of records, or too long for a pair."""
    return isinstance(value, list) and any(isinstance(item, dict | list) for item in value)


def flat(form: dict[str, Json], prefix: str = "") -> Iterator[tuple[str, Json]]:
    """The leaves of nested objects, by their dotted names."""
    for name, value in form.items():
        if isinstance(value, dict) and value:
            yield from flat(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


def pairs(values: dict[str, Json], paper: Paper) -> list[str]:
    """`name: value`, several a line."""
    return wrapped([f"{name}: {short(value, paper, 60)}" for name, value in values.items()], paper)


def wrapped(words: Iterable[str], paper: Paper) -> list[str]:
    """Pieces joined by commas, in lines no wider than the paper."""
    lines: list[str] = []
    for word in words:
        if lines and len(lines[-1]) + len(word) + 3 <= paper.width:
            lines[-1] += f", {word}"
        else:
            lines.append(word)
    return lines


def render_list(items: list[Json], paper: Paper) -> list[str]:
    """A list: of commands and of records with lists in them numbered, of simple records a table."""
    records = [item for item in items if isinstance(item, dict)]
    if len(records) < len(items):
        shown = paper.head(items)
        return [short(item, paper, paper.width) for item in shown] + folded(items, shown)
    if any("do" in record for record in records):
        return numbered(records, paper)
    if any(is_block(value) for record in records for _, value in flat(record)):
        return parts(records, paper)
    return table(records, paper)


def numbered(records: list[dict[str, Json]], paper: Paper) -> list[str]:
    """Commands in order, numbered as the judges do."""
    shown, lines = paper.head(records, 2 * ROWS), list[str]()
    for number, record in enumerate(shown, paper.first):
        rest = {name: value for name, value in flat(record) if name != "do"}
        words = [str(record.get("do", "")), *(f"{n}={short(v, paper)}" for n, v in rest.items())]
        text = f"{number:>2} {' '.join(words)}"
        lines += textwrap.wrap(text, paper.width, subsequent_indent="     ") or [text]
    return lines + folded(records, shown)


def parts(records: list[dict[str, Json]], paper: Paper) -> list[str]:
    """Records with lists in them (rounds): a block each, without what equals the one before."""
    shown, lines = paper.head(records, ROWS // 2), list[str]()
    before: dict[str, Json] = {}
    for number, record in enumerate(shown, paper.first):
        changed = {n: v for n, v in flat(record) if n not in before or before[n] != v}
        changed = {n: v for n, v in changed.items() if n in before or not is_empty(v)}
        same = [name for name, value in flat(record) if is_block(value) and name not in changed]
        simple = {name: value for name, value in changed.items() if not is_block(value)}
        head, *more = pairs(simple, paper.inside(4)) or [""]
        lines += [f"{number}: {head}".rstrip(), *indented(more, 4)]
        for name, value in changed.items():
            if is_block(value):
                lines += indented([f"{name}:", *indented(render_list(value, paper.inside(4)))])
        if same:
            lines.append(f"  as before: {', '.join(same)}")
        before = dict(flat(record))
    return lines + folded(records, shown)


def table(records: list[dict[str, Json]], paper: Paper) -> list[str]:
    """Simple records, a row each: the columns that differ, and below what all rows share."""
    rows = [dict(flat(record)) for record in records]
    names = list(dict.fromkeys(name for row in rows for name in row))
    names = [name for name in names if not all(is_empty(row.get(name)) for row in rows)]
    names, duplicates = without_duplicates(names, rows)
    constant = [n for n in names if len(rows) > 1 and len({text_of(r.get(n)) for r in rows}) == 1]
    columns = [name for name in names if name not in constant]
    shown = paper.head(rows)
    every = [*names, *(duplicate for duplicate, _ in duplicates)]
    heads = dict(zip(every, brief_names(every), strict=True))
    cells = [[heads[name] for name in columns]]
    cells += [[cell(row, name, paper) for name in columns] for row in shown]
    lines = aligned(cells) if columns else [f"{len(rows)} alike"]
    if max(map(len, lines)) > paper.width and not paper.full:
        lines = stacked(cells, paper)
    lines += folded(rows, shown)
    constants = [f"{heads[name]}: {short(rows[0].get(name), paper)}" for name in constant]
    for label, words in (
        ("every row", constants),
        ("the same", [same(t, heads) for t in duplicates]),
    ):
        if words:
            lines += textwrap.wrap(f"{label}: {', '.join(words)}", paper.width)
    return lines


def cell(row: dict[str, Json], name: str, paper: Paper) -> str:
    """A value in its column; texts without their quotes."""
    value = row.get(name)
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        text = f"[{', '.join(value)}]"
        return text if paper.full or len(text) <= CELL else f"{len(value)}: {text[: CELL - 5]}…"
    return short(value, paper).strip('"') if isinstance(value, str) else short(value, paper)


def same(duplicate: tuple[str, str], heads: dict[str, str]) -> str:
    """Two columns that have the same values."""
    return f"{heads[duplicate[0]]} = {heads[duplicate[1]]}"


def without_duplicates(
    names: list[str], rows: list[dict[str, Json]]
) -> tuple[list[str], list[tuple[str, str]]]:
    """Columns without those with the values of an earlier one of the same last name."""
    different: list[str] = []
    duplicates: list[tuple[str, str]] = []
    for name in names:
        alike = [k for k in different if last(k) == last(name)]
        alike = [k for k in alike if all(row.get(k) == row.get(name) for row in rows)]
        if alike:
            duplicates.append((name, alike[0]))
        else:
            different.append(name)
    return different, duplicates


def last(name: str) -> str:
    """The last part of a dotted name."""
    return name.rpartition(".")[2]


def brief_names(names: list[str]) -> list[str]:
    """Each dotted name cut from the left as far as it stays unique."""
    split = [name.split(".") for name in names]
    found = []
    for own in split:
        tails = (own[-size:] for size in range(1, len(own) + 1))
        alone = (t for t in tails if sum(other[-len(t) :] == t for other in split) == 1)
        found.append(".".join(next(alone, own)))
    return found


def aligned(cells: list[list[str]]) -> list[str]:
    """Rows of cells in columns."""
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return ["  ".join(map(str.ljust, row, widths)).rstrip() for row in cells]


def stacked(cells: list[list[str]], paper: Paper) -> list[str]:
    """A table that is too wide: each row over several lines."""
    head, *rows = cells
    lines: list[str] = []
    for row in rows:
        first, *others = zip(head, row, strict=True)
        words = [f"{name} {value}" for name, value in others]
        lines += [first[1], *indented(wrapped(words, paper.inside()))]
    return lines
