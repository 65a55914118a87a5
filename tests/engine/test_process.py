"""Subjects that misbehave: each is reported, and the run continues."""

import math
import os
import sys
import tomllib
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from evenkeel.properties.bundles.ranges import RANGE
from evenkeel_engine.subjects.base import Errored, Request, Skipped
from evenkeel_engine.subjects.process import ProcessSubject, SubjectUnusable
from evenkeel_engine.subjects.session import Limits
from tests.engine.misbehaving import QUICK, SHORT, odd, replies, requests, script, well
from tests.processes import ends

pytestmark = pytest.mark.slow

TABLE = tomllib.loads(Path(__file__).with_name("faults.toml").read_text("utf-8"))
FAULTS = {one["does"]: one["said"] for one in TABLE["fault"]}
"""By what a subject does with a trial: what is said of it."""


def test_failing_trials_err_and_the_run_continues(tmp_path: Path) -> None:
    behaviour = """
    good = answer
    def answer(id_, text):
        if text == "well":
            good(id_, text)
        else:
            exec(text)
    """
    subject = odd(tmp_path, behaviour)
    got = replies(subject, requests(*(text for fault in FAULTS for text in (fault, "well"))))
    errors = [Errored(reason, definite=False) for reason in FAULTS.values()]
    assert got == [reply for bad in errors for reply in (bad, well("well"))]
    assert subject.restarts == len(FAULTS)


def test_a_trial_answered_twice(tmp_path: Path) -> None:
    behaviour = """
    good = answer
    def answer(id_, text):
        good(id_, text)
        if text == "twice":
            good(id_, text)
    """
    got = replies(odd(tmp_path, behaviour), requests("a", "twice", "b", "c"))
    assert got == [well("a"), well("twice"), Errored("answered a trial twice", False), well("c")]


def test_answered_twice_is_seen_by_the_next_run(tmp_path: Path) -> None:
    behaviour = """
    def answer(id_, text):
        say(json.dumps(observe(id_, text)) + "\\n" + json.dumps(observe(id_, text)))
    """
    subject = odd(tmp_path, behaviour)
    assert [reply for _, reply in subject.replies(requests("a"))] == [well("a")]
    assert replies(subject, requests("b")) == [Errored("answered a trial twice", False)]


@pytest.mark.parametrize(
    ("id_", "sentence"),
    [("id_", "answered a trial twice"), ("id_ + 7", "answered under an id that no trial has")],
)
@pytest.mark.parametrize(("late", "error"), [(False, False), (True, False), (True, True)])
def test_a_surplus_reply_after_the_last_trial(
    id_: str, sentence: str, late: bool, error: bool, tmp_path: Path
) -> None:
    behaviour = f"""
    good, bye = answer, end
    more = []
    def answer(id_, text):
        good(id_, text)
        more.append({id_})
        if not {late}:
            good({id_}, text)
    def end():
        if {error}:
            say(json.dumps({{"type": "error", "id": more[0], "reason": "?", "definite": True}}))
        else:
            good(more[0], "late")
        bye()
    """
    subject = odd(tmp_path, behaviour)
    with pytest.raises(SubjectUnusable, match=f"The subject odd 1 {sentence}, after its last"):
        replies(subject, requests("a"))


@pytest.mark.parametrize(
    ("does", "sentence"),
    [
        ("bye(); sys.exit(3)", "exited with status 3 after bye"),
        ("bye(); os.kill(os.getpid(), 9)", "was ended by signal 9 after bye"),
        ("say('garbage'); bye()", "sent a line after its last reply that is no bye: 'garbage'"),
        ("bye(); say('x' * 99)", "sent a line after its last reply that is no bye: 'xxx"),
        ("[say('flood') for _ in iter(int, 1)]", "sent a line after its last reply that is no"),
        ("good(7, 'late')", None),
        ("bye(); good(7, 'late')", None),
        ("bye(); time.sleep(9)", ""),
    ],
)
def test_what_is_wrong_after_bye(
    does: str, sentence: str | None, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    behaviour = f"good, bye = answer, end\ndef end():\n    {does}"
    subject = odd(tmp_path, behaviour, Limits(bye_seconds=2))
    assert [reply for _, reply in subject.replies(requests("a"))] == [well("a")]
    with nullcontext() if sentence is not None else pytest.raises(SubjectUnusable, match="no tri"):
        subject.close()
    assert subject.parting.startswith(f"the subject odd 1 {sentence}" if sentence else "")
    assert capfd.readouterr().err == (f"evenkeel: {subject.parting}.\n" if sentence else "")


def test_a_hang(tmp_path: Path) -> None:
    behaviour = """
    good = answer
    def answer(id_, text):
        if text == "hang":
            time.sleep(600)
        good(id_, text)
    """
    got = replies(odd(tmp_path, behaviour, Limits(trial_seconds=1.5)), requests("a", "hang", "b"))
    assert got == [well("a"), Errored("did not answer within 1.5 s", False), well("b")]


def test_an_answer_without_its_line_end(tmp_path: Path) -> None:
    behaviour = """
    def answer(id_, text):
        sys.stdout.write(json.dumps(observe(id_, "")))
        sys.stdout.flush()
    """
    [got] = replies(odd(tmp_path, behaviour, Limits(trial_seconds=SHORT)), requests("a"))
    assert got == Errored(
        f"did not answer within {SHORT} s (after 75 bytes without a line end)", False
    )


@pytest.mark.parametrize("ending", ["''", "'\\n'"])
def test_a_line_that_is_too_long(ending: str, tmp_path: Path) -> None:
    behaviour = f"""
    good = answer
    def answer(id_, text):
        if text != "long":
            return good(id_, text)
        sys.stdout.write("x" * 2_000_000 + {ending})
        sys.stdout.flush()
        time.sleep(600)
    """
    subject = odd(tmp_path, behaviour, Limits(line_bytes=1_000_000))
    got = replies(subject, requests("a", "long", "b"))
    assert got == [well("a"), Errored("sent a line of more than 1,000,000 bytes", False), well("b")]


def test_much_standard_error_does_not_block(tmp_path: Path) -> None:
    behaviour = """
    good = answer
    def answer(id_, text):
        sys.stderr.write("noise " * 50_000 + "\\n")
        if text == "bad":
            sys.exit("the reason")
        good(id_, text)
    def end():
        sys.stderr.write("noise " * 50_000)
        say(dict(type="bye"))
    """
    first, second, third = replies(odd(tmp_path, behaviour), requests("a", "bad", "b"))
    assert (first, third) == (well("a"), well("b"))
    assert isinstance(second, Errored)
    assert len(second.reason) <= 600
    subject = odd(tmp_path, behaviour)
    subject.close()


def test_big_messages_do_not_block(tmp_path: Path) -> None:
    texts = [str(n) * 300_000 for n in range(8)]
    assert replies(odd(tmp_path, ""), requests(*texts)) == [well(text) for text in texts]


def test_a_subject_that_reads_all_before_it_answers(tmp_path: Path) -> None:
    behaviour = """
    pending = []
    def answer(id_, text):
        pending.append(observe(id_, text))
        if text == "last":
            for message in pending:
                say(message)
    """
    texts = [f"{n:06}" * 20 for n in range(100)] + ["last"]
    assert replies(odd(tmp_path, behaviour), requests(*texts)) == [well(text) for text in texts]


def test_replies_of_all_sorts(tmp_path: Path) -> None:
    behaviour = """
    def answer(id_, text):
        if text == "skip":
            say(dict(type="skipped", id=id_, reason="no such setting"))
        elif text == "form":
            say(dict(type="observation", id=id_, answer=dict(range=5, name="")))
        elif text == "unread":
            say(dict(type="error", id=None, reason="what?", definite=True))
        else:
            say(json.dumps(observe(id_, text), ensure_ascii=False))
    """
    subject = odd(tmp_path, behaviour)
    assert subject.name == "odd 1"
    got = replies(subject, requests("skip", "form", "unread", "\U0001f680 ü \u2028"))
    assert got == [
        Skipped("no such setting"),
        Errored(
            "gave an observation of the wrong form at answer.range: must be an object, not 5", False
        ),
        Errored("reported an error: what?", True),
        well("\U0001f680 ü \u2028"),
    ]
    assert subject.restarts == 0


def test_a_subject_that_always_fails_is_given_up(tmp_path: Path) -> None:
    subject = odd(tmp_path, "def answer(id_, text): sys.exit('no way')", QUICK)
    bad = Errored("exited with status 1, its last words: no way", False)
    got = replies(subject, requests(*"abcdefgh"))
    assert got[:4] == [bad] * 4
    why = "given up: it failed 4 times in a row; the last time it exited with status 1, its last wo"
    for reply in got[4:]:
        assert isinstance(reply, Errored)
        assert reply.reason.startswith(why)
    assert subject.restarts == 3


OFTEN = {"sys.exit(1)": "5 times; ", "time.sleep(9)": "to answer in time 5 times; "}


@pytest.mark.parametrize("fails", OFTEN)
def test_a_question_that_often_fails_is_given_up_in_the_end(tmp_path: Path, fails: str) -> None:
    behaviour = f"""
    good = answer
    def answer(id_, text):
        if int(text) % 2:
            {fails}
        good(id_, text)
    """
    subject = odd(tmp_path, behaviour, replace(QUICK, failures=5, trial_seconds=0.5))
    got = replies(subject, requests(*map(str, range(30))))
    assert [reply == well(str(n)) for n, reply in enumerate(got)][:10] == [True, False] * 5
    last = got[-1]
    assert isinstance(last, Errored)
    assert last.reason.startswith(f"given up: it failed {OFTEN[fails]}")


def test_subject_that_no_longer_starts_is_given_up(tmp_path: Path) -> None:
    behaviour = f"""
    def begin():
        mark = {str(tmp_path / "begun")!r}
        if os.path.exists(mark):
            sys.exit(9)
        open(mark, "w").close()
        say(HELLO)
    def answer(id_, text):
        sys.exit(1)
    """
    first, second = replies(odd(tmp_path, behaviour), requests("a", "b"))
    assert first == Errored("exited with status 1", False)
    assert isinstance(second, Errored)
    assert second.reason.startswith(
        "given up: 4 new processes in a row failed; the last exited with"
    )


HELLOS = {
    "crash": ("sys.exit('no licence')", "exited with status 1, its last words: no licence."),
    "early": ("say(observe(1, ''))", "began with a line that is a message of type 'observation'"),
    "huge": ("say('x' * 3_000_000)", "sent a line of more than 1,000,000 bytes."),
}


@pytest.mark.parametrize("name", HELLOS)
def test_no_hello_no_run(name: str, tmp_path: Path) -> None:
    line, sentence = HELLOS[name]
    with pytest.raises(SubjectUnusable) as raised:
        odd(tmp_path, f"def begin():\n    {line}\n    sys.exit(0)", Limits(line_bytes=1_000_000))
    assert f"{sys.executable} … {sentence}" in str(raised.value)


def test_a_slow_hello(tmp_path: Path) -> None:
    with pytest.raises(SubjectUnusable, match=f"did not send its hello within {SHORT} s"):
        odd(tmp_path, "def begin(): time.sleep(600)", Limits(hello_seconds=SHORT))


def test_options_must_be_known(tmp_path: Path) -> None:
    command = script(tmp_path, "")
    ProcessSubject(command, {"colour": "red"}, QUICK).close()
    with pytest.raises(SubjectUnusable, match="does not know the option size"):
        ProcessSubject(command, {"size": "1"}, QUICK)


@pytest.mark.parametrize("command", ["", "'unclosed", "/no/such/program", "nul\0", []])
def test_commands_that_cannot_be(command: str) -> None:
    with pytest.raises(SubjectUnusable):
        ProcessSubject(command)


def test_a_run_that_is_left_early(tmp_path: Path) -> None:
    subject = odd(tmp_path, "")
    run = subject.replies(requests(*(str(n) for n in range(500))))
    assert next(run)[1] == well("0")
    assert [reply for _, reply in subject.replies(requests())] == []
    assert [reply for _, reply in subject.replies(requests("a", "b"))] == [well("a"), well("b")]
    assert subject.restarts == 0
    subject.close()


def test_a_trial_given_up_that_ends_the_process(tmp_path: Path) -> None:
    behaviour = """
    good = answer
    def answer(id_, text):
        if text == "bad":
            sys.exit(1)
        good(id_, text)
    """
    subject = odd(tmp_path, behaviour)
    run = subject.replies(requests("a", "bad", "b"))
    assert next(run)[1] == well("a")
    assert replies(subject, requests("c", "d")) == [well("c"), well("d")]
    assert subject.restarts == 1


@dataclass(frozen=True)
class Endless:
    rate: float


def test_trial_without_json_form_is_not_sent(tmp_path: Path) -> None:
    trials = [*requests("a"), Request(1, RANGE, Endless(math.inf))]
    good, bad = replies(odd(tmp_path, ""), trials)
    assert good == well("a")
    assert isinstance(bad, Errored)
    assert bad.definite
    assert bad.reason.startswith("this trial has no JSON form: ")


def test_trials_are_generated_on_demand(tmp_path: Path) -> None:
    subject = odd(tmp_path, "", Limits(trials_ahead=10))
    made = []

    for made_before, (request, _) in enumerate(
        subject.replies(made.append(request.key) or request for request in requests(*"x" * 100))  # type: ignore[func-returns-value]
    ):
        assert len(made) <= made_before + 10
        assert request.key == made_before
    assert len(made) == 100
    subject.close()


def test_close_ends_the_process_and_its_children(tmp_path: Path) -> None:
    behaviour = """
    child = os.fork()
    if child == 0:
        time.sleep(600)
    good = answer
    def answer(id_, text):
        good(id_, str(child))
    def end():
        time.sleep(600)
    """
    subject = odd(tmp_path, behaviour, Limits(bye_seconds=SHORT))
    [(_, reply)] = subject.replies(requests("a"))
    child = int(reply.observation.detail)  # type: ignore[union-attr]
    os.kill(child, 0)
    subject.close()
    subject.close()
    assert ends(child)
