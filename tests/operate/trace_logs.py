"""The logs in tests/operate/logs: a morning of three brokers on the reference channel, and what
can happen to its log. `PYTHONPATH=. python -m tests.operate.trace_logs` writes them again.
"""

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from evenkeel.operate.trace.rows import COLUMNS
from evenkeel.properties.ownership.channel import trials as do
from evenkeel.properties.ownership.channel.trials import Bundle, ChannelCommand, ChannelTrial
from evenkeel.properties.ownership.trace import Event
from evenkeel.reference.edition import DOCUMENTED
from evenkeel.reference.ownership.records import State, Storage
from evenkeel_engine.files import json_lines
from tests.ownership.recording import BUNDLES, Log, record

LOGS = Path(__file__).parent / "logs"
CLOCKS = (0, 140, -95)
"""By how many ms the brokers' clocks are off."""

PARENT, LEFT = BUNDLES["parent"], BUNDLES["left"]

TYPES = {"time": pa.int64(), "version": pa.int64(), "force": pa.bool_()}
SCHEMA = pa.schema([(name, TYPES.get(name, pa.string())) for name in COLUMNS])


def everybody_reads() -> list[ChannelCommand]:
    """Everybody reads all there is, and what that brings about."""
    row: list[ChannelCommand] = []
    for _ in range(5):
        for broker in (1, 0, 2):
            row += [do.Read(broker), do.Elapse(3)]
    return row


def append_reads(*commands: ChannelCommand) -> list[ChannelCommand]:
    """These commands, each with time after it, and then everybody reads."""
    row: list[ChannelCommand] = []
    for command in commands:
        row += [command, do.Elapse(40)]
    return [*row, *everybody_reads(), do.Elapse(2_000)]


def morning() -> tuple[ChannelCommand, ...]:
    """Assignments, a transfer, an unload, a split, a crash with its clean-up, a restart."""
    return (
        *append_reads(do.Assign(0, Bundle.PARENT, 1), do.Assign(2, Bundle.OTHER, 0)),
        *append_reads(do.Unload(0, Bundle.OTHER, 2)),
        *append_reads(do.Finish(0, Bundle.OTHER, False)),
        *append_reads(do.Unload(1, Bundle.OTHER, None)),
        *append_reads(do.Finish(2, Bundle.OTHER, False)),
        *append_reads(do.Assign(1, Bundle.OTHER, 2), do.Assign(0, Bundle.OTHER, 0)),
        *append_reads(do.Split(0)),
        *append_reads(do.Finish(1, Bundle.PARENT, False)),
        *append_reads(do.Unload(2, Bundle.LEFT, 2)),
        *append_reads(do.Finish(1, Bundle.LEFT, False)),
        *append_reads(do.Crash(2), do.Notice(0), do.Notice(1), do.Elapse(200_000), do.Clean(0)),
        *append_reads(do.RestartBroker(2)),
    )


def good(storage: Storage) -> Log:
    """The log of the morning, in the order of what happened."""
    return record(ChannelTrial(storage, 3, morning()), DOCUMENTED, CLOCKS)


def line_of(bundle: str, event: Event) -> dict[str, object]:
    """An event as a line has it."""
    fields = event._asdict()
    del fields["place"]
    first = {"time": event.time, "broker": event.broker, "bundle": bundle}
    return {**first, **fields, "state": event.state.value}


def text_of(log: Log) -> str:
    """A log as JSON lines."""
    return "".join(json.dumps(line_of(bundle, event)) + "\n" for bundle, event in log)


def double(log: Log) -> Log:
    """Broker b2 saw itself become the owner, by the version by which all others saw b1."""
    lie = {(PARENT, "b2", 2)}
    return [
        (bundle, event._replace(owner="b2"))
        if (bundle, event.broker, event.version) in lie
        else (bundle, event)
        for bundle, event in log
    ]


def parent_and_child(log: Log) -> Log:
    """A divided parent is assigned again while its halves are owned."""
    time = log[-1][1].time + 5_000
    back = [
        Event(time, "b0", State.ASSIGNING, "b0", None, 5, False, len(log)),
        Event(time + 9, "b0", State.OWNED, "b0", None, 6, False, len(log) + 1),
    ]
    return [*log, *((PARENT, event) for event in back)]


def gap(log: Log) -> Log:
    """No broker logged one version of a bundle."""
    return [(b, e) for b, e in log if (b, e.version) != (LEFT, 2)]


def shuffle_lines(log: Log) -> Log:
    """Each broker's log as it stands, in order; and some of it twice."""
    whole = sorted(log, key=lambda line: line[1].broker)
    return [*whole, *whole[::3]]


def logs() -> dict[str, str]:
    """The files by name."""
    topic, nodes = good(Storage.TOPIC), good(Storage.NODES)
    text = text_of(topic)
    lines = [f"{line}\n" for line in json_lines(text)]
    damaged = [*lines[:20], lines[20][:31] + "\n", *lines[21:]]
    return {
        "good_topic.jsonl": text,
        "good_nodes.jsonl": text_of(nodes),
        "double_owner.jsonl": text_of(double(topic)),
        "parent_and_child.jsonl": text_of(parent_and_child(topic)),
        "truncated.jsonl": text[:-37],
        "damaged.jsonl": "".join(damaged),
        "gap.jsonl": text_of(gap(topic)),
        "unordered.jsonl": text_of(shuffle_lines(nodes)),
    }


def write_parquet(text: str, path: Path, rows: int = 40) -> None:
    """The same log in Parquet, in row groups of `rows` rows."""
    lines = [json.loads(line) for line in json_lines(text)]
    pq.write_table(pa.Table.from_pylist(lines, schema=SCHEMA), path, row_group_size=rows)


def main() -> None:
    """Write all files."""
    for name, text in logs().items():
        (LOGS / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
