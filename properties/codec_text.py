"""Plain data as JSON text at once, for trials that are sent by the million.

The text is that of `to_json`, without spaces and in ASCII. An object that occurs in several
places of a value (a broker's report that stays the same round after round) is written once.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from json.encoder import encode_basestring_ascii
from math import isfinite
from typing import Any, Final

from evenkeel.properties.codec import members_of

Known = dict[int, str]
"""The texts of the objects that were written already, by their identity."""
Writer = Callable[[Any, Known], str]


def to_text(value: object) -> str:
    """The JSON form of a value as text. Raises ValueError for a number that JSON does not have."""
    return _WRITERS[type(value)](value, {})


def _writer(kind: type) -> Writer:
    """The writer of values of one type."""
    if kind in _SCALARS:
        write = _SCALARS[kind]
        return lambda value, known: write(value)
    if issubclass(kind, Enum):
        return lambda value, known: _WRITERS[type(value.value)](value.value, known)
    if issubclass(kind, tuple):
        return _write_array
    return _object_writer(kind)


def _write_float(value: float) -> str:
    if not isfinite(value):
        raise ValueError(f"JSON has no number {value}")
    return repr(value)


_SCALARS: Final[dict[type, Callable[[Any], str]]] = {
    type(None): lambda value: "null",
    bool: lambda value: "true" if value else "false",
    int: repr,
    float: _write_float,
    str: encode_basestring_ascii,
}


def _write_array(value: tuple[Any, ...], known: Known) -> str:
    return f"[{','.join([_WRITERS[type(item)](item, known) for item in value])}]"


def _object_writer(kind: type) -> Writer:
    """Fills the values of the fields into a text that has their names already."""
    tag, names = members_of(kind)
    places = [f'"do":{encode_basestring_ascii(tag)}'] if tag is not None else []
    places += [f"{encode_basestring_ascii(name)}:%s" for _, name in names]
    template = "{" + ",".join(places) + "}"
    attributes = tuple(attribute for attribute, _ in names)

    def write(value: Any, known: Known) -> str:
        text = known.get(id(value))
        if text is None:
            texts = []
            for attribute in attributes:
                item = getattr(value, attribute)
                texts.append(_WRITERS[type(item)](item, known))
            text = known[id(value)] = template % tuple(texts)
        return text

    return write


class _Writers(dict[type, Writer]):
    """The writers of all types met so far, each made once."""

    def __missing__(self, kind: type) -> Writer:
        writer = self[kind] = _writer(kind)
        return writer


_WRITERS: Final = _Writers()
