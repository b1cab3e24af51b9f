"""Indexes of vocabularies: built, and loaded."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from keywright.core.errors import BadParameter
from keywright.extraction.vocabularies.concept_builder import ConceptsRead
from keywright.extraction.vocabularies.concept_tables import is_concept_table, read_concept_table
from keywright.extraction.vocabularies.concepts import EVERYWHERE, code_of
from keywright.extraction.vocabularies.index import VocabularyIndex
from keywright.extraction.vocabularies.index_folder import check_place, open_index, save_index
from keywright.extraction.vocabularies.rdf_files import rdf_format
from keywright.extraction.vocabularies.skos import read_skos
from keywright.reading.phrase_lists import LabelsRead, collect_labels, read_labels, read_phrases
from keywright.text.language_identification import is_language_code


@dataclass(frozen=True, slots=True)
class BuiltVocabulary:
    """An index with what was left out of it."""

    index: VocabularyIndex
    read: LabelsRead | ConceptsRead


def build_vocabulary(
    labels: str | Path | Iterable[str],
    folder: str | Path,
    *,
    column: str | None = None,
    languages: Sequence[str] | None = None,
    label_languages: Sequence[str] = (),
    force: bool = False,
) -> VocabularyIndex:
    """Write an index of a vocabulary into a folder, and return it.

    >>> import keywright as kw
    >>> index = kw.build_vocabulary(["soil moisture", "battery life"], "index")
    >>> kw.extract(kw.read("examples/article.txt"), vocabulary=index, only_vocabulary=True).texts
    ('soil moisture', 'battery life')

    Args:
        labels: a thesaurus in SKOS (Turtle, RDF/XML, N-Triples, JSON-LD) or a table with a column ``uri``, whose
            concepts results name; or a text file with one label per line, another table, or labels. Empty lines,
            repetitions, and labels without letter or digit, of more than 200 characters or with damaged characters
            are left out.
        folder: folder to write, which appears when it is whole.
        column: of the labels in a table; None takes the only one, or the only one with a usual name.
        languages: ISO 639-1 codes of documents, whose stemmers make the keys; None takes those of the labels of a
            thesaurus, else English. Documents in other languages need keys that are computed when they are first asked
            for.
        label_languages: languages whose labels of a thesaurus are kept, beside labels without language; none keeps
            all.
        force: whether an index in the folder is replaced.

    Raises:
        UnreadableInput: the file cannot be read, or holds no labels.
        BadParameter: no such language, no column that is certain to hold the labels, or a folder with other files.
    """
    return build_vocabulary_with_notes(
        labels, folder, column=column, languages=languages, label_languages=label_languages, force=force
    ).index


def build_vocabulary_with_notes(
    labels: str | Path | Iterable[str],
    folder: str | Path,
    *,
    column: str | None = None,
    languages: Sequence[str] | None = None,
    label_languages: Sequence[str] = (),
    force: bool = False,
) -> BuiltVocabulary:
    """Return what ``build_vocabulary`` does, and what was left out."""
    place = Path(folder)
    codes = None if languages is None else _check_codes("language", languages)
    if codes is not None and not codes:
        raise BadParameter("no language", "expected at least one code, such as en")
    wanted = _check_codes("label language", label_languages)
    check_place(place, force=force)
    source = Path(labels).name if isinstance(labels, str | Path) else "labels in memory"
    read = _read_source(labels, column, wanted)
    if isinstance(read, ConceptsRead):
        if codes is None:
            codes = _label_languages(read.concepts.languages)
        index = VocabularyIndex.of_concepts(read.labels, read.concepts, codes)
    else:
        index = VocabularyIndex.of(read.labels, codes or ("en",))
    save_index(index, place, {"source": source, "left_out": read.left_out})
    del index  # its columns and those that are mapped would be in memory together
    return BuiltVocabulary(open_index(place), read)


def _read_source(
    labels: str | Path | Iterable[str], column: str | None, wanted: Sequence[str]
) -> LabelsRead | ConceptsRead:
    """Return concepts where the source has some, else labels."""
    if not isinstance(labels, str | Path):
        read: LabelsRead | ConceptsRead = collect_labels(labels)
    elif form := rdf_format(str(labels)):
        if column is not None:
            raise BadParameter(f"a column for {Path(labels).name}, which is not a table", "leave the column out")
        read = read_skos(Path(labels), form, frozenset(wanted))
    elif column is None and is_concept_table(Path(labels)):
        read = read_concept_table(Path(labels), frozenset(wanted))
    else:
        read = read_labels(Path(labels), column)
    if wanted and not isinstance(read, ConceptsRead):
        raise BadParameter("label languages for labels without languages", "leave them out, or name a thesaurus")
    return read


def _check_codes(name: str, codes: Sequence[str]) -> tuple[str, ...]:
    """Return codes of languages, each once."""
    for code in codes:
        if not is_language_code(code):
            raise BadParameter(f"{name} {code!r:.20}", "expected an ISO 639-1 code, such as en")
    return tuple(dict.fromkeys(codes))


def _label_languages(tags: Iterable[str]) -> tuple[str, ...]:
    """Return the languages of labels; English if all labels are without language."""
    return tuple(sorted({code_of(tag) for tag in tags} - EVERYWHERE)) or ("en",)


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
