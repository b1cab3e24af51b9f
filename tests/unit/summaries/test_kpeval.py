"""KPEval, computed by hand on texts whose keyphrases are their words."""

import re
from dataclasses import dataclass
from typing import Any

import pytest

from keywright.core.candidates import Ranking
from keywright.core.documents import AnalysedDocument
from keywright.core.errors import BadParameter
from keywright.core.keyphrases import Keyphrase
from keywright.summaries.kpeval import KPEval, LemmaExtractor
from keywright.summaries.pairs import Pair, SummaryText
from keywright.text.analyser import TextAnalyser

PROBABILITY = {"tides": 0.8, "gauge": 0.4, "moon": 0.2}


@dataclass(frozen=True)
class EachWord:
    """Ranks each word, in reading order."""

    probable: bool = True
    warning: str = ""
    chosen: int | None = None
    name = "each-word"
    needs = frozenset[str]()

    def extract(self, document: AnalysedDocument) -> Ranking:
        words = list(re.finditer(r"\w+", document.source.text))
        keyphrases = [
            Keyphrase(word[0], -float(at), PROBABILITY.get(word[0], 0.5) if self.probable else None, (word.span(),))
            for at, word in enumerate(words)
        ]
        warnings = (self.warning,) if self.warning else ()
        return Ranking.from_keyphrases(document.source, keyphrases, warnings=warnings, chosen=self.chosen)


def kpeval(extractor: EachWord | None = None, **options: Any) -> KPEval:
    return KPEval({"": LemmaExtractor(extractor or EachWord(), TextAnalyser("en"))}, **options)


def pair(summary: str, *references: str, source: str | None = None) -> Pair:
    texts = tuple(map(SummaryText, references))
    return Pair("t", "s", SummaryText(summary), texts, source=SummaryText(source) if source else None)


def scores(evaluator: KPEval, *arguments: str, **named: str) -> dict[str, float | None]:
    return dict(next(evaluator.evaluate([pair(*arguments, **named)])).values)


SPECIFIED = ("a b c d", "a b e", "a f", "g b c d h")
"""The specification's example: 2, 1 and 3 of the summary's keyphrases are in references of 3, 2 and 5."""


@pytest.mark.parametrize(
    ("combine", "expected"),
    [
        ("pooled", {"P": 6 / 12, "R": 6 / 10, "F": 0.545455}),
        ("mean", {"P": 0.5, "R": 0.588889, "F": 0.540816}),
        ("best", {"P": 0.75, "R": 0.6, "F": 0.666667}),
    ],
)
def test_the_example_of_the_specification(combine: str, expected: dict[str, float]) -> None:
    assert scores(kpeval(combine=combine), *SPECIFIED) == pytest.approx(expected, abs=1e-6)


def test_the_jackknife_is_the_mean_over_the_sets_that_leave_one_reference_out() -> None:
    # without the first or second reference the third is best, F = 2/3; without the third, the first: P 2/4, R 2/3
    values = scores(kpeval(combine="best", jackknife=True), *SPECIFIED)
    assert values["F"] == pytest.approx(0.634921, abs=1e-6)


def test_of_references_with_equal_f_the_first_is_best() -> None:
    # both references have F = 1/2: P 1/2 and R 1/2 in the first; P 2/2 and R 2/6 in the second
    values = scores(kpeval(combine="best"), "a b", "a c", "a b d e f g")
    assert (values["P"], values["R"]) == (0.5, 0.5)


def test_forms_of_a_word_are_one_keyphrase() -> None:
    # without stems the texts would share none
    assert scores(kpeval(), "villages villages", "village") == {"P": 1, "R": 1, "F": 1}


def test_forms_of_a_word_differ_where_surface_forms_are_compared() -> None:
    assert scores(kpeval(forms="surface"), "villages Tides", "village tides")["R"] == 0.5


def test_a_keyphrase_weighs_its_probability_where_that_is_asked_for() -> None:
    # shared: tides .8 of .8 + .4 in the summary, of .8 + .2 in the reference
    values = scores(kpeval(weight="probability"), "tides gauge", "tides moon")
    assert values == pytest.approx({"P": 0.8 / 1.2, "R": 0.8, "F": 2 * (2 / 3) * 0.8 / (2 / 3 + 0.8)})


def test_weights_need_probabilities() -> None:
    with pytest.raises(BadParameter, match="has no probability"):
        scores(kpeval(EachWord(probable=False), weight="probability"), "tides", "tides")


def test_the_source_needs_no_references() -> None:
    assert scores(kpeval(mode="source"), "tides gauge", source="tides moon wind")["R"] == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("evaluator", "arguments", "note"),
    [
        (kpeval(), ("tides",), "no reference to compare with"),
        (kpeval(mode="source"), ("tides", "tides"), "no source to compare with"),
    ],
)
def test_values_without_anything_to_compare_with_are_not_zero(
    evaluator: KPEval, arguments: tuple[str, ...], note: str
) -> None:
    evaluation = next(evaluator.evaluate([pair(*arguments)]))
    assert set(evaluation.values.values()) == {None}
    assert evaluation.notes == (note,)


def test_texts_without_keyphrases_count_zero_and_are_noted() -> None:
    evaluation = next(kpeval().evaluate([pair("...", "", "tides")]))
    assert evaluation.values == {"P": 0, "R": 0, "F": 0}
    assert evaluation.notes == ("no keyphrase in the summary: it shares none", "no keyphrase in 1 of 2 references")


def test_warnings_of_the_extractor_are_notes() -> None:
    evaluation = next(kpeval(EachWord(warning="untrained")).evaluate([pair("tides", "tides")]))
    assert evaluation.notes == ("untrained",)


def test_identical_texts_score_one_and_disjoint_ones_zero() -> None:
    assert scores(kpeval(), "tides rise", "tides rise") == {"P": 1, "R": 1, "F": 1}
    assert scores(kpeval(), "tides rise", "moon wind") == {"P": 0, "R": 0, "F": 0}


def test_as_many_keyphrases_count_as_are_asked_for() -> None:
    assert scores(kpeval(top=1), "tides moon", "moon tides")["R"] == 0
    assert scores(kpeval(EachWord(chosen=1), top="chosen"), "tides moon", "moon tides")["R"] == 0
    assert scores(kpeval(EachWord(chosen=2), top="chosen"), "tides moon", "moon tides")["R"] == 1
    assert scores(kpeval(top="chosen"), "tides moon", "moon tides")["R"] == 1


def test_numbers_below_one_are_refused() -> None:
    with pytest.raises(BadParameter, match="longest 0"):
        kpeval(longest=0)
