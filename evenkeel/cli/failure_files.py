"""The shrunk trial of a failure in a file of its own, and the command that replays it."""

from __future__ import annotations

import json
import os
import re
import shlex
from hashlib import blake2b
from pathlib import Path

from evenkeel.cli.options import Unusable
from evenkeel.cli.output import warn
from evenkeel.harness.failure import Failure
from evenkeel.properties.kit.codec import to_json
from evenkeel.reference.edition import Edition


def cache_folder() -> Path:
    """Where failures are kept if nobody names a folder."""
    folder = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(folder) / "evenkeel" / "failures"


def file_name(signature: str, text: str) -> str:
    """The name of a failure's file: the same for the same trial."""
    words = re.sub(r"[^A-Za-z0-9]+", "-", signature).strip("-")[:60]
    return f"{words}-{blake2b(text.encode(), digest_size=4).hexdigest()}.json"


def save(failure: Failure, edition: Edition, folder: Path | None) -> Path | None:
    """Write the trial; None where the cache cannot be written. Raises `Unusable` for any other
    folder.
    """
    data = {
        "question": failure.question.name,
        "edition": edition.name,
        "trial": to_json(failure.trial),
    }
    text = json.dumps(data, indent=1, ensure_ascii=False) + "\n"
    path = (folder or cache_folder()) / file_name(failure.signature, text)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    except OSError as error:
        sentence = f"{path.parent}: failures cannot be saved there ({error.strerror})."
        if folder is not None:
            raise Unusable(sentence) from error
        warn(sentence)
        return None
    return path


def replay_command(failure: Failure, path: Path | None, subject: str, edition: Edition) -> str:
    """The one command that puts the trial to the subject again."""
    if path is None or not failure.again:
        return failure.found.replay_command(edition.name, subject)
    words = ["evenkeel", "replay", str(path)]
    return shlex.join(words if subject == "reference" else [*words, "--subject", subject])
