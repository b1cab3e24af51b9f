"""The list that ``extract`` returns for several documents."""

from typing import Any, SupportsIndex, overload

from keywright.core import views
from keywright.core.predictions import Failure, Prediction


class Predictions(list[Prediction | Failure]):
    """A list of predictions, with a failure in the place of each document that could not be done.

    It is a list in every respect, and also a table: ``to_frame`` for data analysis, and a short one in notebooks.

    >>> import keywright as kw
    >>> results = kw.extract(["Tide gauges drift. A tide gauge is cheap.", ""], top=1)
    >>> results
    <Predictions for 2 documents, 1 failed>
    >>> results[0].texts
    ('tide gauge',)
    """

    def to_frame(self, library: str | None = None, *, wide: bool = False) -> Any:
        """Return a table: a row for each keyphrase, or if ``wide`` for each document; a failure has one row.

        ``library``: ``pandas``, ``polars`` or ``pyarrow``; None takes the first that is installed.
        """
        return views.frame_results(self, library, wide=wide)

    def to_dict(self) -> list[dict[str, Any]]:
        """Return JSON values, one for each document, as ``extract --json`` prints them."""
        return [outcome.to_dict() for outcome in self]

    @overload
    def __getitem__(self, place: SupportsIndex) -> Prediction | Failure: ...
    @overload
    def __getitem__(self, place: slice) -> "Predictions": ...
    def __getitem__(self, place: SupportsIndex | slice) -> "Prediction | Failure | Predictions":
        """Return a result, or a part of the list, which is such a list again."""
        items = super().__getitem__(place)
        return Predictions(items) if isinstance(items, list) else items

    def __repr__(self) -> str:
        return f"<Predictions for {views.count_results(self)}>"

    def _repr_html_(self) -> str:
        return views.draw_results(f"Predictions for {views.count_results(self)}", self)
