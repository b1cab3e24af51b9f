"""RAKE by hand, and on the worked example of its paper."""

import pytest
from tests.builders import analysed

from keywright.core.errors import UnknownName
from keywright.extraction.systems.rake import Rake

PUBLISHED = (
    "linear constraints; set; natural numbers; criteria; compatibility; system; linear Diophantine equations; "
    "strict inequations; nonstrict inequations; upper bounds; components; minimal set; solutions; algorithms; "
    "minimal generating sets; systems; corresponding algorithms; constructing; minimal supporting set; solving"
)
"""Candidates that the paper finds in its example, in another order than there only where they come twice."""


def scores(system: Rake, text: str) -> dict[str, float]:
    return {
        keyphrase.text.lower(): keyphrase.score for keyphrase in system.extract(analysed(text)).prediction().keyphrases
    }


def test_the_worked_example_of_the_paper():
    """Rose et al. 2010, figure 1.4: the scores of the nine that are chosen, to one decimal."""
    found = scores(Rake(), PUBLISHED)
    best = {phrase: round(score, 1) for phrase, score in list(found.items())[:9]}
    assert best == {
        "minimal generating sets": 8.7,
        "linear diophantine equations": 8.5,
        "minimal supporting set": 7.7,
        "minimal set": 4.7,
        "linear constraints": 4.5,
        "natural numbers": 4,
        "strict inequations": 4,
        "nonstrict inequations": 4,
        "upper bounds": 4,
    }


TEXT = "noise map of noise; a street noise map, streets"
"""Runs: *noise map*, *noise*, *street noise map*, *streets*. Mentions of noise 3, map 2, street 1, streets 1; degrees
2 + 1 + 3 = 6, 2 + 3 = 5, 3, 1."""


@pytest.mark.parametrize(
    ("words", "noise", "noise_map", "street_noise_map"),
    [("ratio", 2, 4.5, 7.5), ("degree", 6, 11, 14), ("mentions", 3, 5, 6)],
)
def test_values_of_words(words, noise, noise_map, street_noise_map):
    found = scores(Rake(words=words), TEXT)
    assert found["noise"] == noise
    assert found["noise map"] == noise_map
    assert found["street noise map"] == street_noise_map


def test_an_unknown_value():
    with pytest.raises(UnknownName):
        Rake(words="length").extract(analysed(TEXT)).prediction()


def test_pairs_around_the_same_stop_words_make_a_phrase():
    """*quality* and *service*, each worth 1, stand around *of* twice, around *for* once."""
    text = "Quality of service. The quality of service is quality for service; quality. Of service"
    assert scores(Rake(), text) == {"quality of service": 2, "quality": 1, "service": 1}
    assert set(scores(Rake(adjoined=0), text)) == {"quality", "service"}
    assert set(scores(Rake(adjoined=3), text)) == {"quality", "service"}
    assert "quality for service" in scores(Rake(adjoined=1), text)


def test_a_sign_between_keeps_phrases_apart():
    assert set(scores(Rake(), "storm, of water; storm, of water")) == {"storm", "water"}


def test_forms_are_one_phrase_and_the_best_speaks():
    """*rain* has degree 2 + 3 + 2 in 3 mentions, *gardens* 2 in 1, *garden* 3 + 2 in 2."""
    found = scores(Rake(), "rain gardens; wild rain garden; rain garden")
    # the first of two forms names it, the better one counts
    assert found["rain gardens"] == pytest.approx(7 / 3 + 5 / 2)


def test_a_third_of_the_words_is_chosen():
    system = Rake()
    ranking = system.extract(analysed("oak ash, elm fir; oak, yew, bay"))  # oak ash elm fir yew bay
    assert ranking.prediction().chosen == ranking.prediction(1).chosen == 2  # however short
    assert system.extract(analysed("")).prediction().chosen == 0


def test_longest():
    assert set(scores(Rake(longest=2), TEXT)) == {"noise map", "noise", "streets"}
