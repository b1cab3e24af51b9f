"""Combination of several runs over the same documents into one, aligned document by document."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np

from keywright.calibration.phrases import compute_confidences
from keywright.core.arrays import Bools
from keywright.core.choices import Confidence
from keywright.core.documents import Document, LabelledDocument
from keywright.core.errors import BadParameter, BadRecord
from keywright.core.keyphrases import Keyphrase
from keywright.core.predictions import Prediction, Run
from keywright.core.signatures import signature
from keywright.ensembles.voting import MIN_LISTS, Ballots, Method, Voting, choose_confidences, collect_ballots
from keywright.text.keys import PARTS, gold_keys, phrase_key
from keywright.text.stems import stemmer
from keywright.text.tokens import normal_form


@dataclass(frozen=True, slots=True)
class TextStems:
    """The stems of a text, with two blanks around each, so that a padded stem can match both of two neighbours."""

    stems: str
    language: str

    @classmethod
    def from_text(cls, text: str, language: str | None = None) -> Self:
        """Return the stems of a text; English without a language."""
        return cls(_pad_stems(text, language or "en"), language or "en")

    def mentions(self, phrase: str) -> int:
        """Return how often the stems of a phrase occur in sequence; never those of a phrase without stems."""
        padded = _pad_stems(phrase, self.language)
        return self.stems.count(padded) if padded.strip() else 0

    def first(self, phrase: str) -> float:
        """Return the share of the text before the first mention, 0 to 1; 1 for a phrase that does not occur."""
        if not self.mentions(phrase):
            return 1.0
        return self.stems.find(_pad_stems(phrase, self.language)) / len(self.stems)


def _pad_stems(text: str, language: str) -> str:
    """Return the stems of all parts of words, each between blanks."""
    stem = stemmer(language)
    return f" {'  '.join(stem(part) for part in PARTS.findall(normal_form(text)))} "


@dataclass(frozen=True, slots=True, eq=False)
class AlignedRuns:
    """Runs over the same documents, document by document."""

    runs: tuple[Run, ...]  # two or more, over the same documents
    ids: tuple[str, ...]  # documents that at least one run answers, in the order of the first run, (documents,)
    answers: tuple[dict[str, Prediction], ...]  # predictions of each run, by document, (runs,)
    # Documents by id, where present phrases are looked up. In documents without text, phrases with spans are present.
    texts: dict[str, Document]

    def first(self, name: str) -> Prediction:
        """Return the first answer for a document."""
        return next(answers[name] for answers in self.answers if name in answers)

    def kinds(self, method: Method) -> tuple[Confidence | None, ...]:
        """Return each run's confidence, (runs,): see ``choose_confidences``."""
        kinds = choose_confidences([_all_phrases(run) for run in self.runs], method)
        self.check_kinds(kinds)
        return kinds

    def check_kinds(self, kinds: Sequence[Confidence | None]) -> None:
        """Check that all phrases have what their run's confidence is computed from."""
        for run, kind in zip(self.runs, kinds, strict=True):
            try:
                compute_confidences(_all_phrases(run), kind or Confidence.SCORE)
            except BadRecord as error:
                raise BadRecord(f"{title_run(run)}: {error.message}", error.hint) from None

    def ballots(self, name: str, kinds: Sequence[Confidence | None]) -> Ballots:
        """Return the ballots for a document; a run that failed on it has an empty list."""
        lists = [answers[name].keyphrases if name in answers else () for answers in self.answers]
        text = self.text_stems(name) if name in self.texts else None

        def is_present(keyphrase: Keyphrase) -> bool:
            return keyphrase.present if text is None else text.mentions(keyphrase.text) > 0

        return collect_ballots(lists, kinds, is_present, self.language(name))

    def labelled_among(self, gold: Collection[str]) -> tuple[str, ...]:
        """Return the documents of the runs whose ids are in ``gold``."""
        common = tuple(name for name in self.ids if name in gold)
        if not common:
            message = f"none of the {len(gold)} labelled documents is among the {len(self.ids)} of the runs"
            raise BadRecord(message, "name the gold of these very documents")
        return common

    def language(self, name: str) -> str | None:
        """Return the language of a document by the first answer, else by its text."""
        text = self.texts.get(name)
        return self.first(name).language or (text.language if text else None)

    def text_stems(self, name: str) -> TextStems:
        """Return the stems of a document's text."""
        return TextStems.from_text(self.texts[name].text, self.language(name))


def align_runs(runs: Sequence[Run], documents: Iterable[Document] = ()) -> AlignedRuns:
    """Align runs document by document; arguments and errors are those of ``combine``."""
    if len(runs) < MIN_LISTS:
        raise BadParameter(f"{len(runs)} runs", "expected two or more to combine")
    ids_by_run = [Counter(outcome.document_id for outcome in run.outcomes) for run in runs]
    for run, ids in zip(runs, ids_by_run, strict=True):
        if repeated := [name for name, times in ids.items() if times > 1]:
            message = f"{title_run(run)} has document {repeated[0]!r} more than once"
            raise BadRecord(message, "expected one answer for each document")
        first = ids_by_run[0]
        only_first, only_here = sorted(first.keys() - ids.keys()), sorted(ids.keys() - first.keys())
        if only_first or only_here:
            examples = ", ".join(map(repr, (*only_first[:1], *only_here[:1])))
            message = (
                f"{title_run(runs[0])} has {len(first)} documents, {title_run(run)} has {len(ids)},"
                f" {len(first.keys() & ids.keys())} in common; only one of them has {examples}"
            )
            raise BadRecord(message, "combine runs over the same documents")
    with_texts = [run for run in runs if run.texts]
    for run in with_texts[1:]:
        if run.texts != (signed := with_texts[0]).texts:
            message = f"{title_run(signed)} and {title_run(run)} name the same documents, but read other texts"
            raise BadRecord(message, f"fingerprints {signed.texts} and {run.texts}: make both runs on one data set")
    answers = tuple({prediction.document_id: prediction for prediction in run.predictions} for run in runs)
    answered = tuple(name for name in ids_by_run[0] if any(name in by_document for by_document in answers))
    return AlignedRuns(tuple(runs), answered, answers, {document.id: document for document in documents})


def check_texts(aligned: AlignedRuns) -> None:
    """Check that at least one text, where there are any, is of a document of the runs."""
    if aligned.texts and aligned.ids and not aligned.texts.keys() & set(aligned.ids):
        message = f"the {len(aligned.ids)} documents of the runs and the {len(aligned.texts)} texts have none in common"
        examples = f"{aligned.ids[0]!r} and {next(iter(aligned.texts))!r}"
        raise BadRecord(f"{message}, such as {examples}", "name the data set of the runs")


def title_run(run: Run) -> str:
    """Return a run's name for messages, from its signature."""
    return f"run {run.system.partition('|')[0] or 'without a name'}"


def _all_phrases(run: Run) -> tuple[Keyphrase, ...]:
    return tuple(keyphrase for prediction in run.predictions for keyphrase in prediction.keyphrases)


@dataclass(frozen=True, slots=True)
class Combined:
    """Configuration of a combined run, for its signature: the voting, and the runs' signatures."""

    voting: Voting
    runs: tuple[str, ...]
    name: str = "combined"


def combine(runs: Sequence[Run], voting: Voting | None = None, documents: Iterable[Document] = ()) -> Run:
    """Combine runs by voting on each document; one that a run failed on is voted on by the others, with a warning."""
    voting = voting or Voting()
    aligned = align_runs(runs, documents)
    check_texts(aligned)
    kinds = aligned.kinds(voting.method)
    system = signature(Combined(voting, tuple(f"({run.system})" for run in runs)))
    return make_combined_run(aligned, system, lambda name: voting.rank(aligned.ballots(name, kinds)))


def make_combined_run(aligned: AlignedRuns, system: str, rank: Callable[[str], tuple[Keyphrase, ...]]) -> Run:
    """Return the run of lists by ``rank`` for ids, each with the warnings of the runs on its document."""
    runs, answered = aligned.runs, set(aligned.ids)
    predictions = []
    for name in aligned.ids:
        first = aligned.first(name)
        answers = [by_document[name] for by_document in aligned.answers if name in by_document]
        failed = [run for run, by_document in zip(runs, aligned.answers, strict=True) if name not in by_document]
        warnings = [warning for prediction in answers for warning in prediction.warnings]
        warnings += [f"without {title_run(run)}, which failed on it" for run in failed]
        predictions.append(
            Prediction(
                name,
                rank(name),
                coverage=first.coverage,
                warnings=tuple(dict.fromkeys(warnings)),
                language=aligned.language(name),
                author_keywords=first.author_keywords,
            )
        )
    return Run(
        system,
        next((run.data for run in runs if run.data), ""),
        runs[0].analyser if all(run.analyser == runs[0].analyser for run in runs) else "",
        tuple(predictions),
        tuple(failure for failure in runs[0].failures if failure.document_id not in answered),
        texts=next((run.texts for run in runs if run.texts), ""),
    )


def estimate_absence(
    runs: Sequence[Run], labelled: Iterable[LabelledDocument[Document]]
) -> tuple[tuple[float, float], ...]:
    """Return the share of keyphrases among phrases that a run leaves out and another has, by run and class."""
    gold = select_labelled(labelled)
    aligned = align_runs(runs, (document.document for document in gold.values()))
    hits, counts = np.zeros((2, len(runs))), np.zeros((2, len(runs)))
    for name in aligned.labelled_among(gold):
        ballots = aligned.ballots(name, (None,) * len(runs))
        correct = mark_correct(ballots, gold[name], aligned.language(name))
        for part, rows in enumerate((ballots.present, ~ballots.present)):
            counts[part] += (~ballots.listed & rows[:, None]).sum(axis=0)
            hits[part] += (~ballots.listed & (rows & correct)[:, None]).sum(axis=0)
    return tuple((present, absent) for present, absent in (hits / np.maximum(counts, 1)).T.tolist())


def select_labelled(labelled: Iterable[LabelledDocument[Document]]) -> dict[str, LabelledDocument[Document]]:
    """Return the documents that have gold, by id."""
    return {document.id: document for document in labelled if document.gold}


def mark_correct(ballots: Ballots, labelled: LabelledDocument[Document], language: str | None) -> Bools:
    """Return whether each phrase is a keyphrase, matched by stem, (phrases,)."""
    stem = stemmer(language or "en")
    keys = np.array([phrase_key(keyphrase.text, stem) for keyphrase in ballots.keyphrases], np.uint64)
    return np.asarray(np.isin(keys, gold_keys(labelled.gold, language)))
