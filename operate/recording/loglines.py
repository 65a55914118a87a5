"""Lines about decisions from brokers' logs, if these are on this machine."""

from __future__ import annotations

import re
from pathlib import Path
from threading import Event
from typing import Final

from evenkeel.operate.recording.attributes import in_text
from evenkeel.operate.recording.store import Store

DECISION: Final = re.compile(
    r"UnloadScheduler|UnloadDecision|SplitScheduler|SplitDecision|TransferShedder|Shedder"
    r"|Unloading bundle|Splitting bundle|unload bundle|LoadSheddingTask|overridden|Orphan|orphan"
    r"|Failed to (acquire|own|publish|split|unload)|playGround|LeaderElection"
)
SETTINGS: Final = re.compile(r"configs=ServiceConfiguration\(|configOverrides=\{")
"""In a line with all settings of a broker, which name strategies too, and may hold secrets."""
LONGEST: Final = 4_000
"""Of a line: a round's result names all bundles that it moves."""
BLOCK: Final = 1 << 20


def follow(places: tuple[str, ...], store: Store, stop: Event) -> None:
    """Read the ends of files as they grow."""
    at = dict.fromkeys(places, 0)
    while not stop.wait(2):
        for place in places:
            at[place] = read_on(place, at[place], store)


def read_on(place: str, at: int, store: Store) -> int:
    """Read whole lines from here on; how far it is read then."""
    try:
        with Path(place).open("rb") as file:
            file.seek(at)
            block = file.read(BLOCK)
    except OSError:
        return at
    end = block.rfind(b"\n") + 1
    for line in block[:end].decode(errors="replace").splitlines():
        if DECISION.search(line) and not SETTINGS.search(text := in_text(line)):
            store.add("log", text[:LONGEST], broker=Path(place).stem)
    return at + end
