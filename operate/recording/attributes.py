"""Lines of a broker since 5.0, whose values are attributes after the message (PIP-467), as a broker
of 4.x writes them: `Available brokers {broker=[a, b]}`.

They are in a log whose layout prints them: `%X` after `%msg`, as the distribution's own log4j2.yaml
has it. Log4j prints them in the order of their names.
"""

from __future__ import annotations

import re
from typing import Final

FORMS: Final = (
    (r"Acquired leadership \{path=([^,}]+).*", r"Acquired leadership on \1"),
    (r"Available brokers \{broker=(.*)\}", r"Available brokers: \1"),
    (r"brokers' load stats \{stats=(.*)\}", r"brokers' load stats:\1"),
    (
        r"Unload decision result \{result=(.*?)(, strategy=\w+\})?",
        r"[TransferShedder] Unload decision result: \1",
    ),
    (r"sorted broker list \{brokers=(.*)\}", r"sorted broker list:\1"),
    (
        r"Broker hit counts \{brokerHitCountForHigh=(.*), brokerHitCountForLow=(.*)\}",
        r"brokerHitCountForHigh:\1, brokerHitCountForLow:\2",
    ),
    (
        r"Unloading bundle from source broker to dest broker "
        r"\{bundle=(.*), class=(.*), destBroker=(.*), sourceBroker=(.*)\}",
        r"[\2] Unloading bundle: \1 from broker \4 to dest broker \3",
    ),
    (
        r"No broker available to unload bundle from broker "
        r"\{broker=(.*), bundle=(.*), class=(.*)\}",
        r"[\3] No broker available to unload bundle \2 from broker \1",
    ),
    (
        r"The destination broker is the same as the current owner broker for bundle "
        r"\{broker=(.*), bundle=(.*), class=(.*)\}",
        r"[\3] The destination broker \1 is the same as the current owner broker for Bundle \2",
    ),
)
"""Messages with their attributes, and what 4.x writes. Source: Pulsar 4.0.8 and 5.0.1."""
NEWER: Final = tuple((re.compile(f" - {newer}$"), rf" - {older}") for newer, older in FORMS)

BARE: Final = re.compile(
    r" - (Acquired leadership|Available brokers|sorted broker list|Unload decision result)( \{\})?$"
    r'|^\{"'
)
"""In a line whose layout prints no attribute, or is JSON."""


def in_older_form(line: str) -> str:
    """The line as 4.x writes it; one of 4.x, or of another kind, as it is."""
    for newer, older in NEWER:
        line = newer.sub(older, line)
    return line
