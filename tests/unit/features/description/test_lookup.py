"""What is known of a view, one number after the other."""

import math
from dataclasses import replace

import numpy as np
from tests.builders import analysed

from keywright.core.documents import Section, SectionKind
from keywright.extraction.candidates.prefilter import Letters, usual_candidates
from keywright.extraction.corpus.counts import PhraseCounts
from keywright.extraction.corpus.knowledge import Knowledge
from keywright.extraction.features.description.described_candidates import DescribedCandidates
from keywright.extraction.features.description.lookup import Lookup
from keywright.text.keys import phrase_key
from keywright.text.tag_lexicon import CLASSES, TagLexicon

TEXT = "Storm water\nStorm waters of a storm-water pond 3D. Stormy."
DOCUMENT = analysed(TEXT, Section(SectionKind.TITLE, 0, 11))
FOUND = usual_candidates(DOCUMENT)
# "storm water" is "storm-water" too
DESCRIBED = DescribedCandidates(
    DOCUMENT, FOUND, np.isin(FOUND.key, [phrase_key("storm waters"), phrase_key("pond 3D")])
)


def table(documents: int = 0, **counts: int) -> PhraseCounts:
    pairs = [(phrase_key(phrase.replace("_", " ")), count) for phrase, count in counts.items()]
    return PhraseCounts.of_phrases(pairs, documents)


KNOWN = Lookup(
    DESCRIBED,
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
    assert DESCRIBED.shortlist.frequency.tolist() == [3, 1]
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
    assert list(KNOWN.words.row) == list(expected)
    for name, numbers in expected.items():
        np.testing.assert_allclose(KNOWN.words.at(name).T, numbers, err_msg=name)


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
    assert words.last("N").tolist() == [1, 1]
    assert words.sum("D").tolist() == [0, 1]
