"""Options of requests: keywords, JSON values and texts, checked by the tables of ``core.options``; what they choose.

A misnamed option, or one by its name in another tool, is an error that says what it is called here. Among the choices
are calibrators, with warnings of documents that drift away from those of calibration, and guarantees.
"""

import warnings
from collections import abc
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from keywright.api.inputs import SystemLike, change_system, system_of
from keywright.api.vocabularies import vocabulary_of
from keywright.core.errors import BadParameter
from keywright.core.interfaces import Extractor, Wrapper
from keywright.core.option_types import Option, User
from keywright.core.options import (
    AUTO,
    TABLES,
    ChoiceOptions,
    GuaranteeOptions,
    Length,
    PhraseOptions,
    options_for,
    options_of,
)
from keywright.core.predictions import Outcome, Prediction, Run
from keywright.core.records import FinishedRecord
from keywright.core.word_lists import read_sections
from keywright.reading.language_identification import check_language
from keywright.reading.phrase_lists import read_merges, read_phrases
from keywright.running.phrase_filter import PhraseFilter
from keywright.running.runs import WrittenRun

if TYPE_CHECKING:
    from keywright.calibration.calibrators.calibrator import Calibrator
    from keywright.calibration.guarantees import Guarantee

_ELSEWHERE: Final = [line.split(" | ") for line in read_sections("api/other_options.txt", "\n")[""].splitlines()]
_HERE: Final = {name: hint for names, hint in _ELSEWHERE for name in names.split()}
"""Advice on options of this package, by usual names of those of other tools."""
_TRUTH: Final = dict.fromkeys(("true", "1", "yes", "on"), True) | dict.fromkeys(("false", "0", "no", "off"), False)


def _unknown_option(message: str, name: str, names: abc.Collection[str], listing: str) -> BadParameter:
    near = get_close_matches(name, names, n=1)
    nearest = f"did you mean {near[0]!r}? " if near else ""
    return BadParameter(message, _HERE.get(name) or f"{nearest}{listing} {', '.join(names)}")


def check_keywords(keywords: Mapping[str, Any]) -> None:
    """Check names and values of keywords; phrases are checked when they are read."""
    options = options_of(*TABLES)
    for name, value in keywords.items():
        if name not in options:
            names = options_of(*TABLES[1:])  # the general ones are arguments of their own
            raise _unknown_option(f"extract has no option {name!r}", name, names, "there are")
        if options[name].json_type != "array":
            options[name].check(value)


def apply_choices(extractor: Extractor, keywords: Mapping[str, Any]) -> Extractor:
    """Return the system with the style, the number of keyphrases and the quality that keywords declare."""
    choices = {name: value for name, value in _select(keywords, ChoiceOptions).items() if value is not None}
    values = {name: str(value) if isinstance(value, str) else value for name, value in choices.items()}
    return change_system(extractor, values) if values else extractor


def phrase_filter_of(keywords: Mapping[str, Any]) -> PhraseFilter:
    """Return the filter that keywords describe, files of phrases read; other options are ignored."""
    values = _select(keywords, PhraseOptions)
    stopped = values.get("stop_phrases")
    values["stop_phrases"] = read_phrases(stopped) if isinstance(stopped, str | Path) else tuple(stopped or ())
    values["merges"], notes = read_merges(values.get("merges") or {})
    for note in notes:
        warnings.warn(note, UserWarning, stacklevel=2)
    values["vocabulary"] = vocabulary_of(values.get("vocabulary"))
    if (tag := values.get("label_language")) is not None:
        values["label_language"] = check_language(str(tag), "label language")
    phrase_filter = PhraseFilter(**values)
    limits = guarantees_of(keywords).changed
    if phrase_filter.absent and limits:
        raise BadParameter(f"{limits[0]} together with absent", "a calibrator covers the phrases of the text only")
    guaranteed = [name for name in limits if name in {"min_precision", "min_recall"}]
    if guaranteed and not phrase_filter.passes_all:
        message = f"{guaranteed[0]} together with other options that choose phrases"
        raise BadParameter(message, "guarantees hold for whole lists: leave out the other options, or the guarantee")
    return phrase_filter


def guarantees_of(keywords: Mapping[str, Any]) -> GuaranteeOptions:
    """Return the options for guarantees that keywords describe; others are ignored."""
    return GuaranteeOptions(**_select(keywords, GuaranteeOptions))


def _select(keywords: Mapping[str, Any], table: Any) -> dict[str, Any]:
    names = options_of(table)
    return {name: value for name, value in keywords.items() if name in names}


RequestOptions: TypeAlias = tuple[tuple[str, Any], ...]
"""Options of a request that differ from their defaults, by name; a vocabulary may be named by a text."""


def options_of_values(values: Mapping[str, Any], others: tuple[str, ...] = ()) -> RequestOptions:
    """Return options from JSON values by name; null is the default.

    ``others``: names that the request may have besides, for the message.
    """
    options = options_for(User.SERVICE)
    changed: list[tuple[str, Any]] = []
    for name, value in values.items():
        if name not in options:
            raise _unknown_option(f"a request has no field {name!r:.60}", name, (*others, *options), "fields:")
        option = options[name]
        if value is None:
            continue
        if not (option.by_name and isinstance(value, str)):
            option.check(value)
        usable = tuple(value) if isinstance(value, list) else float(value) if option.json_type == "number" else value
        if usable != option.default:
            changed.append((name, usable))
    return tuple(sorted(changed))


def options_of_texts(texts: Iterable[tuple[str, str]], others: tuple[str, ...] = ()) -> RequestOptions:
    """Return options from names and texts, as in an address or a form; an empty text is the default.

    Phrases are the lines of all texts of their name; one text alone may also name a vocabulary.
    """
    options = options_for(User.SERVICE)
    values: dict[str, Any] = {}
    for name, text in texts:
        option = options.get(name)
        if name in values and (option is None or option.json_type != "array"):
            raise BadParameter(f"the option {name!r:.60} comes twice", "give it once")
        if option is None:
            values[name] = text
        elif option.json_type == "array":
            values.setdefault(name, []).extend(filter(None, map(str.strip, text.splitlines())))
        elif text.strip():
            values[name] = _parse_text(option, text.strip())
    for name, value in values.items():
        if isinstance(value, list) and len(value) == 1 and options[name].by_name:
            values[name] = value[0]
    return options_of_values(values, others)


def _parse_text(option: Option, text: str) -> Any:
    """Return the JSON value that a text means, the text itself where it means none."""
    match option.json_type:
        case "boolean":
            return _TRUTH.get(text.casefold(), text)
        case "integer" | "number" as kind:
            try:
                return int(text) if kind == "integer" else float(text)
            except ValueError:
                return text
    return text


def calibrated(system: SystemLike, calibrator: "Calibrator | str | Path") -> Extractor:
    """Add a calibrator to a system: its phrases keep their order and get probabilities.

    >>> import keywright as kw
    >>> calibrator = kw.calibrate(kw.run("kpminer", "papers.jsonl"), "papers.jsonl").calibrator
    >>> prediction = kw.extract(kw.read("examples/article.txt"), kw.calibrated("kpminer", calibrator))
    >>> 0 < prediction.keyphrases[0].probability < 1
    True

    Raises:
        BadParameter: the calibrator was fitted for another system.
    """
    from keywright.calibration.calibrators.calibrated import Calibrated  # noqa: PLC0415 - most extraction does without
    from keywright.calibration.calibrators.calibrator import Calibrator  # noqa: PLC0415 - most extraction does without

    fitted = calibrator if isinstance(calibrator, Calibrator) else Calibrator.read(Path(calibrator))
    return Calibrated(system_of(system), fitted)


def calibrator_of(system: object) -> "Calibrator | None":
    """Return the calibrator of a system, limited or not; code of calibration is loaded for systems that wrap others."""
    if not isinstance(system, Wrapper):
        return None
    from keywright.calibration.calibrators.calibrated import Calibrated, Limited  # noqa: PLC0415 - as above

    inner = system.inner if isinstance(system, Limited) else system
    return inner.calibrator if isinstance(inner, Calibrated) else None


def drift_warner(system: Extractor) -> Callable[[Any], Any]:
    """Return a function that all outcomes or records pass in order; it adds a warning once documents have drifted."""
    calibrator = calibrator_of(system)
    if calibrator is None:
        return lambda outcome: outcome
    from keywright.calibration.calibrators.calibrator import WINDOW, DriftMonitor  # noqa: PLC0415 - most extraction does without

    monitor = DriftMonitor(calibrator.reference, WINDOW)

    def warn(outcome: Outcome | FinishedRecord) -> Outcome | FinishedRecord:
        if isinstance(outcome, Prediction) and (warning := monitor.add(outcome.profile)):
            return replace(outcome, warnings=(*outcome.warnings, warning))
        if isinstance(outcome, FinishedRecord) and not outcome.failure and (warning := monitor.add(outcome.profile)):
            return outcome.add_warning(warning)
        return outcome

    return warn


def drift(system: Extractor, run: Run | WrittenRun) -> tuple[dict[str, float] | None, tuple[str, ...]]:
    """Measure how far the documents of the run of a calibrated system have drifted from those of calibration.

    >>> import keywright as kw
    >>> calibrator = kw.calibrate(kw.run("kpminer", "papers.jsonl"), "papers.jsonl").calibrator
    >>> system = kw.calibrated("kpminer", calibrator)
    >>> stability, warnings = kw.drift(system, kw.run(system, "papers.jsonl"))
    >>> stability["index"], warnings
    (0.0, ())

    Returns:
        The population stability index and its chance level, None without calibrator or for too few documents; and a
        warning if it is due.
    """
    calibrator = calibrator_of(system)
    if calibrator is None:
        return None, ()
    from keywright.calibration.calibrators.calibrator import monitor_profiles  # noqa: PLC0415 - most extraction does without

    profiles = run.profiles if isinstance(run, WrittenRun) else [each.profile for each in run.predictions]
    monitor = monitor_profiles(calibrator.reference, profiles)
    return monitor.as_json(), monitor.warnings


def limits_length(keywords: Mapping[str, Any]) -> bool:
    """Return whether keywords ask for a guarantee, which decides the length of lists."""
    return any(keywords.get(name) is not None for name in ("min_precision", "min_recall"))


def limit_system(system: Extractor, top: Length | None, keywords: Mapping[str, Any]) -> Extractor:
    """Return a calibrated system that shows only what the options allow; any system unchanged without options.

    ``top``: longest list; ``keywords``: options for guarantees; others are ignored.
    """
    options = guarantees_of(keywords)
    if not options.changed and (top != AUTO or calibrator_of(system) is None):
        return system
    from keywright.calibration import guarantees  # noqa: PLC0415 - rarely needed
    from keywright.calibration.calibrators import calibrated as limits  # noqa: PLC0415 - rarely needed

    if not isinstance(system, limits.Calibrated):
        hint = "fit one on labelled documents: keywright calibrate RUN --gold DATASET -o FILE, then --calibrator FILE"
        raise BadParameter(f"{options.changed[0]} needs a calibrator, and {system.name} has none", hint)
    is_auto, top = top == AUTO, _within_depth(top, system.calibrator)
    if options.min_recall is not None and top is not None:
        raise BadParameter("min_recall and top together", "recall cannot be guaranteed for lists that are cut")
    best_f1 = is_auto and not limits_length(keywords)
    # Without a guarantee the list is cut behind the filter, when near repeats are merged.
    most = top if limits_length(keywords) else None
    cut = limits.Cut(most=most, abstain_below=options.abstain_below, best_f1=best_f1)
    judged, guarantee = system.calibrator.held_out, None
    if options.min_precision is not None:
        level = guarantees.CONFIDENCE if options.confidence_level is None else options.confidence_level
        judged = limits.drop_abstained(judged, cut.abstain_below)
        guarantee = guarantees.guarantee_precision(judged, options.min_precision, level, most=top)
    elif options.min_recall is not None:
        guarantee = guarantees.guarantee_recall(judged, options.min_recall)
    if guarantee is not None:
        cut = replace(cut, least=guarantee.threshold)
    return limits.Limited(system, cut, guarantee)


def guarantees_by_tenths(system: Extractor, top: Length | None) -> "tuple[Guarantee, ...]":
    """Return the guarantee of each tenth of precision that lists of ``top`` phrases allow; none if not calibrated."""
    calibrator = calibrator_of(system)
    if calibrator is None:
        return ()
    from keywright.calibration.guarantees import list_precision_guarantees  # noqa: PLC0415 - rarely needed

    return list_precision_guarantees(calibrator.held_out, most=_within_depth(top, calibrator))


def _within_depth(top: Length | None, calibrator: "Calibrator") -> int | None:
    """Return the length of lists; None for one that the calibrator does not distinguish from any longer one."""
    return top if isinstance(top, int) and top < calibrator.card.depth else None


def guarantee_of(system: object) -> "Guarantee | None":
    """Return the guarantee of a limited system; None for any other."""
    return getattr(system, "guarantee", None) if isinstance(system, Wrapper) else None
