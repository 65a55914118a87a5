"""What makes two campaigns the same one, and what a campaign ran with."""

from __future__ import annotations

import hashlib
import json
import platform
import shlex
import shutil
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from evenkeel_engine.campaign.folder import hash_json
from evenkeel_engine.campaign.plan import CampaignPlan
from evenkeel_engine.campaign.session import Spark
from evenkeel_engine.subjects.process import name_program


def fingerprint_of(subject: str) -> str:
    """A digest of the files that a subject's command names: its program, and its arguments.

    What a script starts in turn is not seen; such a subject should change its version.
    """
    whole = hashlib.sha256()
    for place, word in enumerate(shlex.split(subject)):
        path = Path((shutil.which(word) if place == 0 else None) or word)
        if path.is_file():
            whole.update(path.read_bytes())
    return whole.hexdigest()


def identity_of(
    plan: CampaignPlan, code: str, name: str, questions: frozenset[str] | None
) -> dict[str, Any]:
    """What must be equal for two campaigns to be the same one. Its master does not matter."""
    return {
        "answered by": name,
        "offers": sorted(questions) if questions is not None else None,
        "fingerprint": "" if plan.in_process else fingerprint_of(plan.subject),
        "trials": plan.trials,
        "seed": plan.seed,
        "generator": plan.generator,
        "edition": plan.edition,
        "subject": name_program(plan.subject),
        "command": hash_json(plan.subject),
        "chapters": list(plan.chapters),
        "questions": list(plan.questions),
        "clauses": list(plan.clauses),
        "code": code,
        "keep answers": plan.keep_answers,
        "strict": plan.strict,
        "more": json.loads(json.dumps([asdict(more) for more in plan.more])),
    }


def list_software(spark: Spark) -> dict[str, str]:
    """The versions that a campaign ran with."""
    versions = {"python": platform.python_version(), "java": spark.java.sentence}
    for package in ("pyspark", "pyarrow"):
        try:
            versions[package] = version(package)
        except PackageNotFoundError:
            versions[package] = "unknown"
    return versions


def id_of(identity: dict[str, Any]) -> str:
    """A short name for a campaign, by which its tables can be joined with those of others."""
    text = json.dumps(identity, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:16]
