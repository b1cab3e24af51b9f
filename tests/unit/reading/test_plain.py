"""Plain text: line ends, and texts with few words or none."""

import pytest

from keywright.core.errors import EmptyInput, TooLarge
from keywright.reading.formats.plain import document_of_text, read_plain
from keywright.reading.limits import Limits

LIMITS = Limits()


def test_line_ends_and_mark():
    document = read_plain(b"\xef\xbb\xbfA title\r\n\r\nSome text\rhere.", "x.txt", LIMITS)
    assert document.text == "A title\n\nSome text\nhere."


@pytest.mark.parametrize("text", ["", " \n\t ", "--- ... ---"])
def test_no_words(text: str):
    with pytest.raises(EmptyInput, match="no words"):
        document_of_text(text, "note")


@pytest.mark.parametrize("text", ["word", "no sentences here at all just words", "漢字だけ"])
def test_little_text(text: str):
    document = document_of_text(text, "note")
    assert document.text == text
    assert document.sections == ()


def test_fifty_megabytes_of_text():
    with pytest.raises(TooLarge, match="50,000,000 characters of text; at most 20,000,000"):
        read_plain(b"word " * 10_000_000, "x.txt", LIMITS)


def test_language_tags_become_two_letters():
    assert document_of_text("A text.", "x", language="en-GB").language == "en"
    assert document_of_text("A text.", "x", language="deu").language == "de"
    assert document_of_text("A text.", "x", language="und").language is None
