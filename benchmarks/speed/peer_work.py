"""Run one peer in this process and print its row: ``python benchmarks/speed/peer_work.py NAME TEXTS``.

Started by ``run.py`` with the interpreter of the peers' environment, which has no keywright; ``TEXTS`` is what
``papers.py`` wrote, ``--list`` names the peers. Each is set up as its documentation shows, before the clock starts.
"""

import importlib.metadata
import json
import logging
import re
import sys
import warnings
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from measuring import peak_memory, timed

_TOP = 15
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z\"'(\[])")
_WARM_UP = "A grid scheduler assigns jobs to machines. The grid scheduler knows every machine, and machines know jobs."

Work = Callable[[str], Sequence[Any]]
"""A text to a ranked list, or to tokens."""


def pke_kpminer(training: list[str]) -> Work:
    """KPMiner of pke on text that spaCy tags, as pke does by itself; frequencies of the training papers."""
    return _pke(_spacy_tagger(), training)


def pke_kpminer_untagged(training: list[str]) -> Work:
    """The same given a spaCy pipeline that only cuts tokens and sentences, for KPMiner looks at no tags."""
    import spacy  # noqa: PLC0415 - each peer is imported where it runs

    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    return _pke(nlp, training)


def _pke(nlp: Any, training: list[str]) -> Work:
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
        best: Sequence[Any] = extractor.get_n_best(n=_TOP)
        return best

    return work


def _spacy_tagger() -> Any:
    import spacy  # noqa: PLC0415 - each peer is imported where it runs

    model = next(name for name in spacy.util.get_installed_models() if name.startswith("en"))
    nlp = spacy.load(model, disable=["ner", "textcat", "parser"])
    nlp.add_pipe("sentencizer")
    return nlp


def yake(training: list[str]) -> Work:  # noqa: ARG001 - peers have one signature
    """YAKE with its own defaults: phrases of up to three words."""
    from yake import KeywordExtractor  # noqa: PLC0415 - each peer is imported where it runs

    work: Work = KeywordExtractor(lan="en", n=3, top=_TOP).extract_keywords
    return work


def rapid_textrank(training: list[str]) -> Work:  # noqa: ARG001 - peers have one signature
    """TextRank written in Rust."""
    from rapid_textrank import extract_keywords  # noqa: PLC0415 - each peer is imported where it runs

    return lambda text: list(extract_keywords(text, top_n=_TOP, language="en"))


def rake(training: list[str]) -> Work:  # noqa: ARG001 - peers have one signature
    """RAKE of rake-nltk with spaCy's stop list and regular expressions as tokenisers: NLTK's data are a download."""
    from rake_nltk import Rake  # noqa: PLC0415 - each peer is imported where it runs
    from spacy.lang.en.stop_words import STOP_WORDS  # noqa: PLC0415 - each peer is imported where it runs

    word = re.compile(r"\w+(?:[-']\w+)*|[^\w\s]")

    def work(text: str) -> Sequence[Any]:
        extractor = Rake(
            stopwords=set(STOP_WORDS),
            sentence_tokenizer=_SENTENCE_END.split,
            word_tokenizer=word.findall,
            max_length=3,
        )
        extractor.extract_keywords_from_text(text)
        best: Sequence[Any] = extractor.get_ranked_phrases()[:_TOP]
        return best

    return work


def spacy_tokens(training: list[str]) -> Work:  # noqa: ARG001 - peers have one signature
    """The English tokeniser of spaCy alone; like ours it keeps what it knows of words."""
    import spacy  # noqa: PLC0415 - each peer is imported where it runs

    nlp = spacy.blank("en")
    nlp.max_length = 10_000_000
    work: Any = nlp.make_doc
    found: Work = work
    return found


def nltk_tokens(training: list[str]) -> Work:  # noqa: ARG001 - peers have one signature
    """NLTK's word_tokenize, sentences cut by a regular expression: the data of its splitter are a download."""
    from nltk.tokenize import NLTKWordTokenizer  # noqa: PLC0415 - each peer is imported where it runs

    cut = NLTKWordTokenizer().tokenize
    return lambda text: [token for sentence in _SENTENCE_END.split(text) for token in cut(sentence)]


def nltk_wordpunct(training: list[str]) -> Work:  # noqa: ARG001 - peers have one signature
    """NLTK's tokeniser that is one regular expression."""
    from nltk.tokenize import wordpunct_tokenize  # noqa: PLC0415 - each peer is imported where it runs

    work: Work = wordpunct_tokenize
    return work


# Name: how to make it, what is printed of it, the package whose version is printed.
PEERS: dict[str, tuple[Callable[[list[str]], Work], str, str]] = {
    "pke-kpminer": (pke_kpminer, "pke KPMiner", "ccpke"),
    "pke-kpminer-untagged": (pke_kpminer_untagged, "pke KPMiner, no tagger", "ccpke"),
    "yake": (yake, "YAKE", "yake"),
    "rapid-textrank": (rapid_textrank, "rapid-textrank", "rapid-textrank"),
    "rake-nltk": (rake, "rake-nltk", "rake-nltk"),
    "spacy-tokens": (spacy_tokens, "tokens: spaCy blank English", "spacy"),
    "nltk-tokens": (nltk_tokens, "tokens: NLTK word_tokenize", "nltk"),
    "nltk-wordpunct": (nltk_wordpunct, "tokens: NLTK wordpunct", "nltk"),
}


def main(name: str, file: Path) -> None:
    """One JSON line."""
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    texts = json.loads(file.read_text("utf-8"))
    make, shown, package = PEERS[name]
    work = make(texts["training"])
    work(_WARM_UP)
    counted: list[int] = []
    title = f"{shown} {importlib.metadata.version(package)}"
    row = timed(
        (title, "papers"),
        len(texts["papers"]),
        lambda: counted.extend(len(work(text)) for text in texts["papers"]),
        rounds=1,
    )
    tokens = sum(counted) if shown.startswith("tokens:") else 0
    print(json.dumps(asdict(replace(row, tokens=tokens, peak=peak_memory(), note=(make.__doc__ or "").strip()))))


if __name__ == "__main__":
    if sys.argv[1:] == ["--list"]:
        print(json.dumps({name: [shown, package] for name, (_, shown, package) in PEERS.items()}))
    else:
        main(sys.argv[1], Path(sys.argv[2]))
