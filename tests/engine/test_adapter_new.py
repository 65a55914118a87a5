"""`evenkeel adapter new`: it builds, speaks and is right, in each language that is here."""

import json
import os
import re
import shlex
import shutil
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from evenkeel.reference.edition import DOCUMENTED
from evenkeel_engine.check.seeded import make_trial
from evenkeel_engine.errors import UserError
from evenkeel_engine.kit.catalogue import QUESTIONS
from evenkeel_engine.kit.codec import to_json
from evenkeel_engine.kit.draw import Generator
from evenkeel_engine.kit.observations import Broke, Refused
from evenkeel_engine.kit.talk import Talk
from evenkeel_engine.sdk.new import LANGUAGES, format_command, make_contents, write_adapter
from evenkeel_engine.sdk.printed import long_paths
from evenkeel_engine.sdk.shapes import Shape, read_shapes
from tests import command_line
from tests.processes import start

pytestmark = pytest.mark.slow
ALL_FORMS = pytest.mark.xdist_group("forms of all questions")  # each process would make them again
TRIALS = 12
NONSENSE = [
    "hello?",
    "{}",
    '{"type":"trial"}',
    '{"type":"trial","id":"x"}',
    "[1",
    '"' + "\\ud800" + '"',
]


def built(language: str, folder: Path, needed: bool = True) -> list[str]:
    """The command of a new adapter; the test is skipped where its toolchain is missing."""
    if missing := [name for name in LANGUAGES[language].needs if shutil.which(name) is None]:
        pytest.skip(f"no {missing[0]} on the path")
    write_adapter(language, folder)
    build(language, folder)
    return shlex.split(format_command(language, folder).replace("python3 ", f"{sys.executable} "))


def build(language: str, folder: Path) -> None:
    for step in LANGUAGES[language].build:
        if step.startswith("npm install") and (folder / "node_modules").exists():
            continue
        done = start("sh", "-c", step, cwd=folder, seconds=400)
        if step.startswith("npm install") and done.returncode:
            pytest.skip("npm cannot install typescript: no registry")
        assert done.returncode == 0, done.stdout + done.stderr


def test_specification_is_included_with_working_links(tmp_path: Path) -> None:
    written = write_adapter("go", tmp_path / "mine")
    pages = [path for path in written if path.suffix == ".md"]
    assert tmp_path / "mine/spec/wire/shedding.md" in pages
    assert tmp_path / "mine/schemas/shedding.threshold.json" in written
    for page in pages:
        for target in re.findall(r"\]\(([^)#:]+\.md)", page.read_text()):
            inside = (page.parent / target).resolve()
            assert not inside.is_relative_to(tmp_path) or inside.exists(), f"{page}: {target}"


SOURCES = {
    "go": "main.go",
    "rust": "src/main.rs",
    "java": "Adapter.java",
    "typescript": "questions.ts",
    "python": "questions.py",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_builds_speaks_and_is_right(language: str, tmp_path: Path) -> None:
    """And another build says another version."""
    folder = tmp_path / "mine"
    words = built(language, folder)
    subject = shlex.join(words)
    smoke = command_line.run("adapter", "smoke", subject)
    assert smoke.returncode == 0, smoke.stdout + smoke.stderr
    assert "2 of 2 supported questions speak the protocol, 0 unknown, 0 restarts" in smoke.stdout
    done = command_line.run("check", "--subject", subject, "--question", "bundles.hash_lookup")
    assert done.returncode == 0, done.stdout + done.stderr
    messages = list_spoken(words, NONSENSE)
    assert [one["type"] for one in messages] == ["error"] * len(NONSENSE) + ["skipped", "bye"]

    def version() -> str:
        done = start(*words, input='{"type":"hello","protocol":1,"options":{}}\n{"type":"bye"}\n')
        return str(json.loads(done.stdout.splitlines()[0])["version"])

    first = version()
    assert re.fullmatch(r"1\+[0-9a-f]{12}", first)
    assert version() == first
    source = folder / SOURCES[language]
    text = source.read_text()
    assert text.count("no bundle holds the hash") == 1
    source.write_text(text.replace("no bundle holds the hash", "no bundle has the hash"))
    build(language, folder)
    assert re.fullmatch(r"1\+[0-9a-f]{12}", version())
    assert version() != first


def list_spoken(words: list[str], before: list[str]) -> list[dict[str, Any]]:
    """What an adapter says to these lines, to a question without a function, and to `bye`."""
    unfilled = {"type": "trial", "id": 7, "question": "bundles.topic", "trial": {"text": "ü"}}
    lines = [*before, json.dumps(unfilled), '{"type":"bye"}']
    done = start(*words, input="".join(f"{line}\n" for line in lines))
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


@cache
def forms(question: str) -> tuple[list[Any], list[Any]]:
    """Trials and answers as they are sent."""
    asked = QUESTIONS[question]
    trials = [make_trial(asked, 3, index) for index in range(TRIALS)]
    if asked.talk is not None:
        trials = [turn for trial in trials[:8] for turn in turns_of(asked.talk, trial)]
    observed = (asked.sent.observe(trial, DOCUMENTED) for trial in trials)
    answers = [answer for answer in observed if not isinstance(answer, Refused | Broke)]
    return [to_json(one) for one in trials], [to_json(one) for one in answers]


def turns_of(talk: Talk[Any, Any, Any, Any], trial: Any) -> list[Any]:
    answer = talk.answer_turns()
    turns: list[Any] = []

    def reply_to(turn: Any) -> Any:
        turns.append(turn)
        return answer(turn, DOCUMENTED)

    talk.hold(trial, reply_to)
    return turns


@ALL_FORMS
def test_go_reads_and_writes_every_trial_and_answer(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    if shutil.which("go") is None:
        pytest.skip("no go on the path")
    write_adapter("go", folder)
    cases = "".join(
        f'\tcase "{s.name}":\n\t\tvar value {s.name}\n\t\terr = json.Unmarshal(one.Data, &value)\n'
        "\t\tback = value\n"
        for q in read_shapes().questions
        for s in (q.trial, q.answer)
    )
    (folder / "main.go").write_text(
        'package main\n\nimport (\n\t"encoding/json"\n\t"os"\n)\n\n'
        "func main() {\n\tinput, output := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)\n"
        "\tfor {\n\t\tvar one struct {\n\t\t\tName string\n\t\t\tData json.RawMessage\n\t\t}\n"
        "\t\tif input.Decode(&one) != nil {\n\t\t\treturn\n\t\t}\n"
        "\t\tvar back any\n\t\tvar err error\n"
        f"\tswitch one.Name {{\n{cases}\t}}\n"
        "\t\tif err != nil {\n\t\t\tpanic(err)\n\t\t}\n\t\toutput.Encode(back)\n\t}\n}\n"
    )
    build("go", folder)
    sent = [
        (shape.name, form)
        for q in read_shapes().questions
        for shape, found in zip((q.trial, q.answer), forms(q.name), strict=True)
        for form in found
    ]
    lines = "".join(json.dumps({"name": name, "data": form}) + "\n" for name, form in sent)
    done = start(str(folder / "adapter"), input=lines)
    assert done.returncode == 0, done.stderr
    back = done.stdout.split("\n")[:-1]  # a text may have U+0085, at which splitlines cuts
    for (name, form), came in zip(sent, back, strict=True):
        assert alike(json.loads(came), form), name


def alike(came: Any, form: Any) -> bool:
    """Whether two values are the same; Go and Node write the number 1e18 as an integer."""
    if isinstance(form, dict) and isinstance(came, dict):
        form = {name: value for name, value in form.items() if value != [] or name in came}
    if isinstance(form, dict):
        return came.keys() == form.keys() and all(alike(came[key], form[key]) for key in form)
    if isinstance(form, list):
        return len(came) == len(form) and all(map(alike, came, form))
    return bool(float(came) == form if isinstance(form, float) else came == form)


@pytest.fixture(scope="module")
def typescript(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a new adapter in TypeScript, built once: the tests rewrite its sources."""
    folder = tmp_path_factory.mktemp("typescript") / "mine"
    built("typescript", folder)
    return folder


@ALL_FORMS
def test_typescript_types_hold_every_trial_and_answer(typescript: Path) -> None:
    lines = ['import * as k from "./evenkeel";']
    for q in read_shapes().questions:
        trials, answers = forms(q.name)
        typed = [(f"k.{q.trial.name}", literal(one, q.trial)) for one in trials[:4]]
        typed += [(f"k.Given<k.{q.answer.name}>", json.dumps(one)) for one in answers[:4]]
        lines += [f"{{ const one: {of} = {value}; void one; }}" for of, value in typed]
    adapter = typescript / "adapter.ts"
    before = adapter.read_text()
    adapter.write_text("\n".join(lines))
    build("typescript", typescript)
    adapter.write_text(before)


def literal(form: Any, shape: Shape) -> str:
    """A trial as TypeScript writes it; none has bigints in a list."""
    form = json.loads(json.dumps(form))
    for *path, name in long_paths(shape, {one.name: one for one in read_shapes().types}):
        holder = form
        for key in path:
            holder = holder and holder[key]
        if holder:
            holder[name] = f"{holder[name]}n!"
    return re.sub(r'"(-?\d+n)!"', r"\1", json.dumps(form))


@ALL_FORMS
def test_long_integers_of_trials_are_bigints_in_typescript() -> None:
    found: set[tuple[str, ...]] = set()

    def look(value: Any, path: tuple[str, ...]) -> None:
        if isinstance(value, dict):
            for key, member in value.items():
                look(member, (*path, key))
        elif isinstance(value, list):
            for member in value:
                look(member, (*path, "[]"))
        elif isinstance(value, int) and abs(value) >= 2**53:
            found.add(path)

    typed: set[tuple[str, ...]] = set()
    for asked in read_shapes().questions:
        question = QUESTIONS[asked.name]
        for generator in Generator:
            for index in range(TRIALS):
                look(to_json(make_trial(question, 3, index, generator)), (asked.name,))
        types = {one.name: one for one in read_shapes().types}
        typed |= {(asked.name, *path) for path in long_paths(asked.trial, types)}
    assert found
    assert found <= typed


@ALL_FORMS
def test_typescript_reads_and_writes_integers_digit_by_digit(typescript: Path) -> None:
    (typescript / "questions.ts").write_text(
        'import { Questions, Refused } from "./evenkeel";\n'
        "export const questions: Partial<Questions> = {\n"
        '  "ownership.conflict": ({ current, update }) => {\n'
        '    throw new Refused("Sum", `${current!.version + 1n} ${update!.version - 1n}`);\n  },\n'
        '  "splitting.positions": () => { throw new Refused("Never", ""); },\n'
        '  "throttling.bucket": () => ({ results: [{ do: "balance", tokens: 2n ** 63n - 1n }] }),\n'
        "};\n"
    )
    build("typescript", typescript)
    words = shlex.split(format_command("typescript", typescript))

    def ask_step(current: int, update: int) -> dict[str, Any]:
        records = [
            {"state": "owned", "dst": None, "src": None, "force": False, "version": version}
            for version in (current, update)
        ]
        trial = {"storage": "system_topic", "current": records[0], "update": records[1]}
        return {"type": "trial", "id": 1, "question": "ownership.conflict", "trial": trial}

    versions = [(2**63 - 2, -(2**63) + 1), (2**53 + 1, 10**15), (7, 0)]
    sent = [ask_step(current, update) for current, update in versions]
    # Only a trial made by hand has such positions, and there the type is a number.
    by_hand = {"positions": [3, 2**62 + 1], "text": f'"{2**62}'}
    sent.append({"type": "trial", "id": 2, "question": "splitting.positions", "trial": by_hand})
    trial = to_json(make_trial(QUESTIONS["throttling.bucket"], 3, 0))
    sent.append({"type": "trial", "id": 3, "question": "throttling.bucket", "trial": trial})
    done = start(*words, input="".join(json.dumps(one) + "\n" for one in [*sent, {"type": "bye"}]))
    messages = [json.loads(line) for line in done.stdout.splitlines()]
    refused = [one["refused"]["detail"] for one in messages[:3]]
    assert refused == [f"{current + 1} {update - 1}" for current, update in versions]
    reason = "positions.[]: an integer that a number does not hold"
    assert messages[3] == {"type": "skipped", "id": 2, "reason": reason}
    assert messages[4]["answer"] == {"results": [{"do": "balance", "tokens": 2**63 - 1}]}


@ALL_FORMS
def test_typescript_reads_and_writes_every_trial_and_answer(typescript: Path) -> None:
    sent = [
        form
        for q in read_shapes().questions
        for found in forms(q.name)
        for form in (*found, {"long": [2**63 - 1, -(2**63), 2**53], "text": f'\\"{2**60}'})
    ]
    loop = (
        'const k = require("./build/evenkeel.js");'
        'const lines = require("fs").readFileSync(0, "utf8").split("\\n").slice(0, -1);'
        "for (const line of lines) console.log(k.written(k.read(line)));"
    )
    lines = "".join(json.dumps(form) + "\n" for form in sent)
    done = start("node", "-e", loop, input=lines, cwd=typescript)
    assert done.returncode == 0, done.stderr
    assert alike([json.loads(came) for came in done.stdout.split("\n")[:-1]], sent)


def test_python_functions_can_be_imported_without_being_served(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    write_adapter("python", folder)
    asks = "import questions; print(questions.Questions().bundles_hash_lookup"
    trial = "({'boundaries': [0, 4294967295], 'hash': 3})['bundle']['upper'])"
    done = start(sys.executable, "-c", asks + trial, cwd=folder, input="")
    assert done.stdout == "4294967295\n", done.stderr


def test_the_go_files_are_formatted(tmp_path: Path) -> None:
    if shutil.which("gofmt") is None:
        pytest.skip("no gofmt on the path")
    write_adapter("go", tmp_path)
    # The generated file is not formatted; the two that people read are checked here.
    assert start("gofmt", "-l", "main.go", "evenkeel.go", cwd=tmp_path).stdout == ""


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_question_has_its_function_and_none_is_in_words_of_python(language: str) -> None:
    text = "".join(make_contents(language).values())
    for name in QUESTIONS:
        assert f'"{name}"' in text, name
    python = ("Raises `", "None if", "`min_msg_rate`", "`min_throughput`")
    for left in ("@SLOTS@", "@TYPES@", "@NAMES@", *python):
        assert left not in text


def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("")
    for folder in (tmp_path, tmp_path / "mine"):
        with pytest.raises(UserError, match="choose another"):
            write_adapter("python", folder)
    assert os.listdir(tmp_path) == ["mine"]
