"""Settings of exported generators: how sequences are written, as JSON values for ``exported.generators``."""

from dataclasses import asdict
from typing import Any

from keywright.neural.exporting.copy_graphs import CopyGraphs
from keywright.neural.exporting.graphs import Graphs
from keywright.neural.exporting.hierarchical_graphs import HierarchicalGraphs
from keywright.neural.exporting.piece_graphs import PieceGraphs
from keywright.neural.models.exhird import ExHiRD
from keywright.neural.models.generator import KeyphraseGenerator
from keywright.neural.models.one2seq import One2Seq
from keywright.neural.models.one2set import One2Set
from keywright.neural.models.pretrained import PretrainedGenerator


def exportable(model: KeyphraseGenerator) -> tuple[Graphs[Any], dict[str, Any]]:
    """Return the graphs of a generator, and its settings.

    Raises:
        TypeError: a generator of a kind that has no graphs.
    """
    match model:
        case One2Seq():
            return CopyGraphs(model), {"kind": "words", "marked": False, "start_marks": 0}
        case One2Set():
            return CopyGraphs(model), _slots(model)
        case ExHiRD():
            return HierarchicalGraphs(model), {"kind": "words", "marked": True, "start_marks": model.limits.phrases}
        case PretrainedGenerator():
            return PieceGraphs(model), _pieces(model)
        case _:
            raise TypeError(f"a {model.name} has no graphs")


def _slots(model: One2Set) -> dict[str, Any]:
    weights = model.null_weights().tolist() if model.slots.undo_null_weights else None
    return {"kind": "slots", "count": model.slots.count, "steps": model.slots.steps, "null_weights": weights}


def _pieces(model: PretrainedGenerator) -> dict[str, Any]:
    return {"kind": "pieces", **asdict(model.sequences.marks), "positions": model.sequences.positions}
