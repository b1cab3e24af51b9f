"""Bytes to text: encodings, damage, declarations, what is not text at all."""

import pytest
from tools.checks.encoding_report import read_answers

import keywright as kw
from keywright.core.errors import BadRecord, UnsupportedFormat
from keywright.reading.encodings import declared_encoding, decode
from keywright.reading.formats.html import read_html
from keywright.reading.formats.plain import read_plain
from keywright.reading.limits import Limits
from keywright.reading.phrase_lists import read_phrases

TEXT = "Über die Größe der Bäume: naïve Schätzungen, café, 20 € – «Zitat»."
RUSSIAN = "Это достаточно длинный русский текст, чтобы угадать кодировку. " * 5


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_encodings_that_are_certain(encoding: str):
    assert decode(TEXT.encode(encoding), "x.txt") == (TEXT, ())


@pytest.mark.parametrize(("text", "encoding"), [(TEXT, "cp1252"), (RUSSIAN, "cp1251")])
def test_older_encodings_are_guessed_and_said(text: str, encoding: str):
    decoded = decode(text.encode(encoding), "x.txt")
    assert decoded.text == text
    assert decoded.notes == (f"it is not UTF-8 and was read as {encoding}",)


ASIAN = {
    "euc_kr": "펌프는 전기가 싼 밤에 작동한다|빙하는 깊은 계곡을 깎고 빙퇴석을 남긴다.|모든 사람은 법 앞에 평등하다.",
    "euc_jp": "砂丘は風で動く。|ポンプは電気が安い夜に動き、家を暖めます。|すべての人は法の下に平等である。",
    "cp874": "ปั๊มทำงานในเวลากลางคืนเมื่อไฟฟ้าราคาถูก|ธารน้ำแข็งกัดเซาะหุบเขาลึก|ทุกคนเสมอกันตามกฎหมาย",
}


@pytest.mark.parametrize(("encoding", "text"), [(name, each) for name in ASIAN for each in ASIAN[name].split("|")])
def test_a_sentence_in_an_encoding_of_asia_is_enough(encoding: str, text: str):
    assert decode(text.encode(encoding), "x.txt").text == text


@pytest.mark.parametrize("at", range(3, 60, 7))
def test_a_damaged_byte_costs_one_character(at: int):
    data = TEXT.encode()
    start = len(TEXT[: at // 2].encode())
    text, notes = decode(data[:start] + b"\xff" + data[start:], "x.txt")
    assert text == f"{TEXT[: at // 2]}\ufffd{TEXT[at // 2 :]}"
    assert notes == ("1 character was damaged and replaced by \ufffd",)


def test_damage_in_a_text_with_a_mark():
    text, notes = decode("\ufeffBäume und Wälder".encode() + b"\xc3", "x.txt")
    assert text == "Bäume und Wälder\ufffd"
    assert len(notes) == 1


@pytest.mark.parametrize("data", [bytes(range(256)) * 20, b"\x00\x01\x02" * 100, b"GIF89a\x01\x00\x01\x00\x80"])
def test_binary_content(data: bytes):
    with pytest.raises(UnsupportedFormat, match="is not text"):
        decode(data, "x.txt")


def test_much_damage_is_not_a_text():
    with pytest.raises(UnsupportedFormat, match="4 of 8 characters are not in UTF-8"):
        decode(b"\xef\xbb\xbf" + b"\xffa\xfeb\xffc\xfed", "x.txt")


def test_documents_carry_the_notes():
    assert read_plain(TEXT.encode("cp1252"), "x.txt", Limits()).warnings == ("it is not UTF-8 and was read as cp1252",)


@pytest.mark.parametrize(
    ("page", "encoding"),
    [
        (b'<html><meta charset="windows-1251">', "windows-1251"),
        (b"<html><META http-equiv=x content='text/html; charset=koi8-r'>", "koi8-r"),
        (b"<html><p>charset=koi8-r", None),
    ],
)
def test_pages_declare_their_encoding(page: bytes, encoding: str | None):
    assert declared_encoding(page) == encoding


def test_a_declared_encoding_is_read():
    # Few letters, which statistics could not tell: Windows-1252 would give Latin letters.
    page = '<html><head><meta charset="koi8-r"><title>Леса</title></head><body><p>Озеро</p></body></html>'
    document = read_html(page.encode("koi8-r"), "x.html", Limits())
    assert "Озеро" in document.text
    assert not any("UTF-8" in warning for warning in document.warnings)


@pytest.mark.parametrize("name", ["nonsense", "hex", "undefined", "utf-8"])
def test_a_wrong_declaration_is_not_believed(name: str):
    page = f'<html><head><meta charset="{name}"></head><body><p>Größe der Bäume</p></body></html>'
    document = read_html(page.encode("cp1252"), "x.html", Limits())
    assert "Größe der Bäume" in document.text
    assert "it is not UTF-8 and was read as cp1252" in document.warnings


def test_a_list_of_phrases_with_damage_is_refused(tmp_path):
    file = tmp_path / "terms.txt"
    file.write_bytes("Bäume\nWälder\nGröße\n".encode() + b"W\xffrde\n")
    with pytest.raises(BadRecord, match=r"line 4 of terms.txt has damaged characters"):
        read_phrases(file)


LETTERS = {
    "gb18030": "电池㐀储能", "cp874": "เครื่องสูบ", "cp949": "열교환기", "big5hkscs": "電池儲能", "iso8859_8": "משאבת חום",
    "koi8_u": "Насос їде",
}  # fmt: skip


@pytest.mark.parametrize(
    ("label", "encoding"),
    [
        ("iso-8859-1", "cp1252"),
        ("US-ASCII", "cp1252"),
        ("latin1", "cp1252"),
        ("gb2312", "gb18030"),
        ("latin5", "cp1254"),
        ("windows-874", "cp874"),
        ("ks_c_5601-1989", "cp949"),
        ("x-x-big5", "big5hkscs"),
        ("ISO-8859-8-I", "iso8859_8"),
        ("koi8-ru", "koi8_u"),
    ],
)
def test_a_label_means_what_browsers_take_it_for(label: str, encoding: str):
    words = LETTERS.get(encoding, "“price” – 5 €…")
    assert decode(words.encode(encoding), "x.html", label) == (words, ())


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252"])
def test_a_null_costs_itself(encoding: str):
    data = TEXT.replace("Bäume", "Bä\0ume").encode(encoding)
    text, notes = decode(data, "x.txt")
    assert text == TEXT
    assert notes[-1] == "left out: 1 null character"


def test_a_null_in_a_cell_costs_itself(tmp_path):
    (tmp_path / "x.csv").write_bytes(b"id,text\na,Tide gauges dr\0ift.\nb,Glaciers melt.\n")
    with pytest.warns(UserWarning, match="1 null character"):
        keyphrases = kw.extract_table(tmp_path / "x.csv", text="text", id="id", top=1, language="en", system="tfidf")
    assert keyphrases["keyphrase"].tolist() == ["Tide gauges drift", "Glaciers melt"]


@pytest.mark.data
def test_the_encoding_of_texts_in_many_languages_is_told(mirror):
    """``python -m tools.checks.encoding_report`` prints the shares: .98, .99, 1 and 1."""
    answers = list(read_answers(mirror))
    for length, least in {100: 0.95, 300: 0.97, 1_000: 0.99, 3_000: 0.99}.items():
        right = [answer.right for answer in answers if answer.length == length]
        assert len(right) > 90
        assert sum(right) >= least * len(right)


def test_chinese_in_pairs_of_letters_needs_no_label():
    assert decode("Mail: 电池储能 works.".encode("hz"), "x.txt") == ("Mail: 电池储能 works.", ())
    assert decode(b"a~{b}c ~} d", "x.txt").text == "a~{b}c ~} d"


def test_escape_sequences_tell_the_encoding():
    assert decode("砂丘は風で動く。".encode("iso2022_jp"), "a.txt") == ("砂丘は風で動く。", ())


SENTENCES = {
    "ru": "Насос работает ночью, когда электричество стоит дешевле.",
    "el": "Η αντλία λειτουργεί τη νύχτα, όταν το ρεύμα είναι φθηνό.",
    "he": "המשאבה פועלת בלילה כאשר החשמל זול יותר.",
    "ar": "تعمل المضخة في الليل عندما تكون الكهرباء أرخص.",
    "hi": "पंप रात में चलता है जब बिजली सस्ती होती है।",
    "th": "ปั๊มทำงานในเวลากลางคืนเมื่อไฟฟ้าราคาถูก",
    "ja": "ポンプは電気が安い夜に動き、家を暖めます。",
    "zh": "水泵在电价便宜的夜里运行，为房子供暖。",
    "ko": "펌프는 전기가 싼 밤에 작동한다.",
    "ka": "ტუმბო მუშაობს ღამით, როცა დენი იაფია.",
    "am": "ፓምፑ ኤሌክትሪክ ርካሽ በሆነበት ሌሊት ይሠራል።",
    "vi": "Máy bơm chạy vào ban đêm khi điện rẻ hơn.",
    "de": "Die Pumpe läuft nachts, wenn der Strom günstig ist.",
}


@pytest.mark.parametrize("language", SENTENCES)
@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("times", [1, 9])
def test_wide_encodings_need_no_mark_in_any_script(language: str, encoding: str, times: int):
    text = f"{SENTENCES[language]} " * times
    assert decode(text.encode(encoding), "x.txt") == (text, ())


@pytest.mark.parametrize("encoding", ["cp1250", "cp1251", "cp1252", "koi8_r", "cp932"])
def test_a_control_in_an_older_encoding_makes_it_not_wide(encoding: str):
    text = {"cp932": SENTENCES["ja"], "cp1252": TEXT, "cp1250": "Zażółć gęślą jaźń i kości. "}.get(encoding, RUSSIAN)
    data = b"\x0b\x01" + (text * 4).encode(encoding)
    assert decode(data[: len(data) // 4 * 4], "x.txt").text.count("\ufffd") <= 1
    assert decode(data[: len(data) // 4 * 4], "x.txt").text[2:20] == text[:18]


@pytest.mark.parametrize("broken", ["cp1252", "latin-1"])
def test_letters_read_wrongly_before_are_mended_and_told(broken: str):
    text = "Über die Größe der Bäume und Wälder in Österreich. " * 3
    decoded = decode(text.encode().decode(broken, "ignore").encode(), "x.txt")
    assert decoded.text == text.encode().decode(broken, "ignore").encode(broken, "ignore").decode("utf-8", "replace")
    assert decoded.notes[0].startswith("18 letters such as Ãœ" if broken == "cp1252" else "18 letters such as Ã")


@pytest.mark.parametrize("text", [TEXT, "SÃO PAULO, MAÇÃ E «IRMÃ»: AÇÃO. " * 3, "Ã¤ is what some programs show for ä."])
def test_letters_that_are_meant_stay(text: str):
    assert decode(text.encode(), "x.txt") == (text, ())


@pytest.mark.parametrize(
    ("page", "encoding"),
    [
        (b"<script>" + b"x = 1;\n" * 10_000 + b'</script><meta charset="koi8-r">', "koi8-r"),
        (b'<!-- <meta charset="koi8-r"> --><meta charset="windows-1251">', "windows-1251"),
        (b'<?xml version="1.0" encoding="iso-8859-2"?><html>', "iso-8859-2"),
    ],
)
def test_declarations_are_found_late_and_not_in_comments(page: bytes, encoding: str):
    assert declared_encoding(page) == encoding


def test_a_declaration_in_a_comment_that_never_ends_is_none():
    assert declared_encoding(b"<!--" * 20_000 + b'<meta charset="koi8-r">') is None
    assert declared_encoding(b'<!-- a --><meta charset="koi8-r"><!--') == "koi8-r"
