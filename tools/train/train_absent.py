"""Train what suggests absent keyphrases: associations of words with keyphrases, and trees with probabilities.

    PYTHONPATH=. KEYWRIGHT_MIRROR=... python tools/train/train_absent.py [--seed N] [-o FOLDER | --leave-out SOURCE ...]

Associations are counted from abstracts with the keyphrases of authors and indexers, and from lists of author keyphrases
without texts, in which the phrases themselves are the text. Trees and probabilities learn from abstracts and papers,
each described by associations that were counted without its collection, so that probabilities hold for texts of
collections that nobody has seen. Documents that overlap a test set are left out, and so are lists like the gold of a
document here or in a test set. Only phrases of lists whose licences allow it are suggested. The same data give the same
files. Takes two minutes on one core; ``-o`` writes elsewhere than into the package. With ``--leave-out`` nothing is
written: what is trained without some sources is scored on their documents.
"""

import argparse
import itertools
import os
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from scipy import sparse

from keywright.core.arrays import Floats, Ints, Keys
from keywright.core.documents import AnalysedDocument, Document, Style
from keywright.datasets.training_mix import TELLING, TrainingPart
from keywright.extraction.learners.examples import Examples
from keywright.extraction.learners.growing import Boosting
from keywright.extraction.learners.ranker import train_ranker
from keywright.extraction.ranking.absent_phrases import (
    MOST_WORDS,
    AbsentPhrases,
    WordAssociations,
    distinct_words,
    phrases_in,
)
from keywright.running.phrase_filter import MOST_ABSENT
from keywright.text.analyser import TextAnalyser
from keywright.text.keys import gold_keys, phrase_key
from keywright.text.stems import stemmer
from studies.training_data.author_lists import AuthorLists, english_lists
from studies.training_data.training_documents import training_documents

MODELS: Final = Path(__file__).parents[2] / "src" / "keywright" / "models"
MIXED: Final = (
    TrainingPart("train_mix/author", ("author",), Style.AUTHOR),
    TrainingPart("train_mix/indexer", ("indexer",), Style.INDEXER),
)
"""Abstracts, for associations and trees."""
PAPERS: Final = (
    TrainingPart("nus/train", ("combined",), Style.READER),
    TrainingPart("schutz2008/train", ("author",), Style.AUTHOR),
    TrainingPart("semeval2010/train", ("author",), Style.AUTHOR, rules=TELLING),
)
"""Papers, for trees: none is among the abstracts."""
LICENSED: Final = frozenset({"papyrus"})
"""Sources of abstracts whose keyphrases may be shipped; those of all lists without texts may."""
FOLDS: Final = (
    {"krapivin2009", "kdd", "nus/train"},
    {"kp20k_small", "www"},
    {"inspec", "schutz2008/train"},
    {"paperlists", "semeval2010/train"},
    {"papyrus"},
)
"""Sources that are held out together; what is held out by document alone is too sure of itself on other collections."""
LEAST_USES: Final = 4
"""Texts that a keyphrase needs; with 3 files are a third larger and as good, with 5 they are worse."""
LEAST_TEXTS: Final = 3
"""Texts that a word needs; arbitrary."""
MOST_TEXTS: Final = 0.2
"""Share of the texts above which a word tells nothing; arbitrary."""
MOST_WORDS_OF_LABEL: Final = 150
"""Words that point to a keyphrase, the strongest; with all, files are five times as large and hardly better."""
USUAL: Final = 0.7
"""Power of the uses that weights are divided by: 1 is the mean over texts, 0 the sum; of .5, .7 and 1 the best."""
MOST_OF_SOURCE: Final = 2_000
"""Abstracts of a source that trees learn from; arbitrary."""
WEIGHT_OF_SOURCE: Final = 300.0
"""Weight of each source in documents, so that none rules; arbitrary."""
RARE: Final = 5
"""A spelling with less than one in so many mentions is disregarded; arbitrary."""
SETTINGS: Final = Boosting(trees=200, rate=0.05, leaves=15, least=50, features=0.6, others=0.3)


@dataclass(frozen=True, slots=True, eq=False)
class Text:
    """A training text: its words, its keyphrases, and what it contains.

    Attributes:
        source: collection that it comes from; empty for lists without texts.
        words: keys, ascending, and mentions, (words,) each.
        gold: keyphrases as people wrote them, by key.
        document: its analysis, for those that trees learn from; else None.
    """

    source: str
    words: tuple[Keys, Ints]
    gold: dict[int, str]
    document: AnalysedDocument | None = None


def texts(mirror: Path) -> Iterator[Text]:
    """Yield the abstracts, the papers and the lists."""
    analyser, stem = TextAnalyser("en"), stemmer("en")
    every_gold: list[Keys] = []
    taken: Counter[str] = Counter()
    for training in training_documents((*MIXED, *PAPERS), mirror):
        labelled = training.labelled
        source = str(labelled.document.meta.get("source") or training.part.data)
        gold = {key: form for entry in labelled.gold for form in entry.forms if (key := phrase_key(form, stem))}
        every_gold.append(gold_keys(labelled.gold))
        document = analyser.analyse(labelled.document)
        taken[source] += 1
        is_learnt = training.part in PAPERS or taken[source] <= MOST_OF_SOURCE
        yield Text(source, words_of(document), gold, document if is_learnt else None)
    lists = AuthorLists.of(english_lists(mirror), "en")
    own = {number for gold in every_gold for number in lists.like(gold)}
    for number, phrases in enumerate(lists.lists):
        if number not in own:
            gold = {key: phrase for phrase in phrases if (key := phrase_key(phrase, stem))}
            yield Text("", words_of(analyser.analyse(Document("", ". ".join(phrases)))), gold)


def words_of(document: AnalysedDocument) -> tuple[Keys, Ints]:
    """Return keys and mentions of the distinct words of a text, (words,) both."""
    keys, _, _, mentions = distinct_words(document)
    return keys, mentions


def surface_forms(every: Iterable[Text]) -> dict[int, str]:
    """Return the usual spelling of each keyphrase that may be shipped and suggested, by its key.

    Lists without texts are in lower case, so capitals are those of the other sources, where there are any.
    """
    as_written: dict[int, Counter[str]] = defaultdict(Counter)
    in_lower_case: dict[int, Counter[str]] = defaultdict(Counter)
    for text in every:
        if not text.source or text.source in LICENSED:
            for key, form in text.gold.items():
                (as_written if text.source else in_lower_case)[key][" ".join(form.split())] += 1
    best = {key: usual_spelling(counted) for key, counted in (in_lower_case | as_written).items()}
    return {key: form for key, form in best.items() if is_suggestible(form)}


def usual_spelling(counted: Counter[str]) -> str:
    """Return the most frequent form, in lower case if a fifth of its mentions are; authors capitalise lists at will."""
    forms = Counter[str]()
    for spelling, number in counted.items():
        forms[spelling.lower()] += number
    form = max(forms, key=lambda each: (forms[each], each))
    if counted[form] * RARE >= forms[form]:
        return form
    return max((each for each in counted if each.lower() == form), key=lambda each: (counted[each], each))


def is_suggestible(form: str) -> bool:
    """Return whether a keyphrase can be shown: a few words with letters, without marks of tokenisers."""
    return len(form.split()) < MOST_WORDS and "<" not in form and sum(map(str.isalpha, form)) > 1


def associations(every: Sequence[Text], card: dict[str, Any]) -> WordAssociations:
    """Return the associations of the words of texts with their keyphrases."""
    words, texts_with = np.unique(np.concatenate([text.words[0] for text in every]), return_counts=True)
    usual = (texts_with >= LEAST_TEXTS) & (texts_with <= MOST_TEXTS * len(every))
    words, rarity = words[usual], np.log(len(every) / texts_with[usual])
    uses = Counter(key for text in every for key in text.gold)
    forms = surface_forms(every)
    keys = np.array(sorted(key for key, number in uses.items() if number >= LEAST_USES and key in forms), np.uint64)
    of_words, of_labels = _weights(every, words, rarity), _answers(every, keys)
    number = np.array([uses[key] for key in keys.tolist()])
    weights = sparse.csr_matrix(sparse.diags(number**-USUAL) @ (of_labels.T @ of_words))
    pairs = sparse.csr_matrix(_strongest(weights).T)
    stem = stemmer("en")
    labels = [forms[key] for key in keys.tolist()]
    parts = [[phrase_key(word, stem) for word in label.replace("-", " ").split()] for label in labels]
    kept = np.flatnonzero(np.diff(pairs.indptr) > 0)  # words without associations count in no weight
    return WordAssociations(
        words=words[kept],
        rarity=rarity[kept],
        bounds=np.append(0, np.cumsum(np.diff(pairs.indptr)[kept])),
        label=pairs.indices.astype(np.int64),
        weight=pairs.data,
        labels=tuple(labels),
        keys=keys,
        uses=number,
        parts=np.array(list(itertools.chain.from_iterable(parts)), np.uint64),
        part_bounds=np.append(0, np.cumsum(list(map(len, parts)))),
        card=card,
    )


def _weights(every: Sequence[Text], words: Keys, rarity: Floats) -> Any:
    """Return the weights of words in texts, rows of unit length, (texts, words)."""
    rows, columns, values = [], [], []
    for number, text in enumerate(every):
        keys, mentions = text.words
        place = words.searchsorted(keys).clip(max=len(words) - 1)
        known = words[place] == keys
        weight = (1 + np.log(mentions[known])) * rarity[place[known]]
        columns.append(place[known])
        values.append(weight / max(np.sqrt(weight @ weight), np.finfo(float).tiny))
        rows.append(np.full(len(weight), number))
    entries = (np.concatenate(values), (np.concatenate(rows), np.concatenate(columns)))
    return sparse.csr_matrix(entries, shape=(len(every), len(words)))


def _answers(every: Sequence[Text], keys: Keys) -> Any:
    """Return which texts have which keyphrases, (texts, labels)."""
    place = {key: number for number, key in enumerate(keys.tolist())}
    pairs = [(row, place[key]) for row, text in enumerate(every) for key in text.gold if key in place]
    rows, columns = np.array(pairs).T
    return sparse.csr_matrix((np.ones(len(pairs)), (rows, columns)), shape=(len(every), len(keys)))


def _strongest(weights: Any) -> Any:
    """Return the largest weights of each row."""
    for begin, end in itertools.pairwise(weights.indptr.tolist()):
        row = weights.data[begin:end]
        if len(row) > MOST_WORDS_OF_LABEL:
            row[row < np.partition(row, -MOST_WORDS_OF_LABEL)[-MOST_WORDS_OF_LABEL]] = 0
    weights.eliminate_zeros()
    return weights


def examples(every: Sequence[Text]) -> Iterator[Examples]:
    """Yield the candidates of each text with a document, described without the texts of its fold."""
    sizes = Counter(text.source for text in every if text.document)
    for held_out in FOLDS:
        table = associations([text for text in every if text.source not in held_out], {})
        suggester = AbsentPhrases(table, None)  # type: ignore[arg-type] # it describes, and ranks nothing yet
        for number, text in enumerate(every):
            if text.document is None or text.source not in held_out:
                continue
            candidates = suggester.candidates(text.document)
            absent = np.setdiff1d(np.array(sorted(text.gold), np.uint64), phrases_in(text.document))
            answers = np.isin(table.keys[candidates.labels], absent)
            weight = WEIGHT_OF_SOURCE / sizes[text.source]
            columns = tuple(candidates.columns)
            yield Examples(f"{number}", Style.GENERAL, candidates.rows, answers, columns, weight, len(absent))


def scored(suggester: AbsentPhrases, held_out: Sequence[tuple[Text, AnalysedDocument]]) -> str:
    """Return F1@5 over documents with absent keyphrases, and how probable and how often right suggestions are."""
    f1, probabilities, right = [], [], []
    for text, document in held_out:
        absent = set(text.gold) - set(phrases_in(document).tolist())
        shown = suggester.suggest(document, MOST_ABSENT)
        hits = [phrase_key(keyphrase.text, stemmer("en")) in absent for keyphrase in shown]
        probabilities += [keyphrase.probability for keyphrase in shown]
        right += hits
        if absent:
            f1.append(2 * sum(hits) / (MOST_ABSENT + len(absent)))
    chances = f"{np.mean(probabilities):.3f} probable, {np.mean(right):.3f} right"
    return f"F1@5 {np.mean(f1):.4f} of {len(f1)} documents; {chances}"


def main() -> None:
    """Train and save, or score on sources that are left out."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-o", "--output", type=Path, default=MODELS, metavar="FOLDER")
    parser.add_argument("--leave-out", nargs="*", default=[], metavar="SOURCE")
    arguments = parser.parse_args()
    every = list(texts(Path(os.environ["KEYWRIGHT_MIRROR"])))
    kept = [text for text in every if text.source not in arguments.leave_out]
    card = {
        "name": "absent keyphrases of English texts",
        "made_by": "tools/train/train_absent.py",
        "date": "2026-11-24",
        "licence": "CC BY-SA 4.0; names of sources in LICENCES.md beside this file",
        "texts": dict(sorted(Counter(text.source or "lists without texts" for text in kept).items())),
    }
    ranker = train_ranker(examples(kept), replace(SETTINGS, seed=arguments.seed), card)
    table = associations(kept, card)
    print(f"{len(table.words)} words, {len(table.labels)} keyphrases, {len(table.label)} pairs; {card['texts']}")
    for source in arguments.leave_out:
        held_out = [(text, text.document) for text in every if text.source == source and text.document]
        print(f"{source}, left out: {scored(AbsentPhrases(table, ranker), held_out)}")
    if not arguments.leave_out:
        arguments.output.mkdir(parents=True, exist_ok=True)
        table.save(arguments.output / "absent_en.npz")
        ranker.save(arguments.output / "absent_en.json.zst")


if __name__ == "__main__":
    main()
