"""Lines of a broker since 5.0, whose values are attributes after the message (PIP-467), as a broker
of 4.x writes them: `Available brokers {broker=[a, b]}`.

They are in a log whose layout prints them: `%X` after `%msg`, as the distribution's own log4j2.yaml
has it. Log4j prints them in the order of their names. Its layouts of JSON have them as objects.
"""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from typing import Any, Final

from evenkeel.operate.tables import read_table

NEWER: Final = tuple(
    (re.compile(f" - {newer}$"), rf" - {older}")
    for newer, older in read_table("recording/attributes.toml")["forms"]
)

BARE: Final = re.compile(
    r" - (Acquired leadership|Available brokers|sorted broker list|Unload decision result)( \{\})?$"
    r'|^\{"'
)
"""In a line whose layout prints no attribute, or is JSON that is not read."""
LOGGERS: Final = ("log.logger", "logger_name", "loggerName")
ATTRIBUTES: Final = ("mdc", "contextMap", "labels")
"""How layouts of JSON call the logger, and the object of attributes."""


def in_older_form(line: str) -> str:
    """The line as 4.x writes it; one of 4.x, or of another kind, as it is."""
    line = in_text(line)
    for newer, older in NEWER:
        line = newer.sub(older, line)
    return line


def in_text(line: str) -> str:
    """A line by one of log4j's layouts of JSON (JsonLayout, or a template of JsonTemplateLayout:
    EcsLayout, LogstashJsonEventLayoutV1, JsonLayout) as text; any other as it is.
    """
    try:
        data: dict[str, Any] = json.loads(line) if line.startswith("{") else {}
        at = f"{find_time(data).astimezone(UTC).isoformat(timespec='milliseconds')[:-6]}+0000"
        logger = next(data[key] for key in LOGGERS if key in data)
        own: dict[str, Any] = {}
        if "ecs.version" in data:  # attributes are next to fields whose names have dots
            texts = ((key, one) for key, one in data.items() if isinstance(one, str))
            own = {key: one for key, one in texts if key.isalnum() and key != "message"}
        for key in ATTRIBUTES:
            own |= data.get(key) or {}
        text = f"{at.replace('.', ',')} {logger} - {data['message']}"
    except (ValueError, KeyError, TypeError, StopIteration):
        return line
    more = ", ".join(f"{key}={own[key]}" for key in sorted(own))
    return f"{text} {{{more}}}" if more else text


def find_time(data: dict[str, Any]) -> datetime:
    """When an event was. Raises `KeyError`, `TypeError`, `ValueError`."""
    if "@timestamp" in data:
        return datetime.fromisoformat(data["@timestamp"])
    if "timeMillis" in data:
        return datetime.fromtimestamp(data["timeMillis"] / 1000, UTC)
    seconds = data["instant"]["epochSecond"] + data["instant"]["nanoOfSecond"] / 1e9
    return datetime.fromtimestamp(seconds, UTC)
