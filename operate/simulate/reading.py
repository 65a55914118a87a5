"""Reading a file key by key, so that every error names the file, the place and a reason."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from typing import Any, Final

from evenkeel.reference.shedding.cluster import MINUTE, Millis
from evenkeel_engine.errors import UserError
from evenkeel_engine.kit.codec import abbreviate

LARGEST: Final = 1e12
"""No number of a scenario needs to be larger; all that is computed of such ones is finite."""
UNREADABLE: Final = frozenset({"Cc", "Cs", "Zl", "Zp"})
"""Characters that no text has: control characters, halves of characters, other line ends."""


class BadScenarioFile(UserError):
    """A file that is no scenario: the file, the place in it, and one sentence."""

    def __init__(self, file: str, place: str, reason: str) -> None:
        where = f"{file}: {place}" if place else file
        super().__init__(f"{where}: {reason}")


class Reader:
    """One table of a file. Call `finish` at the end: no key may be left over."""

    def __init__(self, file: str, place: str, data: Any) -> None:
        self.file, self.place = file, place
        if not isinstance(data, dict):
            raise BadScenarioFile(file, place, f"must be a table, not {abbreviate(data)}")
        self._data: dict[str, Any] = data
        self._asked: set[str] = set()

    def at(self, key: str) -> str:
        """The place of a key."""
        return f"{self.place}.{key}" if self.place else key

    def bad(self, key: str, reason: str) -> BadScenarioFile:
        """The error about a key."""
        return BadScenarioFile(self.file, self.at(key), reason)

    def raw(self, key: str, default: Any = None) -> Any:
        """Whatever stands there."""
        self._asked.add(key)
        return self._data.get(key, default)

    def has(self, key: str) -> bool:
        """Whether the key is there."""
        return key in self._data

    def text(self, key: str, default: str | None = None) -> str:
        """A text; required without a default."""
        value = self._require(key, default)
        if not isinstance(value, str) or not value:
            raise self.bad(key, f"must be a text, not {abbreviate(value)}")
        if not is_readable(value):
            raise self.bad(
                key, f"must be a line without control characters, not {abbreviate(value)}"
            )
        return value

    def number(
        self, key: str, default: float | None = None, *, least: float = 0.0, most: float = LARGEST
    ) -> float:
        """A number from `least` to `most`; required without a default."""
        value = self._require(key, default)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.bad(key, f"must be a number, not {abbreviate(value)}")
        if not value >= least:  # so that nan is none, too
            raise self.bad(key, f"must be {least:g} or more, not {abbreviate(value)}")
        if value > most:
            raise self.bad(key, f"must be {most:g} at most, not {abbreviate(value)}")
        return float(value)

    def minutes(self, key: str, default: float | None = None, *, most: float = 1e9) -> Millis:
        """A time in minutes, as milliseconds; required without a default."""
        return round(self.number(key, default, most=most) * MINUTE)

    def whole(
        self, key: str, default: int | None = None, *, least: int = 0, most: int = 2**31 - 1
    ) -> int:
        """A whole number from `least` to `most`; required without a default."""
        value = self._require(key, default)
        if isinstance(value, bool) or not isinstance(value, int):
            raise self.bad(key, f"must be a whole number, not {abbreviate(value)}")
        if value < least:
            raise self.bad(key, f"must be {least} or more, not {abbreviate(value)}")
        if value > most:
            raise self.bad(key, f"must be {most} at most, not {abbreviate(value)}")
        return value

    def flag(self, key: str, default: bool) -> bool:
        """True or false."""
        value = self.raw(key, default)
        if not isinstance(value, bool):
            raise self.bad(key, f"must be true or false, not {abbreviate(value)}")
        return value

    def texts(self, key: str) -> list[str]:
        """A list of texts, empty by default."""
        value = self.raw(key, [])
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise self.bad(key, f"must be a list of texts, not {abbreviate(value)}")
        return list(value)

    def table(self, key: str) -> Reader:
        """A table, empty by default."""
        return Reader(self.file, self.at(key), self.raw(key, {}))

    def tables(self, key: str) -> Iterator[Reader]:
        """A list of tables, empty by default."""
        value = self.raw(key, [])
        if not isinstance(value, list):
            raise self.bad(key, f"must be a list of tables, not {abbreviate(value)}")
        for index, item in enumerate(value):
            yield Reader(self.file, f"{self.at(key)}[{index}]", item)

    def keys(self) -> list[str]:
        """All keys."""
        return list(self._data)

    def finish(self) -> None:
        """Raise for a key that was not read."""
        for key in self._data:
            if key not in self._asked:
                known = ", ".join(sorted(self._asked))
                raise self.bad(key, f"is not known here; there are {known}")

    def _require(self, key: str, default: Any) -> Any:
        if (value := self.raw(key, default)) is None:
            raise self.bad(key, "is missing")
        return value


def is_readable(text: str) -> bool:
    """Whether a text is one line that can be shown, stored and rendered as it is."""
    return all(unicodedata.category(character) not in UNREADABLE for character in text)
