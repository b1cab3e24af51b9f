"""Traces of documents, by which copies of a text in two collections are found, as columns that are compared fast.

A document has a title, an opening, lists of keyphrases, and runs of six words. Only letters count, in lower case,
because copies differ in case, spacing, digits and signs. Runs leave out the parts that many papers share: references,
licence notices, classification, authors, acknowledgements.
"""

import re
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from typing import Final, Self

import numpy as np

from keywright.core.arrays import Ints, Keys
from keywright.core.documents import Document, GoldKeyphrase, LabelledDocument, SectionKind
from keywright.text.keys import hash_of, phrase_key
from keywright.text.stems import stemmer

OPENING: Final = 400  # letters; arbitrary
RUN: Final = 6  # words; arbitrary
SHARED_PARTS: Final = frozenset(
    {
        SectionKind.REFERENCES,
        SectionKind.NOTICE,
        SectionKind.METADATA,
        SectionKind.AUTHORS,
        SectionKind.ACKNOWLEDGEMENTS,
    }
)
_WORD = re.compile(r"[^\W\d_]+")
_DIGIT: Final = "<digit>"
"""Placeholder for numbers in some collections."""
_MULTIPLIERS: Final = np.array([pow(0x9E3779B97F4A7C15, power, 1 << 64) for power in range(RUN)], np.uint64)
"""Powers of an odd 64-bit constant (2**64 over the golden ratio): multipliers of a polynomial hash of a run."""


@dataclass(frozen=True, slots=True, eq=False)
class Lists:
    """Lists of keyphrases, one for each document and kind of gold.

    Attributes:
        document: number of the document, (lists,).
        size: distinct phrases, (lists,).
        key: of a phrase, as written and stemmed, ascending, (keys,).
        phrase: number of the phrase among all phrases of all lists, (keys,).
        owner: list of the phrase, (phrases,).
    """

    document: Ints
    size: Ints
    key: Keys
    phrase: Ints
    owner: Ints


@dataclass(frozen=True, slots=True, eq=False)
class Traces:
    """Traces of a collection.

    Attributes:
        ids: of the documents, (documents,).
        titles: letters of each title; empty if unknown, (documents,).
        openings: first letters of each text from the title on, (documents,).
        lists: of keyphrases.
        run: hash of a run of words, each once per document, ascending, (runs,).
        document: number of the document of the run, (runs,).
        runs: number of runs of each document, (documents,).
    """

    ids: tuple[str, ...]
    titles: tuple[str, ...]
    openings: tuple[str, ...]
    lists: Lists
    run: Keys
    document: Ints
    runs: Ints

    @classmethod
    def of(cls, labelled: Iterable[LabelledDocument[Document]], kinds: Container[str] | None = None) -> Self:
        """Return the traces of documents with sections; none for an empty collection.

        Args:
            labelled: the documents.
            kinds: kinds of gold to use; None for all. Keys from a small controlled vocabulary agree by chance.
        """
        ids, titles, openings, golds, runs = [], [], [], [], []
        hashes = _Hashes()
        for each in labelled:
            ids.append(each.id)
            titles.append(letters(each.document.section(SectionKind.TITLE) or ""))
            openings.append(opening(each.document))
            golds.append([entry for entry in each.gold if kinds is None or entry.by in kinds])
            runs.append(_runs(each.document, hashes))
        sizes = np.array([len(hashed) for hashed in runs], np.int64)
        together = np.concatenate([np.zeros(0, np.uint64), *runs])
        order = np.argsort(together, kind="stable")
        document = np.repeat(np.arange(len(runs), dtype=np.int32), sizes)[order]
        return cls(tuple(ids), tuple(titles), tuple(openings), _lists(golds), together[order], document, sizes)


def letters(text: str) -> str:
    """Return the letters of a text in lower case, nothing between them; digits and their placeholders are removed."""
    return "".join(_WORD.findall(text.lower().replace(_DIGIT, " ")))


def opening(document: Document) -> str:
    """Return the first letters of a document, from its title if known."""
    start = next((section.start for section in document.sections if section.kind == SectionKind.TITLE), 0)
    return letters(document.text[start : start + 2 * OPENING])[:OPENING]


class _Hashes(dict[str, int]):
    """Hashes of words, computed once."""

    def __missing__(self, word: str) -> int:
        """Return and store the hash of a new word."""
        self[word] = hashed = hash_of(word)
        return hashed


def _runs(document: Document, hashes: _Hashes) -> Keys:
    """Return the distinct runs of words of a document, ascending, (runs,)."""
    runs = [np.zeros(0, np.uint64)]
    for stretch in _stretches(document):
        words = [hashes[word] for word in _WORD.findall(stretch.lower().replace(_DIGIT, " "))]
        if len(words) >= RUN:
            # A polynomial hash of every window at once: windows are views, and products wrap modulo 2**64.
            runs.append(np.lib.stride_tricks.sliding_window_view(np.array(words, np.uint64), RUN) @ _MULTIPLIERS)
    return np.unique(np.concatenate(runs))


def _stretches(document: Document) -> Iterator[str]:
    """Yield the text between the parts that papers share."""
    at = 0
    for section in document.sections:
        if section.kind in SHARED_PARTS:
            yield document.text[at : section.start]
            at = section.end
    yield document.text[at:]


def _lists(golds: Iterable[Iterable[GoldKeyphrase]]) -> Lists:
    """Return lists of keyphrases of documents in order; phrases that differ only in inflection or case are one."""
    columns: tuple[list[int], ...] = ([], [], [], [])
    document, size, phrase, owner = columns
    key: list[int] = []
    for number, gold in enumerate(golds):
        for phrases in _distinct(gold):
            for forms in phrases:
                key.extend(forms)
                phrase.extend([len(owner)] * len(forms))
                owner.append(len(document))
            document.append(number)
            size.append(len(phrases))
    keys = np.array(key, np.uint64)
    order = np.argsort(keys, kind="stable")
    documents, sizes, phrase_of, owners = (np.array(column, np.int64) for column in columns)
    return Lists(documents, sizes, keys[order], phrase_of[order], owners)


def _distinct(gold: Iterable[GoldKeyphrase]) -> Iterator[list[set[int]]]:
    """Yield, for each kind of gold, its distinct phrases, each as the keys of its forms, as written and stemmed."""
    stem = stemmer("en")
    kinds: dict[str, dict[int, set[int]]] = {}
    for entry in gold:
        keys = {phrase_key(form, how) for form in entry.forms for how in (stem, str)} - {0}
        if keys:
            kinds.setdefault(entry.by, {}).setdefault(phrase_key(entry.forms[0], stem), set()).update(keys)
    return (list(phrases.values()) for phrases in kinds.values())
