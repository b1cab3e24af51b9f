"""Marks of markup in bare texts: they are notices, and the words inside are titles and headings."""

import time

import pytest

from keywright.reading.bare_text.sections import find_sections

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
def test_hostile_texts_take_linear_time(line: str):
    began = time.process_time()
    find_sections(r"\begin{document}" + f"\n{line}" * 20_000)
    assert time.process_time() - began < 10
