"""A small vocabulary and texts about its concepts."""

from keywright.extraction.vocabularies.concept_builder import ConceptBuilder
from keywright.extraction.vocabularies.concepts import ALTERNATIVE, HIDDEN, PREFERRED
from keywright.extraction.vocabularies.index import VocabularyIndex

LABELS = (
    ("water", PREFERRED, "Water supply"),
    ("leak", PREFERRED, "Detection, leak"),
    ("pipe", PREFERRED, "Pipes (plumbing)"),
    ("pipe", ALTERNATIVE, "plastic pipe"),
    ("tobacco", PREFERRED, "Pipes (smoking)"),
    ("noise", HIDDEN, "noise"),
    ("policy", PREFERRED, "Policies"),
)
PLACES = {name: place for place, name in enumerate(dict.fromkeys(concept for concept, _, _ in LABELS))}
ABOVE = {"leak": "water", "pipe": "water"}


def vocabulary() -> VocabularyIndex:
    builder = ConceptBuilder()
    for concept, kind, text in LABELS:
        builder.add_label(builder.number(f"ex:{concept}"), kind, text, "en")
    for below, above in ABOVE.items():
        builder.links.extend((builder.number(f"ex:{below}"), builder.number(f"ex:{above}")))
    read = builder.finish()
    return VocabularyIndex.of_concepts(read.labels, read.concepts, ("en",))
