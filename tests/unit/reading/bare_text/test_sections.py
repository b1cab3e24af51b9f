"""Sections of bare text."""

import json
import sys
import time
from pathlib import Path

import pytest

from keywright.core.documents import Document
from keywright.core.documents import SectionKind as Kind
from keywright.reading.bare_text.bare_lines import find_mail
from keywright.reading.bare_text.sections import find_sections

EXAMPLES = Path(__file__).parents[4] / "examples"
TOOLS = Path(__file__).parents[4] / "tools" / "checks"


def document(text: str) -> Document:
    return Document("text", text, find_sections(text))


def headings(text: str) -> list[str]:
    return [text[found.start : found.end] for found in find_sections(text) if found.kind == Kind.HEADING]


def test_a_paper_as_pdftotext_leaves_it():
    paper = document((EXAMPLES / "article.txt").read_text(encoding="utf-8"))
    assert paper.section(Kind.TITLE) == (
        "Scheduling Irrigation with Wireless Soil Moisture Sensors:\nA Field Study in Three Orchards"
    )
    authors = paper.section(Kind.AUTHORS)
    assert authors
    assert authors.startswith("Marta Lindqvist")
    assert authors.endswith("okafor@agri.example")
    abstract = paper.section(Kind.ABSTRACT)
    assert abstract
    assert abstract.startswith("Irrigation in orchards")
    assert abstract.endswith("adaptive sampling doubled it.")
    keywords = paper.section(Kind.KEYWORDS)
    assert keywords
    assert keywords.endswith("water balance model")
    assert (paper.section(Kind.METADATA) or "").startswith("C.2.1")
    assert (paper.section(Kind.INTRODUCTION) or "").endswith("two growing seasons.")
    assert (paper.section(Kind.RELATED) or "").startswith("Early work")
    assert (paper.section(Kind.CONCLUSION) or "").endswith("sensor nodes suffice.")
    assert (paper.section(Kind.ACKNOWLEDGEMENTS) or "").endswith("their plums.")
    assert (paper.section(Kind.REFERENCES) or "").endswith("pages 101-110, 2006.")
    assert paper.section(Kind.CAPTION) == "Figure 1: A sensor node with two capacitive probes."
    assert "3.2 Water Balance Model" in headings(paper.text)
    assert len(headings(paper.text)) == 14


def test_items_of_lists_are_no_headings():
    text = (
        "A Title of Sorts\nABSTRACT\nText of it.\n1. INTRODUCTION\nWe do this:\n1. First we look at all the pages\n"
        "and read them.\n2. Write it down\n2. METHOD\nIt works.\n3 cats 4 dogs\n3. RESULTS\nGood ones.\n"
    )
    assert headings(text) == ["ABSTRACT", "1. INTRODUCTION", "2. METHOD", "3. RESULTS"]


def test_headings_may_go_on_in_the_next_line():
    text = "T\n\nABSTRACT\nText.\n1. INTRODUCTION\nText.\n2. CONCLUSIONS AND FUTURE\nWORK\nText.\n3. REFERENCES\n[1] B."
    assert "2. CONCLUSIONS AND FUTURE\nWORK" in headings(text)
    assert document(text).section(Kind.CONCLUSION) == "Text."


def test_references_end_at_an_appendix():
    text = (
        "Title\nABSTRACT\nText.\n1. INTRODUCTION\nMore.\n2. REFERENCES\n[1] A book. 2001.\nAPPENDIX\nA. PROOFS\nProof."
    )
    assert document(text).section(Kind.REFERENCES) == "[1] A book. 2001."


def test_a_figure_that_a_sentence_mentions_is_no_caption():
    front = "Title\nABSTRACT\nText.\n1. INTRODUCTION\n"
    text = front + "This is shown in\nFigure 3. The next sentence begins.\nFigure 4: A map.\n"
    assert document(text).section(Kind.CAPTION) == "Figure 4: A map."


def test_the_licence_block_is_a_notice():
    text = (
        "Title\nABSTRACT\nText.\n1. INTRODUCTION\nIt begins.\nPermission to make digital or hard copies of all\n"
        "work is granted without fee. To copy otherwise requires prior\nspecific permission and/or a fee.\n"
        "XYZ '07, Copyright 2007 ACM $5.00.\nIt goes on."
    )
    found = {section.kind: text[section.start : section.end] for section in find_sections(text)}
    assert found[Kind.NOTICE].startswith("Permission")
    assert found[Kind.NOTICE].endswith("$5.00.")
    assert found[Kind.INTRODUCTION] == "It goes on."


def test_run_in_headings():
    text = "Small Worlds\nA. Author\nAbstract—We show it.\nIndex Terms—graphs, paths\nI. INTRODUCTION\nText."
    paper = document(text)
    assert paper.section(Kind.ABSTRACT) == "We show it."
    assert paper.section(Kind.KEYWORDS) == "graphs, paths"
    assert paper.section(Kind.INTRODUCTION) == "Text."


def test_titles_of_texts_that_are_no_papers():
    assert document("Rain returns\n\nAfter three dry months it rained.").section(Kind.TITLE) == "Rain returns"
    story = "Rain returns\nAfter three dry months the rain came back on Monday, and farmers were relieved."
    assert document(story).section(Kind.TITLE) == "Rain returns"
    for text in (
        "",
        "word",
        "Just one sentence.",
        "This is wrapped text that has\nno title at all, only\nlines.",
        "\n\n",
    ):
        assert find_sections(text) == ()


def test_a_byline_may_stand_below_a_headline():
    story = "The council of the town voted on Tuesday night to keep the ferry to the island for three winters.\n"
    for byline in ("By Ilse Marten", "By JO LI and Éva Tóth, Vessby"):
        for gap in ("\n", "\n\n"):
            found = document(f"Harbour town votes to keep its night ferry{gap}{byline}\n\n{story}")
            assert found.section(Kind.TITLE) == "Harbour town votes to keep its night ferry"
    found = document(
        f"Harbour town votes to\nBy the way\n\n{story}"
    )  # no byline: the first line is not complete either
    assert found.section(Kind.TITLE) is None


def test_other_languages():
    text = "Eine Reise\n\nZusammenfassung\nDer Text.\n\nEinleitung\nHier beginnt es.\n\nLiteratur\n[1] Meier. Ein Buch."
    kinds = [section.kind for section in find_sections(text) if section.kind != Kind.HEADING]
    assert kinds == [Kind.TITLE, Kind.ABSTRACT, Kind.INTRODUCTION, Kind.REFERENCES]


@pytest.mark.parametrize(
    "text",
    ["word " * 100_000, "\n" * 100_000, "1. INTRODUCTION\n" * 12_500, "ABSTRACT\n" * 12_500, "Figure 1: a b\n" * 12_500,
     "Permission to make digital or hard\n" * 5_000, "References\n[1] x\n" * 7_500, "AND AND AND\n" * 12_500],
)  # fmt: skip
def test_hostile_texts_take_linear_time(text: str):
    def measure_seconds(part: str) -> float:
        """Return CPU seconds, the least of three."""
        seconds = []
        for _ in range(3):
            began = time.process_time()
            find_sections(part)
            seconds.append(time.process_time() - began)
        return min(seconds)

    assert measure_seconds(text) < 8 * measure_seconds(text[: len(text) // 4]) + 0.1  # 4 where linear, 16 where square


@pytest.mark.data
def test_training_papers(mirror: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.syspath_prepend(str(TOOLS))
    import section_report  # type: ignore[import-not-found]  # noqa: PLC0415 - a tool, found only now

    documents = {name: document(text) for name, text in section_report.training_papers(mirror).items()}
    assert len(documents) == 144
    for kind, least in ((Kind.TITLE, 144), (Kind.ABSTRACT, 144), (Kind.REFERENCES, 144), (Kind.INTRODUCTION, 141)):
        assert sum(1 for paper in documents.values() if paper.section(kind)) >= least
    assert sum(1 for paper in documents.values() if paper.section(Kind.CONCLUSION)) >= 131
    for line in section_report.CHECKED.read_text(encoding="utf-8").splitlines():
        truth = json.loads(line)
        assert all(section_report.judge(truth, documents[truth["id"]]).values()), truth["id"]
    sys.modules.pop("section_report")


LATEX = r"""\documentclass{article}
\title{Moving dunes of the coast}
\begin{document}
\begin{abstract}
We show that dunes move \cite{costa2001} by $x_i$.
\end{abstract}
\section{Introduction}
The wind is strong.
\begin{thebibliography}{9}
Costa, A. Dunes.
\end{thebibliography}
"""


def parts(text: str) -> list[tuple[str, str]]:
    return [(section.kind.value, text[section.start : section.end]) for section in find_sections(text)]


def test_commands_of_latex_are_notices():
    found = parts(LATEX)
    assert [part for part in found if part[0] not in {"notice", "heading"}] == [
        ("title", "Moving dunes of the coast"),
        ("abstract", "We show that dunes move"),
        ("abstract", "by"),
        ("abstract", "."),
        ("introduction", "The wind is strong."),
        ("references", "Costa, A. Dunes."),
    ]
    assert ("notice", r"\cite{costa2001}") in found
    assert ("notice", "$x_i$") in found
    assert ("heading", "Introduction") in found


def test_tagged_lines():
    text = "<title>Cocoa</title>\n<section>1</section>\n<section>Growing cocoa</section>\nIt grows on trees.\n"
    found = parts(text)
    assert [part for part in found if part[0] != "notice"] == [("title", "Cocoa"), ("heading", "Growing cocoa")]
    assert ("notice", "<section>1</section>") in found


@pytest.mark.parametrize("text", ["It costs $5 and not $6.", r"C:\new\title\x and 50% of it", "a < b and b </ c"])
def test_other_texts_have_no_markup(text: str):
    assert find_sections(text) == ()


@pytest.mark.parametrize("line", [r"\begin{equation} x", "$ ", r"\section{a", "<title>a", "</"])
def test_hostile_markup_takes_linear_time(line: str):
    began = time.process_time()
    find_sections(r"\begin{document}" + f"\n{line}" * 20_000)
    assert time.process_time() - began < 10


HEAD = "From: Ann <a@x.example>\nTo: b@x.example,\n  c@x.example\nSubject: Re: AW: Tide gauges\nDate: 9 Apr 2026\n"
BODY = "\nHi all,\n\n1. Repairs\nThe gauge in the harbour is back from repair, and drifts no more.\n\nBest,\nAnn\n"
SIGNATURE = "-- \nAnn | Harbour office\nTel. 0134\n"


def test_head_subject_message_and_signature():
    assert parts(HEAD + BODY + SIGNATURE) == [
        (Kind.METADATA, "From: Ann <a@x.example>\nTo: b@x.example,\n  c@x.example\nSubject: Re: AW:"),
        (Kind.TITLE, "Tide gauges"),
        (Kind.METADATA, "Date: 9 Apr 2026"),
        (Kind.NOTICE, "Hi all,"),
        (Kind.HEADING, "1. Repairs"),
        (Kind.NOTICE, "Best,\nAnn"),
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
