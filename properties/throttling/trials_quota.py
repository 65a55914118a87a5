"""Trials and answers about one limit over time: `throttling.quota`, `.bucket`, `.counter`.

Time is virtual: it moves with `advance` only, and begins when the limit is made. Whole numbers
throughout, below 2^53 so that every language keeps them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from evenkeel.properties.observations import CommandBroke, CommandRefused
from evenkeel.properties.trial import require
from evenkeel.reference.throttling.limiter import EARLIER, Mechanism
from evenkeel.reference.throttling.rates import DispatchRate, Limits

EXACT: Final = 2**53


def require_rate(place: str, rate: DispatchRate | None) -> None:
    """Rates as Pulsar's policies can hold them: 32-bit messages and periods."""
    if rate is None:
        return
    require(-(2**31) <= rate.messages < 2**31, place, "messages must be a 32-bit integer")
    require(abs(rate.bytes) < 2**52, place, "bytes must be below 2^52")
    require(-(2**31) <= rate.period < 2**31, place, "the period must be a 32-bit integer")


@dataclass(frozen=True, slots=True)
class Consume:
    """A delivery is charged."""

    DO: ClassVar[str] = "consume"
    messages: int
    bytes: int

    def __post_init__(self) -> None:
        require(abs(self.messages) < EXACT, "messages", "must be below 2^53")
        require(abs(self.bytes) < EXACT, "bytes", "must be below 2^53")


@dataclass(frozen=True, slots=True)
class Advance:
    """Time goes on; periods that end meanwhile end one after the other."""

    DO: ClassVar[str] = "advance"
    millis: int

    def __post_init__(self) -> None:
        require(0 <= self.millis <= 10**10, "millis", "must be 0 to 10^10")


@dataclass(frozen=True, slots=True)
class Look:
    """What is left now?"""

    DO: ClassVar[str] = "look"


@dataclass(frozen=True, slots=True)
class Configure:
    """Another rate takes effect."""

    DO: ClassVar[str] = "configure"
    rate: DispatchRate

    def __post_init__(self) -> None:
        require_rate("rate", self.rate)


@dataclass(frozen=True, slots=True)
class Publish:
    """The topic's average publish rate is now so many messages and bytes per second."""

    DO: ClassVar[str] = "publish"
    messages: int
    bytes: int

    def __post_init__(self) -> None:
        require(0 <= self.messages < 2**52, "messages", "must be 0 or more, below 2^52")
        require(0 <= self.bytes < 2**52, "bytes", "must be 0 or more, below 2^52")


QuotaCommand = Consume | Advance | Look | Configure | Publish


@dataclass(frozen=True, slots=True)
class QuotaTrial:
    """`throttling.quota`: one dispatch limiter of a topic, messages and bytes.

    `mechanism` is what keeps the quotas where a balancer has several: the period counter
    (`classic`) or the token bucket (`bucket`); or one of Pulsar before 4.0, the counter that
    forgets (`forgetting`) or the bucket of 3.2 (`bucket_3`), never relative and with a period.
    """

    mechanism: Mechanism
    rate: DispatchRate
    commands: tuple[QuotaCommand, ...]

    def __post_init__(self) -> None:
        require_rate("rate", self.rate)
        if self.mechanism in EARLIER:
            changes = [c.rate for c in self.commands if isinstance(c, Configure)]
            for rate in (self.rate, *changes):
                require(not rate.relative, "rate", "must not be relative for this mechanism")
                require(rate.period > 0, "rate", "must have a period for this mechanism")


@dataclass(frozen=True, slots=True)
class Left:
    """Answer to `Look`: what is left of both quotas, -1 without a limit."""

    DO: ClassVar[str] = "left"
    messages: int
    bytes: int

    @staticmethod
    def of(limits: Limits) -> Left:
        """The same as an answer."""
        return Left(limits.messages, limits.bytes)


@dataclass(frozen=True, slots=True)
class Done:
    """Answer to a command that only does something."""

    DO: ClassVar[str] = "done"


QuotaResult = Left | Done | CommandRefused | CommandBroke


@dataclass(frozen=True, slots=True)
class QuotaAnswer:
    """One result for each command."""

    results: tuple[QuotaResult, ...]


@dataclass(frozen=True, slots=True)
class Tokens:
    """What is the balance now?"""

    DO: ClassVar[str] = "tokens"


@dataclass(frozen=True, slots=True)
class Spend:
    """Consume tokens."""

    DO: ClassVar[str] = "spend"
    tokens: int

    def __post_init__(self) -> None:
        require(abs(self.tokens) < EXACT, "tokens", "must be below 2^53")


@dataclass(frozen=True, slots=True)
class SpendAndCheck:
    """Consume tokens: are any left?"""

    DO: ClassVar[str] = "spend_and_check"
    tokens: int

    def __post_init__(self) -> None:
        require(abs(self.tokens) < EXACT, "tokens", "must be below 2^53")


@dataclass(frozen=True, slots=True)
class WaitFor:
    """How long until the bucket has this many tokens?"""

    DO: ClassVar[str] = "wait_for"
    tokens: int

    def __post_init__(self) -> None:
        require(abs(self.tokens) < EXACT, "tokens", "must be below 2^53")


@dataclass(frozen=True, slots=True)
class Pass:
    """So many nanoseconds pass."""

    DO: ClassVar[str] = "pass"
    nanos: int

    def __post_init__(self) -> None:
        require(0 <= self.nanos <= 10**16, "nanos", "must be 0 to 10^16")


@dataclass(frozen=True, slots=True)
class SetRate:
    """The rate is another from now on."""

    DO: ClassVar[str] = "set_rate"
    rate: int

    def __post_init__(self) -> None:
        require(0 < self.rate < EXACT, "rate", "must be above 0 and below 2^53")


BucketCommand = Tokens | Spend | SpendAndCheck | WaitFor | Pass | SetRate


@dataclass(frozen=True, slots=True)
class BucketTrial:
    """`throttling.bucket`: a token bucket with `rate` tokens a `period`.

    `capacity` and `initial` null: the rate. `resolution`: refills are at least so far apart.
    `dynamic`: the rate can be set, capacity and initial tokens follow it. Times in nanoseconds.
    """

    rate: int
    period: int
    resolution: int
    capacity: int | None
    initial: int | None
    dynamic: bool
    commands: tuple[BucketCommand, ...]

    def __post_init__(self) -> None:
        require(0 < self.rate < EXACT, "rate", "must be above 0 and below 2^53")
        require(0 < self.period < EXACT, "period", "must be above 0 and below 2^53")
        require(0 < self.resolution < EXACT, "resolution", "must be above 0 and below 2^53")
        for name in ("capacity", "initial"):
            value = getattr(self, name)
            require(value is None or 0 <= value < EXACT, name, "must be 0 or more, below 2^53")
            require(value is None or not self.dynamic, name, "must be null for a dynamic bucket")
        if not self.dynamic:
            sets = any(isinstance(command, SetRate) for command in self.commands)
            require(not sets, "commands", "only a dynamic bucket's rate can be set")


@dataclass(frozen=True, slots=True)
class Balance:
    """Answer to `Tokens`; may be negative."""

    DO: ClassVar[str] = "balance"
    tokens: int


@dataclass(frozen=True, slots=True)
class Checked:
    """Answer to `SpendAndCheck`."""

    DO: ClassVar[str] = "checked"
    left: bool


@dataclass(frozen=True, slots=True)
class Wait:
    """Answer to `WaitFor`: nanoseconds, 0 if the bucket has the tokens."""

    DO: ClassVar[str] = "wait"
    nanos: int


BucketResult = Balance | Checked | Wait | Done | CommandRefused | CommandBroke


@dataclass(frozen=True, slots=True)
class BucketAnswer:
    """One result for each command."""

    results: tuple[BucketResult, ...]


@dataclass(frozen=True, slots=True)
class Take:
    """Take permits."""

    DO: ClassVar[str] = "take"
    permits: int

    def __post_init__(self) -> None:
        require(abs(self.permits) < EXACT, "permits", "must be below 2^53")


@dataclass(frozen=True, slots=True)
class Restart:
    """Another rate and period (ms); `updated`: what the rate becomes at each end of a period."""

    DO: ClassVar[str] = "restart"
    rate: int
    period: int
    updated: int | None = None

    def __post_init__(self) -> None:
        require(0 <= self.rate < EXACT, "rate", "must be 0 or more, below 2^53")
        require(0 <= self.period < 2**40, "period", "must be 0 or more, below 2^40")


@dataclass(frozen=True, slots=True)
class Close:
    """The counter is no longer needed."""

    DO: ClassVar[str] = "close"


CounterCommand = Take | Advance | Look | SetRate | Restart | Close


@dataclass(frozen=True, slots=True)
class CounterTrial:
    """`throttling.counter`: so many permits a period (ms).

    `carries`: what was taken too much counts against later periods (as dispatch limits need it);
    else a request for more than is left is refused.
    """

    carries: bool
    rate: int
    period: int
    commands: tuple[CounterCommand, ...]

    def __post_init__(self) -> None:
        require(-EXACT < self.rate < EXACT, "rate", "must be below 2^53")
        require(-(2**40) < self.period < 2**40, "period", "must be below 2^40")


@dataclass(frozen=True, slots=True)
class Taken:
    """Answer to `Take`."""

    DO: ClassVar[str] = "taken"
    granted: bool


@dataclass(frozen=True, slots=True)
class Permits:
    """Answer to `Look`."""

    DO: ClassVar[str] = "permits"
    available: int


CounterResult = Taken | Permits | Done | CommandRefused | CommandBroke


@dataclass(frozen=True, slots=True)
class CounterAnswer:
    """One result for each command."""

    results: tuple[CounterResult, ...]
