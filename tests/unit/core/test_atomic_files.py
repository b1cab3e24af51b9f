"""A file is there whole or not at all, or grows: one command at a time, whole lines, and the same work."""

import os
import threading
from pathlib import Path

import pytest

from keywright.core.atomic_files import (
    check_file,
    check_folder,
    check_same_work,
    grow_file,
    hold_output,
    read_whole_lines,
    synced_file,
    whole_file,
    whole_folder,
)
from keywright.core.errors import BadParameter


def test_a_file_appears_when_it_is_done(tmp_path):
    target = tmp_path / "out.txt"
    target.write_text("old")
    with whole_file(target) as file:
        file.write("né\r\n")
        assert target.read_text() == "old"
    assert target.read_bytes() == "né\r\n".encode()
    assert list(tmp_path.iterdir()) == [target]


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path):
    target = tmp_path / "out.txt"
    target.write_text("old")
    with pytest.raises(KeyboardInterrupt):
        _interrupted(target)
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_a_synced_file_is_on_the_disk_before_it_has_its_name(tmp_path, monkeypatch):
    target, sizes = tmp_path / "file", []
    monkeypatch.setattr("os.fsync", lambda number: sizes.append((os.fstat(number).st_size, target.exists())))
    with synced_file(target) as file:
        file.write("whole")
    assert sizes == [(5, False)]
    assert target.read_text() == "whole"


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "real")
    with whole_file(tmp_path / "link") as file:
        file.write("new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "new"


def test_a_pipe_is_written_not_replaced(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()))
    reader.start()
    with whole_file(pipe) as file:
        file.write("through")
    reader.join(5)
    assert read == ["through"]
    assert pipe.is_fifo()


def test_folders_are_no_files(tmp_path):
    for path in (tmp_path, tmp_path / "none" / "out.txt"):
        with pytest.raises(BadParameter, match="folder"), whole_file(path):
            pass


def test_what_cannot_be_written_is_told_before_there_is_anything_to_write():
    with pytest.raises(BadParameter, match=r"/proc/out\.txt cannot be written: "):
        check_file(Path("/proc/out.txt"))
    with pytest.raises(BadParameter, match="/proc/out cannot be written: "):
        check_folder(Path("/proc/out"))


def test_what_is_read_is_not_written(tmp_path):
    given, link = tmp_path / "paper.txt", tmp_path / "link.txt"
    given.write_text("a paper")
    link.symlink_to(given)
    for path in (given, link):
        with pytest.raises(BadParameter, match="is read, and would be lost"):
            check_file(path, ["inspec/test", None, str(given)])
    assert check_file(tmp_path / "other.txt", [given]) == (tmp_path / "other.txt").resolve()


def _interrupted(target):
    with whole_file(target) as file:
        file.write("half")
        raise KeyboardInterrupt


def test_a_replaced_file_keeps_its_permissions(tmp_path):
    private, new = tmp_path / "private.txt", tmp_path / "new.txt"
    private.write_text("old")
    private.chmod(0o600)
    for target in (private, new):
        with whole_file(target) as file:
            file.write("new")
    assert private.stat().st_mode & 0o777 == 0o600
    (tmp_path / "usual.txt").write_text("by Python itself")
    assert new.stat().st_mode == (tmp_path / "usual.txt").stat().st_mode


def test_links_in_the_place_of_temporary_files_are_not_followed(tmp_path):
    target, victim = tmp_path / "out.txt", tmp_path / "victim.txt"
    victim.write_text("mine")
    (tmp_path / f".out.txt.{os.getpid()}.part").symlink_to(victim)
    with whole_file(target) as file:
        file.write("new")
    assert (victim.read_text(), target.read_text()) == ("mine", "new")


def test_a_file_with_a_long_name_is_written(tmp_path):
    target = tmp_path / ("n" * 250)
    with whole_file(target) as file:
        file.write("new")
    assert target.read_text() == "new"


def test_a_folder_is_replaced_as_a_whole(tmp_path):
    target = tmp_path / "deep" / "folder"
    for content in ("old", "new"):
        with whole_folder(target) as made:
            (made / content).write_text(content)
        assert [path.name for path in target.iterdir()] == [content]
    assert list(target.parent.iterdir()) == [target]


def test_a_failure_leaves_the_old_folder(tmp_path):
    target = tmp_path / "folder"
    target.mkdir()
    (target / "old").write_text("old")
    with pytest.raises(KeyboardInterrupt):
        _interrupted_folder(target)
    assert [path.name for path in target.iterdir()] == ["old"]
    assert list(tmp_path.iterdir()) == [target]


def _interrupted_folder(target: Path):
    with whole_folder(target) as made:
        (made / "half").write_text("ha")
        raise KeyboardInterrupt


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
