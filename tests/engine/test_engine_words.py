"""The engine names nothing of the specification that it was first written for."""

import re
from pathlib import Path
from typing import Final

from evenkeel_engine import spec
from evenkeel_engine.content import EDITIONS

ROOT: Final = Path(__file__).resolve().parents[2]
WORDS: Final = (
    r"broker|bundle|namespace|topic|tenant|\bshed(?:s|ding|der)?\b|unload|throttl"
    r"|pulsar|zookeeper|bookkeeper|\bbalancers?\b|\bsegments?\b|\bconsumers?\b"
)
ALLOWED: Final = (
    "SimpleNamespace|namespace=",  # Python's own words
    "bundled_java",  # the Java that comes with a package
    r"\bBalancer\b|my-balancer",  # what adapters extend, and the name of a new one
)
"""Patterns of what is left out before a line is searched."""
OF_EXAMPLE: Final = re.compile("balancer", re.IGNORECASE)
"""What the example specifies, one of HBase's."""


def pattern() -> re.Pattern[str]:
    """Its words, the ids of its clauses, the names of its editions."""
    ids = "|".join(sorted({entry.id.partition("-")[0] for entry in spec.read_entries().values()}))
    editions = "|".join(map(re.escape, EDITIONS))
    return re.compile(rf"(?i:{WORDS})|\b(?:{ids})-\d|\b(?:{editions})\b")


def found(text: str) -> list[str]:
    """The lines of a text that name something, with what they name."""
    left = re.compile("|".join(ALLOWED))
    hits = ((line, pattern().search(left.sub("", line))) for line in text.splitlines())
    return [f"{hit[0]}: {line.strip()}" for line, hit in hits if hit is not None]


def test_the_engine_names_nothing_of_its_first_specification() -> None:
    paths = [path for path in (ROOT / "evenkeel_engine").rglob("*") if path.is_file()]
    texts = {path: path.read_text("utf-8") for path in paths if "__pycache__" not in path.parts}
    assert len(texts) > 200
    hits = [
        f"{path.relative_to(ROOT)}: {line}"
        for path, text in texts.items()
        for line in found(OF_EXAMPLE.sub("", text) if "example" in path.parts else text)
    ]
    assert not hits, "\n".join(hits)


def test_what_it_must_not_name_is_found() -> None:
    for text in ("a broker's name", "BUN-15", 'edition="PULSAR_4_0"', "it sheds load"):
        assert found(text)
    assert not found("unshielded, bundled_java(), EAR-15")
