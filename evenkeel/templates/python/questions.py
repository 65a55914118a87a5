"""Fill in one method per question; those left out are not asked.

This module starts nothing, so that tests of your own can import it.
"""

import evenkeel_adapter as evenkeel


class Questions(evenkeel.Balancer):
    """Put your balancer's calls in place of these.

    Raise `evenkeel.Refused` if it rejects the input on purpose, `evenkeel.Skipped` for what it does
    not have. Any other exception is an observation too: that it broke.
    """

    def contract_rebalance(
        self, trial: evenkeel.ContractRebalanceTrial
    ) -> evenkeel.ContractRebalanceAnswer:
        """A strategy of your own: which units move in this turn? It promises what it is held to."""
        if trial["do"] == "open":
            knows = ["joins", "changes", "unserved"]
            return {"promises": {"measure": "count", "trigger": 1, "memory": False, "knows": knows}}
        held = {node["name"]: [] for node in trial["nodes"]}
        for unit in trial["units"]:
            if unit["node"] is None:
                least = min(held, key=lambda name: len(held[name]))
                return {"moves": [{"unit": unit["name"], "from": None, "to": least}]}
            held[unit["node"]].append(unit)
        least = min(held, key=lambda name: len(held[name]))
        most = max(held, key=lambda name: len(held[name]))
        resting = not any(unit["moving"] for unit in trial["units"])
        if resting and len(held[most]) - len(held[least]) > 1:
            return {"moves": [{"unit": held[most][0]["name"], "from": most, "to": least}]}
        return {"moves": []}

    def bundles_hash_lookup(
        self, trial: evenkeel.BundlesHashLookupTrial
    ) -> evenkeel.BundlesHashLookupAnswer:
        bounds = trial["boundaries"]
        for lower, upper in zip(bounds, bounds[1:]):
            last = upper == 0xFFFFFFFF
            if lower <= trial["hash"] < upper + last:
                return {"bundle": {"lower": lower, "upper": upper, "upper_included": last}}
        raise evenkeel.Refused("NoBundle", "no bundle holds the hash")
