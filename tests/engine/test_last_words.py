"""The excerpt of a crashed process's errors: the failure, whatever the language."""

from pathlib import Path

import pytest

from evenkeel_engine.subjects.child import LAST_LINES, find_telling
from evenkeel_engine.subjects.session import LINE_LENGTH
from tests.engine.misbehaving import odd, replies, requests

pytestmark = pytest.mark.slow

NODE = """/x/adapter.js:2
function work(t) { return t.a.b; }
                              ^

TypeError: Cannot read properties of undefined (reading 'b')
    at work (/x/adapter.js:2:31)
    at Interface.emit (node:events:524:28)
    at Interface.onError (node:readline:1:1) {
  code: 'E_ODD'
}

Node.js v20.20.2.
"""
PYTHON = """Traceback (most recent call last):
  File "/x/adapter.py", line 9, in <module>
    work(message)
  File "/x/adapter.py", line 3, in work
    return trial["nothing"]
           ~~~~~^^^^^^^^^^^
KeyError: 'nothing'
"""
GO = """2026/01/01 adapter starts
panic: runtime error: index out of range [79] with length 1

goroutine 1 [running]:
main.work(...)
	/x/main.go:3
main.main()
	/x/main.go:4 +0x1d4
exit status 2
"""
JAVA = """Exception in thread "main" java.lang.IllegalStateException: work failed
	at A.work(A.java:2)
	at A.main(A.java:4)
Caused by: java.lang.NumberFormatException: For input string: "x"
	at java.base/java.lang.Integer.parseInt(Integer.java:668)
	at A.work(A.java:2)
	... 1 more
"""
RUST = """thread 'main' panicked at src/main.rs:2:5:
index out of bounds: the len is 1 but the index is 79
note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace
"""


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        (NODE, ["TypeError: Cannot read properties of undefined (reading 'b')", "adapter.js:2:31"]),
        (
            PYTHON,
            ['File "/x/adapter.py", line 3', 'return trial["nothing"]', "KeyError: 'nothing'"],
        ),
        (GO, ["panic: runtime error: index out of range", "/x/main.go:3"]),
        (JAVA, ["Caused by: java.lang.NumberFormatException", "Integer.java:668"]),
        (RUST, ["panicked at src/main.rs:2:5", "the len is 1 but the index is 79"]),
        ("one\n\n  two\n", ["one", "two"]),
    ],
)
def test_failure_and_place_are_reported(text: str, pieces: list[str]) -> None:
    lines = find_telling(text)
    assert len(lines) <= LAST_LINES
    for piece in pieces:
        assert any(piece in line for line in lines), lines


def test_last_lines_are_reported_without_a_failure() -> None:
    assert find_telling("\n".join(map(str, range(50)))) == [str(n) for n in range(40, 50)]


def test_frames_are_no_failures() -> None:
    text = f"Error: first\n{'    at Error.x (y.js:1:1)' + chr(10)}" + "    at f (z.js:1:1)\n" * 20
    assert find_telling(text)[0] == "Error: first"


def test_long_lines_are_cut(tmp_path: Path) -> None:
    behaviour = "def answer(id_, text): sys.exit('ValueError: ' + 'x' * 5000)"
    [reply] = replies(odd(tmp_path, behaviour), requests("a"))
    assert len(str(reply)) < LINE_LENGTH + 200
