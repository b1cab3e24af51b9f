"""Prepare texts in other languages than English, and some English ones like them, for the reader of all languages.

    KEYWRIGHT_MIRROR=... python -m tools.train.reader.prepare_others FOLDER ENCODER

ENCODER is a folder of ``unpack_e5``. The reader corrects what both tastes of the default say together, so its log-odds
are those of trees for tags and a gate that saw no tagged text in the document's language; trees for authors saw none of
these papers. Each document teaches the general style, and half as much the style of its keyphrases. English texts are
described like those of languages without tables: without English papers, the reader took the research abstracts of a
language that it had not seen for texts with tags. Collections whose licence does not permit learning are prepared as
well, to measure on; they have no weight.
"""

import argparse
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from tokenizers import Tokenizer
from tools.train.reader import prepare
from tools.train.reader.readings import Readings, TextRead

from keywright.core.arrays import Floats
from keywright.core.candidates import Candidates
from keywright.core.documents import Document, LabelledDocument, Style
from keywright.datasets.collection import load
from keywright.datasets.training_mix import EVERYDAY, TRAINING
from keywright.extraction.corpus.knowledge import ANY, knowledge_of
from keywright.extraction.corpus.labelled import text_key
from keywright.extraction.features.description.described_candidates import add_style_column
from keywright.extraction.learners.examples import Examples
from keywright.extraction.learners.ranker import TrainedRanker, mix_log_odds
from keywright.extraction.ranking.language_resources import load_shipped_ranker, load_shipped_tags
from keywright.text.analyser import TextAnalyser
from keywright.text.encoders import E5, PieceMemory, Windows, cut_windows
from keywright.text.keys import gold_keys
from studies.everyday.left_out import leave_domains_out
from studies.everyday.tastes import DOMAINS, Described, describe_others, take_evenly
from studies.training_data.examples import as_plain_text, untrained
from studies.training_data.training_documents import ALL_LANGUAGES, FRENCH, left_out, training_documents

PERMITTED: Final = {part.data: part.rules for part in EVERYDAY}
"""Rules by which an overlap leaves a document out, by the collections that may be learnt from."""
ENGLISH: Final = 400  # English documents of a collection, at most; arbitrary
UNKNOWN: Final = 450  # documents of a collection that is only measured on, at most; arbitrary
PAPERS: Final = (
    ("papyrus_fr/train", Style.AUTHOR, 3, (1, 2), 2400),
    ("wicc_es/train", Style.AUTHOR, 2, (1,), 2400),
    ("inspec/train", Style.INDEXER, 3, (1, 2), 400),
    ("semeval2017/train", Style.INDEXER, 3, (1, 2), 350),
    ("train_mix/author", Style.AUTHOR, 9, (1, 4, 7), 900),
    ("schutz2008/train", Style.AUTHOR, 9, (1, 4, 7), 80),
    ("citeulike_tags/train", Style.SUBJECT, 3, (1, 2), 80),
)
"""Papers and their style; of so many documents in a row those that trees did not learn from; and how many at most."""
_GATE: Final = 300  # documents of a collection of the other taste, for the gate; arbitrary
_WEIGHT: Final = 10.0  # of a collection, divided by the square root of its documents
_OF_STYLE: Final = 0.5  # weight of the style of a document's keyphrases; arbitrary


@dataclass(frozen=True, slots=True, eq=False)
class Text:
    """A document as the default describes it, and as the reader cuts it."""

    described: Described
    language: str
    style: Style
    windows: Windows
    shortlist: Candidates


def describe(
    documents: Iterable[LabelledDocument[Document]], data: str, language: str, style: Style, pieces: PieceMemory
) -> Iterator[Text]:
    """Yield documents of a data set, every second one as plain text; ``language``: of the knowledge, or ``ANY``."""
    tagged = style is Style.TAGS
    analysers: dict[str, TextAnalyser] = {}
    for number, labelled in enumerate(documents):
        source, code = labelled.document, labelled.document.language or "en"
        if number % 2:
            source = replace(as_plain_text(source), language=code)
        document = analysers.setdefault(code, TextAnalyser(code, terms=True)).analyse(source)
        knowledge = knowledge_of(language if code == "en" else code)
        view, weight = replace(untrained(knowledge, language), knowledge=knowledge).view(document)
        windows = cut_windows(document, pieces)
        if len(view.shortlist) and len(windows):
            keys, in_shortlist = gold_keys(labelled.gold, code), weight[view.in_shortlist]
            rows = replace(untrained(knowledge, language), knowledge=knowledge).rows(view, weight)[0]
            described = Described(
                replace(labelled, document=source),
                data,
                code if tagged else "others",
                tagged,
                rows,
                np.isin(view.shortlist.key, keys),
                in_shortlist,
                len({gold.forms for gold in labelled.gold}),
                text_key(document),
                np.zeros(len(rows), bool),
            )
            yield Text(described, code, style, windows, view.shortlist)


def list_tagged(mirror: Path, pieces: PieceMemory) -> Iterator[Text]:
    """Yield the everyday texts: all in other languages that may be learnt from, some others, and some English ones."""
    for splits in DOMAINS.values():
        for split in splits.split():
            data, rules = f"everyday/{split}", PERMITTED.get(f"everyday/{split}")
            overlapping = left_out(data, rules) if rules else frozenset[str]()
            documents = [each for each in load(data, mirror) if each.gold and each.id not in overlapping]
            by_english: dict[bool, list[LabelledDocument[Document]]] = {False: [], True: []}
            for each in documents:
                by_english[(each.document.language or "en") == "en"].append(each)
            others = by_english[False] if rules else take_evenly(by_english[False], UNKNOWN)
            english = take_evenly(by_english[True], ENGLISH) if rules else []
            for part in (others, english):
                yield from describe(part, data, ANY, Style.TAGS, pieces)


def list_papers(mirror: Path, pieces: PieceMemory) -> Iterator[Text]:
    """Yield papers that no trees learnt from: French theses, Spanish papers, and some in English."""
    parts = {part.data: part for part in (*TRAINING, *FRENCH, *ALL_LANGUAGES)}
    for data, style, every, places, most in PAPERS:
        usable = {
            each.labelled.id: each.labelled for each in training_documents([replace(parts[data], every=1)], mirror)
        }
        numbered = enumerate(load(data, mirror))
        documents = [usable[each.id] for number, each in numbered if number % every in places and each.id in usable]
        language = "fr" if data.startswith("papyrus_fr") else ANY
        yield from describe(take_evenly(documents, most), data, language, style, pieces)


def judge_paper(text: Text, ranker: TrainedRanker, tags: Any) -> tuple[Floats, Floats]:
    """Return the log-odds of both tastes together, and those in the style of its keyphrases, (shortlist,) both."""
    described = text.described
    bounds = np.array([0, len(described.rows)])
    by_style = [
        ranker.scores(
            add_style_column(described.rows, style),
            ranker.start(ranker.usual_number(style), described.weight, bounds),
        )
        for style in (Style.GENERAL, text.style)
    ]
    start = tags.start(tags.usual_number(Style.TAGS), described.weight, bounds)
    of_tags = tags.scores(add_style_column(described.rows, Style.GENERAL), start)
    share = tags.gate.shares(described.profile[None])
    return mix_log_odds(by_style[0], of_tags, np.repeat(share, len(of_tags))), by_style[1]


def judge_all(tagged: Sequence[Text], papers: Sequence[Text], mirror: Path) -> list[tuple[Text, Floats, Floats]]:
    """Return each text with its log-odds in general, and in its style."""
    others = list(describe_others(ANY, mirror, _GATE))
    every = [*(text.described for text in tagged), *others]
    shipped = load_shipped_ranker(ANY)
    held_out = leave_domains_out(every, ANY, shipped.trees, lambda d: not d.tagged or d.collection in PERMITTED, print)
    by_text = {id(each.described): each for each in held_out}
    verdicts = [by_text[id(text.described)] for text in tagged]
    tags, french = load_shipped_tags(ANY), load_shipped_ranker("fr")
    return [
        *((text, verdict.mixed, verdict.tags) for text, verdict in zip(tagged, verdicts, strict=True)),
        *((text, *judge_paper(text, french if text.language == "fr" else shipped, tags)) for text in papers),
    ]


def read_text(text: Text, log_odds: tuple[Floats, Floats], weight: float, part: int) -> TextRead:
    """Return what the reader learns from a text, in general and in its style."""
    described = text.described
    examples = tuple(
        Examples(f"{described.key:016x}", style, described.rows, described.answers, (), of_style)
        for style, of_style in ((Style.GENERAL, weight), (text.style, weight * _OF_STYLE))
    )
    document = prepare.Described(part, text.windows, text.shortlist, examples)
    return prepare.read(document, log_odds, E5, described.gold)


def main() -> None:
    """Describe, judge, save."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("encoder", type=Path)
    options = parser.parse_args()
    mirror = Path(os.environ["KEYWRIGHT_MIRROR"])
    pieces = PieceMemory(Tokenizer.from_file(str(options.encoder / "tokenizer.json")))
    tagged, papers = list(list_tagged(mirror, pieces)), list(list_papers(mirror, pieces))
    sizes = Counter(text.described.collection for text in (*tagged, *papers))
    names = sorted({f"{text.language} {text.described.collection}" for text in (*tagged, *papers)})
    texts = []
    for text, *log_odds in judge_all(tagged, papers, mirror):
        data = text.described.collection
        part = names.index(f"{text.language} {data}")
        is_learnt = data in PERMITTED or not text.described.tagged
        weight = _WEIGHT / sizes[data] ** 0.5 if is_learnt else 0.0
        texts.append(read_text(text, tuple(log_odds), weight, part))
    prepared = Readings.of([text for text in texts if len(text.candidate)], names)
    prepared.save(options.folder)
    print(f"{len(prepared):,} documents, {len(prepared.pieces):,} pieces, {len(prepared.answers):,} answers")


if __name__ == "__main__":
    main()
