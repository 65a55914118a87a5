"""One switch: a sentence, a source, and its value in each base edition."""

from __future__ import annotations

from dataclasses import field
from typing import Any


def switch(sentence: str, source: str, *, promised: Any = False, released: Any = True) -> Any:
    """A field of a chapter's switches.

    `sentence` says what is so when the switch is on; `source` is the file and version of the
    released code, or the document. Most switches are off in what the documents promise and on in
    the release that is modelled whole.
    """
    return field(
        metadata={
            "sentence": sentence,
            "source": source,
            "promised": promised,
            "released": released,
        }
    )
