"""The reported defects of a release that later ones mend, as the track record has them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from evenkeel.operate.conf.conf import Conf
from evenkeel.releases.adapter import version_key
from evenkeel.report import track_record

RELEASE: Final = re.compile(r"\b\d+\.\d+(?:\.\d+(?:-M\d+)?)?\b")


@dataclass(frozen=True, slots=True)
class Mended:
    """A defect, and the first release of each line that does not have it."""

    issues: tuple[str, ...]
    title: str
    releases: tuple[str, ...]
    strategy: str = ""


def list_mended(conf: Conf) -> Iterator[Mended]:
    """The defects that a file's release has, and its manager and strategy may show."""
    for one in (*track_record.data()["known"], *track_record.data()["later"]):
        found = RELEASE.findall(one["state"].partition(" in ")[2])
        begun = RELEASE.match(one.get("introduced_in", ""))
        if begun and version_key(begun[0])[0][:2] > version_key(conf.release)[0][:2]:
            continue  # what a later line brought
        manager, strategy = one.get("manager", conf.manager), one.get("strategy", conf.sheds)
        may_show = conf.manager == manager and strategy in (conf.sheds, conf.places)
        if may_show and is_before(conf.release, found):
            fixed = tuple(sorted(found, key=version_key))
            yield Mended(tuple(one["issues"]), one["title"], fixed, one.get("strategy", ""))


def own_of(release: str, fixed: Sequence[str]) -> list[str]:
    """The releases of the same line."""
    return [one for one in fixed if one.split(".")[:2] == release.split(".")[:2]]


def is_before(release: str, fixed: Sequence[str]) -> bool:
    """Whether a release since 4.0 has what these mend: those of its own line decide, if any do."""
    return version_key(release) >= version_key("4.0.0") and any(
        version_key(release) < version_key(one) for one in own_of(release, fixed) or fixed
    )
