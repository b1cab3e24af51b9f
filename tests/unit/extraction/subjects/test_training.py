"""A ranker learns which mentioned concepts are subjects, and which follow from similar documents."""

import itertools
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.builders import analysed, labelled
from tests.unit.extraction.subjects.vocabulary import vocabulary

from keywright.core.errors import BadParameter, NotFitted
from keywright.core.saving import load_system, save_system
from keywright.core.signatures import signature
from keywright.extraction.subjects.subject_ranker import _REASONS, SubjectRanker
from keywright.extraction.subjects.subject_training import train_subjects
from keywright.extraction.systems.firstphrases import FirstPhrases
from keywright.extraction.vocabularies.index import VocabularyIndex
from keywright.running.extraction import Extraction, check_ready
from keywright.running.phrase_filter import PhraseFilter
from keywright.text.languages import ByLanguage

WORDS = ("harbour", "orchard", "glacier", "furnace", "library", "meadow", "quarry", "theatre", "viaduct", "windmill")


def examples():
    """Texts that mention leak detection, of which it is a subject together with policies, or noise, which never is."""
    for number, (first, second) in enumerate(itertools.permutations(WORDS, 2)):
        beside = f"The {first} is near the {second}, in case number {number}."
        if number % 2:
            yield labelled(f"Leak detection with microphones. {beside}", "leak detection", "ex:policy", "sewage")
        else:
            yield labelled(f"Noise of plastic pipes with tapestries. {beside}", "Pipes (plumbing)")


@pytest.fixture(scope="module")
def trained():
    return train_subjects(SubjectRanker(vocabulary(), FirstPhrases()), examples())


def uris(ranking):
    return [keyphrase.concept.uri for keyphrase in ranking.keyphrases()]


def test_mentions_that_are_never_subjects_come_last(trained):
    ranking = trained.ranker.extract(analysed("Noise, and plastic pipes with tapestries."))
    assert uris(ranking)[0] == "ex:pipe"
    probability = {keyphrase.concept.uri: keyphrase.probability for keyphrase in ranking.keyphrases()}
    assert probability["ex:pipe"] > 0.8
    assert probability["ex:noise"] < 0.2


def test_subjects_of_similar_documents_are_proposed_without_a_place(trained):
    ranking = trained.ranker.extract(analysed("Leak detection, with microphones, at the seaside."))
    leak, policy = ranking.keyphrases(2)
    assert {leak.concept.uri, policy.concept.uri} == {"ex:leak", "ex:policy"}
    absent = policy if policy.concept.uri == "ex:policy" else leak
    assert (absent.text, absent.spans, absent.ambiguous) == ("Policies", (), ())
    assert ranking.chosen == 2


def test_a_phrase_of_two_meanings_names_both(trained):
    ranking = trained.ranker.extract(analysed("Pipes leak."))
    meanings = {keyphrase.concept.uri: keyphrase.ambiguous for keyphrase in ranking.keyphrases()}
    assert meanings["ex:pipe"] == ("ex:pipe", "ex:tobacco")
    assert meanings["ex:tobacco"] == ("ex:tobacco", "ex:pipe")


def test_figures_come_from_all_subjects(trained):
    assert trained.documents == 90
    assert sum(len(each.lacking) for each in trained.subjects) == 45
    # Perfect lists: 2 of 3 subjects in five places, and 1 of 1.
    assert trained.figures["F@5"] == pytest.approx((2 * 2 / (5 + 3) + 2 * 1 / (5 + 1)) / 2, abs=0.02)
    assert len(trained.probabilities) == len(trained.answers)
    assert abs(trained.probabilities.mean() - trained.answers.mean()) < 0.05


def test_the_same_documents_give_the_same_system(trained):
    again = train_subjects(SubjectRanker(vocabulary(), FirstPhrases()), examples())
    assert signature(again.ranker) == signature(trained.ranker)
    assert again.figures == trained.figures


def test_a_saved_system_ranks_as_before(trained, tmp_path):
    save_system(trained.ranker, tmp_path / "system", {})
    loaded = load_system(tmp_path / "system")
    document = analysed("Leak detection in plastic pipes.")
    before, after = trained.ranker.extract(document), loaded.extract(document)
    assert after.keyphrases(explain=True) == before.keyphrases(explain=True)
    assert signature(loaded) == signature(trained.ranker)


def test_a_document_without_concepts(trained):
    assert trained.ranker.extract(analysed("Entirely elsewhere.")).keyphrases() == ()
    assert trained.ranker.extract(analysed("")).keyphrases() == ()


def test_a_language_without_labels_is_said(trained):
    ranking = trained.ranker.extract(analysed("Leckage und noise.", language="de"))
    assert ranking.warnings == ("the vocabulary has no labels in 'de': those of all languages are looked up",)
    assert "ex:noise" in uris(ranking)


def test_evidence_sums_to_the_score(trained):
    assert sorted(itertools.chain(*_REASONS.values())) == sorted(trained.ranker.model.columns)
    ranking = trained.ranker.extract(analysed("Leak detection in plastic pipes."))
    evidence = np.array([list(keyphrase.evidence.values()) for keyphrase in ranking.keyphrases(explain=True)])
    apart = ranking.scores - evidence.sum(axis=1)
    assert np.allclose(apart, apart[0])  # the base value of the trees


def test_a_system_that_was_not_trained():
    with pytest.raises(NotFitted, match="subject has not been trained"):
        SubjectRanker(vocabulary()).extract(analysed("Leaks."))


def extraction(trained, **options: Any):
    return Extraction(ByLanguage("en"), trained.ranker, phrase_filter=PhraseFilter(**options))


def test_another_vocabulary_is_refused(trained):
    check_ready(extraction(trained, vocabulary=vocabulary()))
    for other in (VocabularyIndex.of(["pipe"]), ("pipe",)):
        with pytest.raises(BadParameter, match="was trained with another vocabulary"):
            check_ready(extraction(trained, vocabulary=other))


def test_options_of_the_vocabulary(trained):
    document = analysed("Leak detection, with microphones.").source
    plain = extraction(trained).prediction(document)
    assert [keyphrase.concept.uri for keyphrase in plain.keyphrases][:2] == ["ex:leak", "ex:policy"]
    broader = extraction(trained, vocabulary=vocabulary(), only_vocabulary=True, broader=True).prediction(document)
    assert [keyphrase.concept.uri for keyphrase in broader.keyphrases] == ["ex:leak", "ex:policy", "ex:water"]
    finnish = extraction(trained, vocabulary=vocabulary(), label_language="fi").prediction(document)
    assert finnish.warnings == ("2 of 2 concepts have no label in 'fi': shown in en",)


@pytest.mark.parametrize(
    ("index", "number", "message"),
    [
        (None, 90, "subjects without a vocabulary"),
        (VocabularyIndex.of(["pipe"]), 90, "vocabulary without concepts"),
        (vocabulary(), 4, "4 of 4 documents have a subject of the vocabulary"),
        (vocabulary(), 0, "0 of 0 documents"),
    ],
)
def test_too_little_to_learn_from(index, number, message):
    system = replace(SubjectRanker(base=FirstPhrases()), vocabulary=index)
    with pytest.raises(BadParameter, match=message):
        train_subjects(system, itertools.islice(examples(), number))


def test_subjects_of_another_vocabulary():
    foreign = [labelled(f"Case {number}.", "sewage", name=str(number)) for number in range(9)]
    with pytest.raises(BadParameter, match="0 of 9 documents") as caught:
        train_subjects(SubjectRanker(vocabulary(), FirstPhrases()), foreign)
    assert "such as 'sewage', which it lacks" in caught.value.hint


def test_subjects_that_no_document_mentions_can_be_learned():
    absent = [labelled(f"The {word} is case {number}.", "ex:policy") for number, word in enumerate(WORDS * 2)]
    with pytest.raises(BadParameter, match="rows of both classes"):
        train_subjects(SubjectRanker(vocabulary(), FirstPhrases()), absent)
