"""A look at some candidates: their words, and what is around their mentions, by hand and one by one.

What is known of a view, one number after the other.
"""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.builders import analysed

from keywright.core.candidates import Candidates
from keywright.core.documents import AnalysedDocument, Section, SectionKind
from keywright.extraction.candidates.ngrams import content_words, ngrams
from keywright.extraction.candidates.prefilter import Letters, content_words_and_connectors, usual_candidates
from keywright.extraction.corpus.counts import PhraseCounts
from keywright.extraction.corpus.knowledge import Knowledge
from keywright.extraction.features.description.columns import Lookup
from keywright.extraction.features.description.described_candidates import DescribedCandidates
from keywright.extraction.features.functions.nestedness import Nesting, mentions_inside
from keywright.text.analyser import TextAnalyser
from keywright.text.keys import phrase_key
from keywright.text.tag_lexicon import CLASSES, TagLexicon

ANALYSER = TextAnalyser()
WORDS = st.lists(st.sampled_from("deep neural network net . of grid-grid grid".split()), max_size=25)


def found_in(document: AnalysedDocument, longest: int = 3) -> Candidates:
    return ngrams(document, longest, content_words, content_words_and_connectors)


# tokens: deep 0, neural 1, network 2, a 4, neural 5, network 6, the 8, quality 9, of 10, service 11, deep 13
DOCUMENT = analysed("Deep neural network. A neural network. The quality of service. Deep.")
FOUND = found_in(DOCUMENT)
PHRASES = ("deep", "neural", "neural network", "deep neural network", "quality", "quality of service")
KEPT = np.isin(FOUND.key, np.array(list(map(phrase_key, PHRASES)), np.uint64))
DESCRIBED = DescribedCandidates(DOCUMENT, FOUND, KEPT)


def values(column: np.ndarray) -> list[float]:
    assert (column.shape, column.dtype) == ((len(PHRASES),), np.float64)
    return [float(column[DESCRIBED.shortlist.key.tolist().index(phrase_key(phrase))]) for phrase in PHRASES]


def test_only_the_kept_ones_are_looked_at():
    assert len(FOUND) == 9
    assert set(DESCRIBED.shortlist.key.tolist()) == set(map(phrase_key, PHRASES))
    # deep, the whole, neural, neural network, quality, of s.
    assert DESCRIBED.shortlist.frequency.tolist() == [2, 1, 2, 2, 1, 1]


def test_words_of_first_mentions():
    forms = [DOCUMENT.words[word] for word in DESCRIBED.word_forms]
    assert forms == ["deep", "neural", "network", "quality", "of", "service"]


@pytest.mark.parametrize(
    ("over", "expected"),
    [
        ("first", [-1, 2, 2, -1, 5, 5]),
        ("last", [-1, 2, 8, 8, 5, 3]),
        ("sum", [-1, 2, 10, 9, 5, 9]),
        ("mean", [-1, 2, 5, 3, 5, 3]),
        ("min", [-1, 2, 2, -1, 5, 1]),
        ("max", [-1, 2, 8, 8, 5, 5]),
    ],
)
def test_numbers_over_words(over, expected):
    numbers = {"deep": -1, "neural": 2, "network": 8, "quality": 5, "of": 1, "service": 3}
    column = np.array([numbers[DOCUMENT.words[word]] for word in DESCRIBED.word_forms])
    words = DESCRIBED.word_values({"others": column + 7, "these": column})
    assert values(getattr(words, over)["these"]) == expected


def test_numbers_at_each_place():
    words = DESCRIBED.word_values({"these": np.arange(1, 7)})
    assert words.at["these"].T.tolist() == [[1, 1, 1], [1, 2, 3], [2, 2, 2], [2, 3, 3], [4, 4, 4], [4, 5, 6]]
    assert words.present.sum(axis=0).tolist() == words.size.tolist() == [1, 3, 1, 2, 1, 3]


def test_shares_of_mentions():
    early = DESCRIBED.shortlist.positions < 5
    # deep 0 and 13, neural 1 and 5, neural network 1 and 5, the whole 0, quality 9
    assert values(DESCRIBED.mean_over_mentions(early)) == [1 / 2, 1 / 2, 1 / 2, 1, 0, 0]
    assert values(DESCRIBED.mean_over_mentions(DESCRIBED.shortlist.positions * 2.0)) == [13, 6, 6, 0, 18, 18]
    both = DESCRIBED.shares_of_mentions({"early": early, "late": ~early})
    assert values(both["early"]) == [1 / 2, 1 / 2, 1 / 2, 1, 0, 0]
    assert values(both["late"]) == [1 / 2, 1 / 2, 1 / 2, 0, 1, 1]


def test_what_is_around():
    # deep: "deep neural"; neural: "neural network", which is seen twice; candidates that are not kept count as well
    assert values(DESCRIBED.longer.next_mentions) == [1, 2, 1, 0, 0, 0]
    assert values(DESCRIBED.longer.most_mentions) == [1, 2, 1, 0, 1, 0]  # quality: the whole is two tokens longer
    assert values(DESCRIBED.longer.share_inside) == [0, 1, 0, 0, 0, 0]


def test_share_of_mentions_inside():
    document = analysed("grid markets. grid markets. grid. old grid markets")
    found = found_in(document)
    view = DescribedCandidates(document, found, found.key == phrase_key("grid"))
    assert (view.longer.share_inside.tolist(), view.longer.next_mentions.tolist()) == ([3 / 4], [3])


@given(WORDS, st.integers(1, 4), st.randoms(use_true_random=False))
def test_around_is_what_is_found_one_by_one(words, longest, random):
    document = analysed(" ".join(words))
    found = found_in(document, longest)
    kept = np.array([random.random() < 0.5 for _ in range(len(found))], bool)
    view = DescribedCandidates(document, found, kept)
    assert view.longer.next_mentions.tolist() == mentions_inside(found)[kept].tolist()
    nesting = Nesting.of(found)
    longer = np.zeros(len(found.positions))
    np.maximum.at(longer, nesting.inner, found.frequency[nesting.outer])
    of_each = [longer[found.owner == index] for index in np.flatnonzero(kept)]
    assert view.longer.most_mentions.tolist() == [some.max() for some in of_each]
    assert view.longer.share_inside.tolist() == pytest.approx([(some > 1).mean() for some in of_each])


@pytest.mark.parametrize("text", ["", "grid", ". , ."])
def test_no_candidates(text):
    document = analysed(text)
    found = found_in(document)
    view = DescribedCandidates(document, found, np.zeros(len(found), bool))
    words = view.word_values({"one": np.ones(0)})
    columns = [getattr(words, over)["one"] for over in ("first", "last", "sum", "mean", "min", "max")]
    columns += [view.mean_over_mentions(np.zeros(0)), view.shares_of_mentions({"some": np.zeros(0, bool)})["some"]]
    for column in [*columns, view.longer.next_mentions, view.longer.most_mentions, view.longer.share_inside]:
        assert (column.shape, column.dtype) == ((0,), np.float64)
    assert len(view.shortlist) == 0
    assert len(view.word_forms) == 0


TEXT = "Storm water\nStorm waters of a storm-water pond 3D. Stormy."
LOOKUP_DOCUMENT = analysed(TEXT, Section(SectionKind.TITLE, 0, 11))
LOOKUP_FOUND = usual_candidates(LOOKUP_DOCUMENT)
# "storm water" is "storm-water" too
LOOKUP_DESCRIBED = DescribedCandidates(
    LOOKUP_DOCUMENT, LOOKUP_FOUND, np.isin(LOOKUP_FOUND.key, [phrase_key("storm waters"), phrase_key("pond 3D")])
)


def table(documents: int = 0, **counts: int) -> PhraseCounts:
    pairs = [(phrase_key(phrase.replace("_", " ")), count) for phrase, count in counts.items()]
    return PhraseCounts.of_phrases(pairs, documents)


KNOWN = Lookup(
    LOOKUP_DESCRIBED,
    Knowledge(
        background=table(15, storm=3, water=1, storm_water=7),
        chosen=table(storm_water=5),
        chosen_words=table(storm=1, pond=2),
        chosen_heads=table(water=4),
        titles=table(pond_3D=6),
        general=table(water=9),
        nouns=table(),
        tags=None,
    ),
)


def test_counts_of_phrases():
    assert LOOKUP_DESCRIBED.shortlist.frequency.tolist() == [3, 1]
    counts = {
        name: KNOWN.phrase_counts(name).tolist() for name in ("background", "chosen", "titles", "nouns", "general")
    }
    assert counts == {"background": [7, 0], "chosen": [5, 0], "titles": [0, 6], "nouns": [0, 0], "general": [0, 0]}


def test_numbers_of_words():
    ln = math.log
    expected = {  # of storm and water, of pond and 3d
        "mentions": [[2, 2], [1, 1]],
        "rarity": [[2, 3], [4, 4]],
        "general": [[0, ln(10)], [0, 0]],
        "chosen": [[ln(2), 0], [ln(3), 0]],
        "heads": [[0, ln(5)], [0, 0]],
        "leaning": [[ln(2) - ln(4), -ln(2)], [ln(3), 0]],
        "letters": [[5, 5], [4, 2]],
        "stop": [[0, 0], [0, 0]],
        "digit": [[0, 0], [0, 1]],
        "hyphen": [[0, 0], [0, 0]],
        "title": [[1, 1], [0, 0]],
        "abstract": [[0, 0], [0, 0]],
        "heading": [[0, 0], [0, 0]],
        "references": [[0, 0], [0, 0]],
    }
    assert list(KNOWN.words.at) == list(expected)
    for name, numbers in expected.items():
        np.testing.assert_allclose(KNOWN.words.at[name].T, numbers, err_msg=name)


def test_letters_in_candidates_are_nouns_and_the_article_stays_one():
    document = analysed("vitamin D, quality of a service", name="b")
    none = np.zeros(len(document), bool)
    letters = Letters(begin=none, end=np.arange(len(document)) == 1, names=none)
    found = usual_candidates(document, letters)
    wanted = np.isin(found.key, [phrase_key("vitamin D"), phrase_key("quality of a service")])
    noun, article = ([float(letter == one) for letter in CLASSES] for one in "ND")
    adverb = [float(letter == "X") for letter in CLASSES]
    tags = TagLexicon.from_shares(
        {"vitamin": noun, "d": adverb, "quality": noun, "of": adverb, "a": article, "service": noun},
        np.ones(len(CLASSES)),
    )
    words = Lookup(DescribedCandidates(document, found, wanted), replace(KNOWN.knowledge, tags=tags)).words
    assert words.last["N"].tolist() == [1, 1]
    assert words.sum["D"].tolist() == [0, 1]
