"""Build ``src/keywright/models/common_words.npz``: the commonest words of other languages, keys with counts, no text.

    pip install wordfreq pythainlp pyspellchecker
    python tools/train/build_common_words.py

``wordfreq`` joins word counts of encyclopedias, subtitles, news, books and the web; docs/decisions/0037 says what the
table is for. It has no Basque, whose counts are those of subtitles in ``pyspellchecker``, and no Thai, whose counts are
those of the Thai National Corpus in ``pythainlp``. From there are also the compounds of ``compounds_th.txt.zst``, which
ICU's dictionary cuts. The same versions give the same files.
"""

import gzip
import json
from importlib import resources
from typing import Final

import numpy as np

from keywright.core.arrays import Keys
from keywright.core.zstandard import zstd
from keywright.text.keys import phrase_key
from keywright.text.stems import LEMMAS, stemmer
from keywright.text.tag_lexicon import LISTED_AS
from keywright.text.word_borders import COMPOUNDS

TARGET: Final = COMPOUNDS.parent / "common_words.npz"
LISTS: Final = {
    **{
        code: code
        for code in (
            "ar bg bn ca cs da de el es fa fi fr he hi hu id is it ja ko lt lv mk ms nl pl pt ro ru sk sl sv ta tr uk "
            "ur vi zh th eu"
        ).split()
    },
    **LISTED_AS,
}
"""List of words by language."""
MOST: Final = 5000
"""Words of a language; F@5 of languages left out is the same with 20,000 (docs/decisions/0037)."""
PER: Final = 1_000_000
"""Words to which counts are scaled; rarer ones count once."""


def find_frequencies(listing: str) -> dict[str, float]:
    """Return the share of each word of a list."""
    if listing == "th":
        text = (resources.files("pythainlp") / "corpus" / "tnc_freq.txt").read_text("utf-8-sig")
        return _share_out({word: int(count) for word, count in (line.split("\t") for line in text.splitlines())})
    if listing == "eu":
        content = (resources.files("spellchecker") / "resources" / "eu.json.gz").read_bytes()
        return _share_out(json.loads(gzip.decompress(content)))
    from wordfreq import get_frequency_dict  # noqa: PLC0415  (only this program needs it)

    return dict(get_frequency_dict(listing, wordlist="best"))


def _share_out(counts: dict[str, int]) -> dict[str, float]:
    total = sum(counts.values())
    return {word: count / total for word, count in counts.items()}


def list_compounds() -> list[str]:
    """Return the Thai words that ICU's dictionary cuts, in order."""
    from icu4py.breakers import WordBreaker  # noqa: PLC0415  (an extra)

    text = (resources.files("pythainlp") / "corpus" / "words_th.txt").read_text("utf-8-sig")
    words = {word for word in text.split() if all("\u0e01" <= letter <= "\u0e4e" for letter in word)}
    return sorted(word for word in words if len(list(WordBreaker(word, "th").segments())) > 1)


def count_words(language: str) -> dict[int, int]:
    """Return the counts of the commonest words by key; of lemmas and forms where a dictionary may be missing."""
    frequencies = find_frequencies(LISTS[language])
    words = sorted(frequencies, key=lambda word: (-frequencies[word], word))[:MOST]
    stem = stemmer(language, "stem" if language == "ar" else "")
    counts: dict[int, int] = {}
    for word in words:
        keys = {phrase_key(word, stem), *([phrase_key(word, str)] if language in LEMMAS else [])}
        for key in keys - {0}:
            counts[key] = counts.get(key, 0) + max(1, int(frequencies[word] * PER))
    return counts


def main() -> None:
    """Build and save, compounds first, as keys of common words depend on them."""
    COMPOUNDS.write_bytes(zstd.compress("\n".join(list_compounds()).encode(), level=22))
    columns: dict[str, Keys | np.ndarray] = {}
    for language in sorted(LISTS):
        counts = count_words(language)
        keys = sorted(counts)
        columns[f"{language}_keys"] = np.array(keys, np.uint64)
        columns[f"{language}_counts"] = np.array([counts[key] for key in keys], np.uint32)
        print(language, len(keys))
    np.savez_compressed(TARGET, **columns)
    print(f"{TARGET.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
