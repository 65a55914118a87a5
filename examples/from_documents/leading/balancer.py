"""The adapter: speaks the wire protocol and passes each trial to its chapter."""

from __future__ import annotations

import json
import random
import sys
import zlib
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from examples.from_documents.leading import (
    balancing,
    load_averages,
    load_reports,
    placement_choice,
    placement_filters,
    shedding_avg,
    shedding_cycles,
    shedding_modular,
    shedding_transfer,
    simulation,
)
from examples.from_documents.leading.common import Context, Json, RefusedError, SkippedError
from examples.from_documents.leading.interpretations import VARIANTS, Interpretations
from examples.from_documents.variants import find_variant

Handler = Callable[[Context, Json], Json]

HANDLERS: dict[str, Handler] = {
    **balancing.HANDLERS,
    **load_averages.HANDLERS,
    **load_reports.HANDLERS,
    **placement_choice.HANDLERS,
    **placement_filters.HANDLERS,
    **shedding_avg.HANDLERS,
    **shedding_cycles.HANDLERS,
    **shedding_modular.HANDLERS,
    **shedding_transfer.HANDLERS,
    **simulation.HANDLERS,
}


def to_json(value: object) -> object:
    """An exact number as the nearest double."""
    if isinstance(value, Fraction):
        return float(value)
    raise TypeError(type(value).__name__)


def answer(interpretations: Interpretations, message: Json) -> Json:
    """The reply to one trial."""
    trial = message["trial"]
    seed = zlib.crc32(json.dumps(trial, sort_keys=True, default=to_json).encode())
    head: Json = {"type": "observation", "id": message["id"]}
    handler = HANDLERS.get(message["question"])
    if handler is None:
        return {"type": "skipped", "id": message["id"], "reason": "unknown question"}
    try:
        return {**head, "answer": handler(Context(interpretations, random.Random(seed)), trial)}
    except RefusedError as reason:
        return {**head, "refused": {"reason": type(reason).__name__, "detail": str(reason)}}
    except SkippedError as reason:
        return {"type": "skipped", "id": message["id"], "reason": str(reason)}


def reply(variant: str, line: str) -> Json:
    """The reply to one line."""
    number: int | None = None
    try:
        interpretations = find_variant(VARIANTS, variant)
        exact = interpretations.arithmetic == "decimal"
        message: Any = json.loads(line, parse_float=Fraction if exact else float)
        if message["type"] == "bye":
            return {"type": "bye"}
        if message["type"] == "hello":
            if message["protocol"] != 1:
                return {"type": "error", "id": None, "reason": "protocol 1 only", "definite": True}
            return {
                "type": "hello",
                "protocol": 1,
                "name": f"documents-{variant}",
                "version": "1",
                "language": "python",
                "questions": sorted(HANDLERS),
                "options": [],
            }
        number = message["id"] if type(message["id"]) is int else None
        return answer(interpretations, message)
    except Exception as failure:  # the protocol requires a reply to every trial
        reason = f"{type(failure).__name__}: {failure}"
        if "-v" in sys.argv:
            raise
        return {"type": "error", "id": number, "reason": reason, "definite": True}


def main() -> int:
    """Answer line by line until the end."""
    variant = sys.argv[1] if len(sys.argv) > 1 else "a1"
    for line in sys.stdin:
        out = reply(variant, line)
        sys.stdout.write(json.dumps(out, default=to_json) + "\n")
        sys.stdout.flush()
        if out["type"] == "bye":
            break
    return 0


if __name__ == "__main__":
    sys.exit(main())
