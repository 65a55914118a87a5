from __future__ import annotations

from typing import Any, Final

from evenkeel.properties.mutant_maker import Function, always, defect, equivalent, switched
from evenkeel.reference.balancing import choosing
from evenkeel.reference.balancing.choosing import Shedding
from evenkeel.reference.edition import PULSAR_4_0
from evenkeel.reference.placement import configured
from evenkeel.reference.placement.configured import NotAlone, Placing


def _another_of_its_own(original: Function) -> Function:
    def sheds(extensible: bool, configured: Shedding | None, edition: Any) -> Shedding:
        if configured is not None and not choosing.has(extensible, configured):
            return choosing.usual(extensible)
        return Shedding(original(extensible, configured, edition))

    return sheds


def _whatever_is_configured(original: Function) -> Function:
    def places(extensible: bool, avg_sheds: bool, placing: Placing | None) -> Placing:
        if extensible and placing is not None:
            return placing
        return Placing(original(extensible, avg_sheds, placing))

    return places


def _without_looking_at_shedding(original: Function) -> Function:
    return lambda extensible, avg_sheds, placing: original(extensible, True, placing)


def _refusing_alone(original: Function) -> Function:
    def places(extensible: bool, avg_sheds: bool, placing: Placing | None) -> Placing:
        if not extensible and avg_sheds and placing is not Placing.AVG:
            raise NotAlone("AvgShedder must be named by both")
        return Placing(original(extensible, avg_sheds, placing))

    return places


def _usual_placement(original: Function) -> Function:
    return lambda extensible, avg_sheds, placing: original(extensible, avg_sheds, None)


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
    defect(
        "placement-is-not-read",
        configured,
        "places",
        _usual_placement,
        "Whoever configures another placement gets LeastLongTermMessageRate, without a word.",
    ),
    defect(
        "extensible-manager-reads-the-placement",
        configured,
        "places",
        _whatever_is_configured,
        "A setting of the modular manager decides in the extensible one, which does not have it.",
    ),
    defect(
        "avg-places-alone",
        configured,
        "places",
        _without_looking_at_shedding,
        "Not 4.0: AvgShedder places, and waits for a plan of shedding that nobody makes.",
        edition=PULSAR_4_0,
    ),
    equivalent(
        "avg-sheds-alone-is-refused",
        configured,
        "places",
        _refusing_alone,
        "The documents ask for both settings; what follows from one alone is left open.",
    ),
)
