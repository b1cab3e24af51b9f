"""Mail: subject, sender and text are read; quotes, signatures and attachments are told from the text."""

from pathlib import Path

import pytest

from keywright.core.documents import Document
from keywright.core.documents import SectionKind as Kind
from keywright.core.errors import BrokenFile, EmptyInput, ProtectedFile
from keywright.core.predictions import Failure
from keywright.reading.formats import BY_NAME, format_of
from keywright.reading.formats.mail import read_mail, read_mbox, read_mhtml
from keywright.reading.limits import Limits

FIXTURES = Path(__file__).parent / "fixtures"
ANSWER = (FIXTURES / "answer.eml").read_bytes()
LIMITS = Limits()


def read(head: str, body: str = "", encoding: str = "utf-8") -> Document:
    return read_mail(f"{head}\n\n{body}".encode(encoding), "a.eml", LIMITS)


def body_of(document: Document) -> str:
    """Return the text without sections: neither title nor notices."""
    text = document.text
    for section in reversed(document.sections):
        text = text[: section.start] + text[section.end :]
    return " ".join(text.split())


def notices_of(document: Document) -> list[str]:
    return [document.text[part.start : part.end] for part in document.sections if part.kind == Kind.NOTICE]


def test_a_message_in_two_forms_with_an_attachment():
    document = read_mail(ANSWER, "answer.eml", LIMITS)
    assert document.section(Kind.TITLE) == document.meta["title"] == "Wärmepumpe and borehole"
    assert document.meta["sender"] == "Ada Exämple <ada@example.org>"
    assert document.meta["authors"] == ["Ada Exämple"]
    assert (document.meta["year"], document.meta["date"]) == (2014, "2014-03-03T10:00:00+01:00")
    assert "the borehole heat exchanger is filled" in body_of(document)
    assert body_of(document).endswith("No, the brine is fine.")
    greeting, quote, signature = notices_of(document)
    assert greeting == "Dear all,"
    assert quote.startswith("On Sun, 2 Mar 2014")
    assert quote.endswith("> > Which brine?")
    assert signature == "-- \nAda Exämple\nInstitute of Heat"
    assert document.warnings == ("left out: 1 attachment",)


def test_a_message_in_html_is_read_without_hidden_text():
    document = read_mail((FIXTURES / "page_in_mail.eml").read_bytes(), "a.eml", LIMITS)
    assert body_of(document) == "your heat pump was sent. It arrives on Tuesday. Order 5 Hello Second line Third"
    assert notices_of(document) == ["Dear Ada,", "On Monday Bob wrote:\n\nquoted text here"]


@pytest.mark.parametrize(
    ("subject", "title"),
    [
        ("Re: FW: Aw: heat", "heat"),
        ("RE[2]: heat", "heat"),
        ("=?utf-8?B?V8Okcm1l?= pump", "Wärme pump"),
        ("=?iso-2022-jp?B?GyRCRnxLXBsoQg==?=", "日本"),
        ("=?nonsense?Q?heat?=", "heat"),
        ("Wärme, raw", "Wärme, raw"),
        ("heat\n pump", "heat pump"),
        ("Reheat: brine", "Reheat: brine"),
    ],
)
def test_subjects(subject: str, title: str):
    assert read(f"Subject: {subject}").meta["title"] == title


@pytest.mark.parametrize(
    ("label", "encoding", "text"),
    [
        ("iso-8859-1", "cp1252", "„Wärme“ – the pump"),
        ("koi8-r", "koi8_r", "тепловой насос"),
        ("iso-2022-jp", "iso2022_jp", "熱ポンプ"),
        ("gb2312", "gb18030", "热泵"),
        ("utf-7", "utf-7", "Wärme"),
        ("no-such", "utf-8", "Wärme"),
    ],
)
def test_encodings(label: str, encoding: str, text: str):
    document = read_mail(f"Content-Type: text/plain; charset={label}\n\n".encode() + text.encode(encoding), "a", LIMITS)
    assert document.text == text


@pytest.mark.parametrize(
    "answered",
    [
        "-----Original Message-----\nFrom: Bob",
        "----- Ursprüngliche Nachricht -----\nVon: Bob",
        f"{'_' * 32}\nFrom: Bob",
    ],
)
def test_the_message_that_is_answered_is_a_notice_and_one_that_is_forwarded_is_text(answered: str):
    body = f"Thanks for it.\n\n{answered}\n\nThe brine is frozen."
    assert body_of(read("Subject: Re: x", body)) == "Thanks for it."
    assert body_of(read("Subject: Fwd: x", body)).endswith("The brine is frozen.")


def test_an_encrypted_message():
    with pytest.raises(ProtectedFile, match="encrypted"):
        read("Content-Type: application/pkcs7-mime")


def test_a_message_without_words():
    with pytest.raises(EmptyInput):
        read("From: a@b.c")


def test_a_mailbox_gives_each_message_and_a_failure_for_one_without_words():
    begin = b"From ada@example.org Mon Mar  3 10:00:00 2014\n"
    whole = begin + ANSWER + b"\n" + begin + b"To: x\n\n\n\n" + begin + b"Subject: Third\n\nText.\n>From here on.\n"
    first, second, third = BY_NAME["mbox"].read(whole, "box.mbox", LIMITS)
    assert first.text == read_mail(ANSWER, "a", LIMITS).text
    assert isinstance(second, Failure)
    assert (third.id, third.text) == ("box.mbox:3", "Third\n\nText.\nFrom here on.")


def test_a_mailbox_of_one_message_has_its_own_name():
    (document,) = BY_NAME["mbox"].read(b"From a@b.c Mon Mar  3 10:00:00 2014\nSubject: x\n\nText", "box", LIMITS)
    assert document.id == "box"


def test_what_is_no_mailbox_and_what_holds_no_page():
    with pytest.raises(BrokenFile):
        read_mbox(b"Subject: x\n\nText", "a.mbox", LIMITS)
    with pytest.raises(BrokenFile):
        read_mhtml(b"Subject: x\n\nText", "a.mht", LIMITS)


def test_a_saved_page():
    document = read_mhtml((FIXTURES / "saved_page.mht").read_bytes(), "a.mht", LIMITS)
    assert document.text == "Heat page\n\nThe pump is für heating and the brine flows through the borehole."


NOTES = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE en-export SYSTEM "http://xml.evernote.com/pub/evernote-export4.dtd">
<en-export><note><title>Heat &amp; brine</title><created>20250101T120000Z</created><tag>heat pumps</tag>
<note-attributes><author>Ana Silva</author></note-attributes>
<content><![CDATA[<?xml version="1.0"?><!DOCTYPE en-note SYSTEM "http://xml.evernote.com/pub/enml2.dtd">
<en-note><div>The pump runs at night.</div><div><en-todo checked="true"/>The well&nbsp;is deep.</div>
<en-media hash="ab" type="image/png"/><ul><li><div>Radiators are old.</div></li></ul></en-note>]]></content>
<resource><data encoding="base64">aGVsbG8=</data></resource></note>
<note><title>Second</title><content><![CDATA[<en-note>A tank keeps warm.</en-note>]]></content></note></en-export>"""


def test_notes_of_evernote_are_documents():
    assert format_of(NOTES.encode(), "notes.xml") is BY_NAME["evernote"]
    first, second = BY_NAME["evernote"].read(NOTES.encode(), "my.enex", LIMITS)
    assert isinstance(first, Document)
    assert isinstance(second, Document)
    parts = ["Heat & brine", "The pump runs at night.", "The well is deep.", "Radiators are old."]
    assert first.text.split("\n\n") == parts
    meta = {"title": "Heat & brine", "authors": ["Ana Silva"], "year": 2025, "author_keywords": ["heat pumps"]}
    assert (first.id, first.meta, first.warnings) == ("my.enex:1", meta, ("left out: 1 attachment",))
    assert (second.id, second.text) == ("my.enex:2", "Second\n\nA tank keeps warm.")


@pytest.mark.parametrize(
    ("form", "body", "text"),
    [
        ("plain; format=flowed", "The pump \nruns.\n-- \nAda", "The pump runs."),
        ("plain; format=flowed; delsp=yes", "A heat exchan \nger.", "A heat exchanger."),
        ("plain", "A heat \nexchanger.", "A heat exchanger."),
        ("markdown", "The *pump* runs.", "The *pump* runs."),
    ],
)
def test_lines_that_are_broken_for_the_way_are_whole(form: str, body: str, text: str):
    document = read(f"Subject: Heat\nContent-Type: text/{form}", body)
    assert body_of(document) == text
    assert document.warnings == ()
