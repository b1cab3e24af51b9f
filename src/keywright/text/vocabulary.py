"""The cache of an analyser: distinct chunks and word forms with their analysis, as growing columns.

Text repeats itself: of the 800,000 chunks of 100 papers one in thirteen is new. Each distinct chunk is tokenised once,
each distinct word form stemmed, hashed and flagged once; a document is then gathered with array look-ups.
"""

import re
import sys
from array import array
from collections.abc import Callable
from typing import Final

import numpy as np

from keywright.core.arrays import Ints, Keys
from keywright.core.documents import WordFlag
from keywright.text.keys import HIRAGANA, PARTS, hash_of, key_of, normal_form
from keywright.text.tokens import case_of, cut

# Plain numbers: arithmetic on enum members costs more than all other work for a new word.
_LETTER, _STOP, _DIGIT = int(WordFlag.LETTER), int(WordFlag.STOP), int(WordFlag.DIGIT)
_PUNCTUATION, _COMPOUND = int(WordFlag.PUNCTUATION), int(WordFlag.COMPOUND)
_SYMBOLIC, _LONE = int(WordFlag.SYMBOLIC), int(WordFlag.LONE)
_MARK_BITS = 4  # two for the case, one for each of the others
_MARKS = (1 << _MARK_BITS) - 1
CASE, CLOSES, SMALL = 3, 4, 8
"""Bits of a token's marks: its case, whether a sentence may end after it, whether it begins with a small letter."""

_NUMBER: Final = sys.getsizeof(1 << 29)
"""Bytes of a number as an object of its own."""

_FUNCTIONAL: Final = re.compile(rf"\w+'|[{HIRAGANA}]+")
"""Elided articles and prepositions (*l'*, *dell'*); runs of Hiragana, which are particles and endings."""


class Words:
    """Distinct word forms with stem, flags, key and parts of each; position in the columns is the form's number."""

    def __init__(self, stem: Callable[[str], str], stop: frozenset[str]) -> None:
        self._stem = stem
        self._stop = stop
        self.written: dict[str, int] = {}
        self._numbers: dict[str, int] = {}
        self._stem_numbers: dict[str, int] = {}
        self.forms: list[str] = []
        self.stems: list[str] = []
        self.strings = 0  # bytes, with the numbers beside them
        self._stem_of = array("i")
        self._flags = array("i")
        self._keys = array("Q")
        self._parts = array("i")

    def __len__(self) -> int:
        """Return the number of forms."""
        return len(self.forms)

    def look(self, text: str, *, symbolic: bool) -> int:
        """Return the number of a token's form, shifted by four bits, and its marks in these."""
        code = self.written.get(text)
        if code is None:
            form = normal_form(text)
            number = self._numbers.get(form)
            if number is None:
                number = self._add(form, symbolic=symbolic)
            marks = int(case_of(text)) + SMALL * text[0].islower()
            code = self.written[text] = (number << _MARK_BITS) + marks
            self.strings += sys.getsizeof(text) + _NUMBER
        return code

    def _add(self, form: str, *, symbolic: bool) -> int:
        if form.isascii() and form.isalpha():  # most words have one part and few flags
            whole = self._stem(form)
            key, size = hash_of(whole), 1
            flags = _LETTER + _STOP * (form in self._stop) + _LONE * (len(form) == 1)
        else:
            parts = PARTS.findall(form)
            stems = [self._stem(part) for part in parts]
            following = iter(stems)
            whole = form if stems == parts else PARTS.sub(lambda _: next(following), form)
            key, size = key_of(stems or [form]), max(1, len(parts))
            flags = self._flags_of(form, parts, symbolic=symbolic)
        self._numbers[form] = number = len(self.forms)
        self.strings += sys.getsizeof(form) + sys.getsizeof(whole) + 2 * _NUMBER
        self.forms.append(form)
        self._flags.append(flags)
        self._keys.append(key)
        self._parts.append(size)
        stem = self._stem_numbers.get(whole)
        if stem is None:
            stem = self._stem_numbers[whole] = len(self.stems)
            self.stems.append(whole)
        self._stem_of.append(stem)
        return number

    def _flags_of(self, form: str, parts: list[str], *, symbolic: bool) -> int:
        ascii_form = form.isascii()
        letter = form.upper() != form if ascii_form else any(map(str.isalpha, form))
        digit = any(map(str.isdigit, form))
        compound = len(parts) > 1 and not symbolic and ("-" in form or "/" in form)
        stop = (
            form in self._stop or (len(parts) > 1 and self._stop.issuperset(parts)) or bool(_FUNCTIONAL.fullmatch(form))
        )
        return (
            _LETTER * letter
            + _DIGIT * digit
            + _PUNCTUATION * (not (letter or digit or any(map(str.isalnum, form))))
            + _COMPOUND * compound
            + _SYMBOLIC * symbolic
            + _STOP * stop
            + _LONE * (len(form) == 1 and ascii_form)
        )

    def columns(self, numbers: Ints) -> tuple[Ints, Ints, Keys, Ints]:
        """Return stem numbers, flags, keys and parts of some forms, each (numbers,)."""
        stems = np.frombuffer(self._stem_of, np.int32)[numbers]
        flags = np.frombuffer(self._flags, np.int32)[numbers]
        keys = np.frombuffer(self._keys, np.uint64)[numbers]
        parts = np.frombuffer(self._parts, np.int32)[numbers]
        return stems, flags, keys, parts


class Chunks(dict[str, int]):
    """Distinct chunks and their tokens; looking up a new chunk tokenises it.

    Token columns have, chunk after chunk, each token's word number with its marks, and its first and last character
    within the chunk.
    """

    def __init__(self, words: Words) -> None:
        super().__init__()
        self._words = words
        self.strings = 0  # bytes, with the numbers beside them
        self._first = array("i")
        self._count = array("i")
        self._marked = array("i")
        self._start = array("i")
        self._end = array("i")

    def __missing__(self, chunk: str) -> int:
        """Tokenise a new chunk and return its number, the next one."""
        number = len(self)
        self._first.append(len(self._marked))
        tokens = cut(chunk)
        written, look = self._words.written, self._words.look
        self._count.append(len(tokens))
        for text, start, symbolic, closes in tokens:
            code = written.get(text)
            if code is None:
                code = look(text, symbolic=symbolic)
            self._marked.append(code + CLOSES if closes else code)
            self._start.append(start)
            self._end.append(start + len(text))
        self[chunk] = number
        self.strings += sys.getsizeof(chunk) + _NUMBER
        return number

    def tokens_of(self, numbers: Ints) -> tuple[Ints, Ints]:
        """Return each token's chunk, as place in ``numbers``, and its place in the token columns."""
        count = np.frombuffer(self._count, np.int32).take(numbers)
        first = np.frombuffer(self._first, np.int32).take(numbers)
        chunk = np.repeat(np.arange(len(numbers), dtype=np.int32), count)
        # Ranges of all chunks at once: a running index, plus the difference of each chunk's first place to it.
        place = np.arange(len(chunk), dtype=np.int32) + np.repeat(first - (np.cumsum(count) - count), count)
        return chunk, place

    def columns(self, places: Ints) -> tuple[Ints, Ints, Ints, Ints]:
        """Return word number, marks, start, end of some tokens, each (places,)."""
        marked, start, end = (
            np.frombuffer(column, np.int32).take(places) for column in (self._marked, self._start, self._end)
        )
        return marked >> _MARK_BITS, (marked & _MARKS).astype(np.int8), start, end
