"""What is not of a text's subject is read and marked, and short lines are sentences of their own."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

import keywright as kw
from keywright.core.documents import Document, Section
from keywright.core.documents import SectionKind as Kind
from keywright.reading.bare_text.asides import mark_asides
from keywright.reading.formats.html import read_html
from keywright.reading.limits import Limits
from keywright.text.analyser import TextAnalyser

PROSE = "The borehole pump feeds the floor of the house. "


def notices(text: str) -> list[str]:
    document = kw.document(text)
    return [document.text[part.start : part.end].strip() for part in document.sections if part.kind == Kind.NOTICE]


@pytest.mark.parametrize(
    "aside",
    [
        "[citation needed]", "[clarification needed]", "[by whom?]", "[Einzelnachweis fehlt]", "[réf. nécessaire]",
        "[cita requerida]", "[senza fonte]", "[carece de fontes?]", "[bron?]", "[potrzebny przypis]", "[lähde?]",
        "[источник не указан 210 дней]", "[来源请求]", "[要出典]", "[출처 필요]", "[بحاجة لمصدر]", "[نیازمند منبع]",
        "[kaynak belirtilmeli]", "[källa behövs]", "[εκκρεμεί παραπομπή]", "[cần dẫn nguồn]", "[דרוש מקור]",
        "[उद्धरण चाहिए]", "[butuh rujukan]", "[edit source]",
    ],
)  # fmt: skip
def test_remarks_of_editors_are_notices(aside: str):
    assert notices(f"{PROSE.strip()}{aside} {PROSE}") == [aside]
    assert notices(f"The borehole pump{aside} feeds the floor.") == [aside]


def test_tags_and_entities_in_a_text_of_python_are_notices():
    text = "<p>The <b>borehole</b> pump &amp; the floor.</p><pre>a()</pre>"
    assert notices(text) == ["<p>", "<b>", "</b>", "&amp;", "</p>", "<pre>", "</pre>"]
    assert kw.document(text).text == text
    assert notices("AT&T; a<b and c>d; <T> in List<String> &none") == []


def test_a_mark_of_what_others_wrote_is_a_notice():
    assert notices("RT @nasa: The borehole pump feeds the floor.") == ["RT"]
    assert notices("The borehole pump of RT feeds the floor of a@nasa.") == []


@pytest.mark.parametrize(
    "aside",
    [
        "[laughs]", "[Laughter]", "(Applause)", "(laughter and applause)", "[inaudible 00:12]", "[soft music playing]",
        "♪ la la la ♪", "(Beifall bei der SPD)", "(Zuruf von der CDU/CSU)", "(Applaudissements)", "(Rires)", "[pause]",
        "{{ macro | value }}", "{% raw %}", "{:toc}", "[@foo2020; @bar_1]", "@foo2020", "$O(n \\log n)$", "\\noindent",
        "{{cite web|url=x}}", "[citation needed]", "[sic]", ":tada:", ":white_check_mark:", ":+1:", "(m/f/d)", "(H/F)",
        "(w/m/div.)", "[Verse 1]", "[Chorus]", "[Bridge: Ann]",
    ],
)  # fmt: skip
def test_directions_macros_keys_and_formulas_are_notices(aside: str):
    assert notices(f"{PROSE}{aside} {PROSE}") == [aside]
    words = {keyphrase.text.lower() for keyphrase in kw.extract(kw.document(f"{PROSE}{aside} {PROSE * 3}")).keyphrases}
    assert not [word for word in words if word in aside.lower()]


@pytest.mark.parametrize(
    "text",
    [
        "He said the [heat] pump works, and CO[2] is a gas.", "It costs $5, and $10 for two.", "Ask me@example.org.",
        "A (small) pump in [12] and [3, 4].", "We met at 10:30. Note: it works.", "C:\\Users\\me\\pumps", "a > b",
        "We bake cookies with butter.", "Musical pumps (of 1990) and a silent one [for cellars].", "The set {a, b}.",
        "At 12:30:15 the ratio (m/m) was 3 (W/m).", "std::vector::size, ns:name and a:b:c are names.",
        "The hotel telephone rang, and a fax came.",
    ],
)  # fmt: skip
def test_other_brackets_and_signs_are_text(text: str):
    assert notices(text) == []


@pytest.mark.parametrize(
    ("label", "line"),
    [
        ("tel.", "Call us (tel. 0113 496 0000) or write."), ("fax ", "Our fax 020 7946 0958 is on."),
        ("ext. ", "Ask for ext. 12 there."), ("e-mail ", "Or e-mail jane@example.org today."),
        ("m/w/d", "Chef m/w/d ist"), ("TOP 2", "TOP 2: Wasser"), ("Photo: Jo Marsh/PA", "A sluice. Photo: Jo Marsh/PA"),
    ],
)  # fmt: skip
def test_labels_of_numbers_inside_lines_are_notices(label: str, line: str):
    assert notices(f"{PROSE}{line}") == [label.strip()]


@pytest.mark.parametrize(
    "line",
    [
        "Tel: +44 20 7946 0958", "Fax : 01 23 45 67 90", "USt-IdNr.: DE123456789", "Partita IVA: 01234567890",
        "КПП: 123", "Mo-Fr 9-17 Uhr", "電話：03-1234-5678", "Opening hours: Mon-Fri", "Mon-Fri 9am-5pm",
        "lundi-vendredi 9h-17h", "Add to cart", "Read more »", "12 comments", "1.2k shares", "5 min read",
        "Accept all", "Alle ablehnen", "Tout refuser", "Saiba mais", "Читать далее",
        "Terms of Service | Privacy Policy | Sitemap", "Powered by WordPress", "Join our newsletter", "First name *",
        "Last updated: 12 March 2024", "Forgot your password?", "Envoyé de mon iPhone", "Tutti i diritti riservati",
        "Diese E-Mail enthält vertrauliche Informationen.", "Questo messaggio contiene dati riservati.",
        "Page 3 of 12", "By Ada Fenwick", "Words by Ada Fenwick and Jo Marsh", "Von Ada Fenn, Emden",
        "— Ada Fenwick, 1911", "Published 12 March 2024, 07:30 GMT", "Stand: 12.03.2024, 07:30 Uhr",
        "Can't read this email? View it in your browser", "All notable changes to this project are in this file.",
    ],
)  # fmt: skip
def test_lines_of_sites_shops_and_firms_are_notices(line: str):
    assert notices(f"{PROSE}\n\n{line}\n\n{PROSE}") == [line]


@pytest.mark.parametrize(
    "line",
    [
        "Search",
        "Next steps",
        "Sharing of heat",
        "Accepted practice: two pumps",
        "Terms: heat, pump",
        "To 5 houses",
        "Print media",
        "Privacy",
        "Telephone networks",
        "Tags: heat pump, brine",
        "Design is hard by nature",
        "By heat pump alone",
        "Von Neumann Machines",
        "Published work 12",
        "Salt: a history",
        "– Heat Pump",
    ],
)
def test_like_lines_are_text(line: str):
    assert notices(f"{PROSE}\n\n{line}\n\n{PROSE}") == []


@pytest.mark.parametrize(
    ("printed", "title", "signs"),
    [
        ("Heat Pump Engineer (m/f/d)", "Heat Pump Engineer", "(m/f/d)"),
        ("Heat Pump Engineer (f/m/x) in Leeds", "Heat Pump Engineer in Leeds", "(f/m/x)"),
        ("Heat Pump Engineer m/f/d, Leeds", "Heat Pump Engineer, Leeds", "m/f/d"),
        ("(m/w/d) Koch in Emden", "Koch in Emden", "(m/w/d)"),
        ("Ingenieur*in (d/m/w) Wärme", "Ingenieur*in Wärme", "(d/m/w)"),
        ("Ingénieur (H/F) en pompes", "Ingénieur en pompes", "(H/F)"),
        ("Kok m/v/x voor keuken", "Kok voor keuken", "m/v/x"),
        ("Engineer (all genders) - Brine", "Engineer - Brine", "(all genders)"),
        ("Flow of brine (W/m) and H/D ratios", "Flow of brine (W/m) and H/D ratios", ""),
    ],
)
@pytest.mark.parametrize(
    ("form", "name"), [("{}\n\n{}", "a.txt"), ("# {}\n\n{}", "a.md"), ("<h1>{}</h1><p>{}", "a.html")]
)
def test_signs_of_sexes_are_no_part_of_a_title(form: str, name: str, printed: str, title: str, signs: str):
    document = kw.read(form.format(printed, PROSE * 3).encode(), name=name)
    assert document.title == title
    marked = [document.text[part.start : part.end] for part in document.sections if part.kind == "notice"]
    assert "".join(marked).strip() == signs
    assert not [
        each.text for each in kw.extract(document, top=30).keyphrases if signs and signs.strip("()") in each.text
    ]


def test_names_of_speakers_are_notices_where_they_speak_again():
    talk = "ANNA: The pump works.\nJo Roy (host) [00:12]: It rests.\nANNA: It does.\n- Jo Roy (host) [01:12]: Fine.\n"
    assert notices(talk) == ["ANNA:", "Jo Roy (host) [00:12]:", "ANNA:", "Jo Roy (host) [01:12]:"]
    assert notices("Note: the pump works.\nBut: it rests.\n") == []


def test_heads_and_quotes_of_mails_are_notices():
    head, wrote = "From: a@b.example\nTo: d\nSubject:", "On Mon, 3 May 2020, Jo wrote:\n> the valve\n> is broken"
    inner = "-----Original Message-----\nFrom: Jo\nSent: Monday\nSubject: Valve"
    mail = f"{head} Pumps\n\nThe pump works.\n\n{wrote}\n\nBest\n\n{inner}\n\nThe valve.\n\n-- \nJo Smith"
    assert notices(mail) == [head, wrote, "Best", inner, "-- \nJo Smith"]
    assert notices("Sizes:\n> 3 metres\n> 4 metres") == []


def test_banners_about_cookies_are_notices():
    banner = "We use cookies to improve this site. Accept all cookies or manage preferences."
    assert notices(f"{banner}\n\n{PROSE}") == [banner]
    page = read_html(f"<p>{PROSE}</p><p>{banner}</p><p>{PROSE * 3}</p>".encode(), "x.html", Limits())
    assert [page.text[part.start : part.end] for part in page.sections if part.kind == Kind.NOTICE] == [banner]


@pytest.mark.parametrize(
    "text",
    [
        "Superlight SteelSeries Aerox\nLogitech Superlight\nRazer Viper Mini",
        "Roses are red\nViolets are blue\nSugar is sweet\nAnd so are you",
        f"Heat Pump Store\nBuffer Tank\n{PROSE * 3}",
        f"{PROSE * 4}\n\nMice\nHeat Pump\nBuffer Tank\nFloor\n\n{PROSE * 2}",
    ],
)
def test_no_phrase_crosses_the_end_of_a_short_line(text: str):
    document = kw.document(text)
    columns = TextAnalyser("en").analyse(document)
    lines = [document.text.count("\n", 0, start) for start in columns.start.tolist()]
    pairs = zip(lines, lines[1:], columns.sentence.tolist(), columns.sentence.tolist()[1:], strict=False)
    assert all(sentence != following for line, next_line, sentence, following in pairs if line != next_line)


def test_wrapped_lines_are_one_sentence():
    text = "The pump of the old house feeds the floor and the\nGeothermal Store of the street, which is old\nand new."
    columns = TextAnalyser("en").analyse(kw.document(text))
    assert set(columns.sentence.tolist()) == {0}


PIECES = ["a b", "[laughs]", "\n", "Big: c", "{{x}}", "> q", ". ", "$x_1$", "(Applause)"]


@given(st.lists(st.sampled_from(PIECES), max_size=30))
def test_sections_stay_in_order_and_titles_whole(pieces):
    text = "".join(pieces)
    middle = len(text) // 2
    for kind in (Kind.TITLE, Kind.ABSTRACT):
        sections = mark_asides(text, (Section(kind, 0, middle),), is_bare=True)
        assert Document("d", text, sections).sections == sections
        covered = sum(part.end - part.start for part in sections if part.kind == kind)
        speaks = text.startswith("Big: c")  # no title, where the same speaker is named again
        assert covered in ({0, middle} if speaks else {middle}) if kind == Kind.TITLE else covered <= middle


@pytest.mark.parametrize("sign", ["x[", "x[[", "([", "{{", "{%", "$_", "$$", "[@", "♪", "x: "])
def test_signs_without_an_end_take_linear_time(sign: str):
    def measure_seconds(times: int) -> float:
        began = time.process_time()
        mark_asides(sign * times, (), is_bare=True)
        return time.process_time() - began

    fast = min(measure_seconds(5_000) for _ in range(3))
    assert min(measure_seconds(20_000) for _ in range(3)) < 8 * fast + 0.1  # 4 where linear, 16 where square
