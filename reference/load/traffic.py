"""Traffic: messages and bytes per second, in and out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Traffic:
    """What goes through a bundle or a broker: messages per second and bytes per second."""

    msg_rate_in: float = 0.0
    msg_rate_out: float = 0.0
    throughput_in: float = 0.0
    throughput_out: float = 0.0

    @property
    def msg_rate(self) -> float:
        """In plus out, messages per second."""
        return self.msg_rate_in + self.msg_rate_out

    @property
    def throughput(self) -> float:
        """In plus out, bytes per second."""
        return self.throughput_in + self.throughput_out

    def combine(self, other: Traffic, combine: Callable[[float, float], float]) -> Traffic:
        """Each of the four numbers combined with the other's."""
        return Traffic(
            combine(self.msg_rate_in, other.msg_rate_in),
            combine(self.msg_rate_out, other.msg_rate_out),
            combine(self.throughput_in, other.throughput_in),
            combine(self.throughput_out, other.throughput_out),
        )


def total(traffics: Iterable[Traffic]) -> Traffic:
    """The sum, number by number, in the order given."""
    messages_in = messages_out = bytes_in = bytes_out = 0.0
    for traffic in traffics:
        messages_in += traffic.msg_rate_in
        messages_out += traffic.msg_rate_out
        bytes_in += traffic.throughput_in
        bytes_out += traffic.throughput_out
    return Traffic(messages_in, messages_out, bytes_in, bytes_out)
