"""Documents that a system ranks together, before predictions are made of each."""

import contextlib
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TypeAlias

from keywright.core.candidates import Ranking
from keywright.core.documents import AnalysedDocument, Document
from keywright.core.interfaces import Extractor, JointExtractor, innermost, ranking_around
from keywright.core.predictions import Failure

Rank: TypeAlias = Callable[[int | None], Ranking]
"""Function of a depth to a document's ranking, with so many first phrases at least; all of them when None."""


def ranked_together(
    extractor: Extractor, analyse: Callable[[Document], AnalysedDocument], documents: Sequence[Document | Failure]
) -> Mapping[int, tuple[AnalysedDocument, Rank]]:
    """Return analyses and rankings of documents by their place, if the innermost system ranks documents together.

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
    ranks = (_given(ranking) if system is extractor else partial(_around, extractor, ranking) for ranking in rankings)
    return dict(zip(analysed, zip(analysed.values(), ranks, strict=True), strict=True))


def _given(ranking: Ranking) -> Rank:
    """Return the function of a ranking that exists."""
    return lambda _depth: ranking


def _around(extractor: Extractor, ranking: Ranking, _depth: int | None) -> Ranking:
    """Return the ranking of the extractor from that of its innermost system."""
    return ranking_around(extractor, ranking)
