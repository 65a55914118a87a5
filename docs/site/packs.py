"""What pages load on demand: files in a script, so that a page opened from a folder can have them.

A page opened from a folder may run scripts next to it, and nothing else: no fetch, no
module, no worker. So everything is packed (gzip, base64) into one script.
"""

from __future__ import annotations

import base64
import gzip
import io
import json
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from docs.site import npm

HERE: Final = Path(__file__).parent
ROOT: Final = HERE.parent.parent
FOLDERS: Final = {
    "evenkeel/properties": "properties",
    "evenkeel/reference": "reference",
    "evenkeel/spec": "spec",
    "evenkeel_engine/frame": "evenkeel_engine/frame",
    "evenkeel_engine/kit": "evenkeel_engine/kit",
}
"""What is packed whole: the folder in the archive, and in the repository."""
OPERATE: Final = (
    "__init__",
    "plan/__init__",
    "plan/nearby",
    "plan/planning",
    "plan/segments",
    "simulate/__init__",
    "simulate/rate_table",
    "simulate/reading",
    "simulate/scenario_bundles",
    "simulate/scenario_events",
    "simulate/scenario_file",
    "simulate/scenario_names",
    "simulate/scenario_spread",
)
FILES: Final = (
    "evenkeel/__init__.py",
    "evenkeel/specification.py",
    *(
        f"evenkeel_engine/{name}.py"
        for name in (
            "__init__",
            "content",
            "errors",
            "files",
            "spec",
            "text",
            "subjects/__init__",
            "subjects/base",
            "subjects/wire",
            "version",
        )
    ),
)
"""Of the rest, what pages call; a page's test finds what is missing."""
OF_PYODIDE: Final = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
LONG_AGO: Final = (2000, 1, 1, 0, 0, 0)
"""The same files make the same archive."""


def write_runtime(script: Path, archives: Path) -> None:
    """The script with Python, the specification, and the worker that runs both."""
    files = {name: npm.file_of("pyodide", name, archives) for name in OF_PYODIDE}
    lock = json.loads(npm.file_of("pyodide", "pyodide-lock.json", archives))
    files["pyodide-lock.json"] = json.dumps({**lock, "packages": {}}).encode()
    files["worker.js"] = (HERE / "static" / "worker.js").read_bytes()
    files["evenkeel.zip"] = python()
    script.parent.mkdir(parents=True, exist_ok=True)
    script.write_text(f"evenkeel.unpack({json.dumps(pack_files(files))});\n", "utf-8")


def pack_files(files: Mapping[str, bytes]) -> dict[str, str]:
    """Each file compressed, as text."""
    return {
        name: base64.b64encode(gzip.compress(data, 9, mtime=0)).decode()
        for name, data in files.items()
    }


def python() -> bytes:
    """The modules that run in the browser, as an archive."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, path in sorted(modules()):
            archive.writestr(zipfile.ZipInfo(name, LONG_AGO), path.read_bytes())
    return buffer.getvalue()


def modules() -> Iterator[tuple[str, Path]]:
    """Name in the archive, and file."""
    for name in FILES:
        yield name, ROOT / name
    for name in OPERATE:
        yield f"evenkeel/operate/{name}.py", ROOT / "operate" / f"{name}.py"
    for place, folder in FOLDERS.items():
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in (".py", ".md", ".toml") and is_packed(path):
                yield f"{place}/{path.relative_to(ROOT / folder)}", path
    for path in (HERE / "browser").glob("*.py"):
        yield f"browser/{path.name}", path


def is_packed(path: Path) -> bool:
    """Hypothesis is not there; of the texts only chapters hold clauses, of the tables editions."""
    needs_hypothesis = path.parent.name == "kit" and path.stem in ("strategies", "machine")
    is_other_table = path.suffix == ".toml" and path.parent.name != "editions"
    return path.name != "wire.md" and not (needs_hypothesis or is_other_table)
