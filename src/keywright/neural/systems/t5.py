"""T5: all keyphrases of a document as one sequence of pieces of words, by a Transformer of the library transformers.

Raffel et al., "Exploring the Limits of Transfer Learning with a Unified Text-to-Text Transformer", JMLR 2020. Title and
abstract, and keyphrases, are joined by ``<sep>``, present keyphrases first, as in Kundu, Ray Chowdhury and Caragea,
"Neural Keyphrase Generation: Analysis and Evaluation", 2023.

Must be trained: `keywright train t5 DATASET -o DIR`, which needs the extra ``neural``; it then starts from random
weights, and learns its pieces from the documents. The published size has 223 million weights. ``longest`` counts
pieces. Deviations: lists may have 128 pieces instead of 50. ``--recipe copy_pieces=true``, which is ours, adds a head
that copies pieces of the source.
"""

from dataclasses import dataclass
from typing import ClassVar

from keywright.neural.systems.generator_system import GeneratorSystem


@dataclass(frozen=True)
class T5(GeneratorSystem):
    """A Transformer with relative positions that writes keyphrases in pieces of words, as T5 does."""

    longest: int = 128

    name: ClassVar[str] = "t5"
