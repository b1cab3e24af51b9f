"""Columns of a document: offsets, flags, sections; the same whatever was analysed before."""

import itertools
import pickle
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from keywright.core.documents import Case, Document, Section, SectionKind, WordFlag
from keywright.datasets.collection import load
from keywright.testing.promises import equal
from keywright.text import vocabulary
from keywright.text import vocabulary as vocabulary_memory
from keywright.text.analyser import TextAnalyser
from keywright.text.languages import ByLanguage

WORDS = st.sampled_from(
    ["\n\n", *"Grid grids grid-computing the of . , Peer's (e.g. x_i C++ 3.14 神经网络。 naïve coeﬃcient DNA".split()]
)
TEXTS = st.one_of(st.lists(WORDS, max_size=20).map(" ".join), st.text(st.characters(codec=None)))
SHARED = TextAnalyser()  # knows more and more chunks with every example


def flags_of(text: str, language: str = "en") -> WordFlag:
    analysed = TextAnalyser(language).analyse(Document("a", text))
    assert len(analysed) == 1
    return WordFlag(int(analysed.flags[0])) & ~WordFlag.LONE


@given(TEXTS)
@example("")
@example(" \n\t\u3000")
@example("a\x00b \ud800 c\ud800")
@example("\u200b \ufeff")
@example("a\x1cb\x85c\xa0d")
def test_offsets_cover_the_text_in_order(text):
    analysed = SHARED.analyse(Document("a", text))
    spans = list(zip(analysed.start.tolist(), analysed.end.tolist(), strict=True))
    borders = [at for span in spans for at in span]
    assert borders == sorted(borders)
    assert all(start < end for start, end in spans)
    assert "".join(text[start:end] for start, end in spans) == "".join(text.split())
    assert np.all(np.diff(analysed.sentence) >= 0)
    assert max(analysed.word, default=-1) == len(analysed.words) - 1
    assert max(analysed.word_stem, default=-1) == len(analysed.stems) - 1


@given(TEXTS)
def test_columns_do_not_depend_on_what_was_analysed_before(text):
    document = Document("a", text)
    assert equal(SHARED.analyse(document), TextAnalyser().analyse(document))


def test_order_of_words_is_that_of_the_document():
    warm = TextAnalyser()
    warm.analyse(Document("b", "slow peers of the market"))
    analysed = warm.analyse(Document("a", "The Market of the grids. Grid"))
    assert analysed.words == ("the", "market", "of", "grids", ".", "grid")
    assert analysed.stems == ("the", "market", "of", "grid", ".")
    assert analysed.word.tolist() == [0, 1, 2, 0, 3, 4, 5]
    assert analysed.stem.tolist() == [0, 1, 2, 0, 3, 4, 3]


def test_the_memory_starts_afresh_when_it_is_full(monkeypatch):
    documents = [Document(str(at), f"Grid {at} of peers {at + 1}.\n\nThe market") for at in range(12)]
    usual = TextAnalyser()
    expected = [usual.analyse(document) for document in documents]
    monkeypatch.setattr(vocabulary_memory, "MOST_BYTES", 10_000)
    forgetful = TextAnalyser()
    assert all(equal(forgetful.analyse(one), kept) for one, kept in zip(documents, expected, strict=True))
    assert forgetful.memory.size < usual.memory.size


def test_the_memory_of_all_languages_is_bounded_together(monkeypatch):
    languages = "en", "de", "fr"
    monkeypatch.setattr(vocabulary_memory, "MOST_BYTES", 200_000)
    analyser, sizes = ByLanguage(), []
    for at in range(600):
        text = " ".join(f"word{at}n{number}" for number in range(20))
        analyser.analyse(Document(str(at), text, language=languages[at % 3]))
        sizes.append(analyser._of_thread.memory.size)
    # A document of twenty new words takes some 20 kB: 600 of them would take 12 MB.
    assert max(sizes) < 250_000
    assert sum(after < before for before, after in itertools.pairwise(sizes)) > 10


def test_tables_of_numbers_are_not_cleared_between_documents():
    places = vocabulary_memory.Chunks(vocabulary_memory.Words(list, frozenset()))
    for numbers, values, order in (
        ([7, 3, 7, 5, 3], [7, 3, 5], [0, 1, 0, 2, 1]),
        ([3, 3, 9], [3, 9], [0, 0, 1]),
        ([], [], []),
        ([7], [7], [0]),
    ):
        distinct, place = places.distinct(np.array(numbers, np.int32), 10)
        assert (distinct.tolist(), place.tolist()) == (values, order)
    assert len(places._table) == 20


@pytest.mark.parametrize("broken", ["normal_form", "hash_of", "key_of", "case_of"])
def test_an_error_in_a_document_leaves_the_memory_as_it_was(broken, monkeypatch):
    fragile, text = TextAnalyser(), "The MARKET of peers, a peer-to-peer márket, a tóken"
    fragile.analyse(Document("a", "The grid."))
    calls, whole = iter(range(9)), getattr(vocabulary, broken)
    monkeypatch.setattr(vocabulary, broken, lambda *values: whole(*values) if next(calls) < 1 else 1 / 0)
    with pytest.raises(ZeroDivisionError):
        fragile.analyse(Document("b", text))
    monkeypatch.undo()
    assert equal(fragile.analyse(Document("c", text)), TextAnalyser().analyse(Document("c", text)))


def test_an_error_at_the_first_word_leaves_the_memory_as_it_was(monkeypatch):
    fragile, text = TextAnalyser(), "The márket of peers"
    fragile.analyse(Document("a", "The grid."))
    monkeypatch.setattr(vocabulary, "normal_form", None)
    with pytest.raises(TypeError):
        fragile.analyse(Document("b", text))
    monkeypatch.undo()
    assert equal(fragile.analyse(Document("c", text)), TextAnalyser().analyse(Document("c", text)))


def test_empty_text_gives_empty_columns():
    for text in ("", " ", "\n\n \u3000\n"):
        analysed = TextAnalyser().analyse(Document("a", text))
        columns = (analysed.word, analysed.start, analysed.end, analysed.sentence, analysed.section, analysed.case)
        assert len(analysed) == 0
        assert all(len(column) == 0 for column in columns)
        assert (analysed.words, analysed.stems, len(analysed.word_key)) == ((), (), 0)


@pytest.mark.parametrize(
    ("text", "flags"),
    [
        ("network", WordFlag.LETTER),
        ("the", WordFlag.LETTER | WordFlag.STOP),
        ("The", WordFlag.LETTER | WordFlag.STOP),
        ("e.g.", WordFlag.LETTER | WordFlag.STOP),
        ("IL-6", WordFlag.LETTER | WordFlag.DIGIT | WordFlag.COMPOUND),
        ("and/or", WordFlag.LETTER | WordFlag.STOP | WordFlag.COMPOUND),
        ("peer-to-peer", WordFlag.LETTER | WordFlag.COMPOUND),
        ("AT&T", WordFlag.LETTER),
        ("3.14", WordFlag.DIGIT),
        ("1,000", WordFlag.DIGIT),
        ("50%", WordFlag.DIGIT),
        ("...", WordFlag.PUNCTUATION),
        ("´", WordFlag.PUNCTUATION),
        ("\u0301", WordFlag.PUNCTUATION),
        ("http://a.org/1", WordFlag.LETTER | WordFlag.DIGIT | WordFlag.SYMBOLIC),
        ("x_i", WordFlag.LETTER | WordFlag.SYMBOLIC),
        ("神", WordFlag.LETTER | WordFlag.SINGLE),
        ("الشَّبَكة", WordFlag.LETTER),
        ("C++", WordFlag.LETTER),
        ("don't", WordFlag.LETTER | WordFlag.STOP),
    ],
)
def test_flags(text, flags):
    assert flags_of(text) == flags


def test_single_ascii_characters_are_lone():
    analysed = TextAnalyser().analyse(Document("a", "a 1 . π 神 ab"))
    assert [bool(flag & WordFlag.LONE) for flag in analysed.flags.tolist()] == [True] * 3 + [False] * 3


def test_flags_follow_the_language():
    assert WordFlag.STOP not in flags_of("und", "en")
    assert WordFlag.STOP in flags_of("und", "de")
    mixed = TextAnalyser("fr", stop_list="de").analyse(Document("a", "und"))
    assert WordFlag.STOP in WordFlag(int(mixed.flags[0]))


@pytest.mark.parametrize(
    ("language", "verbs", "nouns"),
    [
        (
            "ru",
            "измеряет передают исследовать находится обновилась установили",
            "совет уют кровать лось фестивали мать",
        ),
        ("uk", "вимірює передають досліджувати знаходиться", "рада мережа повітря"),
        ("pl", "planuje domagają budować pracowali", "kraje postać materiał miasto"),
        ("cs", "pracuje plánují studovat", "město stát kraje"),
        ("tr", "besliyor planlıyorlar bulunmaktadır", "ekmek yağmur parmak"),
        ("el", "μειώνουν γίνονται ζητούν φυτέψει", "δέντρα πλατείες κάτοικοι"),
        ("fi", "toivovat lyhentävät", "koneet huoneet kaupunki"),
    ],
)
def test_verbs_are_recognised_by_endings_that_nouns_hardly_have(language, verbs, nouns):
    document = TextAnalyser(language).analyse(Document("a", f"{verbs} {nouns}", language=language))
    flagged = {word for word, flags in zip(document.words, document.word_flags, strict=True) if flags & WordFlag.STOP}
    assert flagged == set(verbs.split())


def test_words_are_normal_forms_and_cases_tell_how_they_were_written():
    analysed = TextAnalyser().analyse(Document("a", "Coeﬃcient co\u00adoperate don’t HyARM DNA a"))
    assert analysed.words == ("coefficient", "cooperate", "don't", "hyarm", "dna", "a")
    assert analysed.case.tolist() == [Case.CAPITAL, Case.LOWER, Case.LOWER, Case.MIXED, Case.UPPER, Case.LOWER]


TEXT = "Grid markets Keywords: grids We sell time."
SECTIONS = (
    Section(SectionKind.TITLE, 0, 12),
    Section(SectionKind.KEYWORDS, 13, 28),
    Section(SectionKind.ABSTRACT, 29, 42),
)


def test_sections_of_tokens_and_sections_left_out():
    analysed = TextAnalyser().analyse(Document("a", TEXT, SECTIONS))
    assert analysed.words == ("grid", "markets", "we", "sell", "time", ".")
    title, abstract = SectionKind.TITLE.code, SectionKind.ABSTRACT.code
    assert analysed.section.tolist() == [title] * 2 + [abstract] * 4
    everything = TextAnalyser(leave_out=()).analyse(Document("a", TEXT, SECTIONS))
    assert len(everything) == 9
    assert everything.words[2:5] == ("keywords", ":", "grids")


def test_author_keywords_and_notices_are_left_out_unless_asked_for():
    for kind, words in ((SectionKind.NOTICE, ("a",)), (SectionKind.KEYWORDS, ("a",)), (SectionKind.BODY, ("a", "b"))):
        assert TextAnalyser().analyse(Document("a", "a b", (Section(kind, 2, 3),))).words == words


def test_analysed_documents_travel():
    analysed = TextAnalyser().analyse(Document("a", TEXT, SECTIONS, language="en", meta={"year": 2010}))
    assert equal(pickle.loads(pickle.dumps(analysed)), analysed)


def test_analysers_travel_without_their_memory():
    analyser = TextAnalyser("de", (SectionKind.NOTICE,), "en-library")
    analyser.analyse(Document("a", TEXT * 100))
    assert len(pickle.dumps(analyser)) < 1000
    again = pickle.loads(pickle.dumps(analyser))
    assert (again.signature, again.leave_out) == (analyser.signature, analyser.leave_out)


def test_signatures_tell_analysers_apart():
    ways = [TextAnalyser(), TextAnalyser("de"), TextAnalyser(leave_out=()), TextAnalyser(stop_list="en-library")]
    assert len({way.signature for way in ways}) == len(ways)
    assert TextAnalyser().analyse(Document("a", "b")).analyser == TextAnalyser().signature


@pytest.mark.data
def test_an_analysed_paper_is_small(mirror):
    """A paper of 8,000 tokens pickles to about 190 kB beside its text: 18 bytes a token and what its words need."""
    analyser = TextAnalyser()
    analysed = next(
        one
        for one in (analyser.analyse(labelled.document) for labelled in load("semeval2010/train", mirror))
        if 7_500 < len(one) < 8_500
    )
    packed = pickle.dumps(analysed)
    columns = len(pickle.dumps(replace(analysed, source=Document("a", ""))))
    assert columns < 26 * len(analysed)
    assert len(packed) - columns < 1.05 * len(analysed.source.text.encode())
    assert equal(pickle.loads(packed), analysed)


@given(st.lists(TEXTS, max_size=4))
@example(["Tides rise", "", " \n", "Les marées, et l’eau.\n\nTides"])
def test_texts_together_are_analysed_as_one_by_one(texts: list[str]) -> None:
    documents = [Document(str(at), text) for at, text in enumerate(texts)]
    together = TextAnalyser().analyse_together(documents) if documents else []
    assert all(map(equal, together, map(SHARED.analyse, documents)))


def test_places_sentences_and_numbers_begin_with_each_document() -> None:
    title, notice = Section(SectionKind.TITLE, 0, 11), Section(SectionKind.NOTICE, 13, 29)
    titled = Document("titled", "Tide gauges\n\nAll rights kept.\n\nGauges", (title, notice))
    plain = Document("plain", "Gauges rise. Tide gauges")
    first, second = TextAnalyser().analyse_together([titled, plain])
    assert first.words == ("tide", "gauges")
    assert first.start.tolist() == [0, 5, 31]
    assert first.section.tolist() == [SectionKind.TITLE.code] * 2 + [SectionKind.BODY.code]
    assert second.words == ("gauges", "rise", ".", "tide")
    assert second.word.tolist() == [0, 1, 2, 3, 0]
    assert second.start.tolist() == [0, 7, 11, 13, 18]
    assert second.sentence.tolist() == [0, 0, 0, 1, 1]
    assert all(map(equal, (first, second), map(SHARED.analyse, (titled, plain))))


def test_documents_of_several_languages_are_analysed_in_their_order() -> None:
    texts = [("Les marées", "fr"), ("Tides rise", "en"), ("ya bahari ya bahari ya", "xx"), ("La mer", "fr")]
    documents = [Document(str(at), text, language=code) for at, (text, code) in enumerate(texts)]
    together = ByLanguage(terms=True).analyse_together(documents)
    assert [(analysed.source.id, analysed.source.language) for analysed in together] == [
        ("0", "fr"), ("1", "en"), ("2", "xx"), ("3", "fr")
    ]  # fmt: skip
    assert all(map(equal, together, map(ByLanguage(terms=True).analyse, documents)))
