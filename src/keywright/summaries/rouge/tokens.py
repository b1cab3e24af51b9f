"""Tokens as both ROUGE programs cut English (a to z), and of every script; their ids, and lists of words in files."""

import hashlib
import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import Final, Literal, NamedTuple, Self, TypeAlias

from keywright.core.errors import BadRecord, EmptyInput
from keywright.reading.encodings import decode
from keywright.reading.file_names import read_bytes
from keywright.reading.sources import DEFAULT_LIMITS
from keywright.summaries.pairs import SummaryText
from keywright.text.tokens import SPACED_CHARACTER
from keywright.text.word_borders import HAN, HIRAGANA, KATAKANA

Tokeniser: TypeAlias = Literal["rouge155", "unicode"]

_ARABIC_MARKS: Final = (0x0640, *range(0x064B, 0x0660), 0x0670)  # tatweel, vowel points and superscript alef
DIRECTION_MARKS: Final = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Invisible characters that say which way text runs."""
_JOINERS: Final = (0x00AD, 0x200B, 0x200C, 0x200D, 0xFEFF)  # soft hyphen, zero-width blank and joiners, byte order mark
_REMOVED: Final = dict.fromkeys((*_ARABIC_MARKS, *_JOINERS, *map(ord, DIRECTION_MARKS)))
_WORD: Final = re.compile(
    rf"[{HAN}]|[{HIRAGANA}]+|[{KATAKANA}]+|(?![{HAN}{HIRAGANA}{KATAKANA}])[^\W_]{SPACED_CHARACTER}*"
)
_BLANK_BUT_ALPHANUMERIC: Final = bytes(ord(chr(code).lower()) if chr(code).isalnum() else 32 for code in range(128)) + (
    b" " * 128
)
"""By byte: ASCII letters in lower case, digits, and blanks for all else."""


def cut_ascii(text: str) -> list[str]:
    """Return the runs of ASCII letters and digits, in lower case."""
    # A byte table and a split at blanks run in C, several times faster than a regular expression.
    return text.encode("utf-8", "surrogatepass").translate(_BLANK_BUT_ALPHANUMERIC).decode("ascii").split()


def cut_unicode(text: str) -> list[str]:
    """Return the runs of letters and digits of any script, in lower case, NFC, without Arabic vowel points and tatweel.

    Combining marks belong to their word; direction marks and joiners are removed. Each Han character is a token,
    since Chinese has no blanks; so is each run of hiragana or katakana. Thai, Lao, Khmer and Burmese are cut at blanks.

    >>> cut_unicode("ذَهَبَ الطُّلّابُ إلى المـــدرسةِ")
    ['ذهب', 'الطلاب', 'إلى', 'المدرسة']
    """
    return _WORD.findall(unicodedata.normalize("NFC", text).translate(_REMOVED).lower())


_MAJORITY: Final = 0.5
"""Share of letters outside ASCII above which a text is not in the Latin alphabet; arbitrary: the majority."""


class Script(NamedTuple):
    """The letters of a text."""

    outside: int  # letters and digits outside ASCII, which ROUGE's tokeniser drops
    mostly_outside: bool  # True if most letters and digits are
    marks: int  # invisible marks of the direction of text


ASCII: Final = Script(0, mostly_outside=False, marks=0)  # A text in ASCII, or one that came in tokens, which is not cut


def find_script(text: SummaryText) -> Script:
    """Count the letters of a text."""
    if text.tokens is not None or text.whole.isascii():
        return ASCII
    ascii_part = text.whole.encode("ascii", "ignore").decode("ascii")
    letters = sum(map(str.isalnum, text.whole))
    outside = letters - sum(map(str.isalnum, ascii_part))
    return Script(outside, outside > _MAJORITY * letters, sum(map(text.whole.count, DIRECTION_MARKS)))


class TokenIds(dict[str, int]):
    """The token ids of texts, from 1; equal forms have equal ids, and 0 is left out. A form is found once."""

    def __init__(self, form: Callable[[str], str | None], lower: Callable[[str], str] = str) -> None:
        """Begin with the form of a token, None to leave it out, and a change of texts before they are cut as ASCII."""
        super().__init__()
        self._form, self._lower = form, lower
        self._numbers: dict[str, int] = {}
        self._some_left_out = False

    def __missing__(self, token: str) -> int:
        form = self._form(token)
        self._some_left_out = self._some_left_out or form is None
        self[token] = 0 if form is None else self._numbers.setdefault(form, len(self._numbers) + 1)
        return self[token]

    def sentences(self, text: SummaryText, tokeniser: Tokeniser, *, divided: bool) -> list[Sequence[int]]:
        """Return the token ids of each sentence with tokens, or of the whole text; given tokens are lower-cased."""
        cut: Iterable[Iterable[str]]
        if text.tokens is not None:
            lowered = [[token.lower() for token in tokens] for tokens in text.tokens]
            cut = lowered if divided else [chain.from_iterable(lowered)]
        else:
            pieces = text.sentences if divided else (text.whole,)
            cut = map(cut_unicode, pieces) if tokeniser == "unicode" else (cut_ascii(self._lower(p)) for p in pieces)
        numbered = (list(map(self.__getitem__, tokens)) for tokens in cut)
        return [ids for each in numbered if (ids := list(filter(None, each)) if self._some_left_out else each)]


NO_FILE: Final = "no"


class WordFile(str):
    """The name of a file, which signatures show with the hash of the file's content."""

    __slots__ = ("content",)

    content: str  # the text of the file; empty for ``no``, which names none

    def __new__(cls, name: str) -> Self:
        """Read the file; raises ``MissingData``, or ``UnreadableInput`` where it cannot be opened or is not text."""
        self = super().__new__(cls, name)
        self.content = ""
        if name != NO_FILE:
            path = Path(name)
            with suppress(EmptyInput):  # a list without words is a list
                self.content = decode(read_bytes(path, path.name, DEFAULT_LIMITS), path.name).text
        return self

    def __getnewargs__(self) -> tuple[str]:
        """Read the file again where a pickle is loaded."""
        return (str(self),)

    @property
    def fingerprint(self) -> str:
        """File name and the first 8 hexadecimal digits of the SHA-256 of its text; ``no`` without a file."""
        digest = hashlib.sha256(self.content.encode()).hexdigest()[:8]
        return NO_FILE if self == NO_FILE else f"{Path(self).name}@{digest}"

    def words(self) -> frozenset[str]:
        """Return the words of a list, one a line, in lower case; empty lines are skipped."""
        return frozenset(line.strip().lower() for line in self.content.splitlines() if line.strip())

    def stems(self) -> dict[str, str]:
        """Return the first stem of each word, of lines ``word stem``; the last line counts. Raises ``BadRecord``."""
        stems = {}
        for number, line in enumerate(self.content.splitlines(), start=1):
            word, *others = line.lower().split() or [""]
            if word and not others:
                raise BadRecord(f"line {number} of {self} is {line!r:.60}", 'expected "word stem"')
            if word:
                stems[word] = others[0]
        return stems
