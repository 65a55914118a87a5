"""A campaign's folder: whose it is, and that its tables hold what was put into them."""

import json
import os
import re
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from evenkeel_engine.campaign.errors import CampaignUnusable
from evenkeel_engine.campaign.folder import Folder
from evenkeel_engine.campaign.tables import SCHEMAS, Common, read_rows, write_table
from evenkeel_engine.campaign.worker import Order, Summary, run_blocks
from evenkeel_engine.check.seeded import Block
from evenkeel_engine.check.tally import Tally
from tests.engine.test_seeded import merge_tallies

COMMON = Common("c1", "reference PULSAR_4_0", "DOCUMENTED")
IDENTITY = {"seed": 1, "trials": 10}
ORDER = Order("reference:PULSAR_4_0", "DOCUMENTED")


def summaries_of(*blocks: Block) -> list[Summary]:
    return list(run_blocks(ORDER, lambda summary: None, [blocks]))


def merge_summaries(summaries: list[Summary]) -> Tally:
    return merge_tallies(summary.tally for summary in summaries)


def test_a_half_written_part_does_not_count(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    folder.open(IDENTITY, "c1")
    (tmp_path / "parts" / "000000.new").mkdir(parents=True)
    wave = summaries_of(Block("bundles.range", 1, 0, 10))
    folder.write_part(merge_summaries(wave), wave)
    assert [part.name for part in folder.list_parts()] == ["000000"]


def cut(path: Path, _: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def empty_file(path: Path, _: Path) -> None:
    path.write_bytes(b"")


def exchange_files(path: Path, other: Path) -> None:
    here, there = path.read_bytes(), other.read_bytes()
    path.write_bytes(there)
    other.write_bytes(here)


def drop_row(path: Path, _: Path) -> None:
    pq.write_table(pq.read_table(path).slice(1), path)


@pytest.mark.parametrize("damage", [cut, empty_file, exchange_files, drop_row])
def test_a_damaged_part_is_named_when_the_folder_is_opened(
    tmp_path: Path, damage: Callable[[Path, Path], None]
) -> None:
    folder = Folder(tmp_path / "c")
    folder.open(IDENTITY, "c1")
    for start in (0, 300):
        wave = summaries_of(Block("bundles.hash_lookup", 1, start, 300))
        folder.write_part(merge_summaries(wave), wave)
    tally, _ = folder.read_parts()
    assert tally.failures
    first, second = folder.list_parts()
    for table in SCHEMAS:
        kept = [(part / f"{table}.parquet").read_bytes() for part in (first, second)]
        if kept[0] == kept[1] and damage is exchange_files:
            continue
        damage(first / f"{table}.parquet", second / f"{table}.parquet")
        if (first / f"{table}.parquet").read_bytes() != kept[0]:
            with pytest.raises(CampaignUnusable, match=rf"The part {first} .*; remove it"):
                folder.read_parts()
        for part, content in zip((first, second), kept, strict=True):
            (part / f"{table}.parquet").write_bytes(content)
    folder.read_parts()
    shutil.rmtree(first)
    _, done = folder.read_parts()
    assert done == {Block("bundles.hash_lookup", 1, 300, 300)}


def test_a_damaged_line_of_what_is_shrunk_does_not_count(tmp_path: Path) -> None:
    folder = Folder(tmp_path)
    rows = [{"signature": "a", "found": {"size": 1}}, {"signature": "b", "found": {"size": 2}}]
    folder.keep_shrunk(rows)
    path = tmp_path / "parts" / "shrunk.jsonl"
    whole = path.read_bytes()
    assert folder.read_shrunk() == rows
    path.write_bytes(
        b'\xff\xfe\n{}\n[1, {}]\n"found"\n' + whole.replace(b'"size": 1', b'"size": 3')
    )
    assert folder.read_shrunk() == rows[1:]
    path.write_bytes(whole[:-4])
    assert folder.read_shrunk() == rows[:1]


def test_finished_tables_have_checksums(tmp_path: Path) -> None:
    """Every change of a byte of a page is found; of some in its header nothing depends."""
    rows = [{"clause": f"BUN-{n}", "status": "holds", "count": n} for n in range(50)]
    write_table(tmp_path / "tally.parquet", pa.Table.from_pylist(rows), COMMON)
    path = tmp_path / "tally.parquet"
    content = path.read_bytes()
    right = read_rows(tmp_path, "tally")
    for at in range(4, len(content), 7):
        path.write_bytes(content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :])
        with suppress(CampaignUnusable):
            assert read_rows(tmp_path, "tally") == right


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


def test_a_pipe_in_a_folder_does_not_block(tmp_path: Path) -> None:
    part = tmp_path / "parts" / "000000"
    part.mkdir(parents=True)
    for path in ("campaign.json", "tally.parquet", "parts/shrunk.jsonl", part / "sha256.json"):
        os.mkfifo(tmp_path / path)
    with pytest.raises(CampaignUnusable, match="describes no campaign"):
        Folder(tmp_path).read_state()
    with pytest.raises(CampaignUnusable, match=r"000000 cannot be used .is no regular file"):
        Folder(tmp_path).read_parts()
    with pytest.raises(CampaignUnusable, match=r"tally\.parquet is no regular file"):
        read_rows(tmp_path, "tally")
    assert Folder(tmp_path).read_shrunk() == []


LIKE_ONE = {"format": "evenkeel campaign 3", "campaign": {}, "id": "c1"}


@pytest.mark.parametrize(
    "text",
    [
        *("", "[]", "{}", json.dumps({**LIKE_ONE, "campaign": {"subject": ["x"]}})),
        *(json.dumps({**LIKE_ONE, "tables": wrong}) for wrong in (None, {"x": ""})),
    ],
)
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
    tables = page.read_text(encoding="utf-8").partition("## The tables")[2].split("\n### ")[1:]
    described = {
        table.partition("\n")[0]: re.findall(r"^\| `(\w+)` \| (\w+) \|", table, re.M)
        for table in tables
    }
    assert described == {
        name: [(field.name, str(field.type)) for field in schema]
        for name, schema in SCHEMAS.items()
    }
