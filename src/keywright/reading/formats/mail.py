"""E-mail: messages, mailboxes (mbox), pages that browsers save as messages (MHTML); feeds, notes and outlines."""

import email
import re
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from email.errors import HeaderParseError
from email.header import decode_header
from email.message import Message
from email.utils import parseaddr, parsedate_to_datetime
from html import escape
from html.entities import html5
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, Final

from keywright.core.citations import Author, make_citation, split_authors
from keywright.core.documents import Document, SectionKind
from keywright.core.errors import BrokenFile, KeywrightError, ProtectedFile
from keywright.core.json_values import parse_file
from keywright.core.predictions import Failure
from keywright.core.word_lists import read_pairs, read_sections
from keywright.reading.bare_text.cleaning import clean_text, with_line_feeds
from keywright.reading.blocks import Block, Heading, LeftOut, Particulars, from_parts
from keywright.reading.encodings import Decoded, declared_encoding, decode
from keywright.reading.formats.html import read_html
from keywright.reading.formats.html_blocks import find_blocks, holds_sentence
from keywright.reading.formats.markup import divide_part, parse_part
from keywright.reading.formats.xml import Element, local_name, parse_xml, read_members
from keywright.reading.headings import split_keywords
from keywright.reading.limits import Limits

_PREFIX: Final = re.compile(r"(?:\s*(?:re|fwd?|aw|wg|antw|sv|vs|rv|tr|ref|odp|ynt)(?:\[\d+\])?\s*:)+\s*", re.IGNORECASE)
_FOLD: Final = re.compile(r"\r?\n[ \t]+")
_LIST_NAME: Final = re.compile(r"\[[^\[\]]{1,40}\]\s*")
_SECRET: Final = frozenset({"multipart/encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime"})
_BEGIN: Final = re.compile(rb"(?:\A|\n\r?\n)From \S+ [^\n]*\d\d:\d\d[^\n]*\n")
_STUFFED: Final = re.compile(rb"^>(>*From )", re.MULTILINE)
"""Lines that begin with *From*, which mailboxes mark because their messages begin so."""
_TEXTS: Final = frozenset("text/plain text/html text/markdown text/x-markdown text/enriched text/richtext".split())
_FLOWED: Final = re.compile(r"(?<!^--) \n(?=[^>\n])", re.MULTILINE)  # RFC 3676: line ends that only break lines
_STUB: Final = 20  # words that a plain text has at most which only says that the message is in HTML; arbitrary
_LONGEST_ADDRESS: Final = 200
"""Characters of a sender in which name and address are looked for; comments inside each other take long; arbitrary."""
_DEEPEST: Final = 50  # parts inside each other; arbitrary
_FORWARD: Final = re.compile(r"\s*(?:fwd?|wg|tr|rv)\s*:", re.IGNORECASE)
_SIGNATURE: Final = re.compile(r"^-- ?$|^_{40,}\n[^\n]*mailing list$", re.MULTILINE)
"""Beginnings of a signature, and of the footer of a list."""
_ANSWERED: Final = re.compile(read_sections("reading/line_wordings.txt")["ANSWERED"], re.MULTILINE | re.IGNORECASE)
_APART: Final = read_sections("reading/element_paths.txt")["MAIL_APART"]
_FIELDS: Final = read_pairs("reading/file_types.txt", "FEED_FIELDS")
_LINES: Final = ("text", "title", "_note", "description")  # attributes with the texts of an outline
_ATTACHED: Final = re.compile(rb"(<data [^<>]*>)[^<]*")  # files in notes, which are longer than their text
_AMPERSAND: Final = re.compile(r"&(?!#\d+;|#x[\da-fA-F]+;|(?:amp|lt|gt|quot|apos);)(\w+;)?")
_NOT_XML: Final = re.compile(r"\A\s*<\?xml\b.*?\?>|[\x00-\x08\x0b\x0c\x0e-\x1f]", re.DOTALL)
_HTML: Final = re.compile(r"</[a-z][\w:-]*>|<(?:p|br|hr|img|en-note)\b", re.IGNORECASE)
_MOST_SEARCHES: Final = 1_000  # parts of summaries that are looked for in the whole text: bounds the time
_CUT: Final = re.compile(r"\W+\Z")  # ellipses behind the beginning of a text
_YEAR: Final = re.compile(r"(?<!\d)(?:1[5-9]|20)\d\d")


def read_mail(data: bytes, name: str, limits: Limits) -> Document:
    """Return the document in a message: its subject as title, and its text; attachments are counted.

    The plain form of a text is read where it has two. Quotes and signatures are notices. ``meta`` has the
    sender and the date beside title, author and year.
    """
    message = email.message_from_bytes(data)
    left = LeftOut()
    notes: list[str] = []
    stated = _read_field(message, "subject", name)
    subject, is_forwarded = _PREFIX.sub("", stated, count=1), _FORWARD.match(stated) is not None
    if message["list-id"] or message["list-post"]:
        subject = _PREFIX.sub("", _LIST_NAME.sub("", subject, count=1), count=1)
    blocks: list[Heading | Block] = [Block(SectionKind.TITLE, subject)]
    for part in _find_texts(message, left, name):
        text, damage = _decode_part(part, name)
        notes += damage
        limits.check_text(len(text), name)
        if part.get_content_subtype() == "html":
            blocks += _divide_html(text, left, is_forwarded=is_forwarded)
        else:
            blocks += _divide_plain(text, is_forwarded=is_forwarded)
    sender = _read_field(message, "from", name)
    date = ""  # in the form of ISO 8601; empty where there is none that can be read
    with suppress(ValueError, TypeError, IndexError, OverflowError):
        date = parsedate_to_datetime(str(message.get("date", ""))).isoformat()
    person, address = parseaddr(sender[:_LONGEST_ADDRESS])
    about = make_citation(subject, [Author.of(person or address)], None, "", date[:4]).as_meta()
    about |= {key: value for key, value in (("sender", sender), ("date", date)) if value}
    return from_parts(blocks, name, limits, left, Particulars(meta=about)).add_warnings(*dict.fromkeys(notes))


def read_mbox(data: bytes, name: str, limits: Limits) -> Document | Iterator[Document | Failure]:
    """Return the documents of a mailbox, and failures, named by their numbers; or the document of its only message."""
    ends = [match.span() for match in _BEGIN.finditer(data)]
    if not ends:
        raise BrokenFile(f"{name} is not a mailbox: no message begins with 'From '", "give a file in the format mbox")
    stops = [start for start, _ in ends[1:]] + [len(data)]
    spans = [(begin, stop) for (_, begin), stop in zip(ends, stops, strict=True)]
    parts = [_STUFFED.sub(rb"\1", data[slice(*span)]) for span in spans]
    return read_members(parts, name, lambda part, label: read_mail(part, label, limits))


def read_mhtml(data: bytes, name: str, limits: Limits) -> Document:
    """Return the document of a page that a browser has saved with its pictures."""
    for part in email.message_from_bytes(data).walk():
        if part.get_content_type() in {"text/html", "application/xhtml+xml"}:
            text, notes = _decode_part(part, name)
            return read_html(text.encode("utf-8", "replace"), name, limits).add_warnings(*notes)
    raise BrokenFile(f"{name} holds no page", "save it again, or as HTML")


def read_feed(data: bytes, name: str, limits: Limits) -> Document | Iterator[Document | Failure]:
    """Return a document of each entry of a feed or of Evernote's notes, however damaged; one of an outline."""
    data, notes = _write_xml(data, name) if data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{") else data, []
    data = _ATTACHED.sub(rb"\1", data)
    try:
        root = parse_xml(data, name, limits)
    except BrokenFile as error:
        text, damage = decode(data, name, declared_encoding(data))
        text = _AMPERSAND.sub(lambda match: html5.get(match[1] or "", f"&amp;{match[1] or ''}"), text)
        root = parse_xml(_NOT_XML.sub("", text).encode("utf-8", "replace"), name, limits, recovers=True)
        notes = [f"{' '.join(error.message.split())}: what can be read is", *damage]
    if local_name(root) == "opml":
        left, lines = LeftOut(), (line.items() for line in root.iter("outline"))
        texts = dict.fromkeys(text for line in lines for key, text in line if key in _LINES or holds_sentence(text))
        parts = (part for text in texts for part in _divide_entry(text, left))
        blocks = [Block(SectionKind.TITLE, root.findtext("head/title", "")), *parts]
        return from_parts(blocks, name, limits, left).add_warnings(*notes)
    entries = list(root.iter(*(["note"] if local_name(root) == "en-export" else ["{*}item", "{*}entry"])))
    if not entries:
        raise BrokenFile(f"{name} has no entries", "give a feed with entries")
    return read_members(entries, name, lambda entry, label: _read_entry(entry, label, limits).add_warnings(*notes))


def _write_xml(data: bytes, name: str) -> bytes:
    """Return a JSON Feed (jsonfeed.org, version 1.1) as a feed in XML with the same texts."""
    feed = parse_file(decode(data, name).text, Path(name), "save the feed again")
    entries, language = feed.get("items"), feed.get("language") or ""
    lines = [f"<rss><channel><language>{escape(str(language))}</language>"]
    for entry in entries if isinstance(entries, list) else []:
        texts: list[tuple[str, str]] = []
        for key, value in entry.items() if isinstance(entry, dict) else ():
            several = value if isinstance(value, list) else [value]
            named = (each.get("name") if isinstance(each, dict) else each for each in several)
            if key in _FIELDS and not (key == "content_text" and entry.get("content_html")):  # the same text twice
                texts += [(key, text) for text in named if isinstance(text, str)]
        lines.append(f"<item>{''.join(f'<{key}>{escape(text)}</{key}>' for key, text in texts)}</item>")
    return _NOT_XML.sub("", "".join([*lines, "</channel></rss>"])).encode("utf-8", "replace")


def _read_entry(entry: Element, name: str, limits: Limits) -> Document:
    """Return the document of an entry; a summary that only repeats its text is passed over."""
    left, fields = LeftOut(), _find_fields(entry)
    title = " ".join(clean_text(" ".join(fields["title"][:1])).split())
    texts = [_divide_entry(text, left) for text in (*fields["text"], *fields["title"][1:])]
    flat = [" ".join(" ".join(part.text for part in parts).split()) for parts in texts]
    whole = max(flat, key=len, default="")
    parts: list[Heading | Block] = [Block(SectionKind.TITLE, title)]
    longest, most = flat.index(whole) if flat else 0, _MOST_SEARCHES // max(len(texts), 1)
    for number, listed in enumerate(texts):
        is_read = number == longest or len(listed) > most
        parts += [part for part in listed if part.text != title and (is_read or _CUT.sub("", part.text) not in whole)]
    authors = split_authors(";".join(parseaddr(author)[0] or author for author in fields["author"]))
    cited = make_citation(title, authors, None, "", next(iter(_YEAR.findall(" ".join(fields["date"]))), None))
    tags = tuple(tag for text in fields["tag"] for tag in split_keywords(text))
    usual = entry.getroottree().findtext("{*}channel/{*}language")
    language = "".join(fields["language"][:1]) or next(iter(entry.xpath("ancestor-or-self::*/@xml:lang")[::-1]), usual)
    return from_parts(parts, name, limits, left, Particulars(language, tags, cited.as_meta()), run_in=True)


def _find_fields(entry: Element) -> dict[str, list[str]]:
    """Return the texts of an entry's elements by what they are; a text in elements is written as HTML."""
    from lxml import etree  # noqa: PLC0415 - heavy

    for other in [*entry.iter("{*}source", "{*}resource")]:  # where an entry was copied from; files
        other.clear(keep_tail=True)
    fields = defaultdict(list)
    for element in entry.iterdescendants("*"):
        name = local_name(element).rpartition(":")[2]  # prefixes that nothing declares stay
        field = _FIELDS.get(name, "")
        text = "".join(element.itertext()) or element.get("label") or element.get("term", "")
        if field == "text" and len(element) and "/mrss" not in element.tag:  # Media RSS has pictures with texts inside
            for inner in element.iter("*"):
                inner.tag = local_name(inner).rpartition(":")[2]
            text = etree.tostring(element, encoding="unicode", with_tail=False)
            element.clear(keep_tail=True)
        if not len(element):
            fields[field or ("text" if holds_sentence(text) else name)].append(text)
    return fields


def _divide_entry(text: str, left: LeftOut) -> list[Heading | Block]:
    if not _HTML.search(text):
        return [Block(SectionKind.BODY, clean_text(text))]
    page = parse_part(text, left)
    for attached in page.iter("en-media", "en-crypt"):
        left.add("attachment", 0)
        attached.clear(keep_tail=True)
    return list(divide_part(page, left))


def _find_texts(part: Message, left: LeftOut, name: str, depth: int = 0) -> Iterator[Message]:
    """Yield the parts of a message that are its text; what is attached is counted."""
    form = part.get_content_type()
    inner: Any = part.get_payload()
    if form in _SECRET:
        raise ProtectedFile(f"{name} is encrypted", "save its text from a program that has the key")
    if not isinstance(inner, list) or depth > _DEEPEST:
        if form in _TEXTS and part.get_content_disposition() != "attachment":
            yield part
        else:
            left.add("attachment", 0)
    elif form == "multipart/alternative":
        texts = [text for each in inner for text in _find_texts(each, left, name, depth + 1)]
        plain = [text for text in texts if text.get_content_subtype() == "plain"]
        words = sum(len(str(text.get_payload()).split()) for text in plain)
        others = [text for text in texts if text not in plain and str(text.get_payload()).strip()]
        yield from plain if words > _STUB or not others else others
    else:
        for each in inner:
            yield from _find_texts(each, left, name, depth + 1)


def _decode_part(part: Message, name: str) -> Decoded:
    """Return the text of a part; a label of its encoding that is unknown or wrong counts for nothing."""
    content: Any = part.get_payload(decode=True) or b""
    declared, form, joins = None, "", ""
    with suppress(LookupError, ValueError, TypeError):
        declared = part.get_content_charset()
        form, joins = (str(part.get_param(name)).lower() for name in ("format", "delsp"))
    text, notes = decode(content, name, declared or declared_encoding(content))
    text = with_line_feeds(text)
    return Decoded(_FLOWED.sub("" if joins == "yes" else " ", text) if form == "flowed" else text, notes)


def _read_field(message: Message, field: str, name: str) -> str:
    """Return a field of the head of a message with its encoded words decoded; empty without it."""
    value = message.get(field, "")
    try:
        pieces = decode_header(_FOLD.sub(" ", value) if isinstance(value, str) else value)
        texts = [piece if isinstance(piece, str) else decode(piece, name, charset).text for piece, charset in pieces]
        text = "".join(texts)
    except (HeaderParseError, KeywrightError, ValueError):
        text = str(value)
    return " ".join(text.split())


def _divide_plain(text: str, *, is_forwarded: bool) -> Iterator[Block]:
    """Yield the text of a message, and as notices its quotes, its signature and the message that it answers."""
    beginnings = [match.start() for sign in (_SIGNATURE, _ANSWERED) if (match := sign.search(text))]
    if is_forwarded:
        beginnings = []
    end = min(beginnings, default=len(text))
    lines = text[:end].split("\n")
    quoted = [line.lstrip().startswith(">") for line in lines]
    for at in [at for at in range(1, len(lines)) if quoted[at] and not quoted[at - 1]]:
        above = at - 1 if lines[at - 1].strip() else max(0, at - 2)
        if lines[above].rstrip().endswith(":"):  # who wrote, and when, perhaps on two lines
            first = above - 1 if above and any(map(str.isdigit, lines[above - 1])) else above
            quoted[first:at] = [True] * (at - first)
    for is_quoted, group in groupby(zip(quoted, lines, strict=True), key=itemgetter(0)):
        yield Block(SectionKind.NOTICE if is_quoted else SectionKind.BODY, "\n".join(line for _, line in group))
    yield Block(SectionKind.NOTICE, text[end:])


def _divide_html(text: str, left: LeftOut, *, is_forwarded: bool) -> Iterator[Heading | Block]:
    """Yield the text of a message in HTML, and then its quotes and signatures as notices."""
    if not text.strip():
        return
    page = parse_part(text, left)
    apart = []
    among = set() if is_forwarded else set(page.xpath(_APART))
    outermost = [each for each in page.iter() if each in among and among.isdisjoint(each.iterancestors())]
    for element in outermost:
        apart += [Block(SectionKind.NOTICE, block.text) for block in find_blocks(element, left)]
        element.clear(keep_tail=True)
    yield from divide_part(page, left)
    yield from apart
