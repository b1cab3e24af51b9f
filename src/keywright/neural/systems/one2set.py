"""One2Set: keyphrases as a set, each written by a slot of its own (SetTrans, Trans2Set).

Ye, Gui, Luo, Xu and Zhang, "One2Set: Generating Diverse Keyphrases as a Set", ACL 2021. The decoder has twenty slots
with learned control codes, ten for present and ten for absent keyphrases, which do not see each other. In training each
keyphrase goes to the slot that likes it best, and the other slots learn to stay empty. Phrases are ranked by the mean
probability of their words.

Must be trained: `keywright train one2set DATASET -o DIR`, which needs the extra ``neural``. The published size has 96
million weights; the profile ``small`` has half the width and layers, and its output shares the embeddings. Slots are
decoded greedily, whatever ``decoding`` is. Deviations are those of ``one2seq``.
"""

from dataclasses import dataclass, field, replace
from typing import ClassVar

from keywright.neural.decoding.phrases import Decoding
from keywright.neural.systems.generator_system import GeneratorSystem


@dataclass(frozen=True)
class One2Set(GeneratorSystem):
    """A Transformer with copying that writes keyphrases as a set, each in a slot of its own.

    fill_slots    whether slots write a phrase even where they would rather be empty, for longer lists
    """

    fill_slots: bool = field(default=False, metadata={"signed": "if set"})

    name: ClassVar[str] = "one2set"
    always_greedy: ClassVar[bool] = True

    def _decoding(self) -> Decoding:
        return replace(super()._decoding(), fill_slots=self.fill_slots)
