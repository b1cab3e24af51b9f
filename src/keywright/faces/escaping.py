"""Texts in HTML: escaped, and without characters that HTML forbids or that change the direction of what follows."""

import re
from html import escape
from typing import Final

_NOT_HTML: Final = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\u202a-\u202e\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")
"""Characters that HTML forbids, surrogates, and marks that change the direction of all following text."""


def isolated(text: str) -> str:
    """Return a text of any direction, isolated from the text around it."""
    return f"<bdi>{escaped(text)}</bdi>"


def escaped(text: str) -> str:
    """Return a text escaped for HTML, with replacement characters for forbidden ones."""
    return escape(_NOT_HTML.sub("\ufffd", text))
