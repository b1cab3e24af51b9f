"""Word forms that an analyser met, each stemmed, hashed and flagged once, the new ones of a document together."""

import re
import sys
from array import array
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Final

import numpy as np

from keywright.core.arrays import Ints, Keys
from keywright.core.documents import WordFlag
from keywright.text.keys import HIRAGANA, PARTS, hash_of, key_of, normal_form
from keywright.text.tokens import case_of

# Plain numbers: arithmetic on enum members costs more than all other work for a new word.
_LETTER, _STOP, _DIGIT = int(WordFlag.LETTER), int(WordFlag.STOP), int(WordFlag.DIGIT)
_PUNCTUATION, _COMPOUND = int(WordFlag.PUNCTUATION), int(WordFlag.COMPOUND)
_SYMBOLIC, _LONE = int(WordFlag.SYMBOLIC), int(WordFlag.LONE)
MARK_BITS: Final = 4
"""Bits of a token's marks: two for the case, one for each of the others."""
CASE, CLOSES, SMALL = 3, 4, 8
"""Bits of a token's marks: its case, whether a sentence may end after it, whether it begins with a small letter."""

NUMBER_BYTES: Final = sys.getsizeof(1 << 29)
"""Bytes of a number as an object of its own."""
_STRING_BYTES: Final = sys.getsizeof("")
"""Bytes of a string besides its characters."""

_FUNCTIONAL: Final = re.compile(rf"\w+'|[{HIRAGANA}]+")
"""Elided articles and prepositions (*l'*, *dell'*); runs of Hiragana, which are particles and endings."""


class Words:
    """Distinct word forms with stem, flags, key and parts of each; position in the columns is the form's number.

    Args:
        stems: returns the stem of each of some parts of words.
        stop: stop words.
    """

    def __init__(self, stems: Callable[[list[str]], list[str]], stop: frozenset[str]) -> None:
        self._stems_of = stems
        self._stop = stop
        self._written: dict[str, int] = {}
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

    def codes(self, texts: Sequence[str], symbolic: Sequence[bool]) -> Ints:
        """Return the number of each token's form, shifted by four bits, and its marks in these, (texts,)."""
        written = self._written
        new = {text: mark for text, mark in zip(texts, symbolic, strict=True) if text not in written}
        if new:
            forms = list(map(normal_form, new))
            self._add({form: mark for form, mark in zip(forms, new.values(), strict=True) if form not in self._numbers})
            numbers = map(self._numbers.__getitem__, forms)
            written.update(
                (text, (number << MARK_BITS) + _marks(text)) for text, number in zip(new, numbers, strict=True)
            )
            self.strings += size_of(new) + NUMBER_BYTES * len(new)
        return np.fromiter(map(written.__getitem__, texts), np.int32, len(texts))

    def _add(self, new: Mapping[str, bool]) -> None:
        """Analyse new forms, each with whether it is symbolic."""
        plain = [form for form in new if form.isascii() and form.isalpha()]  # most words: one part and few flags
        stems = self._stems_of(plain)
        flags = [_LETTER + _STOP * (form in self._stop) + _LONE * (len(form) == 1) for form in plain]
        self._append(plain, stems, flags, map(hash_of, stems), [1] * len(plain))
        others = [form for form in new if not (form.isascii() and form.isalpha())]
        if others:
            rows = [self._row(form, symbolic=new[form]) for form in others]
            self._append(others, *zip(*rows, strict=True))

    def _append(
        self, forms: list[str], stems: Sequence[str], flags: Iterable[int], keys: Iterable[int], parts: Iterable[int]
    ) -> None:
        """Add rows of the columns, (forms,) each."""
        self._numbers.update(zip(forms, range(len(self.forms), len(self.forms) + len(forms)), strict=True))
        self.forms += forms
        self._flags.extend(flags)
        self._keys.extend(keys)
        self._parts.extend(parts)
        new = [stem for stem in dict.fromkeys(stems) if stem not in self._stem_numbers]
        self._stem_numbers.update(zip(new, range(len(self.stems), len(self.stems) + len(new)), strict=True))
        self.stems += new
        self._stem_of.extend(map(self._stem_numbers.__getitem__, stems))
        self.strings += size_of(forms) + size_of(new) + 2 * NUMBER_BYTES * len(forms)

    def _row(self, form: str, *, symbolic: bool) -> tuple[str, int, int, int]:
        """Return stem, flags, key and number of parts of a form of any kind."""
        parts = PARTS.findall(form)
        stems = self._stems_of(parts)
        following = iter(stems)
        stem = form if stems == parts else PARTS.sub(lambda _: next(following), form)
        flags = self._flags_of(form, parts, symbolic=symbolic)
        return stem, flags, key_of(stems or [form]), max(1, len(parts))

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


def _marks(text: str) -> int:
    """Return the marks of a token but for the end of a sentence."""
    return int(case_of(text)) + SMALL * text[0].islower()


def size_of(texts: Collection[str]) -> int:
    """Return the approximate bytes of some strings; asking each of them would take several times as long."""
    return _STRING_BYTES * len(texts) + sys.getsizeof("".join(texts))
