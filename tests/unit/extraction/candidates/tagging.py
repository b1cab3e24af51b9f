"""Documents with tags set by hand, so that tests need no tagger."""

from dataclasses import replace

import numpy as np
from tests.builders import analysed

from keywright.core.documents import AnalysedDocument, Section


def tagged(text: str, *sections: Section) -> AnalysedDocument:
    """Analysis of ``word/TAG word/TAG``; a bar stands for a blank line. Offsets of sections are in the bare text."""
    pairs = [item.rpartition("/")[::2] for item in text.split() if item != "|"]
    bare = " ".join(item if item == "|" else item.rpartition("/")[0] for item in text.split()).replace("|", "\n\n")
    document = analysed(bare, *sections)
    assert [document.source.text[a:b] for a, b in zip(document.start, document.end, strict=True)] == [
        word for word, _ in pairs
    ]
    names = tuple(sorted({tag for _, tag in pairs}))
    return replace(document, tag=np.array([names.index(tag) for _, tag in pairs], np.int16), tags=names)


def phrases(document: AnalysedDocument, candidates) -> dict[str, int]:
    """Text of each candidate's first occurrence, in lower case, and its frequency."""
    text = document.source.text
    ends = document.end[candidates.first + candidates.length - 1].tolist()
    names = [text[a:b].lower() for a, b in zip(document.start[candidates.first].tolist(), ends, strict=True)]
    return dict(zip(names, candidates.frequency.tolist(), strict=True))
