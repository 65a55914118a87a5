"""Answers of a client, compared with scaling.routing.json. Copy it; it needs nothing."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

Route = Callable[[list[dict[str, Any]], bytes], tuple[int, int | None]]
"""The segment and the entry bucket (None: not known) of a key in a layout: a list of segments."""
Applies = Callable[[str, int | None, int], bool]
"""Whether a client that has the first epoch applies a "layout" or "assignment" with the second."""
LowerEnd = Callable[[int, int], int]
"""Where the lower half of a range ends when a controller splits it."""


def wrong(
    path: Path, route: Route, applies: Applies | None = None, lower_end: LowerEnd | None = None
) -> list[str]:
    """A sentence for each object that the functions have otherwise. What is None is not asked."""
    data = json.loads(path.read_text("utf-8"))
    if data["format"] != "scalable-topics routing 1":
        raise ValueError(f"{path} has the format {data['format']!r}")
    pairs: list[tuple[Any, Any]] = []
    for one in data["routes"]:
        layout = [segment for segment in data["segments"] if segment["layout"] == one["layout"]]
        segment, bucket = route(layout, bytes.fromhex(one["utf8"]))
        right = segment == one["segment"] and bucket in (None, one["bucket"])
        pairs.append((one, one if right else {"segment": segment, "bucket": bucket}))
    for one in data["updates"] if applies else []:
        pairs.append((one, {**one, "applied": applies(one["of"], one["has"], one["sent"])}))
    for one in data["splits"] if lower_end else []:
        pairs.append((one, {**one, "lower_end": lower_end(one["start"], one["end"])}))
    return [f"{one}: the client has {has}" for one, has in pairs if one != has]
