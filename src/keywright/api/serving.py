"""Parts of a service: the work on its requests, a pool of workers, rows of batches, and projects of vocabularies."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from keywright.api.inputs import parametrised
from keywright.api.probabilities import calibrated, drift_warner
from keywright.api.request_work import Request, RequestWork, StartRequest
from keywright.api.vocabularies import load_vocabulary
from keywright.core.errors import BadParameter
from keywright.core.records import FinishedRecord
from keywright.extraction.vocabularies.concepts import code_of
from keywright.running.file_extraction import DistinctIds
from keywright.running.request_pool import RequestPool
from keywright.text.language_identification import is_language_code

Pool: TypeAlias = RequestPool[Request, FinishedRecord]


def request_work(
    system: str = "default",
    calibrator: str | Path | None = None,
    vocabularies: Sequence[str | Path] = (),
    max_characters: int = 2_000_000,
) -> RequestWork:
    """Return the work on requests, its vocabularies checked.

    Args:
        system: name of a system, or folder of a trained one.
        calibrator: file of its calibrator.
        vocabularies: folders of indexes, which requests name by the last part of the path.
        max_characters: longest text.

    Raises:
        UnreadableInput: a folder is not an index.
        BadParameter: two folders have the same name.
    """
    names: dict[str, str] = {}
    for folder in vocabularies:
        place = Path(folder).resolve()
        if place.name in names:
            raise BadParameter(f"two vocabularies are called {place.name!r}", "rename one of the folders")
        load_vocabulary(place)
        names[place.name] = str(place)
    return RequestWork(system, str(calibrator) if calibrator else None, tuple(names.items()), max_characters)


def request_pool(work: RequestWork, *, jobs: int | None, queue: int, seconds: float) -> Pool:
    """Return a pool for requests, which is not started yet; ``jobs``: of processes, None for one each core."""
    return RequestPool(work, StartRequest(), jobs=jobs or os.cpu_count() or 1, queue=queue, seconds=seconds)


def batch_finisher(work: RequestWork) -> Callable[[FinishedRecord], FinishedRecord]:
    """Return a function that all rows of a batch pass in order, as those of ``extract``: distinct ids, drift."""
    distinct = DistinctIds()
    if work.calibrator is None:
        return distinct
    warned = drift_warner(calibrated(parametrised(work.system, {}), work.calibrator))
    return lambda record: warned(distinct(record))


@dataclass(frozen=True, slots=True)
class Project:
    """A vocabulary in a language: of the documents, and of the labels in results.

    Attributes:
        vocabulary: name of the vocabulary.
        language: ISO 639-1 code.
        languages: those of all labels of the vocabulary.
    """

    vocabulary: str
    language: str
    languages: tuple[str, ...]

    @property
    def name(self) -> str:
        """The project's id."""
        return f"{self.vocabulary}-{self.language}"


def projects_of(work: RequestWork) -> dict[str, Project]:
    """Return the projects by id; none for vocabularies without concepts, as their labels have no URI.

    A vocabulary whose labels have no language has projects in those that it was built for.
    """
    projects: dict[str, Project] = {}
    for name, folder in work.vocabularies:
        index = load_vocabulary(folder)
        if index.concepts is None:
            continue
        codes = sorted({code_of(tag) for tag in index.concepts.languages if is_language_code(code_of(tag))})
        languages = tuple(codes or index.card["languages"])
        of_vocabulary = [Project(name, language, languages) for language in languages]
        projects |= {project.name: project for project in of_vocabulary}
    return projects
