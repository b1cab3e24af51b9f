"""Systems fitted on labelled documents, and saved with a card."""

import datetime as dt
from pathlib import Path
from typing import Any

from keywright.core import VERSION
from keywright.core.documents import LabelledDocument
from keywright.core.errors import BadParameter
from keywright.core.interfaces import Analyser, Extractor
from keywright.core.saving import check_target, save_system
from keywright.core.signatures import signature
from keywright.datasets.collection import DataSet


def train(
    untrained: Extractor, data: DataSet, analyser: Analyser, folder: Path | None = None, *, force: bool = False
) -> Extractor:
    """Fit a system; write it into a folder, if given, with a card that names system, data and date."""
    if not hasattr(untrained, "fit"):
        raise BadParameter(f"{untrained.name} cannot be trained", "`keywright systems` lists which can be trained")
    data.check_learnable()
    if folder is not None:
        check_target(folder, force=force)
    analysed = (LabelledDocument(analyser.analyse(labelled.document), labelled.gold) for labelled in data)
    fitted: Extractor = untrained.fit(analysed)
    if folder is not None:
        save_system(fitted, folder, make_card(fitted, data, analyser))
    return fitted


def make_card(fitted: Extractor, data: DataSet, analyser: Analyser) -> dict[str, Any]:
    """Return the card of a fitted system: what was trained, on what, and when."""
    return {
        "system": signature(fitted),
        "data": data.signature,
        "documents": len(data),
        "analyser": signature(analyser),
        "date": dt.datetime.now(dt.UTC).date().isoformat(),
        "keywright": VERSION,
    }
