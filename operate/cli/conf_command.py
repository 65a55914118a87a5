"""`evenkeel operate conf`: what a broker.conf breaks, and what an upgrade changes for it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from evenkeel.operate.conf import shipped, upgrade
from evenkeel.operate.conf.conf import Conf, read
from evenkeel.operate.conf.defects import Mended, list_mended, own_of
from evenkeel.operate.conf.lint import LintFinding, lint
from evenkeel.operate.conf.names import SPEED
from evenkeel.operate.conf.rules import BOTH
from evenkeel.operate.conf.trials import MEBIBYTE
from evenkeel.operate.conf.upgrade import (
    DEFAULT_CLAUSES,
    Decision,
    DefaultChange,
    Forecast,
    Promise,
)
from evenkeel.operate.operating import snapshot
from evenkeel.operate.operating.java_properties import plain_number
from evenkeel_engine import spec
from evenkeel_engine.cli.options import Format, FormatOption, Unusable
from evenkeel_engine.cli.output import finish, print_line
from evenkeel_engine.files import write_file
from evenkeel_engine.text import count_noun

SHOWN: Final = 160
"""Characters of an answer that are printed."""
WITH_IT: Final = re.compile(r"[A-Z]{3}-\d+(?=(?: and [A-Z]{3}-\d+)* (?:is|are) broken with it)")


def release_named(text: str) -> str:
    """A release of Pulsar, as 4.0.8. Raises `Unusable`."""
    if not shipped.is_release(text):
        known = ", ".join(shipped.list_releases())
        raise Unusable(f"{text} is no release of Pulsar; known are {known}.")
    return text


def conf(
    path: Annotated[Path, typer.Argument(help="A broker's broker.conf.")],
    line_: Annotated[
        str,
        typer.Option(
            "--line", help="The brokers' release.", parser=release_named, metavar="RELEASE"
        ),
    ],
    to: Annotated[
        str | None,
        typer.Option(
            help="What changes up to this release?", parser=release_named, metavar="RELEASE"
        ),
    ] = None,
    snapshot_: Annotated[
        Path | None,
        typer.Option(
            "--snapshot", help="What both releases would do with this cluster; with --to."
        ),
    ] = None,
    trials: Annotated[
        Path | None,
        typer.Option(help="A folder for the trials, each a file for `evenkeel replay`."),
    ] = None,
    format_: FormatOption = Format.TEXT,
) -> None:
    """Show what a broker.conf breaks, or what an upgrade changes for it.

    What is reported follows from the settings alone: each sentence has its clauses, and a trial in
    which the reference, in the edition of the release, does what the sentence says. Exit status 1:
    a promise is broken, or what is set cannot work; 2: the file cannot be read.
    """
    releases = (line_, to or line_)
    before, after = (read(path, release, line_) for release in releases)
    seen = None if snapshot_ is None else cluster_read(snapshot_, to)
    edition = shipped.edition_of(releases[1])
    found = lint(after, edition)
    data: dict[str, Any] = {"release": line_, "to": to, "notes": note_unknowns(releases, after)}
    data |= {"settings": len(after.values), "settings_known": after.known}
    if format_ is Format.TEXT:
        for note in data["notes"]:
            print_line(f"note: {note}")
        print_findings(found)
    read_ = (
        f"{count_noun(len(after.values), 'setting')} read, {after.known} of balancing or dispatch"
    )
    reported = f"{path.name} in {releases[1]}: {read_}; {count_broken(found)}"
    if to is not None:
        changes = changes_of((before, after), releases)
        forecasts = forecasts_of(seen, (before, after), path, releases)
        gone = gone_of(before, line_, found)
        data |= changes_data(changes, forecasts, gone)
        if format_ is Format.TEXT:
            print_changes(changes)
            print_forecasts(forecasts)
            for one in gone:
                print_line(f"in {line_}, and not in {to}: {one.sentence} ({one.rule.name})")
        reported = f"from {line_} to {to}: {summary_of(changes)}; {reported}"
    mended = list(list_mended(after))
    if format_ is Format.TEXT:
        print_mended(mended, after.release)
    if trials is not None:
        write_trials(found, edition, trials)
    data["mended_later"] = [asdict(one) for one in mended]
    data["findings"] = [one.data(edition) for one in found]
    raise typer.Exit(finish(format_, reported, int(any(one.is_error for one in found)), data))


def cluster_read(path: Path, to: str | None) -> snapshot.Snapshot:
    """A cluster as it was seen. Raises `BadSnapshot`, `Unusable`."""
    if to is None:
        raise Unusable("--snapshot needs --to; `evenkeel operate advise` is about one release.")
    return snapshot.read(path)


def note_unknowns(releases: tuple[str, str], conf: Conf) -> list[str]:
    """What is not known of these releases themselves, and what a broker reads otherwise."""
    asked = dict.fromkeys(releases)
    said = [upgrade.edition_note(release) for release in asked]
    for release in asked:
        known = shipped.find_nearest(release, shipped.list_releases())
        if known != release:
            said.append(f"the defaults of {release} were not looked at: they are those of {known}")
    if conf.left_out:
        said.append(f"services that run no broker are left out: {', '.join(conf.left_out)}")
    speed = float(plain_number(float, conf.text(SPEED)) or 0)
    if speed > 0:
        said.append(
            f"{SPEED} {conf.text(SPEED)} counts for each network card of a machine: with two of "
            f"them its limit is {2 * speed:g} Gbit/s in each direction (LOA-1)"
        )
    share = conf.number("maxUnloadPercentage")
    least = [conf.number(f"minUnloadMessage{what}") for what in ("", "Throughput")]
    if conf.sheds in BOTH and share > 0 < max(least):
        rate, size = (one / share for one in least)
        said.append(
            f"{conf.sheds} leaves brokers alone that differ by less than {rate:,.0f} msg/s and "
            f"{size / MEBIBYTE:,.1f} MiB/s: minUnloadMessage and minUnloadMessageThroughput are "
            "the least that it moves, maxUnloadPercentage of a difference (SHD-23, SHD-36)"
        )
    return [note for note in said if note]


def count_broken(found: list[LintFinding]) -> str:
    """How many errors and warnings were found."""
    errors = sum(one.is_error for one in found)
    return f"{count_noun(errors, 'error')}, {count_noun(len(found) - errors, 'warning')}"


# ------------------------------------------------------------------------------ what is broken


def print_findings(found: list[LintFinding]) -> None:
    """Each with its clauses, its source, and where it is seen."""
    for one in found:
        print_line(f"{one.rule.severity.value}: {one.sentence} ({', '.join(one.rule.clauses)})")
        print_line(f"  {one.rule.name}; source: {one.rule.source}")
        if one.trial is not None:
            seen = json.dumps(one.observed)
            cut = seen if len(seen) <= SHOWN else f"{seen[:SHOWN]} ..."
            print_line(f"  seen in a trial of {one.question}: {cut}")


def print_mended(mended: list[Mended], release: str) -> None:
    """Those of the file's strategy, or that the release's own line mends; how many others."""
    own = [one for one in mended if one.strategy or own_of(release, one.releases)]
    if mended:
        print_line(f"reported, and mended after {release} (docs/track-record.md):")
    for one in own:
        print_line(f"  {one.title} ({one.issues[0]}; mended in {', '.join(one.releases)})")
    if mended[len(own) :]:
        others = len(mended) - len(own)
        print_line(f"  and {others} that later lines alone mend (--format json has all)")


def gone_of(before: Conf, release: str, found: list[LintFinding]) -> list[LintFinding]:
    """What the older release reports of the file, and the newer one does not."""
    still = {one.rule.name for one in found}
    return [one for one in lint(before, shipped.edition_of(release)) if one.rule.name not in still]


def write_trials(found: list[LintFinding], edition: str, folder: Path) -> None:
    """A file for each trial. Raises `Unwritable`."""
    for one in found:
        if one.trial is not None:
            text = json.dumps(one.data(edition)["shown_by"], indent=1)
            write_file(folder / f"{one.rule.name}.json", f"{text}\n", folders=True)


# ------------------------------------------------------------------------------ what changes

Changes = tuple[list[DefaultChange], list[Decision], list[Promise] | None]
"""Of defaults, of decisions, and of promises: None if nothing is known of these."""


def changes_of(confs: tuple[Conf, Conf], releases: tuple[str, str]) -> Changes:
    """All that changes between two releases."""
    one, other = releases
    editions = (shipped.edition_of(one), shipped.edition_of(other))
    data = upgrade.read_conformance()
    return (
        upgrade.changed_defaults(*confs),
        upgrade.changed_decisions(*editions, confs),
        None if data is None else list(upgrade.changed_promises(data, one, other, confs)),
    )


def print_changes(changes: Changes) -> None:
    """What matters to this file, each in a line."""
    defaults, decisions, promises = changes
    clauses = ", ".join(DEFAULT_CLAUSES)
    applying = (f"{one.sentence} ({clauses})" for one in defaults if one.applies)
    print_part("defaults", defaults, applying)
    print_part("decisions", decisions, decision_lines(decisions))
    if promises is None:
        print_line(
            "promises: docs/conformance.json, which has them release by release, is not there"
        )
    else:
        print_part("promises", promises, promise_lines(promises))


def print_part(title: str, every: list[Any], lines: Iterator[str]) -> None:
    """The lines of a part, and how many more changes do not matter to this file."""
    shown = list(lines)
    others = len(every) - sum(one.applies for one in every)
    print_line(f"{title}:{'' if shown else ' none that matters to this file'}")
    for text in shown:
        print_line(f"  {text}")
    if others:
        print_line(f"  and {others} that this file says nothing about (--format json has all)")


def decision_lines(found: list[Decision]) -> Iterator[str]:
    """The changed decisions that matter to this file, each in a line."""
    for one in found:
        if one.applies:
            since = f"; since {one.since}" if one.since else ""
            until = f"; until {one.until}" if one.until else ""
            clauses = ", ".join(one.clauses)
            yield f"{one.sentence} ({clauses}{since}{until}; {one.source})"


def promise_lines(found: list[Promise]) -> Iterator[str]:
    """The changed promises that matter to this file: those that are broken from now on first, but
    for what a line before names as broken with it.
    """
    with_it: set[str] = set()
    for one in sorted(found, key=lambda one: one.is_kept):
        if one.applies and one.clause not in with_it:
            title = spec.find_clause(one.clause).title
            shown = f": {one.shown[0]}" if one.shown and not one.is_kept else ""
            with_it.update(WITH_IT.findall(shown))
            verb = "kept from now on" if one.is_kept else f"{one.after} from now on"
            yield f"{one.clause}, {title}, is {verb}{shown}"


def changes_data(
    changes: Changes, forecasts: list[Forecast], gone: list[LintFinding]
) -> dict[str, Any]:
    """What changes, for programs: also what does not matter to this file."""
    defaults, decisions, promises = changes
    return {
        "defaults": [{**asdict(one), "sentence": one.sentence} for one in defaults],
        "decisions": [asdict(one) for one in decisions],
        "promises": None if promises is None else [asdict(one) for one in promises],
        "forecasts": [asdict(one) for one in forecasts],
        "gone": [one.rule.name for one in gone],
    }


def summary_of(changes: Changes) -> str:
    """How much changes for this file."""
    defaults, decisions, promises = changes
    applying = [sum(one.applies for one in part) for part in (defaults, decisions, promises or [])]
    named = zip(applying, ("default", "decision", "promise"), strict=True)
    return f"{', '.join(count_noun(number, name) for number, name in named)} change for this file"


def forecasts_of(
    seen: snapshot.Snapshot | None, confs: tuple[Conf, Conf], path: Path, releases: tuple[str, str]
) -> list[Forecast]:
    """What both releases would do with a cluster and a file. Raises `BadSnapshot`."""
    if seen is None:
        return []
    found = [upgrade.forecast(seen, c, path, r) for c, r in zip(confs, releases, strict=True)]
    return [one for one in found if one is not None]


def print_forecasts(found: list[Forecast]) -> None:
    """What each would move now, and what becomes of it."""
    if found:
        print_line("this cluster:")
    for one in found:
        moved = ", ".join(f"{bundle} from {source}" for source, bundle, *_ in one.moves[:3])
        named = f" ({moved}{', ...' if len(one.moves) > 3 else ''})" if one.moves else ""
        now = f"would move {count_noun(len(one.moves), 'bundle')} now{named}"
        print_line(f"  {one.release}: {one.sheds} {now}; later: {one.verdict}")
