"""pke's systems as peers: each set up as pke's documentation shows it, before the clock starts.

Frequencies are those of the table that pke ships (of the SemEval-2010 papers), but for KPMiner from bare text. Kea and
WINGNUS are trained by pke's own trainer on a few training papers: what is learnt changes the ranks and not the speed.
"""

import re
import tempfile
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

TOP = 15
FEW = 5  # papers for Kea and WINGNUS to learn from

Texts = dict[str, Any]
"""What ``papers.py`` wrote."""
Work = Callable[[str], Sequence[Any]]

_NODES = {"NOUN", "PROPN", "ADJ"}
_GRAMMAR = "NP: {<ADJ>*<NOUN|PROPN>+}"


def kpminer(texts: Texts) -> Work:
    """KPMiner of pke on text that spaCy tags, as pke does by itself; frequencies of the training papers."""
    return _kpminer(_tagger(), texts["training"])


def kpminer_untagged(texts: Texts) -> Work:
    """The same given a spaCy pipeline that only cuts tokens and sentences, for KPMiner looks at no tags."""
    import spacy  # noqa: PLC0415 - each peer is imported where it runs

    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    return _kpminer(nlp, texts["training"])


def _kpminer(nlp: Any, training: list[str]) -> Work:
    import pke  # noqa: PLC0415 - each peer is imported where it runs
    from nltk.stem.snowball import SnowballStemmer  # noqa: PLC0415 - each peer is imported where it runs

    nlp.max_length = 10_000_000
    frequencies: dict[str, int] = {"--NB_DOC--": len(training)}
    words = re.compile(r"[^\W\d_]+")
    stem = SnowballStemmer("porter").stem
    for text in training:
        for word in {stem(found) for found in set(words.findall(text.lower()))}:
            frequencies[word] = frequencies.get(word, 0) + 1

    def work(text: str) -> Sequence[Any]:
        extractor = pke.unsupervised.KPMiner()
        extractor.load_document(input=text, language="en", normalization="stemming", spacy_model=nlp)
        extractor.candidate_selection(lasf=3, cutoff=400)
        extractor.candidate_weighting(df=frequencies, alpha=2.3, sigma=3.0)
        best: Sequence[Any] = extractor.get_n_best(n=TOP)
        return best

    return work


def _tagger() -> Any:
    """A tagger as pke loads it: words with hyphens stay whole."""
    import spacy  # noqa: PLC0415 - each peer is imported where it runs
    from pke.readers import infix_re  # noqa: PLC0415 - as above

    model = next(name for name in spacy.util.get_installed_models() if name.startswith("en"))
    nlp = spacy.load(model, disable=["ner", "textcat", "parser"])
    nlp.add_pipe("sentencizer")
    nlp.tokenizer.infix_finditer = infix_re.finditer
    nlp.max_length = 10_000_000
    return nlp


def tagged(
    kind: str, texts: Texts, *, top: int = TOP, few: int | None = FEW, selection: dict[str, Any] | None = None
) -> Work:
    """Of texts that spaCy tagged before the clock started.

    Args:
        kind: pke's name of the system.
        texts: what ``papers.py`` wrote.
        top: phrases that are asked for.
        few: papers that Kea and WINGNUS learn from; None for all.
        selection: options of candidate selection beside those of the documentation.
    """
    import pke  # noqa: PLC0415 - each peer is imported where it runs

    nlp = _tagger()
    known = {text: nlp(text) for text in texts["papers"]}
    select, weigh, best = _SETTINGS[kind]
    select = {**select, **(selection or {})}
    if kind in {"TfIdf", "KPMiner", "Kea", "WINGNUS"}:
        shipped = Path(pke.__file__).parent / "models" / "df-semeval2010.tsv.gz"
        weigh = {**weigh, "df": pke.load_document_frequency_file(str(shipped))}
    supervised = kind in {"Kea", "WINGNUS"}
    make = getattr(pke.supervised if supervised else pke.unsupervised, kind)

    def selected(text: str) -> Any:
        extractor = make()
        document = known.get(text) or nlp(text)
        normalization = None if kind == "YAKE" else "stemming"
        extractor.load_document(input=document, language="en", normalization=normalization)
        extractor.candidate_selection(**select)
        return extractor

    if supervised:
        weigh["model_file"] = _trained(
            make, selected, weigh["df"], zip(texts["training"][:few], texts["gold"][:few], strict=True)
        )

    def work(text: str) -> Sequence[Any]:
        extractor = selected(text)
        extractor.candidate_weighting(**weigh)
        found: Sequence[Any] = extractor.get_n_best(n=top, **best)
        return found

    return work


def _trained(
    make: Any, selected: Callable[[str], Any], frequencies: Any, papers: Iterable[tuple[str, list[str]]]
) -> str:
    """File with a model of training papers; their gold keyphrases are stems, as pke's candidates are."""
    rows, answers = [], []
    for text, gold in papers:
        extractor = selected(text)
        extractor.feature_extraction(df=frequencies, training=True)
        rows += extractor.instances.values()
        answers += [int(phrase in gold) for phrase in extractor.instances]
    answers[0] = 1 - answers[0] if len(set(answers)) == 1 else answers[0]  # papers made of examples may hold no gold
    file = Path(tempfile.mkdtemp()) / "model"
    make.train(rows, answers, str(file))
    return str(file)


# How pke's documentation sets each system up: options of candidate selection, of weighting, of the list of the best.
_SETTINGS: dict[str, tuple[dict[str, Any], dict[str, Any], dict[str, Any]]] = {
    "TfIdf": ({"n": 3}, {}, {}),
    "KPMiner": ({"lasf": 3, "cutoff": 400}, {"alpha": 2.3, "sigma": 3.0}, {}),
    "YAKE": ({"n": 3}, {"window": 2, "use_stems": False}, {"threshold": 0.8}),
    "TextRank": ({"pos": _NODES}, {"window": 2, "pos": _NODES, "top_percent": 0.33}, {}),
    "SingleRank": ({"pos": _NODES}, {"window": 10, "pos": _NODES}, {}),
    "TopicRank": ({"pos": _NODES}, {"threshold": 0.74, "method": "average"}, {}),
    "PositionRank": ({"grammar": _GRAMMAR, "maximum_word_number": 3}, {"window": 10, "pos": _NODES}, {}),
    "MultipartiteRank": ({"pos": _NODES}, {"alpha": 1.1, "threshold": 0.74, "method": "average"}, {}),
    "Kea": ({}, {}, {}),
    "WINGNUS": ({}, {}, {}),
}

SYSTEMS: dict[str, Callable[[Texts], Work]] = {kind: partial(tagged, kind) for kind in _SETTINGS}
"""pke's systems on texts tagged before, by pke's name."""
