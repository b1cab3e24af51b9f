"""A vocabulary index on disk: columns that are mapped into memory, and a card with their hashes; never pickles.

Each column of numbers is one file without header, texts are two: their bytes, and where each begins.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from keywright.core import VERSION
from keywright.core.arrays import Ints
from keywright.core.atomic_files import check_replaceable, hash_file, whole_folder
from keywright.core.errors import BrokenFile, KeywrightError, UnreadableInput
from keywright.core.json_values import to_json
from keywright.extraction.vocabularies.concepts import HIDDEN, Concepts, Labels
from keywright.extraction.vocabularies.index import LabelMeanings, VocabularyIndex
from keywright.extraction.vocabularies.label_keys import CAPITALS, NO_LABEL, Form, LabelForms, LabelKeys
from keywright.text.encoders import MiniLM
from keywright.text.label_stems import has_label_lemmas
from keywright.text.user_encoders import MINILM, UserEncoder

FORMAT: Final = 3  # version of the files; it rises with each change of them, or of the keys
_OF_CONCEPTS: Final = 4  # version of the files of a vocabulary with concepts
CARD: Final = "card.json"
LABELS: Final = ("labels.txt", "offsets.i64")
MEANINGS: Final = "meanings.f16"
_KIND: Final = "vocabulary index"
_COMMAND: Final = "keywright vocabulary build FILE -o DIR"
_PROBED: Final = 100  # labels whose keys are computed again, as stemmers have versions; arbitrary
_LARGEST_CARD: Final = 1_000_000  # bytes of a card; arbitrary, a hundred times those of an index in all languages
_KEYS: Final = {"keys.{}.u64": "<u8", "kinds.{}.u8": "u1"}  # files of the keys in a language, with their types
_FORMS: Final = {"form_keys.{}.u8": "<u8", "form_labels.{}.i4": "<i4", "form_forms.{}.u1": "u1"}
_TEXTS: Final = {name: (f"{name}.txt", f"{name}.i64") for name in ("uris", "notations", "schemes")}
_NUMBERS: Final = {
    "scheme": "i4", "broader": "i4", "broader_offsets": "i8", "label_offsets": "i8", "kinds": "u1", "tags": "i2",
}  # fmt: skip
"""Columns of numbers of concepts, with their types, which end the names of their files."""


def check_place(folder: Path, *, force: bool) -> None:
    """Check that an index can be saved in a folder, whose index is replaced with ``force``; else ``BadParameter``."""
    check_replaceable(folder, f"a {_KIND}", is_index, force=force)


def is_index(folder: Path) -> bool:
    """Return whether a folder looks like an index, whether it can be read or not."""
    return all((folder / name).is_file() for name in (CARD, *LABELS))


def save_index(index: VocabularyIndex, folder: Path, card: Mapping[str, Any]) -> None:
    """Write an index as a folder, which appears when it is whole; the card gains what is needed to check it."""
    with whole_folder(folder) as place:
        for name, column, kind in _list_columns(index):
            np.asarray(column).astype(kind, copy=False).tofile(place / name)
        about: dict[str, Any] = {
            "keywright": _KIND,
            "format": _OF_CONCEPTS if index.concepts else FORMAT,
            "version": VERSION,
            "labels": len(index),
            "languages": list(index.keys),
            "lemmas": " ".join(filter(has_label_lemmas, index.keys)),
        }
        if concepts := index.concepts:
            about |= {
                "concepts": len(concepts),
                "schemes": len(concepts.schemes),
                "label_languages": list(concepts.languages),
                "ambiguous": {language: _count_ambiguous(forms, concepts) for language, forms in index.forms.items()},
            }
        for meanings in index.meanings[:1]:
            about |= {"dimensions": meanings.vectors.shape[1], "least_cosine": meanings.threshold}
            about |= {"least_margin": meanings.margin}
        about |= {**card, "sha256": {path.name: hash_file(path) for path in sorted(place.iterdir())}}
        (place / CARD).write_text(to_json(about, indent=1) + "\n", "utf-8")


def _list_columns(index: VocabularyIndex) -> Iterator[tuple[str, Any, str]]:
    """Yield the name of each file of an index, its numbers, and their type."""
    texts = [(index.labels, LABELS)]
    for language, keys in index.keys.items():
        for (name, kind), column in zip(_KEYS.items(), (keys.keys, keys.kinds), strict=True):
            yield name.format(language), column, kind
    if index.concepts:
        texts += [(getattr(index.concepts, name), files) for name, files in _TEXTS.items()]
        yield from ((f"{name}.{kind}", getattr(index.concepts, name), f"<{kind}") for name, kind in _NUMBERS.items())
        for language, forms in index.forms.items():
            for (name, kind), column in zip(_FORMS.items(), (forms.keys, forms.labels, forms.forms), strict=True):
                yield name.format(language), column, kind
    for column, (bytes_file, offsets_file) in texts:
        yield from ((bytes_file, column.utf8, "u1"), (offsets_file, column.offsets, "<i8"))
    yield from ((MEANINGS, meanings.vectors, "<f2") for meanings in index.meanings[:1])


def _count_ambiguous(forms: LabelForms, concepts: Concepts) -> int:
    """Return how many keys lead to several concepts: a neighbour with the same key belongs to another concept."""
    owners = concepts.of_labels(forms.labels)
    again = forms.keys[1:] == forms.keys[:-1]
    return len(np.unique(forms.keys[1:][again & (owners[1:] != owners[:-1])]))


def open_index(folder: Path) -> VocabularyIndex:
    """Map the index in a folder into memory, checked against its card.

    Raises UnreadableInput: there is none; BrokenFile: a file is damaged, not what the card says, or of another version.
    """
    if not (folder / CARD).is_file():
        raise UnreadableInput(f"{folder} is a folder without a {_KIND}", f"`{_COMMAND}` makes one, or name a file")
    card, index = _map_index(folder)
    for name, digest in card["sha256"].items():
        if hash_file(folder / name) != digest:
            raise _index_error(folder, f"{name} is not what its card says")
    texts = [(index.labels, *LABELS)]
    if index.concepts is not None:
        texts += [(getattr(index.concepts, name), *files) for name, files in _TEXTS.items()]
    for column, bytes_file, offsets_file in texts:  # so that no text fails later, in the middle of the work
        try:
            column.utf8.tobytes().decode("utf-8", "surrogatepass")
        except UnicodeDecodeError as error:
            raise _index_error(folder, f"{bytes_file} is not UTF-8: {error}") from error
        if (column.utf8[column.offsets[1:] - 1] != ord("\n")).any():
            raise _index_error(folder, f"{offsets_file} does not fit {bytes_file}")
    for language, keys in index.keys.items():
        has_lemmas = has_label_lemmas(language)  # then no key is tried: a dictionary takes a second
        numbered = islice(index.number_labels(language), 0 if has_lemmas else _PROBED)
        first = LabelKeys.of((label for _, label in numbered), language)
        differs = has_lemmas != (language in str(card.get("lemmas", "")).split())
        if differs or not keys.contain(first.keys[first.kinds > NO_LABEL]).all():
            reason = f"its keys for {language} were made by other stemmers or lemmas than those installed here"
            raise _index_error(folder, reason)
    return index


def _reopen_index(folder: Path, digest: Mapping[str, str]) -> VocabularyIndex:
    """Map an index in a worker process; its hashes were checked by the process that opened it."""
    card, index = _map_index(folder)
    if card["sha256"] != digest:
        raise _index_error(folder, "it was replaced while it was in use")
    return index


def _map_index(folder: Path) -> tuple[dict[str, Any], VocabularyIndex]:
    try:
        card = _read_card(folder)
        labels = _map_texts(folder, LABELS, card["labels"])
        concepts, forms = _map_concepts(folder, card) if card["format"] == _OF_CONCEPTS else (None, {})
        keys = {language: _map_keys(folder, language) for language in card["languages"]}
        meanings = []
        if "dimensions" in card:
            vectors = _map_column(folder / MEANINGS, "<f2").reshape(card["labels"], card["dimensions"])
            encoder = MiniLM() if card["encoder"] == MINILM else UserEncoder(str(card["encoder"]))
            least = float(card["least_cosine"]), float(card.get("least_margin", np.inf))
            meanings.append(LabelMeanings(encoder, vectors, *least))
    except KeywrightError:
        raise
    except (OSError, EOFError, ValueError, TypeError, LookupError, RecursionError, AttributeError) as error:
        raise _index_error(folder, str(error)) from error
    again = partial(_reopen_index, folder.resolve(), card["sha256"])
    return card, VocabularyIndex(labels, keys, concepts, forms, card, again, meanings)


def _read_card(folder: Path) -> dict[str, Any]:
    """Return the card, whose names and numbers are of the types that are used."""
    if (folder / CARD).stat().st_size > _LARGEST_CARD:
        raise ValueError("the card is too long")
    card = json.loads((folder / CARD).read_text("utf-8"))
    if not isinstance(card, dict) or card.get("keywright") != _KIND:
        raise ValueError("its card is that of something else")
    if card.get("format") not in {FORMAT, _OF_CONCEPTS}:
        formats = f"{FORMAT} and {_OF_CONCEPTS}"
        raise _index_error(folder, f"its format is {card.get('format')!r:.20}, and this version reads {formats}")
    languages, hashes = card["languages"], card["sha256"]
    if not isinstance(languages, list) or not all(isinstance(code, str) and code.isalpha() for code in languages):
        raise ValueError("its languages are not codes")
    of_language: Iterable[str] = _KEYS
    files = {*LABELS, *([MEANINGS] if "dimensions" in card else [])}
    if card["format"] == _OF_CONCEPTS:
        of_language = (*_KEYS, *_FORMS)
        files |= {file for pair in _TEXTS.values() for file in pair}
        files |= {f"{name}.{kind}" for name, kind in _NUMBERS.items()}
    files |= {name.format(language) for name in of_language for language in languages}
    if not isinstance(hashes, dict) or set(hashes) != files:
        raise ValueError("the hashes of its card are not those of its files")
    return card


def _map_column(path: Path, kind: str) -> NDArray[Any]:
    """Map a file of numbers, of the size of whole ones, else OSError or ValueError; it may be empty."""
    if not path.stat().st_size:  # nothing can be mapped
        return np.zeros(0, np.dtype(kind))
    return np.memmap(path, np.dtype(kind), "r").view(np.ndarray)  # maps themselves are slow to index


def _map_texts(folder: Path, files: tuple[str, str], number: int) -> Labels:
    """Map the two files of so many texts; OSError or ValueError where they do not fit each other or the number."""
    utf8, offsets = _map_column(folder / files[0], "u1"), _map_column(folder / files[1], "<i8")
    if len(offsets) != number + 1 or offsets[0] != 0 or offsets[-1] != len(utf8) or (np.diff(offsets) < 1).any():
        raise ValueError(f"{files[1]} does not fit {files[0]}")
    return Labels(utf8, offsets)


def _map_keys(folder: Path, language: str) -> LabelKeys:
    keys, kinds = (_map_column(folder / name.format(language), kind) for name, kind in _KEYS.items())
    if len(keys) != len(kinds):
        raise ValueError(f"the columns of keys for {language!r} differ in length")
    if (kinds > CAPITALS).any():
        raise ValueError(f"kinds.{language}.u8 is not a column of kinds of keys")
    return LabelKeys(keys, kinds)


def _map_concepts(folder: Path, card: Mapping[str, Any]) -> tuple[Concepts, dict[str, LabelForms]]:
    """Map the files of concepts, checked against each other and the card; raises errors of files and values."""
    number, labels, languages = card["concepts"], card["labels"], card["label_languages"]
    if not isinstance(languages, list) or not all(isinstance(tag, str) for tag in languages):
        raise ValueError("the languages of its labels are not texts")
    sizes = {"uris": number, "notations": number, "schemes": card["schemes"]}
    columns: dict[str, Any] = {name: _map_texts(folder, files, sizes[name]) for name, files in _TEXTS.items()}
    columns |= {name: _map_column(folder / f"{name}.{kind}", f"<{kind}") for name, kind in _NUMBERS.items()}
    for name, size, least in (("label_offsets", labels, 1), ("broader_offsets", len(columns["broader"]), 0)):
        offsets = columns[name]
        is_whole = len(offsets) == number + 1 and offsets[0] == 0 and offsets[-1] == size
        if not is_whole or (np.diff(offsets) < least).any():
            raise ValueError(f"{name}.i8 does not fit the other columns")
    _check_range("scheme", columns["scheme"], number, -1, card["schemes"])
    _check_range("broader", columns["broader"], len(columns["broader"]), 0, number)
    _check_range("kinds", columns["kinds"], labels, 0, HIDDEN + 1)
    _check_range("tags", columns["tags"], labels, 0, len(languages))
    forms = {}
    for language in card["languages"]:
        files = {name.format(language): kind for name, kind in _FORMS.items()}
        keys, numbers, kinds = (_map_column(folder / name, kind) for name, kind in files.items())
        keys_file, numbers_file, kinds_file = files
        _check_range(numbers_file, numbers, len(keys), 0, labels)
        _check_range(kinds_file, kinds, len(keys), 0, len(Form))
        if (keys[1:] < keys[:-1]).any():
            raise ValueError(f"{keys_file} is not in order")
        forms[language] = LabelForms(keys, numbers, kinds)
    return Concepts(**columns, languages=tuple(languages)), forms


def _check_range(name: str, column: Ints, size: int, least: int, end: int) -> None:
    """Check that a column has its size, and leads nowhere outside of another."""
    if len(column) != size or (size and not (least <= int(column.min()) and int(column.max()) < end)):
        raise ValueError(f"{name} does not fit the other columns")


def _index_error(folder: Path, reason: str) -> BrokenFile:
    return BrokenFile(f"the {_KIND} {folder} cannot be used: {reason:.200}", f"build it again: {_COMMAND}")
