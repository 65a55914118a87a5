"""Routes of a client, compared with those of scaling.routing.json. Copy it; it needs nothing."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

Client = Callable[[list[dict[str, Any]], bytes], tuple[int, int | None]]
"""The segment and the entry bucket (None: not known) of a key in a layout: a list of segments."""


def wrong(path: Path, client: Client) -> list[str]:
    """A sentence for each route that the client has otherwise."""
    data = json.loads(path.read_text("utf-8"))
    if data["format"] != "scalable-topics routing 1":
        raise ValueError(f"{path} has the format {data['format']!r}")
    found = []
    for route in data["routes"]:
        layout = [one for one in data["segments"] if one["layout"] == route["layout"]]
        segment, bucket = client(layout, bytes.fromhex(route["utf8"]))
        right = segment == route["segment"] and bucket in (None, route["bucket"])
        if not right:
            found.append(f"{route}: the client has segment {segment}, bucket {bucket}")
    return found
