"""YAKE, RAKE and SGRank beside other programs' answers for this project's own texts.

``references/classics.json`` holds the answers and how they were come by;
``tools/references/make_classic_references.py`` makes it. Forms of one phrase are one phrase here and several there, so
theirs are grouped by stems, and the best form counts. Every other difference is named below.
"""

import itertools
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from keywright.core.documents import AnalysedDocument, Document
from keywright.extraction.corpus.counts import PhraseCounts
from keywright.extraction.systems.rake import Rake
from keywright.extraction.systems.sgrank import SGRank
from keywright.extraction.systems.yake import Yake
from keywright.text.keys import phrase_key
from keywright.text.languages import ByLanguage
from keywright.text.stems import stemmer

REFERENCES = json.loads((Path(__file__).parent / "references" / "classics.json").read_text("utf-8"))
TEXTS = REFERENCES["texts"]


@cache
def analyser(*, tagged: bool = False) -> ByLanguage:
    return ByLanguage(tagged=tagged)


def analysed(name: str, *, tagged: bool = False) -> AnalysedDocument:
    given = TEXTS[name]
    return analyser(tagged=tagged).analyse(Document(name, given["text"], language=given["language"]))


def ours(system: Any, name: str) -> dict[int, float]:
    """Scores by stems, best first."""
    stem = stemmer(TEXTS[name]["language"])
    return {phrase_key(each.text, stem): each.score for each in system.extract(analysed(name)).prediction().keyphrases}


def theirs(program: str, name: str, sign: int = 1) -> tuple[dict[int, float], dict[int, str]]:
    """Scores of the best form by stems, best first, and how each is written."""
    stem = stemmer(TEXTS[name]["language"])
    scores: dict[int, float] = {}
    texts: dict[int, str] = {}
    for phrase, score in REFERENCES[program]["answers"][name]:
        key = phrase_key(phrase, stem)
        texts.setdefault(key, phrase.lower())
        scores[key] = max(scores.get(key, sign * score), sign * score)
    return dict(sorted(scores.items(), key=lambda pair: -pair[1])), texts


ONLY_THEIRS = {
    "sourdough": {"baker hands"},  # its tokeniser drops a possessive, so that words around it stand side by side
    "french": {"l'eau de mer", "l'eau", "s'évapore"},  # elided articles are tokens of their own here
    "article": set(),
}
ONLY_OURS = {"sourdough": 1, "french": 3, "article": 1}


def assert_same_order(mine: dict[int, float], other: dict[int, float]) -> None:
    """Of two phrases that both know, no one puts that first which the other one scores clearly lower."""
    common = [key for key in mine if key in other]
    scores = [other[key] for key in common]
    assert all(left >= right - 1e-9 for left, right in itertools.pairwise(scores))


@pytest.mark.parametrize("name", [name for name in TEXTS if name != "article"])
@pytest.mark.parametrize(("program", "alike"), [("yake", 1.0), ("yake-alike", 0.8)])
def test_yake(program, alike, name):
    mine = ours(Yake(terms="singular", alike=alike), name)
    other, texts = theirs(program, name, -1)
    assert {texts[key] for key in other.keys() - mine.keys()} == ONLY_THEIRS.get(name, set())
    assert len(mine.keys() - other.keys()) == ONLY_OURS.get(name, 0)
    for key in mine.keys() & other.keys():
        assert mine[key] == pytest.approx(other[key], abs=1e-12), texts[key]
    assert_same_order(mine, other)


def test_yake_where_a_plural_is_a_stop_word():
    """In this text *seconds* is a word here and *second*, a stop word, there, which moves the mean of all mentions."""
    mine = ours(Yake(terms="singular", alike=1.0), "article")
    other, texts = theirs("yake", "article", -1)
    assert other.keys() < mine.keys()
    assert len(mine) == len(other) + 1
    for key in other:
        assert mine[key] == pytest.approx(other[key], rel=0.02), texts[key]


NUMBERED = {  # numbers are words there, and end a run here; phrases with one, and the values of the words beside it
    "leaks": {"noise profile revealed 17", "21 leaks", "leak noise fades", "noise profile", "leaks"},
    "lichens": {"310 roadside trees", "1986", "roadside trees"},
    "archives": {"1850", "1740"},
    "sourdough": {"s hands"},  # its cut of a possessive
}


@pytest.mark.parametrize("name", list(TEXTS))
def test_rake(name):
    mine = ours(Rake(adjoined=0), name)
    other, texts = theirs("rake-nltk", name)
    excused = NUMBERED.get(name, set())
    assert {texts[key] for key in other.keys() - mine.keys()} <= excused
    common = [key for key in mine if key in other and texts[key] not in excused]
    assert len(common) >= 0.7 * len(other)
    for key in common:
        assert mine[key] == pytest.approx(other[key]), texts[key]
    assert_same_order({key: mine[key] for key in common}, other)


@pytest.mark.parametrize("name", list(REFERENCES["textacy"]["tagged"]))
def test_sgrank_finds_the_same_phrases(name):
    """Nouns and adjectives, no document frequencies: nearly all of theirs go on to the graph here as well.

    Theirs counts forms apart where ours counts stems, and cuts compounds at hyphens.
    """
    flat = SGRank(PhraseCounts.of_phrases([], 2), classes="NJ")
    mine = {phrase_key(each.text) for each in flat.extract(analysed(name, tagged=True)).prediction().keyphrases}
    other = {phrase_key(phrase) for phrase, _ in REFERENCES["textacy"]["tagged"][name]}
    assert len(mine & other) >= 0.9 * len(other)


def test_sgrank_differs_in_the_graph():
    """Three words, once each, at places 0, 2 and 4: theirs puts the last first, ours the first.

    Its edges lead from a phrase to those listed behind it only, shorter ones first, so that rank runs to the end of the
    list; its window is cut to the text's length. The paper's edges know no direction. Scores are not comparable.
    """
    [(text, answer)] = REFERENCES["textacy"]["probe"].items()
    assert [phrase for phrase, _ in answer] == ["sheep", "deer", "wolves"]
    document = analyser(tagged=True).analyse(Document("probe", text, language="en"))
    flat = SGRank(PhraseCounts.of_phrases([], 2), classes="N")
    assert flat.extract(document).prediction().texts[0] == "wolves"
