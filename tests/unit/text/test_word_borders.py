"""Words of scripts without blanks and of Korean, with the packages that tell them apart and without, by hand."""

import unicodedata

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import keywright as kw
from keywright.core.documents import Document, GoldKeyphrase, WordFlag
from keywright.extraction.vocabularies.label_keys import LabelKeys
from keywright.text.analyser import TextAnalyser
from keywright.text.keys import gold_keys, phrase_key
from keywright.text.tag_lexicon import tag_lexicon
from keywright.text.tokens import cut
from keywright.text.vocabulary import FUNCTIONAL
from keywright.text.word_borders import (
    BY_ICU,
    MOST_WORDS,
    cache_words,
    describe_missing,
    find_word_borders,
    forget_words,
)

UNSPACED = "深度学习モデルのスクリプト・ナスิทธิมนุษยชนສິດທິសិទ្ធិမြန်မာ\u200b"


def words_of(text: str, language: str) -> list[str]:
    analysed = TextAnalyser(language).analyse(Document("a", text))
    return [text[start:end] for start, end in zip(analysed.start.tolist(), analysed.end.tolist(), strict=True)]


def functional_of(text: str, language: str) -> list[str]:
    analysed = TextAnalyser(language).analyse(Document("a", text))
    stops = (analysed.flags & WordFlag.STOP > 0).tolist()
    return [word for word, stop in zip(words_of(text, language), stops, strict=True) if stop]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("我们研究自然语言处理的问题", "我们 研究 自然 语言 处理 的 问题"),
        ("機械学習モデルの書き方", "機械 学習 モデル の 書き方"),
        ("クロスサイトスクリプティング", "クロスサイトスクリプティング"),  # no syllables
        ("データベース・システム", "データベース ・ システム"),
        ("สิทธิและเสรีภาพ", "สิทธิ และ เสรีภาพ"),
        ("การขาดแคลนแพทย์", "การขาดแคลน แพทย์"),  # what makes a noun of a verb stays with it
        ("เปลี่ยนหัวเทียนและสายพาน", "เปลี่ยน หัวเทียน และ สายพาน"),  # compounds, whose parts mean something else
        ("ศาลจังหวัดนครปฐม", "ศาลจังหวัด นครปฐม"),
        ("ความเผ็ดของพริก", "ความเผ็ด ของ พริก"),
        ("ชาวนากับการ", "ชาวนา กับ การ"),
        ("សិទ្ធិ\u200bមនុស្ស", "សិទ្ធិ មនុស្ស"),  # a border that is written, without width
        ("用Python处理XML文件", "用 Python 处理 XML 文件"),
    ],
)
def test_words_of_scripts_without_blanks(text, expected):
    assert [word for word, *_ in cut(text)] == expected.split()


def test_numbers_in_han_characters_are_no_words_and_names_are():
    numbers, names = "三十 三十年 十五岁 五步 二〇二六 第一 九日", "三 三峡 三国志 千葉 半導体 万葉集 百度 六本木"
    assert [each for each in numbers.split() if not FUNCTIONAL.fullmatch(each)] == []
    assert [each for each in names.split() if FUNCTIONAL.fullmatch(each)] == []


def test_korean_nouns_are_without_particles():
    text = "커뮤니티 리더는 API를 사용하여 데이터의 관리를 배웠습니다."
    assert words_of(text, "ko") == "커뮤니티 리더 는 API 를 사용 하여 데이터 의 관리 를 배웠습니다 .".split()
    assert functional_of(text, "ko") == "는 를 하여 의 를 배웠습니다".split()


@pytest.mark.usefixtures("without_borders")
def test_korean_without_its_package():
    text = "커뮤니티 리더는 API를 배웠습니다."
    assert words_of(text, "ko") == "커뮤니티 리더 는 API 를 배웠습니다 .".split()
    assert functional_of(text, "ko") == "는 를 배웠습니다".split()
    assert find_word_borders("ko") == "spaces"
    assert "[korean]" in describe_missing("ko")


@pytest.mark.usefixtures("without_borders")
@pytest.mark.parametrize("language", sorted(BY_ICU))
def test_what_to_install_is_said_in_one_line(language):
    assert find_word_borders(language) == "none"
    assert "[scripts]" in describe_missing(language)
    assert len(describe_missing(language)) <= 100


def test_nothing_is_said_where_nothing_is_missing():
    assert [describe_missing(language) for language in ("en", "de", "zh", "ko")] == [""] * 4
    assert [find_word_borders(language) for language in ("en", "de", "zh", "ko")] == ["spaces", "spaces", "icu", "kiwi"]


@given(st.text(UNSPACED, max_size=40))
def test_words_are_in_order_and_nothing_visible_is_lost(text):
    end = 0
    for word, start, *_ in cut(text):
        assert text[end:start].strip("\u200b") == ""
        assert text[start:].startswith(word)
        end = start + len(word)
    assert text[end:].strip("\u200b") == ""


@given(st.text(UNSPACED.replace("・", ""), min_size=1, max_size=30), st.integers(0, 30))
def test_a_phrase_has_one_key_however_its_words_are_cut(text, at):
    """Gold, labels and texts meet by characters: a blank between them changes nothing."""
    assume(not unicodedata.combining(text[at : at + 1] or " "))  # signs of one letter stay together
    assert phrase_key(text, str) == phrase_key(f"{text[:at]} {text[at:]}", str)


@pytest.mark.parametrize(
    ("language", "text", "label"),
    [("zh", "本文研究高效的自然语言处理方法。", "自然语言处理"), ("ja", "この機械学習モデルを使う。", "機械学習")],
)
def test_gold_and_labels_are_found_at_the_same_place(language, text, label):
    document = kw.document(text)
    listed = kw.extract(document, language=language, vocabulary=[label])
    (keyphrase,) = [each for each in listed.keyphrases if each.text == label]
    start = text.index(label)
    assert keyphrase.spans == ((start, start + len(label)),)
    assert LabelKeys.of([label], language)
    analysed = TextAnalyser(language, terms=True).analyse(document)
    ranked = kw.extract(document, language=language, top=20)
    assert label in ranked.texts
    assert gold_keys([GoldKeyphrase((label,), "author")], language).tolist() == [phrase_key(label, str)]
    assert len(analysed)


BAD = {
    "mixed scripts": ("We train 深度学习 models with スクリプト and สิทธิ in 한국어.", None),
    "Han of either language": ("自然言語", None),
    "traditional": ("自然語言處理與機器學習的研究。自然語言處理。", "zh"),
    "endless Thai": ("สิทธิมนุษยชนและเสรีภาพ" * 500, "th"),
    "Persian joiners": ("کتاب‌های می‌خواهم برنامه‌نویسی و برنامه‌نویسی", "fa"),
    "Urdu": ("انسانی حقوق کا عالمی منشور۔ انسانی حقوق", "ur"),
    "romanised Hindi": ("yah ek kitab hai aur yah kitab acchi hai", None),
    "one word": ("権利", "ja"),
    "one character": ("法", "zh"),
    "unknown language": ("zxq wvut qqq zxq", "zza"),
    "wrong on purpose": ("The grid scheduler waits for the grid.", "zh"),
    "Chinese as English": ("深度学习提高语音识别的准确率。", "en"),
}


@pytest.mark.parametrize("name", BAD)
@pytest.mark.parametrize("packages", ["with", "without"])
def test_bad_input_gives_phrases_of_words(name, packages, request):
    if packages == "without":
        request.getfixturevalue("without_borders")
    text, language = BAD[name]
    listed = kw.extract(text, language=language, top=10)
    for keyphrase in listed.keyphrases:
        assert all(text[start:end].lower() == keyphrase.text.lower() for start, end in keyphrase.spans[:1])
        assert len(keyphrase.text) > 1
        assert len(keyphrase.text.split()) > 1 or len(keyphrase.text) <= 40
    if name == "one character":
        assert listed.keyphrases == ()
    if name == "endless Thai" and packages == "with":
        assert "เสรีภาพ" in listed.texts


@pytest.mark.usefixtures("without_borders")
def test_korean_verbs_and_nouns_that_end_like_particles_without_the_package():
    text = "파이프라인을 받을 결과가 나온다 마을"
    assert words_of(text, "ko") == "파이프라인 을 받을 결과 가 나온다 마을".split()
    assert functional_of(text, "ko") == "을 받을 가 나온다".split()


def test_a_syllable_of_hangul_is_no_phrase():
    assert "수" not in kw.extract("수 계산 방법, 수 계산 속도, 수 비교", language="ko").texts


@pytest.mark.usefixtures("without_borders")
def test_runs_of_characters_are_not_torn_without_the_package():
    listed = kw.extract("自然语言处理是人工智能的方向。我们研究自然语言处理。", language="zh", top=3).texts
    assert "自然语言处理" in listed
    assert not {"然语言处理", "然语言", "言处理"} & set(listed)


def test_syllables_of_vietnamese_words_are_no_phrases():
    text = "Tuyên ngôn độc lập. Bản tuyên ngôn năm ấy và tuyên ngôn này nói về tự do."
    listed = [phrase.lower() for phrase in kw.extract(text, language="vi", top=3).texts]
    assert "tuyên ngôn" in listed
    assert not {"tuyên", "ngôn"} & set(listed)


def test_vietnamese_terms_of_three_words_are_phrases():
    """Each of the words has two syllables, which are written apart."""
    text = "Kim ngạch xuất khẩu cà phê tăng. Báo cáo về kim ngạch xuất khẩu cà phê và kim ngạch xuất khẩu cà phê."
    assert "kim ngạch xuất khẩu cà phê" in [each.text.lower() for each in kw.extract(text, language="vi", top=30)]


def test_clauses_come_behind_all_other_phrases():
    text = "Die Stadtwerke heizen mit Wärmepumpen. Mieter fürchten höhere Mieten."
    listed = kw.extract(text, language="de", top=20).texts
    names, clauses = ([one for one in listed if ("fürchten" in one) == is_clause] for is_clause in (False, True))
    assert names
    assert clauses
    assert list(listed) == names + clauses


def test_answers_for_short_words_only_are_remembered():
    asked = []
    answer = cache_words(lambda word: asked.append(word) or len(word))
    assert [answer(word) for word in ("a", "a", "b" * 251, "b" * 251)] == [1, 1, 251, 251]
    assert asked == ["a", "b" * 251, "b" * 251]


@pytest.mark.parametrize(("words", "last"), [(MOST_WORDS + 1, "a"), (2, "b" * 251)])
def test_tables_of_many_or_long_words_are_cleared(words, last):
    small, table = {"a": 1}, dict.fromkeys(map(str, range(words)), 1)
    forget_words(small, ["a"])
    forget_words(table, ["a", last])
    assert (small, table) == ({"a": 1}, {})


def test_long_words_are_in_no_table():
    lexicon = tag_lexicon("en")
    lexicon.shares(TextAnalyser().analyse(Document("a", f"The {'a' * 1_000} of tides.")))
    assert not any(len(form) > 250 for form in lexicon._rows)
