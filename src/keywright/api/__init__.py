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
from pathlib import Path
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
    from keywright.evaluation.reference.line_files import read_parallel
    from keywright.evaluation.statistics.comparison import Difference, pair_document_scores
    from keywright.extraction.vocabularies.gaps import VocabularyGaps
    from keywright.reading.pdf_marks import mark_pdf
    from keywright.running.reader import stop_reading
    from keywright.summaries.report import draw_system_table
    from keywright.text.user_encoders import host_of

_LINES = Path(__file__).with_name("places.txt").read_text("utf-8").splitlines()  # modules, and their names
_PLACE = {name: module for module, *names in map(str.split, _LINES) for name in names}

__all__ = sorted(_PLACE)  # noqa: PLE0605 - a list of strings


def __getattr__(name: str) -> Any:
    """Return a name of this package, loaded now."""
    if name not in _PLACE:
        raise AttributeError(f"module 'keywright.api' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"keywright.{_PLACE[name]}"), name)
    globals()[name] = value
    return value
