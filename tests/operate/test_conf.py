"""`evenkeel operate conf`: what a broker.conf breaks, and what an upgrade changes."""

from __future__ import annotations

import gzip
import json
import os
import re
import shutil
import subprocess
import tomllib
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import pytest

from evenkeel.operate.conf import names, segments, shipped, upgrade
from evenkeel.operate.conf.conf import Conf, read
from evenkeel.operate.conf.defects import list_mended
from evenkeel.operate.conf.lint import lint, observe
from evenkeel.operate.conf.rule import Rule
from evenkeel.operate.conf.rules import RULES
from evenkeel.operate.operating import java_properties
from evenkeel.reference.balancing.defaults import CODE
from evenkeel.reference.edition import EDITIONS
from evenkeel_engine import spec
from evenkeel_engine.content import list_switches
from tests import command_line
from tests.operate.test_advise import report, topics

CONFS: Final = Path(__file__).parent / "confs"
ADAPTER: Final = shipped.PROGRAM.parent
BALANCE: Final = "org.apache.pulsar.broker.loadbalance"
SHEDS: Final = "loadBalancerLoadSheddingStrategy"
PLACES: Final = "loadBalancerLoadPlacementStrategy"


def modular(shedding: str, placement: str = "LeastLongTermMessageRate", **others: str) -> Any:
    """Settings of the modular manager, with others by the end of their names."""
    strategies = {SHEDS: f"{BALANCE}.impl.{shedding}", PLACES: f"{BALANCE}.impl.{placement}"}
    return {**strategies, **others}


LIKE_AVG: Final = (CONFS / "avg.broker.conf").read_text("utf-8")
TABLE: Final = tomllib.loads((CONFS / "broken.toml").read_text("utf-8"))
ROWS: Final = tomllib.loads((CONFS / "rows.toml").read_text("utf-8"))
BASES: Final[dict[str, dict[str, str]]] = TABLE["bases"]
EXTENSIBLE, AVG, CALM = BASES["extensible"], BASES["avg"], BASES["calm"]
THRESHOLD, OVERLOAD = BASES["threshold"], BASES["overload"]
FLOOR: Final = "scalableTopicSplitVsRebucketMinMsgRateInThreshold"


def settings_of(name: str, which: int = 1) -> dict[str, str]:
    """What breaks a rule (1), or only just not (2)."""
    row = TABLE["rules"][name]
    edge = {row["edge"][0]: row["edge"][which]} if "edge" in row else {}
    return {**BASES[row["base"]], **row.get("settings", {}), **edge}


BROKEN: Final = {name: settings_of(name) for name in TABLE["rules"]}
RIGHT: Final = {name: settings_of(name, 2) for name, row in TABLE["rules"].items() if "edge" in row}
NOT_OF_VALUES: Final = {"variables", "set-twice"}
"""The rules that ask how a file is written."""
BY_DEFAULT: Final = {"5.0.0-M1": ["consumers-undone"], "5.0.1": ["consumers-undone"]}
"""What releases break when nothing is set; 5.0.0-M1 has no setting against it."""
BY_VALUES: Final = [rule for rule in RULES if rule.name not in NOT_OF_VALUES]
IDS: Final = [rule.name for rule in BY_VALUES]


def conf_of(release: str, values: dict[str, str]) -> Conf:
    """Settings, as a release reads them."""
    return Conf(values, shipped.read_defaults(release), release)


def list_broken(release: str, values: dict[str, str]) -> list[str]:
    """The rules that these settings break in a release."""
    return [one.rule.name for one in lint(conf_of(release, values), shipped.edition_of(release))]


def known_of(release: str, rule: Rule) -> dict[str, str]:
    """What breaks a rule, without what the release does not read."""
    return {
        key: value
        for key, value in BROKEN[rule.name].items()
        if rule.name in ("unknown-setting", "remark") or key in shipped.read_defaults(release)
    }


@pytest.mark.parametrize("release", shipped.list_releases())
def test_what_defaults_break(release: str) -> None:
    assert list_broken(release, {}) == BY_DEFAULT.get(release, [])


@pytest.mark.parametrize("rule", BY_VALUES, ids=IDS)
def test_each_rule_is_shown_by_its_trial_and_by_no_default(rule: Rule) -> None:
    """In every release that has the settings: the sentence is true of the trial, and with the
    defaults in the same trial it would not be.
    """
    shown = 0
    for release in shipped.list_releases():
        values = known_of(release, rule)
        conf, usual = conf_of(release, values), conf_of(release, {})
        by_default = BY_DEFAULT.get(release, [])
        if not values or (rule.name == "two-spellings" and len(values) < 2):
            continue
        found = list_broken(release, values)
        assert rule.name in found, release
        assert set(found) <= {rule.name, *by_default}, release
        shown += 1
        if rule.name in by_default or not rule.question:
            continue
        seen = observe(rule.find_question(conf), rule.trial(usual), shipped.edition_of(release))
        assert not rule.shows(seen, usual), release
    assert shown


@pytest.mark.parametrize("name", RIGHT)
def test_what_is_only_just_right_is_not_reported(name: str) -> None:
    assert list_broken("5.0.1" if FLOOR in RIGHT[name] else "4.0.8", RIGHT[name]) == []


@pytest.mark.parametrize("measure", segments.MEASURES)
@pytest.mark.parametrize("least", [1, 3])
def test_a_threshold_of_splits_below_twice_that_of_merges_is_shown(
    measure: str, least: int
) -> None:
    key = f"scalableTopicSplit{measure}Threshold"
    merge = float(shipped.read_defaults("5.0.1")[key.replace("Split", "Merge")])
    values = {**CALM, segments.LEAST: str(least), key: f"{1.99 * merge:.0f}"}
    assert list_broken("5.0.1", values) == ["merges-undone"]


@pytest.mark.parametrize(("key", "wrong", "right"), ROWS["controller"])
def test_what_a_controller_does_not_accept_is_named(key: str, wrong: str, right: str) -> None:
    assert key in segments.explain_refusal(conf_of("5.0.1", {key: wrong}))
    assert segments.explain_refusal(conf_of("5.0.1", {key: right})) == ""


@pytest.mark.parametrize(
    "values",
    [
        {"scalableTopicAutoScaleEnabled": "false", segments.LEAST: "65"},
        {"scalableTopicEntryBucketMaxPerSegment": "1"},
    ],
)
def test_segments_break_nothing_that_are_not_split_or_have_one_consumer(
    values: dict[str, str],
) -> None:
    """With one entry bucket consumers cannot share a segment: what is split stays (SCA-44)."""
    assert list_broken("5.0.1", values) == []


def test_rules_name_clauses_that_exist_and_are_all_tested() -> None:
    assert {clause for rule in RULES for clause in rule.clauses} <= spec.read_entries().keys()
    assert set(BROKEN) | NOT_OF_VALUES == {rule.name for rule in RULES}


def test_a_rule_that_an_edition_does_not_show_is_not_reported() -> None:
    """DOCUMENTED unloads the children of a split under either manager."""
    conf = conf_of("4.0.8", BROKEN["children-stay"])
    assert [one.rule.name for one in lint(conf, "PULSAR_4_0")] == ["children-stay"]
    assert lint(conf, "DOCUMENTED") == []


MANAGER: Final = "loadManagerClassName"
FALLS_BACK: Final = "runs SimpleLoadManagerImpl instead"


@pytest.mark.parametrize("release", shipped.list_releases())
def test_what_nothing_can_be_set_against_is_no_error(release: str) -> None:
    """Each manager with its own strategies, and nothing else set."""
    extensible = {MANAGER: EXTENSIBLE[MANAGER]}
    for values in ({}, extensible, {**extensible, SHEDS: EXTENSIBLE[SHEDS]}, THRESHOLD, OVERLOAD):
        found = lint(conf_of(release, values), shipped.edition_of(release))
        assert not any(one.is_error for one in found), values


@pytest.mark.parametrize(("key", "value", "meant", "becomes"), ROWS["misspelt"])
def test_a_value_that_is_in_no_list_is_an_error_with_the_one_that_is_meant(
    key: str, value: str, meant: str, becomes: str
) -> None:
    (found, *_) = lint(conf_of("4.0.8", {key: value}), "PULSAR_4_0")
    assert found.rule.name == "misspelt-value"
    assert f"{meant} meant" in found.sentence
    assert becomes in found.sentence


@pytest.mark.parametrize(
    ("release", "becomes"),
    [
        ("3.3.6", "OverloadShedder sheds instead"),
        ("4.0.8", FALLS_BACK),
        ("4.2.4", "does not start"),
        ("5.0.1", "does not start"),
    ],
)
def test_a_broker_that_cannot_make_its_manager(release: str, becomes: str) -> None:
    """`LoadManager.create` of 4.2.4 is the first that does not catch everything."""
    own = lint(conf_of(release, {SHEDS: "x.Y", FLOOR: "2000"}), shipped.edition_of(release))
    assert becomes in next(one.sentence for one in own if one.rule.name == "own-class")
    other = lint(conf_of(release, {SHEDS: EXTENSIBLE[SHEDS]}), shipped.edition_of(release))
    sentence = next(one.sentence for one in other if one.rule.name == "other-manager")
    assert (becomes in sentence) is (release != "3.3.6")


def test_a_setting_of_another_release_is_said_to_be_one() -> None:
    key = "loadBalancerSheddingExcludedNamespaces"
    (found,) = lint(conf_of("4.0.8", {key: "t/ns"}), "PULSAR_4_0")
    assert "(4.2.4 is the first that was looked at which has it, 5.0.1 the last)" in found.sentence


def test_what_is_not_read_is_not_looked_at() -> None:
    """The extensible manager has one placement; a strategy of one's own may read everything."""
    assert "misspelt-value" not in list_broken("4.0.8", {**EXTENSIBLE, PLACES: "x"})
    others = {"maxUnloadPercentage": "0.5"}
    assert list_broken("4.0.8", {**THRESHOLD, **others}) == ["unread-setting"]
    assert list_broken("4.0.8", {SHEDS: "x.Y", **others}) == ["own-class"]
    assert list_broken("4.0.8", {**modular("UniformLoadShedder"), **others}) == []
    assert list_broken("4.0.8", {**THRESHOLD, "maxUnloadPercentage": "0.20"}) == []
    assert list_broken("4.0.8", {names.SPEED: "fast"}) == ["network-uncounted"]
    ours = {"loadBalancerCPUResourceWeight": "2", "loadBalancerSheddingGracePeriodMinutes": "5"}
    debug = {"loadBalancerDebugModeEnabled": "true"}
    assert list_broken("4.0.8", {**EXTENSIBLE, **ours, **debug}) == []
    assert list_broken("4.0.8", {**modular("UniformLoadShedder"), **ours}) == []
    assert list_broken("4.0.8", {**THRESHOLD, **debug}) == ["unread-setting"]
    for manager in ("NoopLoadManager", "impl.SimpleLoadManagerImpl"):  # without strategies
        values = {MANAGER: f"{BALANCE}.{manager}", SHEDS: f"{BALANCE}.impl.AvgShedder"}
        assert list_broken("4.0.8", values) == ["unread-setting"]


SWAPS: Final = [("Msg", "Byte"), ("In", "Out"), ("PerTopic", "PerSubscription"), ("PerTopic", "")]


@pytest.mark.parametrize("rule", BY_VALUES, ids=IDS)
def test_a_rule_about_one_of_two_is_about_both(rule: Rule) -> None:
    """A setting's twin in the other unit, direction or level, set to the same, is reported too."""
    release = "5.0.1" if FLOOR in BROKEN[rule.name] else "4.0.8"
    values, known = BROKEN[rule.name], shipped.read_defaults(release)
    for one, other in SWAPS:
        twins = {swap(key, one, other): value for key, value in values.items()}
        if rule.name != "unknown-setting" and twins.keys() <= known.keys():
            assert rule.name in list_broken(release, twins), (one, other)


def swap(key: str, one: str, other: str) -> str:
    """The name of a setting with each of two words in the place of the other."""
    if not other:
        return key.replace(one, "")
    return other.join(part.replace(other, one) for part in key.split(one))


VARIABLES: Final = {
    "prefix": "PULSAR_PREFIX_{}={}\n",
    "export": "export {}={}\n",
    "list": "      - {}={}\n",
    "quoted list": '      - "{}={}"\n',
    "yaml": '    {}: "{}"\n',
    "quoted": 'export PULSAR_PREFIX_{}="{}"\n',
}


@pytest.mark.parametrize("form", VARIABLES)
def test_variables_of_a_container_are_read_as_what_it_makes_of_them(
    tmp_path: Path, form: str
) -> None:
    path = tmp_path / "broker.conf"
    path.write_text(
        "".join(VARIABLES[form].format(*pair) for pair in BROKEN["cap-of-none"].items())
    )
    done = command_line.run("operate", "conf", str(path), "--line", "4.0.8", "--format", "json")
    assert done.returncode == 1
    found = [one["rule"] for one in json.loads(done.stdout)["findings"]]
    assert found == ["variables", "cap-of-none"]


@pytest.mark.parametrize(("old", "new"), [("", ""), ("\n", "\r\n"), ("  ", "    ")])
def test_of_services_those_that_run_a_broker_are_read(tmp_path: Path, old: str, new: str) -> None:
    path = tmp_path / "compose.yaml"
    path.write_text(
        (CONFS / "compose.yaml").read_text("utf-8").rstrip().replace(old, new), newline=""
    )
    found = read(path, "4.0.8")
    assert found.left_out == ("zookeeper", "bookie", "proxy")
    assert (found.text("maxUnloadPercentage"), found.sheds) == ("0.3", "UniformLoadShedder")
    assert found.twice == ()
    done = command_line.run("operate", "conf", str(path), "--line", "4.0.8")
    assert "note: services that run no broker are left out: zookeeper, bookie, proxy" in done.stdout
    path.write_text(path.read_text("utf-8").replace("bin/pulsar", "run").replace("broker.", "b."))
    unknown = read(path, "4.0.8")  # no command says which service is a broker
    assert (unknown.left_out, unknown.twice) == ((), ("maxUnloadPercentage", SHEDS))


IN_YAML: Final = {
    "remark": "broker:\n  configData:\n    {}: {} # new\n",
    "remark after quotes": 'services:\n  a:\n    environment:\n      {}: "{}"  # new\n',
    "remark in a list": "services:\n  a:\n    environment:\n      - {}={} # new\n",
    "below": "kind: ConfigMap\ndata:\n  {}:\n    {}\n",
    "folded": "broker:\n  configData:\n    {}: >-\n      {}\n",
    "by name": 'kind: Pod\nspec:\n  env:\n  - name: PULSAR_PREFIX_{}\n    value: "{}"\n',
    "chart of charts": "p:\n  broker:\n    configData:\n      {}: {}\n  proxy:\n    {0}: x\n",
}


@pytest.mark.parametrize("form", IN_YAML)
def test_yaml_is_read_as_what_it_means(tmp_path: Path, form: str) -> None:
    path = tmp_path / "values.yaml"
    text = IN_YAML[form].replace("{}", "{0}", 1).replace("{}", "{1}", 1)
    path.write_text(text.format(PLACES, f"{BALANCE}.impl.AvgShedder"))
    assert read(path, "4.0.8").text(PLACES) == f"{BALANCE}.impl.AvgShedder"


def test_of_values_of_helm_those_for_brokers_are_read() -> None:
    found = read(CONFS / "values.yaml", "4.0.8")
    assert (found.sheds, found.text("dispatcherMaxReadBatchSize")) == ("AvgShedder", "100")
    assert found.dressed == ("PULSAR_MEM", SHEDS)


# ------------------------------------------------------------------ defaults of releases


def test_the_settings_of_4_0_are_those_of_the_reference() -> None:
    """`balancing.defaults` is about 4.0.8."""
    ours = shipped.read_defaults("4.0.8")
    seen = observe("balancing.defaults", {"keys": list(ours)}, "PULSAR_4_0")
    known = {key: value for key, value in zip(ours, seen.values, strict=True) if value is not None}
    assert set(CODE) - set(known) == set()
    for key, value in known.items():
        assert value == ours[key] or float(value) == float(ours[key]), key


def test_releases_are_ordered_and_found() -> None:
    assert shipped.list_releases()[-2:] == ("5.0.0-M1", "5.0.1")
    assert shipped.find_nearest("4.1.0", shipped.list_releases()) == "4.0.8"
    assert shipped.find_nearest("2.11", shipped.list_releases()) == "3.0.7"
    assert shipped.edition_of("4.0.7") == "PULSAR_4_0_7"
    assert [shipped.is_release(one) for one in ("4.0.8", "5.0.0-M1", "4.2", "x", "4.0.8.")] == [
        *(True, True, True, False, False)
    ]


def test_a_setting_that_goes_is_written_and_read_again() -> None:
    text = shipped.render_table({"1.0": {"a": "1", "b": "x"}, "2.0": {"a": "1"}, "3.0": {"a": "2"}})
    assert 'a = { "1.0" = "1", "3.0" = "2" }' in text
    assert 'b = { "1.0" = "x", "2.0" = false }' in text
    assert shipped.value_at({"1.0": "x", "2.0": False}, "2.5") is False
    assert shipped.value_at({"2.0": "x"}, "1.0") is False


@pytest.mark.slow
@pytest.mark.parametrize("release", shipped.list_releases())
def test_the_table_is_what_the_classes_have(
    release: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """Where the adapter is built for the release."""
    jars = ADAPTER / "target" / release / "lib"
    if not jars.is_dir() or shutil.which("java") is None:
        pytest.skip(f"the adapter is not built for {release}")
    try:
        found = shipped.print_class_defaults(f"{jars}/*")
    except subprocess.CalledProcessError:
        if "wrong version" not in capfd.readouterr().err:
            raise
        pytest.skip(f"Java is too old for {release}")
    assert found == shipped.read_defaults(release)


# ------------------------------------------------------------------ upgrades


SHARE, EXCLUDED = "maxUnloadPercentage", "loadBalancerSheddingExcludedNamespaces"
PINNED: Final = {EXCLUDED: "t/pinned"}


@pytest.mark.parametrize(
    ("values", "releases", "key", "applies", "sentence"),
    [
        ({SHARE: "0.2"}, ("4.0.8", "5.0.1"), "defaultNumberOfNamespaceBundles", True, "to 32"),
        ({SHARE: "0.2"}, ("4.0.8", "5.0.1"), SHARE, False, "0.2 becomes 0.5; 0.2 is set and stays"),
        ({SHARE: "0.2"}, ("4.0.8", "5.0.1"), EXCLUDED, False, ""),
        (OVERLOAD, ("4.0.8", "5.0.1"), SHARE, False, ""),  # nothing reads it
        (PINNED, ("4.0.8", "4.2.4"), EXCLUDED, True, "read now: t/pinned"),
        (PINNED, ("4.2.4", "4.0.8"), EXCLUDED, True, "is no setting any more, and is set"),
    ],
)
def test_a_default_that_changes_matters_or_not(
    values: dict[str, str], releases: tuple[str, str], key: str, applies: bool, sentence: str
) -> None:
    changed = upgrade.changed_defaults(*(conf_of(release, values) for release in releases))
    found = next(one for one in changed if one.key == key)
    assert found.applies is applies
    assert found.sentence.endswith(sentence)


def test_decisions_are_the_switches_between_two_editions() -> None:
    avg = conf_of("4.0.8", AVG)
    found = {
        one.switch: one
        for one in upgrade.changed_decisions("PULSAR_4_0_6", "PULSAR_4_0", (avg, avg))
    }
    one, other = EDITIONS["PULSAR_4_0_6"], EDITIONS["PULSAR_4_0"]
    assert set(found) == {
        key for key in list_switches() if getattr(one, key) != getattr(other, key)
    }
    ranks = found["avg_ranks_by_whole_points"]
    assert ranks.applies
    assert ranks.clauses == ("SHD-32",)
    assert ranks.sentence.startswith("no longer: ")
    assert not found["top_bundles_by_difference"].applies


def test_what_the_file_chooses_comes_first_and_in_words() -> None:
    """No names of Python's in any text; scalable topics only where the older release has them."""
    usual = (conf_of("4.0.8", {}), conf_of("5.0.1", {}))
    found = upgrade.changed_decisions("PULSAR_4_0", "PULSAR_5_0_1", usual)
    assert "defaults_otherwise" not in {one.switch for one in found}
    own = [any(map(upgrade.is_own, one.questions)) for one in found]
    assert own == sorted(own, reverse=True)
    assert True in own
    assert not [one.sentence for one in found if re.search(r"[A-Z]\w+\.[A-Z_]{3,}", one.sentence)]
    scaling = [one for one in found if one.questions[0].startswith("scaling.")]
    assert scaling
    assert not any(one.applies for one in scaling)


def test_each_switch_has_a_clause() -> None:
    assert not [switch for switch in list_switches() if not upgrade.clauses_of(switch)]


LONE: Final = "lone_planned_placement_replaced"
SPOKEN_OF: Final = {
    "replicator_owes_looks": ("dispatchThrottlingRatePerReplicatorInMsg", "0", "9"),
    "look_ahead_unbounded": ("subscriptionKeySharedUseConsistentHashing", "true", "false"),
    "policies_name_ports": ("loadBalancerSheddingBundlesWithPoliciesEnabled", "false", "true"),
    "waits_tell_first": ("loadManagerClassName", "", EXTENSIBLE["loadManagerClassName"]),
}
"""By switch: a setting that says that there is such a thing, with two values: no, and yes."""


@pytest.mark.parametrize(
    ("values", "listed"),
    [
        (OVERLOAD, set()),
        ({SHEDS: OVERLOAD[SHEDS]}, {LONE}),
        (THRESHOLD, set()),
        (modular("ThresholdShedder", "AvgShedder"), {LONE}),
        (EXTENSIBLE, {"extensible_needs_a_cut", "waits_tell_first"}),
        (THRESHOLD | {k: no for k, no, _ in SPOKEN_OF.values()}, set()),
        (
            THRESHOLD | {k: yes for k, _, yes in SPOKEN_OF.values()},
            {*SPOKEN_OF, "extensible_needs_a_cut"},
        ),
    ],
)
def test_what_is_listed_is_about_the_classes_that_a_file_chooses(
    values: dict[str, str], listed: set[str]
) -> None:
    """A placement that is left to 5.0.1 is AvgShedder, which places nothing of others there."""
    both = [conf_of(release, values) for release in ("4.0.8", "5.0.1")]
    found = upgrade.changed_decisions("PULSAR_4_0", "PULSAR_5_0_1", both)
    narrow = re.compile("AvgShedder|UniformLoadShedder|extensible manager")
    those = [one for one in found if narrow.search(one.sentence) or one.switch in SPOKEN_OF]
    assert {one.switch for one in those if one.applies} == listed
    promises = upgrade.changed_promises(upgrade.read_conformance() or {}, "4.0.8", "5.0.1", both)
    broken = {one.clause for one in promises if one.applies}
    about_those = {"THR-87", "THR-81", "PLC-25"} if listed >= SPOKEN_OF.keys() else set()
    assert broken & {"THR-87", "THR-81", "PLC-25"} == about_those
    assert broken & {"BAL-20", "BAL-24", "PLC-6"} == ({"BAL-20"} if PLACES not in values else set())


def test_promises_are_the_clauses_that_only_one_release_keeps(tmp_path: Path) -> None:
    """By what `evenkeel compare` would write of three releases."""
    names = [f"apache-pulsar {release}" for release in ("4.0.6", "4.0.8", "4.2.4")]
    shown = (
        ("SHD-32", "shedding.avg", 0),
        ("SHD-20", "shedding.uniform", 1),
        ("BUN-4", "bundles.topic", 2),
    )
    data = {
        "subjects": [{"name": name} for name in names],
        "clauses": {
            "SHD-32": ["violated", "holds", "holds"],
            "BUN-4": ["holds", "holds", "violated"],
            "SHD-20": ["holds", "violated", "violated"],
            "LOA-1": ["holds", "unexercised", "violated"],
        },
        "findings": [
            {"clause": clause, "question": question, "sentence": "", "shown_by": [names[by]]}
            for clause, question, by in shown
        ],
    }
    confs = (conf_of("4.0.6", AVG), conf_of("4.0.8", AVG))
    found = {one.clause: one for one in upgrade.changed_promises(data, "4.0.6", "4.0.8", confs)}
    assert {name: (one.is_kept, one.applies) for name, one in found.items()} == {
        "SHD-32": (True, True),
        "SHD-20": (False, False),
    }
    later = [one.clause for one in upgrade.changed_promises(data, "4.0.8", "4.2.4", confs)]
    assert later == ["BUN-4"]
    assert upgrade.read_conformance(tmp_path / "none.json") is None


# ------------------------------------------------------------------ the command


def conf(name: str, *options: str) -> Any:
    """Run it."""
    return command_line.run("operate", "conf", str(CONFS / f"{name}.broker.conf"), *options)


@pytest.mark.parametrize(("text", "status", "sentence"), ROWS["said"])
def test_what_is_said_of_a_file(tmp_path: Path, text: str, status: int, sentence: str) -> None:
    path = tmp_path / "broker.conf"
    path.write_text(f"# mine\nclusterName=c\n{text}", "utf-8")
    done = command_line.run("operate", "conf", str(path), "--line", "4.0.8")
    assert done.returncode == status, done.stderr
    assert sentence in " ".join((done.stdout + done.stderr).split())


AS_PEOPLE_HAVE: Final = {
    "avg": "avg-sheds-alone avg-thresholds-crossed share-too-small grace-undercut limits-shadowed "
    "unknown-setting",
    "extensible": "other-manager placement-unread reports-too-old no-bundle-reported "
    "born-at-maximum children-stay unlimited-without-backlog",
}


@pytest.mark.parametrize("name", AS_PEOPLE_HAVE)
def test_two_files_as_people_have_them(name: str) -> None:
    done = conf(name, "--line", "4.0.8", "--format", "json")
    assert done.returncode == 1
    found = json.loads(done.stdout)["findings"]
    assert {one["rule"] for one in found} == set(AS_PEOPLE_HAVE[name].split())
    for one in found:
        assert one["clauses"]
        assert one["source"]
        assert one["observed"] is not None


def test_trials_are_files_that_replay(tmp_path: Path) -> None:
    assert conf("avg", "--line", "4.0.8", "--trials", str(tmp_path / "seen")).returncode == 1
    files = sorted((tmp_path / "seen").glob("*.json"))
    assert len(files) == 6
    for file in files:
        done = command_line.run("replay", str(file), "--subject", "reference:PULSAR_4_0")
        assert done.returncode in (0, 1), done.stderr


def test_an_upgrade_says_what_changes_and_what_is_no_longer_broken() -> None:
    done = conf("avg", "--line", "4.0.8", "--to", "5.0.1")
    assert done.returncode == 1
    text = " ".join(done.stdout.split())
    assert "loadBalancerLoadPlacementStrategy is not set and changes from" in text
    assert "in 4.0.8, and not in 5.0.1: AvgShedder sheds and LeastLongTermMessageRate" in text
    assert "that wraps. (THR-20; since 4.2.4; AsyncTokenBucket" in text
    assert text.index("error: ") < text.index("defaults: ") < text.index("decisions: ")
    assert "accepted until now, refused from now on: Names with a cluster part" in text
    assert not [switch for switch in list_switches() if re.search(rf"\b{switch}\b", text)]
    assert not re.search(r"BUN-[34], ", text.partition("BUN-3 and BUN-4 are broken with it")[2])
    data = json.loads(conf("avg", "--line", "4.0.8", "--to", "5.0.1", "--format", "json").stdout)
    assert data["gone"] == ["unknown-setting", "avg-sheds-alone"]
    assert [one["key"] for one in data["defaults"] if one["applies"]] == [
        "dispatcherDispatchMessagesInSubscriptionThread",
        "keySharedLookAheadMsgInReplayThresholdPerConsumer",
        "keySharedLookAheadMsgInReplayThresholdPerSubscription",
        "loadBalancerDistributeBundlesEvenlyEnabled",
        PLACES,
        "loadBalancerSheddingExcludedNamespaces",
        "managedLedgerMaxReadsInFlightSizeInMB",
    ]


def test_an_upgrade_with_a_snapshot(tmp_path: Path) -> None:
    """What 4.0.8 and 5.0.1 would do with the same cluster, by their own defaults."""
    (tmp_path / "broker.conf").write_text("clusterName=c\n")
    write_cluster(tmp_path / "cluster")
    taken = tmp_path / "snapshot.json"
    command_line.run(
        *("operate", "snapshot", "--from", str(tmp_path / "cluster"), "--out", str(taken))
    )
    done = command_line.run(
        *("operate", "conf", str(tmp_path / "broker.conf"), "--line", "4.0.8", "--to", "5.0.1"),
        *("--snapshot", str(taken), "--format", "json"),
    )
    assert done.returncode == 0, done.stderr
    old, new = json.loads(done.stdout)["forecasts"]
    assert (old["sheds"], new["sheds"]) == ("ThresholdShedder", "AvgShedder")
    assert old["moves"]
    assert new["moves"]
    assert old["moves"] != new["moves"]
    (tmp_path / "broker.conf").write_text("maxUnloadPercentage=-1\n")
    done = command_line.run(
        *("operate", "conf", str(tmp_path / "broker.conf"), "--line", "4.0.8", "--to", "5.0.1"),
        *("--snapshot", str(taken)),
    )
    assert done.returncode == 2
    assert "broker.conf: " in done.stderr


def write_cluster(folder: Path) -> None:
    """What `pulsar-admin` prints of a full broker and of an idle one."""
    folder.mkdir()
    for broker, cpu, bundles in (("full:8080", 340.0, 8), ("idle:8080", 12.0, 0)):
        ends = [f"0x{min(at << 29, 2**32 - 1):08x}" for at in range(bundles + 1)]
        rates = dict.fromkeys(map("_".join, pairwise(ends)), 10_000.0)
        (folder / f"{broker}.load-report.json").write_text(json.dumps(report(cpu)))
        (folder / f"{broker}.topics.json").write_text(json.dumps(topics(rates)))


@pytest.mark.parametrize(
    ("settings", "release", "has"),
    [
        ({}, "4.0.7", {"#24838", "#26288"}),
        ({}, "4.0.8", {"#26288"}),
        (EXTENSIBLE, "4.0.7", {"#26146", "#26288"}),
        (EXTENSIBLE, "4.2.4", {"#26288"}),
        (EXTENSIBLE, "5.0.1", set()),
        (EXTENSIBLE, "3.3.6", set()),
        ({SHEDS: f"{BALANCE}.impl.AvgShedder"}, "4.0.8", {"#26246", "#26288"}),
        ({}, "5.0.0-M1", {"#26288", "#26668"}),
        ({SHEDS: f"{BALANCE}.impl.UniformLoadShedder"}, "4.0.8", {"#21905", "#26288"}),
    ],
)
def test_defects_that_later_releases_mend(
    settings: dict[str, str], release: str, has: set[str]
) -> None:
    listed = {one.issues[0] for one in list_mended(conf_of(release, settings))}
    assert listed & {"#21905", "#24838", "#26146", "#26246", "#26288", "#26668"} == has


def test_what_a_broker_runs_with(tmp_path: Path) -> None:
    path = tmp_path / "runtime.json"
    running = {**shipped.read_defaults("4.0.8"), SHEDS: f"{BALANCE}.impl.TresholdShedder"}
    path.write_text(json.dumps({**running, names.SPEED: "Optional.empty"}))
    for release in ("4.0.8", "5.0.1"):
        assert list_broken("4.0.8", dict(read(path, release, "4.0.8").values)) == ["misspelt-value"]


HTML: Final = "<!DOCTYPE html>\n<style>\nbackgroundColor: red\n</style>\nLog in\n"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (LIKE_AVG.encode("utf-16"), "begins with a byte order mark"),
        (LIKE_AVG.encode("utf-32"), "begins with a byte order mark"),
        (LIKE_AVG.encode("utf-8-sig"), "begins with a byte order mark"),
        (LIKE_AVG.encode("utf-16-le"), "is no text of settings (byte 1 is 0x00)"),
        (LIKE_AVG.encode("utf-32-be"), "is no text of settings (byte 0 is 0x00)"),
        (gzip.compress(LIKE_AVG.encode()), "is no text of settings (byte 0 is 0x1f)"),
        (b'{"reason": "not authorized"}', "has no setting in it"),
        (b'{"loadBalancerEnabled": "true"', "line 1, column 31: is no JSON"),
        (b"[]", "has no setting in it"),
        (HTML.encode(), "has no setting in it"),
        (b"To be done: ask who keeps it.\n", "has no setting in it"),
        (b"# loadBalancerEnabled=true\n", "has no setting in it"),
        (b"clusterName=c\nbrokerName=\\u00g0\n", "line 2: \\u must have four hexadecimal digits"),
    ],
)
def test_a_file_without_a_setting_that_a_broker_reads(
    tmp_path: Path, content: bytes, reason: str
) -> None:
    path = tmp_path / "broker.conf"
    path.write_bytes(content)
    write_cluster(tmp_path / "cluster")
    (tmp_path / "cluster" / "broker.conf").write_bytes(content)
    taken = ("snapshot", "--from", str(tmp_path / "cluster"), "--out", str(tmp_path / "o.json"))
    for words in (("conf", str(path), "--line", "4.0.8"), taken):
        done = command_line.run("operate", *words)
        assert done.returncode == 2
        assert done.stdout == ""
        assert f"broker.conf: {reason}" in " ".join(done.stderr.split())


JAVA: Final = {
    "a=1\na=2": {"a": "2"},
    "! no\n # no\n\n  a b = c": {"a": "b = c"},
    "a\\ b\\=c==d": {"a b=c": "=d"},
    "a=b,\\\n  \tc,\\\r\n\n": {"a": "b,c,"},
    "a=b\\\\\nc=d": {"a": "b\\", "c": "d"},
    "a=\\u0041\\t\\q.": {"a": "A\tq."},
    "a:=b\r# \\\rc": {"a": "=b", "c": ""},
    "\\\n# no\na=b\\\n# c": {"a": "b# c"},
    "a=x\x85y\u2028".encode().decode("latin-1"): {"a": "x\xc2\x85y\xe2\x80\xa8"},
}
"""What `java.util.Properties` of Java 21 makes of some texts."""


@pytest.mark.parametrize("text", JAVA)
def test_texts_of_which_java_said_what_they_are(text: str) -> None:
    assert {name: value for name, _, value in java_properties.split_lines(text)} == JAVA[text]


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ("folder", "is a folder"),
        ("pipe", "is no regular file"),
        ("device", "is no regular file"),
        ("circle", "cannot be read (Too many levels of symbolic links)"),
    ],
)
@pytest.mark.parametrize("name", ["broker.conf", "bundles.json", "metadata.json", "b.metrics.txt"])
def test_what_is_no_file_is_not_passed_over(
    tmp_path: Path, name: str, kind: str, reason: str
) -> None:
    if name in ("broker.conf", "metadata.json"):
        write_cluster(tmp_path / "cluster")
    else:
        (tmp_path / "cluster").mkdir()
        (tmp_path / "cluster" / "a.metrics.txt").write_text("")
    path = tmp_path / "cluster" / name
    make: dict[str, Callable[[], object]] = {
        "folder": path.mkdir,
        "pipe": lambda: os.mkfifo(path),
        "device": lambda: path.symlink_to("/dev/zero"),
        "circle": lambda: path.symlink_to(path),
    }
    make[kind]()
    out = ("--out", str(tmp_path / "o.json"))
    done = command_line.run("operate", "snapshot", "--from", str(tmp_path / "cluster"), *out)
    assert done.returncode == 2
    assert f"{name}: {reason}" in " ".join(done.stderr.split())


def test_releases_of_which_nothing_or_less_is_known() -> None:
    *said, least = json.loads(conf("avg", "--line", "4.1.2", "--format", "json").stdout)["notes"]
    assert "AvgShedder leaves brokers alone that differ by less than" in least
    assert said == [
        "no edition is about 4.1.2: what it decides is taken from PULSAR_4_0 (4.0.8)",
        "the defaults of 4.1.2 were not looked at: they are those of 4.0.8",
    ]
