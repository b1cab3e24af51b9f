"""Normal forms of words, and the characters and parts of words."""

import re
import unicodedata
from typing import Final

WORD_CHARACTER: Final = (
    r"(?:[^\W_]|[\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640"
    r"\u064b-\u065f\u0670\u06d6-\u06ed\u0900-\u0963\u0966-\u0dff\u0e00-\u109f\u1780-\u17d3])"
)
"""One letter, digit or mark: ``\\w`` has no combining marks, which are inside words of Arabic, Hebrew and Indic."""

HAN: Final = "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
HIRAGANA: Final = "\u3040-\u309f"
KATAKANA: Final = "\u30a0-\u30ff\u31f0-\u31ff\uff66-\uff9f"
"""Letters, as ranges of a pattern's class, of the scripts that are written without blanks."""

SPACED_CHARACTER: Final = rf"(?:(?![{HAN}{HIRAGANA}{KATAKANA}]){WORD_CHARACTER})"
"""A word character of the scripts that put blanks between words."""

PARTS: Final = re.compile(
    rf"[{HAN}]|[{HIRAGANA}]+|[{KATAKANA}]+|(?![{HAN}{HIRAGANA}{KATAKANA}])[^\W_]{SPACED_CHARACTER}*[+#]*"
)
"""Parts of a word: runs of letters and digits with their marks, with the signs of ``C++`` and ``C#``. Scripts without
blanks are cut as the tokeniser cuts them, so that a phrase has the parts of its tokens."""

_INVISIBLE = (0x00AD, 0x200B, 0x200C, 0x200D, 0xFEFF)  # soft hyphen, joiners, byte order mark
_ARABIC_VOWELS = (0x0640, *range(0x064B, 0x0660), 0x0670)  # tatweel and the short vowels
_CHANGES: Final = {**dict.fromkeys((*_INVISIBLE, *_ARABIC_VOWELS)), 0x2019: "'", 0x2018: "'", 0x2010: "-", 0x2011: "-"}


def normal_form(word: str) -> str:
    """Return a word in NFKC, lower case, with straight apostrophes and hyphens, without invisible signs, vowel points.

    >>> normal_form("Coeﬃcient")
    'coefficient'
    """
    if word.isascii():
        return word.lower()
    return unicodedata.normalize("NFKC", word).translate(_CHANGES).lower() or word
