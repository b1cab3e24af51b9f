"""Overlaps by hand: titles, keyphrases, runs of words."""

import pytest

from keywright.core.documents import Document, GoldKeyphrase, LabelledDocument, Section, SectionKind
from studies.training_data.decontamination import Overlap, Rules, Traces, letters, opening, overlaps

TITLE = "A Study of Grid Scheduling"  # 22 letters
SENTENCE = "we place every job where its data already lies so that nothing has to move"  # 15 words, 10 runs of six


def labelled(name: str, text: str, gold: str = "", title: str = "", by: str = "author") -> LabelledDocument[Document]:
    """A document whose text begins with its title; ``gold`` has commas between keyphrases."""
    sections = (Section(SectionKind.TITLE, 0, len(title)),) if title else ()
    whole = f"{title}\n{text}" if title else text
    phrases = tuple(GoldKeyphrase(tuple(one.split("+")), by) for one in gold.split(",") if one)
    return LabelledDocument(Document(name, whole, sections), phrases)


def found(training: list, test: list, **rules: float) -> tuple[Overlap, ...]:
    return overlaps(Traces.of(training), Traces.of(test), Rules(**rules))


def test_letters_are_what_copies_have_in_common():
    assert letters("Top-10 Grids: a <digit>D Étude") == "topgridsadétude"
    assert opening(labelled("1", "More text", title=TITLE).document) == "astudyofgridschedulingmoretext"


def test_a_title_is_the_same_in_another_writing():
    (pair,) = found([labelled("a", "x", title="a study of  GRID-scheduling")], [labelled("b", "y", title=TITLE)])
    assert pair == Overlap("a", "b", title=True, phrases=0, runs=0.0)
    assert pair.rules == ("title",)


@pytest.mark.parametrize("turned", [False, True])
def test_a_title_may_begin_a_text_that_has_none(turned):
    pair = [labelled("a", f"{TITLE} We study grids.")], [labelled("b", "y", title=TITLE)]
    assert len(found(*(pair[::-1] if turned else pair))) == 1


def test_short_titles_tell_nothing():
    pair = [labelled("a", "x", title=TITLE)], [labelled("b", "y", title=TITLE)]
    assert found(*pair, title_letters=22)
    assert not found(*pair, title_letters=23)


@pytest.mark.parametrize(
    ("training", "test", "shared"),
    [
        ("grids,jobs,x", "Grid,job,a", 2),  # two of three are 67 %
        ("grids,jobs,x", "grid,job,a,b", 0),  # of four 50 %
        ("grids,jobs", "grid,job,grids,jobs,job", 2),  # repeats are one phrase
        ("grids", "grid", 0),  # one phrase is not two
        ("peer to peer,data grid", "peer-to-peer,data grid", 2),
        ("servic+qualiti of servic,grid", "quality of services,grids", 2),  # stems, and one of two forms
        ("!,?", "!,?", 0),
        ("", "", 0),
    ],
)
def test_shared_keyphrases_by_hand(training, test, shared):
    pairs = found([labelled("a", "x", training)], [labelled("b", "y", test)])
    assert [pair.phrases for pair in pairs] == ([shared] if shared else [])


def test_each_kind_of_gold_is_a_list_of_its_own():
    """Two of the author's three phrases; of all six together they would be a third."""
    author = labelled("b", "y", "grid,job,cluster")
    both = LabelledDocument(author.document, (*author.gold, *labelled("b", "y", "p,q,r", by="reader").gold))
    assert [pair.phrases for pair in found([labelled("a", "x", "grid,job")], [both])] == [2]
    readers_only = Traces.of([both], kinds={"reader"})
    assert not overlaps(Traces.of([labelled("a", "x", "grid,job")]), readers_only)


def test_shared_runs_by_hand():
    """The shorter text has the ten runs of the sentence and is wholly in the other."""
    longer = labelled("a", f"Something else stands here first. {SENTENCE.upper()}!")
    (pair,) = found([longer], [labelled("b", SENTENCE.replace(" ", "\n"))])
    assert (pair.runs, pair.rules) == (1.0, ("text",))
    assert not found([longer], [labelled("b", SENTENCE)], shared_runs=11)


def test_the_part_of_the_shorter_text_decides():
    """Ten shared runs; the shorter text has 15 + 10 different words and so 20 runs, the longer one 30."""
    longer = " ".join(f"{letter}x" for letter in "abcdefghijklmnopqrst")
    shorter = " ".join(f"{letter}y" for letter in "abcdefghij")
    pair = [labelled("a", f"{SENTENCE} {longer}")], [labelled("b", f"{SENTENCE} {shorter}")]
    assert found(*pair, runs_share=0.5)[0].runs == 0.5
    assert not found(*pair, runs_share=0.51)


def test_runs_of_many_documents_are_nobodys_own():
    papers = [labelled(f"{number}", SENTENCE) for number in range(3)]
    assert len(found(papers, [labelled("b", SENTENCE)], common=3)) == 3
    assert not found(papers, [labelled("b", SENTENCE)], common=2)
    assert not found([labelled("b", SENTENCE)], papers, common=2)


def test_parts_that_papers_share_do_not_count():
    text = f"Of our own. {SENTENCE}"
    notice = (Section(SectionKind.NOTICE, len("Of our own. "), len(text)),)
    paper = LabelledDocument(Document("a", text, notice), ())
    assert not found([paper], [labelled("b", SENTENCE)])
    assert found([LabelledDocument(Document("a", text), ())], [labelled("b", SENTENCE)])


def test_pairs_come_in_order_and_each_once():
    training = [labelled(name, SENTENCE, "grid,job", TITLE) for name in ("z", "a")]
    pairs = found(training, [labelled("t", SENTENCE, "grid,job", TITLE)])
    assert [(pair.document, pair.test, pair.rules) for pair in pairs] == [
        ("z", "t", ("title", "keyphrases", "text")),
        ("a", "t", ("title", "keyphrases", "text")),
    ]


def test_empty_collections_have_no_overlaps():
    assert found([], []) == ()
    assert found([labelled("a", SENTENCE, "grid,job", TITLE)], []) == ()
    assert found([labelled("a", "")], [labelled("b", "")]) == ()
