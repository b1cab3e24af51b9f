"""Files that grow: one command at a time, whole lines, and the same work."""

from pathlib import Path

import pytest

from keywright.core.atomic_files import check_same_work, grow_file, hold_output, read_whole_lines
from keywright.core.errors import BadParameter


def test_an_output_is_held_once_and_free_afterwards(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "link").symlink_to("out")
    with hold_output(Path("out")):
        for name in ("out", tmp_path / "out", "link"):
            with pytest.raises(BadParameter, match="another command writes to"), hold_output(Path(name)):
                pass
    with pytest.raises(KeyError), hold_output(Path("out")):
        raise KeyError
    with hold_output(Path("out")):
        assert [path.name for path in tmp_path.iterdir() if path.name != "link"] == [".out.lock"]
    assert not (tmp_path / ".out.lock").exists()
    with pytest.raises(BadParameter, match="cannot be written"), hold_output(Path("nothing/out")):
        pass


def test_a_lock_that_its_holder_removes_in_the_same_moment_is_taken_anew(tmp_path, monkeypatch):
    opened = []

    def open_and_remove(path, mode):
        opened.append(path)
        file = open(path, mode)  # noqa: PTH123, SIM115 - it replaces Path.open
        if len(opened) == 1:
            path.unlink()
        return file

    monkeypatch.setattr(Path, "open", open_and_remove)
    with hold_output(tmp_path / "out"):
        assert len(opened) == 2
        assert (tmp_path / ".out.lock").exists()


def test_a_line_that_was_cut_off_is_written_again(tmp_path):
    path = tmp_path / "lines"
    assert list(read_whole_lines(path)) == []
    path.write_bytes(b"a\nb\ncut o")
    lines = list(read_whole_lines(path))
    assert lines == [b"a\n", b"b\n"]
    with grow_file(path, sum(map(len, lines))) as file:
        file.write("c\udcff\n")
    assert path.read_bytes() == b"a\nb\nc\xff\n"


def test_the_first_setting_that_differs_is_named():
    work = {"system": "tfidf", "top": 5, "keep": ["a"]}
    check_same_work(Path("out"), work, dict(work), "hint")
    for other, message in (
        ({**work, "top": 3}, "out holds results with top 5, and this is 3"),
        ({"system": "tfidf", "keep": ["a"]}, "with top 5, and this is the default"),
        ({**work, "part_size": 9}, "with part size the default, and this is 9"),
        ({**work, "system": "x" * 99}, f"and this is {'x' * 59}…"),
    ):
        with pytest.raises(BadParameter) as caught:
            check_same_work(Path("out"), work, other, "hint")
        assert message in caught.value.message
