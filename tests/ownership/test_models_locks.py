"""The theorem of the lock protocol: its steps have the effects of the reference."""

from evenkeel.models.ownership.locks.one_serves import seen_by_rule


def test_the_first_takes_and_the_second_does_not() -> None:
    assert seen_by_rule((("take", 0), ("take", 1))) == (0, (True, False))


def test_a_late_deletion_spares_the_new_owner() -> None:
    steps = ("take", 0), ("unload", 0), ("end", 0), ("take", 1), ("connect", 0), ("delete", 0)
    assert seen_by_rule(steps) == (1, (False, True))


def test_an_unload_releases_the_bundle() -> None:
    assert seen_by_rule((("take", 0), ("unload", 0))) == (0, (False, False))
    assert seen_by_rule((("take", 0), ("unload", 0), ("delete", 0))) == (-1, (False, False))
