"""The analyser: a document to columns, without tags."""

import re
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, partial
from typing import Any, Final

import numpy as np

from keywright.core.arrays import Bools, Ints
from keywright.core.documents import SECTION_KINDS, AnalysedDocument, Document, SectionKind, WordFlag
from keywright.core.signatures import signature
from keywright.core.word_lists import read_words
from keywright.text.arabic.word_forms import word_form
from keywright.text.stems import STOP_LISTS, list_stemmer, stopwords
from keywright.text.tokens import cut, cut_korean, cut_terms
from keywright.text.vocabulary import CASE, CLOSES, FUNCTIONAL, SMALL, VocabularyMemory, Words
from keywright.text.word_borders import BY_ICU, KOREAN, NO_BORDERS, find_word_borders, is_functional

_BLANKS: Final = np.array([chr(code).isspace() for code in range(0x3001)] + [False])
"""White space among code points, up to its last one; one more entry for all others."""

_SURE_CHARACTERS: Final = frozenset("的了是在和与及或而也就都很这那你我他她它们吗呢吧啊把被从之其于且ๆ")
"""Characters that are function words where words cannot be told apart; others are as often part of a word."""
_NEWLINE: Final = ord("\n")
_MOST_PARTS: Final = 255  # largest number in a column of bytes


@dataclass(frozen=True, eq=False)
class TextAnalyser:
    """Tokens, sentences, stems, flags and keys of documents in one language.

    Sentences end at closing punctuation before anything but a small letter, at blank lines and at the borders of
    sections. An analyser keeps the analysis of chunks and words in a bounded memory, so one value should serve many
    documents; not for several threads at once. ``language``: decides stemmer and stop list, which not all languages
    have; ``leave_out``: kinds of sections whose tokens are dropped; ``stop_list``: its language, when not ``language``,
    ``en-library`` for the package's English list; ``arabic``: form in which Arabic words are compared, see
    ``word_forms``; ``terms``: whether terms with inner signs are one token (*Node.js*, *1,2-diol*), which systems of
    papers cut; ``memory``: vocabularies, which analysers of several languages may share.
    """

    language: str = "en"
    leave_out: tuple[SectionKind, ...] = (SectionKind.KEYWORDS, SectionKind.NOTICE)
    stop_list: str | None = None
    arabic: str = field(default="", metadata={"signed": "if set"})
    terms: bool = field(default=False, metadata={"signed": "if set"})
    memory: VocabularyMemory = field(default_factory=VocabularyMemory, repr=False, metadata={"signed": False})

    def __post_init__(self) -> None:
        """Note the form of Arabic words, which depends on the packages that are installed: results differ by it."""
        if self.language == "ar" and not self.arabic:
            object.__setattr__(self, "arabic", str(word_form()))

    def analyse(self, document: Document) -> AnalysedDocument:
        """Return the columns of one document; no text, or only white space, gives columns of length 0."""
        chunks = self.memory.of((self.language, self.stop_list, self.arabic, self.terms), self._words)
        words = chunks.words
        text = document.text
        starts, gaps = _chunk_places(text)
        chunk, place = chunks.tokens_of(chunks.numbers(text.split()))
        word, marks, within, until = chunks.columns(place)
        begin = starts.take(chunk)
        start, end = begin + within, begin + until
        region, kind_of_region = _regions(document, start)
        sentence = _sentences(chunk, gaps, marks, region)

        dropped = _mask_left_out(self.leave_out).take(kind_of_region)
        if dropped.any():
            rest = np.flatnonzero(~dropped[region])
            word, start, end, marks = word[rest], start[rest], end[rest], marks[rest]
            sentence, region = sentence[rest], region[rest]
        forms, local = chunks.distinct(word, len(words))
        word_stem, word_flags, word_key, word_parts = words.columns(forms)
        if (self.stop_list or self.language).removesuffix("-library") not in {"en", *STOP_LISTS}:
            # No list: the forms of a document that are short and frequent in it are function words.
            short = np.fromiter((len(words.forms[form]) <= _LONGEST_FUNCTION_WORD for form in forms.tolist()), bool)
            least = max(_LEAST_MENTIONS, _LEAST_SHARE * len(local))
            frequent = np.bincount(local, minlength=len(forms)) >= least
            word_flags = word_flags | int(WordFlag.STOP) * (short & frequent).astype(np.int32)
        stems, local_stem = chunks.distinct(word_stem, len(words.stems))
        return AnalysedDocument(
            source=document,
            analyser=self.signature,
            words=tuple(map(words.forms.__getitem__, forms.tolist())),
            stems=tuple(map(words.stems.__getitem__, stems.tolist())),
            word_stem=local_stem,
            word_flags=word_flags.astype(np.uint8),
            word_key=word_key,
            word_parts=np.minimum(word_parts, _MOST_PARTS).astype(np.uint8),
            word=local,
            start=start,
            end=end,
            sentence=sentence,
            section=kind_of_region.take(region),
            case=marks & CASE,
            has_terms=self.terms,
        )

    @cached_property
    def signature(self) -> str:
        """Return the identity of this analyser's results."""
        return signature(self)

    def _words(self) -> Words:
        stop = stopwords(self.stop_list or self.language)
        if self.language in BY_ICU and find_word_borders(self.language) == NO_BORDERS:
            stop = frozenset(word for word in stop if len(word) > 1 or word in _SURE_CHARACTERS)
        stems = list_stemmer(self.language, self.arabic)
        listed = read_words("text/sentence_abbreviations.txt", self.language)
        abbreviations = frozenset(word for word in listed if word[:-1].lower() not in stop)
        abbreviations |= read_words("text/stop_word_abbreviations.txt", self.language)
        by = partial(cut_terms, abbreviations=abbreviations) if self.terms else cut
        if self.language == KOREAN:
            return Words(stems, stop, partial(cut_korean, cut=by), is_functional)
        if endings := read_words("text/verb_endings.txt", self.language):
            verbs = rf"\w{{3,}}(?:{'|'.join(sorted(endings))})"
            return Words(stems, stop, by, re.compile(f"{FUNCTIONAL.pattern}|{verbs}").fullmatch)
        return Words(stems, stop, by)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle without the memory: a worker builds its own."""
        return type(self), (self.language, self.leave_out, self.stop_list, self.arabic, self.terms)


@lru_cache
def _mask_left_out(kinds: tuple[SectionKind, ...]) -> Bools:
    """Return whether each kind of section is one of these, (kinds,): a look-up is faster than a search."""
    return np.isin(np.arange(len(SECTION_KINDS)), [kind.code for kind in kinds])


_LONGEST_FUNCTION_WORD: Final = 4  # letters, at most, of a function word of a language without a list
_LEAST_SHARE: Final = 0.006
"""Least share of a document's tokens that such a word has. With both numbers, 92 % of the mentions that are taken for
function words in the Universal Declaration of Human Rights in forty languages are on the stop list of their language,
and 65 % of the listed ones are found."""
_LEAST_MENTIONS: Final = 3  # least mentions of such a word; arbitrary, two are chance


def _chunk_places(text: str) -> tuple[Ints, Bools]:
    """Return first characters of the chunks of ``str.split``, and whether a blank line is before each, (chunks,)."""
    if text.isascii():
        codes: Ints = np.frombuffer(text.encode(), np.uint8)
        looked_up = codes
    else:  # UTF-32: one number for each character, so that places in the array are offsets
        codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
        looked_up = np.minimum(codes, len(_BLANKS) - 1)
    blank = np.ones(len(codes) + 1, bool)  # the first entry is before the text
    blank[1:] = _BLANKS.take(looked_up)
    starts = np.flatnonzero(blank[:-1] & ~blank[1:]).astype(np.int32)
    behind = starts.searchsorted(np.flatnonzero(codes == _NEWLINE))  # the chunk after each newline
    gaps = np.bincount(behind, minlength=len(starts) + 1)[: len(starts)] > 1
    gaps[:1] = False
    return starts, gaps


def _sentences(chunk: Ints, gaps: Bools, marks: Ints, region: Ints) -> Ints:
    """Return the number of each token's sentence, (tokens,); signs, blank lines and borders of sections end one."""
    begins = np.empty(len(chunk), bool)
    begins[:1] = False
    begins[1:] = (chunk[1:] > chunk[:-1]) & gaps.take(chunk[1:])
    begins[1:] |= (marks[:-1] & CLOSES > 0) & (marks[1:] & SMALL == 0)
    begins[1:] |= region[1:] != region[:-1]
    return np.cumsum(begins, dtype=np.int32)


def _regions(document: Document, start: Ints) -> tuple[Ints, Ints]:
    """Return the stretch between section borders of each token, (tokens,), and the kind of each stretch, (regions,)."""
    borders = np.array([at for section in document.sections for at in (section.start, section.end)], np.int32)
    kinds = np.zeros(len(borders) + 1, np.int8)
    kinds[1::2] = [section.kind.code for section in document.sections]
    entered = np.bincount(np.searchsorted(start, borders), minlength=len(start) + 1)
    return np.cumsum(entered[: len(start)]), kinds
