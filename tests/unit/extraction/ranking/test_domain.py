"""Documents unlike those of training: each statistic counted by hand, and the reasons that follow."""

import pytest

from keywright.core.documents import Document
from keywright.extraction.corpus.knowledge import Knowledge, knowledge_of
from keywright.extraction.ranking.domain import reasons, statistics_of_each
from keywright.extraction.systems.default import Default
from keywright.text.analyser import TextAnalyser

NOTE = (
    "The landlord wants to raise the rent of the flat, and the tenants ask for a longer notice period. They met in the "
    "kitchen on Monday, read the old contract together, and wrote a letter that lists what has to be repaired before "
    "winter: two windows, the heating and the door of the cellar."
)
FRENCH = (
    "Le propriétaire veut augmenter le loyer de l'appartement, et les locataires demandent un préavis plus long. Ils "
    "se sont réunis dans la cuisine, ont relu le contrat et ont écrit une lettre sur les réparations de la cave."
)


def reason(text, language="en"):
    document = TextAnalyser(language).analyse(Document("d", text, language=language))
    return reasons(document, knowledge_of(language if language == "en" else "any"))[0]


def values(text):
    return statistics_of_each(TextAnalyser("en").analyse(Document("d", text, language="en")), Knowledge())[0]


def test_shares_are_those_counted_by_hand():
    # 11 tokens: 8 words, of which 4 function words (with WHO) and 2 in capitals; a number, 2 signs, one of programs.
    counted = values("The WHO trains nurses of the RNA unit = 12.")
    assert counted["content"] == 4
    assert counted["signs"] == pytest.approx(3 / 11)
    assert counted["code"] == pytest.approx(1 / 11)
    assert counted["capitals"] == pytest.approx(2 / 8)
    assert counted["function"] == pytest.approx(4 / 8)
    assert "distinct" not in counted
    assert "the" not in counted


def test_unknown_words_are_counted_once():
    assert values("water water water qzxv qzxv vxzq rain")["known"] == pytest.approx(2 / 4)


def test_the_is_followed_by_nouns():
    # Four mentions: behind two of them a function word, of which one does not count.
    assert values("the cat of the and the dog saw the of")["the"] == pytest.approx(1 / 4)


def test_repetitions_are_counted_among_the_first_hundred_words():
    assert values("storm flood " * 60)["distinct"] == pytest.approx(2 / 100)


def test_ordinary_texts_are_not_unlike():
    assert reason(NOTE) == ""
    assert reason(FRENCH, "fr") == ""


@pytest.mark.parametrize(
    ("text", "beginning"),
    [
        ("", "0 content words"),
        ("Fetch Anna about the keys.", "3 content words"),
        (FRENCH, "few function words"),
        (NOTE.upper(), "written in capitals (96 %)"),
        ("temperature 12.5 ; 13.1 ; 14.0 ; 15.2 ; of the\n" * 20, "mostly numbers and signs"),
        ("if word_count > 3 and the list[0] == {}: return the name of it\n" * 5, "signs as in programs and data"),
        ("the disk of the server is full and the job was stopped\n" * 20, "words repeated again and again (10 % "),
        (NOTE.replace("e", "xq").replace("thxq", "the"), "few known words"),
    ],
)
def test_reasons(text, beginning):
    assert reason(text).startswith(beginning)


def test_default_ranks_without_probabilities_and_says_why():
    document = TextAnalyser("en").analyse(Document("d", NOTE.upper(), language="en"))
    ranking = Default(style="author").extract(document)
    assert ranking.probabilities is None
    assert ranking.chosen is None
    reason = "unlike the documents that the probabilities were fitted on (written in capitals (96 %)): no probabilities"
    assert ranking.withheld == reason
    assert ranking.prediction().warnings == (reason,)
    assert Default(style="author", any_domain=True).extract(document).probabilities is not None
    assert len(ranking) > 5
