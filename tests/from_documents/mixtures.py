"""Mixtures of the variants' readings: each reading is right alone, so any mixture is.

A judge that looks for the readings of an answer one after the other is right about each of the
twelve variants, and may still be wrong about one that reads this as the first and that as another.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from random import Random
from typing import Any

from examples.from_documents.leading.readings import VARIANTS as LEADING
from examples.from_documents.owning.variants import VARIANTS as OWNING


def mixture(variants: Mapping[str, Any], number: int) -> str:
    """The name of mixture `number` of these: of each reading what one of them has."""
    drawn, (base, plain) = Random(number), next(iter(variants.items()))
    changes = []
    for field in fields(plain):
        had = sorted({getattr(one, field.name) for one in variants.values()}, key=str)
        read = drawn.choice(had)
        if read != getattr(plain, field.name):
            changes.append(f"{field.name}={read}")
    return "+".join([base, *changes])


def mixtures(number: int) -> list[str]:
    """One mixture of either family."""
    return [mixture(variants, number) for variants in (LEADING, OWNING)]
