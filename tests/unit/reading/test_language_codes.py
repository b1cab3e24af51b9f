"""Codes of languages: every usual writing of a code means the same language, whatever takes it."""

import pytest

import keywright as kw
from keywright.core.documents import Document
from keywright.core.errors import BadParameter, BadRecord
from keywright.reading.formats.html import read_html
from keywright.reading.formats.jsonl import document_of_record
from keywright.reading.language_identification import _languages, check_language, find_language
from keywright.reading.limits import Limits
from keywright.text.languages import ByLanguage

ENGLISH = ("en", "EN", "eng", "ENG", "en-US", "en_GB", "en-Latn-US", " en ")


def test_all_writings_of_all_codes_mean_the_language_of_the_first():
    for codes, name in _languages():
        assert name
        for code in codes:
            for written in (code, code.upper(), f"{code}-XX", f"{code}_Latn", code.title()):
                assert find_language(written) == check_language(written) == codes[0]


def test_no_code_means_two_languages():
    codes = [code for codes, _ in _languages() for code in codes]
    assert len(codes) == len(set(codes))
    assert all(code.isascii() and code.islower() and len(code) in {2, 3} for code in codes)


@pytest.mark.parametrize("tag", [None, "", "und", "mul", "xx", "english", "e", "xxx", "123", "-en"])
def test_other_texts_mean_no_language(tag):
    assert find_language(tag) is None


@pytest.mark.parametrize(
    ("wrong", "nearest"),
    [
        ("english", "'en' (English)"),
        ("German", "'de' (German)"),
        ("spansh", "'es' (Spanish)"),
        ("enn", "'en' (English)"),
    ],
)
def test_the_nearest_language_is_named(wrong, nearest):
    with pytest.raises(BadParameter) as raised:
        check_language(wrong)
    assert f"did you mean {nearest}?" in str(raised.value)


@pytest.mark.parametrize("tag", ENGLISH)
def test_options_texts_records_and_pages_take_the_same_tags(tag):
    assert ByLanguage(tag).language == ByLanguage(otherwise=tag).otherwise == "en"
    assert ByLanguage().analyse(Document("d", "Der Hund.", language=tag)).source.language == "en"
    assert kw.document("Der Hund.", language=tag).language == "en"
    assert document_of_record({"id": "d", "text": "Der Hund.", "language": tag}).language == "en"
    assert read_html(f'<html lang="{tag}"><p>Der Hund.'.encode(), "x.html", Limits()).language == "en"


def test_unknown_languages_are_refused_where_a_person_names_them():
    with pytest.raises(BadParameter, match="did you mean 'en'"):
        kw.document("The dog.", language="english")
    with pytest.raises(BadParameter, match="label language"):
        kw.prepare(vocabulary=["dog"], label_language="english")
    with pytest.raises(BadRecord, match=r"record 'd'.*did you mean 'en'"):
        document_of_record({"id": "d", "text": "The dog.", "language": "english"})
    assert document_of_record({"id": "d", "text": "The dog.", "language": "und"}).language is None
    assert read_html(b'<html lang="xx"><p>The dog.', "x.html", Limits()).language is None
