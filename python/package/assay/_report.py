"""Reports with charts, for notebooks and files."""

import html
import os
from pathlib import Path

from ._assay import Measurement, read_measurement


class Report:
    """The report of a measurement. A notebook shows it with its charts; `print` shows the tables."""

    def __init__(self, measurement: Measurement) -> None:
        self.measurement = measurement

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the report as one HTML page without external resources."""
        Path(path).write_text(self.measurement.html(), encoding="utf-8")

    def __repr__(self) -> str:
        return repr(self.measurement).replace("Measurement", "Report", 1)

    def __str__(self) -> str:
        return str(self.measurement)

    def _repr_html_(self) -> str:
        # A frame of its own keeps the page's style away from the notebook's.
        page = html.escape(self.measurement.html())
        return f'<iframe srcdoc="{page}" style="width: 100%; height: 40em; border: 0"></iframe>'


def report(source: Measurement | str | os.PathLike[str]) -> Report:
    """The report of a `Measurement`, or of the JSON file that `assay-tuner fit --json` has written."""
    if isinstance(source, (str, os.PathLike)):
        source = read_measurement(source)
    if not isinstance(source, Measurement):
        raise TypeError(f"report: found {source!r}, expected a Measurement or the path of its JSON")
    return Report(source)
