"""The search of the built site: thirty queries lead to the clause, setting or page meant."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

SITE: Final = Path(__file__).parent.parent.parent / "build" / "site"
STATIC: Final = Path(__file__).parent.parent.parent / "docs" / "site" / "static"
FIRST: Final = 3
"""What is meant must be among the first results."""
SEARCHES: Final = {
    "SHD-85": "spec/shedding#clause-shd-85",
    "OWN-7": "spec/ownership#clause-own-7",
    "bun-17": "spec/bundles#clause-bun-17",
    "THR-39": "spec/throttling#clause-thr-39",
    "grace period": "spec/shedding#clause-shd-3",
    "lower boundary": "spec/shedding#clause-shd-87",
    "heaviest first": "spec/shedding#clause-shd-84",
    "last hash": "spec/bundles#clause-bun-17",
    "hash of a topic": "spec/bundles#clause-bun-3",
    "isolation policy": "spec/placement#clause-plc-23",
    "over-delivery": "spec/throttling#bounds-of-over-delivery",
    "read batch size": "spec/throttling#clause-thr-31",
    "publish rate": "spec/throttling#clause-thr-67",
    "compaction": "spec/ownership#clause-own-40",
    "session lost": "spec/ownership#clause-own-8",
    "lookup redirect": "spec/ownership#clause-own-55",
    "ThresholdShedder": "spec/shedding#thresholdshedder",
    "TransferShedder": "spec/shedding#transfershedder",
    "AvgShedder": "spec/shedding#avgshedder",
    "UniformLoadShedder": "spec/shedding#uniformloadshedder",
    "loadBalancerSheddingGracePeriodMinutes": "spec/shedding#clause-shd-3",
    "loadBalancerBrokerThresholdShedderPercentage": "spec/wire/shedding#thresholdrules",
    "dispatchThrottlingOnNonBacklogConsumerEnabled": "spec/throttling#clause-thr-29",
    "loadBalancerNamespaceBundleMaxTopics": "spec/wire/splitting#splitrules",
    "evenkeel replay": "docs/commands#replay",
    "evenkeel report": "docs/commands#report",
    "adapter new": "docs/commands#adapter-new",
    "baseline": "docs/how-to/run-in-ci#run-in-ci",
    "wire protocol": "spec/wire#the-wire-protocol-version-1",
    "errata": "spec/errata#errata-of-the-documents",
    "tutorial": "docs/tutorial#ten-minutes-with-a-little-balancer",
}


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
    command = ["node", str(program), json.dumps(list(SEARCHES))]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return dict(zip(SEARCHES, map(json.loads, done.stdout.splitlines()), strict=True))


@pytest.mark.parametrize("query", SEARCHES)
def test_a_search_leads_to_what_is_meant(leads_to: dict[str, list[str]], query: str) -> None:
    assert SEARCHES[query] in leads_to[query][:FIRST]


def test_results_land_on_their_headings(leads_to: dict[str, list[str]]) -> None:
    for place in SEARCHES.values():
        page, _, anchor = place.partition("#")
        text = (SITE / f"{page}.html").read_text("utf-8")
        heading = rf'<section id="{anchor}">(\s*<span id="[^"]*"></span>)*\s*<h[1-6]>'
        assert re.search(heading, text), place
