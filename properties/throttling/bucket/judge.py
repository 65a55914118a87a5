"""A token bucket's answers: THR-15 to THR-21.

What comes in time is counted in shares: a token is as many as the period has nanoseconds, so that
in every nanosecond as many come as the rate says, and all numbers are whole.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from evenkeel.properties.clause import Case, in_full
from evenkeel.properties.findings import Findings
from evenkeel.properties.judging.exact import exact
from evenkeel.properties.judging.judge import monitor
from evenkeel.properties.observations import Broke, CommandBroke, CommandRefused, Refused
from evenkeel.properties.throttling.bucket.trial import (
    Balance,
    BucketAnswer,
    BucketCommand,
    BucketResult,
    BucketTrial,
    Checked,
    Pass,
    Spend,
    SpendAndCheck,
    Tokens,
    Wait,
    WaitFor,
)
from evenkeel.properties.throttling.commands import Done, SetRate


@dataclass(slots=True)
class BucketMonitor:
    """What is known of the bucket.

    `spent` and `elapsed` count from its making. `level` is an ideal bucket's balance in shares,
    filled evenly and cut at the capacity; `history` what it was when (after, with what was spent);
    `seen` the balance at this instant if it was looked at, `promised` when so many tokens were
    promised. `rate` is the present one. After a change of the rate nothing is known until the next
    look (`known`); the count begins anew there, and time that no refill has used yet (`unused`,
    ns, at most) still brings tokens. `most` it holds before it is filled beyond its capacity: what
    was spent may not be subtracted yet.
    """

    trial: BucketTrial
    rate: int
    start: int
    capacity: int
    level: int
    elapsed: int = 0
    spent: int = 0
    looks: int = 1
    seen: int | None = None
    promised: tuple[int, int] | None = None
    known: bool = True
    unused: int = 0
    most: int = 0
    history: list[tuple[int, int, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.most, self.history = self.start, [(0, self.level, 0)]

    @property
    def token(self) -> int:
        """So many shares are one token."""
        return self.trial.period

    @property
    def late(self) -> int:
        """How late tokens may come, in ns: one resolution and one token's time."""
        return self.trial.resolution + -(-self.trial.period // self.rate) + 1

    def advance(self, nanos: int) -> None:
        """Time goes on."""
        if nanos:
            self.elapsed += nanos
            self.seen = None
            self.level = self.filled(self.level, nanos)

    def filled(self, level: int, nanos: int) -> int:
        """The ideal bucket's balance after some time."""
        return min(level + nanos * self.rate, self.capacity * self.token)

    def least(self) -> int:
        """The ideal balance of so long ago that all of it must have come, less what was spent
        since and a token.
        """
        then = max(0, self.elapsed - self.late)
        time, level, spent = next(past for past in reversed(self.history) if past[0] <= then)
        return self.filled(level, then - time) - (self.spent - spent + 1) * self.token

    def spend(self, tokens: int) -> None:
        """Tokens are consumed."""
        self.spent += tokens
        self.level -= tokens * self.token
        self.history.append((self.elapsed, self.level, self.spent))
        self.promised = None if tokens else self.promised
        if self.seen is not None:
            self.seen -= tokens

    def change_rate(self, rate: int) -> None:
        """Another rate, and a capacity that follows it. Time before it may count at either rate."""
        self.unused += self.late
        self.rate = self.capacity = rate
        self.known = False
        self.seen = self.promised = None

    def begin(self, tokens: int) -> None:
        """The first look after a change of the rate. What was spent before, also before an earlier
        one, may not be subtracted yet.
        """
        self.most = tokens + self.spent + max(0, self.most - self.start)
        self.start, self.level = tokens, tokens * self.token
        self.elapsed = self.spent = 0
        self.history = [(0, self.level, 0)]
        self.looks, self.known = 1, True
        self.unused += self.late


def follow_from(trial: BucketTrial) -> BucketMonitor:
    """The bucket as it is made."""
    start = trial.rate if trial.initial is None else trial.initial
    capacity = trial.rate if trial.capacity is None else trial.capacity
    return BucketMonitor(trial, trial.rate, start, capacity, min(start, capacity) * trial.period)


@monitor("throttling.bucket", "THR-15", "THR-16", "THR-17", "THR-18", "THR-19", "THR-20", "THR-21")
def bucket(case: Case[BucketTrial, BucketAnswer], findings: Findings) -> None:
    exact(findings, "THR-20", case)
    trial, observed = case.trial, case.observation
    if isinstance(observed, Refused | Broke) or len(observed.results) != len(trial.commands):
        findings.check("THR-15", False, "shape", "the bucket {}", in_full(observed))
        return
    world = follow_from(trial)
    for command, result in zip(trial.commands, observed.results, strict=True):
        step(world, command, result, findings)


ANSWERS: Final[dict[type, tuple[str, type]]] = {
    Pass: ("THR-15", Done),
    Spend: ("THR-15", Done),
    SetRate: ("THR-15", Done),
    SpendAndCheck: ("THR-16", Checked),
    Tokens: ("THR-15", Balance),
    WaitFor: ("THR-19", Wait),
}
"""The clause that speaks of a command's answer, and the answer's type."""


def step(
    bucket: BucketMonitor, command: BucketCommand, result: BucketResult, findings: Findings
) -> None:
    if isinstance(command, Spend | SpendAndCheck) and command.tokens < 0:
        refused = isinstance(result, CommandRefused)
        findings.check("THR-21", refused, "", "{} must be refused, not {}", command, result)
        return
    if isinstance(result, CommandRefused | CommandBroke):
        findings.check("THR-15", False, "failed", "{}: {}", command, result)
        return
    clause, meant = ANSWERS[type(command)]
    if not isinstance(result, meant):
        findings.check(clause, False, "shape", "{} is answered with {}", command, result)
        return
    match command:
        case Pass(nanos):
            bucket.advance(nanos)
        case SetRate(rate):
            bucket.change_rate(rate)
        case Spend(tokens):
            bucket.spend(tokens)
        case SpendAndCheck(tokens):
            bucket.spend(tokens)
            bucket.looks += 1
            if bucket.seen is not None and isinstance(result, Checked):
                right = result.left == (bucket.seen > 0)
                sentence = "{} are left, but the answer is {}"
                findings.check("THR-16", right, "", sentence, bucket.seen, result.left)
        case Tokens():
            bucket.looks += 1
            if isinstance(result, Balance):
                looked(bucket, result.tokens, findings)
        case WaitFor(tokens):
            bucket.looks += 1
            if isinstance(result, Wait):
                waits(bucket, tokens, result.nanos, findings)


def looked(bucket: BucketMonitor, tokens: int, findings: Findings) -> None:
    """The balance is seen."""
    if not bucket.known:
        bucket.begin(tokens)
        bucket.seen = tokens
        return
    most = max(bucket.capacity, bucket.most)
    findings.check("THR-15", tokens <= most, "", "{} tokens, but only {} fit in", tokens, most)
    if bucket.seen is not None:
        sentence = "{} tokens, but {} must be left now"
        findings.check("THR-16", tokens == bucket.seen, "", sentence, tokens, bucket.seen)
    inflow = (bucket.elapsed + bucket.unused + bucket.looks) * bucket.rate
    highest = (bucket.start + 1 - bucket.spent) * bucket.token + inflow
    right = tokens * bucket.token <= highest
    sentence = "{} tokens, but only {:.6g} can have come"
    findings.check("THR-17", right, "", sentence, tokens, highest / bucket.token)
    if bucket.start <= bucket.capacity:
        lowest = bucket.least()
        right = tokens * bucket.token >= lowest
        sentence = "{} tokens, but {:.6g} must have come"
        findings.check("THR-18", right, "", sentence, tokens, lowest / bucket.token)
    if bucket.promised is not None:
        wanted, due = bucket.promised
        if bucket.elapsed >= due:
            sentence = "{} tokens after the wait for {}"
            findings.check("THR-19", tokens >= wanted, "short", sentence, tokens, wanted)
    bucket.seen = tokens


def waits(bucket: BucketMonitor, wanted: int, nanos: int, findings: Findings) -> None:
    """How long to wait is said."""
    if bucket.seen is not None:
        missing = wanted - bucket.seen
        right = (missing <= 0) == (nanos == 0) or 0 < missing * bucket.token < bucket.rate
        sentence = "{} tokens, {} wanted: a wait of {} ns"
        findings.check("THR-19", right, "zero", sentence, bucket.seen, wanted, nanos)
    if bucket.known and nanos > 0 and wanted <= bucket.capacity:
        bucket.promised = (wanted, bucket.elapsed + nanos + 2 * bucket.late)
