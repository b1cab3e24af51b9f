"""Build the lexicons of ``src/keywright/models``: keys of phrases with counts, no text.

    PYTHONPATH=. KEYWRIGHT_MIRROR=... python tools/train/build_lexicons.py [NAME ...]

Without names all are built, in about two minutes. The same data give the same files.
``docs/decisions/0011-lexicons.md`` explains which ones ship; names, sources and licences are in each file's card,
notices in ``LICENCES.md`` beside them.
"""

import os
import sys
from collections.abc import Callable, Iterator
from functools import cache, partial
from itertools import chain, combinations
from pathlib import Path
from typing import Any, Final

import numpy as np

from keywright.core.arrays import Ints, Keys
from keywright.core.documents import Document
from keywright.extraction.candidates.ngrams import content_words, ngram_occurrences, ngrams, words_and_numbers
from keywright.extraction.corpus.counts import PhraseCounts, count_documents
from keywright.extraction.corpus.knowledge import LEXICONS, pair_keys
from keywright.text.analyser import TextAnalyser
from keywright.text.keys import phrase_key
from studies.training_data.author_lists import MIX, keys_of, lists_of_phrases, records, words_of

TARGET: Final = Path(__file__).parents[2] / "src" / "keywright" / "models"
LONGEST: Final = 4
COMMON_WORD: Final = 1000
"""Occurrences that a word of general English needs; arbitrary."""
LEAST_OF_LENGTH: Final = (3, 5, 5, 5)
"""Occurrences that a reference n-gram needs, by number of words; arbitrary, they keep the files small."""
LEAST_TITLES: Final = 3
"""Titles that a phrase needs; arbitrary."""
LEAST_PAIRS: Final = 2
"""Lists that a pair of phrases needs; arbitrary."""

THESES: Final = "keywords of theses of the Université de Montréal (Papyrus), CC BY-SA 4.0"
FRENCH_THESES: Final = "French keywords of theses of the Université de Montréal (Papyrus), CC BY-SA 4.0"
KP20K: Final = "author keyphrases of the KP20k samples in kenchan0226/keyphrase-generation-rl, MIT"
OTHER_COMPUTING: Final = ("10002944", "10010405", "10003456", "10002950")
"""Branches of the ACM scheme that hold other fields: general, applied computing, society, mathematics."""


def author_lists(mirror: Path, language: str = "en") -> Iterator[Keys]:
    """Yield the keys of the phrases of each list."""
    return (keys_of(phrases, language) for phrases in lists_of_phrases(mirror, language))


def author_keyphrases(mirror: Path, language: str = "en") -> PhraseCounts:
    """Count the lists of authors that have a phrase."""
    return count_documents(author_lists(mirror, language))


def author_words(mirror: Path, language: str = "en") -> PhraseCounts:
    """Count the keyphrases of authors that have a word."""
    phrases = chain.from_iterable(lists_of_phrases(mirror, language))
    return count_documents(keys_of(words_of(phrase, language), language) for phrase in phrases)


def author_heads(mirror: Path, language: str = "en") -> PhraseCounts:
    """Count keyphrases of authors by their last word."""
    phrases = chain.from_iterable(lists_of_phrases(mirror, language))
    return count_documents(keys_of(words_of(phrase, language)[-1:], language) for phrase in phrases)


def co_usage(mirror: Path) -> PhraseCounts:
    """Count the lists that have two phrases together."""
    return count_documents(map(pairs_of, author_lists(mirror)), least=LEAST_PAIRS)


def pairs_of(keys: Keys) -> Keys:
    """Return the keys of all pairs of a list's phrases, (pairs,)."""
    pairs = np.array(list(combinations(keys, 2)), np.uint64).reshape(-1, 2)
    return pair_keys(pairs[:, 0], pairs[:, 1])


def headwords(path: Path) -> PhraseCounts:
    """Count the entries of a list, one per line, once."""
    keys = keys_of(path.read_text(encoding="utf-8").splitlines())
    return PhraseCounts(keys, np.ones(len(keys), np.uint32), len(keys))


def numbered(path: Path, separator: str, least: int = 1) -> PhraseCounts:
    """Read entries with numbers, one per line; numbers of entries with equal keys are summed."""
    rows = (line.rsplit(separator, 1) for line in path.read_text(encoding="utf-8").splitlines())
    pairs = [(key, int(number)) for entry, number in rows if (key := phrase_key(entry))]
    table = PhraseCounts.of_phrases(pairs, sum(number for _, number in pairs))
    return PhraseCounts(table.keys[table.counts >= least], table.counts[table.counts >= least], table.documents)


def wordnet(mirror: Path) -> PhraseCounts:
    """Count the senses of nouns."""
    return numbered(mirror / "lexicons/wordnet30_nouns.tsv", "\t")


def general_english(mirror: Path) -> PhraseCounts:
    """Count words of Wikipedia by stem."""
    return numbered(mirror / "lexicons/enwiki_vocab_min200.tsv", "\t", COMMON_WORD)


def titles(mirror: Path) -> PhraseCounts:
    """Count the titles of papers that have a phrase; equal titles count once."""
    sources = (MIX, "train/title_keywords_only.jsonl.zst", "train/title_abstract_nokeywords.jsonl.zst")
    all_titles = (record["title"] for source in sources for record in records(mirror / source))
    distinct = dict.fromkeys(" ".join(title.lower().split()) for title in all_titles)
    analyser = TextAnalyser("en")
    documents = (analyser.analyse(Document(str(number), title)) for number, title in enumerate(distinct) if title)
    keys = (ngrams(document, LONGEST, content_words, words_and_numbers).key for document in documents)
    return count_documents(keys, least=LEAST_TITLES)


@cache
def reference_english(mirror: Path) -> tuple[PhraseCounts, ...]:
    """Count n-grams of 1 to 4 words, including stop words, in English text that is not about computing."""
    analyser = TextAnalyser("en")
    ngrams_of_texts: list[tuple[Keys, Ints]] = []
    for text in general_texts(mirror):
        key, _, words = ngram_occurrences(analyser.analyse(Document("", text)), LONGEST, words_and_numbers)
        ngrams_of_texts.append((key, words.astype(np.uint8)))
    words = np.concatenate([words for _, words in ngrams_of_texts])
    key = np.concatenate([key for key, _ in ngrams_of_texts])
    return tuple(
        occurrences(key[words == number], least, len(ngrams_of_texts))
        for number, least in enumerate(LEAST_OF_LENGTH, start=1)
    )


def occurrences(keys: Keys, least: int, documents: int) -> PhraseCounts:
    """Count each key of a column."""
    distinct, counts = np.unique(keys, return_counts=True)
    return PhraseCounts(distinct[counts >= least], counts[counts >= least].astype(np.uint32), documents)


def general_texts(mirror: Path) -> Iterator[str]:
    """Yield abstracts of theses and posts of Stack Exchange that no keyphrase of computing describes."""
    computing = set(keys_of(computing_labels(mirror)).tolist())
    for record in records(mirror / MIX):
        described = keys_of(record["keyphrases"]).tolist()
        if record["source"] in {"papyrus", "takg_stackexchange"} and computing.isdisjoint(described):
            yield f"{record['title']}\n\n{record['abstract']}"


def computing_labels(mirror: Path) -> Iterator[str]:
    """Yield labels of the ACM Computing Classification System about computing itself; not shipped."""
    for line in (mirror / "lexicons/acm_ccs2012.tsv").read_text(encoding="utf-8").splitlines():
        number, label = line.split("\t")[:2]
        if not number.startswith(OTHER_COMPUTING):
            yield label
    yield from ("algorithm", "computer science", "programming", "software", "internet", "database", "computer")


REFERENCE_CARD: Final = {
    "what": "occurrences of English n-grams, stop words included, in texts that are not about computing",
    "sources": [
        "abstracts of theses of the Université de Montréal (Papyrus), CC BY-SA 4.0",
        "posts of Stack Exchange in yuewang-cuhk/TAKG, CC BY-SA 3.0",
    ],
    "licence": "CC BY-SA 4.0",
}
CARDS: Final[dict[str, dict[str, Any]]] = {
    "author-keyphrases": {
        "what": "in how many author lists a keyphrase is; lists like those of the papers of SemEval-2010 are left out",
        "sources": [THESES, KP20K],
        "licence": "CC BY-SA 4.0",
    },
    "author-words": {
        "what": "how many keyphrases of the same lists hold a word; documents is the number of keyphrases",
        "sources": [THESES, KP20K],
        "licence": "CC BY-SA 4.0",
    },
    "author-heads": {
        "what": "how many keyphrases of the same lists end with a word; documents is the number of keyphrases",
        "sources": [THESES, KP20K],
        "licence": "CC BY-SA 4.0",
    },
    "co-usage": {
        "what": "in how many author lists two keyphrases are together; keys of pairs, see pair_keys",
        "sources": [THESES, KP20K],
        "licence": "CC BY-SA 4.0",
        "least_documents": LEAST_PAIRS,
    },
    "wordnet": {
        "what": "nouns and their number of senses; documents is the number of senses",
        "sources": ["WordNet 3.0, Princeton University (Debian wordnet-base 3.0-37)"],
        "licence": "WordNet 3.0 licence; the notice is in LICENCES.md beside this file",
    },
    "foldoc": {
        "what": "headwords of a dictionary of computing",
        "sources": ["FOLDOC, the Free On-line Dictionary of Computing, Denis Howe (Debian dict-foldoc 20230119-1)"],
        "licence": "GFDL 1.1 or later",
    },
    "vera": {
        "what": "acronyms of computing",
        "sources": ["V.E.R.A., Virtual Entity of Relevant Acronyms, Oliver Heidelbach (Debian dict-vera 1.24-1)"],
        "licence": "GFDL 1.1 or later",
    },
    "general-english": {
        "what": "words of the English Wikipedia, counted by stem; documents is the number of words counted",
        "sources": ["auxiliary_data/enwiki_vocab_min200.txt of PrincetonML/SIF, MIT"],
        "licence": "MIT",
        "least_occurrences": COMMON_WORD,
    },
    "titles": {
        "what": "in how many titles of papers phrases of 1 to 4 words are",
        "sources": ["titles of the training mix and of the paper lists; test documents were removed from the mix"],
        "licence": "counts over many titles are facts; no title is part of the file",
        "least_documents": LEAST_TITLES,
    },
    "author-keyphrases-fr": {
        "what": "in how many French author lists a keyphrase is",
        "sources": [FRENCH_THESES],
        "licence": "CC BY-SA 4.0",
    },
    "author-words-fr": {
        "what": "how many keyphrases of the same lists hold a word; documents is the number of keyphrases",
        "sources": [FRENCH_THESES],
        "licence": "CC BY-SA 4.0",
    },
    "author-heads-fr": {
        "what": "how many keyphrases of the same lists end with a word; documents is the number of keyphrases",
        "sources": [FRENCH_THESES],
        "licence": "CC BY-SA 4.0",
    },
    **{
        f"reference-english-{n}": {**REFERENCE_CARD, "words": n, "least_occurrences": LEAST_OF_LENGTH[n - 1]}
        for n in range(1, LONGEST + 1)
    },
}
BUILDERS: Final[dict[str, Callable[[Path], PhraseCounts]]] = {
    "author-keyphrases": author_keyphrases,
    "author-words": author_words,
    "author-heads": author_heads,
    "author-keyphrases-fr": partial(author_keyphrases, language="fr"),
    "author-words-fr": partial(author_words, language="fr"),
    "author-heads-fr": partial(author_heads, language="fr"),
    "co-usage": co_usage,
    "wordnet": wordnet,
    "foldoc": lambda mirror: headwords(mirror / "lexicons/foldoc_headwords.txt"),
    "vera": lambda mirror: headwords(mirror / "lexicons/vera_headwords.txt"),
    "general-english": general_english,
    "titles": titles,
    "reference-english-1": lambda mirror: reference_english(mirror)[0],
    "reference-english-2": lambda mirror: reference_english(mirror)[1],
    "reference-english-3": lambda mirror: reference_english(mirror)[2],
    "reference-english-4": lambda mirror: reference_english(mirror)[3],
}


def built(name: str, mirror: Path) -> PhraseCounts:
    """Return a lexicon with its card."""
    table = BUILDERS[name](mirror)
    # made_by is the path that the program had: cards are part of hashed files
    head = {"name": name, "made_by": "tools/build_lexicons.py", "date": "2026-11-21"}
    return PhraseCounts(table.keys, table.counts, table.documents, {**head, **CARDS[name]})


def main() -> None:
    """Build, save, and print a summary."""
    mirror = Path(os.environ["KEYWRIGHT_MIRROR"])
    for name in sys.argv[1:] or LEXICONS:
        table = built(name, mirror)
        path = TARGET / LEXICONS[name]
        table.save(path)
        size = path.stat().st_size / 1e6
        print(f"{name}: {table.documents} documents, {len(table)} phrases, {size:.2f} MB, {table.fingerprint}")


if __name__ == "__main__":
    main()
