"""Where phrases stand in a text, by stems: by hand."""

import pytest

from keywright.ensembles.combining import TextStems

TEXT = TextStems.from_text("Grid services and grid-service grids. The art of parties")


@pytest.mark.parametrize(
    ("phrase", "mentions"),
    [
        ("grid service", 2),
        ("Grids", 3),
        ("services grid", 1),  # a sentence may end between them
        ("party", 1),
        ("part", 0),  # no whole word
        ("service of", 0),
        ("web", 0),
        ("", 0),
        (" - ", 0),
    ],
)
def test_mentions_are_of_whole_words_by_their_stems(phrase, mentions):
    assert TEXT.mentions(phrase) == mentions


def test_neighbours_that_repeat_each_count():
    assert TextStems.from_text("grid grids grid").mentions("grid") == 3


def test_where_a_phrase_stands_first():
    # "  " between four words of two letters, one blank before and after: 16 characters
    text = TextStems.from_text("ab cd ef gh")
    assert [text.first(one) for one in ("ab", "cd", "gh", "ab cd")] == [0, 4 / 16, 12 / 16, 0]
    assert (text.first("xy"), text.first(""), TextStems.from_text("").first("ab")) == (1, 1, 1)


def test_stems_are_of_the_language():
    assert TextStems.from_text("Kinder", "de").mentions("Kindern") == 1
    assert TextStems.from_text("Kinder").mentions("Kindern") == 0
