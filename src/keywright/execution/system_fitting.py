"""Fitting a system on labelled documents, and keeping the outcome with a card."""

import datetime as dt
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from keywright.core.documents import AnalysedDocument
from keywright.core.errors import BadParameter
from keywright.core.gold import LabelledDocument
from keywright.core.interfaces import Analyser, Extractor
from keywright.core.saving import check_place, save
from keywright.core.signatures import signature
from keywright.core.version import VERSION
from keywright.datasets.collection import DataSet


def train(
    untrained: Extractor, data: DataSet, analyser: Analyser, folder: Path | None = None, *, force: bool = False
) -> Extractor:
    """A fitted system; written into a folder, with a card that names system, data and date, if one is given.

    Args:
        untrained: what learns.
        data: labelled documents.
        analyser: makes columns of them.
        folder: where it is kept.
        force: whether it may replace a system that is there.

    Raises:
        BadParameter: the system learns nothing, the gold is held out for reporting, or there can be no such folder.
    """
    if not hasattr(untrained, "fit"):
        raise BadParameter(f"{untrained.name} learns nothing", "`keywright systems` lists which can be trained")
    data.check_learnable()
    if folder is not None:
        check_place(folder, force=force)
    fitted: Extractor = untrained.fit(_analysed(data, analyser))
    if folder is not None:
        save(fitted, folder, card_of(fitted, data, analyser))
    return fitted


def card_of(fitted: Extractor, data: DataSet, analyser: Analyser) -> dict[str, Any]:
    """What was trained, on what, and when."""
    return {
        "system": signature(fitted),
        "data": data.signature,
        "documents": len(data),
        "analyser": signature(analyser),
        "date": dt.datetime.now(dt.UTC).date().isoformat(),
        "keywright": VERSION,
    }


def _analysed(data: DataSet, analyser: Analyser) -> Iterator[LabelledDocument[AnalysedDocument]]:
    return (LabelledDocument(analyser.analyse(labelled.document), labelled.gold) for labelled in data)
