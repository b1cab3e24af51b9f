"""The candidates of ordinary text, and what a long text makes of them, by hand."""

import numpy as np
import pytest

from keywright.core.documents import AnalysedDocument, Document, Section, SectionKind
from keywright.extraction.candidates.prefilter import Letters, passes_prefilter, usual_candidates
from keywright.text.analyser import TextAnalyser

TITLE, CAPTION = SectionKind.TITLE, SectionKind.CAPTION
# title: grid markets; body: grid, single, double double; caption: picture
TEXT = "grid markets\ngrid, single, double, double\npicture"
SECTIONS = (Section(TITLE, 0, 12), Section(CAPTION, 42, 49))
DOCUMENT = TextAnalyser().analyse(Document("a", TEXT, SECTIONS))


def phrases(document: AnalysedDocument, kept: np.ndarray | None = None) -> set[str]:
    found = usual_candidates(document)
    starts, ends = document.start[found.first], document.end[found.first + found.length - 1]
    written = [document.source.text[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]
    return {phrase for phrase, its in zip(written, [True] * len(found) if kept is None else kept, strict=True) if its}


def analysed(text: str, language: str | None = None) -> AnalysedDocument:
    return TextAnalyser(language or "en").analyse(Document("a", text, language=language))


def test_usual_candidates():
    assert phrases(analysed("The quality of the IT service")) == {
        "quality", "IT", "service", "IT service", "quality of the IT", "quality of the IT service",
    }  # fmt: skip
    longest = analysed("one small deep neural network model")
    assert max(map(len, map(str.split, phrases(longest)))) == 5
    assert len(usual_candidates(analysed(""))) == 0


def test_letters_stand_in_phrases_and_not_alone():
    document = analysed("vitamin D deficiency, D")
    none = np.zeros(5, bool)
    found = usual_candidates(document, Letters(none, np.array([False, True, False, False, True]), none))
    starts, ends = document.start[found.first], document.end[found.first + found.length - 1]
    written = {document.source.text[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)}
    assert written == {"vitamin", "deficiency", "vitamin D", "vitamin D deficiency"}


def test_names_are_not_torn():
    text = "They left the coast of New Zealand farms behind."
    assert phrases(analysed(text)) >= {"New Zealand", "New Zealand farms", "coast of New Zealand", "farms"}
    assert not phrases(analysed(text)) & {"New", "Zealand", "Zealand farms"}


def test_endless_words_are_no_candidates():
    assert phrases(analysed(f"grid {'x' * 101} markets")) == {"grid", "markets"}
    assert "x" * 100 in phrases(analysed(f"grid {'x' * 100} markets"))


def test_languages_without_blanks_have_longer_candidates():
    japanese = usual_candidates(analysed("自然言語処理装置網接続試験", "ja"))
    assert int(japanese.length.max()) == 10


@pytest.mark.parametrize(
    ("zones", "expected"),
    [
        ((TITLE,), {"grid", "markets", "grid markets", "double"}),
        ((CAPTION,), {"grid", "double", "picture"}),
        ((), {"grid", "double"}),
        ((TITLE, CAPTION), {"grid", "markets", "grid markets", "double", "picture"}),
    ],
)
def test_in_a_long_text_what_is_repeated_or_in_a_zone(zones, expected):
    found = usual_candidates(DOCUMENT)
    assert phrases(DOCUMENT, passes_prefilter(found, DOCUMENT, zones, len(DOCUMENT))) == expected


def test_in_a_short_text_everything():
    found = usual_candidates(DOCUMENT)
    assert passes_prefilter(found, DOCUMENT, (TITLE,), len(DOCUMENT) + 1).tolist() == [True] * len(found)


def test_no_candidates():
    empty = analysed("")
    for long_text in (0, 1):
        kept = passes_prefilter(usual_candidates(empty), empty, (TITLE,), long_text)
        assert (kept.shape, kept.dtype) == ((0,), bool)
