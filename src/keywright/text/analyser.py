"""The analyser: a document to columns, without tags."""

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache, partial
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
_ELIDING: Final = frozenset("br ca co fr fur ga gd ht it lb lij lmo oc pms rm sc scn vec wa".split())
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
        return self.analyse_together((document,))[0]

    def analyse_together(self, documents: Sequence[Document], signed: str = "") -> list[AnalysedDocument]:
        """Return the columns of each document, all read as one text; ``signed``: signature of another analyser."""
        chunks = self.memory.of((self.language, self.stop_list, self.arabic, self.terms), self._words)
        words = chunks.words
        text = "\n".join([document.text for document in documents])
        lengths = [len(document.text) + 1 for document in documents]
        offsets = np.array([0, *itertools.accumulate(lengths)], np.int32)  # first characters of documents in the text
        starts, gaps = _chunk_places(text)
        chunk, place = chunks.tokens_of(chunks.numbers(text.split()))
        word, marks, within, until = chunks.columns(place)
        begin = starts.take(chunk)
        start, end = begin + within, begin + until
        bounds = start.searchsorted(offsets)
        region, kind_of_region = _regions(documents, offsets, start)
        sentence = _sentences(chunk, gaps, marks, region)
        first_sentence = np.append(sentence, np.int32(0))[bounds[:-1]]

        dropped = _mask_left_out(self.leave_out).take(kind_of_region)
        if dropped.any():
            rest = np.flatnonzero(~dropped[region])
            word, start, end, marks = word[rest], start[rest], end[rest], marks[rest]
            sentence, region = sentence[rest], region[rest]
            bounds = start.searchsorted(offsets)
        number = np.repeat(np.arange(len(documents), dtype=np.int32), np.diff(bounds))
        forms, local, form_number = chunks.distinct_in(number, word, len(words))
        word_stem, word_flags, word_key, word_parts = words.columns(forms)
        if (self.stop_list or self.language).removesuffix("-library") not in {"en", *STOP_LISTS}:
            # No list: the forms of a document that are short and frequent in it are function words.
            short = np.fromiter((len(words.forms[form]) <= _LONGEST_FUNCTION_WORD for form in forms.tolist()), bool)
            least = np.maximum(_LEAST_MENTIONS, _LEAST_SHARE * np.diff(bounds))
            frequent = np.bincount(local, minlength=len(forms)) >= least[form_number]
            word_flags = word_flags | int(WordFlag.STOP) * (short & frequent).astype(np.int32)
        stems, local_stem, stem_number = chunks.distinct_in(form_number, word_stem, len(words.stems))
        # Numbers of words, stems and sentences, and places in the text, begin with each document.
        form_bounds, stem_bounds = (each.searchsorted(np.arange(len(offsets))) for each in (form_number, stem_number))
        by_word = {
            "word_stem": local_stem - stem_bounds.astype(np.int32)[form_number],
            "word_flags": word_flags.astype(np.uint8),
            "word_key": word_key,
            "word_parts": np.minimum(word_parts, _MOST_PARTS).astype(np.uint8),
        }
        by_token = {
            "word": local - form_bounds.astype(np.int32)[number],
            "start": start - offsets[number],
            "end": end - offsets[number],
            "sentence": sentence - first_sentence[number],
            "section": kind_of_region.take(region),
            "case": marks & CASE,
        }
        written = list(map(words.forms.__getitem__, forms.tolist()))
        stemmed = list(map(words.stems.__getitem__, stems.tolist()))
        slices = (itertools.starmap(slice, itertools.pairwise(each)) for each in (bounds, form_bounds, stem_bounds))
        return [
            AnalysedDocument(
                source=document,
                analyser=signed or self.signature,
                words=tuple(written[of_words]),
                stems=tuple(stemmed[of_stems]),
                **{name: column[of_words] for name, column in by_word.items()},
                **{name: column[of_tokens] for name, column in by_token.items()},
                has_terms=self.terms,
            )
            for document, of_tokens, of_words, of_stems in zip(documents, *slices, strict=True)
        ]

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
        by = partial(cut_terms, abbreviations=abbreviations, elides=self.language in _ELIDING) if self.terms else cut
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


def _regions(documents: Sequence[Document], offsets: Ints, start: Ints) -> tuple[Ints, Ints]:
    """Return the stretch of each token between borders of documents and sections, (tokens,), and their kinds."""
    borders: list[int] = []
    kinds = [0]
    for document, offset in zip(documents, offsets.tolist(), strict=False):
        borders += (offset, *(offset + at for section in document.sections for at in (section.start, section.end)))
        kinds += (0, *(code for section in document.sections for code in (section.kind.code, 0)))
    entered = np.bincount(np.searchsorted(start, np.array(borders, np.int32)), minlength=len(start) + 1)
    return np.cumsum(entered[: len(start)]), np.array(kinds, np.int8)


def split_sentences(text: str, language: str | None = None) -> tuple[str, ...]:
    """Return the sentences of a text as ``TextAnalyser`` ends them, trimmed; none for white space.

    >>> split_sentences("Tides rise. Gauges see them.")
    ('Tides rise.', 'Gauges see them.')
    """
    columns = _analyser(language or "en").analyse(Document("", text))
    first = np.flatnonzero(np.diff(columns.sentence, prepend=-1))
    borders = [0, *columns.start[first[1:]].tolist(), len(text)]
    pieces = (text[start:end].strip() for start, end in itertools.pairwise(borders))
    return tuple(piece for piece in pieces if piece)


_analyser: Final = cache(TextAnalyser)
