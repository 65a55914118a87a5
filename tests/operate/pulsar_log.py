"""The logs logs/pulsar_*.jsonl: what Apache Pulsar's own channels wrote in the same morning.

`PYTHONPATH=. python -m tests.operate.pulsar_log` writes them again; that needs the adapter.
"""

from typing import Any

from evenkeel.properties.ownership.channel import CHANNEL
from evenkeel.properties.ownership.channel.trials import (
    Bundle,
    ChannelAnswer,
    ChannelCommand,
    ChannelTrial,
    Elapse,
)
from evenkeel.properties.ownership.records import record_of
from evenkeel.properties.ownership.trace import Event
from evenkeel.reference.edition import PULSAR_4_0
from evenkeel.reference.ownership.conflict import accepts
from evenkeel.reference.ownership.records import Record, State, Storage
from evenkeel.releases.adapter import ADAPTER
from evenkeel_engine.subjects.base import Observed, Request
from evenkeel_engine.subjects.choose import open_subject
from tests.operate.trace_logs import LOGS, morning, text_of
from tests.ownership.recording import BUNDLES, Log

FILES = {Storage.TOPIC: "pulsar_topic.jsonl", Storage.NODES: "pulsar_nodes.jsonl"}


def in_whole_seconds(command: ChannelCommand) -> ChannelCommand:
    """Pulsar's clock is followed by whole seconds only."""
    if isinstance(command, Elapse):
        return Elapse(max(1000, command.millis // 1000 * 1000))
    return command


def trial_of(storage: Storage) -> ChannelTrial:
    """The morning, by whole seconds."""
    return ChannelTrial(storage, 3, tuple(in_whole_seconds(command) for command in morning()))


def written(trial: ChannelTrial, answer: ChannelAnswer) -> Log:
    """What was published and stands, as the publishers would log it.

    A topic takes everything; there, which messages stand is for the resolver to say.
    """
    log: Log = []
    time = 1_000_000
    standing: dict[Bundle, Record | None] = {}
    for command, step in zip(trial.commands, answer.steps, strict=True):
        if isinstance(command, Elapse):
            time += command.millis
        for write in step.wrote:
            current = standing.get(write.bundle)
            if write.stands and accepts(
                trial.storage, current, record_of(write.record), PULSAR_4_0
            ):
                standing[write.bundle] = record_of(write.record)
                given: tuple[Any, ...] = (State.INIT, None, None, None, None)
                if (one := write.record) is not None:
                    given = (one.state, one.destination, one.source, one.version, one.force)
                event = Event._make((time, f"b{write.writer}", *given, len(log)))
                log.append((BUNDLES[write.bundle.value], event))
    return log


def recorded(storage: Storage) -> str:
    """The log of Pulsar's channels, from the adapter."""
    trial = trial_of(storage)
    subject = open_subject(str(ADAPTER / "run"), PULSAR_4_0)
    try:
        [(_, reply)] = subject.replies([Request(0, CHANNEL, trial)])
    finally:
        subject.close()
    if not isinstance(reply, Observed) or not isinstance(reply.observation, ChannelAnswer):
        raise SystemExit(f"Apache Pulsar did not answer: {reply}")
    return text_of(written(trial, reply.observation))


def main() -> None:
    """Write both files."""
    for storage, name in FILES.items():
        (LOGS / name).write_text(recorded(storage), encoding="utf-8")


if __name__ == "__main__":
    main()
