"""One switch: a sentence, a source, and its value in each edition."""

from __future__ import annotations

from dataclasses import field
from typing import Any


def switch(sentence: str, source: str, *, documented: Any = False, pulsar_4_0: Any = True) -> Any:
    """A field of a chapter's switches.

    `sentence` says what is so when the switch is on; `source` is the Pulsar file and version, or
    the document. Most switches are off in what the documents promise and on in what Pulsar does.
    """
    return field(
        metadata={
            "sentence": sentence,
            "source": source,
            "DOCUMENTED": documented,
            "PULSAR_4_0": pulsar_4_0,
        }
    )
