"""Methods for token buckets, counters and quotas of dispatch, on a clock that the test moves."""

from __future__ import annotations

from typing import Any, Final

from evenkeel.harness.cases import Case
from evenkeel.report.parts import Method, NotSupported, expected_answer

QOS: Final = "org.apache.pulsar.broker.qos"
LIMITERS: Final = "org.apache.pulsar.broker.service.persistent"
MILLI: Final = 1_000_000
ASSERTS: Final = "static org.testng.Assert.assertEquals"
TIMER_IMPORTS: Final = (
    "static org.mockito.ArgumentMatchers.any",
    "static org.mockito.ArgumentMatchers.anyBoolean",
    "static org.mockito.ArgumentMatchers.anyLong",
    "static org.mockito.Mockito.mock",
    "static org.mockito.Mockito.when",
    "java.util.concurrent.ScheduledExecutorService",
    "java.util.concurrent.ScheduledFuture",
    "java.util.concurrent.TimeUnit",
)
TIMER: Final = """\
// A timer whose time is moved by hand, in milliseconds.
long[] now = {0}, next = {Long.MAX_VALUE}, every = {0};
Runnable[] task = {null};
ScheduledExecutorService timer = mock(ScheduledExecutorService.class);
when(timer.scheduleAtFixedRate(any(), anyLong(), anyLong(), any())).thenAnswer(call -> {
    TimeUnit unit = call.getArgument(3);
    task[0] = call.getArgument(0);
    every[0] = unit.toMillis(call.getArgument(2));
    next[0] = now[0] + unit.toMillis(call.getArgument(1));
    ScheduledFuture<?> handle = mock(ScheduledFuture.class);
    when(handle.cancel(anyBoolean())).thenAnswer(cancelled -> {
        next[0] = Long.MAX_VALUE;
        return true;
    });
    return handle;
});
"""


def results_of(one: Case) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Each command with its expected result. Raises `NotSupported` if that is no answer."""
    answer = expected_answer(one)
    if answer is None or any(r["do"] in ("refused", "broke") for r in answer["results"]):
        raise NotSupported(f"{one.title}: something has to be refused, which is not supported.")
    return list(zip(one.trial["commands"], answer["results"], strict=True))


def bucket(one: Case) -> Method:
    """`throttling.bucket`: AsyncTokenBucket."""
    trial, lines = one.trial, ""
    for command, result in results_of(one):
        match command["do"]:
            case "tokens":
                lines += f"assertEquals(bucket.getTokens(), {result['tokens']}L);\n"
            case "spend":
                lines += f"bucket.consumeTokens({command['tokens']}L);\n"
            case "spend_and_check":
                call = f"bucket.consumeTokensAndCheckIfContainsTokens({command['tokens']}L)"
                lines += f"assertEquals({call}, {str(result['left']).lower()});\n"
            case "wait_for":
                call = f"bucket.calculateThrottlingDuration({command['tokens']}L)"
                lines += f"assertEquals({call}, {result['nanos']}L);\n"
            case "pass":
                lines += f"nanos.addAndGet({command['nanos']}L);\n"
            case "set_rate":
                lines += f"rate.set({command['rate']}L);\n"
    if trial["dynamic"]:
        made = (
            "AsyncTokenBucket bucket = AsyncTokenBucket.builderForDynamicRate().clock(nanos::get)\n"
            f"        .addTokensResolutionNanos({trial['resolution']}L)\n"
            f"        .rateFunction(rate::get).ratePeriodNanosFunction(() -> {trial['period']}L).build();\n"
        )
    else:
        capacity = "" if trial["capacity"] is None else f".capacity({trial['capacity']}L)"
        initial = "" if trial["initial"] is None else f".initialTokens({trial['initial']}L)"
        made = (
            "FinalRateAsyncTokenBucketBuilder builder = AsyncTokenBucket.builder();\n"
            "builder.clock(nanos::get);\n"
            f"builder.addTokensResolutionNanos({trial['resolution']}L);\n"
            f"builder.rate({trial['rate']}L).ratePeriodNanos({trial['period']}L){capacity}{initial};\n"
            "AsyncTokenBucket bucket = builder.build();\n"
        )
    return Method(
        QOS,
        (ASSERTS, "java.util.concurrent.atomic.AtomicLong"),
        f"""
AtomicLong nanos = new AtomicLong();
AtomicLong rate = new AtomicLong({trial["rate"]}L);
{made}{lines}""",
    )


TIMERS: Final = """\
// A timer whose time is moved by hand, in milliseconds; each task with its time and its period.
long[] now = {0};
List<Object[]> tasks = new ArrayList<>();
ScheduledExecutorService timer = mock(ScheduledExecutorService.class);
when(timer.scheduleAtFixedRate(any(), anyLong(), anyLong(), any())).thenAnswer(call -> {
    TimeUnit unit = call.getArgument(3);
    Object[] task = {call.getArgument(0), now[0] + unit.toMillis(call.getArgument(1)),
            unit.toMillis(call.getArgument(2))};
    tasks.add(task);
    ScheduledFuture<?> handle = mock(ScheduledFuture.class);
    when(handle.cancel(anyBoolean())).thenAnswer(cancelled -> tasks.remove(task));
    return handle;
});
LongConsumer pass = millis -> {
    now[0] += millis;
    for (Object[] task : new ArrayList<>(tasks)) {
        for (; (long) task[1] <= now[0]; task[1] = (long) task[1] + (long) task[2]) {
            ((Runnable) task[0]).run();
        }
    }
};
"""


def passed(millis: int) -> str:
    """Lines that let time pass at the timer."""
    return (
        f"for (now[0] += {millis}; next[0] <= now[0]; next[0] += every[0]) {{\n"
        "    task[0].run();\n}\n"
    )


def counter(one: Case) -> Method:
    """`throttling.counter`: RateLimiter, with permits from a timer."""
    trial, lines = one.trial, ""
    for command, result in results_of(one):
        match command["do"]:
            case "take":
                granted = str(result["granted"]).lower()
                lines += f"assertEquals(limiter.tryAcquire({command['permits']}L), {granted});\n"
            case "advance":
                lines += passed(command["millis"])
            case "look":
                lines += f"assertEquals(limiter.getAvailablePermits(), {result['available']}L);\n"
            case "set_rate":
                lines += f"limiter.setRate({command['rate']}L);\n"
            case "restart":
                updated = command["updated"]
                supplier = "null" if updated is None else f"() -> {updated}L"
                lines += (
                    f"limiter.setRate({command['rate']}L, {command['period']}L, "
                    f"TimeUnit.MILLISECONDS, {supplier});\n"
                )
            case "close":
                lines += "limiter.close();\n"
    return Method(
        "org.apache.pulsar.common.util",
        (ASSERTS, *TIMER_IMPORTS),
        f"""
{TIMER}RateLimiter limiter = RateLimiter.builder().scheduledExecutorService(timer)
        .permits({trial["rate"]}L).rateTime({trial["period"]}L).timeUnit(TimeUnit.MILLISECONDS)
        .isDispatchOrPrecisePublishRateLimiter({str(trial["carries"]).lower()}).build();
{lines}""",
    )


def rate_of(rate: dict[str, Any]) -> str:
    """An expression that makes a DispatchRate."""
    return (
        f"DispatchRate.builder().dispatchThrottlingRateInMsg({rate['messages']})\n"
        f"        .dispatchThrottlingRateInByte({rate['bytes']}L)"
        f".ratePeriodInSecond({rate['period']})\n"
        f"        .relativeToPublishRate({str(rate['relative']).lower()}).build()"
    )


def asked(one: Case, advanced: str) -> str:
    """Lines that charge a limiter and read it; `advanced` advances the clock."""
    lines = ""
    for command, result in results_of(one):
        match command["do"]:
            case "consume":
                lines += (
                    f"limiter.consumeDispatchQuota({command['messages']}L, {command['bytes']}L);\n"
                )
            case "advance":
                lines += advanced.format(millis=command["millis"], nanos=command["millis"] * MILLI)
            case "look":
                for side, name in (("Msg", "messages"), ("Byte", "bytes")):
                    call = f"limiter.getAvailableDispatchRateLimitOn{side}()"
                    lines += f"assertEquals({call}, {result[name]}L);\n"
            case "configure":
                lines += f"limiter.updateDispatchRate({rate_of(command['rate'])});\n"
            case _:
                raise NotSupported(f"{one.title}: quotas of publishing are not supported.")
    return lines


LIMITER: Final = (
    ASSERTS,
    "static org.mockito.Mockito.RETURNS_DEEP_STUBS",
    "org.apache.pulsar.common.policies.data.DispatchRate",
    "org.apache.pulsar.common.policies.data.impl.DispatchRateImpl",
)


def quota(one: Case) -> Method:
    """`throttling.quota`: the DispatchRateLimiter of a topic, of buckets or classic."""
    classic = one.trial["mechanism"] == "classic"
    topic = f"""\
DispatchRate rate = {rate_of(one.trial["rate"])};
PersistentTopic topic = mock(PersistentTopic.class, RETURNS_DEEP_STUBS);
when(topic.getName()).thenReturn("persistent://public/default/topic");
when(topic.getDispatchRate()).thenReturn((DispatchRateImpl) rate);
"""
    if classic:
        return Method(
            LIMITERS,
            (
                *LIMITER,
                *TIMER_IMPORTS,
                "java.util.ArrayList",
                "java.util.List",
                "java.util.function.LongConsumer",
                "org.apache.pulsar.broker.service.BrokerService",
            ),
            f"""
{TIMERS}{topic}BrokerService service = mock(BrokerService.class, RETURNS_DEEP_STUBS);
when(topic.getBrokerService()).thenReturn(service);
when(service.pulsar().getExecutor()).thenReturn(timer);
DispatchRateLimiter limiter = new DispatchRateLimiterFactoryClassic().createTopicDispatchRateLimiter(topic);
{asked(one, "pass.accept({millis}L);" + chr(10))}""",
        )
    return Method(
        LIMITERS,
        (
            *LIMITER,
            "static org.mockito.Mockito.mock",
            "static org.mockito.Mockito.when",
            "java.util.concurrent.atomic.AtomicLong",
            "org.apache.pulsar.broker.qos.MonotonicClock",
        ),
        f"""
AtomicLong nanos = new AtomicLong();
MonotonicClock clock = nanos::get;
{topic}when(topic.getBrokerService().getPulsar().getMonotonicClock()).thenReturn(clock);
DispatchRateLimiter limiter = new DispatchRateLimiterFactoryAsyncTokenBucket()
        .createTopicDispatchRateLimiter(topic);
{asked(one, "nanos.addAndGet({nanos}L);" + chr(10))}""",
    )
