"""4.2.4, as far as it has been compared: token buckets, and UniformLoadShedder.

Not yet: namespaces of heartbeats and SLA monitors, which are named without a cluster since, and
other names of `domain/v1`; TransferShedder; the channel.
"""

from typing import Final

from evenkeel.reference.editions.line import Change, Line

LINE: Final = Line(
    "PULSAR_4_2",
    "4.2.4",
    parent="PULSAR_4_0",
    changes=(
        Change(
            switch="uniform_allowance",
            value=False,
            since="4.2.4",
            source="UniformLoadShedder",
            questions=("shedding.uniform",),
        ),
        Change(
            switch="refill_wraps",
            value=False,
            since="4.2.4",
            source="AsyncTokenBucket.RateParameters (PR 25262)",
            questions=("throttling.bucket",),
        ),
    ),
)
