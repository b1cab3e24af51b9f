"""E-mails saved as text, by hand."""

import pytest

from keywright.core.documents import SectionKind as Kind
from keywright.reading.bare_text.bare_lines import find_mail
from keywright.reading.bare_text.sections import find_sections

HEAD = "From: Ann <a@x.example>\nTo: b@x.example,\n  c@x.example\nSubject: Re: AW: Tide gauges\nDate: 9 Apr 2026\n"
BODY = "\nHi all,\n\n1. Repairs\nThe gauge in the harbour is back from repair, and drifts no more.\n\nBest,\nAnn\n"
SIGNATURE = "-- \nAnn | Harbour office\nTel. 0134\n"


def parts(text):
    return [(found.kind, text[found.start : found.end]) for found in find_sections(text)]


def test_head_subject_message_and_signature():
    assert parts(HEAD + BODY + SIGNATURE) == [
        (Kind.METADATA, "From: Ann <a@x.example>\nTo: b@x.example,\n  c@x.example\nSubject: Re: AW:"),
        (Kind.TITLE, "Tide gauges"),
        (Kind.METADATA, "Date: 9 Apr 2026"),
        (Kind.HEADING, "1. Repairs"),
        (Kind.NOTICE, "-- \nAnn | Harbour office\nTel. 0134"),
    ]


def test_without_a_signature_the_message_ends_with_the_text():
    mail = find_mail(HEAD + BODY)
    assert mail is not None
    assert (mail.begin, mail.end) == (len(HEAD), len(HEAD + BODY))
    assert [kind for kind, _ in parts(HEAD)] == [Kind.METADATA, Kind.TITLE, Kind.METADATA]


def test_a_mail_may_have_no_subject_in_its_field():
    assert parts("From: a\nTo: b\nSubject:\n\nHi") == [(Kind.METADATA, "From: a\nTo: b\nSubject:")]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n" + HEAD,
        "From: a\nSubject: b\n\nTwo fields are too few.",
        "To: a\nDate: b\nSubject: c\n\nNobody has sent it.",
        "From: a\nTo: b\nDate: c\n\nIt has no subject.",
        "From: a\nTo: b\nSubject: c\nA line that is no field.\n\nText.",
        "Title: a\nAuthor: b\nKeywords: c\n\nText.",
        "Tide gauges\n\nFrom: a\nTo: b\nSubject: c\n",
    ],
)
def test_what_is_no_mail(text):
    assert find_mail(text) is None
