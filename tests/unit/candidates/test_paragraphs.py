"""First sentences of paragraphs, by where lines begin."""

import pytest
from tests.builders import analysed

from keywright.core.documents import Section, SectionKind
from keywright.extraction.candidates.restricting import paragraph_openings


def openings(text: str, *sections: Section) -> list[str]:
    document = analysed(text, *sections)
    inside = paragraph_openings(document)
    assert inside.shape == (len(document),)
    starts, ends = document.start[inside].tolist(), document.end[inside].tolist()
    return [text[start:end] for start, end in zip(starts, ends, strict=True)]


@pytest.mark.parametrize("gap", ["\n", "\n\n", " \n  "])
def test_a_sentence_that_begins_a_line(gap):
    text = f"Grids hold.\n They\nscale. Peers leave.{gap}Markets close. Agents wait."
    assert openings(text) == "Grids hold . They scale . Markets close .".split()


def test_a_section_in_the_middle_of_a_line_opens_nothing():
    text = "Grids hold. Peers leave."
    assert openings(text, Section(SectionKind.TITLE, 0, 11)) == ["Grids", "hold", "."]


def test_nothing_opens_where_nothing_is():
    assert openings("") == []
    assert openings(" \n ") == []
