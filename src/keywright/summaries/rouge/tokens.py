"""Tokens of texts: as both ROUGE programs cut English, and of every script.

The programs (ROUGE-1.5.5, rouge-score) drop every letter outside a to z, so two equal Arabic texts have no token in
common there. Texts of other scripts are cut at the borders of letters and digits instead, as the ROUGE tokens of
Latin text are.
"""

import re
import unicodedata
from typing import Final, Literal, TypeAlias

from keywright.text.keys import HAN, HIRAGANA, KATAKANA, SPACED_CHARACTER

Tokeniser: TypeAlias = Literal["rouge155", "unicode"]

_ARABIC_MARKS: Final = (0x0640, *range(0x064B, 0x0660), 0x0670)
"""Tatweel, vowel points and superscript alef."""
DIRECTION_MARKS: Final = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Invisible characters that say which way text runs."""
_JOINERS: Final = (0x00AD, 0x200B, 0x200C, 0x200D, 0xFEFF)
"""Soft hyphen, zero-width blank and joiners, byte order mark."""
_REMOVED: Final = dict.fromkeys((*_ARABIC_MARKS, *_JOINERS, *map(ord, DIRECTION_MARKS)))
_WORD: Final = re.compile(
    rf"[{HAN}]|[{HIRAGANA}]+|[{KATAKANA}]+|(?![{HAN}{HIRAGANA}{KATAKANA}])[^\W_]{SPACED_CHARACTER}*"
)
_BLANK_BUT_ALPHANUMERIC: Final = bytes(ord(chr(code).lower()) if chr(code).isalnum() else 32 for code in range(128)) + (
    b" " * 128
)
"""By byte: ASCII letters in lower case, digits, and blanks for all else."""


def ascii_tokens(text: str) -> list[str]:
    """Return the runs of ASCII letters and digits, in lower case.

    >>> ascii_tokens("Well-known: 3.5 million, café")
    ['well', 'known', '3', '5', 'million', 'caf']
    """
    # A byte table and a split at blanks run in C, several times faster than a regular expression.
    return text.encode("utf-8", "surrogatepass").translate(_BLANK_BUT_ALPHANUMERIC).decode("ascii").split()


def unicode_tokens(text: str) -> list[str]:
    """Return the runs of letters and digits of any script, in lower case, NFC, without Arabic vowel points and tatweel.

    Combining marks belong to their word; direction marks and joiners are removed. Each Han character is a token,
    since Chinese has no blanks; so is each run of hiragana or katakana. Thai, Lao, Khmer and Burmese are cut at blanks.

    >>> unicode_tokens("ذَهَبَ الطُّلّابُ إلى المـــدرسةِ")
    ['ذهب', 'الطلاب', 'إلى', 'المدرسة']
    """
    return _WORD.findall(unicodedata.normalize("NFC", text).translate(_REMOVED).lower())
