"""No text suggests installing this project from the public index, where the name is taken."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXTRA = re.compile(r"(?<![./\w-])evenkeel\[")
"""The bare name with an extra; `./evenkeel[spark]` is a folder."""
INSTALL = re.compile(
    r"\b(?:pip|pipx|uv|uvx|poetry)[\w .-]*? (?:install|wheel|download|add|run)\b[^\n#;&|`]*?"
    r"[ '\"]evenkeel(?![\w./*-])"
)


def test_no_file_names_the_bare_name() -> None:
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode:
        pytest.skip("no git checkout")
    found = []
    for name in filter(None, listed.stdout.split("\0")):
        path = ROOT / name
        if path == Path(__file__) or not path.is_file() or path.is_symlink():
            continue
        data = path.read_bytes()
        if b"\0" in data or b"evenkeel" not in data:
            continue
        text = data.decode("utf-8", "replace")
        found += [f"{name}: {bad}" for bad in (*EXTRA.findall(text), *INSTALL.findall(text))]
    assert found == []
