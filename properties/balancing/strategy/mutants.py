from __future__ import annotations

from typing import Any, Final

from evenkeel.properties.mutant_maker import Function, always, defect, equivalent, switched
from evenkeel.reference.balancing import choosing
from evenkeel.reference.balancing.choosing import Shedding
from evenkeel.reference.edition import PULSAR_4_0


def _another_of_its_own(original: Function) -> Function:
    def sheds(extensible: bool, configured: Shedding | None, edition: Any) -> Shedding:
        if configured is not None and not choosing.has(extensible, configured):
            return choosing.usual(extensible)
        return Shedding(original(extensible, configured, edition))

    return sheds


MUTANTS: Final = (
    defect(
        "every-manager-has-every-strategy",
        choosing,
        "has",
        always(True),
        "The extensible manager sheds by ThresholdShedder, which names no destination.",
    ),
    defect(
        "threshold-is-usual-everywhere",
        choosing,
        "usual",
        always(Shedding.THRESHOLD),
        "Whoever configures the extensible manager alone gets a strategy that is none of its.",
    ),
    defect(
        "what-does-not-fit-is-refused",
        choosing,
        "sheds",
        switched(strategies_made_by_name=False),
        "Not 4.0: a manager refuses a strategy that it does not have.",
        edition=PULSAR_4_0,
    ),
    equivalent(
        "what-does-not-fit-is-replaced",
        choosing,
        "sheds",
        _another_of_its_own,
        "Whether a strategy of the other manager is refused or replaced is left open.",
    ),
)
