"""Types of fields that come from files, compared with those that the dataclass declares."""

from typing import Any, get_args, get_origin, get_type_hints

import numpy as np


def check_fields(kind: type, fields: dict[str, Any]) -> None:
    """Raise ``ValueError`` for a field that is not of its declared type.

    Arrays must have the declared kind of numbers; every item of a collection is compared. Types that are imported for
    checkers only are not.
    """
    import typeguard  # noqa: PLC0415 - needed only to load a trained system

    if _array_checker not in typeguard.checker_lookup_functions:
        typeguard.checker_lookup_functions.insert(0, _array_checker)
    hints = get_type_hints(kind)
    for name, value in fields.items():
        try:
            typeguard.check_type(
                value,
                hints[name],
                forward_ref_policy=typeguard.ForwardRefPolicy.IGNORE,
                collection_check_strategy=typeguard.CollectionCheckStrategy.ALL_ITEMS,
            )
        except typeguard.TypeCheckError as error:
            raise ValueError(f"field {name} of {kind.__name__}: {error}") from error


def _array_checker(origin: Any, args: tuple[Any, ...], _extras: tuple[Any, ...]) -> Any:
    """Return the comparison of an array with a declared one; None for other types."""
    return _check_array if origin is np.ndarray and args else None


def _check_array(value: Any, _origin: Any, args: tuple[Any, ...], _memo: Any) -> None:
    import typeguard  # noqa: PLC0415 - needed only to load a trained system

    (number,) = get_args(args[1]) or (np.generic,)
    kind = get_origin(number) or number
    if not isinstance(value, np.ndarray) or (kind is not Any and not np.issubdtype(value.dtype, kind)):
        shown = f"an array of {value.dtype}" if isinstance(value, np.ndarray) else type(value).__name__
        raise typeguard.TypeCheckError(f"is {shown}, not an array of {kind.__name__}")
