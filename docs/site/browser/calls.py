"""Calls of a page to the specification: the name of a call, and plain data in and out."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib import import_module
from typing import Any, Final

CALLS: Final = {
    "shedding": "shedding",
    "loop": "closed_loop",
    "ranges": "ranges",
    "limits": "limits",
    "segments": "segments",
    "clause": "clause",
}
"""The module that answers each call, by its function `answer`; loaded at its first call."""


def call(name: str, argument: str) -> str:
    """The answer to a call, JSON in and out. A refusal is `refused`."""
    module = import_module(f"{__package__}.{CALLS[name]}")
    answer: Callable[[Any], Any] = module.answer
    try:
        answered = answer(json.loads(argument))
    except ValueError as error:
        answered = {"refused": str(error)}
    return json.dumps(answered, allow_nan=False)
