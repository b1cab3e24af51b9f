"""Concepts of a vocabulary index on disk: one file without header for each column, checked when it is mapped."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from keywright.core.arrays import Ints
from keywright.extraction.vocabularies.concepts import HIDDEN, Concepts
from keywright.extraction.vocabularies.label_keys import Form, LabelForms
from keywright.extraction.vocabularies.labels import Labels


def mapped_column(path: Path, kind: str) -> NDArray[Any]:
    """Map a file of numbers, of the size of whole ones, else OSError or ValueError; it may be empty."""
    if not path.stat().st_size:  # nothing can be mapped
        return np.zeros(0, np.dtype(kind))
    return np.memmap(path, np.dtype(kind), "r").view(np.ndarray)  # maps themselves are slow to index


def save_texts(texts: Labels, bytes_file: Path, offsets_file: Path) -> None:
    """Write texts as two files: their bytes, and where each begins."""
    texts.utf8.tofile(bytes_file)
    texts.offsets.astype("<i8").tofile(offsets_file)


def mapped_texts(bytes_file: Path, offsets_file: Path, number: int) -> Labels:
    """Map two files of so many texts; OSError or ValueError where they do not fit each other or the number."""
    utf8, offsets = mapped_column(bytes_file, "u1"), mapped_column(offsets_file, "<i8")
    if len(offsets) != number + 1 or offsets[0] != 0 or offsets[-1] != len(utf8) or (np.diff(offsets) < 1).any():
        raise ValueError(f"{offsets_file.name} does not fit {bytes_file.name}")
    return Labels(utf8, offsets)


def check_texts(texts: Labels, bytes_name: str, offsets_name: str) -> None:
    """Check that texts can be decoded, so that none fails later; else ``ValueError``."""
    try:
        texts.utf8.tobytes().decode("utf-8", "surrogatepass")
    except UnicodeDecodeError as error:
        raise ValueError(f"{bytes_name} is not UTF-8: {error}") from error
    if (texts.utf8[texts.offsets[1:] - 1] != ord("\n")).any():
        raise ValueError(f"{offsets_name} does not fit {bytes_name}")


_TEXTS: Final = ("uris", "notations", "schemes")
_NUMBERS: Final = {
    "scheme": "<i4", "broader": "<i4", "broader_offsets": "<i8", "label_offsets": "<i8", "kinds": "u1", "tags": "<i2",
}  # fmt: skip
_FORMS: Final = {"keys": "<u8", "labels": "<i4", "forms": "u1"}
"""Columns of the forms in one language, with their types."""


def file_names(languages: Iterable[str]) -> set[str]:
    """Return the names of all files of concepts with forms in some languages."""
    texts = {name for column in _TEXTS for name in _text_files(column)}
    forms = {_form_file(language, column) for language in languages for column in _FORMS}
    return texts | forms | set(map(_number_file, _NUMBERS))


def save_concepts(concepts: Concepts, forms: Mapping[str, LabelForms], folder: Path) -> dict[str, Any]:
    """Write the files, and return what the card of the index has to say about them."""
    for name in _TEXTS:
        bytes_file, offsets_file = _text_files(name)
        save_texts(getattr(concepts, name), folder / bytes_file, folder / offsets_file)
    for name, kind in _NUMBERS.items():
        getattr(concepts, name).astype(kind).tofile(folder / _number_file(name))
    for language, of_language in forms.items():
        for name, kind in _FORMS.items():
            getattr(of_language, name).astype(kind).tofile(folder / _form_file(language, name))
    return {
        "concepts": len(concepts),
        "schemes": len(concepts.schemes),
        "label_languages": list(concepts.languages),
        "ambiguous": {language: ambiguous_keys(of_language, concepts) for language, of_language in forms.items()},
    }


def open_concepts(folder: Path, card: Mapping[str, Any]) -> tuple[Concepts, dict[str, LabelForms]]:
    """Map the files of concepts, checked against each other and the card; raises errors of files and values."""
    number, languages = card["concepts"], card["label_languages"]
    if not isinstance(languages, list) or not all(isinstance(tag, str) for tag in languages):
        raise ValueError("the languages of its labels are not texts")
    sizes = {"uris": number, "notations": number, "schemes": card["schemes"]}
    columns: dict[str, Any] = {}
    for name in _TEXTS:
        bytes_file, offsets_file = _text_files(name)
        columns[name] = mapped_texts(folder / bytes_file, folder / offsets_file, sizes[name])
    for name, kind in _NUMBERS.items():
        columns[name] = mapped_column(folder / _number_file(name), kind)
    concepts = Concepts(**columns, languages=tuple(languages))
    _check(concepts, card["labels"])
    return concepts, {language: _forms(folder, language, card["labels"]) for language in card["languages"]}


def check_concept_texts(concepts: Concepts) -> None:
    """Check that all texts of concepts can be decoded, else ``ValueError``."""
    for name in _TEXTS:
        check_texts(getattr(concepts, name), *_text_files(name))


def ambiguous_keys(forms: LabelForms, concepts: Concepts) -> int:
    """Return how many keys lead to several concepts."""
    owners = concepts.of_labels(forms.labels)
    again = forms.keys[1:] == forms.keys[:-1]
    # A key is ambiguous if a neighbour with the same key belongs to another concept.
    return len(np.unique(forms.keys[1:][again & (owners[1:] != owners[:-1])]))


def _check(concepts: Concepts, labels: int) -> None:
    """Check that no column leads outside another."""
    number = len(concepts)
    _check_offsets("label_offsets", concepts.label_offsets, number, labels, least=1)
    _check_offsets("broader_offsets", concepts.broader_offsets, number, len(concepts.broader), least=0)
    _check_range("scheme", concepts.scheme, number, -1, len(concepts.schemes))
    _check_range("broader", concepts.broader, len(concepts.broader), 0, number)
    _check_range("kinds", concepts.kinds, labels, 0, HIDDEN + 1)
    _check_range("tags", concepts.tags, labels, 0, len(concepts.languages))


def _forms(folder: Path, language: str, labels: int) -> LabelForms:
    columns = {name: mapped_column(folder / _form_file(language, name), kind) for name, kind in _FORMS.items()}
    forms = LabelForms(**columns)
    _check_range(_form_file(language, "labels"), forms.labels, len(forms.keys), 0, labels)
    _check_range(_form_file(language, "forms"), forms.forms, len(forms.keys), 0, len(Form))
    if (forms.keys[1:] < forms.keys[:-1]).any():
        raise ValueError(f"{_form_file(language, 'keys')} is not in order")
    return forms


def _check_offsets(name: str, offsets: Ints, number: int, size: int, least: int) -> None:
    if len(offsets) != number + 1 or offsets[0] != 0 or offsets[-1] != size or (np.diff(offsets) < least).any():
        raise ValueError(f"{_number_file(name)} does not fit the other columns")


def _check_range(name: str, column: Ints, size: int, least: int, end: int) -> None:
    if len(column) != size or (size and not (least <= int(column.min()) and int(column.max()) < end)):
        raise ValueError(f"{name} does not fit the other columns")


def _text_files(name: str) -> tuple[str, str]:
    return f"{name}.txt", f"{name}.i64"


def _number_file(name: str) -> str:
    return f"{name}.{_NUMBERS[name].strip('<')}"


def _form_file(language: str, name: str) -> str:
    return f"form_{name}.{language}.{_FORMS[name].strip('<')}"
