"""Columns as files without any header, which are mapped into memory."""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from keywright.vocabularies.labels import Labels


def mapped_column(path: Path, kind: str) -> NDArray[Any]:
    """Map a file of numbers, whose size must be that of whole numbers; an empty file is an empty column.

    Raises:
        OSError, ValueError: it is not there, or of another size.
    """
    if not path.stat().st_size:  # nothing can be mapped
        return np.zeros(0, np.dtype(kind))
    return np.memmap(path, np.dtype(kind), "r").view(np.ndarray)  # maps themselves are slow to index


def save_texts(texts: Labels, bytes_file: Path, offsets_file: Path) -> None:
    """Write texts as two files: their bytes, and where each begins."""
    texts.utf8.tofile(bytes_file)
    texts.offsets.astype("<i8").tofile(offsets_file)


def mapped_texts(bytes_file: Path, offsets_file: Path, number: int) -> Labels:
    """Map two files of so many texts.

    Raises:
        OSError, ValueError: they are not there, or do not fit each other or the number.
    """
    utf8, offsets = mapped_column(bytes_file, "u1"), mapped_column(offsets_file, "<i8")
    if len(offsets) != number + 1 or offsets[0] != 0 or offsets[-1] != len(utf8) or (np.diff(offsets) < 1).any():
        raise ValueError(f"{offsets_file.name} does not fit {bytes_file.name}")
    return Labels(utf8, offsets)


def check_texts(texts: Labels, bytes_name: str, offsets_name: str) -> None:
    """Check that texts can be decoded, so that none fails later, in the middle of the work.

    Raises:
        ValueError: they are not UTF-8, or the offsets are in the middle of texts.
    """
    try:
        texts.utf8.tobytes().decode("utf-8", "surrogatepass")
    except UnicodeDecodeError as error:
        raise ValueError(f"{bytes_name} is not UTF-8: {error}") from error
    if (texts.utf8[texts.offsets[1:] - 1] != ord("\n")).any():
        raise ValueError(f"{offsets_name} does not fit {bytes_name}")
