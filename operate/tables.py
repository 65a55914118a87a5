"""The tables of these rooms: files of TOML next to the modules that read them."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any


def read_table(name: str) -> dict[str, Any]:
    """What a file holds, such as conf/rules.toml."""
    return tomllib.loads((Path(__file__).parent / name).read_text("utf-8"))
