"""Train ``src/keywright/models/tags_ar.npz``: the Arabic tagger, on the treebank UD Arabic-PUD.

    KEYWRIGHT_MIRROR=... python -m tools.train.arabic_tagger            cross-validation, then training on all
    KEYWRIGHT_MIRROR=... python -m tools.train.arabic_tagger --check    cross-validation alone

Needs the extra ``arabic``; two minutes with OMP_NUM_THREADS=1. The unit is the written word, as in
``studies/arabic_text/treebank.py``; accuracies count words without signs. The same data and the same scikit-learn give
the same file.
"""

import argparse
from pathlib import Path
from typing import Final

from keywright.text.arabic.tagger import FILE
from studies.arabic_text.treebank import accuracy, cross_validated, fit, treebank

TARGET: Final = Path(__file__).parents[2] / "src" / "keywright" / "models" / FILE
CARD: Final = {
    "name": "tags_ar",
    "what": "weights of a logistic regression for universal parts of speech of Arabic words, 64-bit keys of features "
    "and 8-bit weights, no text",
    "sources": [
        "Universal Dependencies, Arabic-PUD, commit be733f45d21f42d506c62930f806ed2182a5ee3d, all 1,000 sentences"
    ],
    "licence": "CC BY-SA 3.0, as the treebank's",
    "unit": "words between blanks, with their clitics; the tag is that of the content word",
    "checked_by": "ten-fold cross-validation over documents, words without signs",
    "made_by": "tools/train/arabic_tagger.py",
    "date": "2026-11-22",
}


def main() -> None:
    """Measure, train and write."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--check", action="store_true", help="cross-validation only, no file is written")
    check = arguments.parse_args().check
    result = accuracy(cross_validated(treebank()))
    print(f"{result.words} words: {result.all:.4f}, with names and nouns as one {result.merged:.4f}")
    if not check:
        measured = {"upos": round(result.all, 4), "upos_nouns_merged": round(result.merged, 4), "words": result.words}
        model = fit(treebank(), **CARD, accuracy=measured)
        model.save(TARGET)
        print(f"{TARGET.name}: {len(model.keys)} features, {TARGET.stat().st_size} bytes")


if __name__ == "__main__":
    main()
