"""Every operator on a small function: exactly these changes, and none where none may be."""

from __future__ import annotations

import ast
import sys
from textwrap import dedent, indent

import pytest

from evenkeel_engine.mutation.operators import OPERATORS
from evenkeel_engine.mutation.sites import FunctionSource, change_function, render_diff, sites_of

MODULE = "evenkeel.reference.shedding.threshold"
__import__(MODULE)


def source(text: str, module: str = MODULE) -> FunctionSource:
    node = ast.parse(dedent(text)).body[0]
    assert isinstance(node, ast.FunctionDef)
    return FunctionSource(module, node.name, node, node)


def function(body: str) -> FunctionSource:
    return source("def f(a, b, c):\n" + indent(dedent(body).strip(), "    "))


def changes(operator: str, body: str) -> list[str]:
    """The bodies that the operator makes of a function with this body."""
    made = [change_function(site) for site in sites_of(function(body)) if site.operator == operator]
    return ["\n".join(ast.unparse(s) for s in node.body) for node in made]


EXAMPLES = {
    "relation": ("return a < b == c", ["return a >= b == c", "return a < b != c"]),
    "boundary": ("return a < b == c", ["return a <= b == c"]),
    "constant": (
        "return (a + 2, b * 0.5, True)",
        [
            "return (a + 3, b * 0.5, True)",
            "return (a + 1, b * 0.5, True)",
            "return (a + 0, b * 0.5, True)",
            "return (a + 2, b * 0.55, True)",
            "return (a + 2, b * 0.0, True)",
            "return (a + 2, b * 0.5, False)",
        ],
    ),
    "guard": (
        """
        if a:
            return b
        if c:
            b += 1
        return [x for x in c if x] if b else a
        """,
        [
            "pass\nif c:\n    b += 1\nreturn [x for x in c if x] if b else a",
            "if a:\n    return b\nif c:\n    b += 1\nreturn [x for x in c if x]",
            "if a:\n    return b\nif c:\n    b += 1\nreturn a",
            "if a:\n    return b\nif c:\n    b += 1\nreturn [x for x in c] if b else a",
        ],
    ),
    "swap": (
        "return is_above(a - b, a + c, c)",
        ["return is_above(a + c, a - b, c)", "return is_above(b - a, a + c, c)"],
    ),
    "stale": (
        """
        a = g(a)
        return ({**b, 1: 2}, replace(c, x=1, y=2), b | {1: 2})
        """,
        [
            "pass\nreturn ({**b, 1: 2}, replace(c, x=1, y=2), b | {1: 2})",
            "a = g(a)\nreturn (b, replace(c, x=1, y=2), b | {1: 2})",
            "a = g(a)\nreturn ({**b, 1: 2}, c, b | {1: 2})",
            "a = g(a)\nreturn ({**b, 1: 2}, replace(c, y=2), b | {1: 2})",
            "a = g(a)\nreturn ({**b, 1: 2}, replace(c, x=1), b | {1: 2})",
            "a = g(a)\nreturn ({**b, 1: 2}, replace(c, x=1, y=2), b)",
        ],
    ),
    "step": (
        """
        new = 1
        a.append(new)
        b[0] = new
        if c:
            a += 1
        return a
        """,
        [
            "new = 1\npass\nb[0] = new\nif c:\n    a += 1\nreturn a",
            "new = 1\na.append(new)\npass\nif c:\n    a += 1\nreturn a",
            "new = 1\na.append(new)\nb[0] = new\npass\nreturn a",
            "new = 1\na.append(new)\nb[0] = new\nif c:\n    pass\nreturn a",
        ],
    ),
    "early": (
        """
        for x in a:
            if x:
                continue
            b.append(x)
        c.clear()
        b.clear()
        """,
        [
            "for x in a:\n    if x:\n        continue\n    b.append(x)\n    break\n"
            "c.clear()\nb.clear()",
            "for x in a:\n    if x:\n        break\n    b.append(x)\nc.clear()\nb.clear()",
            "for x in a:\n    if x:\n        continue\n    b.append(x)\nreturn\nb.clear()",
        ],
    ),
    "logic": (
        "return a and b and c",
        [
            "return a or b or c",
            "return b and c",
            "return a and c",
            "return a and b",
        ],
    ),
    "extreme": (
        "return min(a, b) + max(c, key=a) + any(c)",
        [
            "return max(a, b) + max(c, key=a) + any(c)",
            "return a + max(c, key=a) + any(c)",
            "return b + max(c, key=a) + any(c)",
            "return min(a, b) + min(c, key=a) + any(c)",
            "return min(a, b) + max(c, key=a) + all(c)",
        ],
    ),
    "arithmetic": (
        """
        a += b // c
        a += [b]
        return "x" + a
        """,
        [
            "a -= b // c\na += [b]\nreturn 'x' + a",
            "a += b / c\na += [b]\nreturn 'x' + a",
        ],
    ),
    "unary": (
        """
        if a:
            return -b
        return not c
        """,
        [
            "if not a:\n    return -b\nreturn not c",
            "if a:\n    return b\nreturn not c",
            "if a:\n    return -b\nreturn c",
        ],
    ),
}


def test_every_operator_has_an_example() -> None:
    assert set(EXAMPLES) == set(OPERATORS)


@pytest.mark.parametrize("operator", EXAMPLES)
def test_changes_of_an_operator(operator: str) -> None:
    body, expected = EXAMPLES[operator]
    assert sorted(changes(operator, body)) == sorted(expected)


@pytest.mark.parametrize(
    "text",
    [
        'def f(a: int = 3) -> int:\n    """More than 3 and less."""\n    return a',
        'def f(a):\n    raise ValueError(f"{a + 1} is more than {2}")',
        'def f(a):\n    assert a < 3\n    return f"{a + 1}"',
        'def f(a):\n    return {"a": "b"}[a]',
        'def f(a):\n    return [require(a, "place", "must be" + " " * 3)]',
        "def f(a):\n    b: dict[int, 3] = a\n    return zip(a, b, strict=True)",
        "def f(a):\n    match a:\n        case 3:\n            return a\n    return a",
    ],
)
def test_excluded_sites(text: str) -> None:
    assert [site.change for site in sites_of(source(text))] == []


def test_only_arguments_of_one_type_change_places() -> None:
    # is_above(score: float, average: float, rules: ThresholdRules)
    assert "is_above" in vars(sys.modules[MODULE])
    swapped = [s for s in sites_of(function("return is_above(a, b, c)")) if s.operator == "swap"]
    assert [site.change for site in swapped] == ["is_above(a, b, c) -> is_above(b, a, c)"]


def test_a_first_assignment_is_no_step() -> None:
    assert changes("step", "new = a\nreturn new") == []


def test_names_count_by_operator_and_diffs_show_the_line() -> None:
    site = sites_of(function("if a < b:\n    return 1\nreturn a > c"))[-1]
    assert site.name.startswith("reference/shedding/threshold.py:f:")
    second = next(
        s for s in sites_of(function("return a < b and b < c")) if s.name.endswith("boundary:1")
    )
    assert render_diff(second).splitlines() == [
        "--- reference/shedding/threshold.py:f",
        "+++ reference/shedding/threshold.py:f:boundary:1",
        "@@ -1,2 +1,2 @@",
        " def f(a, b, c):",
        "-    return a < b and b < c",
        "+    return a < b and b <= c",
    ]
