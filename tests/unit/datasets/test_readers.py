import pytest

from keywright.core.documents import SectionKind
from keywright.core.errors import BadRecord, BrokenFile
from keywright.datasets.files import Files
from keywright.datasets.readers import inspec, krapivin2009, semeval2010


def gold(labelled) -> list[tuple[str, tuple[str, ...]]]:
    return [(entry.by, entry.forms) for entry in labelled.gold]


def test_semeval_entries_alternatives_and_blanks(tmp_path, papers, as_folder):
    files = Files(as_folder(tmp_path, papers))
    (one,) = semeval2010.read(files, "train", "stem")
    assert gold(one) == [
        ("author", ("fast grid",)),
        ("reader", ("grid",)),
        ("reader", ("speed",)),
        ("combined", ("fast grid",)),
        ("combined", ("grid",)),
        ("combined", ("speed",)),
    ]
    search, agents = semeval2010.read(files, "test", "stem")
    assert (search.id, agents.id) == ("H-2", "I-3")
    assert ("reader", ("qualiti of servic", "servic qualiti")) in gold(search)
    assert search.document.meta == {"category": "H"}


def test_the_order_is_that_of_the_answers_whatever_the_order_of_files(tmp_path, papers, as_tar):
    backwards = dict(reversed(papers.items()))
    files = Files(as_tar(tmp_path / "tiny.tar.gz", backwards))
    assert [one.id for one in semeval2010.read(files, "test", "stem")] == ["H-2", "I-3"]


@pytest.mark.parametrize(
    ("file", "text", "error", "message"),
    [
        ("test_answer/test.author.stem.final", "H-2 search\n", BadRecord, "line 1 .* no answer line"),
        ("test_answer/test.author.stem.final", "H-2 : a\nH-2 : b\n", BadRecord, "line 2"),
        ("test_answer/test.author.stem.final", "H-2 : a,,b\nI-3 : c\n", BadRecord, "line 1"),
        ("test_answer/test.author.stem.final", "H-2 : a\n", BrokenFile, "different documents"),
        ("test_answer/test.author.stem.final", None, BrokenFile, "no answer file of test for author"),
        ("test/I-3.txt.final", None, BrokenFile, "1 of 2 documents have no text: I-3"),
        ("test/C-9.txt.final", "More", BrokenFile, "C-9 has a text but no"),
        ("copy/test/H-2.txt.final", "Again", BrokenFile, "H-2 comes twice"),
    ],
)
def test_semeval_copies_that_are_not_whole(  # noqa: PLR0913, PLR0917 - three fixtures and a row
    tmp_path, papers, as_folder, file, text, error, message
):
    papers[file] = text
    files = Files(as_folder(tmp_path, {name: text for name, text in papers.items() if text is not None}))
    with pytest.raises(error, match=message):
        list(semeval2010.read(files, "test", "stem"))


def test_inspec_unwraps_titles_abstracts_and_keys(tmp_path, as_folder):
    place = as_folder(
        tmp_path,
        {
            "Test/7.abstr": "A title of\n\ttwo lines\nAn abstract\n\tof two more\n",
            "Test/7.contr": "one\n",
            "Test/7.uncontr": "long\n\tkey; other;\n\tlast\n",
            "test_in/test/7.uncontr_in": "",
        },
    )
    (one,) = inspec.read(Files(place), "test", "surface")
    assert one.document.text == "A title of two lines\nAn abstract of two more"
    assert one.document.section(SectionKind.TITLE) == "A title of two lines"
    assert one.document.section(SectionKind.ABSTRACT) == "An abstract of two more"
    assert gold(one) == [
        ("contr", ("one",)),
        ("uncontr", ("long key",)),
        ("uncontr", ("other",)),
        ("uncontr", ("last",)),
    ]


def test_inspec_copies_that_are_not_whole(tmp_path, as_folder):
    with pytest.raises(BrokenFile, match="no keys of 'test'"):
        list(inspec.read(Files(tmp_path), "test", "surface"))
    keys = {f"Test/7.{kind}": "one" for kind in ("contr", "uncontr")}
    place = as_folder(tmp_path, keys)
    with pytest.raises(BrokenFile, match="7 has no file of uncontr_in"):
        list(inspec.read(Files(place), "test", "surface"))
    as_folder(tmp_path, {"Test/7.uncontr_in": "one", "Test/7.abstr": "Title alone\n"})
    with pytest.raises(BrokenFile, match="1 unwrapped lines"):
        list(inspec.read(Files(place), "test", "surface"))


def test_krapivin_parts_become_sections(tmp_path, as_folder):
    place = as_folder(
        tmp_path,
        {
            "docsutf8/12.txt": "--T\nTitle.\n--A\nAbout.\n--B\nMuch\nmore.\n--R\nRefs.\n",
            "keys/12.key": "One Key\ntwo\n",
        },
    )
    (one,) = krapivin2009.read(Files(place), "test", "surface")
    assert one.document.text == "Title.\nAbout.\nMuch\nmore.\nRefs."
    parts = [(section.kind, one.document.text[section.start : section.end]) for section in one.document.sections]
    assert parts == [("title", "Title."), ("abstract", "About."), ("body", "Much\nmore."), ("references", "Refs.")]
    assert gold(one) == [("author", ("One Key",)), ("author", ("two",))]


def test_krapivin_copies_that_are_not_whole(tmp_path, as_folder):
    with pytest.raises(BrokenFile, match="no key files"):
        list(krapivin2009.read(Files(tmp_path), "test", "surface"))
    as_folder(tmp_path, {"docsutf8/12.txt": "--T\nTitle.\n--A\nAbout.\n", "keys/12.key": "one\n"})
    with pytest.raises(BrokenFile, match="lacks one of the lines"):
        list(krapivin2009.read(Files(tmp_path), "test", "surface"))
