"""The JSON schemas of the wire protocol (draft 2020-12): the messages, and a file per question.

`python -m evenkeel.harness.subjects.document` writes the files. `messages.json` has the definitions
`harness` and `subject` (any message of that side) and one for each message; a question's file
has the definitions `trial` and `answer`.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def load(name: str) -> dict[str, Any]:
    """The schema file with this name: `messages` or a question's. Raises FileNotFoundError."""
    text = files(__name__).joinpath(f"{name}.json").read_text("utf-8")
    schema: dict[str, Any] = json.loads(text)
    return schema
