"""Indexes of vocabularies: built, loaded, and compared with the keyphrases of a collection."""

import json
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from keywright.core import VERSION
from keywright.core.atomic_files import cache_folder, hash_file
from keywright.core.errors import BadParameter, BrokenFile, EmptyInput, KeywrightError, MissingData, UnreadableInput
from keywright.core.json_values import check_object
from keywright.core.predictions import Failure, Prediction
from keywright.core.records import read_outcome
from keywright.extraction.vocabularies.concept_builder import ConceptsRead
from keywright.extraction.vocabularies.concept_tables import is_concept_table, read_concept_table
from keywright.extraction.vocabularies.concepts import EVERYWHERE, code_of
from keywright.extraction.vocabularies.index import VocabularyIndex
from keywright.extraction.vocabularies.index_folder import check_place, is_index, open_index, save_index
from keywright.extraction.vocabularies.skos import rdf_format, read_skos
from keywright.reading.file_names import explain_missing
from keywright.reading.language_identification import NO_LANGUAGE, check_language
from keywright.reading.limits import open_unpacked
from keywright.reading.phrase_lists import LabelsRead, collect_labels, read_labels, read_phrases
from keywright.reading.sources import DEFAULT_LIMITS
from keywright.text.user_encoders import make_encoder

if TYPE_CHECKING:
    from keywright.extraction.vocabularies.gaps import VocabularyGaps

_RESULTS: Final = "JSON Lines that `keywright extract -o FILE.jsonl` wrote"


def build_vocabulary(  # noqa: PLR0913 - keywords, one for each option of the command
    labels: str | Path | Iterable[str],
    folder: str | Path,
    *,
    column: str | None = None,
    languages: Sequence[str] | None = None,
    label_languages: Sequence[str] = (),
    encoder: str | None = None,
    force: bool = False,
    tell: Callable[[LabelsRead | ConceptsRead], None] | None = None,
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
        column: of the labels in a table; None takes the only one, or the only one with a usual name.
        languages: ISO 639-1 codes of documents, whose stemmers make the keys; None takes those of the labels of a
            thesaurus, else English. Documents in other languages need keys that are computed when they are first asked
            for.
        label_languages: languages whose labels of a thesaurus are kept, beside labels without language; none keeps
            all.
        encoder: ``minilm``, or a folder or address of an encoder, whose embeddings of all labels are stored for
            ``match="meaning"``; None stores none.
        tell: called with what was read, which says what was left out.
    """
    place = Path(folder)
    codes = None if languages is None else _check_codes("language", languages)
    if codes is not None and not codes:
        raise BadParameter("no language", "expected at least one code, such as en")
    wanted = _check_codes("label language", label_languages)
    check_place(place, force=force)
    source = Path(labels).name if isinstance(labels, str | Path) else "labels in memory"
    read = _read_source(labels, column, wanted)
    if isinstance(read, ConceptsRead):
        of_labels = sorted({code_of(tag) for tag in read.concepts.languages} - EVERYWHERE)
        index = VocabularyIndex.of_concepts(read.labels, read.concepts, codes or tuple(of_labels) or ("en",))
    else:
        index = VocabularyIndex.of(read.labels, codes or ("en",))
    if encoder is not None:
        index.meanings.append(index.encode_labels(make_encoder(encoder)))
        # The folder is named from anywhere, an address as it is.
        encoder = str(Path(encoder).resolve()) if Path(encoder).is_dir() else encoder
    about = {"encoder": encoder} if encoder is not None else {}
    save_index(index, place, {"source": source, "left_out": read.left_out, **about})
    del index  # its columns and those that are mapped would be in memory together
    if tell:
        tell(read)
    return open_index(place)


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
    return tuple(dict.fromkeys(check_language(code, name) for code in codes))


def load_vocabulary(folder: str | Path) -> VocabularyIndex:
    """Map the index of a vocabulary into memory: for ``vocabulary=`` of many calls.

    >>> import keywright as kw
    >>> _ = kw.build_vocabulary(["soil moisture", "battery life"], "terms")
    >>> list(kw.load_vocabulary("terms"))
    ['soil moisture', 'battery life']
    """
    return open_index(Path(folder))


def vocabulary_of(vocabulary: str | Path | Iterable[str] | None) -> Sequence[str]:
    """Return phrases from a file or any iterable, an index from its folder or of a thesaurus; an index unchanged.

    The index of a thesaurus is kept in the folder of caches, by the hash of the file.
    """
    if isinstance(vocabulary, VocabularyIndex):
        return vocabulary
    if not isinstance(vocabulary, str | Path):
        return tuple(vocabulary or ())
    path, has_concepts = Path(vocabulary), False
    if path.is_dir():
        return open_index(path)
    with suppress(KeywrightError):
        has_concepts = path.is_file() and (rdf_format(path.name) is not None or is_concept_table(path))
    return _index_thesaurus(path) if has_concepts else read_phrases(path)


def _index_thesaurus(path: Path) -> VocabularyIndex:
    """Return the index of a thesaurus from the folder of caches, where it is built when it is first asked for."""
    folder = cache_folder("vocabularies") / f"{hash_file(path)[:_DIGEST]}-{VERSION}"
    if is_index(folder):
        with suppress(BrokenFile):  # an index of another version, or a damaged one, is built again
            return open_index(folder)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        hint = "KEYWRIGHT_CACHE names another, or `keywright vocabulary build FILE -o DIR` makes the index elsewhere"
        raise UnreadableInput(f"{folder.parent} cannot be made for the index: {error.strerror}", hint) from error
    reads: list[LabelsRead | ConceptsRead] = []
    index = build_vocabulary(path, folder, force=True, tell=reads.append)
    left_out = sum(reads[0].left_out.values())
    note = f"{path.name}: {len(index):,} labels are indexed, which is kept in {folder}"
    warnings.warn(f"{note}; {left_out:,} things are left out" if left_out else note, UserWarning, stacklevel=2)
    return index


_DIGEST: Final = 16  # characters of a hash that name the index of a thesaurus


def vocabulary_gaps(
    results: str | Path | Iterable[Prediction | Failure],
    vocabulary: str | Path | VocabularyIndex,
    *,
    min_documents: int = 2,
) -> "VocabularyGaps":
    r"""Return frequent keyphrases of a collection that a vocabulary lacks, and concepts that no document uses.

    >>> import keywright as kw
    >>> with open("thesaurus.csv", "w") as file:
    ...     _ = file.write("uri,label\nurn:ex:1,battery life\nurn:ex:2,tides\n")
    >>> index = kw.build_vocabulary("thesaurus.csv", "thesaurus")
    >>> results = [kw.extract(kw.read("examples/article.txt"), top=3)]
    >>> gaps = kw.vocabulary_gaps(results, index, min_documents=1)
    >>> [gap.phrase for gap in gaps.missing], [concept.label for concept in gaps.unused]
    (['soil moisture', 'irrigation', 'adaptive sampling'], ['battery life', 'tides'])

    Args:
        results: predictions, or a file or folder of JSON Lines that ``extract`` wrote, packed or not; made without a
            vocabulary, whose concepts would come before all other phrases.
        vocabulary: an index of concepts, or its folder.
        min_documents: number of documents that a missing phrase is a keyphrase of, at least.
    """
    from keywright.extraction.vocabularies.gaps import GapCounter  # noqa: PLC0415 - rarely needed

    if min_documents < 1:
        raise BadParameter(f"min_documents {min_documents}", "expected a number from 1")
    index = vocabulary if isinstance(vocabulary, VocabularyIndex) else load_vocabulary(vocabulary)
    counter, number, failures = GapCounter(index), 0, 0
    outcomes = _read_results(Path(results)) if isinstance(results, str | Path) else results
    for outcome in outcomes:
        number += 1
        if isinstance(outcome, Failure):
            failures += 1
        else:
            counter.add(outcome)
    if not number:
        raise EmptyInput("there are no results", f"expected {_RESULTS}")
    return counter.finish(min_documents, failures)


def _read_results(path: Path) -> Iterator[Prediction | Failure]:
    """Yield the outcomes in a file, or in the files of a folder, line by line; the header of a run is left out."""
    from keywright.evaluation.run_formats.format import locate_errors  # noqa: PLC0415 - rarely needed

    if not path.exists():
        raise MissingData(*explain_missing(str(path)))
    for file in sorted(path.rglob("*.jsonl")) if path.is_dir() else [path]:
        try:
            with file.open("rb") as stream:
                for number, line in enumerate(open_unpacked(stream, file.name, DEFAULT_LIMITS), start=1):
                    if not line.strip():
                        continue
                    with locate_errors(f"line {number} of {file.name}", _RESULTS):
                        record = check_object(json.loads(line))
                        outcome = None if number == 1 and "id" not in record else read_outcome(record)
                    if outcome is not None:
                        yield outcome
        except OSError as error:
            raise UnreadableInput(f"{file} cannot be opened: {error.strerror}", "check its permissions") from error


@dataclass(frozen=True, slots=True)
class Project:
    """A vocabulary in a language: of the documents, and of the labels in results; ``languages``: of all labels."""

    vocabulary: str
    language: str
    languages: tuple[str, ...]

    @property
    def name(self) -> str:
        """The project's id."""
        return f"{self.vocabulary}-{self.language}"


def projects_of(vocabularies: Iterable[tuple[str, str]]) -> dict[str, Project]:
    """Return the projects of vocabularies, which are pairs of name and folder, by id.

    There is none for vocabularies without concepts, as their labels have no URI; those whose labels have no language
    have projects in the languages that they were built for.
    """
    projects: list[Project] = []
    for name, folder in vocabularies:
        index = load_vocabulary(folder)
        if index.concepts is not None:
            codes = sorted(set(map(code_of, index.concepts.languages)) - NO_LANGUAGE)
            languages = tuple(codes or index.card["languages"])
            projects += [Project(name, language, languages) for language in languages]
    return {project.name: project for project in projects}
