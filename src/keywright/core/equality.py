"""Equality of values that hold arrays."""

import dataclasses
from typing import Any

import numpy as np


def equal(a: Any, b: Any) -> bool:
    """Return whether two values are equal, arrays element by element, with nan equal to nan.

    Frozen dataclasses with array fields are ``eq=False``, because ``==`` of arrays is not a truth value.
    """
    if type(a) is not type(b):
        return False
    if isinstance(a, np.ndarray):
        floating = np.issubdtype(a.dtype, np.floating)
        return a.dtype == b.dtype and bool(np.array_equal(a, b, equal_nan=bool(floating)))
    if dataclasses.is_dataclass(a):
        return all(equal(getattr(a, field.name), getattr(b, field.name)) for field in dataclasses.fields(a))
    if isinstance(a, (tuple, list)):
        return len(a) == len(b) and all(map(equal, a, b))
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(equal(item, b[key]) for key, item in a.items())
    return bool(a == b)
