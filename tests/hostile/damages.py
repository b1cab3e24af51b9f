"""Damages: functions from bytes to bytes that a random generator steers."""

import gzip
import io
import json
import random
import zipfile
from collections.abc import Callable
from typing import Any

Damage = Callable[[bytes, random.Random], bytes]

NUMBERS = (b"-1", b"0", b"99999999999999999999", b"1e999", b"-1e-999", b"NaN", b"2147483648", b"4294967295")
VALUES = (
    *(None, True, -1, 0, 2**63, 1e308, "", " ", "\ud800", "\u202e", [], {}, [[]], [None], {"": None}, "x" * 5000),
    *([1], "0", -0.5, ["a", 1], {"a": [1]}),
)
"""Values of every type in the place of others."""
DEPTH = 5_000  # brackets inside each other


def truncated(data: bytes, rng: random.Random) -> bytes:
    """Return the beginning."""
    return data[: rng.randrange(len(data) + 1)]


def flipped(data: bytes, rng: random.Random) -> bytes:
    """Return the bytes with some replaced."""
    changed = bytearray(data)
    for _ in range(rng.choice((1, 1, 3, 20, 200))):
        if changed:
            changed[rng.randrange(len(changed))] = rng.randrange(256)
    return bytes(changed)


def inserted(data: bytes, rng: random.Random) -> bytes:
    """Return the bytes with random ones, marks or a control somewhere."""
    at = rng.randrange(len(data) + 1)
    junk = rng.choice((rng.randbytes(50), b"\0" * 9, b"\xff", b"\xff\xfe", b"\xef\xbb\xbf", b"<![CDATA[", b'"', b"\r"))
    return data[:at] + junk + data[at:]


def deleted(data: bytes, rng: random.Random) -> bytes:
    """Return the bytes without a stretch."""
    start, end = _stretch(data, rng)
    return data[:start] + data[end:]


def repeated(data: bytes, rng: random.Random) -> bytes:
    """Return the bytes with a stretch many times."""
    start, end = _stretch(data, rng)
    return data[:end] + data[start:end] * rng.choice((1, 5, 200)) + data[end:]


def zeroed(data: bytes, rng: random.Random) -> bytes:
    """Return the bytes with zeros or blanks for a stretch."""
    start, end = _stretch(data, rng)
    return data[:start] + rng.choice((b"\0", b" ", b"\n")) * (end - start) + data[end:]


def exchanged(data: bytes, rng: random.Random) -> bytes:
    """Return the bytes with two stretches exchanged."""
    cuts = sorted(rng.randrange(len(data) + 1) for _ in range(4))
    a, b, c, d = cuts
    return data[:a] + data[c:d] + data[b:c] + data[a:b] + data[d:]


def renumbered(data: bytes, rng: random.Random) -> bytes:
    """Return the bytes with a number replaced by an odd one."""
    places = [at for at, byte in enumerate(data) if chr(byte).isdigit() and byte < 128]
    if not places:
        return flipped(data, rng)
    start = end = rng.choice(places)
    while end < len(data) and data[end : end + 1].isdigit():
        end += 1
    return data[:start] + rng.choice(NUMBERS) + data[end:]


def recoded(data: bytes, rng: random.Random) -> bytes:
    """Return the bytes in another encoding, with a wrong mark, or with letters beyond ASCII that one byte spoils."""
    text = data.decode("utf-8", "replace")
    match rng.randrange(4):
        case 0:
            return text.encode(rng.choice(("utf-16", "utf-16-be", "utf-32", "cp1252", "cp500")), "replace")
        case 1:
            return rng.choice((b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf", b"\xff\xfe\0\0")) + data
        case 2:
            return text.replace("e", "é").replace("o", "ö").encode() + b"\xff"
        case _:
            accented = text.replace("e", "é").encode()
            at = rng.randrange(len(accented) + 1)
            return accented[:at] + b"\xe9" + accented[at:]


def nested(data: bytes, rng: random.Random) -> bytes:
    """Return the bytes with brackets or elements deep inside each other somewhere."""
    at = rng.randrange(len(data) + 1)
    opening, closing = rng.choice(((b"[", b"]"), (b'{"a":', b"}"), (b"(", b")"), (b"<div>", b"</div>"), (b"> ", b"")))
    return data[:at] + opening * DEPTH + closing * rng.choice((0, DEPTH)) + data[at:]


def retyped(data: bytes, rng: random.Random) -> bytes:
    """Return JSON, or lines of JSON, with one value of another type; other bytes flipped."""
    text = data.decode("utf-8", "replace")
    try:
        return json.dumps(_retyped(json.loads(text), rng)).encode()
    except ValueError:
        lines = text.splitlines()
    at = rng.randrange(len(lines) or 1)
    try:
        lines[at] = json.dumps(_retyped(json.loads(lines[at]), rng))
    except (ValueError, IndexError):
        return flipped(data, rng)
    return "\n".join(lines).encode("utf-8", "surrogatepass")


def replaced(data: bytes, rng: random.Random) -> bytes:
    """Return something else: nothing, blanks, noise, one long line, the bytes twice."""
    return rng.choice((b"", b" \n" * 40, rng.randbytes(900), b"a" * 200_000, data + data, b"\n" * 5000 + data))


DAMAGES: dict[str, Damage] = {
    damage.__name__: damage
    for damage in (
        *(truncated, flipped, inserted, deleted, repeated, zeroed, exchanged, renumbered, recoded, nested),
        *(retyped, replaced),
    )
}


def inside(data: bytes, damage: Damage, rng: random.Random) -> bytes:
    """Return packed data with the damage done to what is packed, so that it can be unpacked; other data unchanged."""
    if data.startswith(b"\x1f\x8b"):
        return gzip.compress(damage(gzip.decompress(data), rng), mtime=0)
    if not data.startswith(b"PK"):
        return data
    packed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as new:
        chosen = rng.choice(old.namelist())
        for name in old.namelist():
            content = old.read(name)
            new.writestr(name, damage(content, rng) if name == chosen else content)
    return packed.getvalue()


def _stretch(data: bytes, rng: random.Random) -> tuple[int, int]:
    start = rng.randrange(len(data) + 1)
    return start, min(len(data), start + rng.choice((1, 4, 30, 300, 3000)))


def _retyped(value: Any, rng: random.Random) -> Any:
    """Return a JSON value with one value inside replaced."""
    places = list(_places(value))
    if not places:
        return rng.choice(VALUES)
    holder, key = rng.choice(places)
    holder[key] = rng.choice(VALUES)
    return value


def _places(value: Any) -> Any:
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in list(entries):
        yield value, key
        yield from _places(inner)
