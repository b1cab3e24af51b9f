"""Documents that a system ranks together, before predictions are made of each."""

import contextlib
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from keywright.core.candidates import Ranking
from keywright.core.documents import AnalysedDocument, Document
from keywright.core.interfaces import Extractor, JointExtractor, innermost
from keywright.core.predictions import Failure

Ranked: TypeAlias = tuple[AnalysedDocument, Ranking]
"""An analysis, and its ranking by the innermost system."""


def ranked_together(
    extractor: Extractor, analyse: Callable[[Document], AnalysedDocument], documents: Sequence[Document | Failure]
) -> Mapping[int, Ranked]:
    """Return the rankings of documents by their place, if the innermost system ranks documents together.

    Documents that cannot be analysed are left out; after an error of the system all are. Their errors come again when
    they are extracted one by one, each for the document that it belongs to.
    """
    system = innermost(extractor)
    if not isinstance(system, JointExtractor):
        return {}
    analysed: dict[int, AnalysedDocument] = {}
    for number, document in enumerate(documents):
        if isinstance(document, Document):
            with contextlib.suppress(Exception):
                analysed[number] = analyse(document)
    try:
        rankings = system.extract_together(tuple(analysed.values()))
    except Exception:  # noqa: BLE001 - of any kind, see above
        return {}
    return dict(zip(analysed, zip(analysed.values(), rankings, strict=True), strict=True))
