from __future__ import annotations

from typing import Final

from evenkeel.properties.mutant_maker import always, defect, switched
from evenkeel.reference.placement import admission

MUTANTS: Final = (
    defect(
        "policies-not-read",
        admission,
        "readable",
        always(True),
        "An expression with a mistake in it is stored, and every later placement fails.",
        "SH39",
    ),
    defect(
        "namespaces-not-read",
        admission,
        "stored",
        switched(unreadable_namespaces_stored=True),
        "An expression for namespaces with a mistake in it takes other namespaces' isolation away.",
        "SH39",
    ),
    defect(
        "every-policy-refused",
        admission,
        "stored",
        always(False),
        "No namespace can be isolated.",
    ),
)
