"""Document frequencies of one's own documents: counted once each, added to what is known, nothing else changed."""

from dataclasses import replace

import pytest

from keywright.adapting.document_frequencies import adapt_to_unlabelled
from keywright.core.documents import Document
from keywright.core.errors import EmptyInput
from keywright.core.predictions import Failure
from keywright.extraction.systems.default import Default
from keywright.text.keys import phrase_key
from keywright.text.languages import ByLanguage

TEXTS = (
    "Qxovian turbines turn. Qxovian turbines hum.",
    "The qxovian turbine of a neural network.",
    "Les réseaux de neurones apprennent. Nous présentons un modèle pour les images de la ville.",
)
DOCUMENTS = tuple(Document(f"d{number}", text) for number, text in enumerate(TEXTS))
BROKEN = Failure("broken.pdf", "broken_file", "it is damaged", "")


def times(system: Default, phrase: str) -> int:
    """Documents that are known to hold a phrase."""
    import numpy as np  # noqa: PLC0415  (one use)

    return int(system.knowledge.background.of(np.array([phrase_key(phrase)], np.uint64))[0])


def test_documents_are_added():
    before = Default()
    told = []
    found = adapt_to_unlabelled(before, DOCUMENTS, ByLanguage(), told.append)
    assert times(before, "qxovian turbine") == 0
    assert times(found.system, "qxovian turbine") == 2
    assert times(found.system, "turbine") == times(before, "turbine") + 2
    assert times(found.system, "neural network") == times(before, "neural network") + 1
    assert times(found.system, "réseaux") == times(before, "réseaux")
    assert times(found.system, "banana") == times(before, "banana")
    assert found.system.knowledge.background.documents == before.knowledge.background.documents + 2
    assert (found.documents, found.repeats, found.failures) == (2, 0, ())
    assert found.left_out == {"fr": 1}  # what is known of English phrases has no use of French ones
    assert found.note == ""
    assert found.phrases[0] > found.phrases[1] == len(before.knowledge.background)
    assert told == [1, 2, 3]


def test_nothing_else_changes():
    before = Default()
    after = adapt_to_unlabelled(before, DOCUMENTS, ByLanguage()).system
    knowledge = replace(after.knowledge, background=before.knowledge.background)
    assert replace(after, knowledge=before.knowledge) == before
    assert after.ranker is before.ranker
    assert knowledge.chosen is before.knowledge.chosen


def test_equal_texts_count_once_and_failures_are_kept():
    given = (*DOCUMENTS, BROKEN, replace(DOCUMENTS[0], id="again"))
    found = adapt_to_unlabelled(Default(), given, ByLanguage())
    assert (found.documents, found.repeats, found.failures) == (2, 1, (BROKEN,))
    assert times(found.system, "qxovian turbine") == 2


def test_the_card_says_that_nothing_was_recalibrated():
    card = adapt_to_unlabelled(Default(), DOCUMENTS, ByLanguage()).card()
    assert card["probabilities"].startswith("adapted: not recalibrated")
    assert (card["adapted"], card["documents"]) == ("document frequencies", 2)
    assert {"system", "language", "left out", "texts", "phrases", "phrases before", "date", "keywright"} <= card.keys()
    other_way = adapt_to_unlabelled(Default(), DOCUMENTS[::-1], ByLanguage()).card()
    assert other_way == card
    more = (*DOCUMENTS, Document("more", "Another turbine turns."))
    assert adapt_to_unlabelled(Default(), more, ByLanguage()).card()["texts"] != card["texts"]


def test_it_can_be_done_again():
    once = adapt_to_unlabelled(Default(), DOCUMENTS[:2], ByLanguage()).system
    more = (DOCUMENTS[1], Document("more", "Another qxovian turbine turns."))
    assert times(adapt_to_unlabelled(once, more, ByLanguage()).system, "qxovian turbine") == 4


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ((), "0 different documents"),
        (DOCUMENTS[:1], "1 different documents"),
        ((DOCUMENTS[0], replace(DOCUMENTS[0], id="b")), "1 repeat the text of another"),
        ((DOCUMENTS[0], DOCUMENTS[2]), "1 different documents with text, .*; in other languages: fr 1"),
        ((DOCUMENTS[0], BROKEN), "1 cannot be read: broken.pdf: it is damaged"),
    ],
)
def test_too_few(given, said):
    with pytest.raises(EmptyInput, match=said):
        adapt_to_unlabelled(Default(), given, ByLanguage())
