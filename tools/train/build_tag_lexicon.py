"""Build ``src/keywright/models/tags_en.npz``: shares of parts of speech of English word forms, by a tagger.

    KEYWRIGHT_MIRROR=... python tools/train/build_tag_lexicon.py

Needs the extra ``tags``; some three minutes of one core. A sample of the training texts is tagged by spaCy and counted
by word form and by ending; the file holds 64-bit hashes and shares, no text. The same data and the same tagger give the
same file. Forms with fewer than ``LEAST`` tokens are represented by their endings.
"""

import io
import json
import os
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Final

import numpy as np

from keywright.core.arrays import Floats
from keywright.core.documents import AnalysedDocument, Case, Document, WordFlag
from keywright.core.zstandard import zstd
from keywright.text.languages import TaggedAnalyser
from keywright.text.tag_lexicon import CLASSES, LANGUAGES, TagLexicon, endings, tag_classes

MIX: Final = "train/train_mix_en.jsonl.zst"
PAPERS: Final = "train/title_abstract_nokeywords.jsonl.zst"
EVERY: Final = {
    (MIX, "papyrus"): 3,
    (MIX, "takg_stackexchange"): 2,
    (MIX, "kp20k_small"): 1,
    (MIX, "krapivin2009"): 1,
    (PAPERS, "all"): 16,
}
"""One of so many texts of each source is tagged; arbitrary: about four million tokens of many fields and styles."""

TOGETHER: Final = 30
"""Texts tagged as one document, which is faster; the tagger's context is four tokens."""

LEAST: Final = 3
"""Tokens that an entry needs; arbitrary."""
MOST_OF_A_FORM: Final = 3
"""Largest weight of a form, in tokens, among those with its ending: unknown words are rare, and resemble rare forms."""

OF_ENDING: Final = 5
OF_FORM: Final = 3
"""Pseudo-counts of the next shorter ending in the shares of an ending, and of endings in those of forms; arbitrary."""

TARGET: Final = Path(__file__).parents[2] / "src" / "keywright" / "models" / LANGUAGES["en"]
CARD: Final = {
    "name": "tags_en",
    "what": (
        "shares of the coarse part-of-speech classes of English word forms, and of endings of up to 4 letters for "
        "other forms, as 64-bit keys and 8-bit shares, no text"
    ),
    "sources": [
        "abstracts of theses of the Université de Montréal (Papyrus), every third, CC BY-SA 4.0",
        "posts of Stack Exchange in yuewang-cuhk/TAKG, every second, CC BY-SA 3.0",
        "abstracts of the KP20k sample in jiacheng-ye/kg_one2set and of Krapivin 2009 past the first 460, none stated",
        "abstracts of the paper lists of papercopilot/paperlists, every sixteenth, none stated",
    ],
    "tagger": "spaCy, en_core_web_sm 3.8.0 (MIT)",
    "licence": (
        "CC BY-SA 4.0; shares over thousands of texts are facts about them, and no text is part of the file; test "
        "documents were removed from the training mix"
    ),
    "checked_against": (
        "spaCy on the 144 training papers of SemEval-2010, of which none was counted: the class with the greatest "
        "share is the tagger's for 94.4 % of 1,420,137 tokens, for 92.75 % of words without signs and numbers"
    ),
    "made_by": "tools/build_tag_lexicon.py",  # the path that the program had: cards are part of hashed files
    "date": "2026-11-21",
    "least_tokens": LEAST,
}


@dataclass
class Counts:
    """Tokens of each class: by form, (classes,) each, and of all tokens inside sentences, with and without capitals."""

    by_form: dict[str, Floats] = field(default_factory=lambda: defaultdict(lambda: np.zeros(len(CLASSES))))
    capitals: Floats = field(default_factory=lambda: np.zeros(len(CLASSES)))
    inside: Floats = field(default_factory=lambda: np.zeros(len(CLASSES)))

    def add(self, document: AnalysedDocument) -> None:
        """Count the words of a tagged document."""
        classes = np.array([CLASSES.index(letter) for letter in tag_classes(document)], np.int64)
        counted = document.flags & (WordFlag.LETTER | WordFlag.SYMBOLIC) == WordFlag.LETTER
        pairs = document.word[counted].astype(np.int64) * len(CLASSES) + classes[counted]
        rows = np.bincount(pairs, minlength=len(document.words) * len(CLASSES)).reshape(-1, len(CLASSES))
        for form in np.flatnonzero(rows.any(axis=1)).tolist():
            self.by_form[document.words[form]] += rows[form]
        inside = counted & (np.diff(document.sentence, prepend=-1) == 0)
        self.inside += np.bincount(classes[inside], minlength=len(CLASSES))
        capital = inside & (document.case != Case.LOWER)
        self.capitals += np.bincount(classes[capital], minlength=len(CLASSES))


def texts(mirror: Path) -> Iterator[str]:
    """Yield title and abstract of each sampled record."""
    read: Counter[tuple[str, str]] = Counter()
    for path in (MIX, PAPERS):
        with (mirror / path).open("rb") as packed, zstd.open(packed) as stream:
            for record in map(json.loads, io.TextIOWrapper(stream, encoding="utf-8")):
                source = path, record["source"] if path == MIX else "all"
                read[source] += 1
                if source in EVERY and read[source] % EVERY[source] == 0:
                    yield f"{record['title']}\n\n{record['abstract']}"


def count(sample: Iterator[str]) -> Counts:
    """Return the counts over texts."""
    analyser, counts = TaggedAnalyser(), Counts()
    while batch := list(islice(sample, TOGETHER)):
        counts.add(analyser.analyse(Document("", "\n\n".join(batch))))
    return counts


def shares_of_endings(by_form: Mapping[str, Floats]) -> dict[str, Floats]:
    """Return shares of each pattern of ``endings`` with ``LEAST`` tokens, (classes,), smoothed by the next shorter."""
    weights: dict[str, Floats] = defaultdict(lambda: np.zeros(len(CLASSES)))
    for form, row in by_form.items():
        for pattern in endings(form):
            weights[pattern] += row * min(1, MOST_OF_A_FORM / row.sum())
    shares: dict[str, Floats] = {}
    for pattern, row in sorted(weights.items(), key=lambda item: len(item[0])):
        star = pattern.index("*") + 1
        shorter = shares.get(pattern[:star] + pattern[star + 1 :]) if len(pattern) > star else row / row.sum()
        if shorter is not None and round(row.sum(), 6) >= LEAST:
            shares[pattern] = (row + OF_ENDING * shorter) / (row.sum() + OF_ENDING)
    return shares


def lexicon(counts: Counts) -> TagLexicon:
    """Return the lexicon of the counts."""
    entries = shares_of_endings(counts.by_form)
    of_forms = {}
    for form, row in counts.by_form.items():
        if row.sum() >= LEAST:
            ending = next(entries[pattern] for pattern in reversed(endings(form)) if pattern in entries)
            of_forms[form] = (row + OF_FORM * ending) / (row.sum() + OF_FORM)
    numbers = {"tokens": int(sum(row.sum() for row in counts.by_form.values())), "forms": len(of_forms)}
    capitals = np.round(counts.capitals / np.maximum(counts.inside, 1), 4)
    return TagLexicon.from_shares({**entries, **of_forms}, capitals, **CARD, **numbers)


def main() -> None:
    """Count, save, and print a summary."""
    table = lexicon(count(texts(Path(os.environ["KEYWRIGHT_MIRROR"]))))
    table.save(TARGET)
    again = TagLexicon.load(TARGET)
    size = TARGET.stat().st_size / 1e6
    print(f"{again.card['tokens']} tokens, {again.card['forms']} forms, {len(again)} entries, {size:.2f} MB")
    print(f"fingerprint {again.fingerprint}; capitals {dict(zip(CLASSES, again.capitals.tolist(), strict=True))}")


if __name__ == "__main__":
    main()
