"""The search of the built site: queries lead to the clause, setting or page meant."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Final

import pytest

SITE: Final = Path(__file__).parent.parent.parent / "build" / "site"
STATIC: Final = Path(__file__).parent.parent.parent / "docs" / "site" / "static"
FIRST: Final = 3
"""What is meant must be among the first results."""
FIRST_OF_USERS: Final = 36
"""How many of the forty searches of users must have it as their first."""
LISTS: Final = re.compile(r"spec/(wire|coverage)")
"""Pages for authors of adapters, and of the documents' statements: they are no answer to a user."""
TABLES: Final = tomllib.loads(Path(__file__).with_name("queries.toml").read_text("utf-8"))
ASKED: Final[dict[str, str]] = {**TABLES["readers"], **TABLES["users"]}
SEARCHES: Final[dict[str, str]] = {**TABLES["others"], **ASKED}
CALL: Final = """
for (const query of JSON.parse(process.argv[2]))
  console.log(JSON.stringify(found(query, SECTIONS).reverse().map((one) => one[0] + one[2])));
"""


@pytest.fixture(scope="module")
def leads_to(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """Where each query leads, the best first."""
    if shutil.which("node") is None:
        pytest.skip("node is not there")
    if not (SITE / "_static" / "sections.js").exists():
        pytest.skip("the site was not made: make site")
    scripts = (SITE / "_static" / "sections.js", STATIC / "search.js")
    code = "\n".join(path.read_text("utf-8") for path in scripts)
    program = tmp_path_factory.mktemp("search") / "search.js"
    program.write_text(f"const document = {{ addEventListener() {{}} }};\n{code}{CALL}", "utf-8")
    command = ["node", str(program), json.dumps([*SEARCHES, *TABLES["titles"]])]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found = map(json.loads, done.stdout.splitlines())
    return dict(zip([*SEARCHES, *TABLES["titles"]], found, strict=True))


@pytest.mark.parametrize("query", SEARCHES)
def test_a_search_leads_to_what_is_meant(leads_to: dict[str, list[str]], query: str) -> None:
    assert SEARCHES[query] in leads_to[query][:FIRST]


def test_most_searches_of_users_lead_to_it_at_once(leads_to: dict[str, list[str]]) -> None:
    assert len(ASKED) == 40
    assert sum(place == leads_to[query][0] for query, place in ASKED.items()) >= FIRST_OF_USERS
    assert sum(place in leads_to[query][:FIRST] for query, place in TABLES["titles"].items()) >= 35


@pytest.mark.parametrize("query", ASKED)
def test_lists_rank_below(leads_to: dict[str, list[str]], query: str) -> None:
    before = leads_to[query][: leads_to[query].index(SEARCHES[query])]
    assert not [place for place in before if LISTS.match(place)]


def test_results_land_on_their_headings(leads_to: dict[str, list[str]]) -> None:
    for place in SEARCHES.values():
        page, _, anchor = place.partition("#")
        text = (SITE / f"{page}.html").read_text("utf-8")
        section = rf'<section id="{anchor}">(\s*<span id="[^"]*"></span>)*\s*<h[1-6]>'
        assert re.search(rf'{section}|<dt id="{anchor}">', text), place
