"""An entry of a recording: what one source reported at one time.

Sources, and what `subject` and `data` are:

- `channel`: a record of the channel's topic, as it was published. The bundle; the record, null for
  a removal. `clock`: when the broker published it.
- `node`: a bundle's node of the modular manager. The bundle; what it holds, null when it went.
- `session`: a broker's registration. The broker; null when it went.
- `load`, `bundles`: a broker's load report, and its bundles in it.
- `average`: what the modular manager's leader wrote of a bundle's averages. The bundle; the node.
- `leader`: who leads; null if no broker.
- `lookup`: what a broker answered to lookups. Topic to the broker named; null: none named.
- `serving`: what a broker has open. Topic to [producers, consumers, messages in,
  {subscription: messages out}]; null: the broker did not answer.
- `limit`: dispatch limits in force, [messages, bytes, seconds], 0 being none. Of a topic and its
  subscriptions; without a subject of each broker, with what a read has at most (`entries`),
  whether entries are counted (`by_entry`), and whether consumers without a backlog are limited,
  too (`always`).
- `client`: what a client meets at a topic: "tries" as long as it fails, "works".
- `operation`, `fault`: what was done to the cluster, and what came of it.
- `log`: a line of a broker's log about a decision.
- `note`: what the recorder met: a source that it lost, or has again.
- `clock`: bounds in ms between which the broker's clock is ahead of the recorder's.
"""

from __future__ import annotations

from typing import Any, Final, Literal, NamedTuple

from msgspec import ValidationError, convert

from evenkeel_engine.typed import each, shape_list, shape_object


class Entry(NamedTuple):
    """One entry. Times in ms by the recorder's clock: what it tells was so between both."""

    began: int
    time: int
    source: str
    broker: str | None
    subject: str | None
    clock: int | None
    data: Any


NUMBER: Final[Any] = float | Literal["NaN", "Infinity", "-Infinity"]  # as Jackson writes them
THROUGHPUT: Final = dict.fromkeys(("msgThroughputIn", "msgThroughputOut"), float)
TRAFFIC: Final = THROUGHPUT | dict.fromkeys(("msgRateIn", "msgRateOut"), float)
RESOURCE: Final = shape_object({}, dict.fromkeys(("usage", "limit"), NUMBER))
RESOURCES: Final = ("cpu", "memory", "directMemory", "bandwidthIn", "bandwidthOut")
OF_LOAD: Final = {
    **dict.fromkeys(RESOURCES, RESOURCE | None),
    **dict.fromkeys(("weightedMaxEMA", "msgThroughputEMA"), float),
    "updatedAt": int,
    "lastStats": each(shape_object(TRAFFIC, {"topics": int})) | None,
}
LISTED: Final = shape_object({"bundleName": str, "stats": shape_object(THROUGHPUT)})
AVERAGE: Final = shape_object(TRAFFIC | {"numSamples": int, "maxSamples": int})
TEXT: Final[Any] = str | None
RECORD: Final = {
    "dstBroker": TEXT,
    "sourceBroker": TEXT,
    "splitServiceUnitToDestBroker": each(TEXT) | None,
}
RATE: Final[Any] = tuple[int, int, int]
OBJECT: Final = each(Any)
DATA: Final[dict[str, Any]] = {
    "channel": shape_object({"state": str, "versionId": int}, RECORD) | None,
    "node": shape_object({}, {"nativeUrl": TEXT, "httpUrl": TEXT, "session": int | None}) | None,
    "session": OBJECT | None,
    "load": shape_object(TRAFFIC, OF_LOAD) | None,
    "bundles": shape_object({"topBundlesLoadData": shape_list(LISTED)}) | None,
    "average": shape_object({"shortTermData": AVERAGE, "longTermData": AVERAGE}, {"topics": int}),
    "leader": TEXT,
    "lookup": each(TEXT),
    "serving": each(tuple[int, int, int, dict[str, int]]) | None,
    "limit": shape_object({"topic": RATE, "subscriptions": each(RATE)}),
    "client": str,
    "operation": OBJECT,
    "fault": OBJECT,
    "log": str,
    "note": OBJECT,
    "clock": tuple[int, int],
}
"""Of each source what of its data is read."""
OF_BROKERS: Final = shape_object({"broker": RATE})


def check_entry(entry: Entry) -> Entry:
    """The same entry. Raises ValueError if its data are of other types."""
    of_brokers = entry.source == "limit" and entry.subject is None
    try:
        convert(entry.data, OF_BROKERS if of_brokers else DATA.get(entry.source, Any))
    except ValidationError as error:
        raise ValueError(f"data of source {entry.source!r}: {error}") from None
    return entry
