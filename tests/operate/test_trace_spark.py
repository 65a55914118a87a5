"""On Spark the same is found as in one process."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from evenkeel.operate.trace import spark as on_spark
from evenkeel.operate.trace.judging import Judged, judge_rows, read_log
from evenkeel.operate.trace.rows import BadLog
from evenkeel.operate.trace.source import open_source
from evenkeel.properties.ownership.trace import Rules
from evenkeel.reference.edition import DOCUMENTED
from evenkeel.reference.ownership.records import Storage
from evenkeel_engine.campaign.session import Spark
from tests.operate.trace_logs import LOGS, write_parquet

RULES = Rules(Storage.TOPIC, DOCUMENTED, 1_000)


@contextmanager
def count_progress(title: str, total: int, unit: str) -> Iterator[on_spark.Advance]:
    """Progress ends at the total."""
    done = 0

    def advance(what: str, amount: int) -> None:
        nonlocal done
        done += amount

    yield advance
    assert title == "overlaps" or done <= total


def here(path: Path) -> Judged:
    rows, cut = read_log(open_source(path), lambda amount: None)
    return Judged(judge_rows(rows, RULES, lambda amount: None), cut)


@pytest.mark.parametrize("name", ["double_owner", "truncated"])
def test_the_same_result(spark: Spark, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(on_spark, "piece_size", lambda path, cores: 1_500)
    path = LOGS / f"{name}.jsonl"
    assert on_spark.judge_on_spark(path, RULES, spark, count_progress) == here(path)


def test_parquet_too(spark: Spark, tmp_path: Path) -> None:
    path = tmp_path / "log.parquet"
    write_parquet((LOGS / "parent_and_child.jsonl").read_text(), path, rows=20)
    assert on_spark.judge_on_spark(path, RULES, spark, count_progress) == here(path)


def test_damage_is_reported_with_its_line(spark: Spark, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(on_spark, "piece_size", lambda path, cores: 1_500)
    path = LOGS / "damaged.jsonl"
    with pytest.raises(BadLog) as here_:
        here(path)
    with pytest.raises(BadLog) as there:
        on_spark.judge_on_spark(path, RULES, spark, count_progress)
    assert str(there.value) == str(here_.value)
    assert ", line 21: " in str(there.value)
