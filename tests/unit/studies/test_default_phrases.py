"""How phrases are related to gold, and where gold is lost: each rule at its boundary, by hand."""

import numpy as np
import pytest

from keywright.core.documents import Document, GoldKeyphrase
from keywright.extraction.candidates.prefilter import usual_candidates
from keywright.text.analyser import TextAnalyser
from keywright.text.keys import phrase_key
from keywright.text.tag_lexicon import tag_lexicon
from studies.default.phrases import (
    TextOfGold,
    all_readings,
    beside_nouns,
    holds,
    other_forms,
    parts_of,
    readings,
    relation,
)


def gold(*forms: str) -> GoldKeyphrase:
    return GoldKeyphrase(forms, "author")


def test_parts_are_stems_cut_at_hyphens():
    assert parts_of("Peer-to-Peer Networks") == ("peer", "to", "peer", "network")


def test_stemmed_gold_is_also_read_as_it_is():
    assert ("energi", "explor") in readings(gold("energi explor"))


def test_holding_is_of_neighbours_and_never_of_itself():
    assert holds(("a", "b", "c"), ("b", "c"))
    assert not holds(("a", "b", "c"), ("a", "c"))
    assert not holds(("a", "b"), ("a", "b"))
    assert not holds(("a", "b"), ())


@pytest.mark.parametrize(
    ("phrase", "expected"),
    [
        ("databases", "written otherwise than a keyphrase"),  # data base
        ("detection of intrusion", "shares another word with a keyphrase"),
        ("detection intrusions", "written otherwise than a keyphrase"),
        ("support vector", "part of a keyphrase"),
        ("network intrusion detection", "a keyphrase with more words"),
        ("Turing machine", "same last word as a keyphrase"),
        ("vector space", "shares another word with a keyphrase"),
        ("garden", None),
    ],
)
def test_the_nearest_relation_to_the_gold(phrase, expected):
    known = all_readings([gold("data base"), gold("support vector machine"), gold("intrusion detection")])
    assert relation(parts_of(phrase), known) == expected


def test_short_and_long_forms_go_both_ways():
    pairs = [(("svm",), ("support", "vector", "machin"))]
    assert other_forms(("svm",), pairs) == {("support", "vector", "machin")}
    assert other_forms(("support", "vector", "machin"), pairs) == {("svm",)}
    assert other_forms(("svms",), pairs) == set()


TEXT = TextOfGold(
    TextAnalyser("en").analyse(
        Document(
            "d", "Grid markets, trees. The quality of very old grid markets at a large scale in the old town is high."
        )
    )
)


@pytest.mark.parametrize(
    ("phrase", "reason"),
    [
        ("grid market", None),
        ("old town", "not among the described candidates"),
        ("markets trees", "no candidate: punctuation inside"),
        ("the quality", "no candidate: a stop word, number or letter at its edge, or another word inside"),
        ("grid markets at a large scale in the old town", "no candidate: more than five words"),
        ("grid trees", "not in the text, all its words are"),
        ("grid brokers", "not in the text, some of its words are"),
        ("unheard", "not in the text, nor any of its words"),
    ],
)
def test_where_gold_is_lost(phrase, reason):
    described = np.array([phrase_key("grid market")], np.uint64)
    assert TEXT.lost(gold(phrase), described) == reason


def test_in_a_long_text_one_mention_in_the_middle_is_not_noticed():
    text = "Some words stand here and there. " * 200 + "A lonely giraffe came by."
    lost = TextOfGold(TextAnalyser("en").analyse(Document("d", text))).lost(
        gold("lonely giraffe"), np.zeros(0, np.uint64)
    )
    assert lost.startswith("mentioned once")


def test_nouns_beside_most_mentions():
    document = TextAnalyser("en").analyse(Document("d", "The database system fails. The database fails."))
    few = usual_candidates(document)
    before, behind = beside_nouns(document, few, tag_lexicon("en"))
    place = few.key.tolist().index
    system, database = place(phrase_key("system")), place(phrase_key("database"))
    assert (bool(before[system]), bool(behind[system])) == (True, False)
    assert (bool(before[database]), bool(behind[database])) == (False, False)  # behind one of two is not behind most
