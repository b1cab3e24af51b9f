"""Keys of gold: as written and stemmed; words of compounds."""

import pytest

from keywright.core.documents import GoldKeyphrase
from keywright.text.keys import gold_keys, gold_word_keys, key_of, phrase_key


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
