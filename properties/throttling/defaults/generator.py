"""Trials of `throttling.default`."""

from __future__ import annotations

from evenkeel.properties.draw import Draw
from evenkeel.properties.throttling.defaults.trial import DefaultTrial
from evenkeel.reference.throttling.configuration import KEYS


def default_trial(draw: Draw) -> DefaultTrial:
    return DefaultTrial(draw.pick(tuple(key.name for key in KEYS)))
