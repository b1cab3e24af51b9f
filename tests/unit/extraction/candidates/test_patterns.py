"""Nominal groups of small texts, by hand.

Tag classes and patterns on hand-tagged text, and against matching every run one by one.
"""

import itertools
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import analysed
from tests.unit.extraction.candidates.tagging import phrases, tagged

from keywright.core.documents import Document
from keywright.core.errors import NeedsUnmet
from keywright.extraction.candidates.patterns import nominal_groups, noun_chunks, tag_phrases, word_classes
from keywright.text.keys import phrase_key
from keywright.text.languages import TaggedAnalyser
from keywright.text.tag_lexicon import tag_classes


def groups(text: str, **options: bool | int) -> set[str]:
    document = analysed(text)
    return set(phrases(document, nominal_groups(document, **options)))


@pytest.mark.parametrize(
    ("text", "classes"),
    [
        ("peer grid IL-6", "NNN"),
        ("global dangerous adaptive scalable visible automatic successful wireless stationary", "J" * 9),
        ("goal signal table topic library families globals settings strings", "N" * 9),
        ("distributed routing string speed", "EGNN"),
        ("quickly family optimize optimizes classify classified exercise", "XNXXXXN"),
        ("quality of the market's prices and of agents", "NODNPNAON"),
        ("The market of 12 x", "XNOXX"),
        ("market . of", "NXO"),
        ("of. The market", "OXXN"),
        ("We propose agents", "XXN"),
        ("It can improve. To process networks", "XXXXXXN"),
        ("To networks", "XN"),
    ],
)
def test_classes_of_words(text, classes):
    assert word_classes(analysed(text)) == classes


def test_nouns_with_their_modifiers():
    found = groups("We propose the distributed grid market for static data mining, and quickly improved")
    assert found == {"distributed grid market", "static data mining"}


def test_groups_of_and_possessors():
    assert groups("quality of service") == {"quality", "service", "quality of service"}
    assert groups("the market's price") == {"market", "price", "market's price"}


def test_a_determiner_behind_of_is_no_part_of_the_name():
    document = analysed("Quality of the services. The quality of service")
    found = nominal_groups(document)
    at = found.key.tolist().index(phrase_key("quality of service"))
    assert found.frequency[at] == 2
    assert found.occurrences(at)[1].tolist() == [4, 3]


def test_coordinated_modifiers():
    assert groups("static and dynamic analysis") == {"dynamic analysis", "static and dynamic analysis"}
    assert groups("agents and markets") == {"agents", "markets"}
    assert groups("agents and distributed markets") == {"agents", "distributed markets"}
    assert groups("voice or data networks") == {"voice", "data networks", "voice or data networks"}


def test_parts_that_are_groups():
    expected = {"distributed grid market", "distributed grid", "grid market", "grid", "market"}
    assert groups("distributed grid market", maximal=False) == expected


def test_longest_counts_no_determiners():
    assert "quality of the service" in groups("quality of the service", longest=3)
    assert "quality of the service" not in groups("quality of the service", longest=2)


def test_in_other_languages_content_words_are_nouns():
    document = analysed("der globale Markt und das Netz", language="de")
    assert word_classes(document) == "XNNXXN"
    assert phrases(document, nominal_groups(document)) == {"globale markt": 1, "netz": 1}


@pytest.mark.parametrize("language", ["en", "de"])
def test_an_empty_document_has_no_groups(language):
    document = analysed("", language=language)
    assert word_classes(document) == ""
    assert len(nominal_groups(document)) == 0


CLASSES = {
    "N": "NN NNS NNP NNPS",
    "J": "JJ JJR JJS",
    "G": "VBG VBN",
    "V": "VB VBD VBP VBZ MD",
    "I": "IN",
    "D": "DT PDT WDT PRP$",
    "P": "POS",
    "X": "RB CD TO CC PRP WP WRB RP EX FW UH LS , .",
}
PHRASE = "neural/JJ networks/NNS"
ITEMS = st.sampled_from("deep/JJ net/NN nets/NNS trained/VBN of/IN the/DT quickly/RB x/NN ,/, |".split())
TEXTS = st.lists(ITEMS, max_size=16).map(" ".join)
PATTERNS = st.sampled_from(("[JNG]*N", "J?N|NIN", "N(IDN)?", "[JNGID]+"))


@pytest.mark.parametrize("letter", CLASSES)
def test_classes_of_tags(letter):
    tags = CLASSES[letter].split()
    assert tag_classes(tagged(" ".join(f"word/{tag}" for tag in tags))) == letter * len(tags)


def test_signs_numbers_formulas_and_single_letters_are_no_words_whatever_their_tag():
    assert tag_classes(tagged(",/NN 3.14/NN x_i/NN x/NN C/NNP x/JJ a/DT IL-6/NN π/NN")) == "XXXXXXDNN"


def test_documents_without_tags():
    with pytest.raises(NeedsUnmet, match="'a' was analysed without"):
        tag_classes(analysed("Words"))


def test_an_empty_document_has_no_phrases():
    document = tagged("")
    assert tag_classes(document) == ""
    assert len(tag_phrases(document, "N", 3)) == len(noun_chunks(document, 3)) == 0


def test_all_runs_that_match():
    document = tagged(f"large/JJ {PHRASE} train/VBP {PHRASE}")
    found = {"large neural networks": 1, "neural networks": 2, "networks": 2}
    assert phrases(document, tag_phrases(document, "J*N", 3)) == found
    assert phrases(document, tag_phrases(document, "J*N", 2)) == {"neural networks": 2, "networks": 2}
    assert phrases(document, tag_phrases(document, "JJN|VJ", 3)) == {"large neural networks": 1, "train neural": 1}


def test_forms_with_equal_stems_are_one_candidate():
    document = tagged("grid/NN market/NN and/CC grids/NNS markets/NNS")
    found = tag_phrases(document, "NN", 2)
    assert (found.key.tolist(), found.frequency.tolist()) == ([phrase_key("grid market")], [2])


def test_runs_end_at_sentences_and_at_what_is_no_word():
    document = tagged("grid/NN ,/, market/NN | agent/NN x/NN system/NN 12/CD node/NN")
    assert phrases(document, tag_phrases(document, "N+", 5)) == dict.fromkeys(
        "grid market agent system node".split(), 1
    )
    assert len(tag_phrases(document, "NX", 2)) == 0


def test_runs_of_allowed_tokens():
    document = tagged("fast/JJ grid/NN market/NN")
    allowed = np.array([True, True, False])
    assert phrases(document, tag_phrases(document, "J?N+", 3, allowed=allowed)) == {"fast grid": 1, "grid": 1}
    assert phrases(document, tag_phrases(document, "J?N+", 3, maximal=True, allowed=allowed)) == {"fast grid": 1}


def test_maximal_runs_do_not_overlap():
    document = tagged(f"deep/JJ {PHRASE} of/IN markets/NNS")
    assert phrases(document, tag_phrases(document, "J*N", 5, maximal=True)) == {"deep neural networks": 1, "markets": 1}
    assert phrases(document, tag_phrases(document, "J*N(IN)?", 5, maximal=True)) == {
        "deep neural networks of markets": 1
    }


def test_the_longest_run_is_taken_also_where_the_expression_would_stop_early():
    document = tagged("grid/NN market/NN")
    assert phrases(document, tag_phrases(document, "N|NN", 5, maximal=True)) == {"grid market": 1}


def test_noun_chunks_leave_determiners_and_verbs_out():
    document = tagged("The/DT distributed/VBN grid/NN market/NN sells/VBZ its/PRP$ quickly/RB growing/VBG fast/JJ")
    assert phrases(document, noun_chunks(document, 5)) == {"distributed grid market": 1}


def test_long_noun_chunks_fall_into_pieces():
    document = tagged("a1/NN b2/NN c3/NN d4/NN e5/NN")
    assert phrases(document, noun_chunks(document, 2)) == {"a1 b2": 1, "c3 d4": 1, "e5": 1}


def one_by_one(document, pattern, longest):
    """(position, width) of every matching run, by looking at each."""
    classes = tag_classes(document)
    for first, last in itertools.combinations_with_replacement(range(len(document)), 2):
        run = classes[first : last + 1]
        within = document.sentence[first] == document.sentence[last]
        if len(run) <= longest and within and "X" not in run and re.fullmatch(pattern, run):
            yield first, len(run)


def places(found):
    return sorted(zip(found.positions.tolist(), found.widths.tolist(), strict=True))


@given(TEXTS, PATTERNS, st.integers(1, 5))
def test_phrases_are_those_found_one_by_one(text, pattern, longest):
    document = tagged(text)
    expected = list(one_by_one(document, pattern, longest))
    assert places(tag_phrases(document, pattern, longest)) == expected
    separate, behind = [], 0
    for first, run in itertools.groupby(expected, key=lambda place: place[0]):
        if first >= behind:
            separate.append(max(run))
            behind = sum(separate[-1])
    assert places(tag_phrases(document, pattern, longest, maximal=True)) == separate


def test_real_tags():
    text = "We study a distributed grid market. The market's agents buy quality of service."
    document = TaggedAnalyser().analyse(Document("a", text))
    assert tag_classes(document) == "XVDGNNXDNPNVNINX"
    assert phrases(document, noun_chunks(document, 4)) == {
        "distributed grid market": 1,
        "market": 1,
        "agents": 1,
        "quality": 1,
        "service": 1,
    }
