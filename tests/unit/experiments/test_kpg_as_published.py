"""Errors as the study of keyphrase generators computed them: each oddity by hand."""

from math import log

import pytest

from keywright.core.documents import Document
from keywright.core.gold import GoldKeyphrase, LabelledDocument
from keywright.core.predictions import Generation, Keyphrase
from keywright.evaluation.foreign.generations import Output
from keywright.experiments.kpg_as_published import (
    Scored,
    by_start_token,
    error_as_published,
    first_of_each,
    judged_again,
    without_the_last,
)


def labelled(text, *gold: str):
    return LabelledDocument(Document("d", text), tuple(GoldKeyphrase((one,), "gold") for one in gold))


def phrase(text, *probabilities: float):
    generation = Generation(tuple(text.split()), tuple(map(log, probabilities)), words=len(text.split()))
    return Keyphrase(text, 0.0, generation=generation)


def output(*tokens: str):
    return Output(tokens, (0.5,) * len(tokens))


def numbers(scored):
    return [(one.confidence and round(one.confidence, 6), one.present, one.correct) for one in scored]


def test_gold_is_stemmed_twice_and_presence_is_by_letters():
    # Porter: generalized -> gener -> gener; databases -> databas -> databa.
    document = judged_again(labelled("Databases\nof parts", "databases", "parts"))
    assert document.text == "databas <eos> of part"
    assert document.gold == ("databa", "part")
    assert document.present("art")
    assert not document.of_class("databas")


def test_a_document_without_a_phrase_counts_as_one():
    absent = Scored(0.5, present=False, correct=False)
    documents = [[Scored(0.75, present=True, correct=True), Scored(0.85, present=True, correct=False)], [], [absent]]
    # (.25 + .85) over 2 phrases and two documents without any; .5 over 1 and two documents.
    assert error_as_published(documents, present=True) == pytest.approx(1.1 / 4)
    assert error_as_published(documents, present=False) == pytest.approx(0.5 / 3)
    assert error_as_published([], present=True) == 0


def test_a_phrase_that_is_not_scored_counts():
    given = Scored(0.5, present=True, correct=False), Scored(None, present=True, correct=True)
    assert error_as_published([given], present=True) == 0.25


def test_other_forms_of_one_stem_count_again():
    given = phrase("part", 0.5), phrase("parts", 0.25), phrase("part", 0.125)
    document = judged_again(labelled("parts", "parts"))
    assert numbers(first_of_each(given, document, output())) == [(0.5, True, True), (0.25, True, True)]


def test_the_last_phrase_is_not_scored_and_later_repeats_replace_confidences():
    given = phrase("part", 0.5), phrase("grid", 0.25), phrase("parts", 0.125), phrase("web", 0.75)
    document = judged_again(labelled("part of the web", "web"))
    wrote = output("part", " ;", " grid", " ;", " parts", " ;", " web", "</s>")
    assert numbers(without_the_last(given, document, wrote)) == [
        (0.125, True, False),
        (0.25, False, False),
        (0.125, True, False),
        (None, True, True),
    ]


def test_the_models_start_tokens_tell_classes_and_parts_of_gold_are_right():
    given = phrase("art", 0.5), phrase("art", 0.25), phrase("web", 0.75)
    document = judged_again(labelled("web", "part"))
    wrote = output("<p_start>", "art", ";", "<a_start>", "art", ";", "<a_start>", "web", ";")
    assert numbers(by_start_token(given, document, wrote)) == [
        (0.5, True, True),
        (0.25, False, True),
        (0.75, False, False),
    ]
