"""Kinds of lines in the front matter of bare texts: publishers' lines, labels, addresses, names of people."""

import re
from typing import Final

_MONTHS: Final = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)"
)
_PUBLISHER: Final = re.compile(
    r"\bdoi\b|\b10\.\d{4,5}/|\be?-?issn\b|\bisbn\b|https?:|\bwww\.|©|\(c\) ?\d{4}|\bcopyright\b|all rights reserved"
    r"|^arxiv:|downloaded (?:from|on|by)|\bvol(?:ume|\.)? ?\d|\bpp?\. ?\d|, pages? \d|\b\d{4}[;:] ?\d"
    r"|\d ?\(\d{1,4}\)[:;,]"
    r"|\d, \d+ \((?:19|20)\d\d\)|\barticle (?:number|no)\b|^proceedings of|\bproc\. of|\bjournal of .*\d|^preprint\b"
    r"|(?:published|available|printed) (?:in|by|on|online)\b|^to appear|^in: |\bworking paper\b.{0,25}\d"
    r"|^(?:page )?\d+(?: of \d+)?$|^(?:draft|version)?\W*\d{1,2}[./]\d{1,2}[./]\d{2,4}\W*$"
    r"|^(?:\w+ )?(?:\d{1,2} )?" + _MONTHS + r"\.?(?: \d{1,2})?,? (?:19|20)\d\d\W*\d*$",
    re.IGNORECASE,
)
_WITHOUT_NUMBER: Final = (
    "doi issn isbn http www. © copyright rights arxiv: downloaded proc preprint published available printed appear "
    "in: received accepted revised submitted recibido aceptado reçu accepté eingegangen angenommen recebido aceito "
    "otrzymano"
).split()
"""Parts of publishers' lines without a number; all others have one. A look at them spares the long pattern."""
_DATED = re.compile(
    r"(?:manuscript )?(?:received|accepted|revised|submitted|recibido|aceptado|reçu|accepté|eingegangen|angenommen"
    r"|recebido|aceito|otrzymano)\b.{0,40}?(?:\b(?:19|20)\d\d\b|\d[./]\d{1,2}[./]\d|" + _MONTHS + r"\b)",
    re.IGNORECASE,
)
_JOURNAL = re.compile(
    r"(?:the )?(?:(?:\w+ ){0,3}journal|annals|archives|proceedings|transactions|bulletin|acta|revista|zeitschrift|ieee"
    r"|lecture notes|advances in|reviews? of|annual review)\b",
    re.IGNORECASE,
)
_SERIAL = re.compile(r"(?:e-?|print |online )?(?:issn)?:?\s*\d{4}-\d{3}[\dX]", re.IGNORECASE)
_LABEL = re.compile(
    r"(?:(?:original|research|review|short|brief|regular|invited|case|technical|full|applications?|special"
    r"|bioinformatics)[ -])*(?:articles?|papers?|reports?|letters?(?: to .{3,20})?|reviews?|research|original|notes?"
    r"|communications?|perspectives?|commentar(?:y|ies)|editorial|open access|primer|survey|opinion|essay|news|methods?"
    r"|art[íi]culo(?: original)?|originalarbeit|artykuł(?: oryginalny)?|artigo(?: original)?)",
    re.IGNORECASE,
)
_ADDRESS = re.compile(
    r"@|\b(?:Univ(?:ersit\w*|\.)|Dept|Departa?ment\w*|Département|Institut\w*|Laborator\w+|Labs?|School|College"
    r"|Facult\w+|Fakultät|Facultad|Hospital|Academy|Cent(?:er|re) (?:for|of)|Division of|Inc|Corp\w*|Ltd|GmbH"
    r"|Microsoft|IBM|Yahoo|Google|Uniwersytet\w*|Politechnik\w*|Wydział\w*)\b"
)
_BETWEEN_NAMES = re.compile(r"\s*(?:[,;&·•|]|\s(?:and|und|et|y|e|i)\s)[\s,]*")
_NAME = re.compile(
    r"(?:(?:Drs?|Prof|Ing|Mg|Lic|Mrs?|Ms)\.?\s)*"
    r"(?:[A-ZÀ-ÖØ-ÞĀ-Ž][\w'’.-]*[.]?|de|da|di|do|dos|du|la|le|del|della|van|von|der|den|ter|ten|zu|al|el|bin|y)"
    r"(?:\s+(?:[A-ZÀ-ÖØ-ÞĀ-Ž][\w'’.-]*|de|da|di|do|dos|du|la|le|del|della|van|von|der|den|ter|ten|zu|al|el|bin|y)){1,4}"
)
_MARKS = re.compile(r"[\d∗*†‡§¶#´`¨°+\u00ad]+|\((?:\w|,|\s){1,5}\)")
_ONE_NAME = re.compile(r"\b[A-Z]\.|[^\W\d_][\d,]*[\d∗*†‡§¶]+$")
_FIRST_NAMES = re.compile(r"(" + _NAME.pattern + r")[\s,*]*(?:,|&|\band\b)\s*" + _NAME.pattern)

_LONGEST_NAMES: Final = 600  # characters of a line of names; arbitrary
_MOST_NAMES: Final = 0.6  # share of the parts of such a line that look like names, at least; arbitrary
LONGEST_PUBLISHER: Final = 400  # characters of a publisher's line; a longer one may be an abstract with an address


def publisher_line(line: str) -> bool:
    """Return whether a line is about the publication: volume, pages, DOI, ISSN, address, date, copyright."""
    if len(line) > LONGEST_PUBLISHER:
        return False
    small = line.lower()
    if not any(map(small.__contains__, _WITHOUT_NUMBER)) and not any(map(str.isdigit, line)):
        return False
    return bool(_PUBLISHER.search(line) or dated(line))


def dated(line: str) -> bool:
    """Return whether a line begins with the date when a paper was received or accepted."""
    return bool(_DATED.match(line))


def serial_number(line: str) -> bool:
    """Return whether a line is nothing but the ISSN of a journal."""
    return bool(_SERIAL.fullmatch(line))


def journal_name(line: str) -> bool:
    """Return whether a line begins as the name of a journal or series does."""
    return bool(_JOURNAL.match(line))


def label(line: str) -> bool:
    """Return whether a line only says which kind of article follows: *Original Paper*, *LETTERS*."""
    return bool(_LABEL.fullmatch(line.strip(" .:|")))


def address(line: str) -> bool:
    """Return whether a line has the words of an affiliation or an e-mail address."""
    return bool(_ADDRESS.search(line))


def may_be_name(line: str) -> bool:
    """Return whether a line has the form of one name: two to five words with capitals."""
    return bool(_NAME.fullmatch(line))


def names_of_people(line: str) -> bool:
    """Return whether a line begins with two names, is a list of names, or one name with an initial or a mark.

    >>> names_of_people("Ana B. Costa1,2 and Li Wei*"), names_of_people("Machine learning and data mining")
    (True, False)
    """
    if not line or line[0].islower():
        return False
    bare = _MARKS.sub(" ", line[:_LONGEST_NAMES].removeprefix("By ").removeprefix("by ")).strip()
    if len(line) > _LONGEST_NAMES or _FIRST_NAMES.match(bare):
        return bool(_FIRST_NAMES.match(bare))
    parts = [part.strip(" .") for part in _BETWEEN_NAMES.split(bare)]
    parts = [part for part in parts if len(part) > 1]
    names = sum(bool(_NAME.fullmatch(part)) for part in parts)
    if len(parts) == 1:
        return bool(names) and bool(_ONE_NAME.search(line))
    return names >= 1 and names >= _MOST_NAMES * len(parts)
