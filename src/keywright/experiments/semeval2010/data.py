"""Tables 1 and 2 of the SemEval-2010 task paper, and the counts of its README, from the data.

A difference is explained only where arithmetic on the files confirms the cause; the notes are made from the counts.
"""

import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from keywright.datasets.collection import load
from keywright.experiments.rows import Row
from keywright.experiments.study import Study

NAME: Final = "semeval2010-data"
SPLITS: Final = ("trial", "train", "test")


@dataclass(frozen=True, slots=True)
class Counted:
    """What one split holds.

    Attributes:
        texts: by document.
        categories: documents by ACM category.
        entries: gold entries by kind.
        forms: accepted forms of all entries by kind.
        distinct: entries by kind, each once a document.
    """

    texts: dict[str, str]
    categories: Counter[str]
    entries: Counter[str]
    forms: Counter[str]
    distinct: Counter[str]

    @property
    def shared(self) -> int:
        """Entries of authors and readers that the combined list holds once."""
        return self.entries["author"] + self.entries["reader"] - self.entries["combined"]


def rows(mirror: Path | None = None) -> tuple[Row, ...]:
    """Published and counted numbers, table 1, table 2, then the README's.

    Raises:
        MissingData: SemEval-2010 is not on this machine.
    """
    counted = {split: count(split, mirror) for split in SPLITS}
    text = files("keywright.experiments").joinpath("published", "semeval2010_tables.toml").read_text(encoding="utf-8")
    published = tomllib.loads(text)
    return (*_table1(published, counted), *_table2(published, counted), *_readme(published["readme"], counted))


def count(split: str, mirror: Path | None = None) -> Counted:
    """Count one split."""
    found = Counted({}, Counter(), Counter(), Counter(), Counter())
    for labelled in load(f"semeval2010/{split}", mirror):
        found.texts[labelled.id] = labelled.document.text
        found.categories[labelled.document.meta["category"]] += 1
        for gold in labelled.gold:
            found.entries[gold.by] += 1
            found.forms[gold.by] += len(gold.forms)
        found.distinct.update(by for by, _ in {(gold.by, gold.forms) for gold in labelled.gold})
    return found


def _table1(published: dict[str, Any], counted: dict[str, Counted]) -> Iterator[Row]:
    for split, line in published["documents"].items():
        found = counted[split]
        for category, number in line.items():
            ours = len(found.texts) if category == "total" else found.categories[category]
            parts = [value for name, value in line.items() if name != "total"]
            note = ""
            if ours != number:
                note = f"the categories printed in the same row add up to {' + '.join(map(str, parts))} = {sum(parts)}"
                note = note if sum(parts) == ours else "not explained"
            yield Row(
                "documents",
                number,
                ours,
                dataset=f"semeval2010/{split}",
                category=None if category == "total" else category,
                note=note,
            )
    trial, train, test = (counted[split].texts for split in SPLITS)
    again = sum(train.get(name) == text for name, text in trial.items())
    ours = len({*trial.items(), *train.items(), *test.items()})
    for source, number in published["collection"].items():
        note = f"count of the {source}"
        if number == len(trial) + len(train) + len(test) and number - ours == again:
            note += f": {len(trial)} + {len(train)} + {len(test)}, but {again} trial documents are training documents"
        yield Row("documents", number, ours, dataset="semeval2010", note=note)


def _table2(published: dict[str, Any], counted: dict[str, Counted]) -> Iterator[Row]:
    for split, line in published["keyphrases"].items():
        found, stated = counted[split], published["shared"].get(split)
        for kind, number in line.items():
            note = ""
            if number != found.entries[kind]:
                implied = line["author"] + line["reader"] - line["combined"]
                note = (
                    f"not explained: {_tried(found, kind)}. "
                    f"The paper says that authors and readers share {stated}: the files do too ({found.shared}), "
                    f"but its row implies {implied}"
                )
            yield _keyphrases(split, kind, number, found, note)
        if stated is not None:
            yield Row(
                "keyphrases of authors and readers",
                stated,
                found.shared,
                dataset=f"semeval2010/{split}",
                note="entries of author + reader - combined",
            )


def _readme(published: dict[str, dict[str, int]], counted: dict[str, Counted]) -> Iterator[Row]:
    for split, line in published.items():
        found = counted[split]
        for kind, number in line.items():
            alternatives = found.forms[kind] - found.entries[kind]
            if number == found.forms[kind]:
                note = f"README: it counts accepted forms, {found.entries[kind]} entries + {alternatives} alternatives"
            else:
                note = f"README: not explained: {_tried(found, kind)}"
            yield _keyphrases(split, kind, number, found, note)


def _keyphrases(split: str, kind: str, number: int, found: Counted, note: str) -> Row:
    return Row("keyphrases", number, found.entries[kind], gold=kind, dataset=f"semeval2010/{split}", note=note)


def _tried(found: Counted, kind: str) -> str:
    """The ways of counting that were tried."""
    return (
        f"the file has {found.entries[kind]} entries, {found.distinct[kind]} distinct ones, "
        f"{found.forms[kind]} accepted forms"
    )


STUDY: Final = Study(NAME, rows)
