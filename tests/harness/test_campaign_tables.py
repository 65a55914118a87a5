"""A campaign's folder: whose it is, and that its tables hold what was put into them."""

import json
import os
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from evenkeel.harness.campaign.errors import CampaignUnusable
from evenkeel.harness.campaign.folder import Folder
from evenkeel.harness.campaign.tables import COMMON as COMMON_COLUMNS
from evenkeel.harness.campaign.tables import (
    FORMAT,
    SCHEMAS,
    Common,
    documented,
    read_rows,
    read_tally,
)
from evenkeel.harness.campaign.worker import Order, Summary, run_blocks
from evenkeel.harness.seeded import Block
from evenkeel.harness.tally import Tally

COMMON = Common("c1", "reference PULSAR_4_0", "DOCUMENTED")
IDENTITY = {"seed": 1, "trials": 10}
ORDER = Order("reference:PULSAR_4_0", "DOCUMENTED")


def summaries_of(*blocks: Block) -> list[Summary]:
    return list(run_blocks(ORDER, lambda summary: None, [blocks]))


def merged(summaries: list[Summary]) -> Tally:
    tally = Tally()
    for summary in summaries:
        tally.merge(summary.tally)
    return tally


def test_tables_round_trip(tmp_path: Path) -> None:
    waves = [
        summaries_of(Block("bundles.range", 1, 300, 300)),
        summaries_of(Block("bundles.range", 1, 0, 300), Block("bundles.hash_lookup", 1, 0, 200)),
    ]
    waves[0][0].tally.skipped["bundles.range", "no, thank you"] = 2
    waves[1][0].tally.errored["bundles.range", "it crashed"] = 1
    folder, everything = Folder(tmp_path / "c"), [s for wave in waves for s in wave]
    folder.open(IDENTITY, "c1")
    for wave in waves:
        folder.write_part(merged(wave), wave)
    tally, done = folder.read_parts()
    assert tally == merged(everything)
    assert done == {summary.block for summary in everything}
    whole = [Block("bundles.hash_lookup", 1, 0, 200), Block("bundles.range", 1, 0, 600)]
    folder.merge_parts(tally, whole, COMMON)
    folder.drop_parts()
    assert read_tally(folder.path) == tally
    failures = read_rows(folder.path, "failures")
    assert len(failures) == sum(tally.failures.values()) > 0
    places = [(f["question"], f["seed"], f["index"], f["clause"], f["kind"]) for f in failures]
    assert places == sorted(places)
    assert {f["signature"] for f in failures} == set(tally.failures)
    for name, schema in SCHEMAS.items():
        written = pq.read_table(folder.path / f"{name}.parquet")
        assert written.column_names == [*COMMON_COLUMNS, *schema.names]
        assert written.schema.metadata[b"evenkeel"] == FORMAT.encode()
        assert set(written["campaign"].to_pylist()) <= {"c1"}
    blocks = read_rows(folder.path, "blocks")
    assert [(row["question"], row["start"], row["trials"]) for row in blocks] == [
        ("bundles.hash_lookup", 0, 200),
        ("bundles.range", 0, 600),
    ]


def test_a_half_written_part_does_not_count(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    folder.open(IDENTITY, "c1")
    (tmp_path / "parts" / "000000.new").mkdir(parents=True)
    wave = summaries_of(Block("bundles.range", 1, 0, 10))
    folder.write_part(merged(wave), wave)
    assert [part.name for part in folder.parts()] == ["000000"]
    (folder.parts()[0] / "tally.parquet").write_bytes(b"no parquet")
    with pytest.raises(CampaignUnusable, match="cannot be read"):
        folder.read_parts()


def test_only_this_very_campaign_may_go_on(tmp_path: Path) -> None:
    first = Folder(tmp_path)
    first.open(IDENTITY, "c1")
    with pytest.raises(CampaignUnusable, match="Another process runs a campaign in"):
        Folder(tmp_path).open(IDENTITY, "c1")
    first.close()
    again = Folder(tmp_path)
    assert again.open(IDENTITY, "c1")["finished"] is False
    again.close()
    with pytest.raises(CampaignUnusable, match=r"another campaign \(seed 1 there, 2 here\)"):
        Folder(tmp_path).open({**IDENTITY, "seed": 2}, "c2")


def test_foreign_folder_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(CampaignUnusable, match="is not empty and holds no campaign"):
        Folder(tmp_path).open(IDENTITY, "c1")
    assert os.listdir(tmp_path) == ["thesis.txt"]


@pytest.mark.parametrize("text", ["", "[]", "{}", json.dumps({"format": "evenkeel campaign 1"})])
def test_a_spoilt_description_is_one_sentence(tmp_path: Path, text: str) -> None:
    (tmp_path / "campaign.json").write_text(text)
    with pytest.raises(CampaignUnusable, match="describes no campaign"):
        Folder(tmp_path).open(IDENTITY, "c1")


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(CampaignUnusable, match="cannot be used"):
        Folder(tmp_path / "file").open(IDENTITY, "c1")


def test_the_page_describes_every_column() -> None:
    page = Path(__file__).parents[2] / "docs/how-to/campaign-on-a-cluster.md"
    assert page.read_text(encoding="utf-8").endswith(documented())
