"""Concepts of a document and their columns, by hand."""

from dataclasses import dataclass, replace

import numpy as np
import pytest
from tests.builders import analysed
from tests.unit.extraction.subjects.vocabulary import PLACES, vocabulary

from keywright.core.candidates import Ranking
from keywright.core.documents import AnalysedDocument
from keywright.core.errors import BadParameter
from keywright.extraction.subjects.described_documents import ConceptMatches, describe
from keywright.extraction.systems.firstphrases import FirstPhrases
from keywright.extraction.vocabularies.concepts import PREFERRED
from keywright.extraction.vocabularies.index import VocabularyIndex
from keywright.extraction.vocabularies.label_keys import Form

TEXT = "Leak detection in plastic pipes. Pipes leak; leak detection helps the water supply."
#       0    1         2  3       4    5 6     7   8 9    10        11    12  13    14   15


@pytest.fixture(scope="module")
def described():
    return describe(analysed(TEXT), vocabulary(), FirstPhrases())


def column(described, name):
    return dict(zip(described.matches.places.tolist(), described.columns[name].tolist(), strict=True))


def test_the_concepts_of_a_document(described):
    assert described.matches.places.tolist() == [PLACES[name] for name in ("water", "leak", "pipe", "tobacco")]


def test_a_phrase_with_two_meanings_mentions_both_concepts(described):
    assert column(described, "mentions") == {
        PLACES["water"]: np.log1p(1),
        PLACES["leak"]: np.log1p(2),
        PLACES["pipe"]: np.log1p(3),  # plastic pipes, and pipes twice
        PLACES["tobacco"]: np.log1p(2),
    }
    assert column(described, "meanings of label")[PLACES["pipe"]] == 1  # of "plastic pipes"
    assert column(described, "meanings of label")[PLACES["tobacco"]] == 2
    assert column(described, "labels")[PLACES["pipe"]] == 2
    assert column(described, "words of label")[PLACES["pipe"]] == 2


def test_a_mention_inside_a_longer_label_is_counted(described):
    inside = column(described, "inside longer labels")
    assert inside[PLACES["pipe"]] == pytest.approx(1 / 3)  # the pipes of "plastic pipes"
    assert inside[PLACES["tobacco"]] == pytest.approx(1 / 2)
    assert inside[PLACES["leak"]] == 0


def test_places_of_mentions(described):
    tokens = len(analysed(TEXT))
    assert column(described, "first mention")[PLACES["leak"]] == 0
    assert column(described, "last mention")[PLACES["leak"]] == 9 / tokens
    assert column(described, "spread")[PLACES["leak"]] == 9 / tokens


def test_relations_to_other_mentioned_concepts(described):
    broader = {PLACES["water"]: 0, PLACES["leak"]: 1, PLACES["pipe"]: 1, PLACES["tobacco"]: 0}
    assert column(described, "broader mentioned") == broader
    assert column(described, "narrower mentioned")[PLACES["water"]] == 2
    assert column(described, "siblings mentioned")[PLACES["leak"]] == 1  # pipe, also below water
    assert column(described, "siblings mentioned")[PLACES["tobacco"]] == 0


def test_kinds_and_forms_of_labels(described):
    assert column(described, "kind of label")[PLACES["leak"]] == PREFERRED
    assert column(described, "form of label")[PLACES["leak"]] == Form.INVERTED
    assert column(described, "form of label")[PLACES["tobacco"]] == Form.UNQUALIFIED


def test_phrases_outside_the_ranking_of_the_base_have_the_last_rank(described):
    ranks = column(described, "rank of labels")
    assert ranks[PLACES["leak"]] < ranks[PLACES["water"]] <= np.log1p(10_000)
    assert column(described, "probability of labels")[PLACES["leak"]] == 0  # the base gives none


@dataclass(frozen=True)
class PlacesOnly:
    """A system that names the places of its phrases in the text, and not their tokens."""

    name: str = "places"
    needs: frozenset[str] = frozenset({"stems"})

    def extract(self, document: AnalysedDocument) -> Ranking:
        return replace(FirstPhrases().extract(document), mentions=None)


def test_a_base_that_names_places_only_gives_the_same_ranks(described):
    by_places = describe(analysed(TEXT), vocabulary(), PlacesOnly())
    assert column(by_places, "rank of labels") == column(described, "rank of labels")


def test_a_document_without_labels_has_no_concepts():
    for text in ("", "Nothing of it is here."):
        document = describe(analysed(text), vocabulary(), FirstPhrases())
        assert len(document.matches) == 0
        assert {len(values) for values in document.columns.values()} == {0}


def test_a_list_of_labels_has_no_subjects():
    with pytest.raises(BadParameter, match="without concepts"):
        ConceptMatches.of(analysed(TEXT), VocabularyIndex.of(["pipe"]))
