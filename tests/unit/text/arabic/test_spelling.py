"""Each rule of the normal form by itself; expected forms by hand."""

from dataclasses import fields

import pytest

from keywright.text.arabic.spelling import FOLDED, NormalForms, Split, original_endings, split_clitics

NONE = NormalForms(diacritics=False, tatweel=False, alef=False, final_ya=False)


@pytest.mark.parametrize(
    ("rule", "written", "expected"),
    [
        ("diacritics", "كِتَابٌ", "كتاب"),
        ("diacritics", "مُعَلِّم", "معلم"),
        ("tatweel", "كـــتاب", "كتاب"),
        ("alef", "أإآٱ", "اااا"),
        ("alef", "الأسماء", "الاسماء"),
        ("final_ya", "القرى", "القري"),
        ("final_ya", "ىم", "ىم"),
    ],
)
def test_a_rule_changes_what_it_is_about_and_nothing_else(rule: str, written: str, expected: str) -> None:
    others = {field.name: field.name == rule for field in fields(NormalForms)}
    assert NormalForms(**others)(written) == expected
    assert NONE(written) == written


def test_the_folded_form_keeps_ta_marbuta_and_other_scripts() -> None:
    assert FOLDED("قَرْيَة") == "قرية"
    assert FOLDED("Café 12") == "Café 12"
    assert FOLDED("") == ""


def test_conjunction_preposition_article_and_pronoun_are_found() -> None:
    assert Split(("و", "ب"), article=True, word="قرية", pronoun="") in set(split_clitics("وبالقرية"))
    assert Split(("و", "ل"), article=True, word="مدارس", pronoun="") in set(split_clitics("وللمدارس"))
    assert Split(("ف", "س"), article=False, word="يكتب", pronoun="ها") in set(split_clitics("فسيكتبها"))
    assert Split((), article=False, word="كتاب", pronoun="هم") in set(split_clitics("كتابهم"))


def test_no_pronoun_follows_a_word_with_an_article() -> None:
    assert all(not split.pronoun for split in split_clitics("الكتابها") if split.article)


def test_the_whole_word_comes_first_and_parts_have_two_letters() -> None:
    first, *others = split_clitics("بها")
    assert first == Split((), article=False, word="بها", pronoun="")
    assert all(len(split.word) >= 2 for split in others)
    assert [split.word for split in split_clitics("و")] == ["و"]


def test_endings_change_before_a_pronoun_only() -> None:
    assert original_endings(Split((), article=False, word="دراجت", pronoun="هم")) == ("دراجت", "دراجة")
    assert original_endings(Split((), article=False, word="ألغا", pronoun="ها")) == ("ألغا", "ألغى")
    assert original_endings(Split((), article=False, word="حلفاؤ", pronoun="ها")) == ("حلفاؤ", "حلفاء")
    assert original_endings(Split((), article=False, word="كتبو", pronoun="ه")) == ("كتبو", "كتبوا")
    assert original_endings(Split((), article=False, word="دراجت", pronoun="")) == ("دراجت",)


def test_clitics_are_counted_without_the_article() -> None:
    assert Split(("و", "ب"), article=True, word="قرية", pronoun="").clitics == 2
    assert Split((), article=False, word="كتاب", pronoun="هم").clitics == 1
