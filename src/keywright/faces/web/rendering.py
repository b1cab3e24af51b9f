"""The page as HTML: its form, problems, and documents with their phrases."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from keywright.core.documents import Style
from keywright.core.errors import KeywrightError
from keywright.core.predictions import Failure
from keywright.core.signatures import short_signature
from keywright.faces.keyphrase_page import article
from keywright.faces.web.extraction import COLUMNS
from keywright.faces.web.review import controls
from keywright.faces.web.saving import FORMATS
from keywright.faces.web.selection import Thresholds
from keywright.faces.web.shown_documents import ShownDocument, ShownDocuments

STYLES: Final = {
    "": "people in general",
    Style.AUTHOR: "authors of papers",
    Style.READER: "readers of papers",
    Style.INDEXER: "indexers of abstracts",
    Style.SUBJECT: "cataloguers, who give subject headings",
}
"""Words for the styles of the default."""
_FORMAT_NAMES: Final = {
    "csv": "CSV",
    "tsv": "TSV",
    "json": "JSON",
    "jsonl": "JSON Lines",
    "xlsx": "Excel (XLSX)",
    "html": "HTML",
    "markdown": "Markdown",
    "latex": "LaTeX",
    "parquet": "Parquet",
    "bib": "BibTeX",
    "ris": "RIS",
    "jsonld": "JSON-LD",
    "jats": "JATS",
    "dc": "Dublin Core",
    "marc": "MARC",
    "marcxml": "MARCXML",
    "csl": "CSL-JSON",
    "turtle": "Turtle",
}
"""Names of formats for people; others are shown by the name that the command line has for them."""
_FORM_FIELDS: Final = (
    "text",
    "top",
    "language",
    "style",
    "expect",
    "vocabulary",
    "only_vocabulary",
    "absent",
    "quality",
    *COLUMNS,
)
_FOLDED: Final = _FORM_FIELDS[1:]
"""Fields that are under *Options*, which is open if one of them is filled."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that was not done, for people."""

    message: str
    hint: str

    @classmethod
    def of(cls, error: KeywrightError | Failure) -> "Problem":
        """Return the problem of an error, or of a document that failed, whose name it begins with unless it has it."""
        name = error.document_id if isinstance(error, Failure) else ""
        return cls(error.message if name in error.message else f"{name}: {error.message}", error.hint)


@dataclass(frozen=True, slots=True)
class Page:
    """One state of the page.

    Attributes:
        system: name of the system of the service.
        vocabularies: names of those that may be chosen.
        fields: what was sent, which the page shows again.
        shown: documents with their phrases; None before any were asked for.
        thresholds: positions of the sliders.
        problems: what was not done.
        notes: how files were read.
    """

    system: str
    vocabularies: Sequence[str] = ()
    fields: Mapping[str, str] = field(default_factory=dict)
    shown: ShownDocuments | None = None
    thresholds: Thresholds = field(default_factory=Thresholds)
    problems: Sequence[Problem] = ()
    notes: Sequence[str] = ()

    def html(self) -> str:
        """Return the whole page."""
        form: dict[str, Any] = {name: self.fields.get(name, "") for name in _FORM_FIELDS}
        form["has_options"] = any(form[name] for name in _FOLDED)
        documents = self.shown.documents if self.shown else ()
        return (
            _environment()
            .get_template("page.html")
            .render(
                title=f"Keyphrases of {documents[0].document.id}" if len(documents) == 1 else "Keyphrases",
                form=form,
                styles=STYLES.items(),
                vocabularies=self.vocabularies,
                problems=self.problems,
                notes=self.notes,
                state=self.shown.packed() if self.shown else "",
                count=_count(documents),
                articles=Markup("".join(self._article(each, number) for number, each in enumerate(documents, start=1))),  # noqa: S704 - escaped where it is built
                has_probabilities=any(
                    keyphrase.probability is not None for each in documents for keyphrase in each.prediction.keyphrases
                ),
                guarantees=self.shown.steps if self.shown else (),
                least=self.thresholds.least,
                precision=self.thresholds.step,
                formats=[(form.name, _FORMAT_NAMES.get(form.name, form.name)) for form in FORMATS],
                system=short_signature(self.shown.signature) if self.shown else self.system,
            )
        )

    def _article(self, shown: ShownDocument, number: int) -> str:
        from keywright import api  # noqa: PLC0415 - loaded with the workers

        prediction = shown.prediction
        allowed = [self.thresholds.allows(keyphrase) for keyphrase in prediction.keyphrases]
        groups = [
            api.PhraseGroup(group.leader, tuple(index for index in group.others if allowed[index]))
            for group in api.phrase_groups(prediction.keyphrases, prediction.language)
            if allowed[group.leader]
        ]
        return article(shown.document, prediction, groups, number, controls(prediction, number, self.fields)).html


def _count(documents: Sequence[ShownDocument]) -> str:
    phrases = sum(len(each.prediction.keyphrases) for each in documents)
    words = f"{phrases} keyphrase{'s' * (phrases != 1)}"
    return words if len(documents) < 2 else f"{words} of {len(documents)} documents"  # noqa: PLR2004 - one and several


@cache
def _environment() -> Environment:
    return Environment(loader=PackageLoader("keywright.faces", "web"), autoescape=True, undefined=StrictUndefined)
