"""ExHiRD: keyphrases phrase by phrase and word by word, no first word twice in a row.

Chen, Chan, Li and King, "Exclusive Hierarchical Decoding for Deep Keyphrase Generation", ACL 2020. A recurrent encoder
reads the text; a decoder of phrases decides what the next phrase is about, and a decoder of words writes it, looking
where the decoder of phrases looks. Words of the text can be copied. The first word of a phrase must differ from that of
the phrase before (hard exclusion, ExHiRD-h; ``exclusion_window`` 4 for Inspec), or such words cost in training (soft
exclusion, ExHiRD-s; ``--recipe soft_exclusion=1``).

Must be trained: `keywright train exhird DATASET -o DIR`, which needs the extra ``neural``. The published size has 22
million weights, the profile ``small`` has the same width with a vocabulary of 10,000 words. A list ends after twenty
phrases of six words. Deviations: the output mixes with the probability of writing instead of copying, which is the same
mixture; a remaining probability is not below 1e-20 in soft exclusion; the profile ``small`` cuts at 200 words.
"""

from dataclasses import dataclass, field, replace
from typing import ClassVar

from keywright.neural.decoding.phrases import LONGEST_LIST, Decoding
from keywright.neural.systems.generator_system import GeneratorSystem


@dataclass(frozen=True)
class ExHiRD(GeneratorSystem):
    """A recurrent network with copying whose decoder has a level of phrases and a level of words.

    exclusion_window    phrases whose first words may not begin the next; 0 for none, in the paper 1, and 4 for Inspec;
                        none for that of the training
    """

    exclusion_window: int | None = field(default=None, metadata={"signed": "if changed"})

    name: ClassVar[str] = "exhird"

    def _decoding(self) -> Decoding:
        decoding = replace(super()._decoding(), exclusion_window=self.exclusion_window)
        # The limit of the other generators is none here, and stays the default for signatures of stored calibrators.
        return replace(decoding, longest=LONGEST_LIST) if self.longest == GeneratorSystem.longest else decoding
