"""Web and mail addresses, which spaCy 2.0.11 keeps as one token.

Its pattern allows anything after the host, so it reduces to: the chunk begins with a word character and ends with one
or a slash, and has a host name with a dot, or a public IPv4 number, at its start, after ``http://`` and the like, or
after an at sign.
"""

import re
from typing import Final

from keywright.evaluation.normal_forms.spacy2.characters import is_word_character

_PROTOCOL: Final = re.compile(r"(?:https?|ftp|mailto)://")
_HOST: Final = re.compile(r"(?:[a-z0-9-]*[a-z0-9]\.)+[a-z]{2}")
_PUBLIC: Final = re.compile(
    r"(?!(?:10|127)(?:\.\d{1,3}){3})"
    r"(?!(?:169\.254|192\.168)(?:\.\d{1,3}){2})"
    r"(?!172\.(?:1[6-9]|2\d|3[01])(?:\.\d{1,3}){2})"
    r"(?:[1-9]\d?|1\d\d|2[01]\d|22[0-3])(?:\.(?:1?\d{1,2}|2[0-4]\d|25[0-5])){2}\.[1-9]"
)


def is_address(chunk: str) -> bool:
    """Check whether a chunk without white space is one token as an address; False for an empty one."""
    if "." not in chunk or not is_word_character(chunk[0]):
        return False
    if chunk[-1] != "/" and not is_word_character(chunk[-1]):
        return False
    protocol = _PROTOCOL.match(chunk)
    places = [0, *([protocol.end()] if protocol else []), *(at.end() for at in re.finditer("(?<=.)@", chunk))]
    return any(_HOST.match(chunk, place) or _PUBLIC.match(chunk, place) for place in places)
