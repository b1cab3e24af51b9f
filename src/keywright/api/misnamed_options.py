"""Arguments by the names and in the places that they have in other tools: an error says what is expected here."""

import numbers
from collections.abc import Collection, Mapping
from difflib import get_close_matches
from pathlib import Path
from types import MappingProxyType
from typing import Final

from keywright.core.errors import BadParameter

_TOP: Final = "top=N is the number of keyphrases"
_SYSTEM: Final = "system=NAME is the method: kw.list_systems() gives the names"
_WORDS: Final = "min_words=N is the least number of words; `keywright systems NAME` shows a system's own parameters"
_PROBABILITY: Final = "min_probability=P leaves out phrases that are less probable"
_EACH: Final = "several processes: kw.extract_files(kw.prepare(), paths, jobs=2)"

HERE: Final[Mapping[str, str]] = MappingProxyType(
    dict.fromkeys(
        "n k num limit count size max topn top_n topk top_k n_keyphrases num_keyphrases n_keywords num_keywords"
        " numOfKeywords max_keywords max_keyphrases nr_keywords n_best words".split(),
        _TOP,
    )
    | dict.fromkeys("method model algorithm extractor ranker".split(), _SYSTEM)
    | dict.fromkeys("keyphrase_ngram_range ngram_range ngrams max_ngram max_ngram_size max_words".split(), _WORDS)
    | dict.fromkeys("min_score min_confidence threshold cutoff confidence".split(), _PROBABILITY)
    | dict.fromkeys("lan lang".split(), "language=CODE is the language, such as 'en'")
    | dict.fromkeys("stop_words stopwords stoplist".split(), "stop_phrases=[...] are never shown")
    | dict.fromkeys("candidates thesaurus terms".split(), "vocabulary=[...] are shown before all other phrases")
    | dict.fromkeys("use_mmr use_maxsum dedup_lim dedupLim".split(), "diversity=D leaves out similar phrases, 0 to 1")
    | dict.fromkeys("jobs n_jobs workers n_process processes engine".split(), _EACH)
)
"""Name and meaning of each option here, by the usual names of options in other tools."""


def check_top(top: object) -> None:
    """Check a number of keyphrases.

    Raises:
        BadParameter: it is not a whole number from 1.
    """
    if top is not None and (isinstance(top, bool) or not isinstance(top, numbers.Integral) or top < 1):
        raise BadParameter(f"top {top!r}", "expected a number from 1")


def check_system(system: object) -> None:
    """Check that a value can mean a system.

    Raises:
        BadParameter: it is something that belongs in another argument, such as a number of keyphrases or a text.
    """
    if isinstance(system, str) and len(system.split()) > 1:
        hint = "several documents go into one list: kw.extract([first, second])"
        raise BadParameter(f"{system!r:.60} is not the name of a system", hint)
    if not isinstance(system, str | Path) and not hasattr(system, "extract"):
        hint = "expected a name of `keywright systems`, or kw.system(name); top=N is the number of keyphrases"
        raise BadParameter(f"{system!r:.60} is not a system", hint)


def check_options(names: Collection[str], options: Collection[str]) -> None:
    """Check the names of keywords.

    ``names``: of the keywords; ``options``: of the options that there are.

    Raises:
        BadParameter: there is no such option; the hint is what it is called here.
    """
    for name in names:
        if name not in options:
            near = get_close_matches(name, options, n=1)
            nearest = f"did you mean {near[0]!r}? there are {', '.join(options)}" if near else ""
            hint = HERE.get(name) or nearest or f"there are {', '.join(options)}"
            raise BadParameter(f"extract has no option {name!r}", hint)
