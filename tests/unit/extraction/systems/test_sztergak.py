"""SZTERGAK: kept sentences, candidates, features and training, on hand-tagged text."""

import math
from dataclasses import replace

import pytest
from tests.unit.extraction.candidates.tagging import phrases, tagged
from tests.unit.extraction.systems.papers import TAGGED_TOPICS, tagged_paper

from keywright.core.documents import AnalysedDocument, Section, SectionKind
from keywright.core.errors import UnknownName
from keywright.extraction.systems.sztergak import SZTERGAK

WHOLE = SZTERGAK(opening=1.0, successor=True, strength=1.0)


PAPERS = tuple(map(tagged_paper, range(12)))
FITTED = WHOLE.fit(PAPERS)


def found(text: str, system: SZTERGAK = WHOLE) -> set[str]:
    document = tagged(text)
    return set(phrases(document, system.candidates(document)))


def names(system: SZTERGAK) -> tuple[str, ...]:
    """The numeric features in their order."""
    document = PAPERS[0].document
    return tuple(system.feature_columns(system.candidates(document), document))


def column(system: SZTERGAK, document: AnalysedDocument, name: str) -> dict[str, float]:
    """One of the numbers, by candidate."""
    candidates = system.candidates(document)
    place = [each for each in system.columns if each not in system.without].index(name)
    values = system.features(candidates, document)[:, place].tolist()
    return dict(zip(phrases(document, candidates), values, strict=True))


def test_allowed_tags():
    """Nouns and adjectives at the edges, prepositions and possessive endings between, four words."""
    assert found("fast/JJ grid/NN") == {"fast", "fast grid", "grid"}
    assert found("quality/NN of/IN service/NN") == {"quality", "quality of service", "service"}
    assert found("quality/NN of/IN the/DT grid/NN") == {"quality", "grid"}
    assert found("run/VB grid/NN of/IN") == {"grid"}
    assert found("other/JJ grid/NN") == {"grid"}  # a stop word
    assert "red ant bee cat" in found("red/JJ ant/NN bee/NN cat/NN dog/NN")
    assert not any(len(name.split()) > 4 for name in found("red/JJ ant/NN bee/NN cat/NN dog/NN"))


def test_sentences_are_dropped_by_their_place():
    """Ten tokens in five sentences, which begin at 0, 0.2, 0.4, 0.6 and 0.8 of the text."""
    text = "Ants/NN ./. Bees/NN ./. Cats/NN ./. Dogs/NN ./. Elks/NN ./."
    assert found(text) == {"ants", "bees", "cats", "dogs", "elks"}
    assert found(text, SZTERGAK(opening=0.3, closing=0.3)) == {"ants", "bees", "elks"}
    assert found(text, SZTERGAK(opening=0.2, closing=0.0)) == {"ants"}


def test_mentions_in_dropped_sentences_do_not_count():
    document = tagged("Ants/NN ./. Bees/NN ./. Ants/NN ./. Cats/NN ./.")
    assert phrases(document, SZTERGAK(opening=0.3, closing=0.0).candidates(document)) == {"ants": 1, "bees": 1}


def test_numbers():
    """*grid market*, twice in the abstract among 8 tokens, chosen by 3 of 12 training papers and in all of them."""
    text = "grid/NN market/NN ,/, grid/NN market/NN ,/, software/NN | tide/NN"
    document = tagged(text, Section(SectionKind.ABSTRACT, 0, 36))
    assert column(FITTED, document, "words")["grid market"] == 2
    assert column(FITTED, document, "collocation")["grid market"] == pytest.approx(math.log2(2 / 8 / (2 / 8) ** 2))
    assert column(FITTED, document, "tfidf")["grid market"] == pytest.approx(0)  # all training papers have it
    assert column(FITTED, document, "tfidf")["software"] == pytest.approx(1 / 8 * math.log2(13))
    # Two sections, of which one has it; that one has 7 tokens.
    assert column(FITTED, document, "abstract tfidf")["grid market"] == pytest.approx(2 / 7 * math.log2(2 / 1))
    assert column(FITTED, document, "abstract") == {
        "grid": 1, "grid market": 1, "market": 1, "software": 1, "tide": 0,
    }  # fmt: skip
    assert column(FITTED, document, "keyphraseness") == {
        "grid": 0, "grid market": 3, "market": 0, "software": 0, "tide": 0,
    }  # fmt: skip
    assert column(FITTED, document, "phrasehood")["grid market"] == 1
    # Alone nowhere here; once in each of the nine papers where *grid market* is mentioned once, thus not frequent.
    assert column(FITTED, document, "phrasehood")["grid"] == pytest.approx(9 / (9 + 3 * 3 + 2))
    assert column(FITTED, document, "wordnet")["software"] == 1
    assert column(FITTED, document, "foldoc")["software"] == 1
    assert column(FITTED, document, "vera")["software"] == 0
    assert column(FITTED, document, "author-keyphrases")["software"] == 1


def test_tags_and_endings_that_all_papers_have_are_features():
    tags, two, three = FITTED.traits
    assert tags == ("B:NN", "E:NN", "S:NN")
    assert {"B:id", "E:et", "S:er"} <= set(two)
    assert {"B:rid", "E:ket", "S:ter"} <= set(three)
    assert replace(WHOLE, without=("endings",)).fit(PAPERS).traits == (tags,)
    assert replace(WHOLE, without=("tags",)).fit(PAPERS).traits == (two, three)


@pytest.mark.parametrize("learner", ["maximum entropy", "naive bayes"])
def test_it_finds_topics(learner):
    fitted = replace(WHOLE, learner=learner).fit(PAPERS)
    for number in range(40, 44):
        topic = TAGGED_TOPICS[number % 4].replace("/NN", "")
        assert fitted.extract(tagged_paper(number).document).prediction(explain=True).keyphrases[0].text == topic


def test_features_have_the_names_of_the_columns():
    numbers = names(FITTED)
    assert (*numbers, "tags", "endings") == SZTERGAK.columns
    less = replace(FITTED, without=("first", "phrasehood"))
    assert set(numbers) - set(names(less)) == {"first", "phrasehood"}
    with pytest.raises(UnknownName, match="no feature of sztergak called 'wikipedia'"):
        replace(WHOLE, without=("wikipedia",)).fit(PAPERS)


def test_the_later_program_has_more_features():
    first = replace(WHOLE, successor=False).fit(PAPERS)
    assert len(first.traits) == 1
    later = {"spelling", "deviation", "abstract", "heading", "references", "keyphraseness"}
    assert set(names(FITTED)) - set(names(first)) == later
    assert first.extract(PAPERS[0].document).prediction(explain=True).keyphrases[0].text == "grid market"
