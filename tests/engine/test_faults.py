"""Never a wrong verdict, never lost work: real processes that misbehave under the real commands."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from evenkeel.reference.edition import DOCUMENTED
from evenkeel_engine.campaign.plan import CampaignPlan
from evenkeel_engine.campaign.run import run_campaign
from evenkeel_engine.campaign.session import Spark
from evenkeel_engine.check.seeded import make_trial
from evenkeel_engine.check.tally import MOST_REASONS, OTHERS, Tally
from evenkeel_engine.kit.catalogue import QUESTIONS, clauses_for
from evenkeel_engine.kit.clause import Findings
from evenkeel_engine.kit.question import judge
from evenkeel_engine.stopping import Stopped, stop_in_good_order
from tests.command_line import run
from tests.processes import comes, ends, runs, start

pytestmark = pytest.mark.slow

EVENKEEL = [sys.executable, "-m", "evenkeel"]

ADAPTER = """
import json, os, sys, time
def say(**message): print(json.dumps(message), flush=True)
json.loads(sys.stdin.readline())
say(type="hello", protocol=1, name={name!r}, version="1", language="python",
    questions=["bundles.hash_lookup", "bundles.range"], options=[])
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "bye":
        break
    id_, question = message["id"], message["question"]
    {behaviour}
"""


def adapter(folder: Path, behaviour: str, name: str = "odd") -> str:
    """The command of a subject that does this with each trial."""
    path = folder / "adapter.py"
    path.write_text(ADAPTER.format(behaviour=behaviour, name=name))
    return f"{sys.executable} {path}"


def test_a_question_that_kills_the_subject_takes_no_other_verdict_with_it(tmp_path: Path) -> None:
    behaviour = """
    if question == "bundles.range": os._exit(3)
    say(type="observation", id=id_, broke=dict(reason="always", detail=""))
"""
    both = ["--question", "bundles.hash_lookup", "--question", "bundles.range"]
    done = run("check", "--subject", adapter(tmp_path, behaviour), *both)
    assert done.returncode == 1
    assert re.search(r"^BUN-15:broke instead of answered ", done.stdout, re.MULTILINE)
    assert "given up: it failed 11 times in a row; the last time it exited with" in done.stdout


def test_what_is_not_exercised_does_not_hold(tmp_path: Path) -> None:
    subject = adapter(tmp_path, "say(type='skipped', id=id_, reason='too hard')")
    done = run("check", "--subject", subject, "--question", "bundles.range")
    assert done.returncode == 2
    assert "no trial could show a breach of BUN-7, BUN-8" in done.stdout
    done = run("check", "--clause", "BUN-17", "--clause", "OWN-39")
    assert done.returncode == 2
    assert "no trial could show a breach of OWN-39" in done.stdout
    assert run("check", "--clause", "BUN-17").returncode == 0


def test_unknown_question_in_the_hello_is_reported(tmp_path: Path) -> None:
    subject = adapter(tmp_path, "say(type='skipped', id=id_, reason='no')")
    path = Path(subject.split()[1])
    path.write_text(path.read_text().replace('"bundles.range"]', '"bundle.range"]'))
    done = run("check", "--subject", subject, "--chapter", "bundles")
    assert done.returncode == 2
    assert "bundle.range (did you mean bundles.range?)" in done.stderr


def test_words_of_a_subject_forge_no_line_and_move_no_cursor(tmp_path: Path) -> None:
    behaviour = r"""
    words = "a\n0 of 0 clauses hold \x1b[2J\u202e \ud800"
    say(type="observation", id=id_, refused=dict(reason=words, detail=""))
"""
    subject = adapter(tmp_path, behaviour, "evil\nreference: 281 of 281 clauses hold")
    done = run("check", "--subject", subject, "--question", "bundles.hash_lookup")
    assert done.returncode == 1
    assert not re.search(r"[\x00-\x09\x0b-\x1f\u202e\ud800]", done.stdout + done.stderr)
    assert not re.search(r"^(0 of 0|reference:)", done.stdout, re.MULTILINE)


def test_an_answer_that_is_taken_back_is_in_the_reports(tmp_path: Path) -> None:
    subject, junit = adapter(tmp_path, "say(type='skipped', id=id_, reason='no')"), tmp_path / "j"
    with (tmp_path / "adapter.py").open("a") as file:
        file.write("say(type='skipped', id=id_, reason='no')\n")
    words = ["--question", "bundles.range", "--junit", str(junit), "--format", "json"]
    done = run("check", "--subject", subject, *words)
    assert (done.returncode, json.loads(done.stdout)["status"]) == (2, 2)
    sentence = "The subject odd 1 answered a trial twice, after its last reply."
    assert done.stderr == f"evenkeel: {sentence}\n"
    assert sentence in junit.read_text()


@pytest.mark.parametrize("words", [["--out", ""], ["--out="]])
def test_an_empty_name_is_not_this_folder(words: list[str]) -> None:
    done = run("campaign", *words)
    assert done.returncode == 2
    assert done.stderr == "evenkeel: --out: what follows is empty.\n"


@pytest.mark.usefixtures("_hangups")
def test_signals_keep_results_and_may_come_more_than_once(tmp_path: Path) -> None:
    subject = adapter(tmp_path, "time.sleep(0.01); say(type='skipped', id=id_, reason='slow')")
    words = ["--subject", subject, "--question", "bundles.range", "--profile", "nightly"]
    numbers = (signal.SIGINT, signal.SIGHUP)  # SIGTERM ends a campaign below
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with contextlib.ExitStack() as stack:
        command = [*EVENKEEL, "check", *words]
        running = [stack.enter_context(subprocess.Popen(command, **pipes)) for _ in numbers]
        for number, started in zip(numbers, running, strict=True):
            assert started.stderr is not None
            while not started.stderr.readline().startswith(b"check: "):
                assert started.poll() is None  # trials run from its first line of progress on
            for _ in range(20):  # until the interpreter has ended
                started.send_signal(number)
                time.sleep(0.05)
            output, errors = started.communicate(timeout=30)
            assert (started.returncode, b"Traceback" in errors) == (2, False)
            assert re.search(rb"[\d,]+ trials, stopped before [\d,]+\n$", output)


def test_ctrl_c_while_modules_are_imported() -> None:
    code = """
import os, signal, sys
class Finder:
    def find_spec(self, name, *_):
        if name == "typer":
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Finder())
from evenkeel.__main__ import main
main()
"""
    done = start(sys.executable, "-c", code)
    assert (done.returncode, done.stderr) == (2, "evenkeel: stopped.\n")


@pytest.mark.usefixtures("_hangups")
def test_a_later_signal_stops_again(monkeypatch: pytest.MonkeyPatch) -> None:
    stop_in_good_order()
    with pytest.raises(Stopped):
        signal.raise_signal(signal.SIGHUP)
    signal.raise_signal(signal.SIGTERM)
    monkeypatch.setattr("evenkeel_engine.stopping.PATIENCE", 0.0)
    with pytest.raises(Stopped):
        signal.raise_signal(signal.SIGINT)


def test_a_signal_is_not_lost_where_nothing_can_be_raised() -> None:
    code = """
import os, signal, time
from evenkeel_engine.stopping import stop_in_good_order
class Last: __del__ = lambda self: os.kill(os.getpid(), signal.SIGTERM)
stop_in_good_order()
Last()
time.sleep(60)
"""
    error = start(sys.executable, "-c", code, seconds=50).stderr
    assert ("Stopped" in error, "ignored" in error) == (True, False)


def test_a_subject_ends_with_a_harness_that_is_killed(tmp_path: Path) -> None:
    mark = tmp_path / "pid"
    behaviour = f"open({str(mark)!r}, 'w').write(str(os.getpid())); time.sleep(600)"
    subject = adapter(tmp_path, behaviour)
    command = [*EVENKEEL, "check", "--subject", subject, "--question", "bundles.range"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as harness:
        assert comes(lambda: mark.exists() and mark.read_text() != "", 60)
        harness.kill()
    assert ends(int(mark.read_text()))


def test_a_crash_of_our_own_is_one_sentence_and_status_2(tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "from evenkeel_engine.check import blocks\n"
        "def run_blocks(*_): raise RecursionError('too deep')\n"
        "blocks.run_blocks = run_blocks\n"
        "from evenkeel_engine.cli.main import main\n"
        "sys.argv = ['evenkeel', 'check', '--question', 'bundles.range']\n"
        "main()\n"
    )
    done = start(sys.executable, "-c", code, env={**os.environ, "TMPDIR": str(tmp_path)})
    assert done.returncode == 2
    assert done.stderr.startswith("evenkeel: RecursionError: too deep. This is a defect of evenk")
    assert "Traceback" not in done.stderr
    [report] = tmp_path.glob("evenkeel-crash-*.txt")
    assert "too deep" in report.read_text()


def test_too_little_memory_is_one_sentence_and_status_2() -> None:
    code = (
        "import resource, sys\n"
        "from evenkeel_engine.check import blocks\n"
        "def run_blocks(*_): return bytearray(1 << 40)\n"
        "blocks.run_blocks = run_blocks\n"
        "from evenkeel_engine.cli.main import main\n"
        "sys.argv = ['evenkeel', 'check', '--question', 'bundles.range']\n"
        "resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))\n"
        "main()\n"
    )
    done = start(sys.executable, "-c", code)
    assert (done.returncode, done.stderr) == (2, "evenkeel: out of memory.\n")


def test_too_little_memory_in_a_judge_is_no_violation() -> None:
    def exhaust_memory(_: object) -> Findings:
        raise MemoryError

    question = QUESTIONS["bundles.range"]
    clause = replace(clauses_for("bundles.range", DOCUMENTED)[0], judge=exhaust_memory)
    trial = make_trial(question, 1, 0)
    with pytest.raises(MemoryError):
        judge(question, (clause,), trial, question.observe(trial, DOCUMENTED), DOCUMENTED)


def test_a_closed_standard_output_is_status_2_and_ends_a_check_early() -> None:
    """Nothing is read of it: text, which is written at the end, JSON, and the help."""
    for words in (["check", "--for", "10m"], ["explain", "--format", "json"], ["--help"]):
        reader, writer = os.pipe()
        os.close(reader)
        try:
            done = subprocess.run(
                [*EVENKEEL, *words],
                stdout=writer,
                stderr=subprocess.PIPE,
                text=True,
                check=False,
                timeout=60,
            )
        finally:
            os.close(writer)
        assert (done.returncode, done.stderr) == (2, ""), words


@pytest.mark.parametrize("buffered", ["", "1"])
@pytest.mark.parametrize("words", [["explain"], ["--help"]])
def test_a_full_standard_output_is_one_sentence(words: list[str], buffered: str) -> None:
    with open("/dev/full", "wb") as full:
        pipes: dict[str, Any] = {"stdout": full, "stderr": subprocess.PIPE, "text": True}
        environment = {**os.environ, "PYTHONUNBUFFERED": buffered}
        done = subprocess.run([*EVENKEEL, *words], check=False, env=environment, **pipes)
    sentence = "evenkeel: Standard output: No space left on device.\n"
    assert (done.returncode, done.stderr) == (2, sentence)


def test_a_working_directory_that_was_removed_is_one_sentence(tmp_path: Path) -> None:
    command = shlex.join([*EVENKEEL, "--version"])
    done = start("sh", "-c", f"rmdir {tmp_path}; {command}", cwd=tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert done.stderr.startswith("evenkeel: the working directory cannot be used (")


@pytest.mark.parametrize("command", ["replay", "operate trace", "operate simulate"])
def test_irregular_files_are_not_read(command: str, tmp_path: Path) -> None:
    pipe = tmp_path / "log.json"
    os.mkfifo(pipe)
    done = run(*command.split(), str(pipe))
    assert done.returncode == 2
    assert "no regular file" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_file_that_lint_cannot_read_is_a_problem_of_it(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.jsonl")
    (tmp_path / "latin.jsonl").write_bytes(b"\xe9\n")
    done = run("cases", "lint", str(tmp_path))
    assert done.returncode == 1
    assert "pipe.jsonl: is no regular file" in done.stdout
    assert "latin.jsonl: is no UTF-8 text" in done.stdout
    report = ["check", "--question", "bundles.topic", "--junit", str(tmp_path / "pipe.jsonl")]
    assert run(*report).returncode == 2  # it has no reader


def test_a_key_of_very_many_dots_is_refused_at_once(tmp_path: Path) -> None:
    scenario = tmp_path / "deep.toml"
    scenario.write_text(f"title = 'x'\n{'.'.join('a' * 20_000)} = 1\n")
    done = run("operate", "simulate", str(scenario))
    assert done.returncode == 2
    assert "line 2 has more than 20 dots" in done.stderr


def test_reasons_without_end_are_counted_together() -> None:
    tally = Tally()
    for number in range(5000):
        tally.count_unanswered(tally.skipped, "bundles.range", f"reason {number}")
    whole = Tally()
    whole.merge(tally)
    whole.merge(tally)
    assert len(whole.skipped) == MOST_REASONS + 1
    assert sum(whole.skipped.values()) == 10_000
    assert whole.skipped["bundles.range", OTHERS] == 8000


@pytest.mark.parametrize("words", [["sleep"], ["env", "-i", "sleep"]])
@pytest.mark.parametrize("last", ["pass", "os._exit(3)"])
def test_whatever_a_subject_starts_ends_with_it(
    words: list[str], last: str, tmp_path: Path
) -> None:
    """Grandchildren in their own sessions, one an orphan, without a waiting parent (A11), and with
    an environment that has no mark (L10).
    """
    mark = tmp_path / "grandchildren"
    behaviour = f"""
    import subprocess
    if not os.path.exists({str(mark)!r}):
        options = dict(start_new_session=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        sleeper = subprocess.Popen([*{words!r}, "600"], **options)
        orphan = subprocess.run(["sh", "-c", "{" ".join(words)} 600 & echo $! > {mark}"], **options)
        open({str(mark)!r}, "a").write(str(sleeper.pid))
        {last}
    say(type="skipped", id=id_, reason="no")
"""
    subject = adapter(tmp_path, behaviour)
    start(*EVENKEEL, "check", "--subject", subject, "--question", "bundles.range")
    numbers = [int(number) for number in mark.read_text().split()]
    assert len(numbers) == 2
    assert all(map(ends, numbers))


def test_a_year_of_short_periods_passes_at_once(tmp_path: Path) -> None:
    """One step for each of 10^9 periods takes hours (A10)."""
    trial = {
        "question": "throttling.counter",
        "trial": {
            "carries": True,
            "rate": 1,
            "period": 1,
            "commands": [
                {"do": "take", "permits": 10**9},
                {"do": "advance", "millis": 10**10},
                {"do": "look"},
            ],
        },
    }
    path = tmp_path / "long.json"
    path.write_text(json.dumps(trial))
    assert run("replay", str(path), "--edition", "DOCUMENTED").returncode in (0, 2)


CAMPAIGN = ["campaign", "--question", "bundles.range", "--question", "bundles.hash_lookup"]


def plan_campaign(folder: Path, subject: str, trials: int = 400) -> CampaignPlan:
    """The same for the session that the tests share."""
    asked = ("bundles.range", "bundles.hash_lookup")
    return CampaignPlan(trials, 1, "DOCUMENTED", folder, subject, questions=asked)


def campaign(folder: Path, subject: str, *words: str, trials: int = 400) -> list[str]:
    asked = ["--subject", subject, "--trials", str(trials), "--master", "local[1]"]
    return [*EVENKEEL, *CAMPAIGN, *asked, "--out", str(folder), *words]


def test_stopped_campaign_keeps_results_and_says_how_to_continue(tmp_path: Path) -> None:
    """SIGTERM after the first part; the subject takes 20 ms a trial (A8, A9)."""
    subject = adapter(
        tmp_path, "time.sleep(0.02); say(type='skipped', id=id_, reason='slow, \\ud800')"
    )
    out, temporary = tmp_path / "c", tmp_path / "t"
    temporary.mkdir()
    environment = {**os.environ, "TMPDIR": str(temporary)}
    command = campaign(out, subject, trials=100_000)
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment
    ) as started:
        assert comes(lambda: any((out / "parts").glob("00*")), 120)
        another = run(*command[len(EVENKEEL) :])
        assert another.returncode == 2  # one process for a folder (A2)
        assert "Another process runs a campaign in" in another.stderr
        began = time.monotonic()
        started.send_signal(signal.SIGTERM)
        output, errors = started.communicate(timeout=60)
        took = time.monotonic() - began
    assert started.returncode == 2, errors.decode()
    last = output.decode().splitlines()[-1]
    assert re.search(r"[\d,]+ trials, stopped before 100,000; the same command continues", last)
    assert took < 30  # 3 s on a machine that does nothing else
    assert not list(temporary.glob("evenkeel-*"))
    assert not still_running(str(tmp_path / "adapter.py"))
    assert b"Traceback" not in errors  # of PySpark, whose JVM is gone (L3)


def test_a_killed_jvm_is_one_sentence(tmp_path: Path) -> None:
    subject = adapter(tmp_path, "time.sleep(0.05); say(type='skipped', id=id_, reason='slow')")
    command = campaign(tmp_path / "c", subject, trials=100_000)
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as started:
        assert started.stderr is not None
        assert started.stderr.readline().startswith("Spark runs on Java ")
        children = Path(f"/proc/{started.pid}/task/{started.pid}/children").read_text()
        [jvm] = [
            number
            for number in map(int, children.split())
            if Path(f"/proc/{number}/comm").read_text() == "java\n"
        ]
        os.kill(jvm, signal.SIGKILL)
        _, errors = started.communicate(timeout=60)
    assert started.returncode == 2
    assert re.fullmatch(
        r"(campaign: .*\n)*evenkeel: Spark's JVM was ended by signal 9 \(.*\)\n", errors
    )


def still_running(word: str) -> list[int]:
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            words = (entry / "cmdline").read_bytes().decode(errors="replace").split("\0")
            if word in words and runs(int(entry.name)):
                found.append(int(entry.name))
    return found


def test_another_subject_gets_no_old_verdict(spark: Spark, tmp_path: Path) -> None:
    """The same command and folder, another program (A1); and odd words (A4, A7)."""
    behaviour = r"say(type='skipped', id=id_, reason='\ud800 \x1b[2J')"
    out = tmp_path / "c"
    asked = plan_campaign(out, adapter(tmp_path, behaviour))
    console = Console(record=True, file=StringIO())
    first = run_campaign(asked, console, spark)
    assert first.status == 2, first.summary
    assert "\x1b" not in console.export_text() + (out / "report.txt").read_text()
    adapter(tmp_path, behaviour.replace("skipped", "error"))
    second = run_campaign(asked, console, spark)
    assert second.status == 2
    assert "holds another campaign (fingerprint" in second.summary
    deep = '{"format": "evenkeel campaign 2", "id": "x", "campaign": {}, "finished": true}'
    for text in ("[" * 100_000, deep):  # A5
        (out / "campaign.json").write_text(text)
        spoilt = run(*campaign(out, asked.subject)[3:])
        assert spoilt.returncode == 2
        assert "describes no campaign" in spoilt.stderr
