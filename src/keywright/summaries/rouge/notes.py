"""Notes for people on texts that ROUGE cannot compare as usual, so that no zero comes without a reason."""

from collections.abc import Iterator, Sequence
from typing import Final

from keywright.summaries.rouge.measures import Overlap
from keywright.summaries.rouge.scripts import ASCII, Script
from keywright.summaries.rouge.tokens import Tokeniser

NO_REFERENCE: Final = "no reference: no value"


def script_notes(scripts: Sequence[Script], tokeniser: Tokeniser) -> Iterator[str]:
    """Yield notes on letters that ROUGE's tokeniser drops, on other tokens than ROUGE's, and on direction marks.

    Args:
        scripts: of the summary, and of each reference.
        tokeniser: the one that cut them.
    """
    if all(script is ASCII for script in scripts):
        return
    outside = sum(script.outside for script in scripts)
    if outside and tokeniser == "rouge155":
        yield f"letters outside a to z are left out, as ROUGE does: {outside}; tokens=unicode keeps them"
    elif tokeniser == "unicode" and any(script.mostly_outside for script in scripts):
        yield "cut into tokens by the rules for all scripts, since ROUGE keeps only a to z"
    marks = sum(script.marks for script in scripts)
    if marks:
        yield f"invisible direction marks are left out: {marks}"


def length_notes(words: Sequence[int], overlaps: Sequence[Overlap]) -> Iterator[str]:
    """Yield notes on texts without tokens, or too short for the measure.

    Args:
        words: tokens of the summary, and of each reference.
        overlaps: of the summary and each reference.
    """
    if all(overlap.summary and overlap.reference for overlap in overlaps):
        return
    summary, *references = words
    if not summary:
        yield "the summary has no words to compare"
    elif overlaps and not overlaps[0].summary:
        yield f"the summary is too short for the measure; words: {summary}"
    empty = references.count(0)
    if empty:
        yield f"{_some_of(empty, references)} have no words to compare"
    short = sum(not overlap.reference for overlap in overlaps) - empty
    if short:
        yield f"{_some_of(short, references)} are too short for the measure"


def _some_of(number: int, references: Sequence[object]) -> str:
    return f"{number} of {len(references)} references"
