"""Report how often sections of bare text are found on the 144 SemEval-2010 training papers, and how fast.

    KEYWRIGHT_MIRROR=../shared/data python tools/checks/section_report.py [DATA SET ...]

With names of data sets, report on their documents only, including author keywords and notices. Without names, the
second table compares with sections that a person marked in twenty of the papers (every seventh by id).
"""

import collections
import json
import os
import sys
import tarfile
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

from keywright.core.documents import Document, SectionKind
from keywright.datasets.collection import load
from keywright.reading.bare_text.sections import find_sections

MORE = ("title", "abstract", "keywords", "metadata", "notice", "introduction", "conclusion", "references")
WANTED = ("title", "authors", "abstract", "introduction", "related", "conclusion", "acknowledgements", "references")
CHECKED = Path(__file__).parents[2] / "tests" / "unit" / "reading" / "hand_checked_sections.jsonl"
LONGEST_FOOT = 120  # characters of a running foot or page number below the last reference; arbitrary


def training_papers(mirror: Path) -> dict[str, str]:
    """Return texts of the training papers by id."""
    texts = {}
    with tarfile.open(mirror / "semeval2010" / "texts.tar.gz") as archive:
        for member in archive:
            file = archive.extractfile(member) if member.name.startswith("train/") and member.isfile() else None
            if file:
                texts[Path(member.name).name.split(".")[0]] = file.read().decode("utf-8")
    return dict(sorted(texts.items()))


def judge(truth: dict[str, str | int], document: Document) -> dict[str, bool]:
    """Return whether the boundaries of title, abstract and references are where a person marked them."""
    title = document.section(SectionKind.TITLE) or ""
    abstract = document.section(SectionKind.ABSTRACT) or ""
    references = document.section(SectionKind.REFERENCES) or ""
    foot = references.rpartition(str(truth["last_reference_ends"]))
    return {
        "title": title.count("\n") + 1 == truth["title_lines"]
        and title.rstrip(" ∗*†").endswith(str(truth["title_ends"])),
        "abstract": abstract.startswith(str(truth["abstract_begins"]))
        and abstract.endswith(str(truth["abstract_ends"])),
        "references": str(truth["first_reference_names"]) in references[:40]
        and bool(foot[1])
        and len(foot[2]) <= LONGEST_FOOT,
    }


def report(names: list[str]) -> None:
    """Print how many documents of data sets have each kind of section."""
    table = Table("data set", "documents", *MORE)
    for name in names:
        kinds = [{section.kind for section in labelled.document.sections} for labelled in load(name)]
        counts = collections.Counter(kind for each in kinds for kind in each)
        table.add_row(name, str(len(kinds)), *(str(counts[SectionKind(kind)]) for kind in MORE))
    Console(width=140).print(table)


def main() -> None:
    """Print both tables, or the one of named data sets."""
    if sys.argv[1:]:
        report(sys.argv[1:])
        return
    mirror = os.environ.get("KEYWRIGHT_MIRROR")
    if not mirror:
        sys.exit("set KEYWRIGHT_MIRROR to the folder that holds semeval2010/texts.tar.gz")
    texts = training_papers(Path(mirror))
    began = time.perf_counter()
    documents = {name: Document(name, text, find_sections(text)) for name, text in texts.items()}
    seconds = time.perf_counter() - began
    kinds = ({section.kind for section in document.sections} for document in documents.values())
    counts = collections.Counter(kind for of_document in kinds for kind in of_document)
    table = Table("section", "papers", title=f"Found in {len(texts)} training papers")
    for kind in WANTED:
        table.add_row(kind, str(counts[SectionKind(kind)]))
    right: collections.Counter[str] = collections.Counter()
    truths = [json.loads(line) for line in CHECKED.read_text(encoding="utf-8").splitlines()]
    for truth in truths:
        verdict = judge(truth, documents[truth["id"]])
        right.update(part for part, fine in verdict.items() if fine)
        wrong = [part for part, fine in verdict.items() if not fine]
        if wrong:
            print(f"{truth['id']}: {', '.join(wrong)} not as a person saw them", file=sys.stderr)
    checked = Table("boundaries", "right", title=f"Checked by hand on {len(truths)} papers")
    for part in ("title", "abstract", "references"):
        checked.add_row(part, f"{right[part]} of {len(truths)}")
    console = Console()
    console.print(table, checked)
    characters = sum(map(len, texts.values())) / len(texts)
    console.print(f"{1000 * seconds / len(texts):.2f} ms a paper of {characters:,.0f} characters")


if __name__ == "__main__":
    main()
