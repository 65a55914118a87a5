"""What stops a campaign before or while it runs, in one sentence for the user."""

from __future__ import annotations

from evenkeel_engine.errors import UserError


class CampaignUnusable(UserError):
    """The campaign cannot be run as requested: one clear sentence, exit status 2."""
