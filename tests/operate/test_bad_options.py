"""Options and files that make no sense: one sentence, whatever the command."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from tests.command_line import run

AVG: Final = "tests/operate/confs/avg.broker.conf"
BAD: Final[dict[str, list[tuple[list[str], str]]]] = {
    "live": [
        (["--plan", "chaos"], "There is no plan chaos"),
        (["--for", "-1"], "must be a time such as"),
        (["--shrink", "2/3"], "--shrink needs --replay."),
        (["--replay", "nowhere.json"], "nowhere.json: cannot be read (No such file"),
        (["--brokers", "99"], "--brokers must be from 1 to 8"),
    ],
    "limits plan": [
        ([], "A plan needs a limit: --messages, --bytes, or both."),
        (["--messages", "0"], "--messages must be from 1 to 1,000,000,000,000, not 0."),
        (["--bytes", "5", "--largest-entry", "3"], "--largest-entry 3 is less than"),
        (["--messages", "5", "--precise", "--count-entries"], "exclude each other"),
        (["--bytes", "5", "--plot", "x.png"], "--plot needs --messages"),
        (["--messages", "5", "--plot", "x.doc"], "the file must end in .png, .svg, .pdf."),
        (["--messages", "5", "--plot", "/nowhere/x.png"], "/nowhere/x.png: cannot be written"),
    ],
    "simulate --edition DOCUMENTED": [
        (["nothing"], "nothing: cannot be read (No such file or directory); the shipped"),
        (["day", "--strategy", "transfer", "--placement", "round-robin"], "transfer places by"),
        (["day", "--set", "x=1"], "--set: x: is no setting that balancing reads"),
        (["day", "--set", "maxUnloadPercentage"], "--set maxUnloadPercentage: has no value."),
        (["day", "--set", "maxUnloadPercentage=much"], '"much" is no number, true or false.'),
        (["three-brokers", "--out", "/dev/null/x"], "--out /dev/null/x: cannot be written"),
        (["three-brokers", "--out", "tests"], "--out tests: is not empty; choose another folder."),
        (["day", "--set", f"x={'1' * 5000}"], "... is no number, true or false."),
        (["day", "--set", f"x={'[' * 5000}"], "... is no number, true or false."),
    ],
    "segments": [
        (["--stretch", "20"], "is not MINUTES:RATE"),
        (["--stretch", "20:x"], "is not MINUTES:RATE"),
        (["--stretch", "20:1:1:1:1"], "is not MINUTES:RATE"),
        (["--stretch", "0:1"], "minutes: must be 1 to 2000"),
        (["--stretch", "5:1", "--set", "maxSegments=1"], "no setting of splits and merges"),
        (["--stretch", "5:1", "--set", "scalableTopicMaxSegments=x"], "is no number"),
        (["--stretch", "5:1", "--set", "scalableTopicMaxSegments=1.5"], "scalableTopicMaxSegments"),
        (["--stretch", "5:1", "--set", "scalableTopicMaxSegments=0"], "must be 1 to 65536"),
        (["--stretch", "5:1", "--set", "scalableTopicEntryBucketBudget=0"], "must be 1 to 65536"),
    ],
    "trace": [
        (["."], "is no recording"),
        ([".", "--spark", "local[1]"], "it takes neither --spark nor --storage"),
    ],
    "conf": [
        (["nothing.conf", "--line", "4.0.8"], "cannot be read (No such file or directory)"),
        ([AVG, "--line", "4.0.8", "--snapshot", "x.json"], "--snapshot needs --to"),
        (["x", "--line", "latest"], "latest is no release of Pulsar; known are 3.0.7,"),
    ],
    "record": [
        (["--out", "x", "--for", "soon"], "must be a time such as 90s"),
        (["--out", "x", "--service-url", "pulsar://x"], "belong together"),
        (["--out", "x", "--name", "nowhere-at-all"], "There is no cluster in"),
    ],
    "cluster": [
        (["up", "--pulsar", "new"], "--pulsar new is no version"),
        (["up", "--brokers", "0"], "--brokers must be from 1 to 8, not 0."),
        (["up", "--set", "x"], "must be of the form key=value"),
        (["up", "--name", "../x"], "must be 1 to 40 letters"),
        (["status", "--name", "nowhere"], "There is no cluster in"),
        (["logs", "--name", "nowhere"], "There is no cluster in"),
    ],
}


@pytest.mark.parametrize(
    ("command", "arguments", "sentence"),
    [(command, *one) for command, many in BAD.items() for one in many],
)
def test_bad_options_get_one_sentence(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    command: str,
    arguments: list[str],
    sentence: str,
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    done = run("operate", *command.split(), *arguments)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert sentence in done.stderr
