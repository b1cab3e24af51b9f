"""Print how many gold phrases with inner signs, which stand in their texts letter for letter, are candidates.

Usage: ``python -m tools.checks.terms_report [--plain] [--missing CLASS ...] [--most N]``

The collections are those of the folder that KEYWRIGHT_MIRROR names. ``--plain`` cuts texts as the systems of papers do;
``--missing`` prints the phrases of some classes that no candidate gives. The last lines count candidates for a document
and present gold phrases among them, of all classes, and how many phrases of the classes are formulas, measures or
clauses: these have a bracket or a sign of a relation or an operation, begin with a number, have more than five words,
or a function word at an edge.
"""

import argparse
import io
import itertools
import json
import os
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np

from keywright.core.documents import Document
from keywright.core.zstandard import zstd
from keywright.extraction.candidates.prefilter import usual_candidates
from keywright.text.analyser import TextAnalyser
from keywright.text.keys import phrase_key
from keywright.text.stems import stemmer, stopwords

CLASSES: Final = {
    "possessive": re.compile(r"\w['’][sS]\s|s['’]\s"),
    "dot inside": re.compile(r"[^\W_]\.[^\W_]"),
    "initial": re.compile(r"\b\w\.\s"),
    "comma inside": re.compile(r"\w,\w"),
    "underscore": re.compile(r"\w_\w"),
    "plus": re.compile(r"\w\+(?!\+)"),
    "accent as sign": re.compile(r"\w[`´]\w"),
    "dash": re.compile(r"\w[–−]\w"),
}
"""Classes of phrases with inner signs; a phrase belongs to the first that it matches."""
_NO_TERM: Final = re.compile(r"[()\[\]=<>|∼→∫⩾⩽×±⁎∂〈〉:]|\b\w[+−]\w\b|^\d[\d.,–−]*(?:%|\s|$)")
"""Signs of formulas, and numbers with which measures begin."""
_MOST_WORDS: Final = 5  # as candidates have
_OTHERS: Final = "others"
_MOST: Final = 300
"""Documents of a collection; arbitrary."""
_FOLDERS: Final = frozenset({"everyday", "other_domains", "keyphrase_test", "train", "train_full"})
_GOLD: Final = ("keyphrases", "gold", "keywords", "tags")


def main() -> None:
    """Count, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--plain", action="store_true", help="cut texts as the systems of papers do")
    parser.add_argument("--missing", nargs="*", default=(), choices=[*CLASSES, _OTHERS], help="print what is missing")
    parser.add_argument("--most", type=int, default=_MOST, help="documents of a collection")
    options = parser.parse_args()
    there, given, terms = Counter[str](), Counter[str](), Counter[bool]()
    candidates, documents = 0, 0
    for path in sorted(Path(os.environ["KEYWRIGHT_MIRROR"]).rglob("*.jsonl*")):
        if not any(part in _FOLDERS for part in path.parts):
            continue
        for text, language, phrases in itertools.islice(read_labelled(path), options.most):
            analyser = TextAnalyser(language) if options.plain else TextAnalyser(language, terms=True)
            document = analyser.analyse(Document("d", text, language=language))
            keys = usual_candidates(document).key
            candidates, documents = candidates + len(keys), documents + 1
            for phrase in phrases:
                kind = next((kind for kind, pattern in CLASSES.items() if pattern.search(phrase)), _OTHERS)
                there[kind] += 1
                is_given = bool(np.isin(np.uint64(phrase_key(phrase, stemmer(language))), keys))
                given[kind] += is_given
                if kind != _OTHERS and is_term(phrase, language):
                    terms[is_given] += 1
                if kind in options.missing and not is_given:
                    print(f"{kind}\t{path.name}\t{phrase}")
    for kind in [*CLASSES, _OTHERS]:
        print(f"{kind:16} {given[kind]:7,} of {there[kind]:7,}")
    print(f"{'with signs':16} {given.total() - given[_OTHERS]:7,} of {there.total() - there[_OTHERS]:7,}")
    print(f"{'and are terms':16} {terms[True]:7,} of {terms.total():7,}")
    print(f"{'all':16} {given.total():7,} of {there.total():7,} = {given.total() / there.total():.4f}")
    print(f"{candidates / documents:.1f} candidates for each of {documents:,} documents")


def is_term(phrase: str, language: str) -> bool:
    """Return whether a phrase is neither a formula, a measure nor a clause, by its form."""
    words = phrase.lower().replace("’", "'").split()
    edges = {words[0].removesuffix("'s"), words[-1].removesuffix("'s")}
    return len(words) <= _MOST_WORDS and not _NO_TERM.search(phrase) and edges.isdisjoint(stopwords(language))


def read_labelled(path: Path) -> Iterator[tuple[str, str, list[str]]]:
    """Yield text, language and the gold phrases that stand in the text, of each record of a file."""
    opened: Any = zstd.open(path, "rb") if path.suffix == ".zst" else path.open("rb")
    with opened as raw, io.TextIOWrapper(raw, "utf-8") as lines:
        for record in map(json.loads, lines):
            text = "\n\n".join(str(record[name]) for name in ("title", "abstract", "text") if record.get(name))
            gold = next((record[name] for name in _GOLD if record.get(name)), ())
            forms = (
                phrase if isinstance(phrase, str) else phrase[0] for phrase in gold if isinstance(phrase, str | list)
            )
            whole = f" {text.lower()} "
            present = [form for form in forms if re.search(rf"(?<!\w){re.escape(form.lower())}(?!\w)", whole)]
            if present:
                yield text, record.get("language") or "en", present


if __name__ == "__main__":
    main()
