"""A vocabulary index on disk: columns that are mapped into memory, and a card with their hashes; never pickles."""

import json
from collections.abc import Mapping
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Final

import numpy as np

from keywright.core import VERSION
from keywright.core.atomic_files import check_folder, hash_file, whole_folder
from keywright.core.errors import BadParameter, BrokenFile, KeywrightError, UnreadableInput
from keywright.extraction.vocabularies.concept_files import (
    check_concept_texts,
    check_texts,
    file_names,
    mapped_column,
    mapped_texts,
    open_concepts,
    save_concepts,
    save_texts,
)
from keywright.extraction.vocabularies.index import VocabularyIndex
from keywright.extraction.vocabularies.label_keys import CAPITALS, NO_LABEL, LabelKeys
from keywright.extraction.vocabularies.meanings import LabelMeanings
from keywright.text.encoders import MiniLM
from keywright.text.user_encoders import UserEncoder

FORMAT: Final = 3
"""Version of the files; it rises with each change of them, or of the keys."""
_OF_CONCEPTS: Final = 4
"""Version of the files of a vocabulary with concepts."""
CARD: Final = "card.json"
LABELS: Final = "labels.txt"
OFFSETS: Final = "offsets.i64"
MEANINGS: Final = "meanings.f16"
MINILM: Final = "minilm"
"""Name of the shipped encoder in cards and options."""
_KIND: Final = "vocabulary index"
_COMMAND: Final = "keywright vocabulary build FILE -o DIR"
_AGAIN: Final = f"build it again: {_COMMAND}"
_PROBED: Final = 100
"""Labels whose keys are computed again when an index is opened, as stemmers have versions; arbitrary."""
_LARGEST_CARD: Final = 1_000_000
"""Maximum bytes of a card; arbitrary, a hundred times those of an index in all languages."""


def check_place(folder: Path, *, force: bool) -> None:
    """Check that an index can be saved in a folder, whose index is replaced with ``force``; else ``BadParameter``."""
    check_folder(folder)
    if not folder.is_dir() or not any(folder.iterdir()):
        return
    if not is_index(folder):
        raise BadParameter(f"{folder} holds files that are not a {_KIND}", "name a new folder, or an empty one")
    if not force:
        raise BadParameter(f"{folder} holds a {_KIND}", "--force (force=True) replaces it, or name a new folder")


def is_index(folder: Path) -> bool:
    """Return whether a folder looks like an index, whether it can be read or not."""
    return all((folder / name).is_file() for name in (CARD, LABELS, OFFSETS))


def save_index(index: VocabularyIndex, folder: Path, card: Mapping[str, Any]) -> None:
    """Write an index as a folder, which appears when it is whole; the card gains what is needed to check it."""
    with whole_folder(folder) as place:
        save_texts(index.labels, place / LABELS, place / OFFSETS)
        for language, keys in index.keys.items():
            keys.keys.astype("<u8").tofile(place / _keys_file(language))
            keys.kinds.astype("u1").tofile(place / _kinds_file(language))
        meaning = {}
        if index.meanings:
            vectors, threshold = index.meanings[0].vectors, index.meanings[0].threshold
            np.asarray(vectors, "<f2").tofile(place / MEANINGS)
            meaning = {"dimensions": vectors.shape[1], "least_cosine": threshold}
        of_concepts = save_concepts(index.concepts, index.forms, place) if index.concepts else {}
        about = {
            "keywright": _KIND,
            "format": _OF_CONCEPTS if of_concepts else FORMAT,
            "version": VERSION,
            "labels": len(index),
            "languages": list(index.keys),
            **of_concepts,
            **meaning,
            **card,
            "sha256": {path.name: hash_file(path) for path in sorted(place.iterdir())},
        }
        (place / CARD).write_text(json.dumps(about, indent=1, ensure_ascii=False) + "\n", "utf-8")


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
    _check_labels(index, folder)
    _check_stems(index, folder)
    return index


def _reopen_index(folder: Path, digest: Mapping[str, str]) -> VocabularyIndex:
    """Map an index in a worker process; its hashes were checked by the process that opened it."""
    card, index = _map_index(folder)
    if card["sha256"] != digest:
        raise _index_error(folder, "it was replaced while it was in use")
    return index


def _map_index(folder: Path) -> tuple[dict[str, Any], VocabularyIndex]:
    try:
        card = _card(folder)
        labels = mapped_texts(folder / LABELS, folder / OFFSETS, card["labels"])
        concepts, forms = open_concepts(folder, card) if card["format"] == _OF_CONCEPTS else (None, {})
        keys = {language: _keys(folder, language) for language in card["languages"]}
        meanings = _open_meanings(folder, card)
    except KeywrightError:
        raise
    except (OSError, EOFError, ValueError, TypeError, LookupError, RecursionError, AttributeError) as error:
        raise _index_error(folder, str(error)) from error
    again = partial(_reopen_index, folder.resolve(), card["sha256"])
    return card, VocabularyIndex(labels, keys, concepts, forms, card, again, meanings)


def _open_meanings(folder: Path, card: Mapping[str, Any]) -> list[LabelMeanings]:
    """Return the embeddings of an index, mapped into memory; none where it has none."""
    if "dimensions" not in card:
        return []
    vectors = mapped_column(folder / MEANINGS, "<f2").reshape(card["labels"], card["dimensions"])
    encoder = MiniLM() if card["encoder"] == MINILM else UserEncoder(str(card["encoder"]))
    return [LabelMeanings(encoder, vectors, float(card["least_cosine"]))]


def _card(folder: Path) -> dict[str, Any]:
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
    files = {LABELS, OFFSETS, *map(_keys_file, languages), *map(_kinds_file, languages)}
    files |= {MEANINGS} if "dimensions" in card else set()
    files |= file_names(languages) if card["format"] == _OF_CONCEPTS else set()
    if not isinstance(hashes, dict) or set(hashes) != files:
        raise ValueError("the hashes of its card are not those of its files")
    return card


def _keys(folder: Path, language: str) -> LabelKeys:
    keys, kinds = (
        mapped_column(folder / _keys_file(language), "<u8"),
        mapped_column(folder / _kinds_file(language), "u1"),
    )
    if len(keys) != len(kinds):
        raise ValueError(f"the columns of keys for {language!r} differ in length")
    if (kinds > CAPITALS).any():
        raise ValueError(f"{_kinds_file(language)} is not a column of kinds of keys")
    return LabelKeys(keys, kinds)


def _check_labels(index: VocabularyIndex, folder: Path) -> None:
    """Raise ``BrokenFile`` for texts that could not be decoded later, in the middle of the work."""
    try:
        check_texts(index.labels, LABELS, OFFSETS)
        if index.concepts is not None:
            check_concept_texts(index.concepts)
    except ValueError as error:
        raise _index_error(folder, str(error)) from error


def _check_stems(index: VocabularyIndex, folder: Path) -> None:
    """Raise ``BrokenFile`` if the stemmers of this installation make other keys than those of the index."""
    for language, keys in index.keys.items():
        probed = (label for _, label in islice(index.number_labels(language), _PROBED))
        first = LabelKeys.of(probed, language)
        if not keys.contain(first.keys[first.kinds > NO_LABEL]).all():
            raise _index_error(
                folder, f"its keys for {language} were made by another stemmer than the one installed here"
            )


def _index_error(folder: Path, reason: str) -> BrokenFile:
    return BrokenFile(f"the {_KIND} {folder} cannot be used: {reason:.200}", _AGAIN)


def _keys_file(language: str) -> str:
    return f"keys.{language}.u64"


def _kinds_file(language: str) -> str:
    return f"kinds.{language}.u8"
