"""What is known by language: all tables for English, some for French, none for any other."""

from dataclasses import replace

import numpy as np

from keywright.extraction.corpus.knowledge import ANY, LANGUAGES, TABLES, Knowledge, knowledge_of, lacking
from keywright.text.keys import phrase_key
from keywright.text.stems import stemmer


def french(*phrases: str):
    return np.array([phrase_key(phrase, stemmer("fr")) for phrase in phrases], np.uint64)


def test_english_lacks_nothing():
    assert lacking(knowledge_of("en")) == lacking(Knowledge()) == ()


def test_french_knows_how_often_phrases_are_written_and_chosen():
    known = knowledge_of("fr")
    assert lacking(known) == ("titles of papers", "dictionary", "parts of speech")
    rare, common = known.background.of(french("apprentissage automatique", "étude"))
    assert 5 <= rare < common < known.background.documents
    chosen = known.chosen.of(french("identité", "droits de l'enfant", "de l'identité et"))
    assert chosen[0] > chosen[1] > chosen[2] == 0
    assert known.chosen_words.of(french("enfant"))[0] > known.chosen_heads.of(french("enfant"))[0] > 0


def test_of_any_other_language_nothing_is_known():
    known = knowledge_of(ANY)
    assert ANY not in LANGUAGES
    assert lacking(known) == (
        "lexicon of keyphrases", "background frequencies", "titles of papers", "dictionary", "parts of speech",
    )  # fmt: skip
    assert not any(len(getattr(known, table)) for table in TABLES)
    # equally rare, but not of no weight
    assert known.background.rarity(known.background.of(french("étude", "identité"))).tolist() == [1, 1]


def test_what_is_lacking_is_what_is_empty():
    assert lacking(replace(Knowledge(), tags=None)) == ("parts of speech",)
    assert lacking(Knowledge.without_choices()) == ("lexicon of keyphrases",)
