"""spaCy component ``keywright``: keyphrases of a ``Doc`` as plain data and as spans.

spaCy finds it by its entry point: ``nlp.add_pipe("keywright")`` needs no import. Import this module to read documents
from bytes or disk in a process without the component, so that ``doc._.keyphrases`` is known there.
"""

from typing import Any, Final

from keywright.integrations.texts import TextExtractor, list_keyphrases, list_warnings, needs_package

with needs_package("spacy"):
    from spacy.language import Language
    from spacy.tokens import Doc

LABEL: Final = "KEYPHRASE"  # Label of the spans
SEVERAL_LANGUAGES: Final = "xx"  # language code of spaCy's pipelines for several languages

for _name in ("keyphrases", "keyphrase_warnings"):
    if not Doc.has_extension(_name):
        Doc.set_extension(_name, default=[])


class KeyphraseComponent:
    """A component that sets ``doc._.keyphrases``, ``doc._.keyphrase_warnings`` and a group of spans.

    ``doc._.keyphrases`` is a list of dictionaries, best first: ``text``, ``score``, ``probability`` (None without
    calibration), ``present``, and ``spans``, a list of ``[start, end]`` such that ``doc.text[start:end]`` is a mention.
    A document that fails, such as one without words, has no keyphrases and the reason in ``doc._.keyphrase_warnings``.

    Args:
        extractor: the extractor of texts.
        spans_key: group in ``doc.spans`` for the mentions, widened to whole tokens; None for no group.
    """

    def __init__(self, extractor: TextExtractor, spans_key: str | None) -> None:
        self.extractor = extractor
        self.spans_key = spans_key

    def __call__(self, doc: Doc) -> Doc:
        """Return the document with its keyphrases set."""
        outcome = self.extractor.of(doc.text)
        doc._.keyphrases = list_keyphrases(outcome)
        doc._.keyphrase_warnings = list_warnings(outcome)
        if self.spans_key is not None:
            places = sorted({(start, end) for keyphrase in doc._.keyphrases for start, end in keyphrase["spans"]})
            mentions = (doc.char_span(start, end, LABEL, alignment_mode="expand") for start, end in places)
            doc.spans[self.spans_key] = [mention for mention in mentions if mention is not None]
        return doc


@Language.factory(
    "keywright",
    assigns=["doc._.keyphrases", "doc._.keyphrase_warnings", "doc.spans"],
    default_config={
        "system": "default",
        "top": None,
        "language": None,
        "style": None,
        "expect": None,
        "min_probability": None,
        "options": {},
        "spans_key": "keyphrases",
    },
)
def make_component(  # noqa: PLR0913, PLR0917 - spaCy passes one argument per setting
    nlp: Language,
    name: str,  # noqa: ARG001 - spaCy passes it
    system: str,
    top: int | None,
    language: str | None,
    style: str | None,
    expect: float | None,
    min_probability: float | None,
    options: dict[str, Any],
    spans_key: str | None,
) -> KeyphraseComponent:
    """Return the component for a pipeline; settings are those of ``kw.extract`` unless described here.

    ``language`` is an ISO 639-1 code; None for the pipeline's, or in a pipeline for several languages each document's.
    ``options`` holds further keywords of ``kw.extract``, such as ``{"diversity": 0.5}``. ``spans_key`` names the group
    of ``doc.spans`` that gets the mentions; with None there is none.
    """
    language = language or (None if nlp.lang == SEVERAL_LANGUAGES else nlp.lang)
    chosen = {"style": style, "expect": expect, "min_probability": min_probability} | options
    return KeyphraseComponent(TextExtractor(system, top, language, **chosen), spans_key)
