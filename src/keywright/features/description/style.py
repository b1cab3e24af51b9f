"""The style that is wanted as one more column of a description."""

from typing import Final

import numpy as np

from keywright.core.arrays import Floats
from keywright.core.documents import GoldKeyphrase, Style

STYLES: Final = tuple(Style)
_STYLE_OF_GOLD: Final = {"author": Style.AUTHOR, "reader": Style.READER, "combined": Style.READER}


def styled(rows: Floats, style: Style) -> Floats:
    """Return rows with the style as one column more, (shortlist, columns + 1)."""
    column = np.full((1, len(rows)), STYLES.index(style), np.float32)
    return np.vstack([rows.T, column]).T  # column by column in memory, as trees read them


def style_of(gold: GoldKeyphrase) -> Style:
    """Return the style that a gold keyphrase teaches: author, reader (also of both together), else indexer."""
    return _STYLE_OF_GOLD.get(gold.by, Style.INDEXER)
