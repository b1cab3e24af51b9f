"""Labels in a ranking, recognised by tokens and by texts."""

from dataclasses import replace

import numpy as np
import pytest

from keywright.core.candidates import Candidates
from keywright.core.documents import Document, Section, SectionKind
from keywright.extraction.candidates.restricting import mentions_of
from keywright.extraction.ranking.rank import rank
from keywright.extraction.vocabularies.index import VocabularyIndex
from keywright.running.concept_matching import PhraseForms, find_labels
from keywright.text.analyser import TextAnalyser

LABELS = (
    "peer to peer", "grid", "C++", "C", "quality of services", "naive grid", "naïve grid", "grid's peer",
    "a b", "one two", "Grids 2.0", "soft hyphen", "peers grid",
)  # fmt: skip
TEXTS = (
    "Peer-to-peer grids, and the quality of service of C++. A naïve grid's peers.",
    "grid + peer, C + + and C+; grid\nPeers. Grid 2.0 vs. grid 2,0: a-b a/b (a b) one. Two",
    "so\u00adft hy\u00adphen grid\u3000peer “C”, l'eau d'un grid神 grids grid",
    "grid - peer to - peer \ufb01ne grid\u200bpeer",
)


def every_stretch(document):
    """A candidate of each stretch of up to four tokens."""
    spans = [(at, to - at) for at in range(len(document)) for to in range(at + 1, min(at + 4, len(document)) + 1)]
    first, width = np.array(spans, np.int64).reshape(-1, 2).T
    ones = np.ones(len(spans), np.int64)
    return Candidates(first.astype(np.uint64), width, ones, first, first, np.arange(len(spans) + 1), first, width)


def ranked(document):
    candidates = every_stretch(document)
    return rank(document, candidates, np.arange(float(len(candidates))))


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("sections", [(), (Section(SectionKind.KEYWORDS, 5, 9),)])
def test_by_tokens_as_by_texts(text, sections):
    document = TextAnalyser().analyse(Document("a", text, sections, language="en"))
    vocabulary, forms, ranking = VocabularyIndex.of(LABELS), PhraseForms(document), ranked(document)
    mentions = mentions_of(document, vocabulary.keys_for("en"))
    by_text = find_labels(replace(ranking, mentions=None), mentions, forms, vocabulary)
    assert by_text.any()
    assert find_labels(ranking, mentions, forms, vocabulary).tolist() == by_text.tolist()
    some = np.arange(len(ranking)) % 3 > 0
    assert find_labels(ranking.where(some), mentions, forms, vocabulary).tolist() == by_text[some].tolist()


def test_few_texts_are_made():
    document = TextAnalyser().analyse(Document("a", "The quality of services of peers in a grid", language="en"))
    vocabulary, forms = VocabularyIndex.of(LABELS), PhraseForms(document)
    ranking = replace(ranked(document), phrases=pytest.fail)
    mentions = mentions_of(document, vocabulary.keys_for("en"))
    assert find_labels(ranking, mentions, forms, vocabulary).sum() == 2  # quality of services, grid


def test_a_ranking_of_nothing():
    document = TextAnalyser().analyse(Document("a", "", language="en"))
    vocabulary = VocabularyIndex.of(LABELS)
    mentions = mentions_of(document, vocabulary.keys_for("en"))
    assert find_labels(ranked(document), mentions, PhraseForms(document), vocabulary).tolist() == []
