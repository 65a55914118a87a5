"""A starter adapter for evenkeel (spec/wire.md), to be copied: plain Python, no dependency.

Put your balancer in place of the two functions; adapters/README.md says how to run it.
"""

import json
import re
import sys
import zlib
from itertools import pairwise

NAME = re.compile(r"(persistent|non-persistent)://([-=:.\w]+/[-=:.\w]+)/(.*\S.*)", re.A | re.S)
PARTITION = re.compile(r"(.*)-partition-(0|[1-9][0-9]{0,9})", re.S)


class Refusal(Exception):
    """The balancer rejects the input deliberately."""


def find_bundle(trial: dict) -> dict:
    """bundles.hash_lookup: which bundle of these boundaries holds this hash?"""
    for lower, upper in pairwise(trial["boundaries"]):
        closed = upper == 2**32 - 1
        if lower <= trial["hash"] < upper + closed:
            return {"bundle": {"lower": lower, "upper": upper, "upper_included": closed}}
    raise LookupError("no bundle holds it")


def name_topic(trial: dict) -> dict:
    """bundles.topic: what does this text name, and what is its hash?"""
    text = trial["text"]
    if "://" not in text:
        pieces = [piece for piece in text.split("/") if piece]
        short = f"public/default/{pieces[0]}" if len(pieces) == 1 else text
        text = f"persistent://{short if len(pieces) in (1, 3) else ''}"
    domain, _, rest = text.partition("://")
    if (match := NAME.fullmatch(f"{domain.lower()}://{rest}")) is None:
        raise Refusal("no topic name")
    partition = PARTITION.fullmatch(match[0])
    numbered = partition and int(partition[2]) < 2**31
    return {
        "name": match[0],
        "domain": match[1],
        "namespace": match[2],
        "local_name": match[3],
        "base_name": partition[1] if numbered else match[0],
        "partition": int(partition[2]) if numbered else None,
        "hash": zlib.crc32(match[0].encode()),
    }


QUESTIONS = {"bundles.hash_lookup": find_bundle, "bundles.topic": name_topic}
HELLO = {"type": "hello", "protocol": 1, "name": "starter", "version": "1"}
HELLO |= {"language": "python", "questions": list(QUESTIONS), "options": []}


def reply(message: dict) -> dict:
    """The one message that is due after a message of the harness."""
    if message["type"] != "trial":
        return {"hello": HELLO, "bye": {"type": "bye"}}[message["type"]]
    if message["question"] not in QUESTIONS:
        return {"type": "skipped", "id": message["id"], "reason": "not implemented"}
    try:
        said = {"answer": QUESTIONS[message["question"]](message["trial"])}
    except Refusal as refusal:
        said = {"refused": {"reason": "Refusal", "detail": str(refusal)}}
    except Exception as bug:  # the balancer failed, which is an observation too
        said = {"broke": {"reason": type(bug).__name__, "detail": str(bug)}}
    return {"type": "observation", "id": message["id"], **said}


for line in sys.stdin.buffer:  # bytes, since the protocol is UTF-8 whatever the locale is
    try:
        said = reply(json.loads(line))
    except (ValueError, KeyError, TypeError) as bad:
        said = {"type": "error", "id": None, "reason": f"unreadable: {bad!r}", "definite": True}
    print(json.dumps(said), flush=True)
    if said["type"] == "bye":
        break
