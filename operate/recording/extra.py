"""The libraries of the extra `live`, imported when they are needed."""

from __future__ import annotations

import os
from importlib import import_module
from typing import Any

from evenkeel.operate.cluster.errors import ClusterUnusable
from evenkeel_engine.extras import find_install_command


def import_needed(name: str) -> Any:
    """The module. Raises `ClusterUnusable`."""
    try:
        return import_module(name)
    except ImportError as error:
        raise ClusterUnusable(
            f"This needs pulsar-client and kazoo: {find_install_command('live')}."
        ) from error


def open_client(
    service_url: str, token: str | None, authorities: str | None, **options: Any
) -> Any:
    """A Pulsar client that prints nothing. Raises `ClusterUnusable`."""
    pulsar = import_needed("pulsar")
    if token is not None:
        options["authentication"] = pulsar.AuthenticationToken(token)
    if authorities is not None:
        options["tls_trust_certs_file_path"] = authorities
    quiet = pulsar.FileLogger(pulsar.LoggerLevel.Error, os.devnull)
    try:
        return pulsar.Client(service_url, logger=quiet, **options)
    except (pulsar.PulsarException, ValueError, RuntimeError) as error:
        raise ClusterUnusable(f"--service-url {service_url}: {error}.") from error
