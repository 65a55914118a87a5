"""A file of settings as a broker reads it: by `java.util.Properties`.

Source: `PulsarConfigurationLoader.create`, which gives the bytes to `Properties.load`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from evenkeel.reference.java_text import LONGS, parse, trim
from evenkeel_engine.files import Unreadable, parse_json, read_bytes

MARKS: Final = (b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf")
"""Which UTF-16, UTF-32 and UTF-8 may begin with: for Java a part of the first setting's name."""
NO_TEXT: Final = re.compile(rb"[\x00-\x08\x0b\x0e-\x1f\x7f]")
SETTING: Final = re.compile(r"[a-z][a-z0-9]*[A-Z][\w.-]*")
"""How Pulsar names its settings. Java finds names in any text: the first word of each line."""
LINE: Final = re.compile(r"[ \t\f]*((?:[^\\ \t\f=:]|\\.)*)[ \t\f]*([=:]?)[ \t\f]*(.*)", re.DOTALL)
"""A logical line: its key, what parts them, and its value."""
DOUBLE: Final = re.compile(r"([+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?)[fFdD]?")
ESCAPED: Final = re.compile(r"\\(?:u(.{0,4})|(.?))", re.DOTALL)
MEANT: Final = {"t": "\t", "n": "\n", "r": "\r", "f": "\f"}
COMPOSE: Final = re.compile(r"^services:[ \t\r]*\n((?:[ \t#].*\n|\r?\n)*)", re.MULTILINE)
"""The services of a file of docker-compose."""
HELM: Final = re.compile(
    r"^( *)broker:[ \t\r]*\n(?>\1 .*\n|[ \t]*#.*\n|[ \t\r]*\n)*?(\1 +)configData:[ \t\r]*\n"
    r"((?:\2[ \t]+.*\n|[ \t\r]*\n)*)",
    re.MULTILINE,
)
"""What Helm's values give brokers to read, also those of a chart that has Pulsar's in it."""
YAML: Final = re.compile(r"^(apiVersion|kind|services|spec): *", re.MULTILINE)
"""What a file of containers begins with, besides Helm's values."""
IN_YAML: Final = (
    (r"^([ \t]*- .*|[ \t]*[\w.-]+:[ \t]+(?:\"[^\"]*\"|'[^']*'|[^\"'\s#|>].*?))[ \t]+#.*$", r"\1"),
    (r"^([ \t]*)(?:- )?name:[ \t]*(\S+)[ \t\r]*\n[ \t]+value:", r"\1\2:"),
    (r"^([ \t]*[\w.-]+:)[ \t]*(?:[>|]-?)?[ \t\r]*\n[ \t]+([^\s:#=-][^\s:#=]*)\s*?$", r"\1 \2"),
)
"""What YAML has and Java's properties do not: remarks after values, variables by name and value,
and values in the line below. Each with what it is in one line.
"""
BROKER: Final = re.compile(r"conf/(broker|standalone)\.conf|bin/pulsar (broker|standalone)\b")
"""What the command of a container says that runs a broker."""
PREFIX: Final = "PULSAR_PREFIX_"
"""What containers take off the names of variables that they write into their broker.conf."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting. `written`: its name as the file has it, which may be that of a variable."""

    key: str
    value: str
    written: str
    running: bool = False  # a broker says so, whether it was set or not

    @property
    def is_dressed(self) -> bool:
        """Whether a broker would read another name."""
        return self.key != self.written


def read(path: Path) -> dict[str, str]:
    """The settings in a file by name, as `read_pairs` has them. Raises `Unreadable`."""
    return {one.key: one.value for one in read_pairs(path)[0]}


def read_pairs(path: Path) -> tuple[list[Setting], list[str]]:
    """The settings in a file, none in an empty one; the services that are left out, since they run
    no broker. Raises `Unreadable`.

    A file of variables for a container is read as what the container makes of it.

    Pulsar's `FieldParser` takes the blanks around a value off, and so does this.
    """
    content = read_bytes(path)
    if content.startswith(MARKS):
        raise Unreadable("begins with a byte order mark, so a broker does not read it as meant")
    if found := NO_TEXT.search(content):
        raise Unreadable(f"is no text of settings (byte {found.start()} is {found[0][0]:#04x})")
    if content.lstrip()[:1] == b"{":
        return list(read_running(content.decode("utf-8", "replace"))), []
    text, left_out = pick_brokers(content.decode("latin-1"))  # as Java does
    settings = [undress(*parts) for parts in split_lines(text)]
    named = any(SETTING.fullmatch(one.key) for one in settings)
    if text and (text.lstrip()[:1] in tuple("<[") or not named):
        raise Unreadable("has no setting in it: a line must be name=value, as in broker.conf")
    return settings, left_out


def pick_brokers(text: str) -> tuple[str, list[str]]:
    """A file of docker-compose with blank lines for the services that run no broker, and their
    names. Of Helm's values what is for brokers. Another file, or one in which no command names a
    broker, is as it was.
    """
    if values := HELM.search(f"{text}\n"):
        return flatten(values[3]), []
    text = flatten(text) if YAML.search(text) else text
    whole = f"{text}\n"
    body = COMPOSE.search(whole)
    first = body and re.search(r"^( +)[\w.-]+:", body[1], re.MULTILINE)
    if not body or not first:
        return text, []
    block = rf"^{first[1]}([\w.-]+):.*\n(?:(?:{first[1]}[ \t#].*|[ \t\r]*)\n)*"
    services = list(re.finditer(block, body[1], re.MULTILINE))
    others = [one for one in services if not BROKER.search(one[0])]
    if len(others) == len(services):
        return text, []
    for one in others:
        whole = whole.replace(one[0], "\n" * one[0].count("\n"), 1)
    return whole, [one[1] for one in others]


def flatten(text: str) -> str:
    """YAML with each setting in a line of its own, and nothing after its value."""
    for pattern, line in IN_YAML:
        text = re.sub(pattern, line, text, flags=re.MULTILINE)
    return text


def read_running(text: str) -> Iterator[Setting]:
    """The settings that `pulsar-admin brokers get-runtime-config` prints. Raises `Unreadable`."""
    data = parse_json(text)
    if not any(SETTING.fullmatch(name) and isinstance(data[name], str) for name in data):
        raise Unreadable("has no setting in it, as `brokers get-runtime-config` prints them")
    for name, value in data.items():
        plain = "" if value in (None, "null", "Optional.empty") else str(value)
        yield Setting(name, plain.removeprefix("[").removesuffix("]"), name, running=True)


def undress(name: str, mark: str, value: str) -> Setting:
    """The setting of a line, without what a variable has besides: `export`, prefix, quotation
    marks, and in YAML the dash of a list or the quotation marks after a colon.
    """
    key, written = name, name
    if name in ("export", "-") and "=" in value:
        key, _, value = (strip_quotes(value) if name == "-" else value).partition("=")
        written = f"{name} {key}"
    elif mark == ":" and strip_quotes(value) != value:
        written = f"{name}:"
    key = key.removeprefix(PREFIX)
    return Setting(key, strip_quotes(value) if key != written else value, written)


def strip_quotes(value: str) -> str:
    """A value without the quotation marks around it."""
    return value[1:-1] if len(value) > 1 and value[0] == value[-1] in "'\"" else value


def split_lines(text: str) -> Iterator[tuple[str, str, str]]:
    """Names, what parts them from values, and values, in order. Raises `Unreadable`."""
    for number, line in logical_lines(text):
        found = LINE.fullmatch(line)
        assert found is not None, line  # every text matches
        try:
            yield unescape(found[1]), found[2], trim(unescape(found[3]))
        except ValueError as error:
            raise Unreadable(f"line {number}: \\u must have four hexadecimal digits") from error


def logical_lines(text: str) -> Iterator[tuple[int, str]]:
    """Each with the number of its first line: one that ends with a backslash continues in the next.

    There are none of blank lines and of comments.
    """
    lines = iter(enumerate(re.split(r"\r\n|\r|\n", text), start=1))
    for number, first in lines:
        line = first.lstrip(" \t\f")
        if not line or line[0] in "#!" or line == "\\":
            continue
        parts = [line]
        while (len(parts[-1]) - len(parts[-1].rstrip("\\"))) % 2 == 1:
            parts[-1] = parts[-1][:-1]
            parts.append(next(lines, (0, ""))[1].lstrip(" \t\f"))
        yield number, "".join(parts)


def unescape(text: str) -> str:
    """What is meant. Raises ValueError for digits that are none."""

    def meant(found: re.Match[str]) -> str:
        if found[1] is None:
            return MEANT.get(found[2], found[2])
        if not re.fullmatch("[0-9a-fA-F]{4}", found[1]):
            raise ValueError(found[1])
        return chr(int(found[1], 16))

    return ESCAPED.sub(meant, text)


def plain_number(kind: type[Any], text: str) -> str:
    """A number as Python has it; nothing for what is none by Java's `Long.valueOf` or
    `Double.valueOf`, which a broker asks, or not finite. Hexadecimal fractions are none here.
    """
    if kind is int:
        number = parse(text, 10, LONGS)
        return "" if number is None else str(number)
    found = DOUBLE.fullmatch(text)
    return found[1] if found and math.isfinite(float(found[1])) else ""
