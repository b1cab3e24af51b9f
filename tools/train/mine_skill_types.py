"""List general scientific nouns: heads of noun phrases in many of the SemEval-2010 training papers.

    KEYWRIGHT_MIRROR=../shared/data python tools/train/mine_skill_types.py [--least 0.38]

Prints the last words of noun phrases that are in at least this share of the 144 papers, most common first, with their
number of papers; a star stands before those of ``text/skill_types_en.txt``, which were chosen by hand. No gold is
used. Fails when the file has a noun that is not among them.
"""

import argparse
import sys
from collections import Counter

import numpy as np

from keywright.core.documents import AnalysedDocument
from keywright.experiments.semeval2010_task import TRAIN, analyse_split
from keywright.extraction.candidates.patterns import noun_chunks
from keywright.extraction.systems.deriunlp import skill_types, word_and_plurals

LONGEST = 4
"""Words of a noun phrase; arbitrary."""


def main() -> None:
    """Count, print, check."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--least", type=float, default=0.38, help="share of the papers")
    options = parser.parse_args()
    papers = [paper.document for paper in analyse_split(TRAIN, tagged=True)]
    heads = [heads_of(paper) for paper in papers]
    forms = set().union(*heads)
    singular = {plural: word for word in sorted(forms) for plural in word_and_plurals(word)[1:] if plural in forms}
    counts = Counter(noun for of_paper in heads for noun in {singular.get(form, form) for form in of_paper})
    common = {noun: count for noun, count in counts.most_common() if count >= options.least * len(papers)}
    for noun, count in common.items():
        print("*" if noun in skill_types() else " ", count, noun)
    missing = [noun for noun in skill_types() if noun not in common]
    print(f"{len(skill_types())} of {len(common)} were taken")
    if missing:
        sys.exit(f"not among them: {' '.join(missing)}")


def heads_of(document: AnalysedDocument) -> set[str]:
    """Return the last words of a document's noun phrases, in lower case."""
    phrases = noun_chunks(document, LONGEST)
    last = document.word[phrases.positions + phrases.widths - 1]
    return {document.words[word] for word in np.unique(last).tolist()}


if __name__ == "__main__":
    main()
