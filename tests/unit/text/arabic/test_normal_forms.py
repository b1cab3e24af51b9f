"""Each rule of the normal form by itself; expected forms by hand."""

from dataclasses import fields

import pytest

from keywright.text.arabic.spelling import FOLDED, NormalForms

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
