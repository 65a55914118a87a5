"""splitting.life: a namespace whose bundles are split while others write.

Followed: document 002, "Bundle splitting", Workflow, step 3: "the owner broker updates the
bundle ownerships and ranges in the metadata space".
"""

from __future__ import annotations

from examples.from_documents.owning.bundles import (
    check_namespace,
    holder,
    is_bundle,
    spans,
    topic_name,
)
from examples.from_documents.owning.interpretations import Interpretations
from examples.from_documents.owning.splitting_positions import cut, legal_positions
from examples.from_documents.owning.wire import Json, Refusal, done, refuse


class Namespace:
    """The stored record of a namespace, which others may write too."""

    def __init__(self, interpretations: Interpretations, trial: Json) -> None:
        check_namespace(trial["namespace"])
        self.interpretations = interpretations
        self.name = trial["namespace"]
        self.boundaries = list(trial["boundaries"])
        self.copy = list(trial["boundaries"])
        self.group = trial.get("group", "")
        self.version = 0

    def rival(self, rival: Json) -> None:
        """Another writer comes first."""
        if rival["do"] == "split":
            lower, upper = int(rival["bundle"]["lower"]), int(rival["bundle"]["upper"])
            position = int(rival["position"])
            if not is_bundle(self.boundaries, lower, upper) or not lower < position < upper:
                return
            self.store(cut(self.boundaries, [position]))
        else:
            self.group = self.group if rival.get("group") is None else rival["group"]
            self.version += 1

    def store(self, boundaries: list[int]) -> None:
        """Writes boundaries and their copy."""
        self.boundaries, self.copy = boundaries, list(boundaries)
        self.version += 1

    def split(self, command: Json) -> Json:
        """Read, compute and write, until no other writer came first."""
        lower, upper = int(command["bundle"]["lower"]), int(command["bundle"]["upper"])
        rivals = list(command["rivals"])
        for _ in range(self.interpretations.split_attempts):
            read, boundaries = self.version, self.boundaries
            if not is_bundle(boundaries, lower, upper):
                raise Refusal("NotABundle")
            strict = self.interpretations.refuses_positions_outside
            given = command["positions"]
            inside = legal_positions(self.interpretations, lower, upper, given, strict)
            if not inside:
                return {"do": "split_done", "children": []}
            if rivals:
                self.rival(rivals.pop(0))
            if self.version == read:
                self.store(cut(boundaries, inside))
                return {"do": "split_done", "children": spans([lower, *inside, upper])}
        raise Refusal("OthersWereFaster")

    def command(self, command: Json) -> Json:
        """One command."""
        what = command["do"]
        if what == "split":
            return self.split(command)
        if what == "look_up":
            name = topic_name(self.interpretations, command["topic"])
            if not str(name["name"]).startswith(f"{name['domain']}://{self.name}/"):
                raise Refusal("WrongNamespace")
            return {"do": "found", "bundle": holder(self.boundaries, int(name["hash"]))}
        if what == "set_group":
            if command["group"] and not command["group"].strip():
                raise Refusal("BadGroup")
            self.group = command["group"]
            self.version += 1
            return done()
        if what == "reload":
            return done()
        return {
            "do": "stored",
            "boundaries": self.boundaries,
            "copy": self.copy,
            "group": self.group,
            "version": self.version,
        }


def life(interpretations: Interpretations, trial: Json) -> Json:
    """The answer to splitting.life."""
    world = Namespace(interpretations, trial)
    results: list[Json] = []
    for command in trial["commands"]:
        try:
            results.append(world.command(command))
        except Refusal as refusal:
            results.append(refuse(refusal.reason))
    return {"results": results}
