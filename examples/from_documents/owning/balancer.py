"""A load balancer written from the documents alone, as an adapter: `balancer.py VARIANT`."""

from __future__ import annotations

import json
import sys
import traceback
from collections.abc import Callable
from typing import Any

from examples.from_documents.owning import bundles
from examples.from_documents.owning.channel import channel
from examples.from_documents.owning.interpretations import VARIANTS, Interpretations
from examples.from_documents.owning.locks import locks
from examples.from_documents.owning.scaling_assignment import answer_assignment
from examples.from_documents.owning.scaling_decision import decision, report
from examples.from_documents.owning.scaling_decision import policy as scaling_policy
from examples.from_documents.owning.scaling_layout import layout
from examples.from_documents.owning.splitting_due import due_extensible, due_modular
from examples.from_documents.owning.splitting_life import life
from examples.from_documents.owning.splitting_positions import apply, manual, positions, unloading
from examples.from_documents.owning.throttling_counters import bucket, counter, quota, subscribing
from examples.from_documents.owning.throttling_loop import loop
from examples.from_documents.owning.throttling_reads import (
    averages,
    default,
    entries_for_bytes,
    policy,
    read_limits,
)
from examples.from_documents.owning.transitions import conflict, transition
from examples.from_documents.owning.wire import Json, Refusal, Skip
from examples.from_documents.variants import find_variant

QUESTIONS: dict[str, Callable[[Interpretations, Json], Json]] = {
    "ownership.channel": channel,
    "ownership.locks": locks,
    "ownership.transition": transition,
    "ownership.conflict": conflict,
    "bundles.boundaries": bundles.boundaries,
    "bundles.creation": bundles.creation,
    "bundles.hash_lookup": bundles.hash_lookup,
    "bundles.topic_lookup": bundles.topic_lookup,
    "bundles.membership": bundles.membership,
    "bundles.range": bundles.bundle_range,
    "bundles.topic": bundles.topic,
    "splitting.apply": apply,
    "splitting.positions": positions,
    "splitting.manual": manual,
    "splitting.unloading": unloading,
    "splitting.due_extensible": due_extensible,
    "splitting.due_modular": due_modular,
    "splitting.life": life,
    "scaling.assignment": answer_assignment,
    "scaling.decision": decision,
    "scaling.layout": layout,
    "scaling.policy": scaling_policy,
    "scaling.report": report,
    "throttling.bucket": bucket,
    "throttling.counter": counter,
    "throttling.default": default,
    "throttling.quota": quota,
    "throttling.loop": loop,
    "throttling.policy": policy,
    "throttling.read_limits": read_limits,
    "throttling.averages": averages,
    "throttling.entries_for_bytes": entries_for_bytes,
    "throttling.subscribing": subscribing,
}


def observe(interpretations: Interpretations, message: Json) -> Json:
    """The reply to one trial."""
    number = message["id"]
    answer = QUESTIONS.get(message["question"])
    if answer is None:
        return {"type": "skipped", "id": number, "reason": "unknown question"}
    try:
        return {
            "type": "observation",
            "id": number,
            "answer": answer(interpretations, message["trial"]),
        }
    except Refusal as refusal:
        member = {"reason": refusal.reason, "detail": refusal.detail}
        return {"type": "observation", "id": number, "refused": member}
    except Skip as skip:
        return {"type": "skipped", "id": number, "reason": str(skip)}
    except Exception as error:
        traceback.print_exc(file=sys.stderr)
        member = {"reason": type(error).__name__, "detail": str(error)}
        return {"type": "observation", "id": number, "broke": member}


def reply(variant: str, message: Any) -> Json | None:
    """The reply to one message; none to the end."""
    if not isinstance(message, dict):
        return {"type": "error", "id": None, "reason": "this line is no message", "definite": True}
    if message.get("type") == "hello" and message.get("protocol") == 1:
        return {
            "type": "hello",
            "protocol": 1,
            "name": f"written-from-the-documents-{variant}",
            "version": "1",
            "language": "python",
            "questions": sorted(QUESTIONS),
            "options": [],
        }
    if message.get("type") == "bye":
        return None
    if message.get("type") == "trial" and isinstance(message.get("id"), int):
        try:
            return observe(find_variant(VARIANTS, variant), message)
        except KeyError as missing:
            reason = f"{missing} is missing"
            return {"type": "error", "id": message["id"], "reason": reason, "definite": True}
    return {"type": "error", "id": None, "reason": "this is no message", "definite": True}


def main() -> int:
    """Read lines until the end or a `bye`."""
    variant = sys.argv[1]
    for line in sys.stdin:
        try:
            message = json.loads(line)
        except ValueError:
            message = None
        answer = reply(variant, message)
        sys.stdout.write(json.dumps({"type": "bye"} if answer is None else answer) + "\n")
        sys.stdout.flush()
        if answer is None:
            break
    return 0


if __name__ == "__main__":
    sys.exit(main())
