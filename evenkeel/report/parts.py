"""Parts of every method: Java texts, and the data of a counterexample."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from evenkeel.errors import UserError
from evenkeel.harness.cases import Case

NAMING: Final = "org.apache.pulsar.common.naming"
IMPL: Final = "org.apache.pulsar.broker.loadbalance.impl"
EXTENSIONS: Final = "org.apache.pulsar.broker.loadbalance.extensions"


class NotSupported(UserError):
    """A counterexample for which there is no method: one sentence."""


@dataclass(frozen=True, slots=True)
class Method:
    """The body of a test method, its package, and its imports."""

    package: str
    imports: tuple[str, ...]
    body: str


def wrapped(text: str, width: int = 110) -> list[str]:
    """A text in lines."""
    lines, line = [], ""
    for word in text.replace("*/", "* /").split():
        if line and len(line) + len(word) >= width:
            lines.append(line)
            line = ""
        line = f"{line} {word}".strip()
    return [*lines, line]


def indented(text: str, by: int) -> str:
    """A text with each line indented by a number of blanks."""
    return "".join(f"{' ' * by}{line}".rstrip() + "\n" for line in text.strip("\n").splitlines())


def string(text: str) -> str:
    """A Java string."""
    escaped = "".join(
        f"\\u{ord(c):04x}" if not " " <= c <= "~" else f"\\{c}" if c in '"\\' else c for c in text
    )
    return f'"{escaped}"'


def long(value: int) -> str:
    """A Java long; hashes in hexadecimal."""
    return f"0x{value:08x}L" if value > 65535 else f"{value}L"


def listed(items: Iterable[str]) -> str:
    """A Java list of these expressions."""
    return f"List.of({', '.join(items)})"


def expected_answer(one: Case) -> dict[str, Any] | None:
    """What must be answered; None where the input must be refused."""
    return dict(one.expected["answer"]) if "answer" in one.expected else None
