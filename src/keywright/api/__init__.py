"""The verbs of keywright, and everything else that a face may call.

Arguments that several verbs share mean the same everywhere:

* ``system``: a name, the folder of a trained system, or a system itself.
* ``dataset``: a name such as ``inspec/test``, a JSON Lines file, or a data set.
* ``top``: number of keyphrases for each document; None for 10, or the system's own cutoff.
* ``language``: ISO 639-1 code of all documents; None for each document's own, or the detected one.
* ``explain``, ``style``, ``vocabulary`` and the like: options of ``keywright.core.options``.
* ``run``, ``runs``: runs, run files, or files or folders of other tools; ``form``: their format, None recognises it.
* ``gold``: a data set, or labelled documents; None takes what the runs name or bring along.
* ``protocol``: a name, or a protocol; ``measures``: such as ``["F@3", "MAP"]``, None for those of the protocol.
* ``intervals``: whether values have bootstrap intervals, or the number of samples; ``seed``: of samples.
* ``calibrator``: from ``calibrate``, or its file.
* ``paths``: files and folders, ``-`` is standard input; ``folder``, ``output``: where results are written.
* ``force``: whether earlier results of the same kind in a folder are replaced; other files never are.
* ``engine``: ``serial``, ``processes`` or ``ray``; ``jobs``: number of processes.
* ``progress``: called with the number of items done, and of all.

Every error is a ``KeywrightError`` with a hint: ``UnknownName`` for a name that does not exist, ``BadParameter`` for a
value out of range or a place that cannot be written, ``UnreadableInput`` or ``MissingData`` for a file that is damaged,
of another kind, or not there, and ``MissingExtra`` for a library that is not installed. Verbs list errors beyond these.

Verbs are loaded on first use: extraction needs neither scoring nor tables.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from keywright.api.calibrating import *
    from keywright.api.collecting import *
    from keywright.api.combining import *
    from keywright.api.comparing import *
    from keywright.api.extract_job import *
    from keywright.api.extracting import *
    from keywright.api.generators import *
    from keywright.api.inputs import *
    from keywright.api.listing import *
    from keywright.api.options import *
    from keywright.api.published import *
    from keywright.api.scores import *
    from keywright.api.summaries import *
    from keywright.api.tables import *
    from keywright.api.training import *
    from keywright.api.vocabularies import *
    from keywright.calibration.analysis.tables import draw_tables
    from keywright.catalogue import describe_protocol, describe_system
    from keywright.core.atomic_files import cache_folder
    from keywright.core.pages import Cell, Table, table_page
    from keywright.evaluation.publishing.tables import (  # isort: skip
        comparison_table, difference_table, document_means, document_rows, report_table, shown,
    )  # fmt: skip
    from keywright.evaluation.publishing.writing import Publication, latex, markdown, publish_comparison
    from keywright.evaluation.statistics.comparison import Difference, pair_document_scores
    from keywright.extraction.vocabularies.gaps import VocabularyGaps
    from keywright.reading.pdf_marks import mark_pdf
    from keywright.running.reader import stop_reading
    from keywright.summaries.report import draw_system_table
    from keywright.text.user_encoders import host_of

_PLACES = {
    "api.calibrating": "Analysis Calibration analyse apply_calibrator calibrate",
    "api.collecting": "Collection collection",
    "api.combining": "combine",
    "api.comparing": "Comparison Explanation compare explain_difference publish score_stream",
    "api.extract_job": (
        "ExtractJob NamedTables PART_SIZE PartsReport TableColumns csv_dialect documents_in extract_files extract_parts"
    ),
    "api.extracting": "DEPTH extract extract_each prepare read_all run write_run",
    "api.generators": (
        "ExportedGenerator TrainedGenerator export export_with_notes is_generator phrase_probabilities train_generator"
    ),
    "api.inputs": "dataset document is_folder_name load parse_system phrase_key read system",
    "api.listing": (
        "describe_dataset describe_datasets describe_languages describe_systems fetch_dataset list_datasets "
        "list_protocols list_systems list_tables verify_dataset"
    ),
    "api.options": "calibrated drift guarantee_of",
    "api.published": (
        "cutoff describe_wait hulth_evaluation hulth_keywords kpg_convention kpg_files kpg_lines publish_reproduced "
        "reproduce reproduced_tables semeval_text"
    ),
    "api.scores": "Layout Protocol Report embed score score_all with_encoder",
    "api.summaries": (
        "SummaryAgreement SummaryReport SummaryScores USUAL_EVALUATORS correlate_summaries describe_evaluators "
        "report_summaries score_summaries"
    ),
    "api.tables": "ReviewedResults extract_table",
    "api.training": "adapt train train_with_notes with_vocabulary",
    "api.vocabularies": "build_vocabulary load_vocabulary vocabulary_gaps",
    "calibration.analysis.tables": "draw_tables",
    "catalogue": "describe_protocol describe_system",
    "core.pages": "Cell Table table_page",
    "core.atomic_files": "cache_folder",
    "evaluation.publishing.tables": (
        "comparison_table difference_table document_means document_rows report_table shown"
    ),
    "evaluation.publishing.writing": "Publication latex markdown publish_comparison",
    "evaluation.statistics.comparison": "Difference pair_document_scores",
    "extraction.vocabularies.gaps": "VocabularyGaps",
    "reading.pdf_marks": "mark_pdf",
    "running.reader": "stop_reading",
    "summaries.report": "draw_system_table",
    "text.user_encoders": "host_of",
}
_PLACE = {name: module for module, names in _PLACES.items() for name in names.split()}

__all__ = sorted(_PLACE)  # noqa: PLE0605 - a list of strings


def __getattr__(name: str) -> Any:
    """Return a name of this package, loaded now."""
    if name not in _PLACE:
        raise AttributeError(f"module 'keywright.api' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"keywright.{_PLACE[name]}"), name)
    globals()[name] = value
    return value
