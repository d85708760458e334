"""Changes to a good file that make a bad one, all drawn from one seeded generator."""

import gzip
import json
import zlib
from random import Random
from typing import Any

TOKENS = [
    b"", b"\0", b"\n", b"\r\n", b"\t", b" ", b",", b'"', b"'", b":", b"{", b"}", b"[", b"]", b"&a ",
    b"*a", b"<<: *a", b"!!python/name:os.system ", b"!!timestamp ", b"!!float x", b"0b_", b"._",
    b"2020-13-45", b"1:2:3", b"~", b"null", b"true", b"NaN", b"Infinity", b"-Infinity", b"1e999",
    b"-1", b"0", b"9" * 400, b"9" * 5000, b"\xff\xfe", b"\xef\xbb\xbf", b"\xed\xa0\x80",
    b"\\ud800", b"\\u0000", b"\xe2\x80\xa8", b"\xf0\x9f\x98\x80", b"../../x", b"%2e%2e/", b"%",
    b"/dev/zero", b"${HOME}", b"{query}", b"<a ", b"<!--", b"<![", b"<![CDATA[", b"</", b"<?",
    b"&#", b"<script>", b"<title>", b"<b>", b"# ", b"```", b"---\n", b"|", b">",
    b"Q99999999999999999999", b"\x1f\x8b", b"PAR1", b"percent-encoded:", b"Q0",
]  # fmt: skip

VALUES: list[Any] = [
    None, True, False, 0, -1, 1.5, 10**400, -(10**30), float("nan"), float("inf"), "", "a", "\0",
    "\ud800", "x" * 5000, "9" * 5000, "../../x", "report.json", [], [[]], {}, {"a": "b"}, [None],
    [1, "a"], {"": ""}, "nan", "2020-13-45", {"value": {"id": 1}}, [{"a": [1]}],
]  # fmt: skip


def mutated(content: bytes, random: Random) -> bytes:
    """Return the content after one to four changes of its bytes or of a record in it."""
    for _ in range(random.randint(1, 4)):
        content = random.choice(_CHANGES)(content, random)
        if len(content) > 2_000_000:
            return content
    return content


def _flipped(content: bytes, random: Random) -> bytes:
    changed = bytearray(content)
    for _ in range(random.randint(1, 8)):
        if changed:
            changed[random.randrange(len(changed))] = random.randrange(256)
    return bytes(changed)


def _inserted(content: bytes, random: Random) -> bytes:
    at = random.randint(0, len(content))
    return content[:at] + random.choice(TOKENS) + content[at:]


def _repeated(content: bytes, random: Random) -> bytes:
    at = random.randint(0, len(content))
    token = random.choice(TOKENS) + random.choice(TOKENS)
    return content[:at] + token * random.choice((3, 50, 2000, 30_000)) + content[at:]


def _cut(content: bytes, random: Random) -> bytes:
    start, end = sorted((random.randint(0, len(content)), random.randint(0, len(content))))
    return random.choice((content[:end], content[start:], content[:start] + content[end:]))


def _doubled(content: bytes, random: Random) -> bytes:
    start = random.randint(0, len(content))
    end = min(len(content), start + random.choice((1, 10, 100, 1000)))
    return content[:end] + content[start:end] * random.choice((1, 2, 100)) + content[end:]


def _record_changed(content: bytes, random: Random) -> bytes:
    """Put a value of another kind somewhere into a record of JSON, where there is one."""
    lines = content.split(b"\n")
    places = [number for number, line in enumerate(lines) if line[:1] in (b"{", b"[")]
    if not places:
        return _inserted(content, random)
    number = random.choice(places)
    end = b"," if lines[number].endswith(b",") else b""
    try:
        record = json.loads(lines[number].removesuffix(b","))
    except (ValueError, RecursionError):
        return _flipped(content, random)
    lines[number] = json.dumps(_changed(record, random)).encode() + end
    return b"\n".join(lines)


def _changed(value: Any, random: Random) -> Any:
    if random.random() < 0.3 or not value or not isinstance(value, dict | list):
        deep: Any = random.choice(VALUES)
        for _ in range(random.choice((0, 0, 0, 0, 90, 900))):
            deep = [deep] if random.random() < 0.5 else {"a": deep}
        return deep
    if isinstance(value, dict):
        key = random.choice(list(value))
        if random.random() < 0.15:
            return {each: kept for each, kept in value.items() if each != key}
        return {**value, key: _changed(value[key], random)}
    at = random.randrange(len(value))
    return [*value[:at], _changed(value[at], random), *value[at + 1 :]]


def _bomb(content: bytes, random: Random) -> bytes:
    """Repeat the whole; where it is packed, repeat what it unpacks to."""
    times = random.choice((2, 20, 2000))
    if content[:2] != b"\x1f\x8b":
        return content * min(times, 1 + 1_000_000 // (len(content) + 1))
    try:
        inner = gzip.decompress(content)
    except (OSError, EOFError, zlib.error):
        return content
    return gzip.compress(inner * min(times, 1 + 60_000_000 // (len(inner) + 1)), 1)


def _packed_change(content: bytes, random: Random) -> bytes:
    """Change what a packed file unpacks to, so that not only the packing is tried."""
    if content[:2] != b"\x1f\x8b":
        return _inserted(content, random)
    try:
        inner = gzip.decompress(content)
    except (OSError, EOFError, zlib.error):
        return content
    inner = random.choice((_flipped, _inserted, _repeated, _record_changed))(
        inner[:100_000], random
    )
    return gzip.compress(inner, 1)


_CHANGES = [
    _flipped, _flipped, _inserted, _inserted, _repeated, _cut, _doubled, _record_changed,
    _record_changed, _record_changed, _packed_change, _bomb,
]  # fmt: skip
