"""The Java runner of the corpus: it passes on Apache Pulsar's classes, and its corpus is true."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from evenkeel.harness import corpus, corpus_doubts
from evenkeel.properties.catalogue import CLAUSES

ROOT = Path(__file__).resolve().parents[2]
MODULE = ROOT / "adapters" / "evenkeel-vectors"
CORPUS = MODULE / "src" / "main" / "resources" / "evenkeel-vectors"
MOST = 5_000_000


def test_the_shipped_corpus_is_small_and_has_every_clause() -> None:
    vectors = corpus.read(CORPUS)
    assert len(vectors) > 600
    assert sum(path.stat().st_size for path in CORPUS.rglob("*.jsonl")) < MOST
    shown = {id_ for vector in vectors for id_ in vector.clauses}
    judged = {clause.id for clause in CLAUSES}
    assert len(shown & judged) / len(judged) > 0.95, sorted(judged - shown)
    assert json.loads((CORPUS / "schema.json").read_text()) == corpus.SCHEMA


@pytest.mark.slow
def test_every_tenth_vector_is_true() -> None:
    for vector in corpus.read(CORPUS)[::10]:
        assert list(corpus_doubts.problems(vector)) == [], vector.id


@pytest.mark.slow
def test_it_passes_on_pulsars_classes() -> None:
    if shutil.which("mvn") is None or shutil.which("javac") is None:
        pytest.skip("no Maven or no JDK")
    if not (ROOT / "adapters/apache-pulsar/target/lib").is_dir():
        pytest.skip("Apache Pulsar's adapter is not built: make adapter")
    done = subprocess.run(
        ["mvn", "-q", "-B", "package"], cwd=MODULE, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-3000:]
    said = re.search(r"evenkeel-vectors: (\d+) right, (\d+) unsaid, (\d+) skipped", done.stdout)
    assert said is not None, done.stdout[-3000:]
    assert int(said[1]) > 300
    assert int(said[2]) + int(said[3]) < 20
