"""Our readers against copies of the same collections that other people made from the originals."""

import hashlib
import json
import re
import tarfile
from collections import Counter
from itertools import islice
from pathlib import Path

import pytest

from keywright.core.documents import SectionKind
from keywright.datasets.card import card
from keywright.datasets.collection import load

pytestmark = pytest.mark.data


def records(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def squeezed(text: str | None) -> str:
    """Letters and digits alone, for others tokenise, unescape and re-space in their own ways."""
    return "".join(letter for letter in (text or "").lower() if letter.isalnum())


def test_inspec_against_the_generation_test_set(mirror):
    ours = {labelled.id: labelled for labelled in load("inspec/test", mirror)}
    theirs = records(mirror / "keyphrase_test" / "inspec.jsonl")
    assert [record["source_id"] for record in theirs] == list(ours)
    for record in theirs:
        labelled = ours[record["source_id"]]
        # Together, for theirs ends a title of several lines after the first.
        assert squeezed(labelled.document.text) == squeezed(f"{record['title']}{record['abstract']}")
        keys = sorted(squeezed(gold.forms[0]) for gold in labelled.given_by("uncontr"))
        assert keys == sorted(map(squeezed, record["keyphrases"]))


def test_krapivin_against_the_generation_test_set(mirror):
    ours = list(load("krapivin2009/test", mirror))
    theirs = records(mirror / "keyphrase_test" / "krapivin.jsonl")
    assert len(ours) == len(theirs) == 460
    for labelled, record in zip(ours, theirs, strict=True):
        assert squeezed(labelled.document.section(SectionKind.TITLE)) == squeezed(record["title"])


def test_the_fingerprint_of_inspec_made_without_our_code(mirror):
    """After the definition in words alone, from the archives."""
    raw: dict[tuple[str, str], str] = {}
    for name in ("hulth2003.tar.gz", "hulth2003_uncontr_in.tar.gz"):
        with tarfile.open(mirror / "inspec" / name) as archive:
            for member in archive.getmembers():
                if match := re.match(r"test/(\d+)\.(\w+)$", member.name, re.IGNORECASE):
                    raw[match[1], match[2]] = archive.extractfile(member).read().decode()
    digests = ""
    for number in sorted({number for number, _ in raw}):
        gold = {}
        for kind in ("contr", "uncontr", "uncontr_in"):
            keys = [[" ".join(key.split())] for key in raw[number, kind].split(";") if key.strip()]
            gold |= {kind: keys} if keys else {}
        text = raw[number, "abstr"].strip().replace("\n\t", " ")
        record = {"gold": gold, "id": number, "text": text}
        digests += hashlib.sha256(json.dumps(record, separators=(",", ":"), ensure_ascii=False).encode()).hexdigest()
        digests += "\n"
    expected = hashlib.sha256(digests.encode()).hexdigest()
    assert card("inspec").splits["test"].fingerprints["surface"] == expected


def test_the_fingerprint_of_a_json_lines_collection_made_without_our_code(mirror):
    digests = {}
    for record in records(mirror / "keyphrase_test" / "kp20k_small.jsonl"):
        gold = {"author": [[phrase] for phrase in record["keyphrases"]]}
        text = f"{record['title'].strip()}\n\n{record['abstract'].strip()}"
        canonical = json.dumps(
            {"gold": gold, "id": record["id"], "text": text}, separators=(",", ":"), ensure_ascii=False
        )
        digests[record["id"]] = hashlib.sha256(canonical.encode()).hexdigest()
    together = "".join(f"{digests[number]}\n" for number in sorted(digests))
    expected = hashlib.sha256(together.encode()).hexdigest()
    assert card("kp20k_small").splits["test"].fingerprints["surface"] == expected


def test_author_keywords_of_full_papers_stand_apart(mirror):
    """Every line of author keywords in the front of a NUS paper, found without our code, is a section of its own."""
    line = re.compile(
        r"^(?:additional )?(?:key ?words(?: and phrases)?|index terms)\s?(?::|-)", re.IGNORECASE | re.MULTILINE
    )
    printed = {}
    for labelled in load("nus", mirror):
        for found in line.finditer(labelled.document.text, 0, 5_000):
            after = found.end() + 10  # past the blank or second dash that follows: in the list itself
            printed[labelled.id] = [one.kind for one in labelled.document.sections if one.start <= after < one.end]
    assert printed == {name: [SectionKind.KEYWORDS] for name in ("140", "169", "91")}


def test_the_front_matter_of_biomedical_articles(mirror):
    articles = islice(load("schutz2008", mirror), 0, None, 4)
    kinds = Counter(kind for labelled in articles for kind in {one.kind for one in labelled.document.sections})
    # Of 134 articles 126 have a line that begins with Keywords and 130 one that begins with a copyright sign.
    assert kinds[SectionKind.KEYWORDS] >= 125
    assert kinds[SectionKind.TITLE] >= 130
    assert kinds[SectionKind.ABSTRACT] >= 123
    assert kinds[SectionKind.REFERENCES] >= 108
