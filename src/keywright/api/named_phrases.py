"""Probabilities of phrases that a user names, from a trained generator."""

from collections.abc import Iterable

from keywright.api.document_inputs import DocumentLike, document_of
from keywright.api.generator_training import is_generator
from keywright.api.inputs import SystemLike, system_of
from keywright.calibration.calibrators.calibrated import Calibrated
from keywright.calibration.calibrators.single_phrases import with_calibrated
from keywright.core.errors import BadParameter
from keywright.core.interfaces import innermost
from keywright.core.predictions import Failure, Keyphrase


def phrase_probabilities(
    document: DocumentLike, phrases: Iterable[str], system: SystemLike
) -> tuple[Keyphrase | Failure, ...]:
    """Return phrases with the probabilities that a trained generator gives them, in their order.

    Each phrase is scored by itself, as the first that the generator would write (teacher forcing). A long document is
    read in windows, and a phrase has the probabilities of the window that gives it the highest.

    >>> import keywright as kw
    >>> scored = kw.phrase_probabilities("Soil moisture in rain gardens.", ["soil moisture", "?"], "generator")
    >>> [type(each).__name__ for each in scored]
    ['Keyphrase', 'Failure']
    >>> scored[0].generation.tokens
    ('soil', 'moisture')

    Args:
        document: a text, a file (``Path``), a document, or a record.
        phrases: any phrases; as in training, signs and acronyms in parentheses are not scored.
        system: the folder of a trained generator, or the system itself.

    Returns:
        For each phrase a keyphrase: ``generation`` has the log-probability of each token and of the end, ``score`` is
        their geometric mean without the end, and ``probability`` the calibrated one, if the folder has a calibrator
        that judges phrases by their own confidence. It was fitted on generated phrases; others are mostly less likely
        than any of these. A phrase without words, or one that the generator can never write, is a ``Failure``.

    Raises:
        BadParameter: ``phrases`` is one text, or the system is not a generator.
        NotFitted: the generator was not trained.
        KeywrightError: the document cannot be read.
    """
    if isinstance(phrases, str):
        raise BadParameter(f"phrases is the text {phrases!r:.60}", "pass a list, also for one phrase")
    named = list(phrases)
    if odd := [each for each in named if not isinstance(each, str)]:
        raise BadParameter(f"a phrase is of type {type(odd[0]).__name__}", "expected texts")
    extractor, read = system_of(system), document_of(document)
    generator = innermost(extractor)
    if not is_generator(generator):
        message = f"{generator.name} gives no probabilities to phrases that are named"
        raise BadParameter(message, "expected a trained generator, such as a folder of `keywright train one2seq`")
    scored = generator.score(read, named)
    return tuple(with_calibrated(scored, extractor.calibrator, read) if isinstance(extractor, Calibrated) else scored)
