"""The tables of parameters say what the settings are."""

import json
import re

from docs.site import keys
from docs.site.markdown import add_links
from evenkeel.operate.conf.rule import TABLE
from evenkeel.operate.conf.shipped import read_since_table
from evenkeel.reference.shedding.threshold import ThresholdRules
from evenkeel_engine.cli import parameters
from tests import command_line

NAME = "evenkeel.reference.shedding.threshold:ThresholdRules"
HOW = "python -m evenkeel_engine.cli.parameters"


def test_tables_are_current() -> None:
    for path in parameters.list_chapter_files():
        text = path.read_text("utf-8")
        assert parameters.rewrite_tables(text) == text, f"{path.name}: {HOW}"


def test_a_table_has_every_setting_with_its_default() -> None:
    made = parameters.render_table(NAME)
    rules = ThresholdRules()
    assert (
        f"`loadBalancerBrokerThresholdShedderPercentage` | points | {rules.threshold_percentage}"
        in made
    )
    assert "| `lowerBoundarySheddingEnabled` |  | false | 003 |" in made
    assert made.count("\n") == 2 + len(list(parameters.list_settings(NAME)))


def test_text_between_markers_is_replaced() -> None:
    text = f"before\n<!-- parameters {NAME} -->\nof before\n<!-- end -->\nafter\n"
    made = parameters.rewrite_tables(text)
    assert "of before" not in made
    assert made.startswith("before\n<!-- parameters")
    assert made.endswith("|\n<!-- end -->\nafter\n")
    assert parameters.rewrite_tables(made) == made


def test_a_setting_is_explained_by_all_that_reads_it() -> None:
    """Placement reads it too; AvgShedder's share is read in a function that two others call."""
    done = command_line.run(
        *("explain", "loadbalancerbrokeroverloadedthresholdpercentage", "--format", "json")
    )
    data = json.loads(done.stdout)
    components = [one["component"].rpartition(":")[2] for one in data["components"]]
    assert components == ["PlacementRules", "OverloadRules", "TransferRules", "Settings"]
    assert {"PLC-7", "PLC-33", "SHD-10", "SHD-54"} <= set(data["clauses"])
    assert {one["default"] for one in data["components"]} == {85}
    assert "SHD-80" not in data["clauses"]
    assert {"SHD-21", "SHD-30"} <= set(parameters.list_readers("maxUnloadPercentage"))
    assert "PLC-6" in parameters.list_readers("loadBalancerLoadPlacementStrategy")


def test_every_setting_of_which_a_default_is_known_is_explained() -> None:
    """Thresholds are read through a property, a budget by its symbol; some no clause reads."""
    assert read_since_table().keys() <= parameters.list_names()
    assert "SCA-17" in parameters.list_readers("scalableTopicSplitMsgRateInThreshold")
    assert parameters.list_readers("scalableTopicEntryBucketBudget") == ["SCA-49", "SCA-55"]
    assert parameters.list_readers("loadBalancerOverrideBrokerNicSpeedGbps") == ["LOA-1"]
    precise = set(parameters.list_readers("preciseDispatcherFlowControl"))  # by "precise mode"
    assert {"THR-7", "THR-30", "THR-31", "THR-32", "THR-41", "THR-52"} <= precise
    assert "THR-60" not in precise
    done = command_line.run("explain", "dispatcherMinReadBatchSize")
    assert done.returncode == 0, done.stderr
    assert done.stdout == (
        "default from PULSAR_3_0 on: 1\n"
        "dispatcherMinReadBatchSize: in 0 components; no clause reads it\n"
    )
    assert "- No clause reads it." in keys.facts("dispatcherMinReadBatchSize")


def test_a_setting_in_no_class_is_found_by_its_symbol_and_has_its_defaults() -> None:
    """The same clauses stand on the page of settings."""
    done = command_line.run("explain", "dispatchThrottlingRateInMsg", "--format", "json")
    data = json.loads(done.stdout)
    assert {"THR-7", "THR-8", "THR-63"} <= set(data["clauses"])
    assert "THR-43" not in data["clauses"]
    assert data["defaults"] == {"PULSAR_3_0": "0"}
    [facts] = (one for one in keys.facts(data["setting"]) if one.startswith("- Clauses: "))
    assert re.findall(r"[A-Z]{3}-[0-9]+(?=\])", facts) == data["clauses"]


def test_what_happens_at_the_ends_of_a_setting_is_said_by_its_clauses_or_a_rule() -> None:
    """Each clause reads the setting, or is one of a rule of `operate conf` about it."""
    about = {k: v["ends"] for k, v in parameters.read_descriptions().items() if "ends" in v}
    assert about.keys() <= parameters.list_names()
    for key, ends in about.items():
        rules = [rule["clauses"] for rule in TABLE.values() if key in str(rule)]
        known = {*parameters.list_readers(key), *(id_ for clauses in rules for id_ in clauses)}
        named = set(re.findall(r"[A-Z]{3}-[0-9]+", ends))
        assert named, key
        assert named <= known, (key, named - known)
    said = command_line.run("explain", "maxUnloadBundleNumPerShedding").stdout
    assert "at its ends: -1: no limit. 0: no bundle goes." in " ".join(said.split())
    assert add_links(f"- At its ends: {about[key]}") in keys.facts(key)
