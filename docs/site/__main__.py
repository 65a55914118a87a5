"""`python -m docs.site SOURCES`: writes the site's sources."""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path
from typing import Final

from docs.site import chapters, editions, interactive, keys, npm, packs, prose
from docs.site.cases import write_cases
from docs.site.worked_examples import Wrong

HERE: Final = Path(__file__).parent
OF_WORKERS: Final = "worker.js"
"""It goes into the runtime, since a page cannot read it from a folder."""
MERMAID: Final = "mermaid.min.js"


def main() -> int:
    """Write the sources; 2 where that cannot be done."""
    parser = argparse.ArgumentParser(prog="python -m docs.site", description=__doc__)
    parser.add_argument("sources", type=Path, help="the folder that is created again")
    parser.add_argument("--archives", type=Path, default=Path("build/npm"), help="npm's archives")
    options = parser.parse_args()
    try:
        write(options.sources, options.archives)
    except (npm.CannotFetch, Wrong) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


def write(sources: Path, archives: Path) -> None:
    """All pages and what they load."""
    shutil.rmtree(sources, ignore_errors=True)
    static = sources / "_static"
    static.mkdir(parents=True)
    for path in (HERE / "static").iterdir():
        if path.name != OF_WORKERS:
            shutil.copy(path, static / path.name)
    (static / MERMAID).write_bytes(npm.file_of("mermaid", f"dist/{MERMAID}", archives))
    packs.write_runtime(static / "runtime.js", archives)
    write_cases(static / "cases.js")
    for name in ("conf.py", "sections.py"):  # Sphinx's settings, and its extension
        shutil.copy(HERE / name, sources / name)
    pages = {
        **chapters.pages(),
        **editions.pages(),
        **interactive.pages(),
        **prose.pages(),
        "keys": keys.page(),
    }
    for name, text in pages.items():
        page = sources / f"{name}.md"
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(text, "utf-8")


if __name__ == "__main__":
    sys.exit(main())
