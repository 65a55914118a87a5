"""Fill in one method per question; those left out are not asked.

This module starts nothing, so that tests of your own can import it.
"""

import evenkeel_adapter as evenkeel


class Questions(evenkeel.Balancer):
    """Put your balancer's calls in place of these.

    Raise `evenkeel.Refused` if it rejects the input on purpose, `evenkeel.Skipped` for what it does
    not have. Any other exception is an observation too: that it broke.
    """

    def bundles_hash_lookup(
        self, trial: evenkeel.BundlesHashLookupTrial
    ) -> evenkeel.BundlesHashLookupAnswer:
        bounds = trial["boundaries"]
        for lower, upper in zip(bounds, bounds[1:]):
            last = upper == 0xFFFFFFFF
            if lower <= trial["hash"] < upper + last:
                return {"bundle": {"lower": lower, "upper": upper, "upper_included": last}}
        raise evenkeel.Refused("NoBundle", "no bundle holds the hash")
