"""Whose address a request comes from, where proxies stand in between."""

import logging
import re
from ipaddress import ip_address, ip_network

log = logging.getLogger("twofold.http")
_FORWARDED_FOR = re.compile(r'(?:^|[;,])\s*for="?\[?([^;,"\]]*)', re.IGNORECASE)


class Addresses:
    """Believes forwarding headers of `trusted` peers (addresses or networks) only, and warns once of others'."""

    def __init__(self, trusted: str) -> None:
        self._trusted = [ip_network(part.strip(), strict=False) for part in trusted.split(",") if part.strip()]
        self._warned = False

    def of(self, peer: str, headers: dict[bytes, bytes]) -> str:
        hops = _hops(headers)
        if not hops:
            return peer
        if not self._trusts(peer):
            if not self._warned:
                self._warned = True
                log.warning("forwarding headers from %s are ignored: it is not in TWOFOLD_TRUSTED_PROXIES", peer)
            return peer
        for hop in reversed(hops):
            address = hop.strip()
            if not _is_address(address):
                return peer
            if not self._trusts(address):
                return address
        return peer

    def _trusts(self, peer: str) -> bool:
        if not self._trusted or not _is_address(peer):
            return False
        address = ip_address(peer)
        return any(address in network for network in self._trusted)


def is_direct_loopback(peer: str, headers: dict[bytes, bytes]) -> bool:
    """A process on this machine, with no proxy in between."""
    return _is_address(peer) and ip_address(peer).is_loopback and not any(map(_tells_of_a_proxy, headers))


def _hops(headers: dict[bytes, bytes]) -> list[str]:
    """What proxies wrote of where the request came from, the last one's word last."""
    if (listed := headers.get(b"x-forwarded-for")) is not None:
        return listed.decode("latin-1").split(",")
    if (forwarded := headers.get(b"forwarded")) is not None:
        return _FORWARDED_FOR.findall(forwarded.decode("latin-1"))
    return []


def _tells_of_a_proxy(header: bytes) -> bool:
    return header in (b"forwarded", b"via") or header.startswith(b"x-forwarded-")


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True
