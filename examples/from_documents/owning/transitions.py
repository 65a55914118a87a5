"""ownership.transition and ownership.conflict: which record may follow which.

The documents say nothing about records; followed is this balancer's own rule (the next version,
and a step that there is), which lets one of two writers win.
"""

from __future__ import annotations

from examples.from_documents.owning.channel_records import TRANSITIONS, Record, follows
from examples.from_documents.owning.readings import Readings
from examples.from_documents.owning.wire import Json


def transition(_readings: Readings, trial: Json) -> Json:
    """The answer to ownership.transition."""
    return {"allowed": trial["after"] in TRANSITIONS[trial["before"]]}


def conflict(_readings: Readings, trial: Json) -> Json:
    """The answer to ownership.conflict."""
    current, update = trial["current"], trial["update"]
    if update is None:
        accepted = current is None or current["state"] == "Deleted"
    else:
        accepted = follows(plain(current), Record(update["state"], version=update["version"]))
    return {"accepted": accepted}


def plain(record: Json | None) -> Record | None:
    """State and version of a record."""
    return None if record is None else Record(record["state"], version=int(record["version"]))
