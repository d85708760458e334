"""Show addresses without secrets, and find the proxy of an address.

A part of an address that may be a secret is shown as a short hash.
"""

from __future__ import annotations

import hashlib
import ipaddress
import os
import re
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from leadline.errors import InputError

_ADDRESS = re.compile(r"https?://[^\s,+'\"]+")
_PLACEHOLDER = re.compile(r"\$?\{\w+\}")
_PLAIN = re.compile(r"[A-Za-z_.~-]{0,30}\d{0,4}[A-Za-z_.~-]{0,30}")
_LETTERS = re.compile(r"[A-Z][a-z]*[A-Z][a-z]*[A-Z]")


def shown_address(url: str) -> str:
    """Return scheme, host and path of an address.

    A path with anything but words and version numbers, and what follows the path, may contain a
    key. Then eight hex digits of a hash are shown instead.

    Raises ValueError if it cannot be parsed.
    """
    parts = urlsplit(url)
    host = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}"
    path, *parameters = parts.path.split(";")
    behind = [*parameters, *_values(parts.query), parts.fragment]
    plain = all(map(_is_plain, path.split("/")))
    if plain and not any(_PLACEHOLDER.sub("", each) for each in behind):
        return host + path
    digest = hashlib.sha256(url.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{host}{path if plain else '/'}#{digest}"


def without_keys(text: str) -> str:
    """Return a text, such as a command line, with every address shown without secrets."""

    def shown(found: re.Match[str]) -> str:
        try:
            return shown_address(found[0])
        except ValueError:
            return "https://?"

    return _ADDRESS.sub(shown, text) if "://" in text else text


def is_loopback(host: str) -> bool:
    """Return whether a host is this machine."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def proxy_for(url: str, *, takes_all: bool = True) -> tuple[str, str]:
    """Return the variable that names the proxy of an address, and the proxy's own address.

    Both are empty without a proxy, as for this machine itself.

    takes_all  whether ALL_PROXY counts
    """
    parts = urlsplit(url)
    host = parts.hostname or ""
    if is_loopback(host) or proxy_bypass(host):
        return "", ""
    found = getproxies()
    for scheme in (parts.scheme, "all") if takes_all else (parts.scheme,):
        if address := found.get(scheme):
            names = [name for name in os.environ if name.lower() == f"{scheme}_proxy"]
            return (names or ["the settings of this machine"])[0], address
    return "", ""


def check_certificates() -> None:
    """Raise InputError if a variable names certificates that do not exist."""
    for name in ("SSL_CERT_FILE", "SSL_CERT_DIR"):
        path = os.environ.get(name, "")
        if path and not Path(path).exists():
            raise InputError(
                f"{name}={path} does not exist. Set it to a file of certificates, or unset it."
            )


def _values(query: str) -> list[str]:
    return [each.partition("=")[2] if "=" in each else each for each in query.split("&")]


def _is_plain(segment: str) -> bool:
    """Return whether a part of a path is a word or a version: `search`, `v1`, `my-index_2024`."""
    rest = _PLACEHOLDER.sub("", segment)
    return bool(_PLAIN.fullmatch(rest)) and not _LETTERS.search(rest)
