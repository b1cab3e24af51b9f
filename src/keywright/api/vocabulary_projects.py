"""Projects of a service: one for each vocabulary of concepts and each language that it has labels in."""

from dataclasses import dataclass

from keywright.api.request_work import RequestWork
from keywright.api.vocabularies import load_vocabulary
from keywright.text.language_codes import is_language_code
from keywright.vocabularies.concepts import code_of


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
