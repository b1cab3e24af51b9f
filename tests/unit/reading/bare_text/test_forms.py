"""Letterheads, résumés, screenplays, read-me files and invoices: what their form asks for is marked, no sentence is."""

import pytest

import keywright as kw

SENTENCES = ("The brine of the borehole is cold at night.", "A diver closed the old valve in March.")
LETTER = """Brine & Sons
14 Quay Street, Lowestoft NR32 1AB
Tel: 01502 496 001

12 March 2024

Mrs J. Penrose
Mill House

Dear Mrs Penrose,

{} {}

Yours sincerely,

Tom Finch
"""
RESUME = """Curriculum Vitae

Maria Lopes

Work Experience

2018, Fellow, Full-time
{}

Education

{}

References available on request
"""
SCREENPLAY = """THE PUMP

FADE IN:

EXT. COAST - NIGHT

{}

ELSA (V.O.)
Not tonight.

CUT TO:

2. INT. BOAT - DAY

{}
"""
README = """brineplot
=========

{}

Installation
------------

Unpack it.

Usage
-----

{}

License
-------

MIT
"""
INVOICE = """Rechnung 4711

Kunde: Werft Janssen
Pos. 1  Valve

Zwischensumme 2.100,00 EUR
MwSt 19% 399,00 EUR

{} {}

IBAN DE12 3456 7890 1234 5678 90
"""
BILL = """Facture 88
TVA FR12812345678

Désignation              Qté   PU HT      Total HT
Portes en chêne massif     4   640,00     2 560,00
Montant HT                                2 560,00

{} {}
"""
PERSON = """Lebenslauf

Geburtsdatum: 14. März 1991
Anschrift: Gartenweg 8, Kiel
Familienstand: ledig

{}
{}
"""
ISSUE = """### Describe the bug
{}

### Steps to reproduce
1. Open the valve.

### Expected behavior
{}
"""
FORMS = [
    (BILL, ["TVA FR12812345678", "Désignation", "Qté", "PU HT", "Total HT", "Montant HT"]),
    (PERSON, ["Geburtsdatum", "Gartenweg", "Familienstand: ledig"]),
    (LETTER, ["Brine & Sons", "14 Quay Street", "Tel", "Mrs J. Penrose", "Mill House", "Dear", "Tom Finch"]),
    (RESUME, ["Curriculum Vitae", "Work Experience", "Full-time", "Education", "available on request"]),
    (SCREENPLAY, ["FADE IN", "EXT. COAST", "(V.O.)", "CUT TO", "INT. BOAT"]),
    (README, ["Installation", "Usage", "License"]),
    (ISSUE, ["Describe the bug", "Steps to reproduce", "Expected behavior"]),
    (INVOICE, ["Kunde", "Pos.", "Zwischensumme", "EUR", "MwSt", "IBAN DE12 3456"]),
]


def notices(text: str) -> str:
    document = kw.document(text)
    return "\n".join(document.text[part.start : part.end] for part in document.sections if part.kind == "notice")


@pytest.mark.parametrize(("form", "marked"), FORMS)
def test_what_a_form_asks_for_is_marked_and_no_sentence_is(form: str, marked: list[str]):
    found = notices(form.format(*SENTENCES))
    assert [each for each in marked if each not in found] == []
    assert [each for each in (*SENTENCES, "Not tonight.", "Unpack it.") if each in found] == []


@pytest.mark.parametrize(
    "text",
    [
        f"Usage\n\n{SENTENCES[0]}",
        f"Education\n\n{SENTENCES[0]}\n\n{SENTENCES[1]}",
        f"{SENTENCES[0]}\n\nTom Finch\nMill House\n\n{SENTENCES[1]}",
        "The boat has an int. and an ext. light. Part-time work, total recall and VAT law are subjects.",
        "The price of wheat  rose.  The amount  fell, and the quantity  too\nin 2026  by a tenth.",
        "They pay in EUR, and Europe has a date: in 1999 the client paid.",
    ],
)
def test_one_such_name_alone_and_the_same_words_in_sentences_are_text(text: str):
    assert notices(text) == ""


@pytest.mark.parametrize(("form", "title"), [(LETTER, None), (README, "brineplot"), (SCREENPLAY, "THE PUMP")])
def test_titles_of_forms(form: str, title: str | None):
    assert kw.document(form.format(*SENTENCES)).title == title
