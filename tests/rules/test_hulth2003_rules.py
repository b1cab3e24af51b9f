"""Every rule of ``hulth2003`` changes a number as computed by hand.

Unless a row says otherwise the gold of the one document A is ``red fox; blue``, the protocol is ``hulth2003-exact``.
"""

import dataclasses
from dataclasses import dataclass, replace
from typing import Any

import pytest

from keywright.core.errors import BadRecord, KeywrightError, PartlyDone
from keywright.core.keyphrases import Keyphrase
from keywright.core.predictions import Prediction, Run
from keywright.evaluation import rules
from keywright.evaluation.answers import GoldDocument, GoldSet, semeval_line
from keywright.evaluation.measures.counts import at
from keywright.evaluation.normal_forms import phrases as hulth
from keywright.evaluation.normal_forms.phrases import modern_stems, modern_words, nltk325_stems, spacy2_tokens
from keywright.evaluation.protocols import hulth2003
from keywright.evaluation.protocols.hulth2003 import HULTH2003_EXACT, HULTH2003_PART_OF
from keywright.evaluation.reference.hulth2003 import count_holding
from keywright.evaluation.rules import part_of
from keywright.evaluation.scoring.scorer import score

FOX = ("red fox", "blue")


@dataclass(frozen=True)
class Row:
    """One hand-computed number under ``hulth2003-exact`` and with one rule replaced; an error class where it stops."""

    rule: str
    value: Any
    answers: tuple[str, ...]
    before: float | type[KeywrightError]
    after: float | type[KeywrightError]
    gold: tuple[str | tuple[str, ...], ...] = FOX
    measure: str = "P@M"


ROWS = (
    # Forms: one token changes its case, its lemma, its stem.
    Row("normalise", hulth.spacy2_lower, ("Red Fox",), 0, 1),
    Row("normalise", hulth.spacy2_lemmas, ("red foxes",), 0, 1),
    Row("normalise", nltk325_stems, ("red foxes",), 0, 1),
    Row("normalise", nltk325_stems, ("IT",), 0, 0, gold=("it",)),
    Row("normalise", modern_stems, ("IT",), 0, 1, gold=("it",)),
    Row("normalise", hulth.spacy2_lemmas, ("Mice",), 0, 0, gold=("mouse",)),
    Row("normalise", hulth.modern_lemmas, ("Mice",), 0, 1, gold=("mouse",)),
    Row("normalise", modern_words, ("out-of-print",), 1, 1, gold=("out - of - print",)),
    Row("normalise", modern_words, ("3-D",), 0, 1, gold=("3 - D",)),
    Row("normalise", hulth.modern_lower, ("3-d",), 0, 1, gold=("3 - D",)),
    # An empty line is a prediction.
    Row("accept", rules.not_empty, ("blue", ""), 1 / 2, 1),
    # Empty gold is none.
    Row("accept_gold", rules.everything, ("blue",), 1, 1 / 2, gold=("blue", ""), measure="R@M"),
    # Both sides are sets of forms, not of phrases.
    Row("repeats", rules.Repeats.KEPT, ("blue", "blue", "x"), 1 / 2, 1 / 3),
    Row("gold_repeats", rules.Repeats.KEPT, ("red fox",), 1, 1 / 2, gold=("red fox", "red fox"), measure="R@M"),
    # Any alternative of collections that have them.
    Row("alternatives", rules.first_two, ("c",), 1, 0, gold=(("a", "b", "c"),)),
    # Part of a gold phrase, or all of it; the empty phrase is part of any.
    Row("matching", part_of, ("fox",), 0, 1),
    Row("matching", part_of, ("red",), 0, 1),
    Row("matching", part_of, ("fox red",), 0, 0),
    Row("matching", part_of, ("re",), 0, 0),
    Row("matching", part_of, ("red fox",), 1, 1),
    Row("matching", part_of, ("red fox blue",), 0, 0),
    Row("matching", part_of, ("",), 0, 1),
    Row("matching", part_of, ("",), 0, 0, gold=()),
    Row("matching", part_of, ("red", "fox", "blue"), 1 / 2, 3 / 2, measure="R@M"),
    # All predictions count.
    Row("measures", at(1), ("x", "blue"), 1 / 2, 0, measure="P@1"),
    # With all predictions counted no list is shorter than the cutoff; with a cutoff of 5 the rule decides.
    Row("short_list", rules.ShortList.NOTHING, ("blue",), 1, 1),
    # No gold: predictions count in P, and leaving the document out of P as well makes P 0 of nothing.
    Row("no_gold", rules.NoGold.STOP, ("x",), 0, PartlyDone, gold=()),
    # One document instead of a hundred.
    Row("documents", rules.Documents.HUNDRED, ("blue",), 1, 1 / 100),
    # A quotient by 0 is 0.
    Row("zero_divisor", rules.ZeroDivisor.STOP, (), 0, PartlyDone),
    # Numbers are exact fractions.
    Row("decimals", 2, ("blue", "x", "y"), 1 / 3, 0.33),
    Row("unit", rules.Unit.PERCENT, ("blue", "x", "y"), 1 / 3, 1 / 3),
    Row("f_from", rules.FScore.ROUNDED, ("blue", "x", "y"), 2 / 5, 2 / 5, measure="F@M"),
)


def value(answers, gold, protocol, measure):
    entries = tuple((entry,) if isinstance(entry, str) else entry for entry in gold)
    try:
        found = score({"A": answers}, (GoldSet("uncontr", (GoldDocument("A", entries),)),), protocol)
    except KeywrightError as error:
        return type(error)
    return found.values[f"uncontr/{measure}"]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.rule}-{getattr(row.value, '__name__', row.value)}")
def test_rule(row):
    changed = replace(HULTH2003_EXACT, name="changed", **{row.rule: row.value})
    before = row.measure if row.rule != "measures" else "P@M"
    for protocol, measure, expected in ((HULTH2003_EXACT, before, row.before), (changed, row.measure, row.after)):
        found = value(row.answers, row.gold, protocol, measure)
        assert found == (expected if isinstance(expected, type) else pytest.approx(expected))


def gold_of(**documents: list[str]):
    return (
        GoldSet("uncontr", tuple(GoldDocument(name, tuple((one,) for one in of)) for name, of in documents.items())),
    )


def test_documents_are_pooled():
    # a: 1 of 1 and 1 of 1; b: 1 of 3 and 1 of 2.
    answers, gold = {"a": ["p"], "b": ["p", "x", "y"]}, gold_of(a=["p"], b=["p", "q"])
    found = score(answers, gold, HULTH2003_EXACT).values
    assert (found["uncontr/P@M"], found["uncontr/R@M"]) == (2 / 4, 2 / 3)
    macro = score(answers, gold, replace(HULTH2003_EXACT, name="macro", average=(rules.Average.MACRO,))).values
    assert (macro["uncontr/P@M"], macro["uncontr/R@M"]) == (pytest.approx(2 / 3), 3 / 4)


def test_a_document_without_gold_counts_in_precision():
    answers, gold = {"a": ["p"], "b": ["x"]}, gold_of(a=["p"], b=[])
    assert score(answers, gold, HULTH2003_EXACT).values["uncontr/F@M"] == pytest.approx(2 / 3)
    left_out = replace(HULTH2003_EXACT, name="left-out", no_gold=rules.NoGold.LEFT_OUT)
    assert score(answers, gold, left_out).values["uncontr/F@M"] == 1


def test_a_missing_document_is_refused_and_an_unknown_one_ignored():
    gold = gold_of(a=["p"], b=["q"])
    with pytest.raises(BadRecord, match="have no answer"):
        score({"a": ["p"]}, gold, HULTH2003_EXACT)
    counted = replace(HULTH2003_EXACT, name="counted", missing_ids=rules.OddIds.COUNTED)
    assert score({"a": ["p"]}, gold, counted).values["uncontr/R@M"] == 1 / 2
    answers = {"a": ["p"], "b": ["q"], "c": ["p"]}
    assert score(answers, gold, HULTH2003_EXACT).values["uncontr/P@M"] == 1
    with pytest.raises(BadRecord, match="not in the gold"):
        score(answers, gold, replace(HULTH2003_EXACT, name="refused", unknown_ids=rules.OddIds.REFUSED))


def test_a_document_answered_twice_is_refused():
    twice = Run("s", "d", "a", (prediction("p"), prediction("q")))
    with pytest.raises(BadRecord, match="answered before"):
        score(twice, gold_of(a=["p"]), HULTH2003_EXACT)
    counted = replace(HULTH2003_EXACT, name="counted", repeated_ids=rules.OddIds.COUNTED)
    assert score(twice, gold_of(a=["p"]), counted).values["uncontr/P@M"] == 0


def test_surface_forms_are_answers_as_they_are():
    run = Run("s", "d", "a", (prediction("foxes"),))
    assert score(run, gold_of(a=["foxes"]), HULTH2003_EXACT).values["uncontr/P@M"] == 1
    stemmed = replace(HULTH2003_EXACT, name="stemmed", write=semeval_line)
    assert score(run, gold_of(a=["foxes"]), stemmed).values["uncontr/P@M"] == 0


def prediction(text):
    return Prediction("a", (Keyphrase(text, 1.0, None, ()),), 1, (1, 1))


def test_gold_that_holds_a_prediction():
    entries = {"red fox": (0,), "blue": (1,)}
    assert count_holding(["red", "fox"], entries) == 1
    assert count_holding(["red", "blue"], entries) == 2
    assert count_holding(["re", "fox red"], entries) == 0
    assert count_holding([""], entries) == 2
    assert count_holding([], entries) == 0


def test_the_sixteen_differ_in_form_and_matching_only():
    found = {one.name: one for one in vars(hulth2003).values() if isinstance(one, type(HULTH2003_EXACT))}
    forms = {
        "": spacy2_tokens, "-lower": hulth.spacy2_lower, "-lemma": hulth.spacy2_lemmas, "-stem": nltk325_stems,
    }  # fmt: skip
    modern = {"": modern_words, "-lower": hulth.modern_lower, "-lemma": hulth.modern_lemmas, "-stem": modern_stems}
    expected = {}
    for matching, protocol in (("exact", HULTH2003_EXACT), ("part-of", HULTH2003_PART_OF)):
        for ending, form in forms.items():
            name = f"hulth2003-{matching}{ending}"
            expected[name] = replace(protocol, name=name, normalise=form)
        for ending, form in modern.items():
            name = f"hulth2003-modern-{matching}{ending}"
            expected[name] = replace(protocol, name=name, normalise=form, accept=rules.not_empty)
    assert found == expected
    assert replace(HULTH2003_PART_OF, name=HULTH2003_EXACT.name, matching=rules.once) == HULTH2003_EXACT


def test_every_rule_is_told_apart():
    elsewhere = {"name", "golds", "marks", "average", "missing_ids", "unknown_ids", "repeated_ids", "write"}
    named = {row.rule for row in ROWS} | elsewhere
    engine = {"depth", "normalise_gold", "one_word", "classes", "text", "presence", "gold_class", "means"}
    assert {field.name for field in dataclasses.fields(HULTH2003_EXACT)} - named <= engine
