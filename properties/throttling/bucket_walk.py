"""Following a token bucket's answers (THR-15 to THR-21). Levels are exact fractions."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from evenkeel.properties.clause import Case, describe
from evenkeel.properties.findings import Findings
from evenkeel.properties.observations import Broke, CommandBroke, CommandRefused, Refused
from evenkeel.properties.throttling.trials_quota import (
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


@dataclass(slots=True)
class Followed:
    """What is known of the bucket.

    `spent` and `elapsed` count from its making. `level` is an ideal bucket's balance, filled
    evenly and cut at the capacity; `seen` the balance at this instant if it was looked at, `due`
    when so many tokens were promised.
    """

    trial: BucketTrial
    start: int
    capacity: int
    level: Fraction
    elapsed: int = 0
    spent: int = 0
    looks: int = 1
    seen: int | None = None
    promised: tuple[int, int] | None = None

    @property
    def per_nano(self) -> Fraction:
        """Tokens that come in one nanosecond."""
        return Fraction(self.trial.rate, self.trial.period)

    @property
    def late(self) -> int:
        """How late tokens may come, in ns: one resolution and one token's time."""
        return self.trial.resolution + -(-self.trial.period // self.trial.rate) + 1

    def advance(self, nanos: int) -> None:
        """Time goes on."""
        if nanos:
            self.elapsed += nanos
            self.seen = None
            self.level = min(self.level + nanos * self.per_nano, Fraction(self.capacity))

    def spend(self, tokens: int) -> None:
        """Tokens are consumed."""
        self.spent += tokens
        self.level -= tokens
        self.promised = None if tokens else self.promised
        if self.seen is not None:
            self.seen -= tokens


def follow_from(trial: BucketTrial) -> Followed:
    """The bucket as it is made."""
    start = trial.rate if trial.initial is None else trial.initial
    capacity = trial.rate if trial.capacity is None else trial.capacity
    return Followed(trial, start, capacity, Fraction(min(start, capacity)))


def walk_bucket(case: Case[BucketTrial, BucketAnswer]) -> Findings:
    """What the answers say about every clause; rates that change are left to THR-20."""
    trial, observed, findings = case.trial, case.observation, Findings()
    if isinstance(observed, Refused | Broke) or len(observed.results) != len(trial.commands):
        findings.note("THR-15", False, f"the bucket {describe(observed)}", "shape")
        return findings
    if trial.dynamic:
        return findings
    bucket = follow_from(trial)
    for command, result in zip(trial.commands, observed.results, strict=True):
        step(bucket, command, result, findings)
    return findings


def step(
    bucket: Followed, command: BucketCommand, result: BucketResult, findings: Findings
) -> None:
    """One command and its result."""
    if isinstance(command, Spend | SpendAndCheck) and command.tokens < 0:
        refused = isinstance(result, CommandRefused)
        findings.note("THR-21", refused, f"{command} must be refused, not {result}")
        return
    if isinstance(result, CommandRefused | CommandBroke):
        findings.note("THR-15", False, f"{command}: {result}", "failed")
        return
    match command:
        case Pass(nanos):
            bucket.advance(nanos)
        case Spend(tokens):
            bucket.spend(tokens)
        case SpendAndCheck(tokens):
            bucket.spend(tokens)
            bucket.looks += 1
            checked(bucket, result, findings)
        case Tokens():
            bucket.looks += 1
            if isinstance(result, Balance):
                looked(bucket, result.tokens, findings)
        case WaitFor(tokens):
            bucket.looks += 1
            if isinstance(result, Wait):
                told_to_wait(bucket, tokens, result.nanos, findings)


def checked(bucket: Followed, result: BucketResult, findings: Findings) -> None:
    """Whether any tokens are left, where the balance was known at this instant."""
    if bucket.seen is not None and isinstance(result, Checked):
        right = result.left == (bucket.seen > 0)
        findings.note("THR-16", right, f"{bucket.seen} are left, but the answer is {result.left}")


def looked(bucket: Followed, tokens: int, findings: Findings) -> None:
    """The balance is seen."""
    most = max(bucket.capacity, bucket.start)
    findings.note("THR-15", tokens <= most, f"{tokens} tokens, but only {most} fit in")
    if bucket.seen is not None:
        findings.note(
            "THR-16", tokens == bucket.seen, f"{tokens} tokens, but {bucket.seen} must be left now"
        )
    inflow = bucket.elapsed * bucket.per_nano + 1 + bucket.looks * bucket.per_nano
    highest = bucket.start + inflow - bucket.spent
    findings.note(
        "THR-17", tokens <= highest, f"{tokens} tokens, but only {float(highest):.6g} can have come"
    )
    lowest = bucket.level - bucket.late * bucket.per_nano - 1
    if bucket.start <= bucket.capacity:
        findings.note(
            "THR-18", tokens >= lowest, f"{tokens} tokens, but {float(lowest):.6g} must have come"
        )
    if bucket.promised is not None:
        wanted, due = bucket.promised
        if bucket.elapsed >= due:
            right = tokens >= wanted
            findings.note("THR-19", right, f"{tokens} tokens after the wait for {wanted}", "short")
    bucket.seen = tokens


def told_to_wait(bucket: Followed, wanted: int, nanos: int, findings: Findings) -> None:
    """How long to wait is told."""
    if bucket.seen is not None:
        missing = wanted - bucket.seen
        right = (missing <= 0) == (nanos == 0) or 0 < missing < bucket.per_nano
        sentence = f"{bucket.seen} tokens, {wanted} wanted: a wait of {nanos} ns"
        findings.note("THR-19", right, sentence, "zero")
    if nanos > 0 and wanted <= bucket.capacity:
        bucket.promised = (wanted, bucket.elapsed + nanos + 2 * bucket.late)
