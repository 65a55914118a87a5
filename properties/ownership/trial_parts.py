"""What the channel and the locks share: steps that brokers make on their own."""

from __future__ import annotations

from typing import Final

STEP_BETWEEN: Final = (
    "A step that a broker makes between two moments of rest. When it makes it is its own affair: "
    "the clauses demand what holds at every moment, and what holds at rest."
)
"""Why no clause objects to a subject that ignores such a step."""
