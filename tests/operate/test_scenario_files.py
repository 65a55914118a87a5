"""Scenario files: what they become, and the one sentence that a wrong one gets."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pyarrow as arrow
import pytest
from pyarrow import parquet

from evenkeel.operate.simulate import scenario_file
from evenkeel.operate.simulate.reading import BadScenarioFile
from evenkeel.reference.balancing.curves import Replay, Row, Spike
from evenkeel.reference.balancing.scenario import Crash, Join, Leave, Split
from evenkeel.reference.balancing.settings import Strategy
from evenkeel.reference.load.traffic import Traffic
from evenkeel.reference.shedding.cluster import MINUTE

FILES = Path(__file__).parent / "scenarios"
GOOD, MANY, SPLITS = ((FILES / f"{n}.toml").read_text("utf-8") for n in ("good", "many", "splits"))
WRONG = tomllib.loads((FILES / "wrong.toml").read_text("utf-8"))


def load(folder: Path, text: str, name: str = "s.toml") -> scenario_file.ScenarioFile:
    path = folder / name
    path.write_text(text)
    return scenario_file.load(str(path))


def test_what_a_file_becomes(tmp_path: Path) -> None:
    file = load(tmp_path, GOOD)
    scenario = file.scenario
    assert [broker.id for broker in scenario.brokers] == ["broker-1", "broker-2"]
    assert [bundle.name for bundle in scenario.bundles] == [
        "t/n/0x00000000_0x7fffffff",
        "t/n/0x7fffffff_0xffffffff",
    ]
    assert scenario.bundles[0].traffic == Traffic(0.0, 0.0, 5_000_000.0, 0.0)
    assert scenario.bundles[1].curve == Spike(MINUTE, 2 * MINUTE, 3.0)
    kinds = [(type(event), event.at // MINUTE) for event in scenario.events]
    assert kinds == [(Crash, 1), (Leave, 4), (Join, 5), (Leave, 6), (Join, 7)]
    assert file.settings[Strategy.AVG].min_unload_rate == 0
    assert file.settings[Strategy.UNIFORM].min_unload_rate == 1000
    assert file.settings[Strategy.UNIFORM].max_unload_share == 0.5


def test_a_range_names_many_brokers(tmp_path: Path) -> None:
    scenario = load(tmp_path, MANY).scenario
    owners = [bundle.owner for bundle in scenario.bundles]
    assert owners[:21] == [*(f"broker-{n}" for n in range(1, 21)), "broker-1"]
    assert [getattr(event, "broker", None) for event in scenario.events] == [
        "broker-3",
        "broker-4",
        "broker-5",
    ]


@pytest.mark.parametrize("kind", ["zipf", "pareto", "lognormal", "equal"])
def test_a_spread_keeps_the_sum_and_what_belongs_together(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "many.toml"
    path.write_text(MANY.replace("pareto", kind))
    loads = [bundle.traffic for bundle in scenario_file.load(str(path), 7).scenario.bundles]
    assert sum(load.msg_rate_in for load in loads) == pytest.approx(500 * 100)
    assert all(load.throughput_out == pytest.approx(20_000 * load.msg_rate_in) for load in loads)
    tail = sum(sorted((load.msg_rate_in for load in loads), reverse=True)[:50]) / 50_000
    assert tail == pytest.approx(0.1) if kind == "equal" else tail > 0.3
    other = [b.traffic for b in scenario_file.load(str(path), 8).scenario.bundles]
    assert (other == loads) is (kind == "equal")
    assert [b.traffic for b in scenario_file.load(str(path), 7).scenario.bundles] == loads


def test_zipf_is_zipf_and_an_own_seed_is_for_all_runs(tmp_path: Path) -> None:
    path = tmp_path / "many.toml"
    path.write_text(MANY.replace('"pareto"', '"zipf"\nexponent = 2\nseed = 3'))
    one, other = (scenario_file.load(str(path), seed).scenario for seed in (1, 2))
    assert one == other
    rates = sorted((bundle.traffic.msg_rate_in for bundle in one.bundles), reverse=True)
    assert [rates[0] / rate for rate in rates[:4]] == pytest.approx([1, 4, 9, 16])


TABLED = 'title = "x"\nminutes = 3\n[[brokers]]\nname = "b"\n[[bundles]]\nnamespace = "t/n"\n'
CSV = """minute,bundle,msg_rate_in,msg_rate_out,throughput_in,throughput_out
0,x,1,2,3,4
5,x,5,6,7,8
0,y,1,1,1,1
"""


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_rates_are_replayed_from_a_table(tmp_path: Path, kind: str) -> None:
    (tmp_path / "rates.csv").write_text(CSV)
    header, *lines = CSV.split()
    rows = [dict(zip(header.split(","), line.split(","), strict=True)) for line in lines]
    typed = [{k: v if k == "bundle" else float(v) for k, v in row.items()} for row in rows]
    parquet.write_table(arrow.Table.from_pylist(typed), tmp_path / "rates.parquet")
    bundles = load(tmp_path, f'{TABLED}table = "rates.{kind}"').scenario.bundles
    assert [bundle.name for bundle in bundles] == ["t/n/x", "t/n/y"]
    five = Row(5 * MINUTE, Traffic(5.0, 6.0, 7.0, 8.0))
    assert bundles[0].curve == Replay((Row(0, Traffic(1.0, 2.0, 3.0, 4.0)), five))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[" * 100_000, "is nested too deeply"),
        (f'{{"title": {"1" * 5000}}}', "has a number of too many digits"),
        ('{"title": "x", "title": "y"}', 'has the key "title" twice in one object'),
    ],
)
def test_json_that_cannot_be_parsed(tmp_path: Path, text: str, sentence: str) -> None:
    with pytest.raises(BadScenarioFile, match=f"s.json: cannot be parsed: {sentence}$"):
        load(tmp_path, text, "s.json")


def test_json_is_read_too_and_a_byte_order_mark_passed_over(tmp_path: Path) -> None:
    assert load(tmp_path, f"\ufeff{GOOD}").title == "A test"
    text = '{"title": "x", "minutes": 3, "brokers": [{"name": "b"}]}'
    assert load(tmp_path, text, "s.json").scenario.timing.steps == 3


def test_a_file_is_named_in_plain_characters(tmp_path: Path) -> None:
    with pytest.raises(BadScenarioFile, match="must have a name without control characters"):
        load(tmp_path, GOOD, "a\nb.toml")


def test_a_shipped_name_comes_before_a_file_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "day").write_text(GOOD)
    assert scenario_file.load("day").title != "A test"
    assert scenario_file.load("./day").title == "A test"


@pytest.mark.parametrize("cell", [[1.0], {"a": 1.0}])
def test_cells_of_parquet_that_are_no_numbers(tmp_path: Path, cell: object) -> None:
    row = dict.fromkeys(("minute", "msg_rate_in", "msg_rate_out", "throughput_in"), 0.0)
    rows = [{**row, "bundle": "x", "throughput_out": cell}]
    parquet.write_table(arrow.Table.from_pylist(rows), tmp_path / "rates.PARQUET")
    with pytest.raises(BadScenarioFile, match="row 1: throughput_out must be a number of 0 or"):
        load(tmp_path, f'{TABLED}table = "rates.PARQUET"')


NO_COLUMN = "rates.csv cannot be read (its first line has no column minute)"


@pytest.mark.parametrize(("old", "new", "sentence"), [*WRONG["rates"], (CSV, "", NO_COLUMN)])
def test_wrong_rows_are_named(tmp_path: Path, old: str, new: str, sentence: str) -> None:
    assert old in CSV
    (tmp_path / "rates.csv").write_text(CSV.replace(old, new, 1))
    with pytest.raises(BadScenarioFile) as caught:
        load(tmp_path, f'{TABLED}table = "rates.csv"')
    assert f"bundles[0].table: {sentence}" in str(caught.value)


def test_a_file_that_is_not_there_names_those_that_are() -> None:
    with pytest.raises(BadScenarioFile, match=r"nothing.toml: cannot be read \(No such file"):
        scenario_file.load("nothing.toml")


def test_a_bundle_is_split_and_a_part_of_it_again(tmp_path: Path) -> None:
    scenario = load(tmp_path, GOOD + SPLITS).scenario
    first, second = (event for event in scenario.events if isinstance(event, Split))
    assert [child.name for child in first.children] == [
        "t/n/0x00000000_0x3fffffff",
        "t/n/0x3fffffff_0x7fffffff",
    ]
    assert (first.at, first.unload, second.unload) == (3 * MINUTE, True, False)
    assert {child.traffic.throughput_in for child in first.children} == {2_500_000.0}
    assert len(second.children) == 3
    assert sum(c.traffic.throughput_in for c in second.children) == pytest.approx(2_500_000.0)
    assert {child.curve for child in second.children} == {Spike(MINUTE, 2 * MINUTE, 3.0)}


def test_parts_of_a_replayed_bundle_are_replayed_in_parts(tmp_path: Path) -> None:
    (tmp_path / "rates.csv").write_text(
        "minute,bundle,msg_rate_in,msg_rate_out,throughput_in,throughput_out\n"
        "0,0x00000000_0x80000000,10,20,30,40\n2,0x00000000_0x80000000,20,20,30,40\n"
    )
    text = GOOD.replace('count = 2\non = ["broker-1"]\nmegabytes_in = 5', 'table = "rates.csv"')
    text = text.replace(text[text.index("[bundles.curve]") : text.index("[[events]]")], "")
    first, _, _ = SPLITS.partition('[[events]]\nkind = "split"\nat = 5')
    cut = load(tmp_path, text + first.replace("0x7fffffff", "0x80000000")).scenario.events
    [split] = (event for event in cut if isinstance(event, Split))
    rows = [row.traffic.msg_rate_in for c in split.children for row in getattr(c.curve, "rows", ())]
    assert rows == [5.0, 10.0, 5.0, 10.0]


LONG = [
    ("minutes = 10", f"minutes = 0x{'f' * 5000}", "minutes: must be 1e+07 at most, not a num"),
    ("minutes = 10", f"minutes = {'1' * 5000}", "cannot be parsed: it has a number of too"),
    ("minutes = 10", f"minutes = {'[' * 5000}", "cannot be parsed: it is nested too deeply"),
    ("= 0.5", f"= 1{'0' * 400}", "settings.maxUnloadPercentage: must be 1e+12 at most, not 100"),
]


@pytest.mark.parametrize(
    ("text", "old", "new", "sentence"),
    [
        *((GOOD, *row) for row in (*WRONG["good"], *LONG)),
        *((MANY, *row) for row in WRONG["many"]),
        *((GOOD + SPLITS, *row) for row in WRONG["splits"]),
    ],
)
def test_wrong_files_get_one_sentence(
    tmp_path: Path, text: str, old: str, new: str, sentence: str
) -> None:
    assert old in text
    with pytest.raises(BadScenarioFile) as caught:
        load(tmp_path, text.replace(old, new, 1))
    assert str(caught.value).startswith(f"{tmp_path / 's.toml'}: {sentence}")
    assert "\n" not in str(caught.value)
