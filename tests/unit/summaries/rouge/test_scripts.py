"""Texts of all scripts and odd texts: identical ones score 1, others 0, and what was left out is noted."""

from typing import Any

import pytest
from tests.unit.summaries.rouge.rouge_pairs import evaluated, pair, values

from keywright.summaries.rouge.evaluators import Rouge155, RougeScore
from keywright.summaries.rouge.tokens import cut_unicode

FULL = (1.0, 1.0, 1.0)
NOTHING = (0.0, 0.0, 0.0)
EVALUATORS = [
    *(Rouge155(measure) for measure in ("1", "2", "3", "4", "L", "S4", "SU4")),
    *(RougeScore(measure) for measure in ("1", "2", "L", "Lsum")),
]
ARABIC = "أغلقت الأمطار الغزيرة ثلاث طرق جبلية."
OTHER_ARABIC = "ينام القط الصغير فوق سطح البيت."
TEXTS = [
    ("Heavy rain closed three roads.", "A cat sleeps at noon today."),
    (ARABIC, OTHER_ARABIC),
    ("Сильный дождь закрыл три дороги.", "Кошка спит в полдень на крыше."),
    ("大雨封闭了三条道路。", "猫在中午睡觉吗？"),
    ("भारी बारिश ने तीन सड़कें बंद कीं।", "बिल्ली दोपहर में छत पर सोती।"),
]


@pytest.mark.parametrize("evaluator", EVALUATORS, ids=lambda evaluator: f"{evaluator.name} {evaluator.measure}")
@pytest.mark.parametrize(("text", "other"), TEXTS, ids=["English", "Arabic", "Russian", "Chinese", "Hindi"])
def test_equal_texts_score_1_and_others_0(evaluator: Any, text: str, other: str) -> None:
    assert values(evaluator, text, text) == FULL
    assert values(evaluator, text, other) == NOTHING
    assert values(evaluator, text, f"{text} {text}")[0] == 1.0


def test_words_of_other_scripts_keep_their_marks() -> None:
    assert cut_unicode("हिन्दी में") == ["हिन्दी", "में"]
    assert cut_unicode("大雨 3月") == ["大", "雨", "3", "月"]
    assert cut_unicode("Élan_vital: ÉLAN\u0301") == ["élan", "vital", "élań"]


def test_vowel_points_tatweel_and_joiners_are_removed() -> None:
    assert cut_unicode("ذَهَبَ الطُّلّابُ المـــدرسةِ") == cut_unicode("ذهب الطلاب المدرسة") == ["ذهب", "الطلاب", "المدرسة"]
    assert cut_unicode("می\u200cخواهم") == ["میخواهم"]


def test_direction_marks_are_left_out_and_counted() -> None:
    evaluation = evaluated(Rouge155(), f"\u200f{ARABIC[:3]}\u202b{ARABIC[3:]}\u202c", ARABIC)
    assert evaluation.values == {"P": 1.0, "R": 1.0, "F": 1.0}
    assert "invisible direction marks are left out: 3" in evaluation.notes


def test_arabic_under_the_rules_of_rouge_is_0_and_said_to_be() -> None:
    evaluation = evaluated(Rouge155(tokens="rouge155"), ARABIC, ARABIC)
    assert evaluation.values == {"P": 0.0, "R": 0.0, "F": 0.0}
    assert evaluation.notes == (
        f"letters outside a to z are left out, as ROUGE does: {2 * 31}; tokens=unicode keeps them",
        "the summary has no words to compare",
        "1 of 1 references have no words to compare",
    )


def test_letters_that_rouge_drops_are_counted() -> None:
    evaluation = evaluated(Rouge155(), "Le café est fermé", "Le caf est ferm")
    assert evaluation.values["F"] == 1.0
    assert evaluation.notes == ("letters outside a to z are left out, as ROUGE does: 2; tokens=unicode keeps them",)
    assert values(Rouge155(tokens="unicode"), "Le café est fermé", "Le caf est ferm") == (0.5, 0.5, 0.5)


def test_the_script_of_most_letters_decides_for_a_pair() -> None:
    assert values(Rouge155(), "abcd πρώ", "πρώ") == (0.5, 1.0, 0.66667)  # the reference is in Greek
    assert values(Rouge155(), "abcd πρώ", "abcd") == FULL
    assert values(Rouge155(), "abc πρώτ", "abc") == (0.5, 1.0, 0.66667)
    assert values(Rouge155(), ARABIC, "Heavy rain closed three roads.") == NOTHING


def test_tokens_are_used_as_they_are_in_lower_case() -> None:
    assert values(Rouge155(), [["A-b", "."], ["c"]], [["a-B", "."]]) == (0.66667, 1.0, 0.8)
    assert values(Rouge155("L"), [["Rain", "fell"]], "rain fell") == FULL
    assert values(RougeScore("Lsum"), [["مطر"], ["شديد"]], "مطر\nشديد") == FULL


@pytest.mark.parametrize("evaluator", EVALUATORS, ids=lambda evaluator: f"{evaluator.name} {evaluator.measure}")
@pytest.mark.parametrize("empty", ["", "...", [], "\u200f"])
def test_empty_texts_score_0_with_a_note(evaluator: Any, empty: Any) -> None:
    summary = evaluated(evaluator, empty, "rain fell on five long roads")
    assert set(summary.values.values()) == {0.0}
    assert "the summary has no words to compare" in summary.notes
    reference = evaluated(evaluator, "rain fell on five long roads", empty)
    assert set(reference.values.values()) == {0.0}
    assert "1 of 1 references have no words to compare" in reference.notes


def test_texts_too_short_for_a_measure_are_noted() -> None:
    evaluation = evaluated(Rouge155("2"), "rain", "rain", "rain fell")
    assert evaluation.values["F"] == 0.0
    assert evaluation.notes == (
        "the summary is too short for the measure; words: 1",
        "1 of 2 references are too short for the measure",
    )
    assert evaluated(Rouge155("2"), "rain fell", "rain fell").notes == ()


@pytest.mark.parametrize("evaluator", [Rouge155(), Rouge155(references="jackknife"), RougeScore("L")])
def test_without_references_there_is_no_value(evaluator: Any) -> None:
    (evaluation,) = evaluator.evaluate((pair("rain fell", source="Rain fell."),))
    assert evaluation.values == {"P": None, "R": None, "F": None}
    assert evaluation.notes == ("no reference: no value",)


@pytest.mark.parametrize("evaluator", EVALUATORS, ids=lambda evaluator: f"{evaluator.name} {evaluator.measure}")
def test_texts_of_a_million_characters_are_compared(evaluator: Any) -> None:
    text = "Heavy rain closed road number " + " ".join(f"{number}." for number in range(130_000))
    assert len(text) > 900_000
    precision, recall, _ = values(evaluator, text.split(". "), "Heavy rain closed four roads.")
    assert precision < 0.001
    assert recall < 1


def test_a_table_that_is_too_large_gives_no_value() -> None:
    long = " ".join(map(str, range(6_000)))
    evaluation = evaluated(Rouge155("W"), [long], [f"{long[2:]} 0"])
    assert evaluation.values == {"P": None, "R": None, "F": None}
    assert "6000 and 6000 words" in evaluation.notes[0]
