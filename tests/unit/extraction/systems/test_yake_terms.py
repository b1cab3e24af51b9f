"""Numbers of single terms, by hand."""

import math

import numpy as np
import pytest
from tests.builders import analysed

from keywright.core.documents import AnalysedDocument, Document
from keywright.core.errors import UnknownName
from keywright.extraction.systems.yake import Terms, readable_words, short_words
from keywright.text.analyser import TextAnalyser


def of_words(document: AnalysedDocument, terms: Terms, column) -> dict[str, float]:
    """A column over terms, by word form."""
    return {document.words[word]: column[term] for word, term in zip(document.word, terms.term, strict=True)}


TEXT = analysed("Storm and DNS. The Storm of storms: DNS, storm. Dns ends.")


@pytest.mark.parametrize(("kind", "storm", "storms"), [("forms", 3, 1), ("singular", 4, 4), ("stems", 4, 4)], ids=str)
def test_what_terms_are(kind, storm, storms):
    terms = Terms.of(TEXT, kind)
    mentions = of_words(TEXT, terms, terms.mentions)
    assert (mentions["storm"], mentions["storms"], mentions["dns"]) == (storm, storms, 3)


def test_a_short_word_keeps_its_s():
    document = analysed("gas ga")
    assert len(Terms.of(document, "singular").mentions) == 2


def test_an_unknown_kind_of_terms():
    with pytest.raises(UnknownName):
        Terms.of(TEXT, "lemmas")


def test_casing():
    """*storm*: of three mentions one has a capital inside a sentence; *dns*: two in capitals."""
    terms = Terms.of(TEXT)
    found = of_words(TEXT, terms, terms.casing())
    assert found["storm"] == pytest.approx(1 / (1 + math.log(3)))
    assert found["dns"] == pytest.approx(2 / (1 + math.log(3)))
    assert found["storms"] == found["and"] == 0


def test_sentences():
    """*storm* is in sentences 0, 1 and 1; *dns* in all three."""
    terms = Terms.of(TEXT)
    median, share = (of_words(TEXT, terms, column) for column in terms.sentence_statistics())
    assert (median["storm"], median["dns"], median["ends"]) == (0.5, 1, 2)
    assert (share["storm"], share["dns"]) == pytest.approx((2 / 3, 1))


def test_evenness_counts_distinct_neighbours():
    """*b* has *a* twice to its left, and *a* and *c* to its right; the comma keeps *c* and *d* apart."""
    document = analysed("alpha beta alpha beta gamma, delta")
    terms = Terms.of(document)
    everything = np.ones(len(document), bool) & terms.word
    found = of_words(document, terms, terms.evenness(everything, 1))
    assert found["beta"] == pytest.approx(1 / 2 + 2 / 2)
    assert found["alpha"] == pytest.approx(1 / 1 + 1 / 2)
    assert found["gamma"] == 1
    assert found["delta"] == 0
    wide = of_words(document, terms, terms.evenness(everything, 2))
    assert wide["gamma"] == pytest.approx(2 / 2)  # beta and alpha to the left
    assert wide["alpha"] == pytest.approx(2 / 2 + 3 / 4)  # left: beta, alpha; right: beta, alpha, beta, gamma


def test_neighbours_that_do_not_count():
    document = analysed("alpha 17 beta")
    terms = Terms.of(document)
    assert readable_words(document).tolist() == [True, False, True]
    assert terms.evenness(readable_words(document), 1).tolist() == [0, 0, 0]


def test_follows():
    document = analysed("alpha beta alpha beta. Beta alpha")
    terms = Terms.of(document)
    assert terms.follows(terms.word).tolist() == [2, 2, 2, 0, 0, 2, 0]


def test_readable_words():
    document = analysed("cat 17 802.11b peer-to-peer bike-sharing a@example.org e2e")
    readable = dict(zip((document.words[word] for word in document.word), readable_words(document), strict=True))
    assert {word for word, is_so in readable.items() if is_so} == {"cat", "bike-sharing"}


def test_short_words_are_for_scripts_with_blanks():
    assert short_words(analysed("an ox runs"), 3).tolist() == [True, True, False]
    assert not short_words(TextAnalyser("zh").analyse(Document("a", "茶树")), 3).any()


def test_an_empty_document():
    document = analysed("")
    terms = Terms.of(document)
    columns = (terms.casing(), *terms.sentence_statistics(), terms.evenness(terms.word, 1))
    assert [len(column) for column in columns] == [0, 0, 0, 0]
    assert len(terms.follows(terms.word)) == 0
