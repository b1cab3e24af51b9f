"""Words broken at line ends: joined, or kept as the compounds that they are."""

import pytest

from keywright.reading.layout.flow import Vocabulary, rejoin_lines


@pytest.mark.parametrize(
    ("text", "first", "second", "kept"),
    [
        ("", "scien", "tific", False),  # nothing known: a broken word
        ("data of the real world", "real", "world", True),  # both halves are words
        ("data of the real", "real", "world", False),  # only one is
        ("preprocessing and processing after pre", "pre", "processing", False),  # the joined form occurs
        ("a cross-validation of cross sections", "cross", "validation", True),  # the hyphenated form occurs
        ("email e-mail e-mail", "e", "mail", True),  # both occur: the more frequent
        ("email email e-mail", "e", "mail", False),
        ("", "CoNLL", "2003", True),  # a number
        ("", "non", "Gaussian", True),  # a name
        ("", "MED", "LINE", False),  # a broken word in capitals
        ("CamelCase", "Camel", "Case", False),
        ("the state of the art", "state-of-the", "art", True),  # breaks at a hyphen that was there
        ("", "multi-objec", "tive", False),  # breaks inside of a part of a compound
        ("in put", "in", "put", False),  # short halves are syllables
        ("find ing", "find", "ing", False),
    ],
)
def test_a_hyphen_stays_where_the_document_says_compound(text, first, second, kept):
    assert Vocabulary([text]).keeps_hyphen(first, second) is kept


def test_halves_of_broken_words_are_no_words():
    vocabulary = Vocabulary(["we see a sepa-", "rate line"])
    assert vocabulary.counts["sepa"] == vocabulary.counts["rate"] == 0
    assert vocabulary.counts["line"] == 1


@pytest.mark.parametrize(
    ("lines", "text"),
    [
        ([], ""),
        (["one line"], "one line"),
        (["a", "b"], "a b"),
        (["mention–", "mention edges"], "mention–mention edges"),
        (["a dash —", "between words"], "a dash — between words"),
        (["pre-", "and post-processing"], "pre- and post-processing"),
        (["values of -", "3"], "values of - 3"),
        (["a sen-", "tence."], "a sentence."),
    ],
)
def test_lines_are_linked(lines, text):
    assert rejoin_lines(lines, Vocabulary([]))[0] == text


def test_beginnings_of_lines_are_kept():
    text, begins = rejoin_lines(["one sen-", "tence", "", "more"], Vocabulary([]))
    assert text == "one sentence more"
    assert begins == [0, 7, 12, 13]
