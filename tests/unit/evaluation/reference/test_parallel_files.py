"""Parallel line files: what a line holds, and what is wrong with one."""

import pytest

from keywright.core.errors import BadRecord, UnreadableInput
from keywright.evaluation.reference.line_files import read_parallel, split_phrases


@pytest.fixture
def files(tmp_path):
    def write(sources: bytes, targets: bytes, predictions: bytes):
        paths = [tmp_path / name for name in ("src", "trg", "pred")]
        for path, content in zip(paths, (sources, targets, predictions), strict=True):
            path.write_bytes(content)
        return paths

    return write


def test_lines_become_documents(files):
    lines = read_parallel(*files(b"A title <eos> a text\n<eos> b\r\n", b"x; y z\n\n", b" p ;q\r\n;r"))
    assert lines.sources == ("A title a text", " b")
    assert lines.targets == (("x", "y z"), ("",))
    assert lines.predictions == (("p", "q"), ("", "r"))
    assert (lines.ids, lines.cut) == (("1", "2"), 0)


def test_old_line_ends_are_line_ends_too(files):
    assert read_parallel(*files(b"a <eos> b\rc <eos> d", b"x\r\ny\r\n", b"p\rq")).targets == (("x",), ("y",))


def test_an_empty_line_is_one_empty_phrase():
    assert split_phrases("") == ("",)
    assert split_phrases(";") == ("", "")


def test_the_shortest_file_ends_the_run(files):
    paths = files(b"a <eos> b\n" * 3, b"x\n" * 2, b"y\n" * 3)
    assert (len(read_parallel(*paths).sources), read_parallel(*paths).cut) == (2, 1)
    with pytest.raises(BadRecord, match="files of 3, 2, 3 lines"):
        read_parallel(*paths, same_length=True)


@pytest.mark.parametrize("line", [b"no mark", b"a <eos> b <eos> c"])
def test_a_source_has_one_mark(files, line):
    with pytest.raises(BadRecord, match=r"line 2 of .* has [02] <eos>"):
        read_parallel(*files(b"a <eos> b\n" + line + b"\n", b"x\nx\n", b"y\ny\n"))


def test_files_must_be_there_and_be_text(files, tmp_path):
    paths = files(b"a <eos> b\n", b"\xff\n", b"y\n")
    with pytest.raises(UnreadableInput, match="not valid UTF-8"):
        read_parallel(*paths)
    with pytest.raises(UnreadableInput, match="no file"):
        read_parallel(paths[0], tmp_path / "none", paths[2])


def test_gold_may_have_alternatives(files):
    lines = read_parallel(*files(b"a <eos> b\n", b"x|y;z\n", b"p\n"))
    assert lines.gold().documents[0].entries == (("x|y",), ("z",))
    assert lines.gold("|").documents[0].entries == (("x", "y"), ("z",))
