"""throttling.bucket, .counter, .quota, .subscribing: the mechanisms of limits.

Followed: document 004, "Throttling configurations" (`ratePeriodInSecond`: "The counter is reset
at the end of the period") and "Limitations", the last note (what was delivered too much reduces
the next periods' quotas).
"""

from __future__ import annotations

from examples.from_documents.owning.interpretations import Interpretations
from examples.from_documents.owning.wire import Json, Refusal, Skip, done, refuse


class Bucket:
    """A token bucket; tokens spent in excess are owed."""

    def __init__(self, interpretations: Interpretations, trial: Json) -> None:
        self.interpretations = interpretations
        self.rate = int(trial["rate"])
        self.period = int(trial["period"])
        self.resolution = int(trial["resolution"])
        self.dynamic = bool(trial["dynamic"])
        self.capacity = self.rate if trial["capacity"] is None else int(trial["capacity"])
        initial = self.rate if trial["initial"] is None else int(trial["initial"])
        self.tokens = (
            min(initial, self.capacity) if interpretations.caps_initial_tokens else initial
        )
        self.now = 0
        self.refilled = 0
        self.rest = 0

    def refill(self, force: bool = False) -> None:
        """Add the tokens since the last refill, if that is long enough ago."""
        passed = self.now - self.refilled
        if passed < self.resolution and not force:
            return
        grown, self.rest = divmod(passed * self.rate + self.rest, self.period)
        self.refilled = self.now
        if self.tokens < self.capacity:
            self.tokens = min(self.capacity, self.tokens + grown)

    def spend(self, tokens: int) -> None:
        """Spend tokens, even more than there are."""
        if tokens < 0:
            raise Refusal("NegativeTokens")
        self.refill()
        self.tokens -= tokens

    def wait_for(self, tokens: int) -> int:
        """The time until there are this many tokens."""
        if tokens < 0 and self.interpretations.refuses_negative_waits:
            raise Refusal("NegativeTokens")
        self.refill()
        lacking = tokens - self.tokens
        if lacking <= 0:
            return 0
        if self.interpretations.waits_round_up:
            return -((self.rest - lacking * self.period) // self.rate)
        return lacking * self.period // self.rate

    def set_rate(self, rate: int) -> None:
        """Set another rate; the balance stays, up to the capacity."""
        self.refill(force=True)
        self.rate = self.capacity = rate
        self.rest = 0
        self.tokens = min(self.tokens, self.capacity)

    def command(self, command: Json) -> Json:
        """One command."""
        what = command["do"]
        if what == "tokens":
            self.refill(force=self.interpretations.reads_refill)
            return {"do": "balance", "tokens": self.tokens}
        if what == "spend":
            self.spend(int(command["tokens"]))
        elif what == "spend_and_check":
            self.spend(int(command["tokens"]))
            return {"do": "checked", "left": self.tokens > 0}
        elif what == "wait_for":
            return {"do": "wait", "nanos": self.wait_for(int(command["tokens"]))}
        elif what == "pass":
            self.now += int(command["nanos"])
        else:
            self.set_rate(int(command["rate"]))
        return done()


class Counter:
    """A number of permits in each period; an excess may be carried into the next ones."""

    def __init__(self, carries: bool, rate: int, period: int, waits: bool) -> None:
        if rate <= 0:
            raise Refusal("BadRate", f"{rate} permits")
        if period <= 0:
            raise Refusal("BadPeriod", f"{period} ms")
        self.carries = carries
        self.waits = waits
        self.rate = rate
        self.period = period
        self.left = rate
        self.elapsed = 0
        self.updated: int | None = None
        self.open = True

    def pass_time(self, millis: int) -> None:
        """End the periods in order."""
        if not self.open or (self.waits and self.left == self.rate and not self.elapsed):
            return
        ends, self.elapsed = divmod(self.elapsed + millis, self.period)
        if not ends:
            return
        if self.updated is not None:
            if self.carries:
                self.left = min(self.updated, self.left + ends * self.updated)
            self.rate = self.updated
        if self.carries:
            self.left = min(self.rate, self.left + ends * self.rate)
        else:
            self.left = self.rate

    def set_rate(self, rate: int, how: str, begins: bool) -> None:
        """Set another rate: less what was taken, or with nothing taken. `begins`: a period does."""
        if rate <= 0:
            raise Refusal("BadRate")
        self.left = rate if how == "from zero" else self.left + rate - self.rate
        self.rate = rate
        if begins:
            self.elapsed = 0


def bucket(interpretations: Interpretations, trial: Json) -> Json:
    """The answer to throttling.bucket."""
    world = Bucket(interpretations, trial)
    results = []
    for command in trial["commands"]:
        try:
            results.append(world.command(command))
        except Refusal as refusal:
            results.append(refuse(refusal.reason))
    return {"results": results}


def counter(interpretations: Interpretations, trial: Json) -> Json:
    """The answer to throttling.counter."""
    waits = interpretations.periods_begin_with_use
    world = Counter(bool(trial["carries"]), int(trial["rate"]), int(trial["period"]), waits)
    results: list[Json] = []
    for command in trial["commands"]:
        try:
            results.append(counter_command(interpretations, world, command))
        except Refusal as refusal:
            results.append(refuse(refusal.reason))
    return {"results": results}


def counter_command(interpretations: Interpretations, world: Counter, command: Json) -> Json:
    """One command of throttling.counter."""
    what = command["do"]
    if what == "look":
        return {"do": "permits", "available": max(0, world.left)}
    if what == "advance":
        world.pass_time(int(command["millis"]))
        return done()
    if what == "close":
        world.open = False
        return done()
    if not world.open:
        raise Refusal("Closed")
    if what == "take":
        if command["permits"] == 0 and interpretations.refuses_to_take_nothing:
            raise Refusal("NothingToTake")
        return take(world, int(command["permits"]))
    if what == "set_rate":
        begins = interpretations.rates_begin_periods
        world.set_rate(int(command["rate"]), interpretations.rates_change, begins)
        return done()
    fresh = Counter(world.carries, int(command["rate"]), int(command["period"]), world.waits)
    updated = command["updated"]
    if updated is not None and int(updated) <= 0:
        raise Refusal("BadRate")
    world.rate, world.period = fresh.rate, fresh.period
    world.left, world.elapsed = fresh.left, 0
    world.updated = None if updated is None else int(updated)
    return done()


def take(world: Counter, permits: int) -> Json:
    """Takes permits."""
    if permits < 0:
        raise Refusal("NegativePermits")
    if world.carries:
        world.left -= permits
        return {"do": "taken", "granted": world.left > 0}
    granted = permits <= world.left
    if granted:
        world.left -= permits
    return {"do": "taken", "granted": granted}


class Side:
    """One of a limiter's two quotas; no limit if it is 0 or less."""

    def __init__(self) -> None:
        self.limit = 0
        self.left = 0

    def end_periods(self, count: int) -> None:
        """At every period's end there is a whole quota, less what is owed."""
        self.left = min(self.limit, min(0, self.left) + count * self.limit)

    def show_left(self) -> int:
        """What is left, or -1 without a limit."""
        return max(0, self.left) if self.limit > 0 else -1


class Quota:
    """A dispatch limiter: messages and bytes in one period."""

    def __init__(self, interpretations: Interpretations, rate: Json) -> None:
        self.interpretations = interpretations
        self.published = (0, 0)
        self.sides = (Side(), Side())
        self.period = 1000
        self.elapsed = 0
        self.rate = rate
        self.configure(rate, first=True)

    def limits(self, rate: Json) -> tuple[int, int]:
        """Both limits of a rate, with what is published if they are relative."""
        limits = []
        for own, more in zip((rate["messages"], rate["bytes"]), self.published, strict=True):
            extra = more if rate["relative"] and int(own) > 0 else 0
            limits.append(max(0, int(own)) + extra)
        return limits[0], limits[1]

    def configure(self, rate: Json, first: bool = False) -> None:
        """Another rate takes effect."""
        limits = rate["messages"] > 0 or rate["bytes"] > 0
        if int(rate["period"]) <= 0 and limits:
            raise Refusal("BadPeriod", f"a period of {rate['period']} s")
        self.rate = rate
        self.period = max(1, int(rate["period"])) * 1000
        keeps = self.interpretations.configuring_keeps_consumption and not first
        for side, limit in zip(self.sides, self.limits(rate), strict=True):
            used = side.limit - side.left if keeps and side.limit > 0 else 0
            side.limit, side.left = limit, limit - max(0, used)
        if not keeps:
            self.elapsed = 0
        self.elapsed %= self.period

    def publish(self, messages: int, size: int) -> None:
        """Set the topic's publish rate; what is left changes now or with the period."""
        self.published = (messages, size)
        if not self.rate["relative"]:
            return
        for side, limit in zip(self.sides, self.limits(self.rate), strict=True):
            if self.interpretations.publishing_counts_at_once:
                side.left += limit - side.limit
            side.limit = limit

    def consume(self, messages: int, size: int) -> None:
        """A delivery is charged."""
        if messages < 0 or size < 0:
            raise Refusal("NegativeConsumption")
        for side, amount in zip(self.sides, (messages, size), strict=True):
            if side.limit > 0:
                side.left -= amount

    def pass_time(self, millis: int) -> None:
        """Periods end; one may begin with the first use only."""
        unused = all(side.left == side.limit for side in self.sides)
        if self.interpretations.periods_begin_with_use and unused and not self.elapsed:
            return
        ends, self.elapsed = divmod(self.elapsed + millis, self.period)
        if ends:
            for side in self.sides:
                side.end_periods(ends)

    def blocks(self) -> bool:
        """Whether either quota is used up."""
        return any(side.limit > 0 and side.left <= 0 for side in self.sides)

    def until_next(self) -> int:
        """The rest of the period."""
        return self.period - self.elapsed


def quota(interpretations: Interpretations, trial: Json) -> Json:
    """The answer to throttling.quota."""
    if trial["mechanism"] != "classic" and interpretations.only_classic:
        raise Skip("a single mechanism keeps quotas")
    world = Quota(interpretations, trial["rate"])
    results: list[Json] = []
    for command in trial["commands"]:
        try:
            results.append(quota_command(world, command))
        except Refusal as refusal:
            results.append(refuse(refusal.reason))
    return {"results": results}


def quota_command(world: Quota, command: Json) -> Json:
    """One command of throttling.quota."""
    what = command["do"]
    if what == "consume":
        world.consume(int(command["messages"]), int(command["bytes"]))
    elif what == "advance":
        world.pass_time(int(command["millis"]))
    elif what == "configure":
        world.configure(command["rate"])
    elif what == "publish":
        world.publish(int(command["messages"]), int(command["bytes"]))
    else:
        messages, size = world.sides
        return {"do": "left", "messages": messages.show_left(), "bytes": size.show_left()}
    return done()


class Attempts:
    """The number of attempts of each consumer in its period."""

    def __init__(self, interpretations: Interpretations, rate: Json) -> None:
        self.interpretations = interpretations
        self.now = 0
        self.set(rate)

    def set(self, rate: Json) -> None:
        """Set another rate: all consumers start from zero."""
        self.attempts = int(rate["attempts"])
        self.period = max(1, int(rate["period"])) * 1000
        self.begun = self.now
        self.used: dict[int, tuple[int, int]] = {}

    def allow(self, consumer: int) -> bool:
        """Whether this attempt is within the rate."""
        if self.attempts <= 0 or self.period <= 0:
            return True
        if self.interpretations.own_subscribe_periods:
            begun, used = self.used.get(consumer, (self.now, 0))
            if self.now - begun >= self.period:
                begun, used = self.now, 0
        else:
            begun = self.now - (self.now - self.begun) % self.period
            last, used = self.used.get(consumer, (begun, 0))
            used = used if last == begun else 0
        if used >= self.attempts:
            return False
        self.used[consumer] = (begun, used + 1)
        return True


def subscribing(interpretations: Interpretations, trial: Json) -> Json:
    """The answer to throttling.subscribing."""
    world = Attempts(interpretations, trial["rate"])
    results: list[Json] = []
    for command in trial["commands"]:
        if command["do"] == "attempt":
            allowed = world.allow(int(command["consumer"]))
            results.append({"do": "allowed", "allowed": allowed})
            continue
        if command["do"] == "advance":
            world.now += int(command["millis"])
        else:
            world.set(command["rate"])
        results.append(done())
    return {"results": results}
