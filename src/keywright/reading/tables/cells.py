"""Values of cells: missing ones, ids, and values that JSON can hold."""

import math
import numbers
from collections.abc import Mapping, Sequence
from typing import Any, Final

_MIDNIGHT: Final = "T00:00:00"
"""Time of a date without time, as spreadsheets and pandas have them."""


def is_missing(value: Any) -> bool:
    """Return whether a cell has no value: None, NaN, the missing values of pandas, or blanks."""
    if isinstance(value, str):
        return not value.strip()
    if isinstance(value, numbers.Real):
        return math.isnan(value)
    return value is None or type(value).__name__ in {"NAType", "NaTType"}


def id_text(value: Any) -> str:
    """Return a cell as an id: whole numbers without a decimal point, which columns with missing values add."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value).strip()


def plain_value(value: Any) -> Any:
    """Return a cell as a JSON value; dates and anything else unknown become texts."""
    if is_missing(value):
        return None
    if isinstance(value, bool | str):
        return value
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, numbers.Real):
        number = float(value)
        return number if math.isfinite(number) else str(number)
    if isinstance(value, Mapping):
        return {str(key): plain_value(item) for key, item in value.items()}
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, Sequence) and not isinstance(value, bytes | bytearray):
        return [plain_value(item) for item in value]
    isoformat = getattr(value, "isoformat", None)
    return isoformat().removesuffix(_MIDNIGHT) if callable(isoformat) else str(value)
