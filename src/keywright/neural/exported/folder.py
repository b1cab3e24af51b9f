"""Exported generators on disk."""

from pathlib import Path

from keywright.core.errors import BrokenFile
from keywright.neural.data.examples import Limits
from keywright.neural.exported.generators import generator_of
from keywright.neural.exported.sessions import Sessions
from keywright.neural.model_folder import CONFIG, ENCODER, STEP, checked_contents, parsed_json, read_generator_card
from keywright.neural.phrase_generator import PhraseGenerator


def load_exported(folder: Path) -> tuple[PhraseGenerator, Limits]:
    """Return the generator of a folder that ``exporting`` wrote, and its limits.

    Raises:
        BrokenFile: a file is damaged, missing, or does not fit the others; or the folder has files that could run code.
        MissingExtra: the extra ``onnx`` is not installed.
        TooLarge: a file is above its limit.
    """
    contents = checked_contents(folder, read_generator_card(folder))
    values = parsed_json(contents.pop(CONFIG), folder / CONFIG)
    sessions = Sessions.opened(contents.pop(ENCODER), contents.pop(STEP), folder)
    try:
        texts = {name: content.decode("utf-8") for name, content in contents.items()}
        return generator_of(values["writes"], texts, sessions), Limits(**values["limits"])
    except (KeyError, TypeError, ValueError) as error:
        message = f"the config in {folder} makes no generator: {error!r}"
        raise BrokenFile(f"{message:.300}", "export the generator again") from error
