"""Tokens and lemmas of spaCy 2.0.11 by its rules, worked out by hand: no data needed."""

import hashlib
import tomllib
from importlib import resources

import pytest
from tests.builders import tokenise

from keywright.evaluation.normal_forms.phrases import nltk325_stems, spacy2_lemmas, spacy2_lower, spacy2_tokens
from keywright.evaluation.normal_forms.spacy2 import (
    is_address,
    load_exceptions,
    load_lemmas,
    tokenise_chunk,
)

CUT = (
    # Hyphens cut between two letters only, and take signs before them along.
    ("out-of-print", "out|-|of|-|print"),
    ("3-D", "3-D"),
    ("4-person", "4-person"),
    ("F18-HARV", "F18-HARV"),
    ("a--b", "a|--|b"),
    ("a—b", "a|—|b"),
    ('a"-b', 'a|"-|b'),
    ("-5", "-5"),
    ("peer-", "peer-"),
    # Colon, slash, equals sign cut after a letter and before a letter.
    ("TCP/IP", "TCP|/|IP"),
    ("1/f", "1/f"),
    ("18/F", "18/F"),
    ("EGS4/BEAM", "EGS4/BEAM"),
    ("a=b", "a|=|b"),
    # Full stops cut between small and capital letters, and come off the end after some characters only.
    ("end.Next", "end|.|Next"),
    ("end.next", "end.next"),
    ("word.", "word|."),
    ("X*.", "X*."),
    ("(2).", "(|2|)|."),
    ("IBM.", "IBM|."),
    ("X.", "X."),
    ("wait...", "wait|..."),
    ("a...b", "a|...|b"),
    # Commas cut between letters.
    ("a,b", "a|,|b"),
    ("1,000", "1,000"),
    # Prefixes and suffixes, also several.
    ("+5", "+|5"),
    ("5+", "5|+"),
    ("$10", "$|10"),
    ("10km", "10|km"),
    ("10km/h", "10|km/h"),
    ("10°C.", "10|°|C|."),
    ('("a")', '(|"|a|"|)'),
    ("users'", "users|'"),
    ("users’", "users’"),
    ("Gödel's", "Gödel|'s"),
    ("50-50", "50|-|50"),
    ("x²", "x²"),
    # Letters are those of five scripts: Greek ones are none.
    ("α-helix", "α-helix"),
    ("ж-b", "ж|-|b"),
    ("©a", "©|a"),
    # Exceptions, whole or laid bare.
    ("don't", "do|n't"),
    ("(don't)", "(|do|n't|)"),
    ("e.g.", "e.g."),
    (":-)", ":-)"),
    ("C++", "C++"),
    # Addresses stay whole.
    ("http://www.example.com/a-b", "http://www.example.com/a-b"),
    ("user@example.com", "user@example.com"),
    ("(www.example.com)", "(|www.example.com|)"),
    # White space: single blanks vanish, everything else is a token.
    ("a b", "a|b"),
    ("a  b", "a| |b"),
    ("a\tb", "a|\t|b"),
    ("a \t b", "a|\t |b"),
    (" a ", " |a"),
    ("", ""),
)


@pytest.mark.parametrize(("text", "expected"), CUT)
def test_tokens(text, expected):
    assert "|".join(word for word, _ in tokenise(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("mice", "mouse"),
        ("Mice", "Mice"),  # case counts in the table
        ("data", "datum"),
        ("better", "well"),
        ("spun", "spin-dry"),
        ("dry", "spin-dry"),
        ("first", "\ufeff1"),
        ("lenses", "lense"),
        ("singing", "singe"),
        ("spun-dry", "spin-dry|-|spin-dry"),
        ("don't", "do|not"),
        ("it's", "-PRON-|have"),  # the exception gives no lemma of 's, the table does
        ("Calif.", "California"),
        ("xyzzy", "xyzzy"),
    ],
)
def test_lemmas(text, expected):
    assert "|".join(lemma for _, lemma in tokenise(text)) == expected


@pytest.mark.parametrize(
    ("chunk", "kept"),
    [
        ("example.com", True),
        ("example.c", False),
        ("Example.com", False),  # hosts are lower case
        ("sub.example.com:80/x?y=z", True),
        ("example.com.", False),  # ends in neither a word character nor a slash
        ("example.com/", True),
        (".example.com", False),
        ("ftp://example.com", True),
        ("ftp://example", False),
        ("8.8.8.8", True),
        ("10.0.0.1", False),  # a private network
        ("192.168.1.1", False),
        ("172.15.0.1", True),
        ("172.16.0.1", False),
        ("224.0.0.1", False),
        ("me@8.8.8.8", True),
        ("a@b.co", True),
        ("@b.co", False),
        ("", False),
    ],
)
def test_addresses(chunk, kept):
    assert is_address(chunk) is kept


def test_forms():
    assert spacy2_tokens("Out-of-print Books") == "Out - of - print Books"
    assert spacy2_lower("Out-of-print Books") == "out - of - print books"
    assert spacy2_lemmas("IT Networks, networks") == "it networks , network"
    assert nltk325_stems("IT Networks, it") == "IT network , it"


def test_equal_forms_are_equal_tokens():
    assert spacy2_lemmas("I'ma go") == "-pron- be going\u00a0to go"  # one lemma of two words is one token
    assert spacy2_tokens("a b") != spacy2_tokens("a  b") != spacy2_tokens("a   b")


def test_the_tables_are_those_of_their_card():
    folder = resources.files("keywright").joinpath("models")
    card = tomllib.loads(folder.joinpath("spacy2_english.card.toml").read_text("utf-8"))
    assert hashlib.sha256(folder.joinpath(card["file"]).read_bytes()).hexdigest() == card["sha256"]
    assert card["entries"] == {"exceptions": len(load_exceptions()), "lemmas": len(load_lemmas())}
    assert "Permission is hereby granted" in card["licence"]


@pytest.mark.parametrize("sign", ["(", "'", "$"])
def test_a_chunk_of_many_signs_is_not_copied_for_each(sign):
    # With a copy for each sign this takes hours.
    assert [text for text, _ in tokenise_chunk(sign * 100_000 + "a")] == [*([sign] * 100_000), "a"]


def test_long_runs_of_dots_are_one_sign():
    assert [text for text, _ in tokenise_chunk("." * 50 + "(a)" + "." * 40)] == ["." * 50, "(", "a", ")", "." * 40]
