"""4.0.6: what 4.0.7 changed."""

from typing import Final

from evenkeel_engine.frame.line import Change, Line

LINE: Final = Line(
    "PULSAR_4_0_6",
    "4.0.6",
    parent="PULSAR_4_0_7",
    changes=(
        Change(
            switch="unnamed_manager_throws",
            until="4.0.7",
            source="LoadManager.create (#24570)",
            questions=("balancing.strategy",),
        ),
        Change(
            switch="top_bundles_by_difference",
            until="4.0.7",
            source="NamespaceBundleStats.compareTo (#24772)",
            questions=("load.top_bundles", "load.top_report"),
        ),
        Change(
            switch="moved_keys_counted_again",
            until="4.0.7",
            source="DrainingHashesTracker.addEntry (#23845, #24736)",
            questions=("throttling.keys",),
        ),
    ),
)
