"""ExHiRD: keyphrases phrase by phrase and word by word, no first word twice in a row.

Chen, Chan, Li and King, "Exclusive Hierarchical Decoding for Deep Keyphrase Generation", ACL 2020. A recurrent encoder
reads the text; a decoder of phrases decides what the next phrase is about, and a decoder of words writes it, looking
where the decoder of phrases looks. Words of the text can be copied. The first word of a phrase must differ from that of
the phrase before (hard exclusion), or such words cost in training (soft exclusion).

Must be trained: `keywright train exhird DATASET -o DIR`, which needs the extra ``neural``. The published size has 22
million weights, the profile ``small`` has the same width with a vocabulary of 10,000 words. Deviations: the output
mixes with the probability of writing instead of copying, which is the same mixture; a document longer than the longest
source is read in windows instead of being cut.
"""

from typing import ClassVar

from keywright.neural.systems.generator_system import GeneratorSystem


class ExHiRD(GeneratorSystem):
    """A recurrent network with copying whose decoder has a level of phrases and a level of words."""

    name: ClassVar[str] = "exhird"
