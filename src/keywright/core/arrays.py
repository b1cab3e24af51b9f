"""Names for types of numpy columns.

The axis is in a comment or docstring beside the name: ``word: Ints  # (tokens,)``.
"""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Ints: TypeAlias = NDArray[np.integer[Any]]
Floats: TypeAlias = NDArray[np.floating[Any]]
Numbers: TypeAlias = NDArray[np.number[Any]]
Bools: TypeAlias = NDArray[np.bool_]
Keys: TypeAlias = NDArray[np.uint64]
"""Keys of phrases: 64-bit hashes of their stems (see ``keywright.text.keys``)."""
