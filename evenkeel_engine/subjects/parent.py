"""The process that started this one, as a subject: it answers on the pipes of standard input and
output, so that a test framework can check an object of its own process.
"""

from __future__ import annotations

import os
import stat
from typing import Final

from evenkeel_engine.errors import UserError
from evenkeel_engine.subjects.pipes import Pipes

PARENT: Final = "-"
"""What stands for it after `--subject`."""


class Parent(Pipes):
    """The other end of standard input and output. Raises `UserError` if there is none."""

    def __init__(self, line_bytes: int) -> None:
        kinds = [os.fstat(pipe).st_mode for pipe in (0, 1)]
        if not all(stat.S_ISFIFO(kind) or stat.S_ISSOCK(kind) for kind in kinds):
            raise UserError(
                f"--subject {PARENT} is for a program that starts evenkeel and answers it; "
                "here standard input and output are no pipes."
            )
        super().__init__(1, 0, line_bytes)

    def wait(self, _: float) -> None:
        """Nothing: it continues when the check has ended."""

    def last_words(self) -> list[str]:
        """None: its standard error is its own."""
        return []

    def kill(self) -> None:
        """Leave the pipes as they were, for the report. May be called again."""
        self._selector.close()
        for pipe in (0, 1):
            os.set_blocking(pipe, True)
