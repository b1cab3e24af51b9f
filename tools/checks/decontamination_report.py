"""Compare every training collection with every data set that results are reported on, and list overlaps.

    PYTHONPATH=. KEYWRIGHT_MIRROR=../shared/data python tools/checks/decontamination_report.py

Writes ``docs/results/decontamination.md`` for people and ``src/keywright/datasets/overlaps.json`` for training, which
leaves these documents out; the same data give the same files. Two resources that are not data sets but sources of
lexicons are compared as well: lists of keyphrases without texts, and titles with keyphrases; their documents are named
by line.
"""

import json
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any

from keywright.core.documents import Document, GoldKeyphrase, LabelledDocument, Section, SectionKind
from keywright.core.zstandard import zstd
from keywright.datasets.collection import load
from keywright.datasets.training_mix import EVERYDAY, RULES, usual_fingerprint
from studies.training_data.decontamination import Overlap, Rules, Traces, overlaps
from studies.training_data.training_documents import GUARDED

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "results" / "decontamination.md"
PAIRS = PAGE.with_suffix("") / "by-test-set.csv"
TWINS = PAGE.with_suffix("") / "twins.csv"
STORED = ROOT / "src" / "keywright" / "datasets" / "overlaps.json"
TRAINING = (
    "semeval2010/train", "nus/train", "krapivin2009/train", "schutz2008/train", "news500n/train", "semeval2017/train",
    "inspec/train", "inspec/validation", "train_mix/author", "train_mix/indexer", "train_mix/tag",
    "train_mix/category", "papyrus_fr/train", "akec/train", "citeulike_tags/train", "fao_agrovoc/train",
    "pubmed_mesh/train", "wicc_es/train", *(part.data for part in EVERYDAY),
)  # fmt: skip
LISTS = ("lexicons/kp20k_keyphrase_lists.jsonl.zst", "train/title_keywords_only.jsonl.zst")
HEAD = """# Training data and test data, compared

Written by `tools/checks/decontamination_report.py`. A training document overlaps a test document when

- **title**: one begins with the title of the other, letters only, of at least {title_letters} letters;
- **keyphrases**: they share at least {shared_phrases} keyphrases, and these are at least {phrases_share:.0%} of
  the test document's list (of authors, of readers ...);
- **text**: they share at least {shared_runs} runs of six words, and these are at least {runs_share:.0%} of the runs of
  the shorter text. References, licence notices, classification, authors and acknowledgements do not count, nor do runs
  that more than {common} documents of one collection have.

Each is enough for the training document to be left out. Keyphrases alone are mostly a
false alarm between papers on one subject, and leaving such papers out costs little; only of the shared task's own
training papers none is left out for them. `semeval2010/train` is guarded too, because parameters are chosen on its
folds.

| training data | documents | overlapping | by title | by keyphrases | by text |
|---|---|---|---|---|---|
"""
PAIRS_HEAD = "training data,test data,documents,by title,by keyphrases,by text"
"""Columns of the overlapping pairs of collections; pairs without any are not listed."""
REST = """
No document overlaps in {clean}.

As CSV: [the same for each pair of collections](decontamination/by-test-set.csv), and [pairs inside of one collection
with the same title or text](decontamination/twins.csv), which cross-validation has to keep in one fold.
"""
TWINS_HEAD = "training data,pairs,by title,by text"


def main() -> None:
    """Compare, write, print the time."""
    folder = os.environ.get("KEYWRIGHT_MIRROR")
    if not folder:
        sys.exit("set KEYWRIGHT_MIRROR to the folder of data sets")
    mirror, began = Path(folder), time.perf_counter()
    guarded = {name: Traces.of(load(name, mirror), kinds) for name, kinds in GUARDED.items()}
    by_training: dict[str, dict[str, Any]] = {}
    rows: dict[str, dict[str, Sequence[Overlap]]] = {}
    sizes: dict[str, int] = {}
    twins: dict[str, list[Overlap]] = {}
    for name in (*TRAINING, *LISTS):
        listed = name in LISTS
        traces = Traces.of(lists(mirror / name) if listed else load(name, mirror))
        sizes[name] = len(traces.ids)
        rows[name] = {test: overlaps(traces, other) for test, other in guarded.items() if test != name}
        printed = sha256((mirror / name).read_bytes()).hexdigest() if listed else usual_fingerprint(name)
        by_training[name] = {"fingerprint": printed, "overlaps": by_document(rows[name])}
        if not listed:
            twins[name] = [pair for pair in overlaps(traces, traces) if pair.document < pair.test and telling(pair)]
        seconds, number = time.perf_counter() - began, len(by_training[name]["overlaps"])
        print(f"{seconds:5.0f} s  {name}: {number} of {sizes[name]} overlap")
    stored = {
        "rules": asdict(Rules()),
        "guarded": {name: usual_fingerprint(name) for name in GUARDED},
        "training": by_training,
    }
    STORED.write_text(json.dumps(stored, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    PAGE.write_text(page(rows, sizes), encoding="utf-8")
    PAIRS.write_text(list_pairs(rows), encoding="utf-8")
    TWINS.write_text(list_twins(twins), encoding="utf-8")


def lists(path: Path) -> Iterator[LabelledDocument[Document]]:
    """Yield titles and keyphrases, or keyphrases alone, of a file with one document per line."""
    with zstd.open(path, "rt", encoding="utf-8") as file:
        lines = file.readlines()
    for number, line in enumerate(lines, 1):
        parsed = json.loads(line)
        phrases, title = (parsed, "") if isinstance(parsed, list) else (parsed["keyphrases"], parsed["title"])
        sections = (Section(SectionKind.TITLE, 0, len(title)),)
        gold = tuple(GoldKeyphrase((phrase,), "author") for phrase in phrases)
        yield LabelledDocument(Document(str(number), title, sections), gold)


def by_document(rows: Mapping[str, Sequence[Overlap]]) -> dict[str, dict[str, list[str]]]:
    """Return by training document and rule the overlapping test documents: ``{"title": ["semeval2010/test C-1"]}``."""
    overlapping: dict[str, dict[str, list[str]]] = {}
    for test, pairs in rows.items():
        for pair in pairs:
            for rule in pair.rules:
                overlapping.setdefault(pair.document, {}).setdefault(rule, []).append(f"{test} {pair.test}")
    return overlapping


def telling(pair: Overlap) -> bool:
    """Return whether more than keyphrases agree."""
    return pair.title or pair.runs > 0


def documents(pairs: Sequence[Overlap]) -> list[int]:
    """Count the training documents of pairs, and those found by each rule."""
    by_rule = {rule: {pair.document for pair in pairs if rule in pair.rules} for rule in RULES}
    return [len({pair.document for pair in pairs}), *(len(by_rule[rule]) for rule in RULES)]


def page(rows: Mapping[str, Mapping[str, Sequence[Overlap]]], sizes: Mapping[str, int]) -> str:
    """Return the report in Markdown."""
    together = {name: [pair for pairs in tests.values() for pair in pairs] for name, tests in rows.items()}
    text = HEAD.format(**asdict(Rules()))
    text += "".join(
        row(f"`{name}`", f"{sizes[name]:,}", *documents(pairs)) for name, pairs in together.items() if pairs
    )
    return text + REST.format(clean=", ".join(f"`{name}`" for name, pairs in together.items() if not pairs))


def list_twins(twins: Mapping[str, Sequence[Overlap]]) -> str:
    """Return the numbers of pairs inside of each collection as CSV."""
    rules = {name: Counter(rule for pair in pairs for rule in pair.rules) for name, pairs in twins.items()}
    lines = [f"{name},{len(pairs)},{rules[name]['title']},{rules[name]['text']}" for name, pairs in twins.items()]
    return "\n".join([TWINS_HEAD, *lines]) + "\n"


def list_pairs(rows: Mapping[str, Mapping[str, Sequence[Overlap]]]) -> str:
    """Return the overlaps of each pair of collections as CSV."""
    lines = [
        ",".join(map(str, (name, test, *documents(pairs))))
        for name, tests in rows.items()
        for test, pairs in tests.items()
        if pairs
    ]
    return "\n".join([PAIRS_HEAD, *lines]) + "\n"


def row(*cells: object) -> str:
    """Return a row of a table."""
    return f"| {' | '.join(map(str, cells))} |\n"


if __name__ == "__main__":
    main()
