"""The verbs of keywright, and everything else that a face may call.

Verbs are loaded on first use: extraction needs neither scoring nor tables.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from keywright.api.calibrating import analyse, analysis_records, analysis_tables, apply_calibrator, calibrate
    from keywright.api.combining import combine, combine_with_notes
    from keywright.api.extracting import DEPTH, extract, extract_each, prepare, read_all, run, write_run
    from keywright.api.extract_job import (  # isort: skip
        PART_SIZE, ExtractJob, configure_system, documents_in, extract_files, extract_parts,
    )  # fmt: skip
    from keywright.api.generators import (
        ExportedGenerator,
        TrainedGenerator,
        export,
        export_with_notes,
        is_generator,
        train_generator,
    )
    from keywright.api.inputs import dataset, document, is_folder_name, load, parametrised, phrase_key, read, system
    from keywright.api.labelling import ReviewedResults, label
    from keywright.api.listing import (  # isort: skip
        describe_dataset, describe_datasets, describe_systems, fetch_dataset, list_datasets, list_protocols,
        list_systems, list_tables, verify_dataset,
    )  # fmt: skip
    from keywright.api.generators import phrase_probabilities
    from keywright.api.probabilities import calibrated, drift, guarantee_of, limited
    from keywright.api.reference_scorers import (  # isort: skip
        cutoff, hulth_evaluation, hulth_keywords, kpg_convention, kpg_files, kpg_lines, semeval_text,
    )  # fmt: skip
    from keywright.api.comparing import compare, explain_difference, publish, score_stream
    from keywright.api.reproducing import publish_reproduced, reproduce, reproduced_tables
    from keywright.api.scores import score, score_all
    from keywright.api.summaries import (  # isort: skip
        USUAL_EVALUATORS, SummaryScores, describe_evaluators, report_summaries, score_summaries,
        summary_table,
    )  # fmt: skip
    from keywright.api.summary_agreement import SummaryAgreement, correlate_summaries
    from keywright.api.tables import extract_table
    from keywright.api.training import adapt, train, train_with_notes, with_vocabulary
    from keywright.api.vocabularies import build_vocabulary, build_vocabulary_with_notes, load_vocabulary
    from keywright.api.vocabulary_gaps import vocabulary_gaps
    from keywright.calibration.analysis.result import Analysis
    from keywright.calibration.calibrators.calibrating import Calibration
    from keywright.catalogue import describe_protocol, describe_system
    from keywright.core.pages import Cell, Table, table_page
    from keywright.datasets.files import cache_folder
    from keywright.evaluation.protocol import Protocol
    from keywright.evaluation.publishing.tables import (
        comparison_table,
        difference_table,
        document_means,
        document_rows,
        report_table,
        shown,
    )
    from keywright.evaluation.publishing.writing import Publication, latex, markdown, publish_comparison
    from keywright.evaluation.run_formats.format import Layout
    from keywright.evaluation.scoring.explaining import Explanation, explanation_as_json
    from keywright.evaluation.scoring.report import Report
    from keywright.evaluation.statistics.comparison import Comparison, Difference
    from keywright.extraction.vocabularies.gaps import VocabularyGaps
    from keywright.reading.tables.files import NamedTables
    from keywright.reading.tables.rows import TableColumns
    from keywright.running.parts import PartsReport
    from keywright.running.reader import stop_reading
    from keywright.text.phrase_groups import PhraseGroup, phrase_groups

_PLACES = {
    "api.calibrating": "analyse analysis_records analysis_tables apply_calibrator calibrate",
    "api.combining": "combine combine_with_notes",
    "api.comparing": "compare explain_difference publish score_stream",
    "api.extract_job": "ExtractJob PART_SIZE configure_system documents_in extract_files extract_parts",
    "api.extracting": "DEPTH extract extract_each prepare read_all run write_run",
    "api.generators": (
        "ExportedGenerator TrainedGenerator export export_with_notes is_generator phrase_probabilities train_generator"
    ),
    "api.inputs": "dataset document is_folder_name load parametrised phrase_key read system",
    "api.labelling": "ReviewedResults label",
    "api.listing": (
        "describe_dataset describe_datasets describe_systems fetch_dataset list_datasets list_protocols "
        "list_systems list_tables verify_dataset"
    ),
    "api.probabilities": "calibrated drift guarantee_of limited",
    "api.reference_scorers": "cutoff hulth_evaluation hulth_keywords kpg_convention kpg_files kpg_lines semeval_text",
    "api.reproducing": "publish_reproduced reproduce reproduced_tables",
    "api.scores": "score score_all",
    "api.summaries": (
        "SummaryReport SummaryScores USUAL_EVALUATORS describe_evaluators report_summaries score_summaries "
        "summary_table"
    ),
    "api.summary_agreement": "SummaryAgreement correlate_summaries",
    "api.tables": "extract_table",
    "api.training": "adapt train train_with_notes with_vocabulary",
    "api.vocabularies": "build_vocabulary build_vocabulary_with_notes load_vocabulary",
    "api.vocabulary_gaps": "vocabulary_gaps",
    "calibration.analysis.result": "Analysis",
    "calibration.calibrators.calibrating": "Calibration",
    "catalogue": "describe_protocol describe_system",
    "core.pages": "Cell Table table_page",
    "datasets.files": "cache_folder",
    "evaluation.protocol": "Protocol",
    "evaluation.publishing.tables": (
        "comparison_table difference_table document_means document_rows report_table shown"
    ),
    "evaluation.publishing.writing": "Publication latex markdown publish_comparison",
    "evaluation.run_formats.format": "Layout",
    "evaluation.scoring.explaining": "Explanation explanation_as_json",
    "evaluation.scoring.report": "Report",
    "evaluation.statistics.comparison": "Comparison Difference",
    "extraction.vocabularies.gaps": "VocabularyGaps",
    "reading.tables.files": "NamedTables",
    "reading.tables.rows": "TableColumns",
    "running.parts": "PartsReport",
    "running.reader": "stop_reading",
    "text.phrase_groups": "PhraseGroup phrase_groups",
}
_PLACE = {name: module for module, names in _PLACES.items() for name in names.split()}

__all__ = [
    "DEPTH", "PART_SIZE", "USUAL_EVALUATORS", "Analysis", "Calibration", "Cell", "Comparison", "Difference",
    "Explanation", "ExportedGenerator", "ExtractJob", "Layout", "NamedTables", "PartsReport", "PhraseGroup", "Protocol",
    "Publication", "Report", "ReviewedResults", "SummaryAgreement", "SummaryReport", "SummaryScores", "Table",
    "TableColumns", "TrainedGenerator", "VocabularyGaps", "adapt", "analyse", "analysis_records", "analysis_tables",
    "apply_calibrator", "build_vocabulary", "build_vocabulary_with_notes", "cache_folder", "calibrate", "calibrated",
    "combine", "combine_with_notes", "compare", "comparison_table", "configure_system",
    "correlate_summaries",
    "cutoff", "dataset", "describe_dataset", "describe_datasets", "describe_evaluators", "describe_protocol",
    "describe_system", "describe_systems", "difference_table", "document",
    "document_means", "document_rows", "documents_in", "drift", "explain_difference", "explanation_as_json", "export",
    "export_with_notes", "extract", "extract_each", "extract_files", "extract_parts",
    "extract_table", "fetch_dataset", "guarantee_of", "hulth_evaluation", "hulth_keywords", "is_folder_name",
    "is_generator", "kpg_convention", "kpg_files", "kpg_lines", "label", "latex", "limited", "list_datasets",
    "list_protocols", "list_systems", "list_tables", "load", "load_vocabulary", "markdown", "pair_document_scores",
    "parametrised",
    "phrase_groups", "phrase_key", "phrase_probabilities", "prepare", "publish", "publish_comparison",
    "publish_reproduced", "read", "read_all", "report_summaries", "report_table", "reproduce", "reproduced_tables",
    "run", "score", "score_all", "score_stream", "score_summaries", "semeval_text", "shown", "stop_reading",
    "summary_table", "system", "table_page", "train", "train_generator", "train_with_notes", "verify_dataset",
    "vocabulary_gaps", "with_vocabulary", "write_run",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """Return a name of this package, loaded now."""
    if name not in _PLACE:
        raise AttributeError(f"module 'keywright.api' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"keywright.{_PLACE[name]}"), name)
    globals()[name] = value
    return value
