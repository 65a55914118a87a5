"""Lines of a broker since 5.0, whose values are attributes after the message (PIP-467), as a broker
of 4.x writes them: `Available brokers {broker=[a, b]}`.

They are in a log whose layout prints them: `%X` after `%msg`, as the distribution's own log4j2.yaml
has it. Log4j prints them in the order of their names.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Final

NEWER: Final = tuple(
    (re.compile(f" - {newer}$"), rf" - {older}")
    for newer, older in tomllib.loads(
        Path(__file__).with_name("attributes.toml").read_text("utf-8")
    )["forms"]
)

BARE: Final = re.compile(
    r" - (Acquired leadership|Available brokers|sorted broker list|Unload decision result)( \{\})?$"
    r'|^\{"'
)
"""In a line whose layout prints no attribute, or is JSON."""


def in_older_form(line: str) -> str:
    """The line as 4.x writes it; one of 4.x, or of another kind, as it is."""
    for newer, older in NEWER:
        line = newer.sub(older, line)
    return line
