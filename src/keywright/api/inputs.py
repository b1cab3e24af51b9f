"""Inputs of verbs: names, paths, texts, records and collections become systems, documents and data sets."""

import io
import itertools
import math
import numbers
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Final, TypeAlias

from keywright.catalogue import CONCEPT_SYSTEMS, SYSTEMS, system_class
from keywright.core import saving
from keywright.core.candidates import Ranking
from keywright.core.documents import AnalysedDocument, Document, LabelledDocument
from keywright.core.errors import BadParameter, BadRecord, EmptyInput, KeywrightError, UnreadableInput
from keywright.core.interfaces import Extractor
from keywright.core.keyphrases import Keyphrase
from keywright.core.predictions import Failure
from keywright.core.signatures import change_part, list_parameters, make_part, parse_parameters
from keywright.datasets.collection import DataSet
from keywright.datasets.collection import load as load_data
from keywright.neural.model_folder import is_generator
from keywright.reading.file_names import check_text, shorten
from keywright.reading.formats.jsonl import document_of_record
from keywright.reading.formats.plain import document_of_text
from keywright.reading.language_identification import check_language
from keywright.reading.sources import Source, read_source
from keywright.text.keys import phrase_key as hash_phrase
from keywright.text.stems import stemmer

_POOL: Final = 200  # phrases of each system in a combination by ``+``: lists are rarely longer, a run has 50; arbitrary
SystemLike: TypeAlias = str | Path | Extractor | Callable[[str], Iterable[Any]]
"""The name of a system, the folder of a trained system, a system, or a function from a text to its phrases."""


@dataclass(frozen=True)
class FunctionSystem:
    """A function from a text to phrases, best first, or to pairs of a phrase and its score, as a system."""

    function: Callable[[str], Iterable[Any]]
    needs: ClassVar[frozenset[str]] = frozenset()

    @property
    def name(self) -> str:
        """The name of the function."""
        return str(getattr(self.function, "__name__", "function"))

    def extract(self, document: AnalysedDocument) -> Ranking:
        """Rank the phrases that the function returns, each once; spans are the places where the text has them."""
        source, scores = document.source, dict[str, float]()
        for rank, item in enumerate(self.function(source.text) or (), start=1):
            phrase, score = item if isinstance(item, tuple) and len(item) == 2 else (item, 1 / rank)  # noqa: PLR2004
            if not isinstance(phrase, str) or not phrase.strip() or not math.isfinite(score):
                hint = "expected phrases, or pairs of a phrase and a number, best first"
                raise BadParameter(f"{self.name} returned {item!r:.60}", hint)
            scores.setdefault(phrase.strip(), float(score))
        keyphrases = []
        for phrase, score in sorted(scores.items(), key=lambda pair: -pair[1]):
            words = r"\s+".join(map(re.escape, phrase.split()))
            mentions = re.finditer(rf"(?<!\w){words}(?!\w)", source.text, re.IGNORECASE)
            keyphrases.append(Keyphrase(phrase, score, spans=tuple(match.span() for match in mentions)))
        return Ranking.from_keyphrases(source, keyphrases)


def document(text: str, name: str = "text", language: str | None = None) -> Document:
    r"""Make a document of a text that has words, with the sections that are recognised in it.

    >>> import keywright as kw
    >>> kw.document("Grid Scheduling\n\nAbstract\nJobs wait in queues.").sections[0].kind.value
    'title'
    """
    return document_of_text(text, name, language=language, clean=False)


def read(
    path: Source,
    *,
    name: str | None = None,
    type: str | None = None,  # noqa: A002 - what people call it
) -> Document:
    """Read the document in a file, in bytes, or in an open file.

    >>> import keywright as kw
    >>> kw.read("examples/article.pdf").id
    'examples/article.pdf'
    >>> kw.read(b"Tide gauges drift.", name="tides.txt").text
    'Tide gauges drift.'

    Args:
        path: a file's path, bytes, or a file opened in any mode, which is read to its end. One that holds several
            documents is refused: ``read_all`` takes it.
        name: id of the document, whose ending may show the format; None takes the name of the file.
        type: format, such as ``pdf``, ``.html`` or ``text/markdown``; None recognises it from content and name.
    """
    documents = list(itertools.islice(read_source(path, name, type), 2))
    if len(documents) > 1:
        shown = path if isinstance(path, str | Path) else name or "the source"
        raise UnreadableInput(f"{shown} holds several documents", "kw.read_all gives them one by one")
    return documents[0]


def is_folder_name(name: str | Path) -> bool:
    """Return whether a system's name means the folder of a trained system."""
    return str(name) not in {*SYSTEMS.built_in, *CONCEPT_SYSTEMS.built_in} and ("/" in str(name) or Path(name).is_dir())


def system(name: str | Path, **values: Any) -> Extractor:
    """Return a system by name, with parameters, or a trained system from its folder.

    Parameters that take systems accept their names and folders. Names joined by ``+``, such as ``default+llm``, are one
    system that combines the ranks of theirs.

    >>> import keywright as kw
    >>> kw.system("kpminer", cutoff=850).cutoff
    850
    """
    if "+" in str(name) and not Path(name).is_dir():
        from keywright.ensembles.voting import Vote  # noqa: PLC0415 - most systems are no votes

        return change_system(Vote(tuple(map(system_of, str(name).split("+"))), pool=_POOL), values)
    if is_folder_name(name):
        if values and is_generator(Path(name)):  # with other parameters its calibrator does not fit
            from keywright.neural.systems.generator_system import load_system  # noqa: PLC0415 - as above

            generator = load_system(Path(name))
            return change_part(generator, values, generator.name)
        trained = load(name)
        return change_part(trained, _find_systems(type(trained), values), trained.name)
    kind = system_class(str(name))
    built: Extractor = make_part(kind, _find_systems(kind, values), str(name))
    return built


def parse_system(name: str, texts: Mapping[str, str]) -> Extractor:
    """Return a system with parameters from texts, as on a command line; raise as ``system`` does."""
    return change_system(system(name), texts, parse=True)


def change_system(chosen: Extractor, values: Mapping[str, Any], *, parse: bool = False) -> Extractor:
    """Return a system with other parameters, as texts if ``parse``; a vote also takes those of its systems."""
    if not values:
        return chosen
    from keywright.ensembles.voting import Vote  # noqa: PLC0415 - as above

    own_values, of_vote = dict(values), {each.name for each in list_parameters(Vote)}
    if isinstance(chosen, Vote) and (others := values.keys() - of_vote):
        shares: list[dict[str, Any]] = [{} for _ in chosen.systems]
        for name in others:
            head, _, tail = name.partition(".")
            parameters = [{part.name for part in list_parameters(type(each))} for each in chosen.systems]
            named = [tail and head == each.name for each in chosen.systems]
            owners = [row for row, names in enumerate(parameters) if named[row] or name in names]
            if len(owners) > 1:
                hint = f"name its system, such as {chosen.systems[owners[0]].name}.{name}=..."
                raise BadParameter(f"several systems have the parameter {name}", hint)
            if owners:
                shares[owners[0]][tail or name] = own_values.pop(name)
        pairs = zip(chosen.systems, shares, strict=True)
        chosen = replace(chosen, systems=tuple(change_system(*pair, parse=parse) for pair in pairs))
    kind, name = type(chosen), chosen.name
    own_values = parse_parameters(kind, own_values, name, system) if parse else _find_systems(kind, own_values)
    return change_part(chosen, own_values, name)


def _find_systems(kind: type, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return values with systems in place of their names, where a parameter takes one or several."""
    resolved = dict(values)
    for name in (each.name for each in list_parameters(kind) if each.takes_systems and each.name in values):
        value = values[name]
        resolved[name] = tuple(map(system_of, value)) if isinstance(value, list | tuple) else system_of(value)
    return resolved


def load(folder: str | Path) -> Extractor:
    """Load a trained system from the folder that ``train`` wrote.

    >>> import keywright as kw
    >>> trained = kw.train("nb", "examples/abstracts.jsonl", "mine")
    >>> kw.load("mine").name
    'nb'

    Raises:
        BrokenFile: it is damaged, or needs code that is not installed.
    """
    if is_generator(Path(folder)):
        from keywright.calibration.calibrators.calibrated import calibrated_generator  # noqa: PLC0415 - rarely needed

        return calibrated_generator(Path(folder))
    loaded: Extractor = saving.load_system(Path(folder), SYSTEMS.packages())
    return loaded


def system_of(system_like: SystemLike) -> Extractor:
    """Return a system from its name or folder; a system unchanged; raise as ``system`` and ``load`` do."""
    if isinstance(system_like, str) and len(system_like.split()) > 1:
        hint = "several documents go into one list: kw.extract([first, second])"
        raise BadParameter(f"{system_like!r:.60} is not the name of a system", hint)
    if isinstance(system_like, str | Path):
        return system(system_like)
    if not hasattr(system_like, "extract"):
        if callable(system_like):
            return FunctionSystem(system_like)
        hint = "expected a name of `keywright systems`, kw.system(name) or a function; top=N is the length of lists"
        raise BadParameter(f"{system_like!r:.60} is not a system", hint)
    return system_like  # type: ignore[return-value]  # it has what an extractor has


def dataset(name: str | Path) -> DataSet:
    """Return labelled documents: a collection or split by name, such as ``inspec/test``, or a JSON Lines file.

    >>> import keywright as kw
    >>> [labelled.id for labelled in kw.dataset("examples/abstracts.jsonl")][:2]
    ['leaks', 'sourdough']

    Raises:
        MissingData: the collection is not on this machine; the hint is the command that fetches it.
    """
    return load_data(str(name))


def data_of(data: str | Path | DataSet) -> DataSet:
    """Return a data set from its name or file; a data set unchanged; raise as ``dataset`` does."""
    if not isinstance(data, str | Path | DataSet):
        hint = "expected a name of `keywright datasets list`, a JSON Lines file, or a data set from `kw.dataset`"
        raise BadParameter(f"a value of type {type(data).__name__} is not a data set", hint)
    return data if isinstance(data, DataSet) else dataset(data)


DocumentLike: TypeAlias = str | Path | Document | LabelledDocument[Document] | Mapping[str, Any]
"""A text, a file of one document, a document, with gold or without, or a record."""
Named: TypeAlias = tuple[str, Any]  # The id of a document without its own, and what was passed in its place

_EXPECTED: Final = "expected a text, a pathlib.Path, kw.document(text), kw.read(path), or a dict with 'text'"
_RECORD: Final = "expected 'text', or 'title' and 'abstract', and perhaps 'id', as in a line of JSON Lines"
_FRAMES: Final = frozenset({"DataFrame", "LazyFrame", "Table", "RecordBatch"})
"""Names of the types of tables in pandas, polars, pyarrow and their kin, none of which is imported here."""
_CONTENT: Final = frozenset({"text", "title", "abstract", "sections"})


def is_document(value: object) -> bool:
    """Return whether a value is one document, not several."""
    return isinstance(value, str | Path | Document | LabelledDocument | Mapping)


def document_of(value: Any, name: str = "text") -> Document:
    """Return the document of a text, a file or a record; a document unchanged.

    ``name``: id of a text, and of a record without its own.
    """
    match value:
        case str():
            check_text(value)
            return document(value, name)
        case Path():
            return read(value)
        case Document():
            return value
        case LabelledDocument():
            return document_of(value.document, name)
        case Mapping():
            values = {str(key): item for key, item in value.items() if not is_missing(item)}
            if not _CONTENT & values.keys():
                keys = ", ".join(map(repr, value)) or "no key"
                by_id = "for texts by id pass [{'id': id, 'text': text}, ...]"
                raise BadRecord(f"a dict with {shorten(keys)} is not a record of a document", f"{_RECORD}; {by_id}")
            label = values.get("id", name)
            values["id"] = int(label) if isinstance(label, numbers.Integral) else label
            return document_of_record(values)
        case Failure():
            raise UnreadableInput(f"{value.document_id}: {value.message}", value.hint)
    if is_missing(value):
        raise EmptyInput(f"{name} is missing: the value is {value!r}", "leave it out, or give its text")
    raise document_error(value)


def is_missing(value: Any) -> bool:
    """Return whether a value says that there is none: None, NaN, and the missing values of pandas."""
    if isinstance(value, numbers.Real):
        return math.isnan(value)
    return value is None or type(value).__name__ in {"NAType", "NaTType"}


def document_error(value: object) -> BadParameter:
    """Return the error for a value that is not a document."""
    if isinstance(value, bytes | bytearray):
        return BadParameter("bytes are not a text", "decode them first: data.decode('utf-8')")
    return BadParameter(f"{shorten(repr(value))} of type {type(value).__name__} is not a document", _EXPECTED)


def named_items(documents: Any) -> tuple[Iterator[Named], bool]:
    """Return the items of a collection with ids for those without their own, and whether their number is known.

    Ids are the index of a pandas Series, where a repeated label gets a number; else ``text-1``, ``text-2`` by place.
    """
    if {kind.__name__ for kind in type(documents).__mro__} & _FRAMES:
        columns = getattr(documents, "column_names", None) or list(getattr(documents, "columns", ()))
        text = next((str(name) for name in columns if str(name).lower() in {"text", "abstract", "body"}), "text")
        hint = f"kw.extract_table(table, text={text!r}) gives a table, kw.extract(table[{text!r}]) a list"
        raise BadParameter(f"a table with the columns {shorten(', '.join(map(str, columns)))} is not a text", hint)
    if isinstance(documents, io.IOBase):
        hint = "kw.extract(kw.read(path)) takes the whole file as one document"
        raise BadParameter("an open file is a stream of lines, not of documents", hint)
    if isinstance(documents, AbstractSet):
        hint = "pass a list, such as sorted(texts): predictions come in its order"
        raise BadParameter("a set of documents has no order", hint)
    if isinstance(documents, bytes | bytearray) or not isinstance(documents, Iterable):
        raise document_error(documents)
    if hasattr(documents, "index") and hasattr(documents, "to_numpy"):  # a Series of pandas
        labels = ("/".join(map(str, each)) if isinstance(each, tuple) else str(each) for each in documents.index)
        return zip(labels, documents, strict=True), True
    if (dimensions := getattr(documents, "ndim", 1)) != 1:
        message = f"an array of {dimensions} dimensions is not a list of documents"
        raise BadParameter(message, "pass one column: array[:, 0]")
    # Elements of arrays are scalars of their library; those of Python are what documents are made of.
    plain = getattr(documents, "to_pylist", None) or getattr(documents, "tolist", None)
    items: Iterable[Any] = plain() if plain else documents
    return ((f"text-{place}", item) for place, item in enumerate(items, start=1)), hasattr(documents, "__len__")


def read_item(value: Any, name: str) -> Document | Failure:
    """Return the document of a value, or the failure that it costs; a failure unchanged."""
    if isinstance(value, Failure):
        return value
    try:
        return document_of(value, name)
    except KeywrightError as error:
        own_name = value.get("id", name) if isinstance(value, Mapping) else value if isinstance(value, Path) else name
        return Failure.from_error(str(own_name), error)


def phrase_key(phrase: str, language: str | None = None) -> int:
    """Return a number that is the same for phrases that differ only in inflection, case and hyphens.

    A text without a letter or digit has the key 0; ``language`` is English when None.

    >>> phrase_key("sensor network") == phrase_key("Sensor-networks")
    True
    """
    return hash_phrase(phrase, stemmer(check_language(language or "en")))
