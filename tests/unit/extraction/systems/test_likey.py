"""Likey's quotient of ranks, by hand."""

from dataclasses import replace

import pytest
from tests.builders import analysed

from keywright.core.documents import Section, SectionKind
from keywright.extraction.corpus.counts import PhraseCounts
from keywright.extraction.systems.likey import Likey
from keywright.text.keys import phrase_key


def table(**counts: int) -> PhraseCounts:
    pairs = [(phrase_key(phrase.replace("_", " ")), count) for phrase, count in counts.items()]
    return PhraseCounts.of_phrases(pairs, 10)


WORDS = table(the=100, of=50, time=20, service=20, grid=5)
PAIRS = table(of_the=40, the_time=9, of_time=9, the_grid=1)
PLAIN = Likey((WORDS, PAIRS), longest=2, least_seen=1, unknown="last", common=0, shortest=1, advantage=0)
TEXT = "the grid; the grid; the grid; the time; semantic grid; of the"


def scores(system: Likey, document=None) -> dict[str, float]:
    found = system.extract(document or analysed(TEXT)).prediction()
    return {keyphrase.text.lower(): keyphrase.score for keyphrase in found.keyphrases}


def test_ranks_are_counted_for_each_length_apart():
    """Words here: the 5, grid 4, time 1, semantic 1, of 1; there: the, of, time = service, grid, the rest.

    Pairs here: the grid 3, the time 1, semantic grid 1, of the 1; there: of the, the time = of time, the grid, the
    rest.
    """
    assert scores(PLAIN) == pytest.approx(
        {
            "the": 1 / 1,
            "grid": 4 / 2,
            "time": 3 / 3,
            "semantic": 5 / 3,
            "of": 2 / 3,
            "the grid": 3 / 1,
            "the time": 2 / 2,
            "semantic grid": 4 / 2,
            "of the": 1 / 2,
        }
    )


def test_sparse_ranks_leave_places_out():
    """There *grid* comes after four words, what is unknown after five; likewise four pairs."""
    found = scores(replace(PLAIN, ties="sparse"))
    assert found["grid"] == 5 / 2
    assert found["semantic"] == 6 / 3
    assert found["the grid"] == 4 / 1
    assert found["semantic grid"] == 5 / 2


def test_equal_frequencies_share_a_rank():
    document = analysed("grid market. A grid market grid, noise.")
    words, phrases = table(other=9, grid=7, noise=7, rare=1), table(market_grid=5, rare=5)
    names = ("grid", "market", "noise", "grid market", "market grid")  # 3, 2, 1, 2 and 1 mentions

    def ranks(ties: str) -> list[float]:
        system = replace(PLAIN, reference=(words, phrases), ties=ties)
        found = system.candidates(document)
        here, elsewhere, _ = system.ranks(found)
        ratios = dict(zip(found.key.tolist(), (here / elsewhere).tolist(), strict=True))
        return [ratios[phrase_key(name)] for name in names]

    # Words there: other 1, grid and noise 2, rare 3, market behind: 4; phrases there: market grid 1, grid market 2.
    assert ranks("dense") == pytest.approx([1 / 2, 2 / 4, 3 / 2, 1 / 2, 2])
    # In sparse order unknown ones come after as many as there are.
    assert ranks("sparse") == pytest.approx([1 / 2, 2 / 5, 3 / 2, 1 / 3, 2])


def test_unknown_phrases_can_be_left_out():
    document = analysed("semantic grid; of the grid")
    assert set(scores(PLAIN, document)) == {"semantic", "grid", "of", "the", "semantic grid", "of the", "the grid"}
    assert set(scores(replace(PLAIN, unknown="left_out"), document)) == {"grid", "of", "the", "of the", "the grid"}
    known = scores(replace(PLAIN, unknown="by_word"), analysed("semantic grid; grid services"))
    assert set(known) == {"grid", "services", "grid services"}
    assert known["grid services"] == 4  # after the three ranks of pairs that the reference has


def test_common_words_of_the_reference_stand_in_no_phrase():
    assert set(scores(replace(PLAIN, common=2))) == {"grid", "time", "semantic", "semantic grid"}
    assert set(scores(replace(PLAIN, common=4))) == {"grid", "semantic", "semantic grid"}  # time and service share 3


def test_least_seen_and_shortest():
    assert set(scores(replace(PLAIN, least_seen=3))) == {"the", "grid", "the grid"}
    assert set(scores(replace(PLAIN, shortest=5))) == {"semantic", "the grid", "the time", "semantic grid", "of the"}
    assert "2010" not in scores(PLAIN, analysed("2010 grids"))


def test_parts_must_be_better_than_the_whole():
    """*grid* is worth 2, *semantic grid* 2 and *the grid* 3."""
    assert {"grid", "semantic"} <= set(scores(replace(PLAIN, advantage=0)))
    assert not {"grid", "semantic", "the"} & set(scores(replace(PLAIN, advantage=1)))


def test_longest():
    assert all(" " not in phrase for phrase in scores(replace(PLAIN, longest=1)))
    assert scores(replace(PLAIN, longest=4)) == scores(PLAIN)  # the reference has no tables beyond pairs


def test_headings_captions_and_references_are_taken_out():
    text = "Semantic webs. Services of time."
    kinds = (SectionKind.HEADING, SectionKind.CAPTION, SectionKind.REFERENCES)
    for kind in kinds:
        found = scores(PLAIN, analysed(text, Section(kind, 0, 14)))
        assert set(found) == {"services", "of", "time", "services of", "of time"}


def test_citations_equations_and_numbers_are_taken_out():
    text = "the grid [7] of time where x = 4k holds, 3 grids"
    kinds = ("citations", "equations")
    assert "x" in scores(replace(PLAIN, removed=()), analysed(text))
    assert not {"x", "4k"} & set(scores(replace(PLAIN, removed=kinds), analysed(text)))
    assert "3 grids" in scores(replace(PLAIN, numbers=True), analysed(text))
    assert "3 grids" not in scores(replace(PLAIN, numbers=False), analysed(text))


def test_the_bundled_reference_tells_what_is_special():
    text = "The peer network. In the end the peer network of the peers is the result. Peer networks are of use."
    found = Likey().extract(analysed(text)).prediction(1).keyphrases
    assert found[0].text == "peer network"
