"""Analyses kept on disk are the analyses."""

from dataclasses import dataclass, replace

import pytest

from keywright.core.documents import Document, Section, SectionKind
from keywright.testing.promises import equal
from keywright.text.analyser import TextAnalyser
from keywright.text.cached_analyser import CachedAnalyser
from keywright.text.languages import ByLanguage, TaggedAnalyser

TEXT = "Grid computing. We study grid-computing nets with \ud800 odd signs."
DOCUMENT = Document("one", TEXT, (Section(SectionKind.TITLE, 0, 15),), warnings=("read with care",))


@dataclass
class Counting:
    """An analyser that knows how often it was asked."""

    inner: TextAnalyser | TaggedAnalyser | ByLanguage
    asked: int = 0

    def analyse(self, document: Document):
        self.asked += 1
        return self.inner.analyse(document)


@pytest.mark.parametrize("inner", [TextAnalyser(), TaggedAnalyser(), ByLanguage()], ids=["plain", "tagged", "any"])
@pytest.mark.parametrize("document", [DOCUMENT, Document("empty", "")], ids=["text", "empty"])
def test_the_second_time_gives_the_same_without_asking(tmp_path, inner, document) -> None:
    counting = Counting(inner)
    cached = CachedAnalyser(counting, tmp_path / "new", inner.signature)
    first, second = cached.analyse(document), cached.analyse(document)
    assert equal(first, inner.analyse(document))
    assert equal(second, first)
    assert counting.asked == 1


def test_another_text_section_language_or_analyser_is_not_taken_for_the_same(tmp_path) -> None:
    counting = Counting(TextAnalyser())
    cached = CachedAnalyser(counting, tmp_path, "one")
    others = [
        (cached, replace(DOCUMENT, text=TEXT + " More.")),
        (cached, replace(DOCUMENT, sections=())),
        (cached, replace(DOCUMENT, language="fr")),
        (replace(cached, inner_signature="another"), DOCUMENT),
    ]
    cached.analyse(DOCUMENT)
    for number, (analyser, document) in enumerate(others, 2):
        assert equal(analyser.analyse(document), TextAnalyser().analyse(document))
        assert counting.asked == number


def test_the_id_is_the_documents_own(tmp_path) -> None:
    cached = CachedAnalyser(TextAnalyser(), tmp_path, "plain")
    cached.analyse(DOCUMENT)
    assert cached.analyse(replace(DOCUMENT, id="two")).source.id == "two"


@pytest.mark.parametrize("damage", [b"", b"PK\x03\x04 nothing of use", b"\x93NUMPY"])
def test_a_damaged_file_is_made_anew(tmp_path, damage) -> None:
    counting = Counting(TextAnalyser())
    cached = CachedAnalyser(counting, tmp_path, "plain")
    cached.analyse(DOCUMENT)
    (file,) = tmp_path.iterdir()
    file.write_bytes(damage)
    assert equal(cached.analyse(DOCUMENT), TextAnalyser().analyse(DOCUMENT))
    assert equal(cached.analyse(DOCUMENT), TextAnalyser().analyse(DOCUMENT))
    assert counting.asked == 2
