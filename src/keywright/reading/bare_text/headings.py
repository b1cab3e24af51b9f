"""Headings: which kind of section one opens, and what stands under it."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from keywright.core.documents import SectionKind
from keywright.reading.blocks import Block

LONGEST_HEADING: Final = 90
"""Characters above which a line is a sentence rather than a heading of known kind."""

_NUMBERING = re.compile(
    r"(?:section\s+)?(?:\d{1,2}(?:\.\d{1,2}){0,3}[.):]?|[IVX]{1,5}[.):]?(?=\s)|[A-Z][.)](?=\s)|§\s*\d+)\s*[-–—:]?\s*"
)
_SPACED_LETTERS = re.compile(r"(?:\w ){3,}\w")

# Whole headings, in lower case without numbering and closing punctuation. English first, then the languages whose
# journals print most of the world's papers; only words that cannot mean anything else as a heading.
_WORDINGS: Final = {
    SectionKind.ABSTRACT: (
        r"(?:(?:extended|structured|graphical|teaser|author|executive|plain language) )?(?:abstract|synopsis)"
        r"|executive summary|author summary|plain language summary"
        r"|zusammenfassung|kurzfassung|r[ée]sum[ée]|resumen|resumo|riassunto|sommario|samenvatting|аннотация|摘要"
    ),
    SectionKind.AUTHORS: r"(?:about the )?authors?(?: information| details| affiliations)?|affiliations",
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
    SectionKind.CONCLUSION: (
        r"(?:.*\b)?conclusions?(?:\b.*)?"
        r"|(?:concluding|closing|final) (?:remarks?|comments?|thoughts|words|discussion)(?: .*)?"
        r"|(?:.*\b)?(?:future|further|ongoing) (?:works?|research|directions?|developments?|extensions?|plans)(?:\b.*)?"
        r"|summary(?: (?:and|&|of (?:results|findings|contributions)\b).*)?|.* (?:and|&) summary|summing up|outlook"
        r"|fazit|schlussfolgerung(?:en)?|schluss|ausblick|conclusi(?:ón|ones|one|oni)|conclus(?:ão|ões)|заключение|结论"
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
}
# The order decides where two kinds meet: "Conclusion and related work" closes a paper.
_ORDER: Final = (
    SectionKind.AUTHORS,
    SectionKind.ABSTRACT,
    SectionKind.KEYWORDS,
    SectionKind.METADATA,
    SectionKind.ACKNOWLEDGEMENTS,
    SectionKind.REFERENCES,
    SectionKind.CONCLUSION,
    SectionKind.INTRODUCTION,
    SectionKind.RELATED,
)
_KNOWN = re.compile("|".join(f"(?P<{kind.name}>{_WORDINGS[kind]})" for kind in _ORDER))
_RUN_IN = re.compile(
    r"\s{0,3}(?:(?P<ABSTRACT>abstract|summary)"
    r"|(?P<KEYWORDS>(?:(?:author|additional) )?key ?words(?: and phrases)?|index terms)"
    r"|(?P<METADATA>general terms|categories and subject descriptors|ccs concepts|acm reference format))"
    r"(?:\s{0,2}(?:[:.—–]|--)\s?|\s-\s|\s?-(?=[A-Z]))",
    re.IGNORECASE,
)


def kind_of_heading(heading: str) -> SectionKind | None:
    """Kind of section that a heading opens, numbered or not; None for an ordinary heading.

    >>> kind_of_heading("5. CONCLUSIONS AND FUTURE WORK")
    <SectionKind.CONCLUSION: 'conclusion'>
    """
    line = " ".join(heading.split())
    if not line or len(line) > LONGEST_HEADING or (len(line) < 5 and line.isascii()):  # noqa: PLR2004 - "Fazit"
        return None
    if _SPACED_LETTERS.fullmatch(line):
        line = line.replace(" ", "")
    numbering = _NUMBERING.match(line)
    words = line[numbering.end() :] if numbering and numbering.end() < len(line) else line
    found = _KNOWN.fullmatch(words.lower().strip(" .:;*†‡—–-"))
    return SectionKind[found.lastgroup] if found and found.lastgroup else None


def run_in_heading(line: str) -> tuple[SectionKind, int] | None:
    """Kind and length of a heading that its text follows on the same line, as in "Abstract—We show"; else None."""
    found = _RUN_IN.match(line)
    return (SectionKind[found.lastgroup], found.end()) if found and found.lastgroup else None


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of the document itself; ``level`` 1 is the outermost."""

    text: str
    level: int = 1


@dataclass(slots=True)
class Outline:
    """The known section that text stands in, as headings go by.

    Text after a heading of known kind is of that kind until the next heading of the same or an outer level. A heading
    that opens references, acknowledgements ... inside of another known section takes over: papers put such headings at
    any level.
    """

    kind: SectionKind = SectionKind.BODY
    level: int = 0

    def enter(self, opened: SectionKind | None, level: int) -> None:
        """Go past a heading that opens a section of a known kind, or of none."""
        if opened is not None or level <= self.level:
            self.kind, self.level = opened or SectionKind.BODY, level


def blocks_under(parts: Iterable[Heading | Block]) -> Iterator[Block]:
    """Blocks whose kind follows from the heading above them; captions, titles and other known blocks keep theirs."""
    outline = Outline()
    for part in parts:
        if isinstance(part, Heading):
            outline.enter(kind_of_heading(part.text), part.level)
            yield Block(SectionKind.HEADING, part.text)
        elif part.kind == SectionKind.BODY:
            yield Block(outline.kind, part.text)
        else:
            yield part


def spot_run_ins(blocks: Iterable[Block]) -> Iterator[Block]:
    """Body blocks that begin with "Keywords:", "Abstract—" ... get that kind; an abstract only above all headings."""
    above = True
    for block in blocks:
        above = above and block.kind != SectionKind.HEADING
        found = run_in_heading(block.text[:60]) if block.kind == SectionKind.BODY else None
        if found and (above or found[0] != SectionKind.ABSTRACT):
            yield Block(found[0], block.text)
        else:
            yield block
