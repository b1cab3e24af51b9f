"""Bytes to text: encodings, line ends, what is no text at all."""

import pytest

from keywright.core.errors import EmptyInput, TooLarge, UnsupportedFormat
from keywright.reading.formats import Limits
from keywright.reading.plain import decode, document_of_text, read_plain

LIMITS = Limits()
TEXT = "Über die Größe der Bäume: naïve Schätzungen, café, 20 € – «Zitat»."


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252"])
def test_encodings(encoding: str):
    assert decode(TEXT.encode(encoding), "x.txt") == TEXT


def test_older_encodings_are_guessed():
    russian = "Это достаточно длинный русский текст, чтобы угадать кодировку. " * 5
    assert decode(russian.encode("cp1251"), "x.txt") == russian


def test_line_ends_and_mark():
    document = read_plain(b"\xef\xbb\xbfA title\r\n\r\nSome text\rhere.", "x.txt", LIMITS)
    assert document.text == "A title\n\nSome text\nhere."


@pytest.mark.parametrize("data", [bytes(range(256)) * 20, b"\x00\x01\x02" * 100, b"GIF89a\x01\x00\x01\x00\x80"])
def test_binary_content(data: bytes):
    with pytest.raises(UnsupportedFormat, match="is not text"):
        decode(data, "x.txt")


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
