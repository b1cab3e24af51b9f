"""From a run and its gold to decisions: by hand, in the stated order."""

from dataclasses import replace
from math import log

import numpy as np
import pytest
from tests.builders import run
from tests.unit.calibration.labelled_runs import judged

from keywright.calibration.judging import KPG_WHOLE_TEXT, decide
from keywright.core.documents import Document, GoldKeyphrase, LabelledDocument, Section, SectionKind
from keywright.core.errors import BadParameter, BadRecord, NeedsUnmet, UnknownName
from keywright.core.keyphrases import Generation, Keyphrase
from keywright.core.predictions import Failure
from keywright.evaluation.protocols.kpg import KPG
from keywright.evaluation.protocols.semeval2010 import SEMEVAL2010

TEXT = "Grid services. We study grid services, web services and UDDI."


def labelled(name, gold, text=TEXT):
    return LabelledDocument(Document(name, text), tuple(GoldKeyphrase(forms, "author") for forms in gold))


def phrase(text, probabilities=(), slot=None):
    given = tuple(map(log, probabilities))
    tokens = tuple(f"t{at}" for at in range(len(given)))
    words = len(text.split())
    return Keyphrase(text, 0.0, generation=Generation(tokens, given, slot=slot, words=words) if given else None)


GOLD = [labelled("a", [("grid service",), ("grid computing",), ("uddi", "registries")]), labelled("b", [("ontology",)])]
LIST = (
    phrase("grid services", [0.5, 0.5]),
    phrase("semantic <unk>", [0.9]),
    phrase("web service", [0.25, 1.0]),
    phrase("Grid service", [0.9, 0.9]),  # a repeat by its stems
    phrase("ontologies", [0.8]),
    phrase("registry", [0.125]),
)


def test_each_phrase_that_is_left_is_judged_in_its_class():
    found = judged(run({"a": LIST, "b": ()}), GOLD)
    assert found.ids == ("a", "b")
    assert found.document.tolist() == [0, 0, 0, 0]
    assert found.rank.tolist() == [1, 2, 3, 4]
    assert found.present.tolist() == [True, True, False, False]
    assert found.correct.tolist() == [True, False, False, True]
    assert found.words.tolist() == [2, 2, 1, 1]
    assert found.confidence == pytest.approx([0.5, 0.5, 0.8, 0.125])
    assert found.gold.tolist() == [[2, 2], [0, 1]]  # uddi is present, its other form absent


def test_the_confidence_can_be_chosen():
    found = judged(run({"a": LIST}), GOLD, confidence="product")
    assert found.confidence == pytest.approx([0.25, 0.25, 0.8, 0.125])
    assert judged(run({"a": LIST}), GOLD, confidence="score").confidence.tolist() == [0, 0, 0, 0]


def test_runs_of_any_system_are_judged_by_probability_or_score():
    scored = Keyphrase("uddi", 7.5), Keyphrase("grid", 2.5)
    assert judged(run({"a": scored}), GOLD).confidence.tolist() == [7.5, 2.5]
    sure = [replace(one, probability=0.25) for one in scored]
    found = judged(run({"a": sure}), GOLD)
    assert found.confidence.tolist() == [0.25, 0.25]
    assert found.correct.tolist() == [True, False]


def test_of_slots_that_give_one_phrase_the_first_counts():
    given = phrase("uddi", [0.9], slot=7), phrase("grid", [0.6], slot=0), phrase("uddi", [0.3], slot=2)
    (decisions,) = decide(run({"a": given}), GOLD).lists
    assert [(one.form, one.rank, one.keyphrase.generation.slot) for one in decisions] == [
        ("uddi", 1, 2),
        ("grid", 2, 0),
    ]


def test_documents_without_answer_or_gold_are_left_out_and_the_golds_order_stays():
    given = replace(run({"z": LIST, "b": LIST, "c": ()}), failures=(Failure("a", "x", "y"),))
    found = judged(given, [*GOLD, labelled("c", [])])
    assert found.ids == ("b", "c")
    assert found.gold.tolist() == [[0, 1], [0, 0]]


def test_a_gold_entry_counts_once_whatever_its_forms():
    gold = [labelled("a", [("grid service", "web services"), ("uddi",)])]
    found = judged(run({"a": [phrase("web service", [0.5]), phrase("grid services", [0.5])]}), gold)
    assert found.gold.tolist() == [[2, 0]]
    assert found.correct.tolist() == [True, False]


def test_the_kinds_of_gold_that_count_are_the_protocols():
    given = GoldKeyphrase(("uddi",), "author"), GoldKeyphrase(("grid service",), "reader")
    gold = [LabelledDocument(Document("a", TEXT), given)]
    both = run({"a": [phrase("uddi", [0.5]), phrase("grid services", [0.5])]})
    assert judged(both, gold).correct.tolist() == [True, True]
    found = judged(both, gold, replace(KPG_WHOLE_TEXT, golds=("reader",)))
    assert (found.correct.tolist(), found.gold.tolist()) == ([False, True], [[1, 0]])
    with pytest.raises(UnknownName, match="no gold called 'editor'"):
        judged(both, gold, replace(KPG_WHOLE_TEXT, golds=("editor",)))


def test_gold_that_is_stems_is_not_stemmed_again():
    stems = [labelled("a", [("servic",)], "services")]
    given = run({"a": [phrase("services", [0.5])]})
    assert judged(given, stems, stemmed=True).correct.tolist() == [True]
    assert judged(given, [labelled("a", [("gener",)], "generalized")], stemmed=True).gold.tolist() == [[1, 0]]


def test_presence_is_told_by_the_whole_text_unless_the_protocol_says_otherwise():
    sections = Section(SectionKind.TITLE, 0, 4), Section(SectionKind.ABSTRACT, 5, 9)
    one = LabelledDocument(Document("a", "grid uddi body", sections), (GoldKeyphrase(("body",), "author"),))
    given = run({"a": [phrase("body", [0.5])]})
    assert judged(given, [one]).present.tolist() == [True]
    assert judged(given, [one], KPG).present.tolist() == [False]


def test_what_cannot_be_judged_is_told():
    with pytest.raises(BadRecord, match=r"the run \(1 documents\) and the gold have no document in common"):
        judged(run({"q": LIST}), GOLD)
    with pytest.raises(BadRecord, match="document 'a' comes 2 times in the gold; expected each document once"):
        judged(run({"a": LIST, "b": ()}), [*GOLD, GOLD[0]])
    twice = replace(run({"a": LIST}), predictions=run({"a": LIST}).predictions * 2)
    with pytest.raises(BadRecord, match="document 'a' comes 2 times in the run"):
        judged(twice, GOLD)
    with pytest.raises(BadParameter, match="does not distinguish present from absent phrases"):
        judged(run({"a": LIST}), GOLD, SEMEVAL2010)
    with pytest.raises(BadRecord, match="'uddi' has no token probabilities"):
        judged(run({"a": [Keyphrase("uddi", 1.0)]}), GOLD, confidence="kpp-s")
    with pytest.raises(NeedsUnmet, match="there are only phrases"):
        judged(run({"a": LIST}), [labelled("a", [("x",)], "")])


def test_a_run_without_phrases_has_none():
    found = judged(run({"a": (), "b": ()}), GOLD)
    assert len(found) == 0
    assert found.gold.tolist() == [[2, 2], [0, 1]]
    assert np.array_equal(found.confidence, np.zeros(0))
