"""docs/conformance.md is what its data say, and Apache Pulsar still does what they say."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from subprocess import DEVNULL

import jsonschema
import pytest

from evenkeel.reference.edition import EDITIONS
from evenkeel.releases.adapter import ADAPTER
from evenkeel.report.conformance import DOCS, main, newest_first, short_page, stored
from evenkeel_engine.check.compare import shown_on
from evenkeel_engine.cli import compare_command
from evenkeel_engine.kit.catalogue import QUESTIONS
from evenkeel_engine.kit.codec import from_json
from evenkeel_engine.kit.defaults import complete_data
from evenkeel_engine.subjects.process import ProcessSubject
from tests.command_line import run

DATA = stored()
NAMES = [one["name"] for one in DATA["subjects"]]


def test_the_page_is_current() -> None:
    shown = (DOCS / "conformance.md").read_text("utf-8")
    assert shown == short_page(newest_first(DATA)), "python -m evenkeel.report.conformance"


def test_the_page_of_a_file_names_what_each_violates(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = ("--subject", "reference:PULSAR_4_0_6", "--subject", "reference:PULSAR_4_0")
    done = run("compare", *lines, "--question", "load.top_bundles", "--format", "json")
    (tmp_path / "found.json").write_text(done.stdout)
    main([str(tmp_path / "found.json")])
    page = capsys.readouterr().out
    assert "| [LOA-54](#loa-54) | The heaviest are listed | ~ | ✓ |" in page
    assert '{"question": "load.top_bundles", "edition": "DOCUMENTED", "trial": ' in page


def test_the_data_have_their_schema() -> None:
    schema = Path(compare_command.__file__).with_name("compare.schema.json")
    jsonschema.validate(DATA, json.loads(schema.read_text("utf-8")))


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_line_shows_what_the_table_says(name: str) -> None:
    version = name.partition(" ")[2]
    if not (ADAPTER / "target" / version).is_dir():
        pytest.skip(f"the adapter is not built for {version}")
    command = [str(ADAPTER / "run"), "--pulsar", version]
    started = subprocess.run(command, stdin=DEVNULL, capture_output=True, text=True, check=False)
    if "needs Java" in started.stderr:
        pytest.skip(started.stderr)
    edition = EDITIONS[DATA["edition"]]
    subject = ProcessSubject(command)
    try:
        wrong = []
        for one in (one for one in DATA["findings"] if not one["random"]):
            question = QUESTIONS[one["question"]]
            trial = from_json(question.trial_type, complete_data(question.trial_type, one["trial"]))
            shows = bool(shown_on(subject, question, trial, one["signature"], edition))
            if shows != (name in one["shown_by"]):
                wrong.append(one["signature"])
        assert not wrong
    finally:
        subject.close()
