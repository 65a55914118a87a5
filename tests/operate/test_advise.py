"""A snapshot of a cluster, and what is informed of it."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from evenkeel.operate.operating import advice, changes, divisions, gather, snapshot
from evenkeel.operate.operating.expected import moves_now
from evenkeel.operate.operating.snapshot import (
    BadSnapshot,
    Resource,
    SeenBroker,
    SeenBundle,
    SetTo,
    Snapshot,
)
from evenkeel.operate.simulate import rest
from evenkeel.reference.balancing.settings import Strategy
from evenkeel.reference.bundles.topics import topic_hash
from evenkeel.reference.edition import PULSAR_4_0
from tests import command_line

FULL, IDLE = "full:8080", "idle:8080"
SHEDS, MANAGER = "loadBalancerLoadSheddingStrategy", "loadManagerClassName"
RANGES = ("0x00000000_0x40000000", "0x40000000_0x80000000", "0x80000000_0xc0000000")


def report(cpu: float) -> dict[str, Any]:
    """What `broker-stats load-report` prints, but for what is not read."""
    network = {"usage": 0.0, "limit": 1e7}
    return {
        "cpu": {"usage": cpu, "limit": 400.0},
        "memory": {"usage": 500.0, "limit": 1000.0},
        "directMemory": {"usage": 1.0, "limit": 1000.0},
        "bandwidthIn": network,
        "bandwidthOut": network,
    }


def topics(rates: dict[str, float]) -> dict[str, Any]:
    """What `broker-stats topics` prints: a topic in each bundle."""
    found = {}
    for number, (bundle, rate) in enumerate(rates.items()):
        stats = {"msgRateIn": rate / 2, "msgRateOut": rate / 2, "msgThroughputIn": rate * 500}
        found[bundle] = {"persistent": {f"persistent://t/ns/topic-{number}": stats}}
    return {"t/ns": found}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two brokers, of which one has all."""
    all_ = dict(zip(RANGES, (40_000.0, 20_000.0, 20_000.0), strict=True))
    files = {
        f"{FULL}.load-report.json": report(320.0),
        f"{FULL}.topics.json": topics(all_),
        f"{IDLE}.load-report.json": report(8.0),
        f"{IDLE}.topics.json": {},
    }
    for name, data in files.items():
        (tmp_path / name).write_text(json.dumps(data))
    shedder = "org.apache.pulsar.broker.loadbalance.impl.ThresholdShedder"
    (tmp_path / "broker.conf").write_text(
        f"# balancing\nloadBalancerLoadSheddingStrategy={shedder}\nbrokerClientAuthParams=secret\n"
        "loadBalancerBrokerThresholdShedderPercentage=10\n"
    )
    return tmp_path


def run(*words: str) -> tuple[int, str]:
    """A command's exit status, and all that it printed, on one line."""
    done = command_line.run("operate", *words)
    return done.returncode, " ".join((done.stdout + done.stderr).split())


def take_snapshot(folder: Path) -> Snapshot:
    return gather.from_files(folder)


def foresee_rounds(seen: Snapshot, minutes: int, **changes: float) -> advice.Outlook:
    """What ThresholdShedder would do, with some of its settings changed."""
    settings = replace(advice.settings_of(seen), **changes)  # type: ignore[arg-type]
    scenario = advice.scenario_of(seen, minutes)
    return advice.foresee(scenario, settings, Strategy.THRESHOLD, PULSAR_4_0, "test")


def test_a_snapshot_of_files_is_written_and_read(folder: Path) -> None:
    found = take_snapshot(folder)
    assert [one.id for one in found.brokers] == [FULL, IDLE]
    assert found.brokers[0].cpu.percent == 80
    assert found.brokers[0].msg_rate == 80_000
    assert [one.broker for one in found.bundles] == [FULL] * 3
    snapshot.write(found, folder / "cluster.json")
    assert snapshot.read(folder / "cluster.json") == found
    assert "secret" not in (folder / "cluster.json").read_text()


def test_metrics_of_the_extensible_manager_say_what_is_used() -> None:
    usages = {"brk_lb_cpu_usage": 80.0, "brk_lb_bandwidth_in_usage": 3.0}
    metrics = [{"metrics": {"brk_x": 1}}, {"metrics": usages, "dimensions": {}}]
    found = gather.broker_of(FULL, metrics, ())
    assert (found.cpu.percent, found.bandwidth_in.percent, found.memory.percent) == (80, 3, 0)
    with pytest.raises(BadSnapshot, match="do not say what it uses"):
        gather.broker_of(FULL, [], ())


def test_what_strategies_would_do_differs(folder: Path) -> None:
    found = take_snapshot(folder)
    assert advice.find_configured(found) is Strategy.THRESHOLD
    scenario, settings = advice.scenario_of(found, 60), advice.settings_of(found)
    assert settings.threshold_percent == 10
    made = {one: advice.foresee(scenario, settings, one, PULSAR_4_0, "test") for one in advice.FIVE}
    assert made[Strategy.OVERLOAD].verdict == "moves nothing"  # 80 % of 85 %
    assert made[Strategy.THRESHOLD].run.measures.unloads > 0
    assert made[Strategy.THRESHOLD].first[0].startswith("t/ns/")
    best, *_, worst = advice.rank_outlooks(list(made.values()))
    assert best.run.measures.last_deviation < worst.run.measures.last_deviation


def test_why_a_bundle_goes_and_another_stays(folder: Path) -> None:
    run = foresee_rounds(take_snapshot(folder), 30)
    moved = {move.partition(": ")[0] for move in run.first}
    stayed = {f"t/ns/{one}" for one in RANGES} - {
        move.bundle for moment in run.run.history.moments for move in moment.moves
    }
    assert moved
    assert stayed
    assert "moves it from full:8080" in list(advice.explain_bundle(run, min(moved)))[-1]
    assert "moves it" not in list(advice.explain_bundle(run, min(stayed)))[-1]


def test_topics_are_counted_by_their_own_hashes() -> None:
    hashes = [topic_hash(f"persistent://t/ns/topic-{n}") for n in range(300)]
    halves = divisions.judge_division(hashes, 2, 2)
    low = sum(one < 0x7FFFFFFF for one in hashes)
    assert halves.largest == max(low, 300 - low)
    found = divisions.choose_division(hashes, 3)
    assert found.bundles >= 4
    assert found.worst <= divisions.EVEN
    assert divisions.choose_division(hashes[:1], 3).worst == 3.0  # one topic cannot be spread


@pytest.mark.parametrize(
    ("name", "text", "reported"),
    [
        ("broker.conf", "loadBalancerBrokerThresholdShedderPercentage=ten\n", "is no number"),
        (f"{FULL}.load-report.json", '{"cpu": {"usage": -1}}', "must be a number from 0"),
        (f"{FULL}.load-report.json", "{", "is no JSON"),
        (f"{FULL}.topics.json", "[]", "the topics are no object"),
    ],
)
def test_bad_files_are_one_sentence(folder: Path, name: str, text: str, reported: str) -> None:
    (folder / name).write_text(text)
    out = folder / "cluster.json"
    status, message = run("snapshot", "--from", str(folder), "--out", str(out))
    if status == 0:
        status, message = run("advise", str(out), "--minutes", "5")
    assert status == 2
    assert reported in message


def test_the_commands_tell_it(folder: Path) -> None:
    out = str(folder / "cluster.json")
    assert run("snapshot", "--from", str(folder), "--out", out)[0] == 0
    status, message = run("advise", out, "--minutes", "30", "--topics", "300")
    assert status == 0
    assert "ThresholdShedder is set and" in message
    data = json.loads(run("advise", out, "--format", "json")[1])
    assert {one["strategy"] for one in data["strategies"]} == {one.value for one in advice.FIVE}
    assert run("why", f"t/ns/{RANGES[0]}", out)[0] == 0
    assert run("why", "t/ns/0x0_0x1", out)[0] == 2


def cluster_file(folder: Path) -> str:
    """The snapshot of the folder, written."""
    out = folder / "cluster.json"
    snapshot.write(take_snapshot(folder), out)
    return str(out)


def test_what_if_a_broker_came_or_left_or_a_setting_changed(folder: Path) -> None:
    seen = take_snapshot(folder)
    more = changes.with_brokers(seen, 2)
    assert [one.id for one in more.brokers] == [FULL, IDLE, "added-1:8080", "added-2:8080"]
    assert (more.brokers[2].cpu.percent, more.brokers[2].cpu.limit) == (0, 400)
    less = advice.scenario_of(changes.without_broker(seen, FULL), 30)
    assert [one.owner for one in less.bundles] == [None] * 3
    uniform = "org.apache.pulsar.broker.loadbalance.impl.UniformLoadShedder"
    other = changes.with_setting(seen, "loadBalancerLoadSheddingStrategy", uniform)
    assert advice.find_configured(other) is Strategy.UNIFORM
    path = cluster_file(folder)
    status, message = run("advise", path, "--minutes", "5", "--add-brokers", "1")
    assert (status, "added-1:8080" in message) == (0, True)
    status, message = run(
        "advise", path, "--minutes", "5", "--set", f"loadBalancerLoadSheddingStrategy={uniform}"
    )
    assert (status, "UniformLoadShedder is set" in message) == (0, True)
    for words, sentence in (
        (("--without", "nobody:1"), "is no broker of the snapshot, which has full:8080, idle:8080"),
        (("--without", FULL, "--without", IDLE), "no broker would be left"),
        (("--set", "x"), "must be of the form KEY=VALUE"),
    ):
        status, message = run("advise", path, *words)
        assert (status, sentence in message) == (2, True)


def test_bundles_for_topics_need_no_snapshot() -> None:
    status, message = run("advise", "--topics", "300", "--brokers", "3")
    assert status == 0
    assert "for 300 topics on 3 brokers: at most" in message
    assert "with 4, the default before 5.0.1," in message
    assert run("advise", "--topics", "300")[0] == 2


def test_a_bundle_that_is_too_large_for_any_broker_is_named(folder: Path) -> None:
    many = [f"persistent://t/ns/topic-{number}" for number in range(40)]
    shares = {topic: {"msgRateIn": 2_500.0, "msgRateOut": 2_500.0} for topic in many}
    data = {
        "t/ns": {
            RANGES[0]: {"persistent": shares},
            RANGES[1]: topics({RANGES[1]: 5.0})["t/ns"][RANGES[1]],
        }
    }
    (folder / f"{FULL}.topics.json").write_text(json.dumps(data))
    (folder / f"{FULL}.load-report.json").write_text(json.dumps(report(390.0)))
    seen = take_snapshot(folder)
    scenario, settings = advice.scenario_of(seen, 5), advice.settings_of(seen)
    (one,) = changes.too_large(seen, scenario, settings)
    lower = sum(topic_hash(topic) < 0x20000000 for topic in many)
    assert (one.bundle, one.halves) == (f"t/ns/{RANGES[0]}", (lower, 40 - lower))
    assert one.usage == pytest.approx(0.975, abs=0.001)
    assert "too large for any broker" in run("advise", cluster_file(folder), "--minutes", "5")[1]
    assert "partition the topic" in changes.TooLarge("x", 1.2, (0, 1)).advice
    assert "topic_count_equally_divide" in changes.TooLarge("x", 1.2, (0, 4)).advice


def test_why_speaks_of_the_snapshot_as_now_and_of_too_little(folder: Path) -> None:
    seen = take_snapshot(folder)
    run_of = foresee_rounds(seen, 30, min_throughput=1_000.0)  # no move amounts to it
    now, why = advice.explain_bundle(run_of, f"t/ns/{RANGES[0]}")
    assert now == "now full:8080 uses 80.0%, the brokers 40.0% on average"
    assert "less than 1000 (loadBalancerBundleUnloadMinThroughputThreshold)" in why
    assert why.endswith("it sheds nothing (SHD-83)")
    run_of = foresee_rounds(seen, 30, threshold_percent=60)
    assert list(advice.explain_bundle(run_of, f"t/ns/{RANGES[0]}"))[-1].endswith("nothing (SHD-81)")


METRICS = """\
# TYPE pulsar_lb_cpu_usage gauge
pulsar_lb_cpu_usage{cluster="c1", broker="127.0.0.1", metric="loadBalancing"} 40.5
pulsar_lb_directMemory_usage{cluster="c1", broker="127.0.0.1", metric="loadBalancing"} 8.25
pulsar_rate_in{cluster="c1",namespace="t/ns",topic="persistent://t/ns/a"} 10.0
pulsar_throughput_in{cluster="c1",namespace="t/ns",topic="persistent://t/ns/a"} 1000.0
pulsar_rate_out{cluster="c1",namespace="t/ns",topic="persistent://t/ns/a"} 20.0
pulsar_rate_in{cluster="c1",namespace="pulsar/system",topic="persistent://pulsar/system/x"} 9.0
"""


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("bundles.json", '{"t/ns": {"boundaries": ["0x1", "0x0"]}}', "must rise"),
        ("bundles.json", "[1]", "must have the boundaries"),
        ("broker.conf", "defaultNumberOfNamespaceBundles=many", "is 'many'"),
        ("one:8080.metrics.txt", 'pulsar_lb_cpu_usage{a="b"} lots', "for a number"),
        ("one:8080.metrics.txt", "", "do not have pulsar_lb_cpu_usage"),
    ],
)
def test_bad_files_next_to_metrics(tmp_path: Path, file: str, text: str, message: str) -> None:
    (tmp_path / "one:8080.metrics.txt").write_text(METRICS)
    (tmp_path / file).write_text(text)
    with pytest.raises(BadSnapshot, match=message):
        gather.from_files(tmp_path)


def test_a_snapshot_of_prometheus_text(tmp_path: Path) -> None:
    (tmp_path / "one:8080.metrics.txt").write_text(METRICS)
    (tmp_path / "broker.conf").write_text("defaultNumberOfNamespaceBundles=2\n")
    seen = gather.from_files(tmp_path)
    (broker,), (bundle,) = seen.brokers, seen.bundles
    assert (broker.cpu.percent, broker.direct_memory.percent) == (40.5, 8.25)
    upper = topic_hash("persistent://t/ns/a") >= 0x80000000
    assert bundle.name == "t/ns/" + ("0x80000000_0xffffffff" if upper else "0x00000000_0x80000000")
    assert (bundle.msg_rate_in, bundle.msg_rate_out, bundle.msg_throughput_in) == (10, 20, 1000)
    whole = {"boundaries": ["0x00000000", "0xffffffff"], "numBundles": 1}
    for file, given in (
        ("bundles.json", {"t/ns": whole}),
        ("policies.json", {"t/ns": {"bundles": whole}}),
        ("metadata.json", {"/admin/policies/t/ns": {"bundles": whole}}),
    ):
        (tmp_path / file).write_text(json.dumps(given))
        (bundle,) = gather.from_files(tmp_path).bundles
        assert bundle.name == "t/ns/0x00000000_0xffffffff"
        (tmp_path / file).unlink()


def test_usages_that_traffic_does_not_explain_are_doubtful(tmp_path: Path) -> None:
    def read(rates: tuple[float, float], cpu: float = 390.0) -> Snapshot:
        for number, rate in enumerate(rates):
            name = tmp_path / f"b{number}:8080"
            used = report(390.0 if number else cpu)
            name.with_suffix(".load-report.json").write_text(json.dumps(used))
            reported = topics({RANGES[number]: rate})
            reported["pulsar/system"] = reported["t/ns"]
            name.with_suffix(".topics.json").write_text(json.dumps(reported))
        return gather.from_files(tmp_path)

    (reported,) = advice.doubt_traffic(read((8.0, 361.0)))
    assert reported.startswith("b0:8080 uses 98 % of its processor for 16 messages a second")
    assert advice.doubt_traffic(read((200.0, 361.0))) == []
    (alike,) = advice.explain_alike(read((160.0, 490.0)))
    assert "320" in alike
    assert "980" in alike
    assert advice.explain_alike(read((160.0, 490.0), 100.0)) == []
    assert list(divisions.by_namespace(read((1.0, 1.0)))) == ["t/ns"]  # not the brokers' own


def test_the_weights_say_what_counts(folder: Path) -> None:
    (folder / "broker.conf").write_text(
        "loadBalancerCPUResourceWeight=0\nloadBalancerDirectMemoryResourceWeight=1.0\n"
    )
    seen = take_snapshot(folder)
    assert advice.weights_of(seen)["cpu"] == 0
    (doubt,) = advice.doubt_model(seen, foresee_rounds(seen, 1).run)
    assert doubt.startswith("full:8080 reports 0.1 % (direct memory; ")


SENSITIVE = {
    "loadBalancerBundleUnloadMinThroughputThreshold": "0.001",
    "loadBalancerBrokerOverloadedThresholdPercentage": "15",
}


@cache
def generate_cluster(seed: int) -> Snapshot:
    """A cluster whose brokers' processors, but for some, work for messages alone."""
    draw = Random(seed)
    ids = [f"b{number}:8080" for number in range(draw.randint(2, 5))]
    bundles = []
    for number in range(draw.randint(1, 10)):
        rate, size = draw.choice((0, 10, 1000, 2500, 7000)) * draw.random(), draw.choice((100, 900))
        owner, name = (
            draw.choice(ids[: draw.randint(1, len(ids))]),
            f"t/ns/0x{number:08x}_0xffffffff",
        )
        traffic = (rate, rate * draw.choice((1, 2)), rate * size, rate * size)
        bundles.append(SeenBundle(name, owner, *traffic, ("a", "b")))
    cost, brokers = draw.uniform(0.5, 2) / 1000, list[SeenBroker]()
    for id_ in ids:
        mine = [one for one in bundles if one.broker == id_]
        messages = sum(one.msg_rate_in + one.msg_rate_out for one in mine)
        flow = sum(one.msg_throughput_in for one in mine)
        cpu = Resource(messages * cost + draw.choice((0, 0, 0, 0, 0, 7)), 100.0)
        heap, direct = (Resource(draw.uniform(0, 90), 100.0) for _ in range(2))
        card = Resource(flow * 8 / 1000, 1e7)
        brokers.append(SeenBroker(id_, cpu, heap, direct, card, card, messages, 2 * flow))
    set_to = tuple(SetTo(key, value) for key, value in SENSITIVE.items())
    return Snapshot(
        snapshot.FORMAT, 1, "generated", "4.0.8", set_to, tuple(brokers), tuple(bundles)
    )


@pytest.mark.slow
@pytest.mark.parametrize("strategy", advice.FIVE)
def test_the_model_gives_back_what_was_reported_and_moves_the_same(
    strategy: Strategy, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or it says so. What `now` has beyond the first round: pairs of AvgShedder that wait longer,
    bundles for which placement chooses their own broker. Whether a run rests is not looked at.
    """
    monkeypatch.setattr(rest, "DAY", 0)
    alike = acting = 0
    for seed in range(200):
        seen = generate_cluster(seed)
        scenario, settings = advice.scenario_of(seen, 12), advice.settings_of(seen)
        found = advice.foresee(scenario, settings, strategy, PULSAR_4_0, "generated")
        if advice.doubt_model(seen, found.run):
            continue
        alike += 1
        first = {tuple(move.split(": ", 1)) for move in found.first}
        now = moves_now(seen, strategy, PULSAR_4_0)
        whence = {(name, source) for source, name, _ in now}
        assert {(name, way.partition(" ->")[0]) for name, way in first} <= whence, seed
        if strategy in (Strategy.THRESHOLD, Strategy.TRANSFER):
            assert len(first) == len(now), seed
        acting += bool(first)
    assert alike > 60
    assert acting > 10


@pytest.mark.parametrize(
    ("version", "options", "reported"),
    [
        ("4.0.8", (), "ThresholdShedder is the default of 4.0.8 and "),
        ("5.0.1", (), "AvgShedder is the default of 5.0.1 and "),
        (None, (), "ThresholdShedder is the default of 4.0.8 and "),
        (None, ("--edition", "PULSAR_5_0_1"), "AvgShedder is the default of 5.0.1 and "),
        ("5.0.1", ("--set", f"{SHEDS}=x.ThresholdShedder"), "ThresholdShedder is set and "),
        ("4.0.8", ("--set", f"{MANAGER}=x.ExtensibleLoadManagerImpl"), "TransferShedder is "),
        ("4.0.8", ("--set", f"{MANAGER}=x.NoopLoadManager"), "no strategy that is known runs"),
    ],
)
def test_where_nothing_is_set_the_release_has_a_strategy(
    folder: Path, version: str | None, options: tuple[str, ...], reported: str
) -> None:
    (folder / "broker.conf").write_text("clusterName=c\n")
    for path in folder.glob("*.load-report.json"):
        named = {} if version is None else {"brokerVersionString": version}
        path.write_text(json.dumps({**json.loads(path.read_text()), **named}))
    out = str(folder / "cluster.json")
    run("snapshot", "--from", str(folder), "--out", out)
    assert reported in run("advise", out, "--minutes", "1", *options)[1]
