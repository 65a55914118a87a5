"""5.0.1: segments with entry buckets (PIP-486), of which merges take no more than is to spare."""

from typing import Final

from evenkeel.reference.editions.line import Change, Line

DECISION: Final = ("scaling.decision", "scaling.loop")
ASSIGNMENT: Final = ("scaling.assignment",)

LINE: Final = Line(
    "PULSAR_5_0_1",
    "5.0.1",
    parent="PULSAR_5_0",
    chapters=("scaling",),
    changes=(
        Change(
            switch="merges_ignore_consumers",
            value=False,
            since="5.0.1",
            source="AutoScalePolicyEvaluator.tryMerge (#26434)",
            questions=DECISION,
        ),
        Change(
            switch="segments_without_buckets",
            value=False,
            since="5.0.1",
            source="SegmentLayout (#26434)",
            questions=("scaling.layout",),
        ),
        Change(
            switch="sealed_segments_stay",
            value=False,
            since="5.0.1",
            source="SubscriptionCoordinator.isAssignable",
            questions=ASSIGNMENT,
        ),
        Change(
            switch="parents_alone_awaited",
            value=False,
            since="5.0.1",
            source="SubscriptionCoordinator.ancestorsDrained",
            questions=ASSIGNMENT,
        ),
        Change(
            switch="entry_buckets",
            since="5.0.1",
            source="AutoScalePolicyEvaluator.tryConsumerScale, tryMerge (#26434)",
            questions=DECISION,
        ),
        Change(
            switch="single_hashes_block",
            since="5.0.1",
            source="AutoScalePolicyEvaluator.trySplit, endsEvaluation",
            questions=DECISION,
        ),
    ),
)
