"""Folders: the order of their files, and folders that cannot be opened."""

import os

from keywright.core.predictions import Failure
from keywright.reading.sources import Unread, files_under, find_sources


def test_files_come_in_the_order_of_paths(tmp_path):
    for name in ("b.txt", "a/z.txt", "a.txt", "a/b/c.txt", ".hidden", ".git/x", "a-b/c.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / name).write_text("tide")
    (tmp_path / "gone").symlink_to("nowhere")
    (tmp_path / "linked").symlink_to(tmp_path / "a")
    names = [path.relative_to(tmp_path).as_posix() for path in files_under(tmp_path)]
    assert names == ["a/b/c.txt", "a/z.txt", "a-b/c.txt", "a.txt", "b.txt", "gone"]


def test_a_folder_that_cannot_be_opened_is_a_failure_among_the_files(tmp_path, monkeypatch):
    for name in ("a/one.txt", "locked/two.txt", "z.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("tide")
    list_folder = os.listdir

    def refusing(folder):
        if str(folder).endswith("locked"):  # a user with all rights could open it
            raise PermissionError(13, "Permission denied")
        return list_folder(folder)

    monkeypatch.setattr(os, "listdir", refusing)
    one, locked, last = find_sources([tmp_path], None, None)
    assert [type(file) for file in (one, last)] == [Unread, Unread]
    assert [one.name, last.name] == ["a/one.txt", "z.txt"]
    assert isinstance(locked, Failure)
    assert locked.document_id == "locked"
    assert locked.code == "unreadable_input"
    assert "locked cannot be opened: Permission denied" in locked.message


def test_a_link_to_nothing_says_where_it_leads(tmp_path):
    (tmp_path / "link.txt").symlink_to("nowhere.txt")
    (file,) = find_sources([tmp_path], None, None)
    (failure,) = file.documents()
    assert "it is a link to 'nowhere.txt', which is not there" in failure.message
