"""EmbedRank by hand, with an encoder of a few words in the plane."""

import pickle
import sys
from dataclasses import replace

import numpy as np
import pytest
from tests.builders import analysed

from keywright.core.documents import Section, SectionKind
from keywright.core.errors import BadParameter, MissingExtra, NeedsUnmet
from keywright.core.interfaces import needs_of
from keywright.extraction.systems.embedrank import EmbedRank
from keywright.text import encoders

PLACES = {"cat": (2, 0), "dog": (0.8, 0.6), "car": (0, 3), "dogs": (0.8, 0.6), "loss": (-1, 0)}


def encode(texts):
    """Words at their places, any other text on the first axis."""
    return np.array([PLACES.get(text.lower(), (5, 0)) for text in texts], float)


SYSTEM = EmbedRank(encode, longest=1)


DOCUMENT = analysed("Cat, dog; car.", language="en")


def ranked(system, document=DOCUMENT, top=None):
    return [(one.text.lower(), one.score) for one in system.extract(document).prediction(top).keyphrases]


def near(expected):
    return [(text, pytest.approx(score, abs=1e-4)) for text, score in expected]


def test_phrases_by_their_cosine_with_the_document():
    assert ranked(SYSTEM) == near([("cat", 1), ("dog", 0.8), ("car", 0)])


def test_marginal_relevance_by_plain_cosines():
    """Then *dog* is worth .5 x .8 - .5 x .8 and *car* nothing; later *car* is .6 like *dog*."""
    half = replace(SYSTEM, diversity=0.5, standardised=False)
    assert ranked(half) == near([("cat", 0.5), ("dog", 0), ("car", -0.3)])
    more = replace(half, diversity=0.7)
    assert ranked(more) == near([("cat", 0.3), ("car", 0), ("dog", 0.3 * 0.8 - 0.7 * 0.8)])


def test_marginal_relevance_by_standardised_cosines():
    """Nearness 1, .8, 0 has mean .6 and deviation .43205; likeness to *cat* .8, 0 and to *car* .6, 0 give 1.5, -.5."""
    system = replace(SYSTEM, diversity=0.5)
    cat, dog, car = (0.5 + (cosine - 0.6) / 0.432049 for cosine in (1, 0.8, 0))
    assert ranked(system) == near([("cat", cat / 2), ("car", (car + 0.5) / 2), ("dog", (dog - 1.5) / 2)])


def test_only_as_many_are_chosen_as_asked_for():
    system = replace(SYSTEM, diversity=0.7)
    assert ranked(system, top=2) == ranked(system)[:2]
    assert ranked(system, top=0) == []


def test_scores_fall_also_where_the_next_is_worth_more():
    """*Loss* is the opposite of *cat*: -.5 + .5 x 1 is more than *car* is worth, and would be so for any order."""
    system = replace(SYSTEM, diversity=0.9, standardised=False)
    answer = ranked(system, analysed("Cat, loss."))
    assert [text for text, _ in answer] == ["cat", "loss"]  # worth .1, then -.1 + .9
    assert answer[1][1] < answer[0][1] == pytest.approx(0.1)


def test_equal_phrases_keep_reading_order():
    system = replace(SYSTEM, diversity=0.5)
    assert [text for text, _ in ranked(system, analysed("sun, moon; star."))] == ["sun", "moon", "star"]


def test_one_phrase_alone():
    assert ranked(replace(SYSTEM, diversity=0.5), analysed("dog")) == near([("dog", 0.25)])


def test_nothing_to_rank():
    assert SYSTEM.extract(analysed("")).prediction().keyphrases == ()
    assert ranked(replace(SYSTEM, least_seen=2)) == []


def test_least_seen_and_longest():
    document = analysed("Cat dog cat dog car")
    assert {text for text, _ in ranked(replace(SYSTEM, least_seen=2), document)} == {"cat", "dog"}
    assert {text for text, _ in ranked(replace(SYSTEM, longest=2), document)} >= {"cat dog", "dog car"}


def test_all_is_encoded_in_one_call_and_nothing_of_the_text_is_left_out():
    """But what the analysis leaves out, the authors' own keywords, is not read."""
    seen = []

    def recorded(texts):
        seen.append(list(texts))
        return encode(texts)

    text = "Cats sleep.\n\nKeywords: bird\n\nDogs bark; a dog barks. " + "Cars honk. " * 500
    keywords = Section(SectionKind.KEYWORDS, 13, 27)
    EmbedRank(recorded, longest=1).extract(analysed(text, keywords)).prediction()
    assert [one[-1] for one in seen] == ["Cats sleep. Dogs bark; a dog barks. " + "Cars honk. " * 499 + "Cars honk."]
    assert [word.lower() for word in seen[0][:-1]] == ["cats", "sleep", "dogs", "bark", "cars", "honk"]


def test_noun_phrases_need_tags_and_say_so():
    system = replace(SYSTEM, candidates="noun_phrases", longest=3)
    assert SYSTEM.needs == needs_of(EmbedRank) == {"stems"}
    assert system.needs == pickle.loads(pickle.dumps(system)).needs == {"stems", "tags"}
    with pytest.raises(NeedsUnmet, match="tags"):
        system.extract(DOCUMENT).prediction()


def test_noun_phrases_are_adjectives_and_then_nouns():
    document = analysed("Old cats chase red fire engines quickly.")
    tags = ("JJ", "NNS", "VBP", "RB", ".")
    tagged = replace(document, tag=np.array([0, 1, 2, 0, 1, 1, 3, 4]), tags=tags)
    system = replace(SYSTEM, candidates="noun_phrases", longest=3)
    assert {text for text, _ in ranked(system, tagged)} == {"old cats", "red fire engines"}


def test_a_language_that_the_encoder_does_not_read_is_told():
    french = analysed("Le chat", language="fr")
    assert SYSTEM.extract(french).prediction().warnings == ()
    assert EmbedRank().extract(french).prediction().warnings == ("the encoder reads en; the document is in 'fr'",)
    assert EmbedRank().extract(DOCUMENT).prediction().warnings == ()


def test_without_the_extra_it_says_what_to_install(monkeypatch):
    encoders._load_network.cache_clear()
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(MissingExtra, match=r"\.\[embed\]"):
        EmbedRank().extract(DOCUMENT).prediction()


def test_diversity_is_a_share():
    with pytest.raises(BadParameter, match="diversity"):
        EmbedRank(diversity=1.5)
