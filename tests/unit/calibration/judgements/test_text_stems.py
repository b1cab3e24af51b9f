"""Where phrases stand in a text, by stems: by hand."""

import pytest

from keywright.calibration.judgements.text_stems import TextStems

TEXT = TextStems.of("Grid services and grid-service grids. The art of parties")


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
    assert TEXT.holds(phrase) == (mentions > 0)


def test_neighbours_that_repeat_each_count():
    assert TextStems.of("grid grids grid").mentions("grid") == 3


def test_where_a_phrase_stands_first():
    # "  " between four words of two letters, one blank before and after: 16 characters
    text = TextStems.of("ab cd ef gh")
    assert [text.first(one) for one in ("ab", "cd", "gh", "ab cd")] == [0, 4 / 16, 12 / 16, 0]
    assert (text.first("xy"), text.first(""), TextStems.of("").first("ab")) == (1, 1, 1)


def test_stems_are_of_the_language():
    assert TextStems.of("Kinder", "de").holds("Kindern")
    assert not TextStems.of("Kinder").holds("Kindern")
