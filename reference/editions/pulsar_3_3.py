"""3.3.6: what 4.0 changed."""

from typing import Final

from evenkeel.reference.switches.throttling import Unbounded
from evenkeel_engine.frame.line import Change, Line

LINE: Final = Line(
    "PULSAR_3_3",
    "3.3.6",
    parent="PULSAR_4_0_6",
    changes=(
        Change(
            switch="topic_policies_share_a_key",
            until="4.0.6",
            source="SystemTopicBasedTopicPoliciesService.getEventKey (#24286)",
            questions=("throttling.stored",),
        ),
        Change(
            switch="topic_policies_share_a_value",
            until="4.0.6",
            source="AbstractTopic.updateTopicPolicy, PersistentTopic.initTopicPolicy "
            "(#24254, #24279)",
            questions=("throttling.stored",),
        ),
        Change(
            switch="task_ends_without_store",
            value=False,
            until="4.0.0",
            source="LoadSheddingTask.run (#23040)",
            questions=("shedding.cycles",),
        ),
        Change(
            switch="task_goes_on_without_store",
            until="4.0.0",
            source="LoadSheddingTask.run (#23040)",
            questions=("shedding.cycles",),
        ),
        Change(
            switch="plans_keyed_by_value",
            value=False,
            until="4.0.0",
            source="BundleData.equals",
            questions=("placement.avg_shedder", "balancing.loop"),
        ),
        Change(
            switch="avg_plan_by_averages",
            value=False,
            until="4.0.0",
            source="BundleData.equals",
            questions=("shedding.avg",),
        ),
        Change(
            switch="bandwidth_weights_misspelt",
            until="4.0.0",
            source="ServiceConfiguration (#22824)",
            questions=("load.usage",),
        ),
        Change(
            switch="defaults_otherwise",
            value=(
                ("loadBalancerBandwidthInResourceWeight", None),
                ("loadBalancerBandwidthOutResourceWeight", None),
                ("loadBalancerMemoryResourceWeight", "1.0"),
            ),
            until="4.0.0",
            source="ServiceConfiguration (#22820, #22824, #22888)",
            questions=("balancing.defaults",),
        ),
        Change(
            switch="look_ahead_unbounded",
            value=Unbounded.ALL,
            until="4.0.0",
            source="PersistentStickyKeyDispatcherMultipleConsumers (PIP-379)",
            questions=("throttling.keys",),
        ),
        Change(
            switch="unknown_shedder_replaced",
            until="4.0.0",
            source="ModularLoadManagerImpl.createLoadSheddingStrategy (#22827)",
            questions=("balancing.strategy",),
        ),
        Change(
            switch="modular_usage_unweighted",
            until="4.0.0",
            source="LocalBrokerData.getMaxResourceUsage (PIP-358, #22888)",
            questions=(
                "load.report_modular",
                "placement.candidates",
                "placement.least_long_term_message_rate",
                "placement.preallocation",
                "shedding.overload",
            ),
        ),
    ),
)
