import gzip
import json

import pytest

from keywright.core.documents import SectionKind
from keywright.core.errors import BadRecord, BrokenFile
from keywright.datasets.card import Card, card, read_card
from keywright.datasets.files import Files
from keywright.datasets.readers import json_lines, originals


def gold(labelled) -> list[tuple[str, tuple[str, ...]]]:
    return [(entry.by, entry.forms) for entry in labelled.gold]


def test_semeval_entries_alternatives_and_blanks(tmp_path, papers, as_folder):
    files = Files(as_folder(tmp_path, papers))
    (one,) = originals.read_semeval2010(files, "train", "stem")
    assert gold(one) == [
        ("author", ("fast grid",)),
        ("reader", ("grid",)),
        ("reader", ("speed",)),
        ("combined", ("fast grid",)),
        ("combined", ("grid",)),
        ("combined", ("speed",)),
    ]
    search, agents = originals.read_semeval2010(files, "test", "stem")
    assert (search.id, agents.id) == ("H-2", "I-3")
    assert ("reader", ("qualiti of servic", "servic qualiti")) in gold(search)
    assert search.document.meta == {"category": "H"}


def test_the_order_is_that_of_the_answers_whatever_the_order_of_files(tmp_path, papers, as_tar):
    backwards = dict(reversed(papers.items()))
    files = Files(as_tar(tmp_path / "tiny.tar.gz", backwards))
    assert [one.id for one in originals.read_semeval2010(files, "test", "stem")] == ["H-2", "I-3"]


@pytest.mark.parametrize(
    ("file", "text", "error", "message"),
    [
        ("test_answer/test.author.stem.final", "H-2 search\n", BadRecord, "line 1 .* not an answer line"),
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
        list(originals.read_semeval2010(files, "test", "stem"))


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
    (one,) = originals.read_inspec(Files(place), "test", "surface")
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
        list(originals.read_inspec(Files(tmp_path), "test", "surface"))
    keys = {f"Test/7.{kind}": "one" for kind in ("contr", "uncontr")}
    place = as_folder(tmp_path, keys)
    with pytest.raises(BrokenFile, match="7 has no file of uncontr_in"):
        list(originals.read_inspec(Files(place), "test", "surface"))
    as_folder(tmp_path, {"Test/7.uncontr_in": "one", "Test/7.abstr": "Title alone\n"})
    with pytest.raises(BrokenFile, match="1 unwrapped lines"):
        list(originals.read_inspec(Files(place), "test", "surface"))


def test_krapivin_parts_become_sections(tmp_path, as_folder):
    place = as_folder(
        tmp_path,
        {
            "docsutf8/12.txt": "--T\nTitle.\n--A\nAbout.\n--B\nMuch\nmore.\n--R\nRefs.\n",
            "keys/12.key": "One Key\ntwo\n",
        },
    )
    (one,) = originals.read_krapivin2009(Files(place), "test", "surface")
    assert one.document.text == "Title.\nAbout.\nMuch\nmore.\nRefs."
    parts = [(section.kind, one.document.text[section.start : section.end]) for section in one.document.sections]
    assert parts == [("title", "Title."), ("abstract", "About."), ("body", "Much\nmore."), ("references", "Refs.")]
    assert gold(one) == [("author", ("One Key",)), ("author", ("two",))]


def test_krapivin_copies_that_are_not_whole(tmp_path, as_folder):
    with pytest.raises(BrokenFile, match="no key files"):
        list(originals.read_krapivin2009(Files(tmp_path), "test", "surface"))
    as_folder(tmp_path, {"docsutf8/12.txt": "--T\nTitle.\n--A\nAbout.\n", "keys/12.key": "one\n"})
    with pytest.raises(BrokenFile, match="lacks one of the lines"):
        list(originals.read_krapivin2009(Files(tmp_path), "test", "surface"))


RECORDS = """
[records]
kind = "style"
files = { train = "a.jsonl", tags = "a.jsonl" }
keyphrases = { stem = "phrases" }
where.train = { style = "author" }
where.tags = { style = "reader" }
"""

MARKS = """replace = [['<title>(.*?)</title>', '\\1 by us'], ['<b>', '']]
inverted = true
"""

LINES = [
    {"id": "1", "title": "Grids", "abstract": "About grids.", "phrases": [" grid ", "", "!"], "style": "author"},
    {"id": "2", "title": "", "abstract": "More.", "phrases": ["more"], "style": "reader", "of": "B"},
    {"id": "3", "title": "", "abstract": "", "phrases": [], "style": "author"},
    {
        "id": "4",
        "text": "Paper\nABSTRACT\nWe show.\nKEYWORDS\ngrid",
        "phrases": [],
        "style": "author",
        "language": "de",
    },
]


@pytest.fixture
def records_card(tiny_card) -> Card:
    return read_card(tiny_card().replace("readers.originals", "readers.json_lines") + RECORDS)


def write_lines(path, lines, pack=bytes) -> Files:
    content = "\n".join(json.dumps(line) for line in lines).encode()
    path.write_bytes(pack(content))
    return Files(path.parent)


def test_records_become_documents_of_their_split(tmp_path, records_card):
    files = write_lines(tmp_path / "a.jsonl", LINES)
    first, last = json_lines.read_json_lines(files, "train", "stem", records_card)
    assert first.document.text == "Grids\n\nAbout grids."
    assert [section.kind for section in first.document.sections] == [SectionKind.TITLE, SectionKind.ABSTRACT]
    assert gold(first) == [("author", ("grid",)), ("author", ("!",))]
    assert (last.id, last.document.language, first.document.language) == ("4", "de", "en")
    assert last.document.section(SectionKind.KEYWORDS) == "grid"
    (tagged,) = json_lines.read_json_lines(files, "tags", "stem", records_card)
    assert tagged.document.meta == {"style": "reader", "of": "B"}
    assert gold(tagged) == [("reader", ("more",))]


def test_marks_are_replaced_and_inverted_headings_turned(tmp_path, tiny_card):
    layout = RECORDS.partition("where")[0] + MARKS
    card = read_card(tiny_card().replace("readers.originals", "readers.json_lines") + layout)
    phrases = ["Grids", "Grids, Fast, Two-dimensional", "1,2-grid"]
    line = {"id": "1", "text": "<title>Grids</title>\n<b>About", "phrases": phrases, "style": "author"}
    (labelled,) = json_lines.read_json_lines(write_lines(tmp_path / "a.jsonl", [line]), "train", "stem", card)
    assert labelled.document.text == "Grids by us\nAbout"
    assert [entry.forms for entry in labelled.gold] == [
        ("Grids",),
        ("Grids, Fast, Two-dimensional", "Two-dimensional Fast Grids"),
        ("1,2-grid",),
    ]


def test_a_packed_file_of_records_serves_as_well(tmp_path, records_card):
    files = write_lines(tmp_path / "a.jsonl.gz", LINES, gzip.compress)
    assert [one.id for one in json_lines.read_json_lines(files, "train", "stem", records_card)] == ["1", "4"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (LINES[0], "document '1' comes twice"),
        ({**LINES[0], "id": "9", "phrases": "grid"}, "line 5 .* no keyphrases of tiny: 'grid'"),
        ({**LINES[0], "id": "9", "phrases": [["a", "b"]]}, "expected a list of strings"),
    ],
)
def test_records_that_break_the_format(tmp_path, records_card, line, message):
    files = write_lines(tmp_path / "a.jsonl", [*LINES, line])
    with pytest.raises(BadRecord, match=message):
        list(json_lines.read_json_lines(files, "train", "stem", records_card))


def test_records_without_their_file(tmp_path, records_card, tiny_card):
    with pytest.raises(BrokenFile, match=r"there is no file a\.jsonl in .*; expected it, or it with \.gz or \.zst"):
        list(json_lines.read_json_lines(Files(tmp_path), "train", "stem", records_card))
    with pytest.raises(BrokenFile, match="does not describe records"):
        list(json_lines.read_json_lines(Files(tmp_path), "train", "stem", read_card(tiny_card())))


ARTICLE = """
J Tests
Journal of Tests
1234-5678


99
10.1/2
Review


On tests
of two lines

Doe
Jane

1

© The Author(s) 2007

Tests are good.
They find things.

Keywords
Unit test

Mutation

issue-copyright-statement
© Springer 2007




Introduction
We test.

References
Doe J (2001) Testing
"""


def test_front_matter_of_an_article():
    parts = [(section.kind, ARTICLE[section.start : section.end]) for section in json_lines.mark_front_matter(ARTICLE)]
    assert parts == [
        ("metadata", "J Tests\nJournal of Tests\n1234-5678\n\n\n99\n10.1/2\nReview"),
        ("title", "On tests\nof two lines"),
        ("authors", "Doe\nJane\n\n1"),
        ("notice", "© The Author(s) 2007"),
        ("abstract", "Tests are good.\nThey find things."),
        ("keywords", "Keywords\nUnit test\n\nMutation"),
        ("notice", "issue-copyright-statement\n© Springer 2007"),
        ("body", "Introduction\nWe test.\n\nReferences\nDoe J (2001) Testing"),
    ]
    assert json_lines.mark_front_matter("A text\nof another kind.") == ()
    assert json_lines.mark_front_matter("") == ()


def test_an_articles_own_keyphrases_lead_its_list(tmp_path):
    record = {"id": "1", "text": ARTICLE, "keyphrases": ["mutation", "Unit-test", "tests", "Mutation"]}
    files = write_lines(tmp_path / "schutz_train.jsonl", [record])
    (one,) = json_lines.read_schutz2008(files, "train", "surface", card("schutz2008"))
    kinds = [entry.by for entry in one.gold]
    assert kinds == ["author", "author", "term", "term"]
