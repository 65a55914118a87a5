"""ownership.transition and ownership.conflict: which record may follow which.

The documents do not specify records; this balancer follows its own rule (the next version, and a
legal transition), by which one of two writers wins.
"""

from __future__ import annotations

from examples.from_documents.owning.channel_records import TRANSITIONS, Record, follows
from examples.from_documents.owning.interpretations import Interpretations
from examples.from_documents.owning.wire import Json


def transition(_interpretations: Interpretations, trial: Json) -> Json:
    """The answer to ownership.transition."""
    return {"allowed": trial["after"] in TRANSITIONS[trial["before"]]}


def conflict(_interpretations: Interpretations, trial: Json) -> Json:
    """The answer to ownership.conflict."""
    current, update = trial["current"], trial["update"]
    if update is None:
        accepted = current is None or current["state"] == "Deleted"
    else:
        accepted = follows(parse(current), Record(update["state"], version=update["version"]))
    return {"accepted": accepted}


def parse(record: Json | None) -> Record | None:
    """State and version of a record."""
    return None if record is None else Record(record["state"], version=int(record["version"]))
