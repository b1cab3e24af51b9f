"""Systems fitted to documents: trained on labelled ones, or acquainted with unlabelled ones."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from keywright.adapting.gain import Gain
from keywright.adapting.labelled import adapt_to_labelled
from keywright.adapting.unlabelled import Acquainted, acquaint
from keywright.api.extracting import read_all
from keywright.api.inputs import Chosen, Progress, system_of
from keywright.api.labelled import data_of
from keywright.core.errors import BadParameter, PartlyDone
from keywright.core.interfaces import Analyser, Extractor
from keywright.core.parameters import changed
from keywright.core.saving import check_place, read_card, save
from keywright.core.signatures import signature
from keywright.datasets.collection import DataSet
from keywright.execution.system_fitting import card_of
from keywright.execution.system_fitting import train as fit
from keywright.systems.default import Default
from keywright.text.languages import ByLanguage


@dataclass(frozen=True, slots=True)
class Trained:
    """A system fitted on labelled documents.

    Attributes:
        system: the fitted one.
        card: what it was trained on, and when; with the gain where one was measured.
        saved: whether it was written into a folder.
        gain: what it changed on held-out documents; None for systems that start from nothing.
        notes: what should be known of the gain.
    """

    system: Extractor
    card: Mapping[str, Any]
    saved: bool
    gain: Gain | None = None
    notes: tuple[str, ...] = ()


def train_and_tell(  # noqa: PLR0913 - keywords, one for each option that people know from the command line
    system: Chosen,
    dataset: str | Path | DataSet,
    folder: str | Path | None = None,
    language: str | None = None,
    *,
    force: bool = False,
    anyway: bool = False,
    progress: Progress | None = None,
) -> Trained:
    """A system fitted on labelled documents, with all there is to say of it.

    The default extractor goes on from what it knows, and what that gains is measured on held-out documents; where no
    gain can be shown nothing is written, unless ``anyway``. Other systems start from nothing.

    Args:
        system: a name, the folder of a trained one, or a system itself.
        dataset: labelled documents.
        folder: where it is kept; None for nowhere.
        language: ISO 639-1 code for all documents; None for each document's own.
        force: whether it may replace a trained system that is in the folder.
        anyway: whether it is kept without a gain.
        progress: told how many documents are read.

    Raises:
        BadParameter: the system learns nothing, the gold is held out for reporting, the folder holds something, or the
            documents are too few.
    """
    untrained, data = system_of(system), data_of(dataset)
    analyser = ByLanguage(language, tagged="tags" in untrained.needs)
    place = None if folder is None else Path(folder)
    if not isinstance(untrained, Default):
        fitted = fit(untrained, data, analyser, place, force=force)
        card = card_of(fitted, data, analyser) if place is None else read_card(place)
        return Trained(fitted, card, saved=place is not None)
    if place is not None:
        check_place(place, force=force)
    return _kept(untrained, data, analyser, place, anyway=anyway, progress=progress)


def _kept(
    untrained: Default,
    data: DataSet,
    analyser: Analyser,
    place: Path | None,
    *,
    anyway: bool,
    progress: Progress | None,
) -> Trained:
    """The default extractor adapted, and written where it gained something."""
    found = adapt_to_labelled(untrained, data, analyser, progress)
    about = {"style": found.system.style, "adapted from": signature(untrained)}
    told = {"gain": found.gain.as_json(), "notes": list(found.notes)}
    card = {**card_of(found.system, data, analyser), **about, **told}
    saved = place is not None and (found.gain.shown or anyway)
    if place is not None and saved:
        save(found.system, place, card)
        card = read_card(place)
    return Trained(found.system, card, saved, found.gain, found.notes)


def train(
    system: str | Extractor,
    dataset: str | Path | DataSet,
    folder: str | Path | None = None,
    language: str | None = None,
    *,
    force: bool = False,
    anyway: bool = False,
    **parameters: Any,
) -> Extractor:
    """A system fitted on labelled documents; written into a folder if one is named.

    The default extractor goes on from what it knows; into a folder it is written only where held-out documents show a
    gain, or with ``anyway``.

    Raises:
        BadParameter: the system learns nothing, the gold is held out for reporting, the folder holds something, or a
            parameter is not known.
        PartlyDone: there is no gain to be shown, so nothing was written.
    """
    chosen = system_of(system)
    untrained = changed(chosen, parameters, chosen.name)
    found = train_and_tell(untrained, dataset, folder, language, force=force, anyway=anyway)
    if folder is not None and not found.saved and found.gain:
        raise PartlyDone(found.gain.verdict, f"nothing was written to {folder}; anyway=True keeps it all the same")
    return found.system


def adapt(
    paths: str | Path | Iterable[str | Path],
    folder: str | Path | None = None,
    system: Chosen = "default",
    language: str | None = None,
    *,
    force: bool = False,
    progress: Progress | None = None,
) -> Acquainted:
    """The default extractor with document frequencies of one's own unlabelled documents added to those it has.

    Args:
        paths: files and folders, in any format that is read.
        folder: where it is kept; None for nowhere.
        system: ``default``, or the folder of an adapted one.
        language: ISO 639-1 code for all documents; None for each document's own.
        force: whether it may replace a trained system that is in the folder.
        progress: told how many documents are done.

    Raises:
        BadParameter: another system, or the folder holds something.
        EmptyInput: fewer than two different documents can be read.
    """
    chosen = system_of(system)
    if not isinstance(chosen, Default):
        raise BadParameter(f"{chosen.name} cannot be adapted to unlabelled documents", "`default` can, and no other")
    if folder is not None:
        check_place(Path(folder), force=force)
    given = [paths] if isinstance(paths, str | Path) else paths
    tell = None if progress is None else (lambda done: progress(done, 0))
    found = acquaint(chosen, read_all(given), ByLanguage(language), tell)
    if folder is not None:
        save(found.system, Path(folder), found.card())
    return found
