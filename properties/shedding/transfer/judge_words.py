"""What a decision of TransferShedder says, in words."""

from __future__ import annotations

from collections.abc import Iterable

from evenkeel.reference.shedding.transfer import TransferDecision, TransferMove


def in_words(moves: Iterable[TransferMove]) -> str:
    """Moves, in a fixed order."""
    return "; ".join(
        sorted(
            f"{move.bundle} from {move.source} to {move.destination or 'anyone'}, "
            f"{move.reason.value}"
            for move in moves
        )
    )


def in_short(said: TransferDecision) -> str:
    """A decision: its moves, or what is told instead."""
    reason = said.reason.value if said.reason else "none"
    return in_words(said.moves) or f"{said.label.value} ({reason})"
