"""Black lists by position, on words whose lists are known."""

import pytest
from tests.unit.candidates.tagging import phrases, tagged

from keywright.extraction.candidates.patterns import tag_phrases
from keywright.extraction.candidates.restricting import black_listed, black_lists


def allowed(text: str) -> set[str]:
    """Runs of up to 3 nouns and adjectives that no list forbids."""
    document = tagged(text)
    found = tag_phrases(document, "[JNI]+", 3)
    return set(phrases(document, found.where(~black_listed(found, document))))


def test_there_are_four_lists_of_words_in_lower_case():
    assert set(black_lists()) == {"start", "middle", "end", "alone"}
    assert all(word == word.lower() for words in black_lists().values() for word in words)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("same/JJ auction/NN", {"auction"}),  # not at the start; no list forbids "same" elsewhere but in the middle
        ("auction/NN number/NN", {"auction"}),  # neither at the end nor alone
        ("number/NN theory/NN", {"number theory"}),  # but at the start; "theory" is forbidden alone
        ("auction/NN numbers/NNS", {"auction"}),  # plurals too
        ("auction/NN with/IN bidders/NNS", {"auction", "with", "bidders", "auction with", "with bidders"}),
        ("quality/NN of/IN service/NN", {"of", "quality of", "of service", "quality of service"}),
        ("figure/NN auction/NN", {"auction"}),  # anywhere: in no place
        ("Auction/NN Number/NN", {"auction"}),  # regardless of case
    ],
)
def test_words_by_place(text, expected):
    assert allowed(text) == expected


def test_no_candidates():
    document = tagged("")
    assert black_listed(tag_phrases(document, "N", 2), document).tolist() == []
