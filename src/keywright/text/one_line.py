"""A stretch of text as it is shown."""

from typing import Final

_LINE_BREAKS: Final = dict.fromkeys((0x00AD, 0x200B, 0x2060, 0xFEFF))
"""Soft hyphen, blank and joiner of no width, byte order mark; U+200C and U+200D stay, some languages spell with them."""


def one_line(written: str) -> str:
    r"""A stretch of text as it is shown: white space as single blanks, without signs that only say where lines break.

    >>> one_line("soft\u00adware\n  testing")
    'software testing'
    """
    return " ".join((written if written.isascii() else written.translate(_LINE_BREAKS)).split())
