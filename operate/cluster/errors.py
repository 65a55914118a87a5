"""What ends a command that needs a cluster."""

from __future__ import annotations

from evenkeel_engine.errors import UserError


class ClusterUnusable(UserError):
    """There is no such cluster, it does not start, or it does not answer: one sentence."""
