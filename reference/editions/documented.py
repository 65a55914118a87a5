"""What the documents promise, with their own slips of arithmetic corrected (spec/errata.md)."""

from typing import Final

from evenkeel_engine.frame.line import Line

LINE: Final = Line("DOCUMENTED")
