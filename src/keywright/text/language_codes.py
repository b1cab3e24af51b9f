"""Codes of languages."""

import re
from typing import Final

_TWO_LETTERS: Final = frozenset(
    "aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en"
    " eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv"
    " ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne"
    " ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg sh si sk sl sm sn so sq sr ss"
    " st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu".split()
)
"""The codes of ISO 639-1, with bh and sh, which were withdrawn and are still in use."""
_THREE_LETTERS: Final = re.compile("[a-z]{3}")
"""Form of the codes of ISO 639-3, too many to list."""


def is_language_code(code: str) -> bool:
    """Return whether a text is the code of a language: one of ISO 639-1, or three letters as in ISO 639-3."""
    return code in _TWO_LETTERS or _THREE_LETTERS.fullmatch(code) is not None
