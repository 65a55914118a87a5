"""What a summary says of a run's clauses."""

import pytest

from evenkeel_engine.check.tally import Tally

CLAUSES = ["BUN-1", "BUN-2", "BUN-3"]


def tally(*verdicts: tuple[str, str], skipped: int = 0, errored: int = 0) -> Tally:
    made = Tally()
    made.trials["bundles.topic"] = 2000
    made.verdicts.update(verdicts)
    made.failures.update(id_ for id_, status in verdicts if status in ("violated", "errored"))
    if skipped:
        made.skipped["bundles.topic", "not supported"] = skipped
    if errored:
        made.errored["bundles.topic", "exited"] = errored
    return made


ALL_HOLD = [(id_, "holds") for id_ in CLAUSES]
NOTHING = "nothing was checked, because the subject answers none of it"


@pytest.mark.parametrize(
    ("counted", "words"),
    [
        (tally(*ALL_HOLD), "3 of 3 clauses hold"),
        (tally(*ALL_HOLD, ("BUN-1", "unexercised")), "3 of 3 clauses hold"),
        (
            tally(*ALL_HOLD[:2], ("BUN-3", "unexercised")),
            "2 of 3 clauses hold, 1 was not exercised",
        ),
        (tally(*ALL_HOLD[:1]), "1 of 3 clauses hold, 2 were not exercised"),
        (tally(*ALL_HOLD, ("BUN-2", "violated")), "2 of 3 clauses hold, 1 failure"),
        (tally(*ALL_HOLD[1:], ("BUN-1", "errored")), "2 of 3 clauses hold, 1 failure"),
        (
            tally(*ALL_HOLD, skipped=1500, errored=1),
            "3 of 3 clauses hold, 1 without an answer, 1,500 skipped",
        ),
        (tally(skipped=2000), f"{NOTHING}, 2,000 skipped"),
        (tally(errored=2000), f"{NOTHING}, 2,000 without an answer"),
    ],
)
def test_summary_lists_unexercised_clauses(counted: Tally, words: str) -> None:
    assert counted.conclude_outcome(CLAUSES) == f"{words} in 2,000 trials"


def test_no_trials_is_not_reported_as_no_answers() -> None:
    assert Tally().conclude_outcome(CLAUSES) == "nothing was checked in 0 trials"
