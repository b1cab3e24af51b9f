"""Small PDF files for tests, written by hand: one stream of drawing operators for each page."""

from collections.abc import Sequence

HELVETICA = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>"
BOLD = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica-Bold/Encoding/WinAnsiEncoding>>"
DOT = (
    b"<</Type/XObject/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8/Length 1>>"
    b"stream\n\x80\nendstream"
)


def text(x: float, y: float, words: str, size: float = 10, font: str = "F") -> str:
    """Operators that print words at a place, measured from the bottom left corner."""
    return f"BT /{font} {size} Tf {x} {y} Td ({words}) Tj ET\n"


def small_pdf(
    pages: Sequence[str | None],
    *,
    font: bytes = HELVETICA,
    extra: Sequence[bytes] = (),
    page: str = "",
    trailer: str = "",
) -> bytes:
    """A PDF with pages of 600 by 800 points; ``None`` stands for a page that is missing from the file.

    Args:
        pages: drawing operators; fonts are /F and /B (bold), the picture of one grey dot is /I.
        font: the object of font /F.
        extra: further objects, numbered from 6 on.
        page: further entries of every page, such as ``/Rotate 90``.
        trailer: further entries of the trailer, such as ``/Info 6 0 R``.
    """
    first = 6 + len(extra)
    kids = [f"{first + 2 * number} 0 R" for number in range(len(pages))]
    objects: dict[int, bytes] = {
        1: b"<</Type/Catalog/Pages 2 0 R>>",
        2: f"<</Type/Pages/Count {len(pages)}/Kids[{' '.join(kids)}]>>".encode(),
        3: font,
        4: BOLD,
        5: DOT,
        **{6 + number: made for number, made in enumerate(extra)},
    }
    for number, operators in enumerate(pages):
        if operators is None:
            continue
        at = first + 2 * number
        resources = "/Resources<</Font<</F 3 0 R/B 4 0 R>>/XObject<</I 5 0 R>>>>"
        box = f"/MediaBox[0 0 600 800]/Contents {at + 1} 0 R"
        objects[at] = f"<</Type/Page/Parent 2 0 R{box}{resources}{page}>>".encode()
        stream = operators.encode("cp1252")
        objects[at + 1] = b"<</Length %d>>stream\n%s\nendstream" % (len(stream), stream)
    return _file(objects, trailer.encode())


def _file(objects: dict[int, bytes], trailer: bytes) -> bytes:
    data = b"%PDF-1.4\n"
    rows = []
    for number in range(1, max(objects) + 1):
        if number in objects:
            rows.append(b"%010d 00000 n \n" % len(data))
            data += b"%d 0 obj\n%s\nendobj\n" % (number, objects[number])
        else:
            rows.append(b"0000000000 65535 f \n")
    table = b"xref\n0 %d\n0000000000 65535 f \n%s" % (len(rows) + 1, b"".join(rows))
    ending = b"trailer<</Size %d/Root 1 0 R%s>>\nstartxref\n%d\n%%%%EOF\n" % (len(rows) + 1, trailer, len(data))
    return data + table + ending
