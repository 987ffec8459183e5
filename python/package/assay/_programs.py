"""Measurements by the program `assay-tuner`, as results with tables."""

from __future__ import annotations

import html
import json
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from ._assay import GAMES, AssayError, Game, Measurement, _parse_measurement
from ._progress import reporter
from ._report import Report

_Progress = bool | Callable[[int, int | None], object] | None

# The tables that `to_pandas`, `to_arrow` and `plot` use by default: the first that a result has.
_MAIN_TABLES = ("tables.published", "tables.army", "estimates", "handicaps")

# Columns of a value and its 95% interval.
_INTERVALS = (
    ("measured.value", "measured.interval"),
    ("value.value", "value.interval"),
    ("score.value", "score.interval"),
)


class Result:
    """What `assay-tuner` prints with `--json`: `data` has it as Python objects, `tables` its lists of objects by name.

    A notebook shows a measurement with its charts, and other results as a table. Keys are documented by `assay-tuner COMMAND --help`.
    A `Measurement` of `assay.fit` can be wrapped, too.
    """

    def __init__(self, data: dict[str, Any] | Measurement) -> None:
        self.data: dict[str, Any] = data.to_dict() if isinstance(data, Measurement) else data

    @property
    def tables(self) -> dict[str, list[dict[str, Any]]]:
        """Rows by name of the table. Keys of objects in objects are joined: `playtest.comparisons`, `measured.interval`."""
        return dict(_tables("", self.data))

    def table(self, name: str | None = None) -> list[dict[str, Any]]:
        """The rows of one table; by default the values."""
        tables = self.tables
        name = name or next((name for name in (*_MAIN_TABLES, *tables) if name in tables), None)
        if name not in tables:
            raise AssayError(f"table: found {name!r}, expected one of {', '.join(tables)}")
        return tables[name]

    def to_pandas(self, table: str | None = None) -> Any:
        """A table as a pandas data frame."""
        return _optional("pandas").DataFrame(self.table(table))

    def to_arrow(self, table: str | None = None) -> Any:
        """A table as a pyarrow table."""
        return _optional("pyarrow").Table.from_pylist(self.table(table))

    def plot(self, table: str | None = None, ax: Any = None) -> Any:
        """Draws the numbers of a table with 95% intervals, and published values as rings, and returns matplotlib's axes."""
        if ax is None:
            ax = _optional("matplotlib.pyplot").subplots()[1]
        rows = self.table(table)
        keys = next((keys for keys in _INTERVALS if any(keys[0] in row for row in rows)), None)
        if keys is None:
            raise AssayError(f"table: found {table!r}, expected a table with intervals")
        rows = [row for row in rows if row.get(keys[0]) is not None][::-1]
        labels = [" ".join(str(text) for text in row.values() if isinstance(text, str))[:40] for row in rows]
        if "piece" in rows[0]:
            labels = [" ".join(filter(None, [row.get("unit"), row["piece"]])) for row in rows]
        numbers = [row[keys[0]] for row in rows]
        ends = [_ends(row, keys) for row in rows]
        errors = [[number - low for number, (low, _) in zip(numbers, ends)], [high - number for number, (_, high) in zip(numbers, ends)]]
        ax.errorbar(numbers, labels, xerr=errors, fmt="o", capsize=4)
        published = [(row["published"], label) for row, label in zip(rows, labels) if row.get("published") is not None]
        if published:
            ax.plot(*zip(*published), "o", fillstyle="none", markersize=12, color="gray")
        ax.set_title(self._title())
        return ax

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the JSON, which `assay-tuner report` reads."""
        Path(path).write_text(json.dumps(self.data), encoding="utf-8")

    def _measurement(self) -> Measurement | None:
        return _parse_measurement(json.dumps(self.data)) if "fit" in self.data else None

    def __repr__(self) -> str:
        return f"<assay.Result {self._title()}: {', '.join(self.tables)}>"

    def _title(self) -> str:
        """The game, or the armies that were compared."""
        return self.data.get("game") or " against ".join(self.data.get("armies", []))

    def __str__(self) -> str:
        return str(self._measurement() or repr(self))

    def _repr_html_(self) -> str:
        if (measurement := self._measurement()) is not None:
            return Report(measurement)._repr_html_()
        rows = self.table()
        cells = [[row.get(key) for key in rows[0]] for row in rows]
        lines = [_line("th", rows[0]), *(_line("td", line) for line in cells)]
        return f"<table>{''.join(lines)}</table>"


def _line(tag: str, cells: Any) -> str:
    texts = (f"{cell:.4g}" if isinstance(cell, float) else str(cell) for cell in cells)
    return f"<tr>{''.join(f'<{tag}>{html.escape(text)}</{tag}>' for text in texts)}</tr>"


def _ends(row: dict[str, Any], keys: Sequence[str]) -> tuple[float, float]:
    """The interval's ends; those of an unbounded interval are the number itself."""
    number = row[keys[0]]
    low, high = row.get(keys[1]) or (number, number)
    return low, high


def _tables(name: str, value: Any) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _tables(f"{name}.{key}" if name else key, inner)
    elif isinstance(value, list) and value and all(isinstance(row, dict) for row in value):
        if "unit" in value[0]:
            for table in value:
                yield f"{name}.{table['unit'] or 'published'}", list(_rows(table))
        else:
            yield name, [row for outer in value for row in _rows(outer)]


def _rows(value: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The row of an object, or one for each of its `values`, as the tables of units have them."""
    inner = value.get("values")
    if isinstance(inner, list) and inner and isinstance(inner[0], dict):
        outer = {key: text for key, text in value.items() if isinstance(text, str)}
        yield from (outer | _flat(row) for row in inner)
    else:
        yield _flat(value)


def _flat(value: dict[str, Any]) -> dict[str, Any]:
    row: dict[str, Any] = {}
    for key, inner in value.items():
        row |= {f"{key}.{below}": cell for below, cell in _flat(inner).items()} if isinstance(inner, dict) else {key: inner}
    return row


def _optional(package: str) -> Any:
    try:
        return import_module(package)
    except ImportError:
        name = package.split(".")[0]
        raise ImportError(f"{name} is not installed: pip install {name}") from None


def _program() -> str:
    found = shutil.which("assay-tuner", path=os.environ.get("ASSAY_PROGRAMS")) or shutil.which("assay-tuner")
    if found is None:
        raise AssayError("assay-tuner is not found; expected it in the PATH or in the folder that ASSAY_PROGRAMS names")
    return found


def _run(arguments: Sequence[str], options: dict[str, Any], progress: _Progress) -> Result:
    """Runs a command of `assay-tuner`. Ctrl-C ends it as in a terminal: the games so far are kept."""
    for key, value in options.items():
        flag = f"--{key.rstrip('_').replace('_', '-')}"
        if value is True:
            arguments = [*arguments, flag]
        elif value is not None and value is not False:
            values = value if isinstance(value, (list, tuple)) else [value]
            arguments = [*arguments, flag, *(str(value) for value in values)]
    show = reporter(progress, "games")
    notes: list[str] = []
    # The program gets signals from here only: in a terminal, Ctrl-C would reach both.
    command = [_program(), *arguments, "--json", "--progress", "json"]
    # The JSON may be larger than a pipe holds while progress is read.
    with (
        tempfile.TemporaryFile() as printed,
        subprocess.Popen(command, stdout=printed, stderr=subprocess.PIPE, text=True, encoding="utf-8", start_new_session=True) as program,
    ):
        assert program.stderr is not None
        try:
            for line in program.stderr:
                try:
                    note = json.loads(line)
                except ValueError:
                    notes.append(line)
                    continue
                if "note" in note:
                    notes.append(note["note"] + "\n")
                elif show is not None and note["done"] is not None:
                    show(note["done"], note["total"])
        except BaseException:
            program.send_signal(signal.SIGINT)
            program.communicate()
            raise
        finally:
            if show is not None:
                show.close()
        program.wait()
        printed.seek(0)
        text = printed.read()
    if program.returncode != 0:
        raise AssayError("".join(notes).strip().removeprefix("error: "))
    return Result(json.loads(text))


def _game(game: Game | str | os.PathLike[str]) -> str:
    if not isinstance(game, Game):
        return os.fspath(game)
    if game.name not in GAMES:
        raise AssayError(f"game: found {game!r}, expected a built-in game or the path of a definition file")
    return game.name


def validate(game: Game | str | os.PathLike[str], *, progress: _Progress = None, **options: Any) -> Result:
    """Plays games and measures the value of every piece: `assay-tuner validate`.

    Options are those of the command: `games=20_000, nodes=400, precision=2, data="chess.db"`. The same call continues an interrupted one.
    """
    return _run(["validate", _game(game)], options, progress)


def weigh(*pieces: str, progress: _Progress = None, **options: Any) -> Result:
    """Measures pieces of your own, given in XBetza, in a standard army or in a game's: `assay-tuner weigh`.

    Options are those of the command: `weigh("WD", "BN", board="10x8", games=20_000)`.
    """
    return _run(["weigh", *(f"--piece={piece}" for piece in pieces)], options, progress)
