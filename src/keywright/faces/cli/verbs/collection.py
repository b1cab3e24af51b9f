"""keywright collection: what many documents are about, and how it changed."""

from pathlib import Path
from typing import Annotated, Any, Final

import typer

from keywright import api
from keywright.core.atomic_files import check_folder
from keywright.core.choices import EngineName
from keywright.core.errors import BadParameter
from keywright.core.options import ChoiceOptions
from keywright.faces.cli.options import declare, declare_format, parse_pairs
from keywright.faces.cli.output_options import FileOutput, choose_format
from keywright.faces.cli.printing import print_json, tell_failures
from keywright.faces.exit_codes import PARTLY
from keywright.faces.outputs.collection_files import FILES, write_folder
from keywright.faces.outputs.output_formats import COLLECTIONS, TABLE, VOSVIEWER
from keywright.faces.outputs.screen import draw_rows, find_screen

_SCREEN_ROWS: Final = 20  # Phrases on the screen; arbitrary


@declare(
    "keywright collection papers.csv --text-column abstract --by year -o papers.html",
    ChoiceOptions,
    inputs="INPUT... | Documents, folders of them, results of `keywright extract`, tables, RIS, BibTeX, MARC, or"
    " exports of Web of Science and Scopus.",
    by="COLUMN | Count by the values of a column; year, source and language are found without one.",
    merges="FILE | Table with the columns form and phrase: how forms are shown; an empty phrase drops its form.",
    phrases_column="NAME | Column of a table, or key of JSON Lines, that holds finished keyphrases.",
    id_column="NAME | Column of a table that holds the ids (default: a usual name, else file and line).",
    state="FILE | Keep the phrases, not the texts, in this file: the next call with it adds its documents.",
    encoder="minilm|FOLDER|URL | Merge phrases of the same meaning by an encoder: the shipped one of English, a folder"
    " of sentence-transformers, ONNX or model2vec, or an address; doubtful pairs are suggestions.",
    output="-o PAGE.html|DATA.json|FOLDER | File to write, or folder for files in all formats.",
)
def collection(  # noqa: PLR0913 - one argument for each option
    inputs: list[str],
    *,
    by: str | None = None,
    merges: Path | None = None,
    phrases_column: str | None = None,
    text_column: str | None = None,
    title_column: str | None = None,
    id_column: str | None = None,
    state: Path | None = None,
    system: str = "default",
    param: list[str] | None = None,
    top: Annotated[int | None, "-n N | Number of keyphrases that are extracted of each document (default: 10)."] = None,
    language: str | None = None,
    encoder: str | None = None,
    form: Annotated[str | None, declare_format(COLLECTIONS)] = None,
    jobs: int | None = None,
    engine: EngineName | None = None,
    file: FileOutput,
    **chosen: Any,
) -> None:
    """Count the keyphrases of many documents: all forms of a phrase together, over time, in clusters, as a page."""
    is_folder = file.output is not None and (file.output.is_dir() or not file.output.suffix) and str(file.output) != "-"
    inputs_in_order: tuple[object, ...] = (*inputs, merges, state)
    if is_folder and file.output is not None:
        check_folder(file.output)
        if not file.force and file.output.is_dir() and any(file.output.iterdir()):
            raise BadParameter(f"{file.output} holds files", "name a new folder, or add --force")
        output_format = choose_format(COLLECTIONS, form, None, json=False, force=file.force)
    else:
        options = {"json": file.json and file.output is None, "force": file.force}
        output_format = choose_format(COLLECTIONS, form, file.output, inputs_in_order, **options)
    if output_format is VOSVIEWER and not is_folder:
        raise BadParameter("VOSviewer's map and network are two files", "name a folder with -o FOLDER")
    how: dict[str, Any] = {"merges": merges, "phrases_column": phrases_column, "text_column": text_column}
    how |= {"title_column": title_column, "id_column": id_column, "state": state, "top": top, "language": language}
    how["encoder"] = encoder
    paths = [name if name == "-" else Path(name) for name in inputs]
    extractor = api.parse_system(system, parse_pairs(param))
    with file.progress("documents") as tell:
        result = api.collection(paths, by, system=extractor, engine=engine, jobs=jobs, progress=tell, **how, **chosen)
    file.inputs = inputs_in_order
    if is_folder and file.output is not None:
        write_folder(result, file.output, [output_format.name] if form else (*FILES, VOSVIEWER.name))
    elif output_format is TABLE:
        with file.open() as opened:
            opened.write(_draw_phrases(result, find_screen(opened)))
    else:
        with file.open() as opened:
            opened.write(FILES[output_format.name](result))
    if file.json and file.output is not None:
        print_json({"documents": result.documents, "phrases": len(result.phrases), "output": str(file.output)})
    file.note(*result.warnings)
    tell_failures(result.failures)
    if result.failed:
        raise typer.Exit(PARTLY)


def _draw_phrases(result: "api.Collection", screen: Any) -> str:
    head = ("phrase", "documents", "expected", "95 %", "cluster")
    rows = [
        (each.text, f"{each.documents:,}", f"{each.expected:,.1f}", "{:,}-{:,}".format(*each.interval),
         "" if each.cluster is None else result.clusters[each.cluster].name)
        for each in result.phrases[:_SCREEN_ROWS]
    ]  # fmt: skip
    return draw_rows(screen, head, rows, head[1:4])
