"""Statistics of very many documents as their distinct rows, which are few, block after block of documents."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from keywright.core.arrays import Floats, Ints
from keywright.evaluation.measures.counts import Counts
from keywright.evaluation.protocol import Protocol
from keywright.evaluation.scoring.document_blocks import blocks_of
from keywright.evaluation.statistics.bootstrap import Functional, distinct, functionals, numbered

Groups = tuple[Floats, Ints]
"""Distinct rows, (groups, columns), and how often each occurs, (groups,)."""


def grouped(
    by: str, counts: Counts, protocol: Protocol, strata: Ints | None
) -> Sequence[tuple[Functional, Sequence[Groups]]]:
    """Return the functionals of a gold set, without rows, each with its distinct rows in each stratum.

    ``strata``: of each document, (documents,); None for one of all.
    """
    if strata is not None:
        numbers = np.unique(strata)
        whole = functionals(by, counts, protocol)
        return [(each, [distinct(each.rows[strata == number]) for number in numbers]) for each in whole]
    emptied: list[Functional] = []
    parts: list[list[Groups]] = []
    for block in blocks_of(counts):
        for place, functional in enumerate(functionals(by, block, protocol)):
            if place == len(parts):
                parts.append([])
                emptied.append(replace(functional, ids=(), rows=functional.rows[:0].copy()))
            parts[place].append(distinct(functional.rows))
    return [(functional, [merged(groups)]) for functional, groups in zip(emptied, parts, strict=True)]


def merged(parts: Sequence[Groups]) -> Groups:
    """Return the distinct rows of several parts, as ``distinct`` of all their rows gives them."""
    if len(parts) == 1:
        return parts[0]
    rows, sizes = (np.concatenate([part[place] for part in parts]) for place in (0, 1))
    groups, owner = numbered(rows)
    return groups, np.bincount(owner, sizes, minlength=len(groups)).astype(np.int64)
