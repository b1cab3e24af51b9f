"""Tables 1 and 2 of the SemEval-2010 task paper, and the counts of its README, from the data.

A difference is explained only where arithmetic on the files confirms the cause; the notes are computed.
"""

import tomllib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from keywright.datasets.collection import load
from keywright.experiments.study import Row, Study

NAME: Final = "semeval2010-data"
SPLITS: Final = ("trial", "train", "test")


@dataclass(frozen=True, slots=True)
class Counted:
    """The counts of one split.

    ``forms``: accepted forms of all entries by kind; ``distinct``: different entries of a document by kind.
    """

    texts: dict[str, str]
    categories: Counter[str]
    entries: Counter[str]
    forms: Counter[str]
    distinct: Counter[str]

    @property
    def shared(self) -> int:
        """Number of entries of both authors and readers, which the combined list has once."""
        return self.entries["author"] + self.entries["reader"] - self.entries["combined"]


def rows(mirror: Path | None = None) -> tuple[Row, ...]:
    """Compute published and counted numbers of table 1, table 2, then the README."""
    counted = {split: count(split, mirror) for split in SPLITS}
    text = files("keywright.experiments").joinpath("published", "semeval2010_tables.toml").read_text(encoding="utf-8")
    published = tomllib.loads(text)
    return (*_table1(published, counted), *_table2(published, counted), *_readme(published["readme"], counted))


def count(split: str, mirror: Path | None = None) -> Counted:
    """Count one split."""
    counts = Counted({}, Counter(), Counter(), Counter(), Counter())
    for labelled in load(f"semeval2010/{split}", mirror):
        counts.texts[labelled.id] = labelled.document.text
        counts.categories[labelled.document.meta["category"]] += 1
        for gold in labelled.gold:
            counts.entries[gold.by] += 1
            counts.forms[gold.by] += len(gold.forms)
        counts.distinct.update(by for by, _ in {(gold.by, gold.forms) for gold in labelled.gold})
    return counts


def _table1(published: dict[str, Any], counted: dict[str, Counted]) -> Iterator[Row]:
    for split, line in published["documents"].items():
        counts = counted[split]
        for category, number in line.items():
            ours = len(counts.texts) if category == "total" else counts.categories[category]
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
        counts, stated = counted[split], published["shared"].get(split)
        for kind, number in line.items():
            note = ""
            if number != counts.entries[kind]:
                implied = line["author"] + line["reader"] - line["combined"]
                note = (
                    f"not explained: {_tried(counts, kind)}. "
                    f"The paper says that authors and readers share {stated}: the files do too ({counts.shared}), "
                    f"but its row implies {implied}"
                )
            yield _keyphrases(split, kind, number, counts, note)
        if stated is not None:
            yield Row(
                "keyphrases of authors and readers",
                stated,
                counts.shared,
                dataset=f"semeval2010/{split}",
                note="entries of author + reader - combined",
            )


def _readme(published: dict[str, dict[str, int]], counted: dict[str, Counted]) -> Iterator[Row]:
    for split, line in published.items():
        counts = counted[split]
        for kind, number in line.items():
            alternatives = counts.forms[kind] - counts.entries[kind]
            if number == counts.forms[kind]:
                note = f"README: it counts accepted forms, {counts.entries[kind]} entries + {alternatives} alternatives"
            else:
                note = f"README: not explained: {_tried(counts, kind)}"
            yield _keyphrases(split, kind, number, counts, note)


def _keyphrases(split: str, kind: str, number: int, counts: Counted, note: str) -> Row:
    return Row("keyphrases", number, counts.entries[kind], gold=kind, dataset=f"semeval2010/{split}", note=note)


def _tried(counts: Counted, kind: str) -> str:
    """Return the results of the ways of counting that were tried."""
    return (
        f"the file has {counts.entries[kind]} entries, {counts.distinct[kind]} distinct ones, "
        f"{counts.forms[kind]} accepted forms"
    )


STUDY: Final = Study(NAME, rows)
