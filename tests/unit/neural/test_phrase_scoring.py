"""Probabilities of phrases that are named: the generator's own, in the best window, each phrase by itself."""

import math

import pytest
import torch
from tests.quick_generators import save_quick_generator

import keywright as kw
from keywright.core.documents import Document, GoldKeyphrase, LabelledDocument
from keywright.core.errors import BadParameter, NotFitted
from keywright.core.keyphrases import Keyphrase
from keywright.core.predictions import Failure
from keywright.neural.model_folder import load_generator
from keywright.neural.phrase_scoring import PhraseScoring
from keywright.neural.systems.one2seq import One2Seq

torch.set_num_threads(1)

SUBJECTS = ("soil moisture", "tidal energy", "graph colouring", "speech coding", "urban noise", "lake ice")
TEXT = "A report on lake ice. We study lake ice at a site in winter."
PHRASES = ["lake ice", "speech coding", "Lake Ice (LI)", "site"]


@pytest.fixture(scope="module", params=["one2seq", "one2set", "exhird", "bart", "t5"])
def folder(request, tmp_path_factory):
    place = tmp_path_factory.mktemp("generators") / request.param
    labelled = []
    for number, subject in enumerate(SUBJECTS * 2):
        gold = tuple(GoldKeyphrase((phrase,), "author") for phrase in (subject, "survey"))
        text = f"A report on {subject}. We study {subject} at a site."
        labelled.append(LabelledDocument(Document(str(number), text), gold))
    save_quick_generator(request.param, labelled, place)
    return place


def confidence(keyphrase):
    return math.exp(sum(keyphrase.generation.log_probabilities) / len(keyphrase.generation.log_probabilities))


def test_phrases_come_in_their_order_with_places_and_confidence(folder):
    present, absent, acronym, word = kw.phrase_probabilities(TEXT, PHRASES, folder)
    assert [each.text for each in (present, absent, acronym, word)] == PHRASES
    assert [TEXT[start:end] for start, end in present.spans] == ["lake ice", "lake ice"]
    assert absent.spans == ()
    assert acronym.generation == present.generation
    assert all(0 < each.score <= 1 and each.score == pytest.approx(confidence(each)) for each in (present, word))
    assert all(each.probability is None for each in (present, absent))


def test_the_first_phrase_of_a_list_has_the_probabilities_of_its_generation(folder):
    if folder.name == "one2set":
        pytest.skip("slots are not written one after the other")
    first = kw.extract(TEXT, folder).keyphrases[0]
    (scored,) = kw.phrase_probabilities(TEXT, [first.text], folder)
    assert scored.generation.tokens == first.generation.tokens
    assert scored.generation.log_probabilities == pytest.approx(first.generation.log_probabilities, abs=1e-5)


def test_a_batch_is_as_one_by_one(folder):
    phrases = [*PHRASES, *SUBJECTS * 3]  # more than one batch
    together = kw.phrase_probabilities(TEXT, phrases, folder)
    for phrase, scored in zip(phrases, together, strict=True):
        (alone,) = kw.phrase_probabilities(TEXT, [phrase], folder)
        assert alone.generation.tokens == scored.generation.tokens
        expected = pytest.approx(alone.generation.log_probabilities, abs=1e-5)
        assert scored.generation.log_probabilities == expected


def test_a_long_document_gives_the_values_of_its_best_window(folder):
    model, _, _ = load_generator(folder)
    text = "The weather was fine and nothing else happened. " * 3 + TEXT
    whole = PhraseScoring(model, 12)
    windows = [" ".join(words) for words in _windows(text, 12)]
    scores = [PhraseScoring(model, 12).of(Document("w", window), ["lake ice"])[0] for window in windows]
    best = max(each.score for each in scores if isinstance(each, Keyphrase))
    (scored,) = whole.of(Document("a", text), ["lake ice"])
    assert len(windows) > 3
    assert scored.score == pytest.approx(best, rel=1e-5)


def _windows(text, longest):
    words = text.lower().replace(".", " .").split()
    return [words[at : at + longest] for at in range(0, len(words), longest)]


def test_phrases_that_cannot_be_written_are_failures(folder):
    empty, good = kw.phrase_probabilities(TEXT, ["(?)", "lake ice"], folder)
    assert isinstance(empty, Failure)
    assert (empty.code, empty.document_id) == ("bad_parameter", "text")
    assert "has no words" in empty.message
    assert isinstance(good, Keyphrase)
    assert kw.phrase_probabilities(TEXT, [], folder) == ()
    if folder.name in {"one2seq", "one2set", "exhird"}:
        (unknown,) = kw.phrase_probabilities(TEXT, ["zebra ice"], folder)
        assert "'zebra' is neither in the vocabulary nor in the text" in unknown.message
        (copied,) = kw.phrase_probabilities("A zebra on ice.", ["zebra ice"], folder)
        assert isinstance(copied, Keyphrase)
    if folder.name in {"one2set", "exhird"}:
        (long,) = kw.phrase_probabilities(TEXT, ["lake " * 7], folder)
        assert "it has 7 words, and at most 6 are written" in long.message


def test_a_text_in_place_of_phrases_and_other_systems_are_refused():
    with pytest.raises(BadParameter, match="phrases is the text 'lake ice'"):
        kw.phrase_probabilities(TEXT, "lake ice", "tfidf")
    with pytest.raises(BadParameter, match="a phrase is of type int"):
        kw.phrase_probabilities(TEXT, [3], "tfidf")
    with pytest.raises(BadParameter, match="tfidf gives no probabilities to phrases"):
        kw.phrase_probabilities(TEXT, ["lake ice"], "tfidf")
    with pytest.raises(NotFitted, match="has not been trained"):
        kw.phrase_probabilities(TEXT, ["lake ice"], One2Seq())
