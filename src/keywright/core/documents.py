"""Documents: as given (``Document``), as analysed (``AnalysedDocument``), and with gold (``LabelledDocument``)."""

import bisect
import enum
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, Generic, TypeVar

import numpy as np

from keywright.core.arrays import Ints, Keys
from keywright.core.errors import BadParameter
from keywright.core.json_values import replace_surrogates


class SectionKind(enum.StrEnum):
    """Kinds of sections, in the order of the codes in ``AnalysedDocument.section``."""

    BODY = "body"
    TITLE = "title"
    AUTHORS = "authors"
    ABSTRACT = "abstract"
    KEYWORDS = "keywords"
    METADATA = "metadata"
    HEADING = "heading"
    INTRODUCTION = "introduction"
    RELATED = "related"
    CONCLUSION = "conclusion"
    ACKNOWLEDGEMENTS = "acknowledgements"
    REFERENCES = "references"
    CAPTION = "caption"
    NOTICE = "notice"

    @property
    def code(self) -> int:
        """Code of this kind in columns; 0 for ``body``."""
        return _CODES[self]


SECTION_KINDS: Final = tuple(SectionKind)
_CODES: Final = {kind: code for code, kind in enumerate(SECTION_KINDS)}


@dataclass(frozen=True, slots=True)
class Section:
    """A stretch of a document's text, half-open, in characters."""

    kind: SectionKind
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Coverage:
    """Characters read, of the characters given."""

    read: int
    given: int


_NAMES: Final = {"id": "id", "text": "text", "meta": "other data"}  # fields that strangers write, in messages


@dataclass(frozen=True, slots=True)
class Document:
    """A document before analysis; never altered.

    Attributes:
        id: name of the document, unique in its collection.
        text: the whole text; every offset anywhere refers to it.
        sections: stretches of known kind, in reading order, not overlapping; text outside of them is body.
        language: ISO 639-1 code; None if unknown.
        meta: other data of the document, JSON values only. ``core.citations`` has the keys of bibliographic metadata.
            Readers of paged files add ``pages``: the offset of each page's first character.
        coverage: characters read, of the characters given; None for all.
        warnings: omissions and oddities while reading, for people.

    Raises:
        BadParameter: sections overlap, are out of order, or leave the text.
    """

    id: str
    text: str
    sections: tuple[Section, ...] = ()
    language: str | None = None
    meta: Mapping[str, Any] = field(default_factory=dict)
    coverage: Coverage | None = None
    warnings: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Check the sections, and replace halves of characters, once, so that users of a document need not."""
        for name in ("id", "text", "meta"):
            try:
                is_clean = (clean := replace_surrogates(value := getattr(self, name))) == value
            except RecursionError:
                message = f"the {_NAMES[name]} of {self.id!r:.60} is nested too deeply"
                raise BadParameter(message, "expected a few levels of lists and objects") from None
            if not is_clean:
                warning = f"characters in its {_NAMES[name]} that no encoding has were replaced by \ufffd"
                object.__setattr__(self, "warnings", (*self.warnings, warning))
                object.__setattr__(self, name, clean)
        last = 0
        for section in self.sections:
            if not last <= section.start <= section.end <= len(self.text):
                message = f"section {section.kind} [{section.start}, {section.end}) of {self.id!r} is out of place"
                raise BadParameter(message, "sections must lie in the text, in order, without overlap")
            last = section.end

    def add_warnings(self, *warnings: str) -> "Document":
        """Return the document with more warnings behind its own."""
        return replace(self, warnings=(*self.warnings, *warnings)) if warnings else self

    @property
    def title(self) -> str | None:
        """Title on one line, as it is in the text or else as file or record state it; None without one."""
        titles = [section for section in self.sections if section.kind == SectionKind.TITLE]
        parts = [part for part in titles if "\n" not in self.text[titles[0].end : part.start]]  # around signs of sexes
        title = "".join(self.text[part.start : part.end] for part in parts) or self.meta.get("title")
        return " ".join(title.split()) or None if isinstance(title, str) else None

    def section(self, kind: SectionKind) -> str | None:
        """Return the trimmed text of the first section of a kind; None if there is none."""
        return next((self.text[each.start : each.end].strip() for each in self.sections if each.kind == kind), None)


class WordFlag(enum.IntFlag):
    """Properties of a word form, as bits of ``AnalysedDocument.word_flags``."""

    LETTER = 1  # has a letter
    STOP = 2  # on the stop list of the document's language
    DIGIT = 4  # has a digit
    PUNCTUATION = 8  # neither letter nor digit
    COMPOUND = 16  # hyphen or slash inside
    SYMBOLIC = 32  # URL, e-mail address, formula: no phrase of a language
    LONE = 64  # a single ASCII character
    SINGLE = 128  # a single character of a script without blanks, or syllable of Hangul: not a phrase


class Case(enum.IntEnum):
    """Case of a token: ``network``, ``Network``, ``DNA``, ``HyARM``. Scripts without case are ``LOWER``."""

    LOWER = 0
    CAPITAL = 1
    UPPER = 2
    MIXED = 3


@dataclass(frozen=True, slots=True, eq=False)
class AnalysedDocument:
    """A document as columns: made once, shared by all systems, and self-contained, so that it pickles.

    Token columns run over the tokens in reading order; word columns over the distinct word forms. Empty text gives
    columns of length 0.

    Attributes:
        source: the document; offsets are in its text.
        analyser: signature of the analyser that made this.
        words: distinct forms in lower case, axis (words,).
        stems: distinct stems, axis (stems,).
        word_stem: index into ``stems``, (words,).
        word_flags: bits of ``WordFlag``, (words,).
        word_key: 64-bit key of the form's stem, one step per hyphen-separated part, (words,).
        word_parts: number of those parts, at least 1, (words,).
        word: index into ``words``, (tokens,).
        start: first character, (tokens,).
        end: character after the last, (tokens,).
        sentence: number of the sentence, not decreasing, (tokens,). Sections begin new sentences.
        section: code of the ``SectionKind``, (tokens,).
        case: a ``Case``, (tokens,).
        tag: index into ``tags``, (tokens,); None when the analyser does not tag.
        tags: names of part-of-speech tags (Penn Treebank for English).
        has_terms: whether terms with inner signs are one token, as systems that need ``terms`` want them.
    """

    source: Document
    analyser: str
    words: tuple[str, ...]
    stems: tuple[str, ...]
    word_stem: Ints
    word_flags: Ints
    word_key: Keys
    word_parts: Ints
    word: Ints
    start: Ints
    end: Ints
    sentence: Ints
    section: Ints
    case: Ints
    tag: Ints | None = None
    tags: tuple[str, ...] = ()
    has_terms: bool = False

    def __len__(self) -> int:
        return len(self.word)

    # The document axis of ``document_batches.DocumentBatch``, with a single entry.

    @property
    def documents(self) -> "tuple[AnalysedDocument, ...]":
        """The document itself."""
        return (self,)

    @property
    def language(self) -> str | None:
        """Language of the source."""
        return self.source.language

    @property
    def bounds(self) -> Ints:
        """First token, and the number of tokens, (2,)."""
        return np.array([0, len(self.word)])

    @property
    def word_bounds(self) -> Ints:
        """First word, and the number of words, (2,)."""
        return np.array([0, len(self.words)])

    @property
    def first_sentences(self) -> Ints:
        """Number of the first sentence, (1,)."""
        return np.zeros(1, np.int64)

    def numbers(self, tokens: Ints) -> Ints:
        """Return the index of each token's document, which is 0, (some tokens,)."""
        return np.zeros(len(tokens), np.int64)

    @property
    def stem(self) -> Ints:
        """Index into ``stems``, (tokens,)."""
        return np.asarray(self.word_stem[self.word])

    @property
    def flags(self) -> Ints:
        """Bits of ``WordFlag``, (tokens,)."""
        return np.asarray(self.word_flags[self.word])

    @property
    def provides(self) -> frozenset[str]:
        """Columns for the ``needs`` of systems: stems and terms always, tags and sections if there are any."""
        has = {"stems": True, "terms": True, "tags": self.tag is not None, "sections": bool(np.any(self.section))}
        return frozenset(name for name, is_there in has.items() if is_there)


D = TypeVar("D", Document, AnalysedDocument)


@dataclass(frozen=True, slots=True)
class GoldKeyphrase:
    """One keyphrase chosen by people.

    Attributes:
        forms: accepted alternatives, at least one, as the collection writes them.
        by: its kind: ``author``, ``reader``, ``combined``, ``uncontr``, ``contr`` ... (a card lists its kinds).
    """

    forms: tuple[str, ...]
    by: str


@dataclass(frozen=True, slots=True)
class LabelledDocument(Generic[D]):
    """A document, as given or analysed, with its gold of all kinds; repeats of the collection are kept."""

    document: D
    gold: tuple[GoldKeyphrase, ...]

    @property
    def id(self) -> str:
        """The document's id."""
        return self.document.source.id if isinstance(self.document, AnalysedDocument) else self.document.id

    def given_by(self, by: str) -> tuple[GoldKeyphrase, ...]:
        """Return the gold of one kind, in the collection's order."""
        return tuple(gold for gold in self.gold if gold.by == by)


class Match(enum.StrEnum):
    """How phrases are matched with a vocabulary: by stems, by embeddings, or by both."""

    LABEL = "label"
    MEANING = "meaning"
    BOTH = "both"


class Style(enum.StrEnum):
    """Choices of people to imitate.

    Authors choose few and general phrases, readers mark some, indexers take all; subject headings are chosen for a
    catalogue; tags are mostly single words. *General* is what all of them have in common.
    """

    AUTHOR = "author"
    READER = "reader"
    INDEXER = "indexer"
    SUBJECT = "subject"
    GENERAL = "general"
    TAGS = "tags"


Quality = enum.StrEnum("Quality", "STANDARD BEST")
"""How closely the default reads a text: by counts and places of phrases, or with an encoder as well."""


def cover_sections(document: Document) -> Iterator[Section]:
    """Yield the sections, and the text between them as body."""
    at = 0
    for section in document.sections:
        yield Section(SectionKind.BODY, at, section.start)
        yield section
        at = section.end
    yield Section(SectionKind.BODY, at, len(document.text))


def find_section(document: Document, at: int) -> SectionKind:
    """Return the kind of section of a character."""
    index = bisect.bisect_right(document.sections, at, key=lambda section: section.start) - 1
    return document.sections[index].kind if index >= 0 and at < document.sections[index].end else SectionKind.BODY


def find_page(document: Document, at: int) -> int | None:
    """Return the page of a character, from 1; None if the document has no pages."""
    pages = document.meta.get("pages")
    return max(1, bisect.bisect_right(pages, at)) if isinstance(pages, (list, tuple)) and pages else None
