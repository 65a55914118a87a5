from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from evenkeel.properties.mutant_maker import Function, defect, switched
from evenkeel.reference.edition import PULSAR_4_0
from evenkeel.reference.placement import isolation, spreading, versions
from evenkeel.reference.placement.message_rate import NoReport


def with_port(broker: str) -> str:
    return broker


def port_or_host(original: Function) -> Function:
    return lambda expressions, text: (
        original(expressions, text) or original(expressions, f"{text}:8080")
    )


def prefix_matches(original: Function) -> Function:
    return lambda expressions, text: (
        any(text.startswith(e) for e in expressions) or original(expressions, text)
    )


def everybody_if_none(original: Function) -> Function:
    return lambda policy, brokers: original(policy, brokers) or tuple(brokers)


def always_secondary(original: Function) -> Function:
    return lambda policy, brokers: original(replace(policy, least=100), brokers)


def never_secondary(original: Function) -> Function:
    return lambda policy, brokers: original(replace(policy, least=0), brokers)


def at_most(original: Function) -> Function:
    return lambda policy, brokers: original(replace(policy, least=policy.least + 1), brokers)


def all_share(original: Function) -> Function:
    return lambda policies, brokers, accepts: tuple(b for b in brokers if accepts(b))


def all_topics(original: Function) -> Function:
    return lambda policies, brokers, accepts: original(policies, brokers, lambda broker: True)


def same_case_only(original: Function) -> Function:
    def members(bundles: Any, groups: Any, group: str, every_bundle: bool) -> int:
        alike = {namespace: known for namespace, known in groups.items() if known == group}
        return int(original(bundles, alike, group, every_bundle))

    return members


def every_bundle(original: Function) -> Function:
    return lambda bundles, groups, group, _: original(bundles, groups, group, True)


def without_domains(original: Function) -> Function:
    return lambda given, counts, domains: original(given, counts, {})


def domains_only(original: Function) -> Function:
    def apart(given: Sequence[str], counts: Any, domains: Any) -> Any:
        if not domains:
            return original(given, counts, domains)
        return original(given, dict.fromkeys(counts, 1), domains) if given else ()

    return apart


def most(original: Function) -> Function:
    def fewest(given: Sequence[str], counts: Any) -> Any:
        return original(given, {broker: -count for broker, count in counts.items()})

    return fewest


def vanishing(original: Function) -> Function:
    def fewest(given: Sequence[str], counts: Any) -> Any:
        if given and not any(counts.values()):
            raise NoReport("the counts were emptied after they had been found")
        return original(given, counts)

    return fewest


def all_namespaces(original: Function) -> Function:
    return lambda namespace, bundles: len(bundles)


def as_text(original: Function) -> Function:
    def newest(known: Any, edition: Any) -> Any:
        if original(known, edition) is None:
            return None
        return tuple(b for b in known if known[b] == max(known.values()))

    return newest


def strange_is_old(original: Function) -> Function:
    def newest(known: Any, edition: Any) -> Any:
        readable = {b: v for b, v in known.items() if versions.read(v, False)}
        return original(readable, edition) if readable else None

    return newest


def early_is_late(original: Function) -> Function:
    def read(text: str | None, in_32_bits: bool) -> Any:
        found = original(text, in_32_bits)
        return found and replace(found, words=())

    return read


RULES: Final = (
    defect(
        "policy-matched-with-port",
        isolation,
        "host",
        lambda _: with_port,
        "A policy that names hosts matches nothing; its namespaces cannot be served.",
        "SH38",
    ),
    defect(
        "policy-matched-with-port-too",
        isolation,
        "matches",
        port_or_host,
        "A policy that names a port is applied, by some brokers only.",
        "SH38",
    ),
    defect(
        "policy-matched-by-prefix",
        isolation,
        "matches",
        prefix_matches,
        "host-1 stands for host-10 as well.",
    ),
    defect(
        "empty-policy-ignored",
        isolation,
        "isolated",
        everybody_if_none,
        "Where a policy's brokers are down, the namespace is served anywhere.",
    ),
    defect(
        "secondary-from-the-start",
        isolation,
        "isolated",
        always_secondary,
        "Secondary brokers are used although enough primary ones are there.",
    ),
    defect(
        "never-secondary",
        isolation,
        "isolated",
        never_secondary,
        "Where primary brokers are down, nobody takes over.",
    ),
    defect(
        "secondary-at-the-limit",
        isolation,
        "isolated",
        at_most,
        "Secondary brokers are used when just enough primary ones are there.",
    ),
    defect(
        "primary-brokers-shared",
        isolation,
        "shared",
        all_share,
        "A namespace's own brokers serve others as well.",
    ),
    defect(
        "sort-of-topics-ignored",
        isolation,
        "shared",
        all_topics,
        "A bundle is given to a broker that refuses its topics.",
    ),
    defect(
        "groups-with-case",
        spreading,
        "members",
        same_case_only,
        "Groups that differ in case only are not kept apart.",
    ),
    defect(
        "groups-count-bundles",
        spreading,
        "members",
        every_bundle,
        "A namespace with many bundles counts many times.",
    ),
    defect(
        "failure-domains-ignored",
        spreading,
        "apart",
        without_domains,
        "A group's namespaces are on different brokers of the same rack.",
    ),
    defect(
        "failure-domains-only",
        spreading,
        "apart",
        domains_only,
        "A group's namespaces are on the same broker of the right rack.",
    ),
    defect(
        "most-instead-of-fewest",
        spreading,
        "fewest_of",
        most,
        "Bundles of a namespace gather on one broker.",
    ),
    defect(
        "counts-vanish-between-two-looks",
        spreading,
        "fewest_of",
        vanishing,
        "While another thread renews the map, a broker without an entry breaks the lookup.",
        "SH50",
    ),
    defect(
        "all-bundles-spread",
        spreading,
        "bundles_of",
        all_namespaces,
        "What is spread evenly is the number of all bundles.",
    ),
    defect(
        "versions-as-text",
        versions,
        "newest",
        as_text,
        "4.0.8 is taken for newer than 4.0.10.",
    ),
    defect(
        "release-candidates-are-releases",
        versions,
        "read",
        early_is_late,
        "A release candidate is as new as the release.",
    ),
    defect(
        "versions-in-32-bits",
        versions,
        "newest",
        switched(versions_in_32_bits=True),
        "Of two builds named by their date the older one is taken for newer.",
    ),
    defect(
        "versions-of-any-size-in-4-0",
        versions,
        "newest",
        switched(versions_in_32_bits=False),
        "Versions are compared as semver.org says, unlike in 4.0.",
        edition=PULSAR_4_0,
    ),
    defect(
        "strange-versions-passed-over",
        versions,
        "newest",
        strange_is_old,
        "A broker without a version is dropped, where 4.0 gives up comparing.",
        edition=PULSAR_4_0,
    ),
)
