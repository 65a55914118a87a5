"""Files of ours are written whole or not at all, and by `evenkeel_engine.files` alone."""

from __future__ import annotations

import os
import re
import resource
import shutil
import signal
import stat
import subprocess
import sys
import threading
import tomllib
from pathlib import Path
from typing import Final

import pytest

from evenkeel_engine.files import Unwritable, append, lock_folder, replace_file, write_file
from evenkeel_engine.stored import cases
from tests.command_line import Done, run
from tests.engine.test_faults import EVENKEEL, adapter

QUESTION: Final = "bundles.hash_lookup"
ADD: Final = ["cases", "add", f"{QUESTION}@5:17", "--clause", "BUN-15", "--source", "s"]
BREAKS: Final = "a\u2028b\u2029c\x85d"
"""At each of these characters `str.splitlines` cuts, and JSON may hold them as they are."""
ROOT: Final = Path(__file__).parents[2]
TABLES: Final = tomllib.loads(Path(__file__).with_name("files.toml").read_text("utf-8"))
WRITES: Final = re.compile(
    r"""\.write_(text|bytes)\(|\bopen\([^)]*["'][rb]*[wax+][b+]*["']|\bos\.(open|replace)\("""
    r"""|\bNamedTemporaryFile\(|\.(rename|replace)\((path|place|to)\)"""
)
READS: Final = re.compile(
    r"""(?!.*(__file__|\bfiles\(|joinpath\())(?=.*(\.read_(text|bytes)\(|\bopen\([\w.]+, "r?b"|"""
    r"""\.open\((newline|"r?b")|\bParquetFile\(|\bpq\.read_table\())"""
)
"""A line that opens a file to read it, other than one that is installed with its module."""


def store(folder: Path) -> Path:
    """A copy of a stored file."""
    path = cases.path_of(QUESTION, folder)
    path.parent.mkdir(parents=True)
    shutil.copy(cases.path_of(QUESTION), path)
    return path


def add(path: Path, *words: str) -> Done:
    return run(*ADD, "--to", str(path.parent.parent), *words)


@pytest.mark.slow
@pytest.mark.parametrize("option", ["--title", "--effect"])
def test_a_byte_that_is_no_utf_8_leaves_the_store_as_it_was(tmp_path: Path, option: str) -> None:
    path = store(tmp_path)
    before = path.read_bytes()
    done = add(path, "--title", "x", "--effect", "e", option, os.fsdecode(b"caf\xe9"))
    sentence = f"evenkeel: {option}: is no UTF-8 text (character 4).\n"
    assert (done.returncode, done.stderr) == (2, sentence)
    assert path.read_bytes() == before


@pytest.mark.slow
def test_line_breaks_of_other_alphabets_are_stored_and_read_again(tmp_path: Path) -> None:
    """Also those that a subject says."""
    path = store(tmp_path)
    reason = f"say(type='observation', id=id_, refused=dict(reason={BREAKS!r}, detail=''))"
    subject = adapter(tmp_path, reason)
    words = ["--title", BREAKS, "--effect", BREAKS, "--id", "breaks", "--subject", subject]
    done = add(path, *words, "--bug", BREAKS, "--severity", "cosmetic")
    assert (done.returncode, done.stderr) == (0, "")
    found = cases.find_case("breaks", tmp_path)
    assert found is not None
    assert (found.title, found.find_note("effect")) == (BREAKS, BREAKS)
    assert found.shown.observed == {"refused": {"reason": BREAKS, "detail": ""}}
    assert len(cases.read_file(path).cases) == len(cases.read_cases(QUESTION)) + 1


@pytest.mark.slow
def test_of_cases_that_are_added_at_once_none_is_lost(tmp_path: Path) -> None:
    path = store(tmp_path)
    names = ["one", "two", "three"]
    with lock_folder(path.parent):
        words = [*EVENKEEL, *ADD, "--to", str(tmp_path), "--effect", "e", "--title"]
        adding = [subprocess.Popen([*words, name], stdout=subprocess.PIPE) for name in names]
        with pytest.raises(subprocess.TimeoutExpired):
            adding[0].wait(5)
    assert [one.communicate(timeout=60)[0] and one.returncode for one in adding] == [0, 0, 0]
    stored = {case.id for case in cases.read_file(path).cases}
    assert stored == {*names, *(case.id for case in cases.read_cases(QUESTION))}


def little_space() -> None:
    """As on a full disk, a process can write a kilobyte to a file."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (1024, 1024))


@pytest.mark.slow
def test_a_write_that_fails_in_the_middle_leaves_the_old_file(tmp_path: Path) -> None:
    path = store(tmp_path)
    before = path.read_bytes()
    words = [*EVENKEEL, *ADD, "--to", str(tmp_path), "--effect", "e", "--title", "x"]
    done = subprocess.run(
        words, capture_output=True, text=True, check=False, preexec_fn=little_space
    )
    sentence = f"evenkeel: {path}: cannot be written (File too large).\n"
    assert (done.returncode, done.stderr) == (2, sentence)
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


HALF: Final = """
import sys, time
from pathlib import Path
from evenkeel_engine.files import replace_file
from evenkeel_engine.stopping import stop_in_good_order
stop_in_good_order()
with replace_file(Path(sys.argv[1])) as file:
    file.write(b"half")
    file.flush()
    print("written", flush=True)
    time.sleep(600)
"""


@pytest.mark.usefixtures("_hangups")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_a_signal_in_the_middle_leaves_the_old_file(tmp_path: Path, number: int) -> None:
    path = tmp_path / "file"
    path.write_text("old")
    words = [sys.executable, "-c", HALF, str(path)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == b"written\n"
        writer.send_signal(number)
    assert path.read_text() == "old"
    left = [one.name for one in tmp_path.iterdir() if one != path]
    assert len(left) == (number == signal.SIGKILL), left


def test_what_cannot_be_read_again_is_not_put_in_place(tmp_path: Path) -> None:
    path = store(tmp_path)
    before = path.read_bytes()
    with pytest.raises(cases.BadCase, match=r"hash_lookup\.jsonl: line 2: column 291: is no JSON"):
        cases.store_text(path, before.decode()[:900])
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


def test_a_link_stays_and_so_does_who_may_use_a_file(tmp_path: Path) -> None:
    path, link = tmp_path / "file", tmp_path / "link"
    path.write_text("old")
    path.chmod(0o640)
    link.symlink_to(path)
    write_file(link, "new")
    assert (link.is_symlink(), path.read_text()) == (True, "new")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_pipe_is_written_to(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=write_file, args=(pipe, "text"))
    writer.start()
    assert pipe.read_text() == "text"
    writer.join()
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_lines_are_added_all_or_none(tmp_path: Path) -> None:
    path = tmp_path / "lines"
    append(path, "1\n")
    with pytest.raises(Unwritable, match="UTF-8"):
        append(path, "2\n\ud800\n")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1024, before[1]))
    try:
        with pytest.raises(Unwritable, match="File too large"):
            append(path, "2\n" * 1000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert path.read_text() == "1\n"


def test_a_write_that_the_block_gives_up_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("old")
    with pytest.raises(ZeroDivisionError), replace_file(path) as file:
        file.write(b"%d" % (1 // 0))
    assert (path.read_text(), list(tmp_path.iterdir())) == ("old", [path])


def test_nothing_else_writes_or_reads_a_file_of_a_user() -> None:
    """What `WRITES` finds elsewhere shall use `write_file`, `replace_file` or `append`; what
    `READS` finds `read_bytes`, `read_text` or `read_json`.
    """
    paths = [path for name in TABLES["rooms"] for path in (ROOT / name).rglob("*.py")]
    own = {p.relative_to(ROOT).as_posix(): p.read_text("utf-8") for p in paths}
    own = {name: text for name, text in own.items() if "/templates/" not in name}
    assert {name for name, text in own.items() if WRITES.search(text)} == set(TABLES["writers"])
    reading = {name for name, text in own.items() if any(map(READS.match, text.splitlines()))}
    reading = {name for name in reading if not name.startswith(("benchmarks/", "docs/"))}  # ours
    assert reading == {name for names in TABLES["readers"].values() for name in names}
