"""Shipped lists of words: sections, words and pairs."""

from keywright.core.word_lists import read_pairs, read_patterns, read_sections, read_words


def test_words_of_a_section_end_with_it():
    assert read_words("text/words_en.txt", "ampersand") == {"&"}
    assert "&" not in read_words("text/words_en.txt", "nouns")
    assert read_words("text/words_en.txt", "no such section") == frozenset()


def test_lines_of_a_section_are_joined_without_comments():
    (text,) = read_sections("text/particles_ko.txt", "\n").values()
    assert "#" not in text
    assert read_words("text/particles_ko.txt") == set(text.split())


def test_pairs_are_between_bars():
    assert read_pairs("reading/file_types.txt", "MEDIA_TYPES")["application/pdf"] == "pdf"


def test_a_pattern_holds_those_that_it_names():
    patterns, sections = read_patterns("text/token_patterns.txt"), read_sections("text/token_patterns.txt")
    assert sections["LETTER"] == r"(?:(?!\d)<<WORD>>)"
    assert "<<LETTER>>" in sections["TERMS"]
    assert "<<LETTER>>" not in patterns["TERMS"]
    assert sections["LETTER"] in patterns["TERMS"]
    assert patterns["LOCANT"] == sections["LOCANT"]
