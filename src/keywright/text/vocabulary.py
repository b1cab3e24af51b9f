"""Words and chunks of text that an analyser met, each analysed once, in a memory bounded in bytes.

Text repeats itself: of the 800,000 chunks between blanks in 100 papers one in thirteen is new. Each distinct chunk is
tokenised once, each word form stemmed, hashed and flagged once; a document is then gathered with array look-ups.
"""

import itertools
import re
import sys
from array import array
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from typing import Final

import numpy as np

from keywright.core.arrays import Ints, Keys
from keywright.core.documents import WordFlag
from keywright.text.keys import PARTS, hash_of, key_of, parts_of
from keywright.text.tokens import Cut, case_of, cut, normal_form
from keywright.text.word_borders import HAN, HANGUL, HIRAGANA, NUMERAL, UNSPACED

# Plain numbers: arithmetic on enum members costs more than all other work for a new word.
_LETTER, _STOP, _DIGIT = int(WordFlag.LETTER), int(WordFlag.STOP), int(WordFlag.DIGIT)
_PUNCTUATION, _COMPOUND = int(WordFlag.PUNCTUATION), int(WordFlag.COMPOUND)
_SYMBOLIC, _LONE, _SINGLE = int(WordFlag.SYMBOLIC), int(WordFlag.LONE), int(WordFlag.SINGLE)
MARK_BITS: Final = 4  # bits of a token's marks: two for the case, one for each of the others
CASE, CLOSES, SMALL = 3, 4, 8  # bits of a token's marks: case, end of a sentence if none follows, small letter

NUMBER_BYTES: Final = sys.getsizeof(1 << 29)  # bytes of a number as an object of its own
_STRING_BYTES: Final = sys.getsizeof("")  # bytes of a string besides its characters

FUNCTIONAL: Final = re.compile(rf"\w+'|[{HIRAGANA}]+|[{HAN}]+[{HIRAGANA}]*[うくぐすつぬぶむるいたてでっばな]|{NUMERAL}")
"""Elided articles and prepositions (*l'*, *dell'*); runs of Hiragana, which are particles and endings; Japanese verbs
and adjectives by their endings; numbers in Han characters, also with what many texts count (*三十年*)."""
_UNSPACED: Final = re.compile(f"[{UNSPACED}]")
_SYLLABLE: Final = re.compile(f"[{UNSPACED}{HANGUL}]")


class Words:
    """Distinct word forms with stem, flags, key and parts of each; position in the columns is the form's number.

    ``stems``: to the stems of some parts of words; ``cut``: to the tokens of a chunk; ``functional``: whether a form is
    a function word or a verb, besides those of ``stop``.
    """

    def __init__(
        self,
        stems: Callable[[list[str]], list[str]],
        stop: frozenset[str],
        cut: Callable[[str], tuple[Cut, ...]] = cut,
        functional: Callable[[str], object] | None = None,
    ) -> None:
        self.cut = cut
        self._functional = functional or FUNCTIONAL.fullmatch
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

    def codes(self, texts: Sequence[str], symbolic: Iterable[bool]) -> list[int]:
        """Return the number of each token's form, shifted by four bits, and its marks in these, (texts,)."""
        written = self._written
        new = {text: mark for text, mark in zip(texts, symbolic, strict=True) if text not in written}
        if new:
            forms = [text.lower() if text.isascii() else normal_form(text) for text in new]
            self._add({form: mark for form, mark in zip(forms, new.values(), strict=True) if form not in self._numbers})
            # The marks but for the end of a sentence; most words are in small letters, whose case is 0.
            cases = (0 if text.islower() else int(case_of(text)) for text in new)
            coded = [
                (number << MARK_BITS) + case + SMALL * text[0].islower()
                for text, number, case in zip(new, map(self._numbers.__getitem__, forms), cases, strict=True)
            ]
            written.update(zip(new, coded, strict=True))
            self.strings += size_of(new) + NUMBER_BYTES * len(new)
        return list(map(written.__getitem__, texts))

    def _add(self, new: Mapping[str, bool]) -> None:
        plain = [form for form in new if form.isascii() and form.isalpha()]  # most words: one part and few flags
        stems = self._stems_of(plain)
        is_usual = self._functional == FUNCTIONAL.fullmatch  # no word of ASCII letters is functional by it
        stop = self._stop if is_usual else self._stop.union(filter(self._functional, plain))
        flags = [_LETTER + _STOP * (form in stop) + _LONE * (len(form) == 1) for form in plain]
        self._append(plain, stems, flags, list(map(hash_of, stems)), [1] * len(plain))
        others = [form for form in new if not (form.isascii() and form.isalpha())]
        if others:
            parts = list(map(parts_of, others))
            stems_of_parts = iter(self._stems_of(list(itertools.chain.from_iterable(parts))))
            rows = [
                self._row(form, its_parts, list(itertools.islice(stems_of_parts, len(its_parts))), symbolic=new[form])
                for form, its_parts in zip(others, parts, strict=True)
            ]
            self._append(others, *zip(*rows, strict=True))

    def _append(
        self, forms: list[str], stems: Sequence[str], flags: Sequence[int], keys: Sequence[int], parts: Sequence[int]
    ) -> None:
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

    def _row(self, form: str, parts: list[str], stems: list[str], *, symbolic: bool) -> tuple[str, int, int, int]:
        """Return stem, flags, key and number of parts of a form of any kind, from its parts and their stems."""
        following = iter(stems)
        stem = form if stems == parts else PARTS.sub(lambda _: next(following), form)
        flags = self._flags_of(form, parts, symbolic=symbolic)
        return stem, flags, key_of(stems or [form]), max(1, len(parts))

    def _flags_of(self, form: str, parts: list[str], *, symbolic: bool) -> int:
        ascii_form = form.isascii()
        letter = form.upper() != form if ascii_form else any(map(str.isalpha, form))
        digit = any(map(str.isdigit, form))
        compound = len(parts) > 1 and not symbolic and ("-" in form or "/" in form)
        unspaced = not ascii_form and bool(_UNSPACED.search(form))
        of_stop_words = len(parts) > 1 and not unspaced and self._stop.issuperset(parts)
        stop = form in self._stop or of_stop_words or bool(self._functional(form))
        return (
            _LETTER * letter
            + _DIGIT * digit
            + _PUNCTUATION * (not (letter or digit or any(map(str.isalnum, form))))
            + _COMPOUND * compound
            + _SYMBOLIC * symbolic
            + _STOP * stop
            + _LONE * (len(form) == 1 and ascii_form)
            + _SINGLE * (len(form) == 1 and bool(_SYLLABLE.match(form)))
        )

    def columns(self, numbers: Ints) -> tuple[Ints, Ints, Keys, Ints]:
        """Return stem numbers, flags, keys and parts of some forms, each (numbers,)."""
        columns = self._stem_of, self._flags, self._parts
        stems, flags, parts = (np.frombuffer(column, np.int32).take(numbers) for column in columns)
        return stems, flags, np.frombuffer(self._keys, np.uint64)[numbers], parts


def size_of(texts: Collection[str]) -> int:
    """Return the approximate bytes of some strings; asking each of them would take several times as long."""
    return _STRING_BYTES * len(texts) + sys.getsizeof("".join(texts))


class Chunks(dict[str, int]):
    """Distinct chunks with columns of their tokens: word number with marks, first and last character in the chunk."""

    def __init__(self, words: Words) -> None:
        super().__init__()
        self.words = words
        self._table = np.empty(0, np.int32)
        self._new: list[str] = []
        self.strings = 0  # bytes, with the numbers beside them
        self._first = array("i")
        self._count = array("i")
        self._marked = array("i")
        self._start = array("i")
        self._end = array("i")

    def numbers(self, chunks: Sequence[str]) -> Ints:
        """Return the number of each chunk, (chunks,); new ones are tokenised, all together."""
        numbers = np.fromiter(map(self.__getitem__, chunks), np.int32, len(chunks))
        if self._new:
            new, self._new = self._new, []
            try:
                self._tokenise(new)
            except BaseException:  # a number without tokens would spoil all later documents
                for chunk in new:
                    del self[chunk]
                raise
        return numbers

    def __missing__(self, chunk: str) -> int:
        """Note a new chunk and return its number, the next one."""
        number = self[chunk] = len(self)
        self._new.append(chunk)
        return number

    def _tokenise(self, new: Sequence[str]) -> None:
        # Plain lists: most documents bring a few dozen new chunks, for which numpy's calls would cost more.
        cut = self.words.cut
        cuts = [((chunk, 0, False, False),) if chunk.isascii() and chunk.isalpha() else cut(chunk) for chunk in new]
        tokens = list(itertools.chain.from_iterable(cuts))
        codes = self.words.codes([token[0] for token in tokens], [token[2] for token in tokens])
        count = list(map(len, cuts))
        self._first.extend(itertools.accumulate(count[:-1], initial=len(self._marked)))
        self._count.extend(count)
        self._marked.extend([code + CLOSES * token[3] for code, token in zip(codes, tokens, strict=True)])
        self._start.extend([token[1] for token in tokens])
        self._end.extend([token[1] + len(token[0]) for token in tokens])
        self.strings += size_of(new) + NUMBER_BYTES * len(new)

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
        columns = self._marked, self._start, self._end
        marked, start, end = (np.frombuffer(column, np.int32).take(places) for column in columns)
        return marked >> MARK_BITS, (marked & (1 << MARK_BITS) - 1).astype(np.int8), start, end

    def distinct(self, numbers: Ints, most: int) -> tuple[Ints, Ints]:
        """Return distinct values, all below ``most``, by first occurrence, and the place of each number among them.

        The table is used again and never cleared: each call writes the entries that it reads, so that the cost does not
        depend on how many values there are in all.
        """
        if most > len(self._table):
            self._table = np.empty(2 * most, np.int32)
        place = np.arange(len(numbers), dtype=np.int32)
        self._table[numbers[::-1]] = place[::-1]  # backwards, because the last write stays: the first occurrence
        first = self._table[numbers]
        is_first = first == place
        return numbers[is_first], (np.cumsum(is_first, dtype=np.int32) - 1)[first]

    def distinct_in(self, document: Ints, numbers: Ints, most: int) -> tuple[Ints, Ints, Ints]:
        """Return distinct values of each document, the place of each number among all of them, and their documents.

        ``document``: of each number, ascending from 0, (numbers,).
        """
        values, place = self.distinct(numbers, most)
        if not len(document) or not document[-1]:
            return values, place, np.zeros(len(values), np.int32)
        # Pairs of a document and a value; numbers of values in this batch keep the table small.
        pairs, place = self.distinct(document * len(values) + place, (int(document[-1]) + 1) * len(values))
        return values[pairs % len(values)], place, pairs // len(values)

    @property
    def size(self) -> int:
        """Approximate bytes in memory, with those of the words."""
        tables = self, *vars(self.words).values(), *vars(self).values()
        return self.words.strings + self.strings + sum(map(sys.getsizeof, tables))


MOST_BYTES: Final = 16_000_000
"""Bytes of all vocabularies, above which they start afresh.

A new word of an abstract takes some 600 bytes. Over 16,000 abstracts of 1,300 characters four times as many bytes spare
.06 of .78 milliseconds of analysis an abstract; the words that most texts share are learnt again in some hundred.
"""


class VocabularyMemory:
    """The vocabularies of one analyser, or of the analysers of several languages; not for several threads at once.

    Between documents all start afresh when they have grown above ``MOST_BYTES`` together. Columns of documents are the
    same whatever is in memory.
    """

    def __init__(self) -> None:
        """Begin empty."""
        self._chunks: dict[Hashable, Chunks] = {}
        self._sizes: dict[Hashable, int] = {}

    def of(self, language: Hashable, begin: Callable[[], Words]) -> Chunks:
        """Return the chunks and words of a language, begun on first use and after everything was forgotten."""
        if language in self._chunks:
            self._sizes[language] = self._chunks[language].size
            if self.size <= MOST_BYTES:
                return self._chunks[language]
            self._chunks.clear()  # gone before another one grows
            self._sizes.clear()
        self._chunks[language] = Chunks(begin())
        return self._chunks[language]

    @property
    def size(self) -> int:
        """Approximate bytes of all vocabularies, each as it was when its last document began."""
        return sum(self._sizes.values())
