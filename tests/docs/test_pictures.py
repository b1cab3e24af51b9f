"""The pictures of the documentation: each named one exists, is small, and is made from files of this project."""

import itertools
import re
import shlex

import pytest
from tests.docs.snippets import ROOT, pages
from tests.house.tree import files
from tools.pages.pictures import FOLDER, PICTURES, Served, Terminal

NAMED = re.compile(r"!\[[^\]]+\]\(([^)]+)\)")
COPIES = {"paper.pdf"}  # inputs that are copies of examples under shorter names


def test_pictures_that_pages_name_are_there_and_said_in_words():
    named = {
        (ROOT / path.parent / target).resolve()
        for path in pages()
        for target in NAMED.findall((ROOT / path).read_text("utf-8"))
    }
    assert all(path.is_file() for path in named)
    assert {FOLDER / name for name in PICTURES} <= named


def test_pictures_are_small_and_load_nothing():
    taken = {path.name: path for path in FOLDER.iterdir()}
    assert taken.keys() == PICTURES.keys()
    assert sum(path.stat().st_size for path in taken.values()) < 600_000
    for path in taken.values():
        if path.suffix == ".svg":
            assert not re.search(r"url\((?!#)|href=", path.read_text("utf-8"))


@pytest.mark.parametrize("name", PICTURES)
def test_the_inputs_of_a_picture_are_files_of_this_project(name):
    picture = PICTURES[name]
    match picture:
        case Terminal():
            commands = (picture.command,)
        case Served():
            commands = (f"keywright serve {picture.file}",)  # the file that is uploaded
        case _:
            commands = picture.commands
    kept, written = {str(path) for path in files()} | COPIES, set()
    for command in map(shlex.split, commands):
        written |= {value for option, value in itertools.pairwise(command) if option == "-o"}
        names = {word for word in command[2:] if re.search(r"\.\w+$", word)}
        assert names <= kept | written
