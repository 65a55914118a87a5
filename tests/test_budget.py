"""The house does not grow: no room has more lines, the store no more bytes, than budget.toml."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[1]
BUDGET: Final = tomllib.loads((ROOT / "budget.toml").read_text("utf-8"))
ROOMS: Final[dict[str, int]] = BUDGET["lines"]


def count_lines(folder: Path) -> int:
    """The lines of Python in a file, or below a folder."""
    paths = [folder] if folder.is_file() else folder.rglob("*.py")
    return sum(path.read_text("utf-8").count("\n") for path in paths)


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_has_no_more_lines_than_its_budget(room: str) -> None:
    assert count_lines(ROOT / room) <= ROOMS[room], f"raise {room} in budget.toml, and say for whom"


def test_every_room_has_a_budget() -> None:
    rooms = {path.parent for path in ROOT.glob("*/**/*.py") if not path.parts[-2].startswith(".")}
    tops = {path.relative_to(ROOT).parts[0] for path in rooms} - {"build", "dist"}
    assert {top for top in tops if not top.startswith(".")} <= {one.split("/")[0] for one in ROOMS}


def test_the_whole_is_within_its_budget() -> None:
    assert sum(ROOMS.values()) <= BUDGET["whole"]


def test_the_stored_cases_are_within_their_budget() -> None:
    for folder, most in BUDGET["bytes"].items():
        size = sum(path.stat().st_size for path in (ROOT / folder).rglob("*") if path.is_file())
        assert size <= most, f"raise {folder} in budget.toml, and say for whom"
