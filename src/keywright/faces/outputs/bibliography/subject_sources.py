"""Sources of subject headings in MARC: which indicator and code a vocabulary has, by the addresses of its concepts."""

from typing import Final, NamedTuple


class Source(NamedTuple):
    """Second indicator of field 650, and subfield ``$2``, empty for none."""

    indicator: str
    code: str = ""


UNSPECIFIED: Final = Source("4")
"""A vocabulary that the table does not have: *source not specified*; the URI says which it is."""
_SOURCES: Final = {
    "id.loc.gov/authorities/subjects/": Source("0"),
    "id.nlm.nih.gov/mesh/": Source("2"),
    "aims.fao.org/aos/agrovoc/": Source("7", "agrovoc"),
    "d-nb.info/gnd/": Source("7", "gnd"),
    "id.worldcat.org/fast/": Source("7", "fast"),
    "vocab.getty.edu/aat/": Source("7", "aat"),
    "vocabularies.unesco.org/thesaurus/": Source("7", "unescot"),
    "www.yso.fi/onto/yso/": Source("7", "yso"),
    "zbw.eu/stw/": Source("7", "stw"),
}
"""Well-known vocabularies, by the beginning of their URIs: MARC 21, field 650, and the list of source codes."""


def source_of(uri: str) -> Source:
    """Return the source of a concept.

    >>> source_of("http://aims.fao.org/aos/agrovoc/c_7208")
    Source(indicator='7', code='agrovoc')
    """
    address = uri.partition("://")[2]
    return next((source for start, source in _SOURCES.items() if address.startswith(start)), UNSPECIFIED)
