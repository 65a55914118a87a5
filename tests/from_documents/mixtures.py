"""Mixtures of the variants' interpretations: each is right alone, so any mixture is.

A judge that tries the interpretations of an answer separately is right about each of the twelve
variants, and may still be wrong about one with one interpretation of the first and another of the
second.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from random import Random
from typing import Any

from examples.from_documents.leading.interpretations import VARIANTS as LEADING
from examples.from_documents.owning.variants import VARIANTS as OWNING


def mixture(variants: Mapping[str, Any], number: int) -> str:
    """The name of mixture `number` of these: of each field the value in one of them."""
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
