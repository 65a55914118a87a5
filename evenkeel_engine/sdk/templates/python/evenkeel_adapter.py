"""The wire protocol of evenkeel, version 1: standard library only, Python 3.8 or later.

Written by `evenkeel adapter new`.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from typing import Any, Dict, List, TypedDict, Union  # noqa: UP035


class Skipped(Exception):
    """This trial cannot be put to the subject; keep numbers out of the reason."""


class Refused(Exception):
    """The subject rejected the input on purpose: a reason in a word, and more in words."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(reason, detail)
        self.reason, self.detail = reason, detail


@TYPES@

class Balancer:
    """One method per question; each says `Skipped` until a subclass has its own."""

@SLOTS@


def serve(subject: Balancer, name: str, version: str) -> None:
    """Answer the harness until it says bye."""
    output, sys.stdout = sys.stdout, sys.stderr  # prints must not get between the messages
    supported = [q for q in METHODS if written(subject, METHODS[q])]
    version += "+" + build_id()
    hello = {"type": "hello", "protocol": 1, "name": name, "version": version}
    hello.update(language="python", questions=supported, options=[])
    for line in sys.stdin.buffer:  # bytes, since the protocol is UTF-8 whatever the locale is
        try:
            message = reply(subject, json.loads(line), hello)
        except (ValueError, KeyError, TypeError) as bad:
            reason = "unreadable message: %r" % bad
            message = {"type": "error", "id": None, "reason": reason, "definite": True}
        output.write(json.dumps(message) + "\n")
        output.flush()
        if message["type"] == "bye":
            return


def build_id() -> str:
    """A digest of all modules that are loaded: another program gives another one."""
    files = {getattr(module, "__file__", None) for module in list(sys.modules.values())}
    digests = []
    for name in files:
        if name and os.path.isfile(name):
            with open(name, "rb") as file:
                digests.append(hashlib.sha256(file.read()).digest())
    return hashlib.sha256(b"".join(sorted(digests))).hexdigest()[:12]


def written(subject: Balancer, method: str) -> bool:
    """Whether a subclass has its own method."""
    return getattr(type(subject), method) is not getattr(Balancer, method)


def reply(subject: Balancer, message: Dict[str, Any], hello: Dict[str, Any]) -> Dict[str, Any]:
    """The one message that is due."""
    if message["type"] != "trial":
        return {"hello": hello, "bye": {"type": "bye"}}[message["type"]]
    ident, question, trial = message["id"], message["question"], message["trial"]
    if question not in METHODS:
        return {"type": "skipped", "id": ident, "reason": "no such question here"}
    try:
        message = {"answer": getattr(subject, METHODS[question])(trial)}
        json.dumps(message)
    except Skipped as skipped:
        return {"type": "skipped", "id": ident, "reason": str(skipped)}
    except Refused as refused:
        message = {"refused": {"reason": refused.reason, "detail": refused.detail}}
    except Exception as bug:
        message = {"broke": {"reason": type(bug).__name__, "detail": str(bug)}}
    return {"type": "observation", "id": ident, **message}


METHODS = {
@NAMES@
}
