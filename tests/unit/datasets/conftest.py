"""A collection of three made-up papers in the layout of SemEval-2010, and its card."""

import io
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

PAPERS = {
    "train/C-1.txt.final": "Fast grids\nABSTRACT\nGrids are fast.\n",
    "test/H-2.txt.final": "Search\nABSTRACT\nSearching for the quality of services.\n",
    "test/I-3.txt.final": "Agents\nABSTRACT\nAgents bargain.\n",
    "train_answer/train.author.stem.final": "C-1 : fast grid\n",
    "train_answer/train.reader.stem.final": "C-1 : grid, speed\n",
    "train_answer/train.combined.stem.final": "C-1 : fast grid,grid,speed\n",
    "test_answer/test.author.stem.final": "H-2 : search\nI-3 : agent\n",
    "test_answer/test.reader.stem.final": "H-2 : qualiti of servic+servic qualiti\nI-3 : bargain\n",
    "test_answer/test.combined.stem.final": "H-2 : search,qualiti of servic+servic qualiti\nI-3 : agent,bargain\n",
}

CARD = """
name = "tiny"
title = "Three made-up papers"
paper = "none"
language = "en"
unit = "paper"
reader = "keywright.datasets.readers.originals:read_semeval2010"
forms = ["stem"]
whole = ["train", "test"]
instructions = "Ask for them."
problems = []
[licence]
spdx = "CC0-1.0"
note = "made for a test"
redistributable = true
[gold]
author = "a"
reader = "r"
combined = "c"
[[sources]]
what = "all"
repository = "none"
commit = "none"
folder = "data/Tiny"
url = "{url}"
saved_as = "tiny.tar.gz"
sha256 = "{sha256}"
[[files]]
path = "tiny.tar.gz"
bytes = 1
sha256 = ""
[splits.train]
documents = 1
held_out = false
gold = {{}}
fingerprints = {{ stem = "{train}" }}
[splits.test]
documents = 2
held_out = true
gold = {{}}
fingerprints = {{ stem = "{test}" }}
"""

# Made after the definition in keywright.datasets.collection: records written by hand, hashed by sha256sum.
TRAIN = "56bfb883b6ab4424506a3e26b09265b7cef188691b7c805a5f582bdd472237dd"
TEST = "8af6d76e03159159a0494c4cb5fb59d73aaeecee90770e49eff246edad168610"


def write_folder(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def write_tar(path: Path, files: dict[str, str], under: str = "") -> Path:
    with tarfile.open(path, "w:gz") as archive:
        for name, text in files.items():
            content = text.encode()
            member = tarfile.TarInfo(under + name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return path


@pytest.fixture
def papers() -> dict[str, str]:
    return dict(PAPERS)


@pytest.fixture
def as_folder() -> Callable[[Path, dict[str, str]], Path]:
    return write_folder


@pytest.fixture
def as_tar() -> Callable[..., Path]:
    return write_tar


@pytest.fixture
def tiny_card() -> Callable[..., str]:
    def card(url: str = "", sha256: str = "", train: str = TRAIN, test: str = TEST) -> str:
        return CARD.format(url=url, sha256=sha256, train=train, test=test)

    return card
