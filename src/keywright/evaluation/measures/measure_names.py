"""Measures by the names that people use: those of reports are read, others get the nearest as a suggestion."""

import difflib
import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from keywright.core.errors import BadParameter
from keywright.evaluation.measures.measure import MEANS, NAMES, Measure, measure

LONG_NAMES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "precision": "P", "prec": "P", "recall": "R", "rec": "R", "f1": "F", "fscore": "F", "f1score": "F",
        "fmeasure": "F", "rprecision": "RP", "averageprecision": "MAP", "meanaverageprecision": "MAP",
        "reciprocalrank": "MRR", "ndcg": "nDCG", "dcg": "nDCG", "alphadcg": "AlphaNDCG", "semf1": "SemF",
    } | {name.casefold(): name for name in (*NAMES, *MEANS)}
)  # fmt: skip
"""Names of measures by how people write them: in lower case, letters and digits only."""
_FORM: Final = re.compile(r"\s*(?P<name>[^@]*?)\s*(?:@\s*(?P<k>.*?)\s*)?")
_NEAR: Final = 0.5
"""Similarity from which a name is suggested, as for names of systems and protocols; arbitrary."""


def measures_named(names: str | Iterable[str | Measure]) -> tuple[Measure, ...]:
    """Return measures from their names, in a list or between commas, each once.

    Raises:
        BadParameter: there is no such measure, or none at all; the hint has the nearest.
    """
    listed = [name.strip() for name in names.split(",") if name.strip()] if isinstance(names, str) else list(names)
    if not listed:
        raise BadParameter("there is no measure", "name one or more, such as F@5,P@1")
    return tuple(dict.fromkeys(name if isinstance(name, Measure) else measure_named(name) for name in listed))


def measure_named(text: str) -> Measure:
    """Return the measure of a name such as ``F@3``, ``P@M`` or ``MAP``.

    Raises:
        BadParameter: there is no such measure; the hint has the nearest.
    """
    try:
        return measure(text)
    except (BadParameter, TypeError):
        meant = meant_measure(text) if isinstance(text, str) else None
        expected = (
            f"measures are {', '.join((*NAMES, *MEANS))}, with a cutoff such as 5, M (all) or O (as many as gold)"
        )
        hint = f"did you mean {meant!r}? {expected}" if meant else expected
        raise BadParameter(f"{text!r} is not a measure", hint) from None


def meant_measure(text: str) -> str | None:
    """Return the name that a text comes nearest to, such as ``F@5`` for ``f1@5`` or ``F1``; None if to none."""
    match = _FORM.fullmatch(text)
    plain = re.sub(r"[^a-z0-9]", "", match["name"].casefold()) if match else ""
    near = difflib.get_close_matches(plain, LONG_NAMES, n=1, cutoff=_NEAR)
    if not match or not near:
        return None
    name, k = LONG_NAMES[near[0]], (match["k"] or "").upper()
    if not re.fullmatch(r"[1-9][0-9]*|M|O|G", k):
        k = "5" if name in NAMES else ""
    return f"{name}@{k}" if k else name
