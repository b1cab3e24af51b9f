"""Names of speakers, fields of minutes, and lines of pages are notices in each form in which people write them."""

import pytest

import keywright as kw
from keywright.core.documents import SectionKind as Kind

SPEECHES = (
    "The borehole feeds the floor of the town hall.",
    "Nobody had measured the flow temperature.",
    "A buffer tank covers the evening peak.",
    "The subsidy pays a third of the drilling costs.",
    "The school joins the network next year.",
    "We replaced the boiler two winters ago.",
)
FORMS = {
    "colon": "{name}: {speech}",
    "remark": "{name} (Northfield) (laughs): {speech}",
    "time first": "[00:0{at}:23] {name}: {speech}",
    "time behind": "{name} ({at}:05): {speech}",
    "time at the end": "{name}   0:0{at}:12\n{speech}",
    "time in brackets": "{name}  [10:0{at} AM]\n{speech}",
    "chat": "1{at}/03/2024, 10:0{at} - {name}: {speech}",
    "nick": "10:0{at} <{nick}> {speech}",
    "dash": "{name} — {speech}",
    "line": "{name}\n{speech}",
    "line and gap": "{name}\n\n{speech}",
    "office": "{name} -- Chief Executive Officer\n\n{speech}",
    "full width": "{nick}：{speech}",
    "circle": "○{nick}　{speech}",  # with the blank of the minutes of the Diet
}


def notices(document: kw.Document) -> str:
    return "|".join(
        document.text[part.start : part.end] for part in document.sections if part.kind in {Kind.NOTICE, Kind.METADATA}
    )


@pytest.mark.parametrize("form", FORMS)
def test_names_of_speakers_are_notices_in_each_form(form: str):
    names = ("Philippa Crane", "Dale Huang")
    talk = "\n\n".join(
        FORMS[form].format(name=names[at % 2], nick=names[at % 2].split()[0], at=at, speech=speech)
        for at, speech in enumerate(SPEECHES)
    )
    document = kw.document(talk)
    marked = notices(document)
    assert marked.count("Philippa") == marked.count("Dale") == 3
    assert not [speech for speech in SPEECHES if speech in marked]
    words = {word for keyphrase in kw.extract(document, top=10) for word in keyphrase.text.lower().split()}
    assert words.isdisjoint("philippa crane dale huang northfield chief executive officer am".split())


@pytest.mark.parametrize(("ask", "answer"), [("Q. ", "A. "), ("F. ", "A. "), ("Q{at}. ", "A{at}. "), ("Q: ", "A: ")])
def test_letters_of_questions_and_answers_are_notices(ask: str, answer: str):
    """An initial would join the words behind it to a name, so that these were no phrases without it."""
    lines = [f"{(answer if at % 2 else ask).format(at=at // 2 + 1)}{speech}" for at, speech in enumerate(SPEECHES)]
    document = kw.document("Heat of the town\n\n" + "\n".join(lines))
    assert all(notices(document).count(letter[0]) == 3 for letter in (ask, answer))
    assert not [phrase.text for phrase in kw.extract(document, top=30) if phrase.text[:2] in {"Q.", "A.", "F."}]


def test_letters_of_a_list_are_none():
    document = kw.document("Plan\n\nA. Budget of the city\nB. Roads of the city\nF. Parks of the city")
    assert notices(document) == ""
    document = kw.document("A. thaliana flowers early.\nA. thaliana is small.\nA. thaliana has five chromosomes.")
    assert notices(document) == ""


def test_names_in_markdown_are_notices():
    talk = "\n\n".join(f"**{'Hannah' if at % 2 else 'Joe Weiss'}:** {speech}" for at, speech in enumerate(SPEECHES))
    assert notices(kw.read(f"# Heat\n\n{talk}".encode(), name="talk.md")).count("Hannah:") == 3


def test_remarks_in_brackets_are_notices_where_people_speak():
    talk = "".join(f"ANNA: {speech}\n(Gong sounds)\n[Operator Instructions]\n" for speech in SPEECHES)
    assert notices(kw.document(talk)).count("Gong sounds") == len(SPEECHES)
    assert notices(kw.document(talk)).count("[Operator Instructions]") == len(SPEECHES)
    assert "Gong sounds" not in notices(kw.document(f"{SPEECHES[0]}\n(Gong sounds)\n{SPEECHES[1]}"))


@pytest.mark.parametrize(
    "text",
    [
        "".join(f"Apply the settings to the cluster:\n\n{{{at}}}\n\n" for at in range(3)),
        "{0} Note: it works.\n{1} But: it rests.\n{2}",
        "Heat pumps\n\n{0}\n\nBuffer tanks\n\n{1}\n\nBoreholes\n\n{2}",
        "{0} It is 10:30 now.\n{1} See https://example.org/a:b there.\n{2}",
    ],
)
def test_other_lines_are_text(text: str):
    assert notices(kw.document(text.format(*SPEECHES))) == ""


MINUTES = """Minutes of the water trust

Date: 14 February 2023
Location: Community Hall
Present: J. Arkwright, P. Nkemelu
Apologies: M. Dube

{0} {1} {2}

Next meeting: 14 March 2023
"""


def test_fields_of_minutes_are_notices():
    marked = notices(kw.document(MINUTES.format(*SPEECHES)))
    assert all(name in marked for name in ("Arkwright", "Nkemelu", "Dube", "Community Hall", "14 March"))
    recipe = f"Dune cake\n\nTime: one hour\nPlace: the oven\nDate: dried\n\n{SPEECHES[0]}"
    assert "one hour" not in notices(kw.document(recipe))


def test_facts_about_a_person_are_notices():
    box = "Ada Quill\n\nBorn\t12 May 1890\nSpouse(s)\tJohn Marsh\nRelatives\tsiblings: Mary\n\n"
    marked = notices(kw.document(box + " ".join(SPEECHES)))
    assert "siblings" in marked
    assert "Spouse(s)" in marked


@pytest.mark.parametrize(
    "line",
    [
        "Jump to navigation", "From Wikipedia, the free encyclopedia", "Share this:", "Leave a comment",
        "Your email address will not be published.", "This page was last edited on 3 May 2024.", "Recording started.",
        "Hidden categories: Articles with short description", "Aus Wikipedia, der freien Enzyklopädie", "Lire la suite",
    ],
)  # fmt: skip
def test_lines_of_pages_are_notices(line: str):
    prose = " ".join(SPEECHES)
    assert line in notices(kw.document(f"Heat in the town\n\n{line}\n\n{prose}\n\n{prose}"))
    assert line in notices(kw.document(f"{prose}\n\n{prose * 40}\n\n{line}"))


HEADINGS = (
    "1. Apologies for absence", "2. Minutes of the last meeting", "Matters arising", "Any other business", "AOB",
    "Date of next meeting", "The meeting closed at 9.15 pm.", "TOP 1: Begrüßung", "Verschiedenes", "Questions diverses",
    "Approbation du procès-verbal", "Ruegos y preguntas", "Rondvraag", "Apologies were received from M. Dube.",
)  # fmt: skip


@pytest.mark.parametrize("heading", HEADINGS)
def test_headings_of_every_meeting_are_notices(heading: str):
    minutes = f"Minutes of the water trust\n\nApologies\nM. Dube, A. Roy\n\n{{}}\n\n{SPEECHES[0]} {SPEECHES[1]}\n"
    assert heading in notices(kw.document(minutes.format(heading)))
    assert "M. Dube, A. Roy" in notices(kw.document(minutes.format(heading)))
    assert SPEECHES[0] not in notices(kw.document(minutes.format(heading)))
    assert heading not in notices(kw.document(f"Water in the town\n\n{SPEECHES[2]}\n\n{heading}\n\n{SPEECHES[0]}"))


@pytest.mark.parametrize(
    "greeting",
    ["Good evening", "Ladies and gentlemen", "Guten Abend", "Mesdames et messieurs", "Buenas noches", "Thank you"],
)
def test_greetings_of_those_who_speak_are_notices(greeting: str):
    talk = "".join(
        f"{'ANNA' if at % 2 else 'JO'}: {greeting}, all of us. {speech}\n" for at, speech in enumerate(SPEECHES)
    )
    assert notices(kw.document(talk)).count(greeting) == len(SPEECHES)
    assert greeting not in notices(kw.document(f"He wished her a {greeting}. {SPEECHES[0]}"))


@pytest.mark.parametrize("greeting", ["Dear Mr Roy,", "Hi all,", "Sehr geehrter Herr Roy,", "Bonjour Anne,"])
@pytest.mark.parametrize(
    "closing", ["Best regards,", "Yours sincerely", "Mit freundlichen Grüßen", "Cordialement,", "Thanks"]
)
def test_greeting_closing_and_signature_of_a_letter_are_notices(greeting: str, closing: str):
    signature = f"{closing}\n\nAnna Quill\nHead of Wells\nPhone: +44 123 456"
    marked = notices(kw.document(f"{greeting}\n\n{SPEECHES[0]} {SPEECHES[1]}\n\n{signature}\n"))
    assert marked.replace("|", "\n\n").replace("\n\n", "\n") == f"{greeting}\n{signature}".replace("\n\n", "\n")
    followed = notices(kw.document(f"{SPEECHES[0]}\n\n{closing}\n\n{SPEECHES[1]} {SPEECHES[2]}\n"))
    assert SPEECHES[1] not in followed
    paper = f"{SPEECHES[0]} {SPEECHES[1]} {SPEECHES[2]}\n\n" * 200  # which quotes a letter, as studies of mail do
    assert len(paper) > 20_000
    marked = notices(kw.document(f"{paper}{greeting}\n\n{SPEECHES[0]} {SPEECHES[1]}\n\n{closing}\n\n{paper}"))
    assert greeting not in marked
    assert closing not in marked


CHATS = {  # of three messages, and their heads
    "{0}\n  9:15 AM\n{text}": ("{0}",),
    "[Monday 9:15 AM] {0}\n{text}": ("[Monday 9:15 AM] {0}",),
    "{0} — Today at 9:15 AM\n{text}": ("{0} — Today at 9:15 AM",),
    "[12-May-23 09:15 AM] {0}#1187\n{text}": ("[12-May-23 09:15 AM] {0}#1187",),
    "12/05/2023, 09:15 - {0}: {text}": ("12/05/2023, 09:15 - {0}:",),
    "[12/05/2023, 09:15:02] {0}: {text}": ("[12/05/2023, 09:15:02] {0}:",),
}


@pytest.mark.parametrize("form", CHATS)
def test_names_beside_times_in_chats_are_notices_of_those_who_speak_once_as_well(form: str):
    names = ("Ann Lee", "Tom Fox", "Ann Lee")
    texts = ("the ingestion job failed again last night", "the registry rejected it", "so we alert on consumer lag")
    text = "\n".join(form.format(name, text=line) for name, line in zip(names, texts, strict=True))
    document = kw.read(text.encode(), name="chat.txt")
    notices = "\n".join(document.text[part.start : part.end] for part in document.sections if part.kind == Kind.NOTICE)
    for name, line in zip(names, texts, strict=True):
        assert all(head.format(name) in notices for head in CHATS[form])
        assert line in document.text
        assert line not in notices


def test_parts_of_a_programme_are_text():
    text = "Registration 9:00\nHeat pumps in cold climates 9:30\nHeat pumps in cold climates 11:30\nLunch 12:30\n"
    document = kw.read(text.encode(), name="programme.txt")
    assert not any(part.kind == Kind.NOTICE for part in document.sections)


def test_measures_of_ingredients_are_notices_where_spoons_are():
    text = "Soup\n\n- 2 EL Rapsöl\n- 1 TL Senf\n- 800 g smoked eel\n1½ tbsp oil\n3 eggs\n\nBoil 2 l of water.\n"
    assert notices(kw.document(text)).split("|") == ["- 2 EL", "- 1 TL", "- 800 g", "1½ tbsp"]
    assert notices(kw.document("Sizes\n\n5 g of salt\n2 l of water\n")) == ""


@pytest.mark.parametrize(
    "line",
    [
        "<Media omitted>", "Ann Lee: image omitted", "Ann Lee: This message was deleted", "Ann Lee: Missed voice call",
        "3 replies", "Last reply today at 9:40 AM", "Pinned by Ann Lee", "Jump to Recipe", "Prep Time: 15 mins",
        "★★★★★ 4.8 (213 ratings)", "Easy Apply", "Seniority level: Mid-Senior", "Ann Lee: map-0004.jpg (file attached)",
        "<attached: 0004-map.jpg>", "18:02 -!- ann [a@b.example] has quit [Ping timeout]", "--- Log opened Tue Mar 12",
        "Invoice Date: 14 March 2024", "Kundennummer: 55123", "Fat: 22 g", "Eiweiß 28 g", "Salt: 2.1 g", "Serves 4",
        "Assignee: alee", "Livraison gratuite", "Verified purchase", "by ann_lee » Tue Mar 05, 2024 9:14 pm",
    ],
)  # fmt: skip
def test_lines_of_chats_recipes_and_advertisements_are_notices(line: str):
    document = kw.read(f"The tap is cracked.\n\n{line}\n\nThe water butt leaks.\n".encode(), name="a.txt")
    notices = " ".join(document.text[part.start : part.end] for part in document.sections if part.kind == Kind.NOTICE)
    assert notices == line.removeprefix("Ann Lee: ")
