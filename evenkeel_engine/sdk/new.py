"""Write an adapter's folder."""

from __future__ import annotations

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
    """How an adapter is built and started from its folder, and what that needs."""

    build: tuple[str, ...]
    run: tuple[str, ...]
    needs: tuple[str, ...]
    fill: str


LANGUAGES: Final = {
    "go": Language(("go build -o adapter .",), ("./adapter",), ("go",), "main.go"),
    "rust": Language(
        ("cargo build --release --quiet --offline",),
        ("./target/release/adapter",),
        ("cargo",),
        "src/main.rs",
    ),
    "java": Language(
        ("sh build.sh",), ("java", "-cp", "build", "Adapter"), ("javac", "java"), "Adapter.java"
    ),
    "typescript": Language(
        ("npm install --silent", "npm run --silent build"),
        ("node", "build/adapter.js"),
        ("node", "npm"),
        "questions.ts",
    ),
    "python": Language((), ("python3", "adapter.py"), (), "questions.py"),
}


class CannotWrite(UserError):
    """The folder cannot be written: one sentence."""


def write_adapter(language: str, folder: Path) -> list[Path]:
    """Write an adapter in a language to a new or empty folder. Raises `CannotWrite`."""
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise CannotWrite(f"{folder} exists, and is no empty folder: choose another.")
        made = {**make_contents(language), "README.md": render_readme(language, folder)}
        made |= copy_specification()
        made |= {f"schemas/{name}": text for name, text in schema.make_texts().items()}
        for name, text in made.items():
            write_file(folder / name, text, folders=True)
    except OSError as error:
        raise CannotWrite(f"{folder}: cannot be written ({error.strerror}).") from error
    return [folder / name for name in made]


def make_contents(language: str) -> dict[str, str]:
    """The files of a language by name, with the parts generated from the schemas."""
    printed = PRINTED[language](read_shapes()) | names_of_first()
    made = dict(find_templates("", files("evenkeel_engine.sdk") / "templates" / language))
    if content.TEMPLATES:
        made.update(find_templates("", files(content.TEMPLATES) / language))
    made.update({name: text for name, text in printed.items() if "." in name})
    for name, text in printed.items():
        made = {path: template.replace(f"@{name}@", text) for path, template in made.items()}
    return made


def names_of_first() -> dict[str, str]:
    """The names of the question with which a template begins."""
    first = next(iter(QUESTIONS))
    [shape] = [one for one in read_shapes().questions if one.name == first]
    names = {"PASCAL": shape.pascal, "CAMEL": shape.camel, "SNAKE": shape.snake}
    return {"QUESTION": first, **names}


def copy_specification() -> dict[str, str]:
    """The specification's pages, with working links."""
    return {
        f"spec/{name}": text
        for name, text in find_templates("", files(content.chapters))
        if name.endswith(".md")
    }


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
    first, *rest = LANGUAGES[language].run
    where = folder.as_posix()
    inside = [
        word if word.startswith("-") or "/" not in word else f"{where}/{word}" for word in rest
    ]
    if language == "java":
        inside = ["-cp", f"{where}/build", "Adapter"]
    if language == "python":
        inside = [f"{where}/adapter.py"]
    program = f"{where}/{first.removeprefix('./')}" if first.startswith("./") else first
    return " ".join([program, *inside])


def render_readme(language: str, folder: Path) -> str:
    """What the folder's README says."""
    of = LANGUAGES[language]
    build = "".join(f"    {line}\n" for line in of.build)
    steps = f"Build it here:\n\n{build}\n" if build else ""
    run = format_command(language, folder)
    return (
        "# An adapter for evenkeel\n\n"
        f"`{of.fill}` has one function per question; the one that is there is an example. "
        "Call your balancer in them, do not rewrite it. The meaning of each question, and "
        "of each field, is in `spec/wire/CHAPTER.md` (`spec/wire.md` lists them); what is "
        "right in `spec/CHAPTER.md`; `schemas/` has the JSON Schemas. A question without a "
        "function is not asked. Nothing but the protocol may reach standard output.\n\n"
        f"{steps}From the folder in which `{PROGRAM} adapter new` was called:\n\n"
        f"    {PROGRAM} adapter smoke '{run}'\n"
        f"    {PROGRAM} check --subject '{run}'\n"
    )
