"""Known divergences by signature: a new one fails, a known one passes, a removed one is listed."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from evenkeel.cli.options import Unusable
from evenkeel.cli.output import warn
from evenkeel.files import why_unreadable
from evenkeel.harness.tally import Tally
from evenkeel.reference.edition import Edition

FORMAT: Final = "evenkeel baseline 1"


@dataclass(frozen=True, slots=True)
class Baseline:
    """Signatures that are known, each with a sentence for readers of the file."""

    path: Path
    edition: str
    known: dict[str, str]

    def new(self, tally: Tally) -> list[str]:
        """The failures that are not known."""
        return [signature for signature in tally.smallest if signature not in self.known]

    def seen(self, tally: Tally) -> list[str]:
        """The failures that are known."""
        return sorted(signature for signature in tally.smallest if signature in self.known)

    def removed(self, tally: Tally) -> list[str]:
        """What is known and was not met, although its clause was exercised."""
        missing = sorted(set(self.known) - set(tally.smallest))
        decided = ("holds", "violated", "errored")
        return [s for s in missing if tally.verdict(clause_of(s)) in decided]

    def updated(self, tally: Tally, checked: Collection[str]) -> Baseline:
        """With the failures of this run; entries of other clauses stay."""
        others = {
            signature: sentence
            for signature, sentence in self.known.items()
            if clause_of(signature) not in checked
        }
        found = {signature: one.sentence for signature, one in tally.smallest.items()}
        return Baseline(self.path, self.edition, {**others, **found})

    def write(self) -> None:
        """Write the file, the same bytes for the same failures. Raises `Unusable`."""
        known = [{"signature": s, "sentence": self.known[s]} for s in sorted(self.known)]
        data = {"format": FORMAT, "edition": self.edition, "known": known}
        write_text(self.path, json.dumps(data, indent=2, ensure_ascii=False) + "\n")


def clause_of(signature: str) -> str:
    """The clause of a signature."""
    return signature.partition(":")[0]


def read_baseline(path: Path | None, edition: Edition, made_now: bool = False) -> Baseline:
    """The baseline in a file; without a file an empty one, with a note, unless it is `made_now`.
    Raises `Unusable`.
    """
    if path is None:
        return Baseline(Path(), edition.name, {})
    try:
        if why := why_unreadable(path):
            raise Unusable(f"{path}: {why}.")
        data = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        if not made_now:
            warn(f"{path}: is not there, so nothing is known; `check --update-baseline` makes it.")
        return Baseline(path, edition.name, {})
    except OSError as error:
        raise Unusable(f"{path}: cannot be read ({error.strerror}).") from error
    except (ValueError, RecursionError) as error:
        raise Unusable(f"{path}: is no JSON.") from error
    return checked(path, data, edition)


def checked(path: Path, data: Any, edition: Edition) -> Baseline:
    """The baseline that was read. Raises `Unusable`."""
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise Unusable(f"{path}: format: must be {FORMAT!r}.")
    if data.get("edition") != edition.name:
        raise Unusable(f"{path}: edition: is {data.get('edition')}, but {edition.name} is checked.")
    known = data.get("known")
    fields = {"signature", "sentence"}
    if not isinstance(known, list) or not all(
        isinstance(one, dict)
        and set(one) == fields
        and all(isinstance(one[f], str) for f in fields)
        for one in known
    ):
        raise Unusable(f"{path}: known: must be an array of objects with signature and sentence.")
    return Baseline(path, edition.name, {one["signature"]: one["sentence"] for one in known})


def write_text(path: Path, text: str) -> None:
    """Write a file that the user requested. Raises `Unusable`."""
    try:
        path.write_text(text, "utf-8", errors="backslashreplace")
    except OSError as error:
        raise Unusable(f"{path}: cannot be written ({error.strerror}).") from error
