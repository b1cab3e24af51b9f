"""Keys: forms of one phrase share a key, and a phrase has the key that its tokens have in a text."""

import hashlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from keywright.core.documents import Document, GoldKeyphrase
from keywright.text.analyser import TextAnalyser
from keywright.text.keys import gold_keys, gold_word_keys, hash_of, join_keys, key_of, phrase_key
from keywright.text.stems import stemmer
from keywright.text.tokens import normal_form

SAME = [
    ("peer-to-peer network", "Peer to Peer Networks", "peer-to-peer networks"),
    ("grid computing", "Grid\n computing", "GRID COMPUTING"),
    ("client/server", "client-server", "client server"),
    ("coeﬃcient", "coefficient", "co\u00adefficient", "Coefficients"),
    ("Bayes’ rule", "Bayes' rule", "bayes rule"),
    ("C++ templates", "c++ template"),
    ("神经网络", "神 经 网 络"),
    ("الشَّبَكة", "الشبكة"),
]
DIFFERENT = [
    "grid computing",
    "computing grid",
    "grid",
    "grid grid",
    "gridcomputing",
    "c",
    "c++",
    "c#",
    "神经",
    "经神",
    "",
]
TOKENS = st.sampled_from(
    "grid grids Peer-to-peer client/server AT&T C++ .NET 802.11b 3.14 1,000 50% IL-6 don't O'Neil U.S. x_i naïve ½ a㊀ "
    "coeﬃcient co\u00adop π-day 神 学習する ﾊﾟﾀｰﾝ 신경망 الشَّبَكة שָׁלוֹם न्यूरल น้ำแข็ง www.example.org ΣΑΣ".split()
)
LETTERS = st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=4)


@pytest.mark.parametrize("forms", SAME)
def test_forms_of_a_phrase_share_a_key(forms):
    assert len({phrase_key(form) for form in forms}) == 1


def test_different_phrases_have_different_keys():
    assert len({phrase_key(phrase) for phrase in DIFFERENT}) == len(DIFFERENT)


def test_a_key_is_the_polynomial_of_the_hashes_of_its_parts():
    def hashed(stem):
        return int.from_bytes(hashlib.blake2b(stem.encode(), digest_size=8).digest(), "little")

    assert hash_of("grid") == hashed("grid")
    assert phrase_key("Grids") == hashed("grid")
    assert phrase_key("grid computing") == (hashed("grid") * 0x9E3779B97F4A7C15 + hashed("comput")) % 2**64
    assert (key_of([]), phrase_key(""), phrase_key("... ´ -")) == (0, 0, 0)


def test_the_stemmer_can_be_chosen():
    assert phrase_key("computing", str) != phrase_key("computing")
    assert phrase_key("comput", str) == phrase_key("computing")
    assert phrase_key("continuellement", stemmer("fr")) == phrase_key("continuel", str)


@given(st.lists(st.lists(st.sampled_from("abc"), min_size=1, max_size=3), min_size=2, max_size=2))
def test_joined_keys_are_keys_of_joined_phrases(pieces):
    left, right = (np.array([key_of(piece)], np.uint64) for piece in pieces)
    assert join_keys(left, right, np.array([len(pieces[1])])).tolist() == [key_of(pieces[0] + pieces[1])]


@given(st.lists(st.one_of(TOKENS, LETTERS), min_size=1, max_size=5))
def test_a_phrase_has_the_key_of_its_tokens_in_a_text(words):
    analysed = TextAnalyser().analyse(Document("a", " ".join(words)))
    key = np.zeros(1, np.uint64)
    for number in analysed.word:
        key = join_keys(key, analysed.word_key[[number]], analysed.word_parts[[number]])
    assert phrase_key(" ".join(words)) == int(key[0])


@given(st.text(st.characters(codec=None)))
def test_normal_forms_are_never_empty_and_stay_as_they_are_in_ascii(text):
    assert bool(normal_form(text)) == bool(text)
    if text.isascii():
        assert normal_form(text) == text.lower()


def test_normal_forms():
    forms = {"Don’t": "don't", "non‑breaking": "non-breaking", "ＡＢＣ": "abc", "\u200b": "\u200b", "e\u0301": "é"}
    assert {form: normal_form(form) for form in forms} == forms


def gold(*forms: str) -> tuple[GoldKeyphrase, ...]:
    return tuple(GoldKeyphrase((form,), "author") for form in forms)


def counted(keys) -> dict[int, int]:
    listed = keys.tolist()
    assert listed == sorted(listed)
    return {key: listed.count(key) for key in listed}


def test_a_form_counts_as_written_and_stemmed():
    """The stem of *increas*, which is a stem, would be *increa*."""
    assert counted(gold_keys(gold("Increas"))) == {key_of(["increas"]): 1, key_of(["increa"]): 1}
    assert counted(gold_keys(gold("grids"))) == {key_of(["grid"]): 1, key_of(["grids"]): 1}


def test_all_alternatives_of_all_kinds_count_once():
    given = (GoldKeyphrase(("peer", "grid"), "author"), GoldKeyphrase(("Grid",), "reader"))
    assert counted(gold_keys(given)) == {key_of(["peer"]): 1, key_of(["grid"]): 1}


def test_words_count_once_a_phrase():
    keys = counted(gold_word_keys(gold("grid market", "grid time", "Grid  Markets", "grid grid")))
    # "grid market" and "Grid  Markets" are one phrase, of which one form, either, is taken to pieces
    assert keys[phrase_key("grid")] == 3
    assert keys[phrase_key("market")] == 1
    assert keys[key_of(["time"])] == 1


def test_compounds_count_whole_and_by_their_parts():
    keys = counted(gold_word_keys(gold("peer-to-peer net")))
    expected = {key_of(["peer", "to", "peer"]), key_of(["peer"]), key_of(["to"]), key_of(["net"])}
    assert keys == dict.fromkeys(expected, 1)


def test_the_language_of_the_document_stems():
    french = gold_keys(gold("expériences"), "fr").tolist()
    assert sorted(french) == sorted([key_of(["expérient"]), key_of(["expériences"])])


@pytest.mark.parametrize("forms", [(), ("...", ""), ("-",)])
def test_nothing_to_read_has_no_keys(forms):
    assert gold_keys(gold(*forms)).shape == (0,)
    assert gold_word_keys(gold(*forms)).shape == (0,)
    assert gold_keys(gold(*forms)).dtype == "uint64"
