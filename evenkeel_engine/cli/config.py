"""`evenkeel.toml`, or `[tool.evenkeel]` of pyproject.toml: options that need not be typed.

Keys at the top are given to every command that has such an option, those of a table to the
command of that name (`[check]`, `[operate.simulate]`). What is typed wins.
"""

from __future__ import annotations

import os
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

from evenkeel_engine.cli.commands import find_command
from evenkeel_engine.errors import UserError
from evenkeel_engine.files import Unreadable, parse_toml, read_text

NAMES: Final = ("evenkeel.toml", "pyproject.toml")
SHARED: Final = ("subject", "edition", "seed", "profile", "hello-timeout", "trial-timeout")
TABLES: Final = ("check", "campaign", "replay", "score", "prove", "operate.simulate")
"""Commands whose options may be in the file; `[operate.simulate]` is a table in a table."""
SIMPLE: Final = ("boolean", "int", "int range", "float", "float range")


def find_config(folder: Path) -> tuple[str, dict[str, Any]]:
    """The file's name and its content; an empty name if there is none. Raises `UserError`."""
    for name in NAMES:
        if not os.path.lexists(folder / name):
            continue
        try:
            text = read_text(folder / name)
        except Unreadable as why:
            raise UserError(f"{name}: {why}.") from why
        try:
            content = parse_toml(text)
        except ValueError as error:
            if name == "pyproject.toml" and "evenkeel" not in text:
                continue
            raise UserError(f"{name}: is no TOML ({error}).") from error
        if name == "evenkeel.toml":
            return name, content
        tools = content.get("tool")
        if isinstance(tools, dict) and "evenkeel" in tools:
            if not isinstance(tools["evenkeel"], dict):
                raise UserError(f"{name}: tool.evenkeel: must be a table.")
            return f"{name}, [tool.evenkeel]", tools["evenkeel"]
    return "", {}


def default_map(words: list[str], folder: Path) -> dict[str, Any]:
    """The options that the file gives to the command that is called, as Click takes them."""
    called = [word for word in words if not word.startswith("-")]
    for name in TABLES:
        parts = name.split(".")
        if called[: len(parts)] == parts:
            given = read_defaults(name, folder)
            for part in reversed(parts):
                given = {part: given}
            return given
    return {}


def read_defaults(name: str, folder: Path) -> dict[str, Any]:
    """The options that the file gives to a command, by parameter. Raises `UserError`."""
    place, content = find_config(folder)
    tables = tables_in(place, content)
    given = {key: value for key, value in content.items() if not isinstance(value, dict)}
    for key in given:
        if key not in SHARED:
            raise UserError(
                f"{place}: {key} is no option for all commands{suggest_key(key, SHARED)}"
            )
    by_option = list_options(find_command(*name.split(".")))
    found_options = {
        by_option[key].name: check_value(f"{place}: {key}", by_option[key], value)
        for key, value in given.items()
        if key in by_option
    }
    for key, value in tables.get(name, {}).items():
        if key not in by_option:
            raise UserError(f"{place}: [{name}] {key}: is no option{suggest_key(key, by_option)}")
        option = by_option[key]
        found_options[option.name] = check_value(f"{place}: [{name}] {key}", option, value)
    return found_options


def tables_in(place: str, content: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The tables of the file by the commands they are for. Raises `UserError` for any other."""
    tables = {key: value for key, value in content.items() if isinstance(value, dict)}
    tables |= {f"operate.{key}": value for key, value in tables.pop("operate", {}).items()}
    for name, table in tables.items():
        if name not in TABLES or not isinstance(table, dict):
            raise UserError(f"{place}: [{name}] is no command{suggest_key(name, TABLES)}")
    return tables


def suggest_key(key: str, known: Any) -> str:
    """The closest name, or all of them."""
    close = get_close_matches(key, list(known), 1)
    return f"; did you mean {close[0]}?" if close else f"; there are {', '.join(sorted(known))}."


def check_value(place: str, option: Any, value: Any) -> Any:
    """A value of the option's sort. Raises `UserError`."""
    if option.multiple and not isinstance(value, list):
        raise UserError(f"{place}: must be a list.")
    if option.is_flag is not isinstance(value, bool):
        raise UserError(f"{place}: must {'' if option.is_flag else 'not '}be true or false.")
    if not option.multiple and isinstance(value, list | dict):
        raise UserError(f"{place}: must be one value.")
    values = value if option.multiple or option.type.name in SIMPLE else [value]
    if isinstance(values, list) and not all(isinstance(one, str) for one in values):
        raise UserError(f"{place}: must be {'texts' if option.multiple else 'a text'}.")
    return value


def list_options(command: Any) -> dict[str, Any]:
    """The options of a command by their long names, without the dashes."""
    return {
        text.removeprefix("--"): parameter
        for parameter in getattr(command, "params", ())
        if parameter.param_type_name == "option"
        for text in parameter.opts
        if text.startswith("--") and text != "--help"
    }
