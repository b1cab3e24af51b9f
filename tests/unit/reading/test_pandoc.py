"""Formats that pandoc reads or writes: one example in all of them, what is left out, and a pandoc that fails."""

import re
import time
from functools import partial
from pathlib import Path

import pytest
from tests.unit.reading.made_by_pandoc import EXAMPLES, FORMATS, make_file

from keywright.core.documents import Document
from keywright.core.documents import SectionKind as Kind
from keywright.core.errors import BrokenFile, EmptyInput, MissingExtra, TooLarge
from keywright.reading.formats import format_of, pandoc
from keywright.reading.formats.docx import read_docx
from keywright.reading.formats.markdown import read_markdown
from keywright.reading.limits import Limits

LIMITS = Limits()
MARKDOWN = read_markdown((EXAMPLES / "article.md").read_bytes(), "article.md", LIMITS)
WORD = read_docx((EXAMPLES / "article.docx").read_bytes(), "article.docx", LIMITS)


def read(data: bytes | str, name: str) -> Document:
    data = data.encode() if isinstance(data, str) else data
    (document,) = format_of(data, name).read(data, name, LIMITS)
    assert isinstance(document, Document)
    return document


def words(text: str) -> str:
    return " ".join(re.findall(r"\w+", text))


@pytest.mark.parametrize("source", [MARKDOWN, WORD], ids=["markdown", "word"])
@pytest.mark.parametrize("ending", FORMATS)
def test_the_example_is_read_as_in_its_first_format(ending: str, source: Document):
    document = read(make_file(ending, source.id), f"article.{ending}")
    paragraphs = [block for block in source.text.split("\n\n") if not block.startswith("Keywords")]
    missing = [block for block in paragraphs if words(block) not in words(document.text)]
    # A wiki has the title in its name, and pandoc writes the caption of a picture that is not there as a comment.
    assert all(block.startswith({"mediawiki": source.meta["title"], "org": "Figure 1"}[ending]) for block in missing)
    headings = {
        document.text[part.start : part.end] for part in document.sections if part.kind in {Kind.HEADING, Kind.TITLE}
    }
    assert {"1. Introduction", "2. Method"} <= headings or source is WORD
    assert document.section(Kind.TITLE) == source.meta["title"] or ending in {"rtf", "mediawiki"}
    assert document.coverage
    assert document.coverage.read <= document.coverage.given
    if source is MARKDOWN and ending not in {"pptx", "rtf", "odt", "tex"}:  # pandoc marks no code there as such
        assert any("1 code block" in warning and "1 table" in warning for warning in document.warnings)


@pytest.mark.parametrize("ending", ["epub", "odt", "pptx"])
def test_archives_are_recognised_by_their_content(ending: str):
    assert format_of(make_file(ending), "article").short_name == ending


LATEX = r"""\documentclass{article}
\usepackage[latin1]{inputenc}
\title{Heat pumps \& brine}\author{Ada Example \and Li Wei}\date{2019}
\keywords{brine; heat pump}
\begin{document}\maketitle
\begin{abstract}We study $\alpha$-stable \emph{random walks} \cite{foo2020} in W?rme.\end{abstract}
\section{Introduction}\label{sec:one}
The exchanger\footnote{A note.} is filled, as in Section~\ref{sec:one}.
\input{other}
\begin{table}\caption{A caption.}\begin{tabular}{l}cell\end{tabular}\end{table}
\begin{thebibliography}{9}\bibitem{foo2020} Foo Bar. A book. 2020.\end{thebibliography}
\end{document}"""


def test_nothing_that_is_shown_is_lost_in_silence():
    paper = (
        r"\documentclass{article}\begin{document}\begin{abstract}Dunes move.\end{abstract}"
        r"\marginpar{The wind moves them along the coast.} Sand is loose.\end{document}"
    )
    document = read(paper.encode(), "paper.tex")
    assert document.section(Kind.ABSTRACT) == "Dunes move."
    assert document.warnings == ("left out: 1 unknown command",)
    paragraphs = "<abstract><para>Dunes move.</para></abstract><para>Sand.</para>"
    article = f"<article xmlns='http://docbook.org/ns/docbook'><title>T</title>{paragraphs}</article>"
    assert read(article.encode(), "a.dbk").text.count("Dunes move.") == 1


def test_latex():
    document = read(LATEX.encode().replace(b"?", b"\xe4"), "paper.tex")
    assert document.section(Kind.TITLE) == "Heat pumps & brine"
    assert document.meta["authors"] == ["Ada Example", "Li Wei"]
    assert document.meta["author_keywords"] == ["brine", "heat pump"]
    assert document.meta["year"] == 2019
    assert document.section(Kind.ABSTRACT) == "We study -stable random walks in Wärme."
    assert "The exchanger is filled, as in Section 1." in document.text
    assert document.section(Kind.CAPTION) == "A caption."
    assert "Foo Bar. A book. 2020." in (document.section(Kind.REFERENCES) or "")
    assert "cell" not in document.text
    assert document.warnings[0] == "left out: 1 included file, 1 formula, 1 footnote, 1 table"


ORG = "#+TITLE: Brine\n#+KEYWORDS: heat\n* TODO Pumps :tag:\nThey run.[fn:1]\n[fn:1] Note.\n"
WIKI = "'''Brine''' flows.{{citation needed}}<ref>Book.</ref>\n[[File:a.jpg|thumb|A pump]]\n[[Category:Heat]]"
RTF = r"{\rtf1\ansi\ansicpg1251 \'c2\'ee\'e4\'e0 \b flows\b0 . \u1042\'c2\par}"
FONTS = (
    r"{\rtf1\ansi\deff0{\fonttbl{\f0\fnil\fcharset0 Arial;}{\f1\fnil\fcharset204 Arial Cyr;}{\f2\fcharset177 David;}}"
    r"caf\'e9 {\f1 \'c2\'ee\'e4\'e0} {\f2\fs20 \'f9\'ec\'e5\'ed} \'e9\f1 \'c2\plain \'e9\par}"
)
RUSSIAN = "Насосы каждое лето тянут соль из прибрежного горизонта. Датчики сообщают уровень воды каждый час."
CODES = "".join(c if c.isascii() else f"\\'{c.encode('cp1251').hex()}" for c in RUSSIAN)
SYMBOLS = (
    r"{\rtf1\ansi{\fonttbl{\f0 Times;}{\f1\ftech\fcharset2 Symbol;}}{\f1 a}-particles, {\f1\'62\'b3}\f0 a \'e9\par}"
)
SUBSTITUTES = r"{\rtf1\ansi \uc1 The brine\u8217?s caf\u233e {\u233?t\u233?} \u8211-x \\u8217?s \u233\'e9.\par}"
DELETED = r"{\rtf1\ansi It {\deleted ran}flows\deleted  down\deleted0 . {\upr{a}{\*\ud{\u1042 ?}}}\par}"
FB2 = (
    "<?xml version='1.0' encoding='windows-1251'?><FictionBook xmlns='http://www.gribuser.ru/xml/fictionbook/2.0'>"
    "<description><title-info><author><first-name>Anna</first-name><last-name>Nowak</last-name></author>"
    "<book-title>Насосы</book-title><keywords>соль, вода</keywords><lang>ru</lang></title-info></description>"
    "<body><section><title><p>One</p></title><p>Соль течёт.<a l:href='#n1' type='note' "
    "xmlns:l='http://www.w3.org/1999/xlink'>1</a></p></section></body>"
    "<body name='notes'><section id='n1'><p>Book.</p></section></body>"
    "<binary id='a.jpg' content-type='image/jpeg'>/9j/4AAQ</binary></FictionBook>"
).encode("cp1251")
DOCBOOK = "<article lang='fr'><keywordset><keyword>eau</keyword></keywordset><para>Elle coule.</para></article>"


@pytest.mark.parametrize(
    ("name", "source", "text", "left_out"),
    [
        ("a.org", ORG, "Brine\n\nPumps\n\nThey run.", "1 footnote"),
        ("a.rst", "Brine\n=====\n\n.. note:: It flows.\n\n.. include:: b\n", "Brine\n\nIt flows.", "1 included file"),
        ("a.rst", "Output::\n\n  {'a': 'much code'}\n\n  more of this code\n", "Output:", "1 code block"),
        ("a.adoc", "= Brine\n\nIt flows.\ninclude::b.adoc[]\n", "Brine\n\nIt flows.", "1 included file"),
        ("a.adoc", "= Brine\n\nIt flows.\n\n----\ncode\n", "Brine\n\nIt flows.", "1 code block"),
        ("a.wiki", WIKI, "Brine flows.\n\nA pump", "1 template, 1 footnote"),
        ("a.rtf", RTF, "Вода flows. В", ""),
        ("a.rtf", FONTS, "café Вода שלום éВé", ""),
        ("a.rtf", rf"{{\rtf1\ansi {CODES}\par}}", RUSSIAN, ""),
        ("a.rtf", SYMBOLS, "α-particles, β≥a é", ""),
        ("a.rtf", SUBSTITUTES, "The brine’s café été –x \\u8217?s é.", ""),
        ("a.rtf", DELETED, "It flows. В", ""),
        ("a.dbk", DOCBOOK, "Elle coule.", ""),
        ("a.fb2", FB2, "Насосы\n\nOne\n\nСоль течёт.", "1 footnote"),
    ],
)
def test_other_markup(name: str, source: str | bytes, text: str, left_out: str):
    document = read(source, name)
    assert document.text == text
    assert document.warnings == ((f"left out: {left_out}",) if left_out else ())


def test_keywords_and_language_beside_the_text():
    assert read("#+KEYWORDS: heat, brine\nIt flows.", "a.org").meta["author_keywords"] == ["heat", "brine"]
    assert read(DOCBOOK, "a.dbk").language == "fr"
    assert read(DOCBOOK, "a.dbk").meta["author_keywords"] == ["eau"]
    book = read(FB2, "a.fb2")
    assert (book.language, book.title) == ("ru", "Насосы")
    assert book.meta["author_keywords"] == ["соль", "вода"]


def test_keywords_and_classes_of_publishers_in_latex():
    front = r"\begin{keyword}brine \sep heat pump\end{keyword}\begin{CCSXML}<ccs2012>\end{CCSXML}"
    paper = (
        rf"\documentclass{{elsarticle}}\title{{Heat}}\begin{{document}}{front}\section{{One}}It flows.\end{{document}}"
    )
    document = read(paper, "a.tex")
    assert "ccs2012" not in document.text
    assert [" ".join(part.split()) for part in (document.section(Kind.KEYWORDS) or "").split(",")] == [
        "brine",
        "heat pump",
    ]


def test_words_in_unknown_commands_of_latex_are_read():
    entry = r"\cventry{2010}{Hydrologist}{Water Board}{}{Measured \textbf{the flow} of rivers.}"
    beside = r"\setbeamertemplate{navigation symbols of slides}{}" + "\n" + r"\begin{document}"
    slide = r"\tikzset{every node/.style={draw, fill, very thick}} \note{Say hello to all.} I \only<2->{swim on it}."
    box = r"\mybox[wide]{A box says this.} \cvitem{Languages}{Welsh}"
    body = f"{entry}\n{slide} {box}\n\\end{{document}}"
    document = read(f"\\documentclass{{cv}}{beside}\n{body}", "a.tex")
    text = " ".join(document.text.split())
    assert text == "2010; Hydrologist; Water Board;; Measured the flow of rivers. I swim on it. A box says this."
    assert document.warnings == ("left out: 2 unknown commands",)


def test_latex_that_pandoc_cannot_read_is_read_as_plain_text():
    document = read(r"\documentclass{article} \begin{document} {{{ The brine flows.", "a.tex")
    assert "The brine flows." in document.text
    assert any("read as plain text" in warning for warning in document.warnings)


def test_groups_of_rtf_that_are_nested_too_deeply():
    document = read(r"{\rtf1 The brine" + "{ " * 200 + "flows." + "}" * 201, "a.rtf")
    assert "The brine flows." in " ".join(document.text.split())
    with pytest.raises(BrokenFile, match="nested too deeply"):
        read(r"{\rtf1 The brine" + "{" * 5_000 + "}" * 5_000 + " flows.}", "a.rtf")


def test_entities_of_its_own_are_refused_in_docbook():
    with pytest.raises(BrokenFile, match="entities"):
        read(
            '<!DOCTYPE article [<!ENTITY x SYSTEM "file:///etc/hostname">]><article><para>&x;</para></article>', "a.dbk"
        )


def test_no_other_file_is_read(tmp_path: Path):
    secret = tmp_path / "secret.txt"
    secret.write_text("Secret words.")
    for name, source in (("a.rst", f".. include:: {secret}\n"), ("a.tex", rf"\input{{{secret}}}")):
        with pytest.raises(EmptyInput):
            read(source, name)


def test_without_pandoc_the_error_names_the_line_that_installs_it(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(pandoc.importlib.util, "find_spec", lambda _name: None)
    monkeypatch.setattr(pandoc.shutil, "which", lambda _name: None)
    with pytest.raises(MissingExtra) as caught:
        read("Brine", "a.rst")
    assert 'pip install ".[formats]"' in caught.value.hint


@pytest.mark.parametrize(
    ("script", "error", "message"),
    [
        ("exec sleep 60", TooLarge, "not read by pandoc within 0.5 seconds"),
        ("while :; do :; done", TooLarge, "not read by pandoc within 0.5 seconds"),
        ("kill -9 $$", BrokenFile, "broke pandoc"),
        ("exit 251", TooLarge, "needs more than 2 GB of memory"),
        ("exit 6", MissingExtra, "is too old to read a.dbk"),
        ("exit 21", MissingExtra, "is too old to read a.dbk"),
        ("echo Why not >&2; exit 64", BrokenFile, "Why not"),
    ],
)
def test_a_pandoc_that_fails(
    script: str, error: type[Exception], message: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    program = tmp_path / "pandoc"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setattr(pandoc, "find_pandoc", partial(str, program))
    start = time.monotonic()
    with pytest.raises(error, match=message):
        pandoc.read_docbook(b"<article><para>Brine</para></article>", "a.dbk", Limits(seconds=0.5))
    assert time.monotonic() - start < 20


@pytest.mark.parametrize("begin", [r"{\rtf1\ansi ", r"{\rtf1\ansi\ansicpg1251 "])
def test_raw_characters_of_code_pages_in_rtf(begin: str):
    data = begin.encode() + RUSSIAN.encode("cp1251") + rb"\par}"
    assert next(iter(format_of(data, "a.rtf").read(data, "a.rtf", Limits()))).text == RUSSIAN
