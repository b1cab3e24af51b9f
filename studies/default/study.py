"""The three tables of the study of the default."""

from typing import Final

from keywright.experiments.study import Study
from studies.default import ablation, errors, learning_curve
from studies.default import rows as tables
from studies.default.rows import Ablated, CurvePoint, ErrorCount, ErrorExample
from studies.tables import list_uniform_records

ABLATION: Final = Study("default-ablation", ablation.rows, (Ablated,), tables.ablations, lines=list_uniform_records)
LEARNING_CURVE: Final = Study(
    "default-learning-curve", learning_curve.rows, (CurvePoint,), tables.curves, tables.curve_plot, list_uniform_records
)
ERRORS: Final = Study(
    "default-errors", errors.rows, (ErrorCount, ErrorExample), tables.errors, lines=list_uniform_records
)
