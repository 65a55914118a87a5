"""The plugin of pytest in a small foreign project."""

import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.engine.misbehaving import script
from tests.processes import start

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
PLUGIN = "evenkeel_engine.pytest_plugin"
OWN_TEST = """
from evenkeel_engine.subjects.functions import Refusal


def bundle_of(trial):
    for lower, upper in zip(trial["boundaries"], trial["boundaries"][1:]):
        closed = upper == 2**32 - 1 and {closed}
        if lower <= trial["hash"] < upper + closed:
            return {{"bundle": {{"lower": lower, "upper": upper, "upper_included": bool(closed)}}}}
    raise Refusal("no bundle holds it")


def test_lookup(evenkeel_check):
    verdicts = evenkeel_check({{"bundles.hash_lookup": bundle_of}}, trials=100{more})
    assert verdicts["BUN-15"] in ("holds", "known")
    print("BUN-17 is", verdicts["BUN-17"])
"""


def alone(folder: Path) -> dict[str, str]:
    """An environment in which pytest has the plugins that are named."""
    cache = {"XDG_CACHE_HOME": str(folder / "cache")}
    return {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", **cache}


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Pytest as in a project where evenkeel is installed, whether it is or not."""
    pytest_words = ("-m", "pytest", "-p", PLUGIN, "-rs", "--color=no", *words)
    return start(sys.executable, *pytest_words, cwd=folder, env=alone(folder))


def project(folder: Path, text: str) -> None:
    (folder / "pyproject.toml").write_text("[tool.pytest.ini_options]\n")
    (folder / "test_own.py").write_text(text)


@pytest.mark.parametrize("folder", [ROOT, ROOT / "evenkeel_engine"])
def test_both_distributions_declare_one_plugin_which_pytest_loads_once(folder: Path) -> None:
    data = tomllib.loads((folder / "pyproject.toml").read_text())
    assert data["project"]["entry-points"]["pytest11"] == {"evenkeel_engine": PLUGIN}


def test_a_test_for_each_clause(tmp_path: Path) -> None:
    project(tmp_path, "def test_own(): pass\n")
    words = ("--evenkeel-subject", "reference:PULSAR_4_0", "--evenkeel-trials", "100")
    asked = ("--evenkeel-question", "bundles.hash_lookup", "--evenkeel-edition", "documented")
    done = run(tmp_path, *words, *asked)
    assert done.returncode == 1, done.stdout
    assert "1 failed, 3 passed" in done.stdout
    assert "≠" in done.stdout
    assert "again: evenkeel replay " in done.stdout
    assert "Traceback" not in done.stdout


def test_two_workers_find_the_same(tmp_path: Path) -> None:
    project(tmp_path, "def test_own(): pass\n")
    words = ("--evenkeel-subject", "reference:PULSAR_4_0", "--evenkeel-trials", "60")
    asked = ("--evenkeel-question", "bundles.hash_lookup", "--evenkeel-question", "bundles.range")
    done = run(tmp_path, *words, *asked, "-p", "xdist", "-n", "2")
    single = run(tmp_path, *words, *asked)

    def outcomes(text: str) -> str:
        last = text.splitlines()[-1].partition(" in ")[0].strip("= ")
        return re.sub(r", \d+ warnings?", "", last)  # xdist has some of its own

    assert outcomes(done.stdout) == outcomes(single.stdout), done.stdout + single.stdout
    assert "failed" in outcomes(single.stdout)
    assert "PytestUnknownMarkWarning" not in single.stdout


def test_unsupported_questions_are_skipped(tmp_path: Path) -> None:
    project(tmp_path, "")
    subject = shlex.join(script(tmp_path, ""))
    done = run(tmp_path, "--evenkeel-subject", subject, "--evenkeel-question", "load.usage")
    assert done.returncode == 1, done.stdout
    assert "the subject does not offer load.usage" in done.stdout
    assert "nothing was checked: 1 of 1 skipped" in done.stdout
    assert "failed" not in done.stdout


def test_a_subject_that_cannot_be_opened_is_tried_once(tmp_path: Path) -> None:
    project(tmp_path, "")
    code = "import time; open('tries', 'a').write('x'); time.sleep(60)"
    subject = shlex.join([sys.executable, "-S", "-c", code])
    words = ("--evenkeel-hello-timeout", "3", "--evenkeel-question", "bundles.range")
    done = run(tmp_path, "--evenkeel-subject", subject, *words)
    assert done.returncode == 1, done.stdout
    assert "did not send its hello within 3 s" in done.stdout
    assert "time.sleep" not in done.stdout  # of a command, which may have a secret
    assert (tmp_path / "tries").read_text() == "x"


def test_words_of_a_subject_move_no_cursor(tmp_path: Path) -> None:
    project(tmp_path, "")
    behaviour = """
    def answer(id_, text):
        words = "a\\n== 9 passed == \\x1b]0;t\\x07 \\x9b2J \\u202e"
        say(dict(type="observation", id=id_, broke=dict(reason=words, detail="")))
    """
    subject = shlex.join([*script(tmp_path, behaviour), "--token=T0P"])
    done = run(tmp_path, "--evenkeel-subject", subject, "--evenkeel-question", "bundles.range")
    assert "again: evenkeel replay " in done.stdout
    assert "T0P" not in done.stdout
    assert " 1 failed, 1 passed, 1 warning" in done.stdout
    assert r"\n== 9 passed == \x1b]0;t\x07 \x9b2J \u202e" in done.stdout
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]|^== 9", done.stdout, re.MULTILINE)


BAD_OPTIONS = {
    "did you mean bundles?": ["--evenkeel-chapter", "bundels"],
    "needs --evenkeel-baseline FILE.": ["--evenkeel-update-baseline"],
    "needs one process": ["--evenkeel-update-baseline", "-p", "xdist", "-n", "2"],
    "--evenkeel-subject: what follows is empty.": ["--evenkeel-subject", ""],
    "must be a whole number from 1, not '0'": ["--evenkeel-trials", "0"],
    "must be a whole number from 1, not '1e300'": ["--evenkeel-hello-timeout", "1e300"],
}
ONE_BY_ONE = """
import json, sys, pytest
for words in json.load(sys.stdin):
    assert pytest.main(words) == pytest.ExitCode.USAGE_ERROR, words
    print("next", file=sys.stderr)
"""


def test_bad_options_are_a_usage_error(tmp_path: Path) -> None:
    project(tmp_path, "")
    always = ["-p", PLUGIN, "--evenkeel-subject", "reference"]
    asked = json.dumps([[*always, *words] for words in BAD_OPTIONS.values()])
    done = start(sys.executable, "-c", ONE_BY_ONE, input=asked, cwd=tmp_path, env=alone(tmp_path))
    assert done.returncode == 0, done.stdout + done.stderr
    for sentence, said in zip(BAD_OPTIONS, done.stderr.split("next\n"), strict=False):
        assert sentence in said


def test_a_balancer_in_this_process(tmp_path: Path) -> None:
    project(tmp_path, OWN_TEST.format(closed="True", more=""))
    (tmp_path / "test_open.py").write_text(OWN_TEST.format(closed="False", more=""))
    done = run(tmp_path, "-rf")
    assert "1 failed, 1 passed" in done.stdout
    assert "FAILED test_open.py" in done.stdout
    assert "BUN-17" in done.stdout


NOTHING = """
import pytest


def nothing(trial):
    {does}


def test_nothing(evenkeel_check):
    evenkeel_check({asked}, trials={trials}{more})
"""
LOOKUP = '{"bundles.hash_lookup": nothing}'
OF_NOTHING = [
    ("raise NotImplementedError('later')", LOOKUP, 20, "", "all trials were skipped: later"),
    ("pytest.skip('later')", LOOKUP, 20, "", "the function called pytest.skip (later)"),
    ("pytest.xfail('later')", LOOKUP, 20, "", "the function called pytest.xfail (later)"),
    ("return {}", "{}", 20, "", "no question was asked for"),
    ("return {}", LOOKUP, -5, "", "no trial was asked for"),
    ("raise ValueError", LOOKUP, 20, ", clauses=['THR-20']", "no trial exercised THR-20"),
]


def test_a_balancer_of_which_nothing_was_checked_fails(tmp_path: Path) -> None:
    project(tmp_path, "")
    for number, (does, asked, trials, more, _) in enumerate(OF_NOTHING):
        text = NOTHING.format(does=does, asked=asked, trials=trials, more=more)
        (tmp_path / f"test_nothing_{number}.py").write_text(text)
    done = run(tmp_path)
    assert done.returncode == 1, done.stdout
    assert f" {len(OF_NOTHING)} failed" in done.stdout
    assert "Traceback" not in done.stdout
    for *_, sentence in OF_NOTHING:
        assert sentence in done.stdout


@pytest.mark.parametrize("workers", [(), ("-p", "xdist", "-n", "2")])
def test_an_answer_that_is_taken_back_at_the_end_is_an_error(
    tmp_path: Path, workers: tuple[str, ...]
) -> None:
    project(tmp_path, "")
    behaviour = """
    last = []
    def answer(id_, text):
        last[:] = [id_]
        say(observe(id_, text))
    def end():
        say(observe(last[0], "another answer"))
        say(dict(type="bye"))
    """
    asked = ("--evenkeel-question", "bundles.range", "--evenkeel-trials", "20", "-k", "BUN-8")
    done = run(
        tmp_path, "--evenkeel-subject", shlex.join(script(tmp_path, behaviour)), *asked, *workers
    )
    assert done.returncode == 1, done.stdout
    assert re.search(r" 1 passed(, 1 \w+)*, 1 error ", done.stdout.splitlines()[-1]), done.stdout
    assert "evenkeel: The subject odd 1 answered a trial twice" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr


def test_a_balancer_in_this_process_has_a_baseline_too(tmp_path: Path) -> None:
    more = ', baseline="known.json"'
    project(tmp_path, OWN_TEST.format(closed="False", more=more))
    made = run(tmp_path, "-s", "--evenkeel-update-baseline")
    assert "1 passed" in made.stdout, made.stdout
    known = json.loads((tmp_path / "known.json").read_text())["known"]
    clauses = {one["signature"].partition(":")[0] for one in known}
    assert clauses == {"BUN-15", "BUN-16", "BUN-17"}
    again = run(tmp_path, "-s")
    assert "BUN-17 is known" in again.stdout, again.stdout
    assert "removed" not in again.stdout
    project(tmp_path, OWN_TEST.format(closed="True", more=more))
    mended = run(tmp_path)
    assert "1 passed" in mended.stdout
    assert f"evenkeel: removed: {known[0]['signature']} is in known.json" in mended.stdout
    run(tmp_path, "--evenkeel-update-baseline")
    project(tmp_path, OWN_TEST.format(closed="False", more=more))
    assert "1 failed" in run(tmp_path).stdout


def test_the_baseline_of_the_tests_of_clauses_is_updated(tmp_path: Path) -> None:
    project(tmp_path, "")
    words = ("--evenkeel-trials", "100", "--evenkeel-question", "bundles.hash_lookup")
    options = (*words, "--evenkeel-baseline", "known.json", "--evenkeel-subject")
    missing = run(tmp_path, *options, "reference:PULSAR_4_0")
    assert missing.returncode == 1
    assert "known.json: is not there, so nothing is known" in missing.stderr
    run(tmp_path, *options, "reference:PULSAR_4_0", "--evenkeel-update-baseline")
    done = run(tmp_path, *options, "reference:PULSAR_4_0")
    assert (done.returncode, "2 passed, 1 xfailed" in done.stdout) == (0, True), done.stdout
    assert "removed: BUN-17:broke" in run(tmp_path, *options, "reference").stdout
    alone = run(tmp_path, *options, "reference", "--evenkeel-update-baseline", "-k", "BUN-15")
    assert "1 passed" in alone.stdout
    data = json.loads((tmp_path / "known.json").read_text())
    assert data["known"], "BUN-17 was not asked"
    (tmp_path / "known.json").write_text(json.dumps({**data, "edition": "PULSAR_4_0"}))
    other = run(tmp_path, *options, "reference:PULSAR_4_0")
    assert other.returncode == 4
    assert "edition: is PULSAR_4_0" in other.stderr


def test_unused_plugin_imports_nothing(tmp_path: Path) -> None:
    project(
        tmp_path,
        "import sys\n"
        "def test_own():\n"
        "    ours = {name for name in sys.modules if name.startswith('evenkeel')}\n"
        "    engine = {'evenkeel_engine', 'evenkeel_engine.pytest_plugin'}\n"
        "    assert ours == engine\n",
    )
    assert "1 passed" in run(tmp_path).stdout
