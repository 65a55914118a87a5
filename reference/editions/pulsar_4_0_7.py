"""4.0.7: what 4.0.8 changed."""

from typing import Final

from evenkeel_engine.frame.line import Change, Line

LINE: Final = Line(
    "PULSAR_4_0_7",
    "4.0.7",
    parent="PULSAR_4_0",
    changes=(
        Change(
            switch="avg_ranks_by_whole_points",
            since="3.0.6",
            until="4.0.8",
            source="AvgShedder.calculateScoresAndSort (#24954)",
            questions=("shedding.avg", "balancing.loop"),
        ),
        Change(
            switch="stopping_brokers_check_owners",
            until="4.0.8",
            source="ServiceUnitStateChannelImpl.getActiveOwnerAsync (#24770)",
            questions=("ownership.channel",),
        ),
        Change(
            switch="first_group_loses_bundles",
            until="4.0.8",
            source="NamespacesBase.internalSetNamespaceAntiAffinityGroup (#23897)",
            questions=("splitting.life",),
        ),
        Change(
            switch="task_ends_without_store",
            until="4.0.8",
            source="LoadSheddingTask.run (#24838)",
            questions=("shedding.cycles",),
        ),
    ),
)
