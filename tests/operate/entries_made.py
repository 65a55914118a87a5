"""Entries of a recording, as a test wants them."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from evenkeel.operate.recording.decisions import Predicted
from evenkeel.operate.recording.entries import Entry
from evenkeel.operate.recording.findings import Margins
from evenkeel.operate.recording.judge import DECIDING_MODULAR, JudgedRecording, judge_recording
from evenkeel.operate.recording.modular_decisions import predict_modular
from evenkeel.operate.recording.store import ABOUT, read_about, read_entries, write_part
from evenkeel.reference.edition import DOCUMENTED, PULSAR_4_0, Edition

A, B = "127.0.0.1:1", "127.0.0.1:2"
TOPIC = "persistent://t/n/x"
SECOND = 1000
RECORDED = Path(__file__).parents[2] / "counterexamples" / "recorded-clusters"


def entry(
    at: float, source: str, data: Any, broker: str | None = None, subject: str | None = None
) -> Entry:
    """At a second, asked 0.1 s before."""
    time = int(at * SECOND)
    return Entry(time - 100, time, source, broker, subject, None, data)


def serving(at: float, broker: str, messages: int | None) -> Entry:
    """The topic is open with a client; None: the broker does not answer."""
    return entry(at, "serving", None if messages is None else {TOPIC: [1, 0, messages, {}]}, broker)


def record(at: float, bundle: str, state: str | None, version: int = 0, **more: Any) -> Entry:
    """A record of the channel; None: its removal."""
    data = None if state is None else {"state": state, "versionId": version, "force": False, **more}
    return entry(at, "channel", data, subject=bundle)


Change = Callable[[Entry], Entry | None]
"""An entry in place of another one; None: it is left out."""


def in_log(old: str, new: str) -> Change:
    """With other words in the log."""
    return lambda one: one._replace(data=re.sub(old, new, one.data)) if one.source == "log" else one


def modular_rounds(
    recording: Path,
    change: Change = lambda one: one,
    edition: Edition = PULSAR_4_0,
    **settings: str,
) -> list[Predicted]:
    """The recorded rounds of the modular manager."""
    changed = map(change, read_entries(recording, DECIDING_MODULAR))
    known = {**read_about(recording)["settings"], **settings}
    return predict_modular((one for one in changed if one is not None), known, edition)


def judge_changed(recording: Path, folder: Path, changed: Iterable[Entry]) -> JudgedRecording:
    """The recording with other entries, written into a folder and judged."""
    folder.mkdir(exist_ok=True)
    shutil.copy(recording / ABOUT, folder)
    write_part(folder / "events.parquet", list(changed))
    return judge_recording(folder, DOCUMENTED, 1000, Margins())
