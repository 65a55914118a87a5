"""Logs of Apache Pulsar's own channels: explained, and what the reference of 4.0 writes."""

import pytest

from evenkeel.properties.ownership.channel.trials import answer_channel
from evenkeel.reference.edition import PULSAR_4_0
from evenkeel.reference.ownership.records import Storage
from tests.operate.pulsar_log import FILES, trial_of, written
from tests.operate.test_trace_command import run
from tests.operate.trace_logs import LOGS, text_of


@pytest.mark.parametrize("storage", Storage, ids=lambda storage: storage.value)
def test_the_reference_writes_the_same(storage: Storage) -> None:
    trial = trial_of(storage)
    text = (LOGS / FILES[storage]).read_text("utf-8")
    assert text == text_of(written(trial, answer_channel(trial, PULSAR_4_0)))
    assert len(text.splitlines()) > 20


@pytest.mark.parametrize("storage", Storage, ids=lambda storage: storage.value)
def test_the_specification_explains_it(storage: Storage) -> None:
    arguments = ("--storage", storage.value, "--edition", "PULSAR_4_0")
    assert run(LOGS / FILES[storage], *arguments).returncode == 0
