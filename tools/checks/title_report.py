"""Report how often the titles of everyday documents are found when they are given as plain text.

    KEYWRIGHT_MIRROR=../shared/data python tools/checks/title_report.py [--wrong FORM]

Each document is written in several forms: its title above the text, with none, one or three blank lines between, with a
date or a header block; and without its title. ``--wrong`` prints what was taken for the title in texts of one form.
"""

import argparse
import os
from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

from rich.console import Console
from rich.table import Table

import keywright as kw
from keywright.reading.bare_text.cleaning import clean_text
from keywright.reading.formats.plain import document_of_text

DOCUMENTS = 100
"""Documents of each collection, the first ones; arbitrary, bounds the time."""
FORMS: dict[str, Callable[[str, str], str]] = {
    "one blank line": lambda title, text: f"{title}\n\n{text}",
    "three blank lines": lambda title, text: f"{title}\n\n\n\n{text}",
    "no blank line": lambda title, text: f"{title}\n{text}",
    "below a date": lambda title, text: f"Wednesday, May 30, 2007\n\n{title}\n\n{text}",
    "above a date": lambda title, text: f"{title}\n\n30 May 2007\n\n{text}",
    "header block": lambda title, text: f"PEP: 505\nTitle: {title}\nAuthor: A. Smith\nStatus: Draft\n\n{text}",
    "underlined": lambda title, text: f"{title}\n{'=' * len(title)}\n\n{text}",
    "no title": lambda _, text: text,
}
"""Ways to write a title above a text."""


def read_documents(folder: Path) -> Iterator[tuple[str, str, str]]:
    """Yield collection, title and text of documents whose titles have one line and words."""
    for path in sorted(folder.glob("*.jsonl.zst")):
        for labelled in islice(kw.dataset(path), DOCUMENTS):
            written = labelled.document.meta.get("title", "")
            title = " ".join(clean_text(written).split())
            text = labelled.document.text.removeprefix(written.strip()).strip()
            if title and text and not text.startswith(title):
                yield path.name.partition(".")[0], title, text


def find_title(text: str) -> str:
    """Return the title that is found in a text; empty without one."""
    return document_of_text(text, "x").title or ""


def main() -> None:
    """Print recall and precision by form, and the share of right titles by collection."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wrong", choices=FORMS)
    arguments = parser.parse_args()
    found: defaultdict[str, int] = defaultdict(int)
    right: defaultdict[tuple[str, str], int] = defaultdict(int)
    counts: defaultdict[str, int] = defaultdict(int)
    for collection, title, text in read_documents(Path(os.environ["KEYWRIGHT_MIRROR"]) / "everyday"):
        counts[collection] += 1
        for form, write in FORMS.items():
            shown = find_title(write(title, text))
            is_right = shown == (title if form != "no title" else "")
            found[form] += bool(shown)
            right[form, collection] += is_right
            if form == arguments.wrong and not is_right:
                print(f"{collection}: {title!r}: {shown!r} {text[:60]!r}")
    table = Table("collection", "documents", *FORMS)
    for collection, count in counts.items():
        table.add_row(collection, f"{count}", *(f"{right[form, collection] / count:.2f}" for form in FORMS))
    every = sum(counts.values())
    rights = {form: sum(right[form, collection] for collection in counts) for form in FORMS}
    table.add_row("recall", f"{every}", *(f"{rights[form] / every:.3f}" for form in FORMS))
    table.add_row("precision", "", *(f"{rights[form] / max(1, found[form]):.3f}" for form in [*FORMS][:-1]))
    Console(width=200).print(table)


if __name__ == "__main__":
    main()
