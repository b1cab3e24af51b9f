"""How often the encoding of undeclared text is told: languages by code pages by lengths.

KEYWRIGHT_MIRROR=... python -m tools.checks.encoding_report    prints the share by length, and every wrong answer

Texts are the Universal Declaration of Human Rights (folder ``languages``), twice for each length: from the beginning,
and from character 1,500. An answer is right if the text is the one that was encoded.
"""

import io
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from keywright.core.errors import UnreadableInput
from keywright.core.zstandard import zstd
from keywright.reading.encodings import decode

LENGTHS: Final = (100, 300, 1_000, 3_000)
BEGINNINGS: Final = (0, 1_500)
WRITTEN_IN: Final = {
    "cp1252": "ca da de en es eu fi fr ga id is it nb nl pt sv",
    "cp1250": "cs hr hu pl ro sk sl",
    "iso8859_2": "cs hr hu pl sk sl",
    "cp1251": "bg ru sr uk",
    "koi8_r": "ru",
    "koi8_u": "uk",
    "cp866": "bg ru",
    "iso8859_5": "bg ru",
    "cp1253": "el",
    "cp1254": "tr",
    "cp1255": "he",
    "cp1256": "ar fa",
    "cp1257": "et lt",
    "cp874": "th",
    "gb18030": "zh",
    "big5": "zh",
    "shift_jis": "ja",
    "euc_jp": "ja",
    "euc_kr": "ko",
}
"""Languages of the folder by the encodings in which texts of theirs are found."""


class Answer(NamedTuple):
    """What one text was read as; ``reading`` is a note, or an error."""

    language: str
    encoding: str
    length: int
    right: bool
    reading: str


def read_answers(mirror: Path) -> Iterator[Answer]:
    """Yield the answer for each text that has bytes beyond ASCII."""
    packed = (mirror / "languages" / "udhr.jsonl.zst").read_bytes()
    lines = io.TextIOWrapper(zstd.open(io.BytesIO(packed)), "utf-8")
    texts = {record["language"]: "\n".join(record["paragraphs"]) for record in map(json.loads, lines)}
    for encoding, languages in WRITTEN_IN.items():
        for language in languages.split():
            for length in LENGTHS:
                for begin in BEGINNINGS:
                    data = texts[language][begin : begin + length].encode(encoding, errors="ignore")
                    if not data.isascii():
                        yield _answer(language, encoding, length, data)


def _answer(language: str, encoding: str, length: int, data: bytes) -> Answer:
    try:
        text, notes = decode(data, "text")
    except UnreadableInput as error:
        return Answer(language, encoding, length, right=False, reading=error.message)
    return Answer(language, encoding, length, text == data.decode(encoding), "; ".join(notes))


def main() -> None:
    """Print the shares, then the wrong answers."""
    answers = list(read_answers(Path(os.environ["KEYWRIGHT_MIRROR"])))
    for length in LENGTHS:
        right = [answer.right for answer in answers if answer.length == length]
        print(f"{length:5} characters: {sum(right)} of {len(right)} right, {sum(right) / len(right):.3f}")
    for answer in answers:
        if not answer.right:
            print(f"{answer.language} in {answer.encoding}, {answer.length} characters: {answer.reading}")


if __name__ == "__main__":
    main()
