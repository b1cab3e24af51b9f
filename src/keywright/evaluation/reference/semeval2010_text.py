"""The text that the official SemEval-2010 script prints, until a failure in any of its three kinds of gold."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from keywright.core.errors import KeywrightError, MissingData
from keywright.evaluation.answers import (
    SEMEVAL_KINDS,
    Answers,
    parse_answers,
    read_limited_file,
    read_semeval_gold_kind,
)
from keywright.evaluation.protocol import Protocol
from keywright.evaluation.protocols.semeval2010 import SEMEVAL2010
from keywright.evaluation.rules import PhraseClass
from keywright.evaluation.scoring.counting import HUNDRED, IndexedGold, count_hits, index_classes, rank_forms
from keywright.evaluation.scoring.scorer import compute_named_values, warn_of_size

_RULE: Final = "-" * 85


@dataclass(frozen=True, slots=True)
class OfficialText:
    """Output of a drop-in replacement for the script."""

    text: str  # for standard output; after a failure, the text that the script would have printed until then
    status: int  # exit status; 0 when all three blocks were printed, else 1
    messages: tuple[str, ...]  # for standard error: warnings about the input, and last the failure


def official_text(answers: Path | None, gold: Path, protocol: Protocol = SEMEVAL2010) -> OfficialText:
    """Score an answer file as the official script does; bad input raises nothing, nor does no file at all (None).

    ``gold``: folder of the three gold files; ``protocol``: ``SEMEVAL2010`` or ``SEMEVAL2010_STRICT``, perhaps with
    rules replaced.
    """
    text = ""
    messages: list[str] = []

    def sets() -> Iterator[IndexedGold]:
        for kind in SEMEVAL_KINDS:
            index = index_classes(read_semeval_gold_kind(gold, kind, protocol.marks), protocol, {})[PhraseClass.ALL]
            messages.extend(warn_of_size(kind, len(index.ids), protocol))
            yield index

    try:
        if answers is None or not answers.is_file():
            message = "no answer file was named" if answers is None else f"no file {answers}"
            raise MissingData(message, "name the file that holds one line for each document")
        parsed = parse_answers(read_limited_file(answers), protocol.marks)
        messages.extend(parsed.warnings)
        for part in iterate_text(parsed, sets(), protocol):
            text += part
    except (KeywrightError, OSError) as error:
        return OfficialText(text, 1, (*messages, str(error)))
    return OfficialText(text, 0, tuple(messages))


def iterate_text(answers: Answers, gold: Iterable[IndexedGold], protocol: Protocol) -> Iterator[str]:
    """Yield the printed text, two pieces for each gold set, which is read only then."""
    forms = rank_forms(answers.lists, protocol)
    for index in gold:
        counts = count_hits(index, forms, protocol)
        yield f"You answered {answers.lines} over {HUNDRED} test document\n"
        kind = index.gold.by
        values = compute_named_values(kind, counts, protocol)
        lines = [_RULE, f"[{kind.upper()}] Match_Precision_Recall_Fscore"]
        for k, matches in zip(counts.cutoffs, counts.hits.sum(axis=0).tolist(), strict=True):
            percents = [f"{values[f'{kind}/{name}@{k}'] * 100:.2f}%" for name in ("P", "R", "F")]
            lines.append(f"Top {k:02}:\t{matches}\t" + "\t".join(percents))
        yield "\n".join(lines) + "\n"
