"""The analyser: a document to columns, without tags."""

from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from keywright.core.arrays import Bools, Ints
from keywright.core.documents import AnalysedDocument, Document, SectionKind
from keywright.core.signatures import signature
from keywright.text.stems import stemmer
from keywright.text.stopwords import stopwords
from keywright.text.vocabulary import CASE, CLOSES, SMALL, Chunks, Words

_BLANKS: Final = np.array([chr(code).isspace() for code in range(0x3001)] + [False])
_NEWLINE: Final = 10
_MOST_CHUNKS: Final = 2_000_000


@dataclass(frozen=True, slots=True, eq=False)
class TextAnalyser:
    """Tokens, sentences, stems, flags and keys of documents in one language.

    Sentences end at closing punctuation before anything but a small letter, at blank lines and where sections begin and
    end. What the analyser learns of chunks and words it keeps, so one value should serve many documents; it starts
    afresh after two million distinct chunks, which bounds its memory. Not for use by several threads at once.

    Attributes:
        language: ISO 639-1 code; decides stemmer and stop list. A language without one or both goes without.
        leave_out: kinds of sections whose tokens are dropped: the authors' own keywords, and licences.
        stop_list: language of the stop list, when not ``language``; ``en-library`` is the package's English list.
    """

    language: str = "en"
    leave_out: tuple[SectionKind, ...] = (SectionKind.KEYWORDS, SectionKind.NOTICE)
    stop_list: str | None = None
    _memory: dict[str, Any] = field(default_factory=dict, init=False, repr=False)

    def analyse(self, document: Document) -> AnalysedDocument:
        """Columns of one document; no text, or only white space, gives columns of length 0."""
        words, chunks = self._known()
        text = document.text
        starts, gaps = _chunk_places(text)
        numbers = np.fromiter(map(chunks.__getitem__, text.split()), np.int32, len(starts))
        chunk, place = chunks.tokens_of(numbers)
        word, marks, within, until = chunks.columns(place)
        begin = starts.take(chunk)
        start, end = begin + within, begin + until
        region, kind_of_region = _regions(document, start)
        sentence = _sentences(chunk, gaps, marks, region)

        dropped = np.isin(kind_of_region, [kind.code for kind in self.leave_out])
        if dropped.any():
            kept = np.flatnonzero(~dropped[region])
            word, start, end, marks = word[kept], start[kept], end[kept], marks[kept]
            sentence, region = sentence[kept], region[kept]
        forms, local = _distinct(word, len(words))
        word_stem, word_flags, word_key, word_parts = words.columns(forms)
        stems, local_stem = _distinct(word_stem, len(words.stems))
        return AnalysedDocument(
            source=document,
            analyser=self.signature,
            words=tuple(map(words.forms.__getitem__, forms.tolist())),
            stems=tuple(map(words.stems.__getitem__, stems.tolist())),
            word_stem=local_stem,
            word_flags=word_flags.astype(np.uint8),
            word_key=word_key,
            word_parts=np.minimum(word_parts, 255).astype(np.uint8),
            word=local,
            start=start,
            end=end,
            sentence=sentence,
            section=kind_of_region.take(region),
            case=marks & CASE,
        )

    @property
    def signature(self) -> str:
        """Identity of what this analyser does."""
        known = self._memory.get("signature")
        if known is None:
            known = self._memory["signature"] = signature(self)
        return str(known)

    def _known(self) -> tuple[Words, Chunks]:
        """The memory, made on first use and again when it has grown too large."""
        if "chunks" not in self._memory or len(self._memory["chunks"]) > _MOST_CHUNKS:
            words = Words(stemmer(self.language), stopwords(self.stop_list or self.language))
            self._memory["words"], self._memory["chunks"] = words, Chunks(words)
        return self._memory["words"], self._memory["chunks"]

    def __reduce__(self) -> tuple[Any, ...]:
        """Travel without the memory: a worker builds its own."""
        return type(self), (self.language, self.leave_out, self.stop_list)


def _chunk_places(text: str) -> tuple[Ints, Bools]:
    """First characters of the chunks that ``str.split`` gives, and whether a blank line stands before each."""
    if text.isascii():
        codes: Ints = np.frombuffer(text.encode(), np.uint8)
        some = codes
    else:
        codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
        some = np.minimum(codes, len(_BLANKS) - 1)
    blank = np.ones(len(codes) + 1, bool)  # the first entry stands before the text
    blank[1:] = _BLANKS.take(some)
    starts = np.flatnonzero(blank[:-1] & ~blank[1:]).astype(np.int32)
    behind = starts.searchsorted(np.flatnonzero(codes == _NEWLINE))  # the chunk behind each newline
    gaps = np.bincount(behind, minlength=len(starts) + 1)[: len(starts)] > 1
    gaps[:1] = False
    return starts, gaps


def _sentences(chunk: Ints, gaps: Bools, marks: Ints, region: Ints) -> Ints:
    """Number of each token's sentence, (tokens,), from what ends sentences: signs, blank lines, borders of sections."""
    begins = np.empty(len(chunk), bool)
    begins[:1] = False
    begins[1:] = (chunk[1:] > chunk[:-1]) & gaps.take(chunk[1:])
    begins[1:] |= (marks[:-1] & CLOSES > 0) & (marks[1:] & SMALL == 0)
    begins[1:] |= region[1:] != region[:-1]
    return np.cumsum(begins, dtype=np.int32)


def _regions(document: Document, start: Ints) -> tuple[Ints, Ints]:
    """Stretches between section borders: which one each token is in, (tokens,), and each one's kind, (regions,)."""
    borders = np.array([at for section in document.sections for at in (section.start, section.end)], np.int32)
    kinds = np.zeros(len(borders) + 1, np.int8)
    kinds[1::2] = [section.kind.code for section in document.sections]
    entered = np.bincount(np.searchsorted(start, borders), minlength=len(start) + 1)
    return np.cumsum(entered[: len(start)]), kinds


def _distinct(numbers: Ints, most: int) -> tuple[Ints, Ints]:
    """Distinct values by first occurrence, and the place of each number among them; all numbers are below ``most``.

    The numbers depend on what was analysed before; the order of first occurrence does not.
    """
    first = np.full(most, -1, np.int32)
    first[numbers[::-1]] = np.arange(len(numbers) - 1, -1, -1, dtype=np.int32)  # of equal numbers the last one stays
    values = np.flatnonzero(first >= 0)
    values = values[np.argsort(first[values])]
    places = np.empty(most, np.int32)
    places[values] = np.arange(len(values), dtype=np.int32)
    return values, places[numbers]
