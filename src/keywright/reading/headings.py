"""Headings of known wording: which kind of section each opens; and lists of keywords that a document prints."""

import re
from collections.abc import Iterable
from typing import Final

from keywright.core.documents import Section, SectionKind
from keywright.reading.page_numbers import TEXT

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
        r"|zusammenfassung|kurzfassung|r[ée]sum[ée]|resumen|resumo|riassunto|sommario|samenvatting|streszczenie"
        r"|аннотация|摘要"
    ),
    SectionKind.KEYWORDS: (
        r"(?:(?:author|authors'|additional) )?key ?-?(?:words|phrases)(?: (?:and|&) (?:key)?phrases)?|index terms"
        r"|schlüsselw[öo]rter|schlagwörter|stichwörter|mots[- ]cl[ée]s?|palabras[- ]claves?|palavras[- ]chaves?"
        r"|parole chiave|trefwoorden|słowa kluczowe|ключевые слова|关键词|キーワード"
    ),
    SectionKind.METADATA: (
        r"(?:acm )?(?:computing )?(?:categories (?:and|&) subject descriptors?|general terms|ccs concepts"
        r"|(?:mathematics )?subject classifications?(?: codes?)?|reference format)"
        r"|additional key words and phrases|jel classification|pacs(?: numbers?)?"
        r"|(?:conflicts? of|competing|declaration of (?:competing )?)\s?interests?(?: statement)?|disclosures?"
        r"|(?:data|code|software|materials?)(?: and (?:data|code|software|materials?))? (?:availability|accessibility)"
        r"(?: statement)?|availability of data(?: and materials?)?"
        r"|authors?['’]? contributions?|(?:list of )?abbreviations|article info(?:rmation)?|publisher['’]s note"
        r"|supplement(?:ary|al) (?:materials?|information|data)|supporting (?:information|online material)"
        r"|electronic supplementary material|ethics (?:statement|approval)|conflictos? de inter[ée]s(?:es)?"
        r"|conflitos? de interesses?|conflits? d['’]int[ée]r[êe]ts?|interessenkonflikte?|konflikt interesów"
    ),
    SectionKind.ACKNOWLEDGEMENTS: (
        r"acknowledge?ments?(?: .*)?|funding(?: (?:statement|information|sources?))?|danksagung|remerciements"
        r"|agradecimientos?|agradecimentos?|ringraziamenti|podziękowania|благодарности"
    ),
    SectionKind.REFERENCES: (
        r"(?:list of )?references(?: (?:and|&) (?:notes|further reading))?|(?:selected )?bibliography"
        r"|(?:literature|works|references) cited|literatur(?:verzeichnis)?|références(?: bibliographiques)?"
        r"|bibliograf[íi]a|bibliographie|referencias(?: bibliográficas)?|referências(?: bibliográficas)?"
        r"|bibliografia|literatura|piśmiennictwo|список литературы|литература|参考文献"
    ),
    SectionKind.CONCLUSION: (
        r"(?:.*\b)?conclusions?(?:\b.*)?"
        r"|(?:concluding|closing|final) (?:remarks?|comments?|thoughts|words|discussion)(?: .*)?"
        r"|(?:.*\b)?(?:future|further|ongoing) (?:works?|research|directions?|developments?|extensions?|plans)(?:\b.*)?"
        r"|summary(?: (?:and|&|of (?:results|findings|contributions)\b).*)?|.* (?:and|&) summary|summing up|outlook"
        r"|fazit|schlussfolgerung(?:en)?|schluss|ausblick|(?:fazit|zusammenfassung) und ausblick"
        r"|(?:conclusi(?:[óo]n|ones|one|oni)|conclus(?:ão|ões))(?: (?:y|e|ed) .*)?"
        r"|considera(?:ciones|ções|zioni) fina(?:les|is|li)"
        r"|traba(?:jos|lhos) futuros|wnioski|podsumowanie|zakończenie|заключение|结论"
    ),
    SectionKind.INTRODUCTION: (
        r"(?:general )?introduction(?: (?:and|&|to) .*)?|.* (?:and|&) introduction|introductory remarks"
        r"|einleitung|einführung|introducci[óo]n|introdu[çc][ãa]o|introduzione|inleiding|wstęp"
        r"|wprowadzenie|введение|引言|はじめに"
    ),
    SectionKind.RELATED: (
        r"(?:.*\b)?(?:related|previous|prior|earlier|similar) (?:works?|research|literature|approaches|studies)"
        r"(?:\b.*)?|(?:.*\b)?literature (?:review|survey)|review of (?:the )?(?:related )?literature"
        r"|background(?: (?:and|&) .*)?|.* (?:and|&) background|state[- ]of[- ]the[- ]art|verwandte arbeiten"
        r"|stand der (?:technik|forschung)|traba(?:jos|lhos) relacionados|estado d(?:el|a) arte|état de l['’]art"
        r"|revisi[óo]n (?:de la )?(?:literatura|bibliográfica)|revisão (?:d[ea] )?(?:literatura|bibliográfica)"
        r"|przegląd literatury"
    ),
}
_KNOWN = re.compile("|".join(f"(?P<{kind.name}>{wording})" for kind, wording in _WORDINGS.items()))
_RUN_IN = re.compile(
    r"\s{0,3}(?:(?P<ABSTRACT>abstract|summary|resumen|r[ée]sumé|resumo|zusammenfassung|kurzfassung|riassunto"
    r"|streszczenie)"
    r"|(?P<KEYWORDS>(?:(?:author|additional) )?key ?words(?: and phrases)?|index terms|palabras[- ]claves?"
    r"|palavras[- ]chaves?|mots[- ]cl[ée]s?|schlüsselw[öo]rter|schlagwörter|stichwörter|parole chiave|słowa kluczowe)"
    r"|(?P<METADATA>general terms|categories and subject descriptors|ccs concepts|acm reference format))"
    r"(?:\s{0,2}(?:[:.—–|]|--)\s?|\s-\s|\s?-(?=[A-Z])|(?<=(?-i:ABSTRACT))\s+(?=\S+\s[a-z]))",
    re.IGNORECASE,
)

_SECTION_NAMES: Final = frozenset(
    """results|results and discussion|discussion|general discussion|methods|method|materials and methods
    |material and methods|methods and materials|methodology|experimental|experimental section|experimental procedures
    |experiments|patients and methods|subjects and methods|study population|statistical analysis|data analysis
    |statistical analyses|case report|limitations|findings|figure legends|footnotes|preface|foreword|contents
    |table of contents|glossary|contexto|resultados|resultados y discusión|discusión|métodos|materiales y métodos
    |material y métodos|metodología|objetivos|prefacio|prólogo|índice|anexo|résultats|résultats et discussion|méthodes
    |matériel et méthodes|matériels et méthodes|méthodologie|préface|avant-propos|table des matières|annexe|ergebnisse
    |diskussion|ergebnisse und diskussion|methoden|material und methoden|methodik|vorwort|inhaltsverzeichnis|anhang
    |resultados e discussão|discussão|materiais e métodos|material e métodos|metodologia|prefácio|sumário|wyniki
    |dyskusja|omówienie|metody|materiał i metody|materiały i metody|przedmowa|spis treści|risultati|discussione|metodi
    |materiali e metodi""".replace("\n    ", "").split("|")
)
FIRST_OF_SECTION_NAMES: Final = frozenset(name.split()[0] for name in _SECTION_NAMES)


def is_section_name(line: str) -> bool:
    """Return whether a line is the heading of a section that many papers have and no kind is for: *Results*."""
    return line.lower().strip(" .:") in _SECTION_NAMES


def kind_of_heading(heading: str) -> SectionKind | None:
    """Return the kind of section that a heading opens, numbered or not; None for an ordinary heading.

    >>> kind_of_heading("5. CONCLUSIONS AND FUTURE WORK")
    <SectionKind.CONCLUSION: 'conclusion'>
    """
    line = " ".join(heading.split())
    if not line or len(line) > TEXT.longest_heading or (len(line) < _SHORTEST_ASCII and line.isascii()):
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
    return drop_repeated(" ".join(part.split()).strip(" .:") for part in parts)


def drop_repeated(phrases: Iterable[str]) -> list[str]:
    """Return phrases without empty or overlong ones, each once whatever its case."""
    distinct: dict[str, str] = {}
    for phrase in phrases:
        if 0 < len(phrase) <= _LONGEST:
            distinct.setdefault(phrase.casefold(), phrase)
    return list(distinct.values())


def printed_keywords(text: str, sections: Iterable[Section]) -> list[str]:
    """Return the keyphrases in a document's sections of kind ``keywords``."""
    lists = [text[section.start : section.end] for section in sections if section.kind == SectionKind.KEYWORDS]
    return drop_repeated(phrase for printed in lists for phrase in split_keywords(printed))


_FUNCTION_WORDS: Final = frozenset(
    ("the of and to in is are we this that for with by on as an be it from which has have was were can our not "
     "der die das und ist wir ein le la les et est nous un une el los las y es en que del").split()
)  # fmt: skip
_VERBS_AND_PRONOUNS: Final = frozenset(
    ("is are was were be been has have had can may we our this that these which it they not "
     "ist sind wird werden wir est sont nous qui es son que se").split()
)  # fmt: skip


def is_prose(text: str) -> bool:
    """Return whether a text is sentences rather than names and addresses: long, with function words and verbs."""
    words = text.lower().split()
    functional = sum(word in _FUNCTION_WORDS for word in words)
    verbs = sum(word in _VERBS_AND_PRONOUNS for word in words)
    return (
        len(words) >= TEXT.prose_words
        and functional >= TEXT.prose_function_words * len(words)
        and verbs >= TEXT.prose_verbs
    )
