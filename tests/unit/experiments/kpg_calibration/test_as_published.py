"""Errors as the study of keyphrase generators computed them: each oddity by hand."""

from math import log

import pytest

from keywright.core.documents import Document, GoldKeyphrase, LabelledDocument
from keywright.core.keyphrases import Generation, Keyphrase
from keywright.evaluation.run_formats.generations import Output
from keywright.experiments.kpg_as_published import (
    Scored,
    Tally,
    compute_error,
    rewrite_outputs,
    score_by_start_token,
    score_closed_spellings,
    score_first_spellings,
    score_tokens,
    stem_document,
)


def labelled(text, *gold: str):
    return LabelledDocument(Document("d", text), tuple(GoldKeyphrase((one,), "gold") for one in gold))


def phrase(text, *probabilities: float, end: float | None = 0.0):
    logarithms = tuple(map(log, probabilities))
    generation = Generation(tuple(text.split()), logarithms, end=end, words=len(text.split()))
    return Keyphrase(text, 0.0, generation=generation)


def output(*tokens: str, probabilities=None):
    return Output(tokens, probabilities or (0.5,) * len(tokens))


def numbers(tally: Tally):
    scored = [(round(one.confidence, 6), one.present, one.correct) for one in tally.scored]
    return scored, (tally.present, tally.absent)


def test_gold_is_stemmed_twice_and_presence_is_by_letters():
    # Porter: databases -> databas -> databa.
    document = stem_document(labelled("Databases\nof parts", "databases", "parts", "web"))
    assert document.text == "databas <eos> of part"
    assert document.gold == ("databas", "part", "web")
    assert document.twice() == {"databa", "part", "web"}
    assert document.present("art")
    assert (document.joined(present=True), document.joined(present=False)) == ("databa part", "web")


def test_gold_that_ships_stemmed_is_taken_as_it_is():
    assert stem_document(labelled("databases", "databas"), gold_is_stemmed=True).gold == ("databas",)


def test_the_sum_is_divided_by_what_was_counted_not_by_what_was_scored():
    scored = Scored(0.75, present=True, correct=True), Scored(0.85, present=True, correct=False)
    documents = [Tally(scored, 3, 1), Tally((), 1, 1), Tally((Scored(0.5, present=False, correct=False),), 1, 1)]
    assert compute_error(documents, present=True) == pytest.approx((0.25 + 0.85) / 5)
    assert compute_error(documents, present=False) == pytest.approx(0.5 / 3)
    assert compute_error([], present=True) == 0


def test_a_confidence_of_one_is_added_to_every_bin():
    scored = Scored(1.0, present=True, correct=False), Scored(0.55, present=True, correct=True)
    # Nine bins with 1 and nothing right, one with 1.55 and one right.
    assert compute_error([Tally(scored, 2, 1)], present=True) == pytest.approx((9 * 1 + 0.55) / 2)


def test_other_forms_of_one_stem_score_again_and_open_phrases_never():
    given = phrase("part", 0.5), phrase("parts", 0.25), phrase("part", 0.125), phrase("web", 0.75, end=None)
    document = stem_document(labelled("parts", "parts"))
    assert numbers(score_first_spellings(given, document, output())) == (
        [(0.5, True, True), (0.25, True, True)],
        (2, 1),
    )


def test_the_last_phrase_counts_and_is_not_scored():
    given = phrase("part", 0.5), phrase("grid", 0.25), phrase("parts", 0.125), phrase("web", 0.75)
    document = stem_document(labelled("part of the web", "web"))
    wrote = output("part", " ;", " grid", " ;", " parts", " ;", " web", "</s>")
    scored = [(0.5, True, False), (0.25, False, False), (0.125, True, False)]
    assert numbers(score_closed_spellings(given, document, wrote)) == (scored, (3, 1))


def test_an_empty_last_phrase_counts_as_present():
    document = stem_document(labelled("part"))
    assert numbers(score_closed_spellings((phrase("grid", 0.25),), document, output("grid", " ;", "</s>"))) == (
        [(0.25, False, False)],
        (1, 1),
    )


def test_the_models_start_tokens_tell_classes_and_parts_of_gold_are_right():
    given = phrase("art", 0.5), phrase("art", 0.25), phrase("web", 0.75)
    document = stem_document(labelled("a part", "web", "part"))
    wrote = output("<p_start>", "art", ";", "<a_start>", "art", ";", "<a_start>", "web", ";")
    assert numbers(score_by_start_token(given, document, wrote)) == (
        [(0.5, True, True), (0.25, False, False), (0.75, False, True)],
        (1, 1),
    )


def test_tokens_score_each_time_with_the_product_of_all_before():
    document = stem_document(labelled("grid of parts", "grids", "web part"))
    wrote = output("grid", "<sep>", "parts", "<sep>", "grid")
    scored = [
        (0.5, True, True),
        (0.25, False, False),
        (0.125, True, False),
        (0.0625, False, False),
        (0.03125, True, True),
    ]
    assert numbers(score_tokens((), document, wrote)) == (scored, (2, 1))


def test_what_falls_out_of_outputs():
    first = output("a", "b", "<null>", "<eos>", "c", "<eos>", "d", "e", "f", probabilities=(0.1,) * 9)
    second = output("<digit>", "g", "h", "i", probabilities=(0.2,) * 4)
    found = rewrite_outputs({"one": first, "two": second, "three": output()})
    # First and last tokens go, and c between two that fall out; the separator of e stands in the second output.
    assert found["one"] == Output(("b", "<sep>", "d", "e"), (0.1, 1.0, 0.1, 0.1))
    assert found["two"] == Output(("<sep>", "g", "h"), (1.0, 0.2, 0.2))
    assert found["three"] == Output((), ())
