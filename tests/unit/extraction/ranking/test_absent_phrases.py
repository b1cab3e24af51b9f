"""Absent keyphrases: candidates and their description by hand, and what ships."""

import itertools

import numpy as np
import pytest

from keywright.core.documents import Document
from keywright.extraction.ranking.absent_phrases import AbsentPhrases, WordAssociations, shipped_absent
from keywright.text.analyser import TextAnalyser
from keywright.text.keys import phrase_key
from keywright.text.stems import stemmer

LABELS = ("image retrieval", "query languages", "retrieval of images", "gauges")


def key(phrase: str) -> int:
    return phrase_key(phrase, stemmer("en"))


@pytest.fixture(scope="module")
def suggester() -> AbsentPhrases:
    """*image* points to all phrases, each with less weight than the one before."""
    parts = [[key(word) for word in label.split()] for label in LABELS]
    table = WordAssociations(
        words=np.array([key("image")], np.uint64),
        rarity=np.array([3.0]),
        bounds=np.array([0, len(LABELS)]),
        label=np.arange(len(LABELS)),
        weight=np.array([0.4, 0.3, 0.2, 0.1]),
        labels=LABELS,
        keys=np.array([key(label) for label in LABELS], np.uint64),
        uses=np.array([32, 1, 1, 1]),
        parts=np.array([*itertools.chain.from_iterable(parts)], np.uint64),
        part_bounds=np.cumsum([0, *map(len, parts)]),
    )
    return AbsentPhrases(table, None)


def described(suggester: AbsentPhrases, text: str) -> dict[str, dict[str, float]]:
    """Columns of each candidate by name."""
    candidates = suggester.candidates(TextAnalyser("en").analyse(Document("", text)))
    rows = (dict(zip(candidates.columns, row, strict=True)) for row in candidates.rows.tolist())
    return {LABELS[label]: row for label, row in zip(candidates.labels.tolist(), rows, strict=True)}


def test_what_the_text_contains_is_no_candidate(suggester):
    assert list(described(suggester, "Images in a query.")) == list(LABELS)
    assert list(described(suggester, "Image retrievals in a query.")) == list(LABELS[1:])


def test_candidates_are_described_by_hand(suggester):
    """Eleven tokens; *retrieving* is the sixth, *images* the third and the eighth, two tokens further."""
    rows = described(suggester, "We index images. Then retrieving such images is fast.")
    one, other = rows["image retrieval"], rows["query languages"]
    assert one["pointed to: score"] == pytest.approx(0.4)
    assert one["pointed to: share of the best score"] == 1
    assert other["pointed to: share of the best score"] == pytest.approx(0.75)
    assert other["pointed to: rank"] == pytest.approx(np.log(2))
    assert one["pointed to: score, rare phrases raised"] == pytest.approx(0.4 / 2)  # 32 ** 0.2 = 2
    assert one["pointed to: score, usual phrases raised"] == pytest.approx(0.4 * 2)
    assert one["known: uses"] == pytest.approx(np.log(32))
    assert (one["phrase: words"], one["phrase: characters"]) == (2, 15)
    assert (one["words in the text: share"], other["words in the text: share"]) == (1, 0)
    assert (one["words in the text: distance"], other["words in the text: distance"]) == (2, 99)
    assert (one["words in the text: least mentions"], one["words in the text: most mentions"]) == (1, 2)
    assert (one["words in the text: first"], one["words in the text: last"]) == (1, 1)
    assert one["words in the text: earliest place"] == pytest.approx(2 / 11)
    assert other["words in the text: earliest place"] == 1
    assert one["text: words"] == pytest.approx(np.log1p(11))


@pytest.mark.parametrize("text", ["", "...", "Tide gauges drift."])
def test_a_text_without_known_words_has_no_candidates(suggester, text):
    assert described(suggester, text) == {}


PICTURES = (
    "Adaptive thresholds for finding pictures. We compare colour histograms and texture of photographs in a database"
    " that users query by example. Relevance feedback from users improves the ranking of pictures that are similar to"
    " the query, and an index over descriptors of regions keeps answers fast."
)


def test_what_ships_suggests_what_the_text_is_about():
    document = TextAnalyser("en").analyse(Document("", PICTURES))
    suggested = shipped_absent().suggest(document, 5, explain=True)
    assert "content based image retrieval" in [keyphrase.text for keyphrase in suggested]
    probabilities = [keyphrase.probability for keyphrase in suggested]
    assert probabilities == sorted(probabilities, reverse=True)
    assert all(0.01 <= probability < 0.5 for probability in probabilities)
    for keyphrase in suggested:
        assert not keyphrase.present
        assert keyphrase.text.lower() not in PICTURES.lower()
        assert 1 <= len(keyphrase.evidence) <= 3
        assert all(name.removeprefix("the word ") in PICTURES.lower() for name in keyphrase.evidence)


def test_without_reasons_phrases_are_the_same():
    document = TextAnalyser("en").analyse(Document("", PICTURES))
    with_reasons = shipped_absent().suggest(document, 5, explain=True)
    without = shipped_absent().suggest(document, 5)
    assert [(each.text, each.probability) for each in with_reasons] == [
        (each.text, each.probability) for each in without
    ]
    assert all(not each.evidence for each in without)
    assert len(shipped_absent().suggest(document, 2)) == 2
