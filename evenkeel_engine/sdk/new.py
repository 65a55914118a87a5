"""Write an adapter's folder."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

from evenkeel_engine import content
from evenkeel_engine.content import PROGRAM
from evenkeel_engine.errors import UserError
from evenkeel_engine.files import write_file
from evenkeel_engine.kit.catalogue import QUESTIONS
from evenkeel_engine.sdk.printed import PRINTED
from evenkeel_engine.sdk.shapes import read_shapes
from evenkeel_engine.subjects import schema


@dataclass(frozen=True, slots=True)
class Language:
    """How an adapter is built and started, and what that needs (`templates/languages.toml`)."""

    build: list[str]
    run: str
    needs: list[str]
    fill: str


HOME: Final = files("evenkeel_engine.sdk") / "templates"
_TABLES: Final = tomllib.loads(HOME.joinpath("languages.toml").read_text("utf-8"))
LANGUAGES: Final = {name: Language(**table) for name, table in _TABLES.items()}


def write_adapter(language: str, folder: Path) -> list[Path]:
    """Write an adapter in a language to a new or empty folder. Raises `UserError`."""
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise UserError(f"{folder} exists, and is no empty folder: choose another.")
        made = {**make_contents(language), "README.md": render_readme(language, folder)}
        pages = find_templates("", files(content.chapters))
        made |= {f"spec/{name}": text for name, text in pages if name.endswith(".md")}
        made |= {f"schemas/{name}": text for name, text in schema.make_texts().items()}
        for name, text in made.items():
            write_file(folder / name, text, folders=True)
    except OSError as error:
        raise UserError(f"{folder}: cannot be written ({error.strerror}).") from error
    return [folder / name for name in made]


def make_contents(language: str) -> dict[str, str]:
    """The files of a language by name, with the parts generated from the schemas."""
    first = next(iter(QUESTIONS))
    [shape] = [one for one in read_shapes().questions if one.name == first]
    printed = PRINTED[language](read_shapes())
    # The names of the question with which a template begins.
    printed |= {"QUESTION": first, "PASCAL": shape.pascal}
    printed |= {"CAMEL": shape.camel, "SNAKE": shape.snake}
    made = dict(find_templates("", HOME / language))
    if content.TEMPLATES:
        made.update(find_templates("", files(content.TEMPLATES) / language))
    made.update({name: text for name, text in printed.items() if "." in name})
    return {path: fill_in(template, printed) for path, template in made.items()}


def fill_in(template: str, values: Mapping[str, str]) -> str:
    """A template with a text for each `@NAME@`."""
    for name, text in values.items():
        template = template.replace(f"@{name}@", text)
    return template


def find_templates(before: str, folder: Traversable) -> list[tuple[str, str]]:
    """The templates in a folder."""
    inside: list[tuple[str, str]] = []
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            if entry.name != "__pycache__":
                inside += find_templates(f"{before}{entry.name}/", entry)
        else:
            inside.append((f"{before}{entry.name}", entry.read_text("utf-8")))
    return inside


def format_command(language: str, folder: Path) -> str:
    """The argument of --subject."""
    return LANGUAGES[language].run.format(folder=folder.as_posix())


def render_readme(language: str, folder: Path) -> str:
    """What the folder's README says."""
    of = LANGUAGES[language]
    build = "".join(f"    {line}\n" for line in of.build)
    values = {
        "FILL": of.fill,
        "PROGRAM": PROGRAM,
        "BUILD": f"Build it here:\n\n{build}\n" if build else "",
        "RUN": format_command(language, folder),
    }
    return fill_in(HOME.joinpath("README.md").read_text("utf-8"), values)
