"""Scenario files: what they become, and the one sentence that a wrong one gets."""

from __future__ import annotations

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

GOOD = """
title = "A test"
minutes = 10

[settings]
maxUnloadPercentage = 0.5

[settings.avg]
minUnloadMessage = 0

[[brokers]]
count = 2

[[bundles]]
namespace = "t/n"
count = 2
on = ["broker-1"]
megabytes_in = 5

[bundles.curve]
kind = "spike"
begin = 1
end = 2
factor = 3

[[events]]
kind = "rolling-restart"
at = 4
every = 2

[[events]]
kind = "crash"
at = 1
broker = "broker-2"
# end
"""
END, SHARE = "# end", "maxUnloadPercentage = 0.5"


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


MANY = """
title = "Many"
minutes = 10
[[brokers]]
count = 30
[[bundles]]
namespace = "t/n"
count = 500
on = ["broker-{1..20}"]
msg_rate_in = 100
megabytes_out = 2
[bundles.spread]
kind = "pareto"
[[events]]
kind = "crash"
at = 2
broker = "broker-{3..5}"
"""


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
    largest = sorted((load.msg_rate_in for load in loads), reverse=True)
    tail = sum(largest[:50]) / 50_000
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
        ("[" * 100_000, "it is nested too deeply"),
        (f'{{"title": {"1" * 5000}}}', "it has a number of too many digits"),
        ('{"title": "x", "title": "y"}', 'the key "title" is there twice'),
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


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("5,x,5", "5,x,-5", "rates.csv, row 2: msg_rate_in must be a number of 0 or more"),
        ("5,x,5", "0,x,5", "rates.csv has two rows of x for minute 0"),
        ("minute,", "", "rates.csv cannot be read (its first line has no column minute)"),
        ("5,x,5,6,7,8", "5,x,5,6,7,8,9", "rates.csv cannot be read (row 2 has more cells"),
        ("0,y", "0,y z", 'rates.csv, row 3: bundle must be a word without spaces, not "y z"'),
        ("0,y,1", "0,y,", "rates.csv, row 3: msg_rate_in is missing"),
        ("0,y,1", "0,y,1e300", "rates.csv, row 3: msg_rate_in must be 1e+15 at most, not 1e+300"),
        ("0,y,1", "1e305,y,1", "rates.csv, row 3: minute must be 1e+09 at most, not 1e+305"),
        ("0,y,1", "0,y,nan", "rates.csv, row 3: msg_rate_in must be a number of 0 or more"),
        (CSV, "", "rates.csv cannot be read (its first line has no column minute)"),
    ],
)
def test_wrong_rows_are_named(tmp_path: Path, old: str, new: str, sentence: str) -> None:
    assert old in CSV
    (tmp_path / "rates.csv").write_text(CSV.replace(old, new, 1))
    with pytest.raises(BadScenarioFile) as caught:
        load(tmp_path, f'{TABLED}table = "rates.csv"')
    assert f"bundles[0].table: {sentence}" in str(caught.value)


def test_a_file_that_is_not_there_names_those_that_are() -> None:
    with pytest.raises(BadScenarioFile, match=r"nothing.toml: cannot be read \(No such file"):
        scenario_file.load("nothing.toml")


SPLITS = """
[[events]]
kind = "split"
at = 3
bundle = "t/n/0x00000000_0x7fffffff"

[[events]]
kind = "split"
at = 5
bundle = "t/n/0x00000000_0x3fffffff"
parts = 3
unload = false
"""


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


OF_MANY = [
    ("{1..20}", "{1..31}", "bundles[0].on: broker-31 is no broker that is there"),
    ("{1..20}", "{3..2}", "bundles[0].on: must go upwards, 10000 at most"),
    ("{1..20}", "{1..2}{1..2}", "bundles[0].on: must have one range at most"),
    ("{3..5}", "{3..31}", "events[0].broker: broker-31 is no broker"),
    ('"pareto"', '"heavy"', "bundles[0].spread.kind: must be one of equal, zipf"),
    ('"pareto"', '"pareto"\nalpha = 0', "bundles[0].spread.alpha: must be 0.1 or more"),
    ('"pareto"', '"pareto"\nsigma = 1', "bundles[0].spread.sigma: is not known here"),
    ('"Many"', '"Many"\nedition = "4.0"', "edition: must be DOCUMENTED or PULSAR_4_0"),
    ("= 100", "= 1e12", "bundles[0].spread: makes a bundle of"),
]
OF_GOOD = [
    ("minutes = 10", "", "minutes: is missing"),
    ("minutes = 10", "minutes = 0", "minutes: must be one step or more"),
    ("minutes = 10", 'minutes = "x"', 'minutes: must be a number, not "x"'),
    ("minutes = 10", "minutes = 10\ncolour = 1", "colour: is not known here; there are"),
    ("minutes = 10", "minutes =", "cannot be parsed: Invalid value (at line 3, column 10)"),
    ("count = 2\n\n", "count = 0\n\n", "brokers[0].count: must be 1 or more, not 0"),
    ("count = 2\n\n", "megabytes = 0\n\n", "brokers[0].megabytes: must be 1e-06 or more"),
    ("count = 2\n\n", 'name = "b"\ncount = 2\n\n', "brokers[0].count: needs {n} in the name"),
    ('on = ["broker-1"]', 'on = ["broker-9"]', "bundles[0].on: broker-9 is no broker"),
    ('on = ["broker-1"]', 'on = "x"', 'bundles[0].on: must be a list of texts, not "x"'),
    ("megabytes_in = 5", "megabytes_in = -5", "bundles[0].megabytes_in: must be 0 or more"),
    ("megabytes_in = 5", 'table = "no.csv"', "bundles[0].table: no.csv cannot be read"),
    ("megabytes_in = 5", 'table = "no.parquet"', "bundles[0].table: no.parquet cannot be"),
    ('kind = "spike"', 'kind = "wave"', "bundles[0].curve.kind: must be steady, spike"),
    ("end = 2", "end = 0", "bundles[0].curve.end: must not be before the spike begins"),
    ('"crash"', '"burn"', "events[1].kind: must be one of join, leave, crash, restart"),
    ('broker = "broker-2"', 'broker = "x"', "events[1].broker: x is no broker"),
    ("maxUnloadPercentage", "maxUnload", "settings.maxUnload: is no setting"),
    ("minUnloadMessage = 0", "minUnload = 0", "settings.avg.minUnload: is no setting"),
    ("minutes = 10", "minutes = 1e6", "minutes: must be 100000 steps at most, not 1000000"),
    ("minutes = 10", "minutes = 1e305", "minutes: must be 1e+07 at most, not 1e+305"),
    ("minutes = 10", "minutes = 0x" + "f" * 5000, "minutes: must be 1e+07 at most, not a num"),
    ("minutes = 10", "minutes = " + "1" * 5000, "cannot be parsed: it has a number of too"),
    ("minutes = 10", "minutes = " + "[" * 5000, "cannot be parsed: it is nested too deeply"),
    ("minutes = 10", "minutes = 10.5", "minutes: must be a multiple of the step, 60 s"),
    ('"A test"', r'"\u001b[31m"', "title: must be a line without control characters, not"),
    ("megabytes_in = 5", "megabytes_in = 1e13", "bundles[0].megabytes_in: must be 1e+09 at"),
    ("begin = 1", "begin = 1e305", "bundles[0].curve.begin: must be 1e+09 at most, not 1e"),
    ("factor = 3", "factor = 1e300", "bundles[0].curve.factor: must be 1e+06 at most, not"),
    ("every = 2", "every = 1e305", "events[0].every: must be 1e+09 at most, not 1e+305"),
    ("count = 2\non", "count = 1000000\non", "bundles[0].count: must be 10000 at most, not"),
    ('"t/n"', '"n"', 'bundles[0].namespace: must be tenant/namespace, not "n"'),
    ("at = 1\n", "at = 11\n", "events[1].at: must be 10 at most, when the run ends"),
    ("[settings]", "[timing]\nstep = 0\n[settings]", "timing.step: must be 0.001 s or more"),
    (END, '[[bundles]]\nnamespace = "t/n"', "bundles[1].namespace: t/n is there twice"),
    (
        *(END, '[[bundles]]\nnamespace = "t/m"\ncurve = {kind="daily", peak=3, low=2}'),
        "bundles[1].curve.low: must be 1 at most, not 2",
    ),
    (
        *(END, '[[events]]\nkind = "slow"\nat = 9\nbroker = "broker-1"\nfactor = 2'),
        "events[2].factor: must be 1 at most, not 2",
    ),
    (END, '[[brokers]]\nname = "broker-2"', "brokers[1].name: broker-2 is there twice"),
    (
        SHARE,
        "maxUnloadPercentage = true",
        "settings.maxUnloadPercentage: must be a number, not true",
    ),
    (
        SHARE,
        "maxUnloadPercentage = nan",
        "settings.maxUnloadPercentage: must be 0 or more, not NaN",
    ),
    (
        SHARE,
        f"maxUnloadPercentage = 1{'0' * 400}",
        "settings.maxUnloadPercentage: must be 1e+12 at most, not 100",
    ),
    (
        SHARE,
        "loadBalancerHistoryResourcePercentage = 2",
        "settings.loadBalancerHistoryResourcePercentage: must be 0 to 1",
    ),
    (
        SHARE,
        "loadBalancerMaxNumberOfBundlesInBundleLoadReport = 0",
        "settings.loadBalancerMaxNumberOfBundlesInBundleLoadReport: must be 1 to",
    ),
    (
        SHARE,
        "loadBalancerBrokerLoadDataTTLInSeconds = -1",
        "settings.loadBalancerBrokerLoadDataTTLInSeconds: must be 0 or more",
    ),
    (
        SHARE,
        "loadBalancerBrokerThresholdShedderPercentage = -1",
        "settings.loadBalancerBrokerThresholdShedderPercentage: must be 0 or more",
    ),
]
OF_SPLITS = [
    (
        '"t/n/0x00000000_0x7fffffff"',
        '"t/n/0x1_0x2"',
        'events[2].bundle: "t/n/0x1_0x2" is no bundle',
    ),
    (
        "0x00000000_0x3fffffff",
        "0x00000000_0x7fffffff",
        'events[3].bundle: "t/n/0x00000000_0x7fffffff" is split',
    ),
    ("parts = 3", "parts = 1", "events[3].parts: must be 2 or more, not 1"),
]


@pytest.mark.parametrize(
    ("text", "old", "new", "sentence"),
    [
        *((MANY, *row) for row in OF_MANY),
        *((GOOD, *row) for row in OF_GOOD),
        *((GOOD + SPLITS, *row) for row in OF_SPLITS),
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
