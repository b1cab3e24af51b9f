"""Indexes of vocabularies: built, and loaded."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from keywright.core.errors import BadParameter
from keywright.reading.label_files import LabelsRead, of_texts, read_labels
from keywright.reading.phrase_lists import read_phrases
from keywright.text.language_codes import is_language_code
from keywright.vocabularies.index import VocabularyIndex
from keywright.vocabularies.index_folder import check_place, open_index, save_index


@dataclass(frozen=True, slots=True)
class BuiltVocabulary:
    """An index with what was left out of it."""

    index: VocabularyIndex
    read: LabelsRead


def build_vocabulary(
    labels: str | Path | Iterable[str],
    folder: str | Path,
    *,
    column: str | None = None,
    languages: Sequence[str] = ("en",),
    force: bool = False,
) -> VocabularyIndex:
    """Write an index of a vocabulary into a folder, and return it.

    >>> import keywright as kw
    >>> index = kw.build_vocabulary(["soil moisture", "battery life"], "index")
    >>> kw.extract(kw.read("examples/article.txt"), vocabulary=index, only_vocabulary=True).texts
    ('soil moisture', 'battery life')

    Args:
        labels: a text file with one label per line, a table, or labels. Empty lines, repetitions, and labels without
            letter or digit, of more than 200 characters or with damaged characters are left out.
        folder: folder to write, which appears when it is whole.
        column: of the labels in a table; None takes the only one, or the only one with a usual name.
        languages: ISO 639-1 codes of documents, whose stemmers make the keys. Documents in other languages need keys
            that are computed when they are first asked for.
        force: whether an index in the folder is replaced.

    Raises:
        UnreadableInput: the file cannot be read, or holds no labels.
        BadParameter: no such language, no column that is certain to hold the labels, or a folder with other files.
    """
    return build_vocabulary_with_notes(labels, folder, column=column, languages=languages, force=force).index


def build_vocabulary_with_notes(
    labels: str | Path | Iterable[str],
    folder: str | Path,
    *,
    column: str | None = None,
    languages: Sequence[str] = ("en",),
    force: bool = False,
) -> BuiltVocabulary:
    """Return what ``build_vocabulary`` does, and what was left out."""
    place = Path(folder)
    codes = dict.fromkeys(languages)
    if not codes:
        raise BadParameter("no language", "expected at least one code, such as en")
    for code in codes:
        if not is_language_code(code):
            raise BadParameter(f"language {code!r:.20}", "expected an ISO 639-1 code, such as en")
    check_place(place, force=force)
    if isinstance(labels, str | Path):
        source, read = Path(labels).name, read_labels(Path(labels), column)
    else:
        source, read = "labels in memory", of_texts(labels)
    index = VocabularyIndex.of(read.labels, codes)
    save_index(index, place, {"source": source, "left_out": read.left_out})
    return BuiltVocabulary(open_index(place), read)


def load_vocabulary(folder: str | Path) -> VocabularyIndex:
    """Map the index of a vocabulary into memory: for ``vocabulary=`` of many calls.

    >>> import keywright as kw
    >>> _ = kw.build_vocabulary(["soil moisture", "battery life"], "terms")
    >>> list(kw.load_vocabulary("terms"))
    ['soil moisture', 'battery life']

    Raises:
        UnreadableInput: there is no index; ``BrokenFile``: it is damaged, or of another version.
    """
    return open_index(Path(folder))


def vocabulary_of(vocabulary: str | Path | Iterable[str] | None) -> Sequence[str]:
    """Return phrases from a file or any iterable, an index from its folder; an index unchanged.

    Raises:
        UnreadableInput: the file or folder cannot be read.
    """
    if isinstance(vocabulary, VocabularyIndex):
        return vocabulary
    if isinstance(vocabulary, str | Path):
        return open_index(Path(vocabulary)) if Path(vocabulary).is_dir() else read_phrases(vocabulary)
    return tuple(vocabulary or ())
