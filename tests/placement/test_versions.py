"""Versions as semver.org compares them, and as 4.0 does."""

import pytest

from evenkeel.reference.edition import DOCUMENTED, EDITIONS, PULSAR_4_0
from evenkeel.reference.placement import versions


@pytest.mark.parametrize(
    ("known", "newest"),
    [
        ("4.0.8 4.0.10 4.0.9", "4.0.10"),
        ("4.0.8-rc.1 4.0.8 4.0.8+1", "4.0.8 4.0.8+1"),
        ("4.0.8-rc.2 4.0.8-rc.10 4.0.8-alpha", "4.0.8-rc.10"),
        ("1.0.0-1 1.0.0-a", "1.0.0-a"),
        ("1.0.0-a 1.0.0-a.1", "1.0.0-a.1"),
        ("4.0.8 4.0", None),
        ("", None),
    ],
)
def test_newest_versions(known: str, newest: str | None) -> None:
    for edition in (DOCUMENTED, PULSAR_4_0):
        found = versions.newest({version: version for version in known.split()}, edition)
        assert found == (None if newest is None else tuple(newest.split()))


@pytest.mark.parametrize(
    ("known", "documented", "pulsar"),
    [
        ("4.0.8-9 4.0.8-1a", "4.0.8-1a", "4.0.8-9"),
        ("4.0.8-202611011200 4.0.8-9", "4.0.8-202611011200", "4.0.8-9"),
        ("4.0.8-0 4.0.8--1", "4.0.8--1", "4.0.8-0"),
        ("4.0.8-2147483647 4.0.8--1", "4.0.8--1", "4.0.8--1"),
        ("4.0.8 2147483648.0.0", "2147483648.0.0", None),
        ("4.0.8 2147483647.0.0", "2147483647.0.0", "2147483647.0.0"),
    ],
)
def test_newest_versions_in_32_bits(known: str, documented: str, pulsar: str | None) -> None:
    given = {version: version for version in known.split()}
    assert versions.newest(given, DOCUMENTED) == (documented,)
    assert versions.newest(given, PULSAR_4_0) == (None if pulsar is None else (pulsar,))


@pytest.mark.parametrize(
    ("known", "newest"),
    [
        ("4.0.8 4.0.8+1 4.0.7+2", "4.0.8+1"),
        ("4.0.8+9 4.0.8+10", "4.0.8+10"),
        ("4.0.8+9 4.0.8+09", "4.0.8+9"),
        ("4.0.8-rc.1 4.0.8 4.0.8-rc.1+1", "4.0.8"),
        ("4.0.8-rc.1 4.0.8-rc.1.0+1", "4.0.8-rc.1.0+1"),
        ("4.0.8-9 4.0.8-1a", "4.0.8-9"),
        ("4.0.8-202611011200 4.0.8-9", "4.0.8-202611011200"),
        ("4.0.8 2147483648.0.0", "2147483648.0.0"),
    ],
)
def test_newest_versions_with_builds(known: str, newest: str) -> None:
    given = {version: version for version in known.split()}
    assert versions.newest(given, EDITIONS["PULSAR_5_0_1"]) == (newest,)


def test_versions_without_an_order() -> None:
    assert versions.has_order([None, "4.0", "4.0.8-9", "4.0.8-10", "4.0.8", "4.0.8+1"])
    assert not versions.has_order(["4.0.8-9", "4.0.8-10", "4.0.8-1a"])
    assert versions.has_order_of_builds([None, "4.0", "4.0.8-9", "4.0.8+9", "4.0.8+10"])
    assert not versions.has_order_of_builds(["4.0.8+9", "4.0.8+10", "4.0.8+1a"])
