"""Recorded ownership events, judged: a log is no question that is asked of a subject."""

from __future__ import annotations

from typing import Final

QUESTIONS: Final = ()
