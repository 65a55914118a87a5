"""Trials with topics and bundles that no namespace has are refused."""

from dataclasses import replace

import pytest

from evenkeel.properties.splitting.life import LifeTrial, LookUp
from evenkeel.properties.splitting.manual import BundleHeat, ManualTrial
from evenkeel.properties.splitting.positions import TopicLoad
from evenkeel.reference.bundles.ranges import TOP_HASH, HashRange
from evenkeel_engine.check.seeded import make_trial
from evenkeel_engine.kit.catalogue import QUESTIONS
from evenkeel_engine.kit.trial import BadTrial


@pytest.mark.parametrize(
    ("namespace", "topic"),
    [
        ("t/n", "persistent://t/n2/x"),
        ("t/n", "persistent://t/n/ "),
        ("t/n", "persistent://t/n/x/y"),
        ("t/c/n", "persistent://t/c/x"),
    ],
)
def test_topics_that_are_looked_up_are_the_namespaces_own(namespace: str, topic: str) -> None:
    with pytest.raises(BadTrial, match=r"commands\[0\].topic"):
        LifeTrial(namespace, (0, TOP_HASH), (LookUp(topic),))


def test_a_topic_of_an_old_namespace_may_have_slashes() -> None:
    LifeTrial("t/c/n", (0, TOP_HASH), (LookUp("non-persistent://t/c/n/x/y"),))


def a_manual_trial() -> ManualTrial:
    question = QUESTIONS["splitting.manual"]
    trial = make_trial(question, 1, 0)
    assert isinstance(trial, ManualTrial)
    return trial


def test_heat_is_given_for_each_bundle_once() -> None:
    heat = (BundleHeat(HashRange(0, 1), 1, 1.0), BundleHeat(HashRange(0, 1), 0, 2.0))
    with pytest.raises(BadTrial, match="heat"):
        replace(a_manual_trial(), heat=heat)


def test_topics_of_a_split_are_the_namespaces_own() -> None:
    with pytest.raises(BadTrial, match=r"topics\[0\].topic"):
        replace(a_manual_trial(), topics=(TopicLoad("persistent://other/ns/x"),))
