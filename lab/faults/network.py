"""A network of hosts on this machine, whose links can be cut, slow and lossy.

Each host is a network namespace with one device, and this process carries the packets. A cut link
is therefore silent, as in a real network, and no connection is closed.
"""

from __future__ import annotations

import fcntl
import os
import random
import selectors
import struct
import subprocess
from contextlib import suppress
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count
from pathlib import Path
from threading import Thread
from time import monotonic
from typing import Any

SETIFF, TUN = 0x400454CA, 0x1001  # Linux: a device for packets without further headers
LARGEST = 65536  # bytes per packet
AHEAD = 500  # packets queued in a device


@dataclass(frozen=True)
class Link:
    """The quality of the link between two hosts."""

    cut: bool = False
    delay: float = 0.0  # seconds in each direction
    loss: float = 0.0  # share of lost packets


GOOD = Link()


class Host:
    """A host of the network.

    Args:
        address: its IPv4 address.
        device: the file descriptor of its packets.
        prefix: words that make a command run on this host.
    """

    def __init__(self, address: str, device: int, prefix: list[str]) -> None:
        self.address = address
        self.device = device
        self.number = int(address.rpartition(".")[2])
        self._prefix = prefix

    def start(self, command: list[str], **options: Any) -> subprocess.Popen[bytes]:
        """Start a program on this host, without a process between."""
        return subprocess.Popen([*self._prefix, *command], **options)

    def run(self, command: list[str], **options: Any) -> None:
        """Run a program on this host to its successful end."""
        subprocess.run([*self._prefix, *command], check=True, **options)


class Network(Thread):
    """All hosts, and the links between them."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self._hosts: dict[int, Host] = {}
        self._links: dict[frozenset[int], Link] = {}
        self._selector = selectors.DefaultSelector()
        self._late: list[tuple[float, int, int, bytes]] = []  # time, tie-breaker, host, packet
        self._numbers = count()

    def here(self) -> Host:
        """Return this process as a host."""
        return self._add([], None)

    def host(self) -> Host:
        """Create a host."""
        holder = subprocess.Popen(["unshare", "--net", "sleep", "infinity"])
        namespace = Path(f"/proc/{holder.pid}/ns/net")
        while namespace.readlink() == Path("/proc/self/ns/net").readlink():
            assert holder.poll() is None
        return self._add(["nsenter", f"--net={namespace}", "--"], holder.pid)

    def _add(self, prefix: list[str], namespace: int | None) -> Host:
        number = len(self._hosts) + 1
        name, address = f"faults{number}", f"10.9.0.{number}"
        device = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
        fcntl.ioctl(device, SETIFF, struct.pack("16sH22x", name.encode(), TUN))
        if namespace:
            run(["ip", "link", "set", name, "netns", str(namespace)])
        run([*prefix, "ip", "link", "set", "lo", "up"])
        run([*prefix, "ip", "address", "add", f"{address}/24", "dev", name])
        run([*prefix, "ip", "link", "set", name, "up", "txqueuelen", str(AHEAD)])
        host = self._hosts[number] = Host(address, device, prefix)
        self._selector.register(device, selectors.EVENT_READ)
        return host

    def set(self, one: Host, other: Host, link: Link) -> None:
        """Set the link between two hosts."""
        self._links[frozenset((one.number, other.number))] = link

    def run(self) -> None:
        """Carry packets for as long as this process lives."""
        while True:
            wait = max(0.0, self._late[0][0] - monotonic()) if self._late else 1.0
            for key, _ in self._selector.select(wait):
                with suppress(BlockingIOError):
                    while True:
                        self._take(os.read(key.fd, LARGEST))
            while self._late and self._late[0][0] <= monotonic():
                _, _, to, packet = heappop(self._late)
                self._deliver(to, packet)

    def _take(self, packet: bytes) -> None:
        one, other = packet[15], packet[19]  # the last bytes of IPv4 addresses
        if packet[0] >> 4 != 4 or other not in self._hosts:
            return
        link = self._links.get(frozenset((one, other)), GOOD)
        if link.cut or random.random() < link.loss:
            return
        if link.delay:
            heappush(self._late, (monotonic() + link.delay, next(self._numbers), other, packet))
        else:
            self._deliver(other, packet)

    def _deliver(self, to: int, packet: bytes) -> None:
        with suppress(OSError):  # its queue is full, so the packet is lost
            os.write(self._hosts[to].device, packet)


def run(command: list[str]) -> None:
    """Run a program to its end."""
    subprocess.run(command, check=True)
