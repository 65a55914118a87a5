"""Exchange names of one kind in a trial, to expose answers that depend on them.

Hash maps go through names in an order of their own. An answer that depends on it changes when
names are swapped, and a reference that got it right by luck no longer does.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, Final

from evenkeel_engine.content import NAME_KINDS
from evenkeel_engine.kit.codec import BadData, from_json, to_json
from evenkeel_engine.kit.names import rename_texts, texts_in
from evenkeel_engine.kit.question import Question
from evenkeel_engine.kit.trial import BadTrial

EXCHANGED: Final = tuple(kind for kind in NAME_KINDS if kind.exchanged)


def relabel_trial(
    question: Question[Any, Any], trial: Any, rng: Random, most: int
) -> Iterator[Any]:
    """Up to `most` versions of a trial; none where it names too little, or needs its names."""
    data = to_json(trial)
    named = sorted(set(texts_in(data)))
    alike = [
        sorted({text for field, text in named if field in kind.fields or kind.is_name(text)})
        for kind in EXCHANGED
    ]
    if all(len(names) < 2 for names in alike):
        return
    for _ in range(most):
        swapped = {name: to for names in alike for name, to in shuffle_names(names, rng).items()}
        try:
            other = from_json(question.trial_type, rename_texts(data, swapped))
        except (BadData, BadTrial):  # these names are ordered, or belong to their places
            continue
        if other != trial:
            yield other


def shuffle_names(names: list[str], rng: Random) -> dict[str, str]:
    """Each name with another's, or its own."""
    return dict(zip(names, rng.sample(names, len(names)), strict=True))
