"""What ends a command with one clear sentence and exit status 2, wherever it is raised."""

from __future__ import annotations


class UserError(Exception):
    """A request that cannot be carried out. The message is one sentence for the user."""
