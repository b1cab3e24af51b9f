"""Headings of known wording: which kind of section each opens; and lists of keywords that a document prints."""

import re
from collections.abc import Iterable
from typing import Final

from keywright.core.documents import Section, SectionKind

LONGEST_HEADING: Final = 90  # most characters of a heading of known kind; a longer line is a sentence. Arbitrary
_SHORTEST_ASCII: Final = 5  # fewest characters of a heading in ASCII letters: those of "Fazit"

_NUMBERING = re.compile(
    r"(?:section\s+)?(?:\d{1,2}(?:\.\d{1,2}){0,3}[.):]?|[IVX]{1,5}[.):]?(?=\s)|[A-Z][.)](?=\s)|§\s*\d+)\s*[-–—:]?\s*"
)
_SPACED_LETTERS = re.compile(r"(?:\w ){3,}\w")

# Whole headings, in lower case without numbering and closing punctuation. English first, then the languages whose
# journals print most of the world's papers; only words that cannot mean anything else as a heading. The order decides
# which kind a heading gets that matches two: "Conclusion and related work" closes a paper.
_WORDINGS: Final = {
    SectionKind.AUTHORS: r"(?:about the )?authors?(?: information| details| affiliations)?|affiliations",
    SectionKind.ABSTRACT: (
        r"(?:(?:extended|structured|graphical|teaser|author|executive|plain language) )?(?:abstract|synopsis)"
        r"|executive summary|author summary|plain language summary"
        r"|zusammenfassung|kurzfassung|r[ée]sum[ée]|resumen|resumo|riassunto|sommario|samenvatting|аннотация|摘要"
    ),
    SectionKind.KEYWORDS: (
        r"(?:(?:author|authors'|additional) )?key ?-?(?:words|phrases)(?: (?:and|&) (?:key)?phrases)?|index terms"
        r"|schlüsselw[öo]rter|schlagwörter|mots[- ]cl[ée]s?|palabras clave|palavras[- ]chave|parole chiave"
        r"|trefwoorden|ключевые слова|关键词|キーワード"
    ),
    SectionKind.METADATA: (
        r"(?:acm )?(?:computing )?(?:categories (?:and|&) subject descriptors?|general terms|ccs concepts"
        r"|(?:mathematics )?subject classifications?(?: codes?)?|reference format)"
        r"|additional key words and phrases|jel classification|pacs(?: numbers?)?"
        r"|(?:conflicts? of|competing|declaration of (?:competing )?)\s?interests?(?: statement)?|disclosures?"
        r"|(?:data|code|software|materials?)(?: and (?:data|code|software|materials?))? (?:availability|accessibility)"
        r"(?: statement)?|availability of data(?: and materials?)?"
        r"|authors?['’]? contributions?|(?:list of )?abbreviations|article info(?:rmation)?|publisher['’]s note"
        r"|supplement(?:ary|al) (?:materials?|information|data)|supporting information|ethics (?:statement|approval)"
    ),
    SectionKind.ACKNOWLEDGEMENTS: (
        r"acknowledge?ments?(?: .*)?|funding(?: (?:statement|information|sources?))?|danksagung|remerciements"
        r"|agradecimientos|agradecimentos|ringraziamenti|благодарности"
    ),
    SectionKind.REFERENCES: (
        r"(?:list of )?references(?: (?:and|&) (?:notes|further reading))?|(?:selected )?bibliography"
        r"|(?:literature|works|references) cited|literatur(?:verzeichnis)?|références(?: bibliographiques)?"
        r"|bibliograf[íi]a|bibliographie|referencias(?: bibliográficas)?|referências(?: bibliográficas)?"
        r"|список литературы|литература|参考文献"
    ),
    SectionKind.CONCLUSION: (
        r"(?:.*\b)?conclusions?(?:\b.*)?"
        r"|(?:concluding|closing|final) (?:remarks?|comments?|thoughts|words|discussion)(?: .*)?"
        r"|(?:.*\b)?(?:future|further|ongoing) (?:works?|research|directions?|developments?|extensions?|plans)(?:\b.*)?"
        r"|summary(?: (?:and|&|of (?:results|findings|contributions)\b).*)?|.* (?:and|&) summary|summing up|outlook"
        r"|fazit|schlussfolgerung(?:en)?|schluss|ausblick|conclusi(?:ón|ones|one|oni)|conclus(?:ão|ões)|заключение|结论"
    ),
    SectionKind.INTRODUCTION: (
        r"(?:general )?introduction(?: (?:and|&|to) .*)?|.* (?:and|&) introduction|introductory remarks"
        r"|einleitung|einführung|introducci[óo]n|introdu[çc][ãa]o|introduzione|inleiding|введение|引言|はじめに"
    ),
    SectionKind.RELATED: (
        r"(?:.*\b)?(?:related|previous|prior|earlier|similar) (?:works?|research|literature|approaches|studies)"
        r"(?:\b.*)?|(?:.*\b)?literature (?:review|survey)|review of (?:the )?(?:related )?literature"
        r"|background(?: (?:and|&) .*)?|.* (?:and|&) background|state[- ]of[- ]the[- ]art|verwandte arbeiten"
        r"|stand der (?:technik|forschung)"
    ),
}
_KNOWN = re.compile("|".join(f"(?P<{kind.name}>{wording})" for kind, wording in _WORDINGS.items()))
_RUN_IN = re.compile(
    r"\s{0,3}(?:(?P<ABSTRACT>abstract|summary)"
    r"|(?P<KEYWORDS>(?:(?:author|additional) )?key ?words(?: and phrases)?|index terms)"
    r"|(?P<METADATA>general terms|categories and subject descriptors|ccs concepts|acm reference format))"
    r"(?:\s{0,2}(?:[:.—–]|--)\s?|\s-\s|\s?-(?=[A-Z]))",
    re.IGNORECASE,
)


def kind_of_heading(heading: str) -> SectionKind | None:
    """Return the kind of section that a heading opens, numbered or not; None for an ordinary heading.

    >>> kind_of_heading("5. CONCLUSIONS AND FUTURE WORK")
    <SectionKind.CONCLUSION: 'conclusion'>
    """
    line = " ".join(heading.split())
    if not line or len(line) > LONGEST_HEADING or (len(line) < _SHORTEST_ASCII and line.isascii()):
        return None
    if _SPACED_LETTERS.fullmatch(line):
        line = line.replace(" ", "")
    numbering = _NUMBERING.match(line)
    words = line[numbering.end() :] if numbering and numbering.end() < len(line) else line
    match = _KNOWN.fullmatch(words.lower().strip(" .:;*†‡—–-"))
    return SectionKind[match.lastgroup] if match and match.lastgroup else None


def run_in_heading(line: str) -> tuple[SectionKind, int] | None:
    """Return kind and length of a heading with its text on the same line, such as "Abstract—We show"; else None."""
    match = _RUN_IN.match(line)
    return (SectionKind[match.lastgroup], match.end()) if match and match.lastgroup else None


_BULLETS = re.compile(r"[•·∙⋅▪|¶]|\s[–-]\s|—|\n\s*\n|\n\s*[-*]\s")
_COMMAS = re.compile(r",(?!\d)|[，、]")  # but not that of *1,2-dichloroethane*
_LONGEST = 120  # characters of a keyphrase; more is a sentence. Arbitrary


def split_keywords(text: str) -> list[str]:
    """Return the keyphrases of a printed list, in order, each once; empty text gives none.

    The strongest separator in it divides: semicolons, then bullets and dashes, then commas, then line ends.

    >>> split_keywords("Keywords: grid computing; peer-to-peer, structured; caching.")
    ['grid computing', 'peer-to-peer, structured', 'caching']
    """
    if run_in := run_in_heading(text):
        text = text[run_in[1] :]
    text = text.strip().rstrip(".")
    if ";" in text:
        parts = text.split(";")
    elif _BULLETS.search(text):
        parts = _BULLETS.split(text)
    elif _COMMAS.search(text):
        parts = _COMMAS.split(text)
    else:
        parts = text.split("\n")
    return unique(" ".join(part.split()).strip(" .:") for part in parts)


def unique(phrases: Iterable[str]) -> list[str]:
    """Return phrases without empty or overlong ones, each once whatever its case."""
    distinct: dict[str, str] = {}
    for phrase in phrases:
        if 0 < len(phrase) <= _LONGEST:
            distinct.setdefault(phrase.casefold(), phrase)
    return list(distinct.values())


def printed_keywords(text: str, sections: Iterable[Section]) -> list[str]:
    """Return the keyphrases in a document's sections of kind ``keywords``."""
    lists = [text[section.start : section.end] for section in sections if section.kind == SectionKind.KEYWORDS]
    return unique(phrase for printed in lists for phrase in split_keywords(printed))
