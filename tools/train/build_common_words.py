"""Build ``src/keywright/models/common_words.npz``: the commonest words of other languages, keys with counts, no text.

    pip install wordfreq
    python tools/train/build_common_words.py

``wordfreq`` joins word counts of encyclopedias, subtitles, news, books and the web; docs/decisions/0037 says what the
table is for. The same version gives the same file.
"""

from pathlib import Path
from typing import Final

import numpy as np

from keywright.core.arrays import Keys
from keywright.text.keys import phrase_key
from keywright.text.stems import LEMMAS, stemmer
from keywright.text.tag_lexicon import LISTED_AS

TARGET: Final = Path(__file__).parents[2] / "src" / "keywright" / "models" / "common_words.npz"
LISTS: Final = {
    **{
        code: code
        for code in (
            "ar bg bn ca cs da de el es fa fi fr he hi hu id is it ja ko lt lv mk ms nl pl pt ro ru sk sl sv ta tr uk "
            "ur vi zh"
        ).split()
    },
    **LISTED_AS,
}
"""List of ``wordfreq`` by language."""
MOST: Final = 5000
"""Words of a language; F@5 of languages left out is the same with 20,000 (docs/decisions/0037)."""
PER: Final = 1_000_000
"""Words to which counts are scaled; rarer ones count once."""


def count_words(language: str) -> dict[int, int]:
    """Return the counts of the commonest words by key; of lemmas and forms where a dictionary may be missing."""
    from wordfreq import get_frequency_dict  # noqa: PLC0415  (only this program needs it)

    frequencies = get_frequency_dict(LISTS[language], wordlist="best")
    words = sorted(frequencies, key=lambda word: (-frequencies[word], word))[:MOST]
    stem = stemmer(language, "stem" if language == "ar" else "")
    counts: dict[int, int] = {}
    for word in words:
        keys = {phrase_key(word, stem), *([phrase_key(word, str)] if language in LEMMAS else [])}
        for key in keys - {0}:
            counts[key] = counts.get(key, 0) + max(1, int(frequencies[word] * PER))
    return counts


def main() -> None:
    """Build and save."""
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
