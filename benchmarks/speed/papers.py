"""What the benchmarks run on: the papers of SemEval-2010 where the data folder is there, else the project's examples.

    python benchmarks/speed/papers.py FILE [PAPERS]

writes the papers' texts for the peers, which know nothing of data sets: JSON with the lists ``papers``,
``training``, and ``gold``, the keyphrases of each training paper. Without arguments it prints where they come from.
"""

import itertools
import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from keywright.api.extracting import read_all
from keywright.core.documents import Document, LabelledDocument
from keywright.core.errors import MissingData
from keywright.datasets.collection import load

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
_READ = (".txt", ".md", ".html", ".xml", ".docx")
_LONG = 50_000  # characters of a paper made of examples, about as many as the papers of SemEval-2010 have
_PAPERS = 100
_BEGINNING = 500  # abstracts that are read before the clock starts

Labelled = list[LabelledDocument[Document]]


def source() -> str:
    """Where the papers come from, in words."""
    try:
        load("semeval2010/test")
    except MissingData:
        return "examples of the project, joined and repeated"
    return "semeval2010/test, trained on semeval2010/train"


def bare_papers(most: int | None = None) -> list[Document]:
    """Bare texts, without sections; ``most`` of them, spread over the collection."""
    return _some([replace(one.document, sections=()) for one in _load("test")], most)


def training_papers(most: int | None = None) -> Labelled:
    """Papers with gold and sections to learn from."""
    return _some(_load("train"), most)


def gold_papers(most: int | None = None) -> Labelled:
    """The test papers with gold of authors, readers and both; without the data folder the labelled examples."""
    found = _load("test")
    return _some(found if found[0].gold else [_thrice(one) for one in _load("train")], most)


def abstracts(most: int | None = None) -> tuple[list[Document], list[Document]]:
    """Abstracts to begin with, and others; those of Inspec's training part, else the examples, which are the same."""
    try:
        found = [one.document for one in load("inspec/train")]
    except MissingData:
        examples = [one.document for one in load(str(EXAMPLES / "abstracts.jsonl"))]
        return examples, _some(examples, most)
    return found[:_BEGINNING], _some(found[_BEGINNING:], most)


def _thrice(labelled: LabelledDocument[Document]) -> LabelledDocument[Document]:
    """The same with its gold as that of each kind which the protocol of SemEval-2010 asks for."""
    gold = [replace(one, by=kind) for kind in ("author", "reader", "combined") for one in labelled.gold]
    return replace(labelled, gold=tuple(gold))


def _load(split: str) -> Labelled:
    try:
        return list(load(f"semeval2010/{split}"))
    except MissingData:
        return list(load(str(EXAMPLES / "abstracts.jsonl"))) if split == "train" else _made()


def _made() -> Labelled:
    """Papers made of the examples, each beginning with another one; full of repeats, so faster than real ones."""
    texts = [one.text for one in read_all(_example_files()) if isinstance(one, Document)]
    papers = []
    for number in range(_PAPERS):
        turned = itertools.islice(itertools.cycle(texts), number % len(texts), None)
        text = ""
        while len(text) < _LONG:
            text += next(turned) + "\n\n"
        papers.append(LabelledDocument(Document(f"made-{number}", text, language="en"), ()))
    return papers


def _example_files() -> list[Path]:
    return sorted(path for path in EXAMPLES.iterdir() if path.suffix in _READ)


def _some(papers: list[Any], most: int | None) -> list[Any]:
    if most is None or most >= len(papers):
        return papers
    return [papers[number * len(papers) // most] for number in range(most)]


def main(file: Path, most: int | None) -> None:
    """Write the texts."""
    training = training_papers(most)
    written = {
        "papers": [one.text for one in bare_papers(most)],
        "training": [one.document.text for one in training],
        "gold": [[form for phrase in one.gold for form in phrase.forms] for one in training],
    }
    file.write_text(json.dumps(written), "utf-8")


if __name__ == "__main__":
    match sys.argv[1:]:
        case [file, most]:
            main(Path(file), int(most))
        case [file]:
            main(Path(file), None)
        case _:
            print(source())
