"""Running heads, publishers' notes, captions and section names of bare texts."""

import pytest

from keywright.core.documents import Document
from keywright.core.documents import SectionKind as Kind
from keywright.reading.bare_text.sections import find_sections

PAGE = "".join(f"Sentence {number} of the page is about dunes and the wind that moves them.\n" for number in range(30))


def marked(text: str, kind: Kind) -> list[str]:
    return [text[section.start : section.end] for section in find_sections(text) if section.kind == kind]


def test_running_heads_are_notices_whatever_their_page_number():
    pages = [f"{PAGE}\n{number} Letters of the Coast 2004\n\nCosta et al.\n\n" for number in range(1, 5)]
    assert marked("".join(pages), Kind.NOTICE) == [
        line for number in range(1, 5) for line in (f"{number} Letters of the Coast 2004", "Costa et al.")
    ]


@pytest.mark.parametrize(
    "line",
    [
        "Sphagnum",  # a term on a line of its own
        "Costa et al. 2004",  # a citation
        "3.1 Height of dunes",  # a numbered heading
        "it is repeated",
        "It is a sentence.",
    ],
)
def test_other_repeated_lines_are_text(line: str):
    assert marked(f"{PAGE}\n{line}\n\n" * 4, Kind.NOTICE) == []


def test_refrains_are_closer_than_pages():
    verse = "We walk along the coast\nand look at every dune\n\nOh the wind and the sand\n\n"
    assert find_sections(verse * 40) == ()


@pytest.mark.parametrize(
    "note",
    [
        "© 2004 The Coast Press",
        "All rights reserved.",
        "Received 4 February 2004; accepted 18 March 2004",
        "Recibido: 4 de febrero de 2004",
        "Downloaded from dunes.example.org on May 7, 2008",
        "ISSN 0123-4567",
        "doi:10.1234/dunes.77",
        "This is an open-access article distributed under the terms of a licence.",
        "The designations employed in this publication do not imply any opinion.",
    ],
)
def test_notes_of_publishers(note: str):
    assert marked(f"Dunes and wind\n\n{PAGE}\n{note}\n\n{PAGE}", Kind.NOTICE) == [note]


@pytest.mark.parametrize(
    "line",
    [
        "We received 40 answers and accepted all of them.",
        "Copying of dunes is allowed.",
        "The open access to the beach is closed in winter.",
        "Volume and height of dunes were measured in 2004.",
    ],
)
def test_sentences_are_not_notes(line: str):
    assert marked(f"Dunes and wind\n\n{PAGE}\n{line}\n\n{PAGE}", Kind.NOTICE) == []


def test_notes_run_over_lines():
    note = (
        "All rights reserved. No part of this publication may be reproduced in any form or\n"
        "stored in a system for retrieval without the written permission of the owner.\n"
    )
    text = f"Dunes and wind\n\n{PAGE}\n{note}{PAGE}"
    assert marked(text, Kind.NOTICE) == [note.strip()]


@pytest.mark.parametrize(
    "caption",
    [
        "Figure 3: Height of dunes.",
        "Figure 3 | Height of dunes.",
        "Figura 3. Altura de las dunas.",
        "Abbildung 3: Höhe der Dünen.",
        "Tabela 2. Altura das dunas.",
        "Tableau 2 : Hauteur des dunes.",
        "Rys. 1. Wysokość wydm.",
    ],
)
def test_captions(caption: str):
    assert marked(f"{PAGE}\n{caption}\n\n{PAGE}", Kind.CAPTION) == [caption]


@pytest.mark.parametrize(
    "name", ["Results", "Materials and Methods", "Resultados", "Ergebnisse", "Wyniki", "Matériel et méthodes"]
)
def test_section_names_alone_on_a_line_are_headings(name: str):
    text = f"Introduction\n{PAGE}\n{name}\n{PAGE}"
    assert marked(text, Kind.HEADING) == ["Introduction", name]
    assert marked(text, Kind.INTRODUCTION) == [PAGE.strip()]


@pytest.mark.parametrize(
    ("abstract", "keywords", "introduction", "references"),
    [
        ("Resumen", "Palabras claves", "1. Introducción", "Referencias"),
        ("Résumé", "Mots-clés", "Introduction", "Bibliographie"),
        ("Zusammenfassung", "Schlüsselwörter", "1 Einleitung", "Literatur"),
        ("Resumo", "Palavras-chave", "1. Introdução", "Referências"),
        ("Streszczenie", "Słowa kluczowe", "Wstęp", "Piśmiennictwo"),
    ],
)
def test_papers_in_other_languages(abstract: str, keywords: str, introduction: str, references: str):
    text = (
        f"Sand und Wind\nAna Costa, Li Wei\n\n{abstract}\n{PAGE}\n{keywords}: sand, wind.\nEs gibt\n\n"
        f"{introduction}\n{PAGE}\n{references}\n[1] Costa, A. Sand. 2001.\n"
    )
    document = Document("text", text, find_sections(text))
    assert document.section(Kind.ABSTRACT) == PAGE.strip()
    assert document.section(Kind.KEYWORDS) == "sand, wind."
    assert document.section(Kind.INTRODUCTION) == PAGE.strip()
    assert document.section(Kind.REFERENCES) == "[1] Costa, A. Sand. 2001."


def test_an_abstract_without_heading_is_between_authors_and_keywords():
    prose = PAGE[:800].rpartition("\n")[0]
    front = f"Dunes and wind\nAna B. Costa1 and Li Wei2\n1 A University\n\n{prose}\n\nKeywords: sand; wind\n\n"
    text = f"{front}Introduction\n{PAGE}"
    document = Document("text", text, find_sections(text))
    assert document.section(Kind.AUTHORS) == "Ana B. Costa1 and Li Wei2\n1 A University"
    assert document.section(Kind.ABSTRACT) == prose
