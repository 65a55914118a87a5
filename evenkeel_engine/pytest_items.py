"""What the plugin of pytest collects and runs."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NoReturn

import pytest

from evenkeel_engine import spec
from evenkeel_engine.check.blocks import Part, run_check
from evenkeel_engine.check.failure import describe_failures, flatten_groups, group_failures
from evenkeel_engine.check.profile import AMOUNTS, Profile
from evenkeel_engine.check.severity import Severity
from evenkeel_engine.check.tally import Tally, asked_clauses
from evenkeel_engine.cli import options
from evenkeel_engine.cli.baseline import clause_of
from evenkeel_engine.cli.failure_files import replay_command, save
from evenkeel_engine.cli.failure_report import failure_lines, list_following
from evenkeel_engine.cli.questions import questions_named, require_questions
from evenkeel_engine.cli.render import Paper
from evenkeel_engine.content import EDITIONS, PROMISED, Edition
from evenkeel_engine.errors import UserError
from evenkeel_engine.kit.catalogue import QUESTIONS, clauses_for
from evenkeel_engine.kit.question import AnyQuestion
from evenkeel_engine.pytest_known import SharedBaseline, known_of
from evenkeel_engine.subjects.base import Subject, offers
from evenkeel_engine.subjects.choose import open_subject
from evenkeel_engine.subjects.functions import Function, FunctionSubject
from evenkeel_engine.subjects.process import name_program
from evenkeel_engine.subjects.session import Limits
from evenkeel_engine.text import make_printable

SCREENS: Final = 3
"""Failures of one clause that are shrunk and printed."""
STATE: Final = pytest.StashKey["CheckState"]()


class Violated(AssertionError):
    """A clause was violated, or trials have no answer; the message is what is printed."""

    def __init__(self, *lines: str) -> None:
        super().__init__("\n".join(map(make_printable, lines)))


def fail(*lines: str) -> NoReturn:
    """Fail a test with lines that may hold a subject's words."""
    pytest.fail("\n".join(map(make_printable, lines)), pytrace=False)


@dataclass(slots=True)
class CheckState:
    """One check: its subject, opened when it is first used, and the tally of each question."""

    command: str
    edition: Edition
    seed: int
    trials: int | None
    strict: bool = False
    fail_on: frozenset[str] = frozenset()
    limits: Limits = Limits()
    subject: Subject | None = None
    unusable: UserError | None = None
    known: SharedBaseline = field(default_factory=SharedBaseline)
    tallies: dict[str, Tally] = field(default_factory=dict)

    @property
    def severity(self) -> Severity:
        """How breaches count."""
        return Severity(self.edition.name, self.strict, self.fail_on)

    def open_subject(self) -> Subject:
        """The subject. Raises `UserError`, without another try where it could not be opened."""
        if self.unusable is not None:
            raise self.unusable
        if self.subject is None:
            try:
                self.subject = open_subject(self.command, self.edition, self.limits)
            except UserError as error:
                self.unusable = error
                raise
        return self.subject

    def close(self) -> None:
        """Let go of the subject. Raises `UserError` for what it says of its last trial only now."""
        subject, self.subject = self.subject, None
        if subject is not None:
            subject.close()
        if parting := getattr(subject, "parting", ""):
            warnings.warn(pytest.PytestWarning(parting), stacklevel=1)

    def offers(self, question: str) -> bool:
        """Whether the subject answers a question."""
        return offers(self.open_subject(), question)

    def may_offer(self, questions: Iterable[str]) -> bool:
        """Whether it answers one of these; yes if it cannot be opened, as each test then says."""
        try:
            return any(map(self.offers, questions))
        except UserError:
            return True

    def run_question(self, question: str) -> Tally:
        """What a question came to; its trials are run once for all its clauses."""
        if question not in self.tallies:
            one = QUESTIONS[question]
            part = Part(one, self.trials or AMOUNTS[Profile.QUICK].count_trials(one))
            subject, quiet = self.open_subject(), lambda question, trials: None
            self.tallies[question] = run_check(
                [part], self.seed, subject, self.edition, None, quiet
            )
        return self.tallies[question]


def collect(session: pytest.Session) -> Iterator[pytest.Item]:
    """A test for each clause that the options leave. Raises `pytest.UsageError`."""
    option = session.config.getoption
    try:
        edition = EDITIONS[options.edition_named(option("--evenkeel-edition") or PROMISED.name)]
        chapters = options.chapters_of(option("--evenkeel-chapter"))
        clauses = options.clauses_of(option("--evenkeel-clause"))
        named = questions_named(option("--evenkeel-question"))
        questions = require_questions(chapters, clauses, edition, named)
        known = known_of(session.config, edition)
        fail_on = options.effects_of(option("--evenkeel-fail-on"))
    except UserError as error:
        raise pytest.UsageError(f"evenkeel: {error}") from error
    command = option("--evenkeel-subject")
    seed, trials = option("--evenkeel-seed"), option("--evenkeel-trials")
    strict = option("--evenkeel-strict")
    limits = Limits(min(option("--evenkeel-hello-timeout"), options.LONGEST))
    state = CheckState(command, edition, seed, trials, strict, fail_on, limits, known=known)
    session.stash[STATE] = state

    def close_quietly() -> None:  # where the last test was not reached: that is no success anyway
        with suppress(UserError):
            state.close()

    session.config.add_cleanup(close_quietly)
    parent = Clauses.from_parent(session, name="evenkeel", nodeid="evenkeel")
    yield from parent.items(asked_clauses([q.name for q in questions], edition, clauses), questions)


def close_after_the_last_test(session: pytest.Session) -> None:
    """Close the subject: what it says then fails the last test, as a worker of xdist reports."""
    if state := session.stash.get(STATE, None):
        try:
            state.close()
        except UserError as error:
            fail(f"evenkeel: {error}")


class Clauses(pytest.Collector):
    """Where the clauses hang."""

    def collect(self) -> Iterable[pytest.Item]:
        """Items are created by `items`, since no path leads here."""
        return []

    def items(self, ids: Collection[str], questions: list[AnyQuestion]) -> Iterator[pytest.Item]:
        """The tests. Those of one question run in one worker of xdist under --dist loadgroup.

        Clauses of which the subject offers no question are one test, which is skipped.
        """
        state = self.session.stash[STATE]
        left_out: dict[str, list[str]] = {}
        for id_ in ids:
            questions_of = [
                q.name for q in questions if clauses_for(q.name, state.edition, frozenset({id_}))
            ]
            if not state.may_offer(questions_of):
                left_out[id_] = questions_of
                continue
            item = ClauseTest.from_parent(self, name=id_, questions_of=questions_of)
            item.add_marker("evenkeel")
            item.add_marker(spec.find_clause(id_).chapter)
            item.add_marker(pytest.mark.xdist_group(f"evenkeel {' '.join(questions_of)}"))
            yield item
        if left_out:
            names = sorted({name for found in left_out.values() for name in found})
            more = f" and {len(names) - 3} more" if len(names) > 3 else ""
            reason = f"{', '.join(names[:3])}{more}: {len(left_out)} clauses"
            yield NotOffered.from_parent(self, name="not-offered", reason=reason)


class NotOffered(pytest.Item):
    """All clauses of which the subject offers no question."""

    def __init__(self, *, reason: str, **others: Any) -> None:
        super().__init__(**others)
        self._reason = reason

    def runtest(self) -> None:
        """Say of which questions, and how many clauses there are."""
        pytest.skip(f"the subject does not offer {self._reason}")

    def reportinfo(self) -> tuple[Any, None, str]:
        """What it stands for."""
        return self.config.rootpath, None, f"does not offer {self._reason}"


class ClauseTest(pytest.Item):
    """One clause on all questions that check it."""

    def __init__(self, *, questions_of: list[str], **others: Any) -> None:
        super().__init__(**others)
        self._questions = questions_of

    def runtest(self) -> None:
        """Run the trials, or take what another clause's test has run."""
        state = self.session.stash[STATE]
        try:
            supported = [name for name in self._questions if state.offers(name)]
            tallies = [state.run_question(name) for name in supported]
            for tally in tallies:
                self.user_properties += (("evenkeel", text) for text in tally.list_measured())
            if warning := judge_clause(self.name, tallies, state):
                warnings.warn(pytest.PytestWarning(warning), stacklevel=1)
        except UserError as error:
            raise Violated(str(error)) from error

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], *_: Any) -> Any:
        """The failure reports, without a traceback."""
        if isinstance(excinfo.value, Violated):
            return str(excinfo.value)
        return super().repr_failure(excinfo)

    def reportinfo(self) -> tuple[Any, None, str]:
        """The clause's title and id."""
        return self.config.rootpath, None, f"{self.name} {spec.find_clause(self.name).title}"


def judge_clause(id_: str, tallies: list[Tally], state: CheckState) -> str:
    """The departures of a clause, in words. Raises `Violated`, skips, or expects what is known."""
    total = Tally()
    for tally in tallies:
        total.merge(tally)
    state.known.meet(tallies, [id_])
    found = [signature for signature in total.smallest if clause_of(signature) == id_]
    new = state.known.list_new(total)
    known = [signature for signature in found if signature not in new]
    failed = [signature for signature in found if signature in new]
    departed = [one for one in failed if state.severity.departs(total, one)]
    if len(departed) < len(failed):
        raise Violated(*failure_reports(failed, total, state))
    if total.errored:
        (question, reason), count = total.errored.most_common(1)[0]
        raise Violated(f"{count:,} trials of {question} have no answer: {reason}")
    if total.answered <= 0:
        pytest.skip(f"the subject skipped all trials: {find_commonest(total.skipped)}")
    if departed and not known:
        return make_printable(f"{id_}: departure: {total.smallest[departed[0]].sentence}")
    if known:
        pytest.xfail(f"known: {', '.join(known)}")
    if total.conclude_verdict(id_) != "holds":
        pytest.skip(f"{total.conclude_verdict(id_)}: no trial could show a breach of {id_}")
    return ""


def find_commonest(counts: Counter[tuple[str, str]]) -> str:
    """The commonest reason."""
    [((_, reason), _)] = counts.most_common(1) or [(("", "no reason given"), 0)]
    return make_printable(reason)


def failure_reports(signatures: list[str], tally: Tally, state: CheckState) -> list[str]:
    """The lines of the report of each failure."""
    subject, edition = state.open_subject(), state.edition
    departures = [one for one in signatures if state.severity.departs(tally, one)]
    errors = [one for one in signatures if one not in departures]
    groups = group_failures(tally, subject, edition, errors, departures)
    lines: list[str] = []
    for failure in describe_failures(list(groups)[:SCREENS], tally, subject, edition):
        path = save(failure, edition, state.command, None) if state.command else None
        named = name_program(state.command) if path else ""  # a report is a file for others
        replay = replay_command(failure, path, named, edition) if path else "this test"
        departs, others = failure.signature in departures, groups[failure.signature]
        follows = list_following(others, failure, tally, departures, edition, Paper())
        lines += [*failure_lines(failure, edition, replay, Paper(), departs, follows), ""]
    if left := flatten_groups({root: groups[root] for root in list(groups)[SCREENS:]}):
        lines.append(f"{len(left)} more: {', '.join(left)}")
    return [*lines, *state.known.more_often(tally)]


def all_answered(state: CheckState, names: list[str]) -> Tally:
    """What these questions came to. Fails a test in which one of them was not answered at all."""
    if not names or (state.trials is not None and state.trials < 1):
        what = "no trial" if names else "no question"
        fail(f"evenkeel: nothing was checked: {what} was asked for")
    total = Tally()
    for name in names:
        try:
            tally = state.run_question(name)
        except (pytest.skip.Exception, pytest.xfail.Exception) as left:
            called = "xfail" if isinstance(left, pytest.xfail.Exception) else "skip"
            why = f"the function called pytest.{called} ({left}), which leaves out all trials"
            fail(f"evenkeel: nothing of {name} was checked: {why}")
        if not tally.answered and not tally.errored:
            why = f"all trials were skipped: {find_commonest(tally.skipped)}"
            fail(f"evenkeel: nothing of {name} was checked: {why}")
        total.merge(tally)
    return total


class CheckFixture:
    """What the fixture `evenkeel_check` is."""

    def __init__(
        self,
        config: pytest.Config | None = None,
        properties: list[tuple[str, object]] | None = None,
    ) -> None:
        self._config = config
        self._properties = [] if properties is None else properties

    def __call__(
        self,
        functions: Mapping[str, Function],
        *,
        edition: str = PROMISED.name,
        clauses: Iterable[str] = (),
        trials: int | None = None,
        seed: int = 1,
        strict: bool = False,
        fail_on: Iterable[str] = (),
        baseline: str | Path | None = None,
    ) -> dict[str, str]:
        """Check functions, one for each question (`evenkeel_engine.subjects.functions`).

        Comes back with a verdict for each clause: `departed` where practice is not
        followed, `known` where all that failed is in the baseline (that of `--evenkeel-baseline`,
        or an own one). Raises AssertionError where one is violated (or, if `strict`
        or of an effect in `fail_on`, departed from), where trials have no answer, or where nothing
        was checked: a function skipped all trials of its question, or none of them could show a
        breach of these clauses.
        """
        of, only = EDITIONS[options.edition_named(edition)], options.clauses_of(list(clauses))
        names = questions_named(list(functions))
        supported = dict(zip(names, functions.values(), strict=True))
        try:
            known = known_of(self._config, of, baseline)
            effects = options.effects_of(fail_on)
        except UserError as error:
            fail(f"evenkeel: {error}")
        state = CheckState("", of, seed, trials, strict, effects)
        state.subject, state.known = FunctionSubject(supported), known
        questions_of = asked_clauses(names, of, only)
        total = all_answered(state, names)
        self._properties += (("evenkeel", text) for text in total.list_measured())
        known.meet(state.tallies.values(), questions_of)
        failed = [s for s in state.severity.list_errors(total) if clause_of(s) in questions_of]
        unknown = known.list_new(total)
        if new := [signature for signature in failed if signature in unknown]:
            fail(*failure_reports(new, total, state))
        if total.errored:
            (question, reason), count = total.errored.most_common(1)[0]
            fail(f"{count:,} trials of {question}: {reason}")
        if all(total.conclude_verdict(id_) == "unexercised" for id_ in questions_of):
            these = ", ".join(questions_of)
            fail(f"nothing was checked: no trial exercised {these}")
        expected = {clause_of(signature) for signature in failed}
        return {
            id_: "known" if id_ in expected else state.severity.conclude_verdict(total, id_)
            for id_ in questions_of
        }
