"""Concepts of a vocabulary in a document: in its text, among its keyphrases, and as columns that describe them.

Columns say what can be said of concepts without other documents.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from keywright.core.arrays import Floats, Ints, Keys, expand_ranges
from keywright.core.candidates import Candidates, Ranking
from keywright.core.documents import AnalysedDocument, GoldKeyphrase, LabelledDocument, SectionKind, WordFlag
from keywright.core.interfaces import Extractor
from keywright.extraction.candidates.restricting import mentions_of
from keywright.extraction.corpus.labelled import text_key
from keywright.extraction.vocabularies.concepts import Concepts
from keywright.extraction.vocabularies.index import VocabularyIndex
from keywright.extraction.vocabularies.label_keys import LabelForms
from keywright.text.keys import phrase_key
from keywright.text.stems import stemmer

_RANKS: Final = 10_000  # rank of phrases that the base system does not rank; arbitrary, behind nearly all
_ZONES: Final = tuple(kind.code for kind in (SectionKind.TITLE, SectionKind.ABSTRACT, SectionKind.HEADING))
"""Sections in which a mention counts for more."""
DEFAULT_LANGUAGE = "en"  # language of documents that name none, as elsewhere in matching


@dataclass(frozen=True, slots=True, eq=False)
class ConceptMatches:
    """Pairs of a concept and a phrase of the document that has the key of one of its labels.

    ``places``: of the concepts, ascending, (concepts,); ``meanings``: number of concepts of each phrase, (phrases,);
    ``concept``, ``phrase``: indices, ``kind``: of the surest label, ``form``: how it is written, (pairs,).
    """

    places: Ints
    phrases: Candidates
    meanings: Ints
    concept: Ints
    phrase: Ints
    kind: Ints
    form: Ints

    @classmethod
    def of(cls, document: AnalysedDocument, vocabulary: VocabularyIndex) -> "ConceptMatches":
        """Return the concepts of a vocabulary in a document; without labels in its language those of all are used."""
        language = document.source.language or DEFAULT_LANGUAGE
        phrases = mentions_of(document, vocabulary.keys_for(language))
        concepts, forms = vocabulary.need_concepts(), forms_of_language(vocabulary, language)
        first, end = (forms.keys.searchsorted(phrases.key, side) for side in ("left", "right"))
        row, phrase = expand_ranges(first, end)
        place = concepts.of_labels(forms.labels[row])
        # The forms of a key are sorted, the surest first, and ``unique`` returns the first row of each pair.
        _, surest = np.unique(place * max(1, len(phrases)) + phrase, return_index=True)
        places, concept = np.unique(place[surest], return_inverse=True)
        phrase, row = phrase[surest], row[surest]
        meanings = np.bincount(phrase, minlength=len(phrases))
        return cls(places, phrases, meanings, concept, phrase, concepts.kinds[forms.labels[row]], forms.forms[row])

    def __len__(self) -> int:
        return len(self.places)

    def mentions(self) -> tuple[Ints, Ints]:
        """Return the concept of each mention, ascending, and the occurrence among those of the phrases, (mentions,)."""
        offsets = self.phrases.offsets
        occurrence, pair = expand_ranges(offsets[self.phrase], offsets[self.phrase + 1])
        return self.concept[pair], occurrence

    def phrases_of(self, concept: int) -> Ints:
        """Return the phrases that mention a concept, the most certain kind of label first, then the most frequent."""
        pairs = np.flatnonzero(self.concept == concept)
        phrase = self.phrase[pairs]
        order = np.lexsort((self.phrases.first[phrase], -self.phrases.frequency[phrase], self.form[pairs]))
        return np.asarray(phrase[order])


def forms_of_language(vocabulary: VocabularyIndex, language: str) -> LabelForms:
    """Return the forms of the labels of a vocabulary of concepts, stemmed like documents in a language."""
    vocabulary.need_concepts()
    forms = vocabulary.forms_for(language)
    assert forms is not None, "a vocabulary of concepts has forms"  # noqa: S101 - for the type checker
    return forms


@dataclass(frozen=True, slots=True, eq=False)
class GoldConcepts:
    """Subjects of one document, places ascending and once each, and keyphrases that are ``lacking``, once each."""

    places: Ints
    lacking: tuple[str, ...]

    @property
    def number(self) -> int:
        """Number of subjects, in the vocabulary or not."""
        return len(self.places) + len(self.lacking)


@dataclass(frozen=True, eq=False)
class SubjectLookup:
    """Concepts of a vocabulary by what people write for them."""

    vocabulary: VocabularyIndex

    def of(self, example: LabelledDocument[AnalysedDocument]) -> GoldConcepts:
        """Return the subjects of a document; gold of every kind counts."""
        language = example.document.source.language or DEFAULT_LANGUAGE
        places: set[int] = set()
        lacking: dict[str, None] = {}
        for keyphrase in example.gold:
            place = self._place(keyphrase, language)
            if place is None:
                lacking[keyphrase.forms[0]] = None
            else:
                places.add(place)
        return GoldConcepts(np.array(sorted(places), np.int64), tuple(lacking))

    def _place(self, keyphrase: GoldKeyphrase, language: str) -> int | None:
        """Return the concept of a keyphrase, by the surest of its forms; None if the vocabulary lacks it."""
        for table, fold in ((self.vocabulary.need_concepts().places, str.strip), (self._by_label, _fold_label)):
            for form in map(fold, keyphrase.forms):
                if form in table:
                    return table[form]
        labels = forms_of_language(self.vocabulary, language)
        for form in keyphrase.forms:
            key = phrase_key(form, stemmer(language))
            if key and len(rows := labels.of_key(key)[0]):
                return int(self.vocabulary.need_concepts().of_labels(rows[:1])[0])
        return None

    @cached_property
    def _by_label(self) -> Mapping[str, int]:
        """Concepts by label, without case; of several with one label, that which prefers it, else the first."""
        concepts = self.vocabulary.need_concepts()
        rows = np.argsort(concepts.kinds, kind="stable")
        by_label: dict[str, int] = {}
        for row, place in zip(rows.tolist(), concepts.of_labels(rows).tolist(), strict=True):
            by_label.setdefault(_fold_label(self.vocabulary.labels[row]), place)
        return by_label


def _fold_label(label: str) -> str:
    return " ".join(label.casefold().split())


def most_lacking(subjects: Iterable[GoldConcepts], number: int) -> list[str]:
    """Return the keyphrases that the vocabulary lacks for most documents."""
    counted = Counter(label for of_document in subjects for label in of_document.lacking)
    return [label for label, _ in counted.most_common(number)]


@dataclass(frozen=True, slots=True, eq=False)
class DescribedDocument:
    """A document as the ranking of subjects sees it.

    ``columns``: described concepts by name, (concepts,) each; ``words``: ascending keys of content words, with
    ``counts``, (words,); ``text``: 64-bit hash, its identity.
    """

    matches: ConceptMatches
    columns: dict[str, Floats]
    words: Keys
    counts: Ints
    text: int


def describe(document: AnalysedDocument, vocabulary: VocabularyIndex, base: Extractor) -> DescribedDocument:
    """Return what the ranking of subjects sees of a document, with probabilities and ranks of phrases by ``base``."""
    matches = ConceptMatches.of(document, vocabulary)
    content = document.word_flags & (WordFlag.LETTER | WordFlag.STOP) == WordFlag.LETTER
    keys = document.word_key[document.word[content[document.word]]]
    words, counts = np.unique(keys, return_counts=True)
    columns = {
        **_describe_rank(matches, base.extract(document), document),
        **_describe_mentions(matches, document),
        # Among the concept's labels in the text, the surest kind and form, the fewest meanings, the most words.
        "kind of label": _least(matches.kind, matches).astype(float),
        "form of label": _least(matches.form, matches).astype(float),
        "meanings of label": _least(matches.meanings[matches.phrase], matches).astype(float),
        "words of label": -_least(-matches.phrases.length[matches.phrase], matches).astype(float),
        "labels": np.bincount(matches.concept, minlength=len(matches)).astype(float),
        **_describe_relations(matches.places, vocabulary.need_concepts()),
    }
    return DescribedDocument(matches, columns, words, counts, text_key(document))


def _describe_rank(matches: ConceptMatches, ranking: Ranking, document: AnalysedDocument) -> dict[str, Floats]:
    """Return P(one of a concept's phrases would be chosen), as independent, and its best rank, (concepts,) each."""
    rank = _ranks(matches.phrases, ranking, document)
    probability = np.zeros(len(rank))
    ranked = np.flatnonzero(rank < _RANKS)
    if ranking.probabilities is not None:
        probability[ranked] = np.nan_to_num(ranking.probabilities(rank[ranked]))
    none = np.bincount(matches.concept, np.log1p(-probability[matches.phrase].clip(max=1 - 1e-9)), len(matches))
    return {"probability of labels": -np.expm1(none), "rank of labels": np.log1p(_least(rank[matches.phrase], matches))}


def _ranks(phrases: Candidates, ranking: Ranking, document: AnalysedDocument) -> Ints:
    """Return the best position of each phrase in a ranking, at most ``_RANKS``, (phrases,)."""
    if ranking.mentions:
        position, first, width = ranking.mentions()
    else:  # a system that names places in the text only
        listed_phrases = ranking.phrases(ranking.positions_to())
        places = [(position, *span) for position, (_, spans) in enumerate(listed_phrases) for span in spans]
        position, start, end = np.array(places, np.int64).reshape(-1, 3).T
        first = document.start.searchsorted(start, "right") - 1
        width = document.end.searchsorted(end) - first + 1
    # One number for each place and width, as phrases of two sources are joined by their tokens.
    widest = len(document) + 1
    order = np.lexsort((position, first * widest + width))
    codes, position = (first * widest + width)[order], position[order]
    looked_up = phrases.positions * widest + phrases.widths
    at = codes.searchsorted(looked_up)
    listed = at < len(codes)
    listed[listed] = codes[at[listed]] == looked_up[listed]
    rank = np.full(len(phrases), _RANKS)
    np.minimum.at(rank, phrases.owner[listed], position[at[listed]])
    return rank


def _describe_mentions(matches: ConceptMatches, document: AnalysedDocument) -> dict[str, Floats]:
    """Return number and places of the mentions of each concept, (concepts,) each."""
    concept, occurrence = matches.mentions()
    phrases = matches.phrases
    position = phrases.positions[occurrence]
    number, tokens = np.bincount(concept, minlength=len(matches)), max(1, len(document))
    first = np.full(len(matches), tokens)
    last = np.zeros(len(matches), np.int64)
    np.minimum.at(first, concept, position)
    np.maximum.at(last, concept, position)
    # Sorted by start, the longest first: an occurrence is inside another if one before it ends where it does or later.
    order = np.lexsort((-phrases.widths, phrases.positions))
    end = (phrases.positions + phrases.widths)[order]
    before = np.maximum.accumulate(np.concatenate(([-1], end)))[:-1]
    nested = np.zeros(len(end), bool)
    nested[order] = before >= end
    return {
        "mentions": np.log1p(number),
        "density": number / tokens,
        "first mention": first / tokens,
        "last mention": last / tokens,
        "spread": (last - first) / tokens,
        "mentions in zones": np.bincount(concept, np.isin(document.section[position], _ZONES), len(matches)),
        "inside longer labels": np.bincount(concept, nested[occurrence], len(matches)) / np.maximum(1, number),
        "tokens": np.full(len(matches), np.log1p(tokens)),
        "concepts": np.full(len(matches), np.log1p(len(matches))),
    }


def _describe_relations(places: Ints, concepts: Concepts) -> dict[str, Floats]:
    """Return how many mentioned concepts are above, below, or beside each one, under the same concept, (concepts,)."""
    link, of_concept = expand_ranges(concepts.broader_offsets[places], concepts.broader_offsets[places + 1])
    above = concepts.broader[link]
    at = places.searchsorted(above).clip(max=max(0, len(places) - 1))
    mentioned = places[at] == above if len(places) else np.zeros(0, bool)
    parents, parent = np.unique(above, return_inverse=True)
    children = np.bincount(parent, minlength=len(parents))
    return {
        "broader mentioned": np.bincount(of_concept[mentioned], minlength=len(places)).astype(float),
        "narrower mentioned": np.bincount(at[mentioned], minlength=len(places)).astype(float),
        "siblings mentioned": np.bincount(of_concept, children[parent] - 1.0, len(places)),
    }


def _least(values: Ints, matches: ConceptMatches) -> Ints:
    """Return the least value, (pairs,), of each concept's pairs, (concepts,)."""
    if not len(matches):
        return np.zeros(0, values.dtype)
    return np.minimum.reduceat(values, np.searchsorted(matches.concept, np.arange(len(matches))))
