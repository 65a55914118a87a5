"""What the documents for contributors name is there."""

import re
from pathlib import Path

import pytest

from evenkeel.cli.main import COMMANDS, made

ROOT = Path(__file__).parents[2]
DOCUMENTS = [
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "docs/architecture.md",
    "docs/live.md",
    "docs/live-runs.md",
]
COMMAND = re.compile(r"(?:^ {4}|`)(?:\.venv/bin/)?evenkeel ([a-z-]+)", re.MULTILINE)
PLACE = re.compile(r"`((?:[\w.-]+/)+[\w.-]*)`")
MADE = ("campaigns/", "evenkeel-failures/", "adapters/apache-pulsar/target/")
"""Where commands write."""
LINK = re.compile(r"\]\(([^)#:]+)\)")


@pytest.mark.parametrize("name", DOCUMENTS)
def test_documents_name_what_there_is(name: str) -> None:
    text = (ROOT / name).read_text("utf-8")
    assert {*COMMAND.findall(text)} <= {*COMMANDS}
    for place in PLACE.findall(text):
        assert (ROOT / place).exists() or place.startswith(MADE), place
    for link in LINK.findall(text):
        assert ((ROOT / name).parent / link).exists(), link


def test_the_makefile_has_the_targets_that_documents_name() -> None:
    made = (ROOT / "Makefile").read_text("utf-8")
    for name in DOCUMENTS:
        for target in re.findall(r"`make ([a-z]+)", (ROOT / name).read_text("utf-8")):
            assert f"\n{target}:" in made, target


def test_the_workflow_s_check_has_options_that_there_are_and_one_amount() -> None:
    text = (ROOT / "docs/ci/evenkeel.yml").read_text("utf-8")
    command = text.partition("evenkeel check --subject ./my-adapter --profile ci --allow")[2]
    used = set(
        re.findall(r"--[a-z-]+", text.partition("      - run: >\n")[2].partition("- if:")[0])
    )
    known = {name for one in made("check").params for name in one.opts}
    assert command
    assert used <= known
    assert not {"--profile", "--for"} <= used
    upload = text.partition("upload-sarif")[0].rpartition("- if:")[2]
    assert "hashFiles('evenkeel.sarif')" in upload  # no report, no upload
