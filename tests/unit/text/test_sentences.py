"""Where sentences end, seen from outside: the sentences of small documents."""

import itertools

import numpy as np
import pytest
from tests.unit.extraction.candidates.tagging import tagged

from keywright.core.documents import Document, Section, SectionKind
from keywright.core.errors import NeedsUnmet
from keywright.extraction.systems.lbake import find_questions, find_with_verb
from keywright.text.analyser import TextAnalyser, split_sentences

TABLE = {
    "Grids are fast. Peers are slow.": ["Grids are fast .", "Peers are slow ."],
    "Is it fast? Yes! Good.": ["Is it fast ?", "Yes !", "Good ."],
    "He said “stop.” Then he left.": ["He said “ stop . ”", "Then he left ."],
    "Wait... Now go.": ["Wait ...", "Now go ."],
    "Ask J. Smith and Dr. Jones.": ["Ask J . Smith and Dr . Jones ."],
    "Shown by Kim et al. In Fig. 3 it falls.": ["Shown by Kim et al . In Fig . 3 it falls ."],
    "Some, e.g. Grids, win.": ["Some , e.g. Grids , win ."],
    "Version 2. of the system.": ["Version 2 . of the system ."],
    "About 3.5 percent. So it is.": ["About 3.5 percent .", "So it is ."],
    "Grids [3]. Peers.": ["Grids [ 3 ] .", "Peers ."],
    "Grids are fast. 3 of them.": ["Grids are fast .", "3 of them ."],
    "one line\nand the next": ["one line and the next"],
    "A heading\n\nThe text": ["A heading", "The text"],
    "a heading\n \t\nthe text": ["a heading", "the text"],
    "a heading\r\n\r\nthe text": ["a heading", "the text"],
    "我们提出模型。它很快！对吗？": ["我们 提出 模型 。", "它 很快 ！", "对 吗 ？"],
    "यह तेज़ है। वह धीमा है।": ["यह तेज़ है ।", "वह धीमा है ।"],
}


def sentences(document: Document) -> list[str]:
    analysed = TextAnalyser().analyse(document)
    tokens = zip(analysed.sentence.tolist(), analysed.start.tolist(), analysed.end.tolist(), strict=True)
    grouped = itertools.groupby(tokens, key=lambda token: token[0])
    return [" ".join(document.text[start:end] for _, start, end in group) for _, group in grouped]


@pytest.mark.parametrize("text", TABLE)
def test_sentences_of_a_text(text):
    assert sentences(Document("a", text)) == TABLE[text]


def test_sections_begin_and_end_sentences():
    text = "fast grids we show that grids are fast keep going"
    sections = (Section(SectionKind.TITLE, 0, 10), Section(SectionKind.ABSTRACT, 10, 38))
    assert sentences(Document("a", text, sections)) == ["fast grids", "we show that grids are fast", "keep going"]


def test_two_sections_of_one_kind_are_two_sentences():
    sections = (Section(SectionKind.HEADING, 0, 4), Section(SectionKind.HEADING, 5, 9))
    assert sentences(Document("a", "one1 two2", sections)) == ["one1", "two2"]


def test_numbers_of_sentences_start_at_nought_and_do_not_fall():
    text = "\n\n First one. Second one.\n\nThird"
    analysed = TextAnalyser().analyse(Document("a", text))
    assert analysed.sentence.tolist() == [0, 0, 0, 1, 1, 1, 2]
    left_out = (Section(SectionKind.KEYWORDS, 0, 13),)
    kept = TextAnalyser().analyse(Document("a", text, left_out))
    assert np.all(np.diff(kept.sentence) >= 0)
    assert len(set(kept.sentence.tolist())) == 2


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ()),
        (" \n ", ()),
        ("...", ("...",)),
        ("One sentence without an end", ("One sentence without an end",)),
        ("Tides rise. Gauges see them.", ("Tides rise.", "Gauges see them.")),
        ("No full stop\n\nanother paragraph", ("No full stop", "another paragraph")),
        ("هل فتحت؟ نعم، فتحت الطرق.", ("هل فتحت؟", "نعم، فتحت الطرق.")),
    ],
)
def test_sentences_end_at_closing_punctuation_and_blank_lines(text: str, expected: tuple[str, ...]) -> None:
    assert split_sentences(text) == expected


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("en", "Why do tides rise. They rise! Do they?", [True, False, True]),
        ("en", "Tides rise, which is why. What rises", [False, True]),
        ("ar", "كيف تعمل الشبكة. تعمل جيدا. هل تعمل", [True, False, True]),
        ("ar", "وكيف تعمل الشبكة. الشبكة تعمل؟", [True, True]),
        ("ar", "من القرية جاء.", [False]),  # from, not who
        ("fr", "Combien de marées. Combien ?", [False, True]),
        ("en", "", []),
    ],
)
def test_questions(language: str, text: str, expected: list[bool]) -> None:
    document = TextAnalyser(language).analyse(Document("a", text, language=language))
    assert find_questions(document).tolist() == expected


def test_verbs_of_both_tag_sets() -> None:
    assert find_with_verb(tagged("Tides/NNS rise/VBP ./. High/JJ tides/NNS")).tolist() == [True, False]
    assert find_with_verb(tagged("Tides/NOUN rise/VERB ./. High/ADJ tides/NOUN")).tolist() == [True, False]


def test_verbs_need_tags() -> None:
    with pytest.raises(NeedsUnmet):
        find_with_verb(TextAnalyser().analyse(Document("a", "Tides rise.")))


def test_arabic_sentences_end_at_their_signs_and_not_behind_titles() -> None:
    text = "هل زار د. سامي القرية؟ نعم، زارها! ثم عاد."
    assert split_sentences(text, "ar") == ("هل زار د. سامي القرية؟", "نعم، زارها!", "ثم عاد.")
