"""Names of brokers, namespaces, topics and bundles: what trials require of them."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final
from zlib import crc32

from evenkeel.reference.java_text import is_blank
from evenkeel.reference.load.namespaces import is_monitoring
from evenkeel_engine.kit.names import NameKind
from evenkeel_engine.kit.trial import BadTrial, require, require_name

_WORD: Final = r"[-=:.\w]+"
_NAMESPACE: Final = re.compile(rf"{_WORD}/({_WORD}/)?{_WORD}", re.ASCII)
_TOPIC: Final = re.compile(rf"(non-)?persistent://{_WORD}/{_WORD}/.+", re.ASCII | re.DOTALL)

_BUNDLE: Final = re.compile(
    rf"{_WORD}/(?P<cluster>{_WORD}/)?{_WORD}/0x(?P<start>[0-9a-f]{{8}})_0x(?P<end>[0-9a-f]{{8}})",
    re.ASCII,
)

_BROKER: Final = re.compile(r"[^/\s]+:[0-9]{1,5}")


def require_broker(place: str, name: str) -> None:
    """A broker's name, `host:port`."""
    require_name(place, name)
    require(_BROKER.fullmatch(name) is not None, place, f"{name!r} must be host:port")


def require_namespace(place: str, name: str) -> None:
    """A namespace's name, `tenant/name` or `tenant/cluster/name`."""
    if not _NAMESPACE.fullmatch(name):
        raise BadTrial(place, f"{name!r} must be a namespace's name")


def require_ordinary_namespace(place: str, name: str) -> None:
    """A namespace's name, `tenant/name`, but not that of a broker's heartbeat or SLA monitor, whose
    bundles belong to one broker; a cluster in the name is from before Pulsar 2.
    """
    require_namespace(place, name)
    require(name.count("/") == 1, place, f"{name!r} must be tenant/name")
    require(not is_monitoring(name, clustered=False), place, f"{name!r} is a broker's own")


def require_topic(place: str, name: str) -> None:
    """A topic's complete name, of which hashes are computed."""
    require_name(place, name)
    require(_TOPIC.fullmatch(name) is not None, place, f"{name!r} must be a topic's complete name")


def require_topic_of(place: str, name: str, namespace: str) -> None:
    """A complete name of a topic of this namespace. Without a cluster in the namespace no slash may
    follow: Pulsar would take what is before it for the namespace's name.
    """
    require_topic(place, name)
    rest = name.partition("://")[2]
    own = rest.removeprefix(f"{namespace}/")
    belongs = own != rest and not is_blank(own) and (namespace.count("/") == 2 or "/" not in own)
    require(belongs, place, f"{name!r} must be a topic of {namespace}")


def require_bundle(place: str, name: str) -> None:
    """A bundle's full name, `tenant/name/range` or `tenant/cluster/name/range`."""
    if not is_full_name(name):
        raise BadTrial(place, f"{name!r} must be a bundle's full name")


def require_new_bundle(place: str, name: str) -> None:
    """A bundle's full name without a cluster, as namespaces have none since Pulsar 2."""
    require_bundle(place, name)
    require(name.count("/") == 2, place, f"{name!r} must be tenant/name/range")


@lru_cache(4096)
def is_full_name(name: str) -> bool:
    """Whether a text is a bundle's full name; Pulsar refuses a range that holds no hash."""
    found = _BUNDLE.fullmatch(name)
    return found is not None and found["start"] < found["end"]


NAME_KINDS: Final = (
    NameKind(re.compile(r".+/0x[0-9a-f]{8}_0x[0-9a-f]{8}").fullmatch, letter="b", least=2),
    NameKind(
        re.compile(r"(non-)?persistent://.+/.+", re.DOTALL).fullmatch,
        letter="t",
        remark=lambda topic: f", hash {crc32(topic.encode(errors='surrogatepass')):#010x}",
    ),
)
"""Bundles, where there are several, and topics."""
