"""Which segment a key has, and which updates a client applies, as one file of JSON for clients in
any language; `cases export` writes it.

`python -m evenkeel.report.routing_vectors` writes the copy in adapters/routing-vectors.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from evenkeel.properties.scaling.routing import live_of
from evenkeel.reference.edition import DOCUMENTED
from evenkeel.reference.scaling.layout import Layout, Segment, initial, split
from evenkeel.reference.scaling.routing import (
    KnownSegment,
    bucket_hash,
    murmur3,
    route_key,
    segment_hash,
)
from evenkeel.reference.scaling.updates import (
    SentAssignment,
    SentLayout,
    assignment_after,
    layout_after,
)
from evenkeel_engine.files import write_file

COPY: Final = Path(__file__).resolve().parents[2] / "adapters/routing-vectors/scaling.routing.json"
FORMAT: Final = "scalable-topics routing 1"
ABOUT: Final = (
    "hash: Murmur3, 32 bits, seed 0, of the UTF-8 bytes of the key; segment_hash: its high 16 bits; "
    "bucket_hash: its low 16 bits. By spec/scalable-topics of apache/pulsar: wire-protocol.md, "
    "sections 2, 5 and 6.2 (3c1698d7), key-shared.md, section 2 (d2de775e)."
)
KEYS: Final = (
    *(f"order-{number}" for number in range(1, 9)),
    *("", "a", "ab", "abc", "abcd", "abcde", "with a space", "x" * 31),
    *("é", "aé", "abé", "€", "鍵", "a鍵", "😀", "ab😀", "ключ"),
)
EPOCHS: Final = ((None, 0), (0, 1), (5, 6), (5, 9), (5, 4), (5, 0), (2**40, 2**40 - 1), (5, 5))
"""What a client has, and what it is sent. Of the same epoch documents differ for layouts (G23)."""
WHOLE: Final = ((0, 65_535), (0, 32_767), (1, 65_535), (7, 9), (65_534, 65_535))


def text() -> str:
    """The file. Each of its objects is flat, and has a line of its own."""
    lists: dict[str, list[dict[str, Any]]] = {
        "segments": [row for name, known in layouts().items() for row in rows_of(name, known)],
        "routes": [row for name, known in layouts().items() for row in routes(name, known)],
        "updates": list(updates()),
        "splits": [halves(start, end) for start, end in WHOLE],
    }
    head = f'{{\n"format": {json.dumps(FORMAT)},\n"about": {json.dumps(ABOUT)},\n'
    parts = (
        f'"{name}": [\n' + ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows) + "\n]"
        for name, rows in lists.items()
    )
    return head + ",\n".join(parts) + "\n}\n"


def layouts() -> dict[str, tuple[KnownSegment, ...]]:
    """Layouts of topics by name: new ones, one that was split, entry buckets, classic topics."""
    found = {f"{count} segments": known(initial(count)) for count in (1, 2, 3)}
    found["split twice"] = known(split(split(initial(1), 0), 1))
    for splits in ((16_384, 32_768, 49_152), (22_049,), (22_050,)):
        found[f"{len(splits) + 1} entry buckets, {splits[0]}"] = (
            KnownSegment(0, 0, 65_535, splits=splits),
        )
    for count in (2, 3, 5):
        found[f"{count} partitions"] = known(initial(count), legacy=True)
    return found


def known(layout: Layout, legacy: bool = False) -> tuple[KnownSegment, ...]:
    """A layout as a client knows it."""
    return tuple(
        KnownSegment(one.number, one.start, one.end, one.sealed, legacy)
        for one in layout.segments.values()
    )


def rows_of(name: str, segments: Sequence[KnownSegment]) -> Iterator[dict[str, Any]]:
    """The segments of a layout."""
    for one in segments:
        ends = {"layout": name, "number": one.number, "start": one.start, "end": one.end}
        yield {**ends, "sealed": one.sealed, "legacy": one.legacy, "splits": list(one.splits)}


def routes(name: str, segments: Sequence[KnownSegment]) -> Iterator[dict[str, Any]]:
    """Where each key goes."""
    live = live_of(segments)
    for key in KEYS:
        data, route = key.encode(), route_key(key, live, DOCUMENTED)
        hashed = {"layout": name, "key": key, "utf8": data.hex(), "hash": murmur3(data)}
        halved = {"segment_hash": segment_hash(key, DOCUMENTED), "bucket_hash": bucket_hash(key)}
        yield {**hashed, **halved, "segment": route.segment, "bucket": route.bucket}


def updates() -> Iterator[dict[str, Any]]:
    """Whether a client applies what it is sent."""
    for has, sent in EPOCHS:
        other = SentAssignment(sent, (0,))
        applied = has is None or assignment_after(SentAssignment(has, ()), other) == other
        yield {"of": "assignment", "has": has, "sent": sent, "applied": applied}
        if has != sent:
            layout = None if has is None else SentLayout(has, ())
            applied = layout_after(layout, SentLayout(sent, ()), DOCUMENTED).epoch == sent
            yield {"of": "layout", "has": has, "sent": sent, "applied": applied}


def halves(start: int, end: int) -> dict[str, Any]:
    """Where the lower half of a range ends when it is split."""
    after = split(Layout({0: Segment(0, start, end)}, 1), 0)
    return {"start": start, "end": end, "lower_end": after.live[0].end}


if __name__ == "__main__":
    write_file(COPY, text())
