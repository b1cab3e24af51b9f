"""Every column of the default extractor, by hand, on a document of 21 tokens."""

import math
from dataclasses import replace

import numpy as np
import pytest
from tests.builders import sectioned

from keywright.core.documents import AnalysedDocument, Document, SectionKind
from keywright.extraction.candidates.prefilter import usual_candidates
from keywright.extraction.corpus.counts import PhraseCounts
from keywright.extraction.corpus.knowledge import Knowledge
from keywright.extraction.features.description.columns import GROUPS, RANKS, Lookup, describe
from keywright.extraction.features.description.described_candidates import NAMES, SHARES, DescribedCandidates
from keywright.text.analyser import TextAnalyser
from keywright.text.keys import phrase_key
from keywright.text.tag_lexicon import CLASSES, TagLexicon


def table(documents: int = 7, **counts: int) -> PhraseCounts:
    pairs = [(phrase_key(phrase.replace("_", " ")), count) for phrase, count in counts.items()]
    return PhraseCounts.of_phrases(pairs, documents)


def row(**shares: float) -> list[float]:
    return [shares.get(letter, 0) for letter in CLASSES]


TAGS = TagLexicon.from_shares(
    {"grid": row(N=1), "markets": row(N=153, V=102), "*": row(X=1)},  # markets: .6, .4
    np.ones(len(CLASSES)),
)
KNOWLEDGE = Knowledge(
    background=table(grid=3, market=1),
    chosen=table(grid_market=4),
    chosen_words=table(grid=5, market=7),
    chosen_heads=table(market=3),
    titles=table(grid_market=1),
    general=table(grid=9, market=99),
    nouns=table(grid=2),
    tags=TAGS,
)
# grid 0 markets 1 | grid 2 markets 3 ( 4 gm 5 ) 6 sell 7 time 8 . 9
# the 10 grid 11 fails 12 . 13 markets 14 of 15 cheap 16 grids 17 rise 18 . 19 gm 20
PARTS = {
    SectionKind.TITLE: "Grid markets",
    SectionKind.ABSTRACT: "Grid markets (GM) sell time.",
    SectionKind.BODY: "The grid fails. Markets of cheap grids rise. GM",
}
PHRASES = ("grid", "grid markets", "gm")


def view_of(text: AnalysedDocument, phrases: tuple[str, ...] = PHRASES) -> DescribedCandidates:
    found = usual_candidates(text)
    return DescribedCandidates(text, found, np.isin(found.key, np.array(list(map(phrase_key, phrases)), np.uint64)))


DOCUMENT = sectioned(PARTS)
DESCRIBED = view_of(DOCUMENT)
WEIGHT = np.array([1.0, 3.0, 2.0])
ln, log10 = math.log, math.log10
NOT = [0.0, 0.0, 0.0]

EXPECTED = {
    "how often": {
        "mentions": [ln(5), ln(3), ln(3)],
        "share of tokens": [4000 / 21, 2000 / 21, 2000 / 21],
        "own mentions": [ln(3), ln(3), ln(3)],  # two of four mentions of grid are in "grid markets"
        "mentions of its words": [ln(4), ln(3.5), ln(2)],
        "mentions of its rarest word": [ln(4), ln(3), ln(2)],
        "mentions of its last word": [ln(4), ln(3), ln(2)],
    },
    "how rare": {  # log2 of 8 over 4, 2 and 1
        "rarity": [1, 3, 3],
        "rarity of its words": [1, 1.5, 3],
        "rarity of its commonest word": [1, 1, 3],
        "rarity of its rarest word": [1, 2, 3],
        "rarity of its first word": [1, 1, 3],
        "rarity of its last word": [1, 2, 3],
        "general words": [ln(10), ln(10) * 1.5, 0],
        "general rarest word": [ln(10), ln(10), 0],
        "general last word": [ln(10), ln(100), 0],
    },
    "known as a keyphrase": {
        "chosen": [0, ln(5), 0],
        "chosen beside background": [-ln(4), ln(5), 0],
        "in titles": [0, ln(2), 0],
        "noun of a dictionary": [ln(3), 0, 0],
        "chosen words": [ln(6), ln(48) / 2, 0],
        "least chosen word": [ln(6), ln(6), 0],
        "chosen last word": [ln(6), ln(8), 0],
        "head of keyphrases": [0, ln(4), 0],
        "leaning of its words": [ln(6 / 4), ln(6 / 4 * 8 / 2) / 2, 0],
        "leaning of its last word": [ln(6 / 4), ln(8 / 2), 0],
        "least leaning word": [ln(6 / 4), ln(6 / 4), 0],
    },
    "where": {
        "first mention": [0, 0, 5 / 21],
        "first mention in tokens": [0, 0, ln(6)],
        "first sentence": [0, 0, ln(2)],
        "last mention": [17 / 21, 2 / 21, 20 / 21],
        "spread": [17 / 21, 2 / 21, 15 / 21],
        # at 0, 2, 11, 17 around 7.5; at 0, 2; at 5, 20
        "deviation": [math.sqrt((7.5**2 + 5.5**2 + 3.5**2 + 9.5**2) / 4) / 21, 1 / 21, 7.5 / 21],
    },
    "in which sections": {
        "in title": [ln(2), ln(2), 0],
        "in abstract": [ln(2), ln(2), ln(2)],
        "in heading": NOT,
        "in introduction": NOT,
        "in related": NOT,
        "in conclusion": NOT,
        "in references": NOT,
        "in caption": NOT,
        "sections": [3, 2, 2],
        "words in title": [1, 1, 0],
        "words in abstract": [1, 1, 1],
        "words in heading": NOT,
        "words in references": NOT,
    },
    "how it is written": {
        "words": [1, 2, 1],
        "letters": [4, 11, 2],
        "letters of its longest word": [4, 7, 2],
        "capitals": [1 / 2, 1, 1],
        "capital at its end": [1 / 2, 0, 1],
        "acronym": [0, 0, 1],
        "stop words": NOT,
        "digits": NOT,
        "hyphens": NOT,
        "bounded left": [3 / 4, 1, 1],  # only "cheap" is a word that says something
        "bounded right": [0, 1, 1],
        "bounded": [0, 1, 1],
        "abbreviation": [0, 0, 1],
        "abbreviated": [0, 1, 0],
    },
    "well-formed": {
        "noun_last": [1, 0.6, 0],
        "nominal_first": [1, 1, 0],
        "gerund_last": NOT,
        "least_nominal": [1, 0.6, 0],
        "mean_nominal": [1, 0.8, 0],
        "most_verbal": [0, 0.4, 0],
        "function_words_inside": NOT,
        "noun_phrase": [1, 0.6, 0],
        "noun_phrase_with_prepositions": [1, 0.6, 0],
    },
    "its neighbours": {  # grid stands before markets (.6 noun, .4 verb) twice, and twice between other words
        "noun before": NOT,
        "nominal before": NOT,
        "verb before": NOT,
        "preposition before": NOT,
        "determiner before": NOT,
        "noun behind": [0.3, 0, 0],
        "nominal behind": [0.3, 0, 0],
        "verb behind": [0.2, 0, 0],
        "preposition behind": NOT,
        "nothing before": [1 / 2, 1, 1],
        "nothing behind": [0, 1, 1],
        "whole": [0.7, 1, 1],
        "first whole": [0.4, 1, 1],
        "ever whole": [1, 1, 1],
    },
    "on its own": {
        "independence": [1 / 2, 1, 1],
        "beside the longer": [ln(3 / 5), -ln(3), -ln(3)],
        "inside longer ones": [1 / 2, 0, 0],
        "c-value": [2, 2 * math.log2(3), 2],
        "cohesion": [0.1 * log10(5), 2 * log10(2) * 2 / 7, 0.1 * log10(3)],
        "share of its rarest word": [1, 2 / 3, 1],
        "share of its last word": [1, 2 / 3, 1],
    },
    "the document": {
        "tokens of the document": [ln(22)] * 3,
        "candidates of the document": [ln(1 + len(DESCRIBED.candidates))] * 3,
        "document has title": [1, 1, 1],
        "document has abstract": [1, 1, 1],
    },
}
FIRST, SECOND, THIRD = 0, ln(2), ln(3)
EXPECTED_RANKS = {
    "weight": [1, 3, 2],
    "rank of weight": [THIRD, FIRST, SECOND],
    "rank of mentions": [FIRST, SECOND, THIRD],  # 4, 2, 2: equal ones in reading order
    "rank of own mentions": [FIRST, SECOND, THIRD],  # 2 each
    "rank of chosen beside background": [THIRD, FIRST, SECOND],
    "rank of leaning of its words": [SECOND, FIRST, THIRD],
    "rank of first mention": [FIRST, SECOND, THIRD],  # 0, 0, 5
    "rank of c-value": [SECOND, FIRST, THIRD],
    "rank of cohesion": [SECOND, FIRST, THIRD],
}


def test_the_document_is_as_counted():
    assert len(DOCUMENT) == 21
    assert DESCRIBED.shortlist.positions.tolist() == [0, 2, 11, 17, 0, 2, 5, 20]
    assert DOCUMENT.sentence.tolist() == [0] * 2 + [1] * 8 + [2] * 4 + [3] * 6 + [4]


@pytest.mark.parametrize(("group", "columns"), EXPECTED.items(), ids=list(EXPECTED))
def test_columns_of_each_group(group, columns):
    found = GROUPS[group](Lookup(DESCRIBED, KNOWLEDGE))
    assert list(found) == list(columns)
    for name, column in found.items():
        assert column.shape == (3,), name
        assert column.tolist() == pytest.approx(columns[name]), name


def test_all_side_by_side():
    """The order is what trees were trained on: a change makes every trained file worthless."""
    rows, names = describe(DESCRIBED, KNOWLEDGE, WEIGHT)
    expected = [(group, name) for group, columns in EXPECTED.items() for name in columns]
    ranks = [(RANKS, name) for name in EXPECTED_RANKS]
    assert list(names) == ranks[:1] + expected + ranks[1:]
    assert (rows.shape, rows.dtype) == ((3, 102), np.float32)
    for (group, name), column in zip(names, rows.T, strict=True):
        wanted = EXPECTED_RANKS[name] if group == RANKS else EXPECTED[group][name]
        assert column.tolist() == pytest.approx(wanted, rel=1e-6, abs=1e-6), name


@pytest.mark.parametrize("group", [*GROUPS, RANKS])
def test_without_a_group(group):
    everything, names = describe(DESCRIBED, KNOWLEDGE, WEIGHT)
    rows, rest = describe(DESCRIBED, KNOWLEDGE, WEIGHT, without=(group,))
    gone = {name for its, name in names if its == group}
    assert not gone & {name for _, name in rest}
    expected = [one for one in names if one[1] not in gone and one[1].removeprefix("rank of ") not in gone]
    assert list(rest) == expected
    assert rows.tolist() == everything[:, [names.index(one) for one in expected]].tolist()


def test_the_few_are_described_whatever_the_order_and_number_of_others():
    """A candidate's own numbers, not its ranks, are the same when another is left out."""
    without = (RANKS,)
    whole, _ = describe(DESCRIBED, KNOWLEDGE, WEIGHT, without)
    alone, _ = describe(view_of(DOCUMENT, ("gm",)), KNOWLEDGE, WEIGHT[2:], without)
    assert alone.tolist() == whole[2:].tolist()


def test_signs_and_shapes():
    text = TextAnalyser().analyse(Document("a", "State of the art IL-6 tests. Fast tests"))
    columns = GROUPS["how it is written"](Lookup(view_of(text, ("state of the art", "IL-6", "tests")), KNOWLEDGE))
    assert columns["stop words"].tolist() == pytest.approx([2, 0, 0])
    assert columns["digits"].tolist() == [0, 1, 0]
    assert columns["hyphens"].tolist() == [0, 1, 0]
    assert columns["words"].tolist() == [4, 1, 1]
    assert columns["letters"].tolist() == pytest.approx([13, 4, 5])
    assert columns["bounded left"].tolist() == [1, 0, 0]
    assert columns["bounded right"].tolist() == [0, 0, 1]


def test_a_document_without_sections():
    text = TextAnalyser().analyse(Document("a", "Grid markets sell time. Grid markets fail."))
    view = view_of(text)
    columns = GROUPS["in which sections"](Lookup(view, KNOWLEDGE))
    assert {name for name, column in columns.items() if column.any()} == {"sections"}
    assert columns["sections"].tolist() == [1, 1]
    assert GROUPS["the document"](Lookup(view, KNOWLEDGE))["document has title"].tolist() == [0, 0]
    rows, _ = describe(view, KNOWLEDGE, np.ones(2))
    assert np.isfinite(rows).all()


def test_a_language_without_a_lexicon_of_tags():
    rows, names = describe(DESCRIBED, replace(KNOWLEDGE, tags=None), WEIGHT)
    unknown = {name for (_, name), column in zip(names, rows.T, strict=True) if np.isnan(column).any()}
    assert unknown == {*SHARES, *NAMES}


@pytest.mark.parametrize("text", ["", "grid", ". , ."])
@pytest.mark.parametrize("tags", [TAGS, None])
def test_no_candidates(text, tags):
    analysed = TextAnalyser().analyse(Document("a", text))
    found = usual_candidates(analysed)
    view = DescribedCandidates(analysed, found, np.zeros(len(found), bool))
    rows, names = describe(view, replace(KNOWLEDGE, tags=tags), np.zeros(0))
    assert rows.shape == (0, 102)
    assert names == describe(DESCRIBED, KNOWLEDGE, WEIGHT)[1]
