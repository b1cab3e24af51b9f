"""Names of phrases, of groups of phrases and of what was read, as people read them."""

from typing import TYPE_CHECKING

from keywright.core.documents import Coverage
from keywright.core.predictions import Keyphrase, Prediction
from keywright.faces.phrase_location import one_line

if TYPE_CHECKING:
    from keywright.api import PhraseGroup


def shown_name(keyphrase: Keyphrase) -> str:
    """Return a phrase, with its acronym where it has one: *support vector machine (SVM)*."""
    return str(keyphrase.acronym or keyphrase.text)


def also(prediction: Prediction, group: "PhraseGroup") -> str:
    """Return the phrases under a leader with their ranks: ``also: sensor network (6), low-cost sensor (9)``."""
    names = (f"{one_line(shown_name(prediction.keyphrases[place]))} ({place + 1})" for place in group.others)
    return f"also: {', '.join(names)}"


def read_words(coverage: Coverage) -> str:
    """Return how much of a document was read: ``all 447 characters read``."""
    if coverage.read == coverage.given:
        return f"all {coverage.given:,} characters read"
    return f"{coverage.read:,} of {coverage.given:,} characters read"
