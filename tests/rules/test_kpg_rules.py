"""The rules that only protocols of keyphrase generation use, each by hand and at its boundary.

Unless a row says otherwise there is one document, its text is ``a b c`` and its gold is ``a`` and ``x``: one phrase
present, one absent.
"""

from dataclasses import dataclass, replace
from typing import Any

import pytest

from keywright.core.documents import Document, GoldKeyphrase, LabelledDocument, Section, SectionKind
from keywright.core.errors import BadRecord, NeedsUnmet
from keywright.core.predictions import Prediction, Run
from keywright.evaluation import rules
from keywright.evaluation.answers import GoldDocument, GoldSet, make_gold_sets, select_texts
from keywright.evaluation.measures.counts import at
from keywright.evaluation.normal_forms import phrases as forms
from keywright.evaluation.protocols import kpg
from keywright.evaluation.protocols.keywright1 import KEYWRIGHT_1
from keywright.evaluation.rules import PhraseClass
from keywright.evaluation.scoring.scorer import score

BASE = replace(
    KEYWRIGHT_1,
    normalise=rules.as_given,
    accept=rules.everything,
    accept_gold=rules.everything,
    average=(rules.Average.MICRO,),
    no_gold=rules.NoGold.ZERO,
    classes=tuple(PhraseClass),
    measures=at(2, "M", "G"),
)


@dataclass(frozen=True)
class Row:
    """One hand-computed number under the base rules and with one rule replaced."""

    rule: str
    value: Any
    predictions: tuple[str, ...]
    measure: str
    before: float
    after: float
    gold: tuple[str, ...] = ("a", "x")
    text: str = "a b c"


ROWS = (
    # Of four predictions the first three are looked at: 1 of 4 or 1 of 3 is right.
    Row("depth", 3, ("a", "b", "y", "z"), "all/P@M", 1 / 4, 1 / 3),
    Row("depth", 3, ("y", "b", "z", "a"), "all/P@M", 1 / 4, 0),
    Row("depth", 3, ("a", "b", "y"), "all/P@M", 1 / 3, 1 / 3),
    # The depth is counted before repeats go.
    Row("depth", 3, ("b", "b", "b", "a"), "all/P@M", 1 / 2, 0),
    # Both predictions equal the same entry through two of its forms; with one credit for an entry only the first hits.
    Row("matching", rules.any_entry, ("a", "b", "y"), "all/P@M", 1 / 3, 2 / 3, gold=("a|b", "x")),
    Row("matching", rules.any_entry, ("a", "x", "y"), "all/P@M", 2 / 3, 2 / 3),
    # Only the first prediction of one word stays; of two words all do. What is dropped later has had its turn.
    Row("one_word", 1, ("a", "x", "a b"), "all/P@M", 2 / 3, 1 / 2),
    Row("one_word", 2, ("a", "x", "a b"), "all/P@M", 2 / 3, 2 / 3),
    Row("one_word", 0, ("a", "x", "a b"), "all/P@M", 2 / 3, 0),
    Row("one_word", 1, ("a", "a", "x"), "all/P@M", 1, 1),
    Row("one_word", 2, ("a", "a", "x"), "all/R@M", 1, 1 / 2),
    # Gold in another normal form than predictions.
    Row("normalise_gold", str.lower, ("x",), "all/R@M", 0, 1, gold=("X",)),
    Row("normalise_gold", str.lower, ("X",), "all/R@M", 0, 0, gold=("x",)),
    # The letters of b stand in abc, its token does not.
    Row("presence", rules.substring, ("b",), "present/R@M", 0, 1, gold=("b",), text="abc"),
    Row("presence", rules.substring, ("b c",), "present/R@M", 1, 1, gold=("b c",), text="a b c"),
    Row("presence", rules.substring, ("a c",), "present/R@M", 0, 0, gold=("a c",), text="a b c"),
    Row("presence", rules.substring, ("",), "absent/R@M", 1, 1, gold=("",)),
    # By the text a is present and x absent; by the mark it is the other way round, and all have the mark as an entry.
    Row("gold_class", rules.GoldClass.MARK, ("a", "x"), "present/R@M", 1, 0, gold=("x", "<peos>", "a")),
    Row("gold_class", rules.GoldClass.MARK, ("a", "x"), "absent/R@M", 1 / 2, 0, gold=("x", "<peos>", "a")),
    Row("gold_class", rules.GoldClass.MARK, ("a", "x"), "all/R@M", 2 / 3, 2 / 3, gold=("x", "<peos>", "a")),
    Row("gold_class", rules.GoldClass.MARK, ("a", "x"), "absent/R@M", 1 / 2, 1, gold=("a", "<peos>", "x")),
    Row("classes", (PhraseClass.PRESENT,), ("a", "x", "y"), "present/P@M", 1, 1),
    # No prediction: the cutoff of 2 divides nothing, so that R counts alone.
    Row("short_list", rules.ShortList.OF_CUTOFF_IF_ANY, ("a",), "all/P@2", 1 / 2, 1 / 2),
)


def _score(predictions, gold, text, protocol):
    sets = (
        GoldSet(
            "author", tuple(GoldDocument(name, tuple(tuple(form.split("|")) for form in gold[name])) for name in gold)
        ),
    )
    return score(predictions, sets, protocol, text).values


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.rule}-{row.measure}-{row.predictions}")
def test_rule_changes_the_number_as_computed_by_hand(row):
    given = {"d": row.predictions}, {"d": row.gold}, {"d": row.text}
    assert _score(*given, BASE)[row.measure] == pytest.approx(row.before)
    assert _score(*given, replace(BASE, **{row.rule: row.value}))[row.measure] == pytest.approx(row.after)


def test_classes_are_scored_apart():
    # Present: a right, b wrong. Absent: x right, y and z wrong.
    found = _score({"d": ("y", "a", "x", "b", "z")}, {"d": ("a", "x")}, {"d": "a b c"}, BASE)
    assert found["all/P@M"] == 2 / 5
    assert found["present/P@M"] == found["present/P@2"] == 1 / 2
    assert found["absent/P@M"] == 1 / 3
    assert found["absent/P@2"] == 1 / 2
    assert found["present/R@M"] == found["absent/R@M"] == 1
    assert not {name for name in found if name.startswith("author")}


def test_a_cutoff_counts_within_the_class():
    # The only present prediction is the third of all, and the first of its class.
    shallow = replace(BASE, measures=at(1))
    found = _score({"d": ("y", "x", "a")}, {"d": ("a", "x")}, {"d": "a b c"}, shallow)
    assert found["present/P@1"] == 1
    assert found["absent/P@1"] == found["all/P@1"] == 0


def test_cutoff_g_is_the_larger_of_predictions_and_gold():
    found = _score({"d": ("a", "x", "y")}, {"d": ("a",)}, {"d": "a"}, BASE)
    assert (found["all/P@G"], found["present/P@G"]) == (1 / 3, 1)
    found = _score({"d": ("a",)}, {"d": ("a", "x", "y")}, {"d": "a"}, BASE)
    assert found["all/P@G"] == 1 / 3


def test_several_kinds_of_gold_are_named_with_their_class():
    sets = tuple(GoldSet(by, (GoldDocument("d", (("a",),)),)) for by in ("author", "reader"))
    found = score({"d": ("a",)}, sets, replace(BASE, classes=(PhraseClass.PRESENT,)), {"d": "a"}).values
    assert found["author/present/F@M"] == found["reader/present/F@M"] == 1


def test_an_empty_list_adds_nothing_to_the_divisor_where_the_rule_says_so():
    predictions, gold, texts = {"d": ("a",), "e": ()}, {"d": ("a",), "e": ("a",)}, {"d": "a", "e": "a"}
    assert _score(predictions, gold, texts, BASE)["all/P@2"] == 1 / 4
    other = replace(BASE, short_list=rules.ShortList.OF_CUTOFF_IF_ANY)
    assert _score(predictions, gold, texts, other)["all/P@2"] == 1 / 2
    # Divided in each document its precision is 0 both ways.
    macro = replace(other, average=(rules.Average.MACRO,))
    assert _score(predictions, gold, texts, macro)["all/P@2"] == 1 / 4


@pytest.mark.parametrize(
    ("average", "zero", "left_out", "not_counted"),
    [
        (rules.Average.MICRO, 1 / 2, 1 / 2, 1),
        (rules.Average.MACRO, 1 / 2, 1 / 2, 1),
        (rules.Average.MEAN, 1 / 2, 1 / 2, 1),
    ],
)
def test_documents_without_gold_may_be_left_out_of_precision_too(average, zero, left_out, not_counted):
    # Document e has a prediction and no gold. P: 1 of 2, or 1 of 1.
    given = {"d": ("a",), "e": ("b",)}, {"d": ("a",), "e": ()}, {"d": "a", "e": "b"}
    base = replace(BASE, average=(average,))
    for rule, value in (
        (rules.NoGold.ZERO, zero),
        (rules.NoGold.LEFT_OUT, left_out),
        (rules.NoGold.NOT_COUNTED, not_counted),
    ):
        assert _score(*given, replace(base, no_gold=rule))["present/P@M"] == value


def test_relevance_is_kept_by_rank():
    sets = (GoldSet("author", (GoldDocument("d", (("a",), ("x",))), GoldDocument("e", (("b",),)))),)
    report = score({"d": ("b", "a", "x"), "e": ("b",)}, sets, BASE, {"d": "a b", "e": "b"})
    assert report.counts["all"].by_rank().tolist() == [[0, 1, 1], [1, 0, 0]]
    assert report.counts["present"].by_rank(1).tolist() == [[0], [1]]
    assert report.counts["absent"].by_rank(2).tolist() == [[1, 0], [0, 0]]
    assert report.counts["absent"].predicted.tolist() == [1, 0]


def test_classes_need_the_texts():
    sets = (GoldSet("author", (GoldDocument("d", (("a",),)), GoldDocument("e", ()))),)
    with pytest.raises(NeedsUnmet, match="only phrases"):
        score({"d": (), "e": ()}, sets, BASE)
    with pytest.raises(BadRecord, match="1 documents have no text: 'e'"):
        score({"d": (), "e": ()}, sets, BASE, {"d": "a"})
    assert score({"d": (), "e": ()}, sets, replace(BASE, classes=(PhraseClass.ALL,))).scored == 2


def test_gold_without_the_mark_is_present():
    found = _score({"d": ("a",)}, {"d": ("a",)}, {"d": "x a"}, replace(BASE, gold_class=rules.GoldClass.MARK))
    assert (found["present/R@M"], found["absent/R@M"]) == (1, 0)


def test_the_text_may_be_title_and_abstract_alone():
    sections = (Section(SectionKind.TITLE, 0, 1), Section(SectionKind.ABSTRACT, 2, 3))
    document = Document("d", "a\nb\nc", sections)
    bare = Document("e", "a\nb\nc")
    labelled = [LabelledDocument(each, (GoldKeyphrase(("c",), "author"),)) for each in (document, bare)]
    short = replace(BASE, text=rules.title_and_abstract)
    assert select_texts(BASE, labelled) == {"d": "a\nb\nc", "e": "a\nb\nc"}
    assert select_texts(short, labelled) == {"d": "a b", "e": "a\nb\nc"}
    assert select_texts(KEYWRIGHT_1, labelled) is None
    counts = score({"d": (), "e": ()}, make_gold_sets(labelled), short, {"d": "a b", "e": "a b c"}).counts
    assert counts["present"].gold.tolist() == [0, 1]


def test_conventions_of_papers_differ_by_their_rules():
    """Two documents; the text of the first has a and b, that of the second has c.

    First: gold a (given twice) and x; predictions ``a`` and ``a , b``. Second: no present gold; prediction c.
    """
    gold = {"d": ("a", "a", "x"), "e": ("z",)}
    given = {"d": ("a", "a , b"), "e": ("c",)}, gold, {"d": "a , b", "e": "c"}
    names = {one.name: one for one in (kpg.CHAN_2019, kpg.YE_2021, kpg.EXHIRD, kpg.DEEPKPG, kpg.SIMCKP, kpg.MENG_2021)}
    found = {name: _score(*given, protocol) for name, protocol in names.items()}
    # P@M: 1/1 and 0/1 without the phrase that has a comma, 1/2 and 0/1 with it; R: 1/1 and 0.
    assert found["kpg-chan2019"]["present/F@M"] == found["kpg-ye2021"]["present/F@M"] == pytest.approx(1 / 2)
    assert found["kpg-exhird"]["present/F@M"] == found["kpg-deepkpg"]["present/F@M"] == pytest.approx(1 / 3)
    assert found["kpg-simckp"]["present/F@M"] == 1
    # One hit of five, recall 1: F = 2/6; Meng divides by the one prediction, and by both copies of the gold.
    assert found["kpg-simckp"]["present/F@5"] == pytest.approx(1 / 3)
    assert found["kpg-meng2021"]["present/P@5"] == 1
    assert found["kpg-meng2021"]["present/F@5"] == pytest.approx(2 / 3)


def test_meng_2017_keeps_one_single_word():
    given = {"d": ("a", "b", "a b")}, {"d": ("b", "a b")}, {"d": "a b"}
    assert _score(*given, kpg.MENG_2017)["present/R@5"] == 1 / 2
    assert _score(*given, kpg.MENG_2021)["present/R@5"] == 1


def test_an_empty_list_is_a_wrong_phrase_to_deepkpg():
    run = Run("s", "", "", (Prediction("d", ()),))
    sets = (GoldSet("author", (GoldDocument("d", (("a",),)),)),)
    counts = score(run, sets, kpg.DEEPKPG, {"d": "a"}).counts
    assert counts["absent"].predicted.tolist() == [1]
    assert score(run, sets, kpg.CHAN_2019, {"d": "a"}).counts["absent"].predicted.tolist() == [0]


def test_stemmed_gold_is_not_stemmed_again():
    # The stem of databases is databas, and the stem of that is databa.
    given = {"d": ("databases",)}, {"d": ("databas",)}, {"d": "Databases"}
    assert _score(*given, kpg.KPG)["present/R@M"] == 0
    assert _score(*given, kpg.KPG_STEMMED_GOLD)["present/R@M"] == 1


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("Grid-Computing (v. 2.0)", "grid comput ( v . <digit> . <digit> )"),
        ("state of the art , <digit> <unk>", "state of the art , <digit> <unk>"),
        ("α-helix", "helix"),
        ("", ""),
    ],
)
def test_text_is_cut_as_published_files_are(text, form):
    assert forms.published_stems(text) == form


@pytest.mark.parametrize(
    ("form", "is_valid", "is_known"),
    [
        ("a b", True, True),
        ("a , b", False, True),
        ("a . b", False, True),
        ("a.b", True, True),
        ("<unk> b", True, False),
    ],
)
def test_filters(form, is_valid, is_known):
    assert (forms.valid(form), forms.known_words(form)) == (is_valid, is_known)
    assert forms.valid_and_known(form) == forms.valid_known_not_empty(form) == (is_valid and is_known)


def test_the_empty_phrase_is_valid_and_not_accepted():
    assert forms.valid_and_known("")
    assert not forms.valid_known_not_empty("")


@pytest.mark.parametrize(
    ("text", "stems", "tokens"),
    [
        # ASCII as published files have it: 42 is a number, B2 is not.
        ("Grid-based Services, 42 of B2!", "grid base servic , <digit> of b2", "grid based services , <digit> of b2"),
        ("naïve Bayes models", "naïve bay model", "naïve bayes models"),
        ("Die Maßnahmen", "die maßnahmen", "die maßnahmen"),  # the word of ASCII letters is stemmed alone
        ("Нейронные СЕТИ", "нейронные сети", "нейронные сети"),
        ("التعلّم الآلي ٢٠٢٤", "التعلم الآلي <digit>", "التعلم الآلي <digit>"),  # without the mark of doubling
        ("机器学习 models", "机 器 学 习 model", "机 器 学 习 models"),
        ("ｆｕｌｌ ｗｉｄｔｈ", "full width", "full width"),
        ("±≈", "", ""),
    ],
)
def test_words_of_any_script(text, stems, tokens):
    assert forms.stems_of_any_script(text) == stems
    assert forms.tokens_of_any_script(text) == tokens
