"""Reads CSV tables: the series of a run, and the cases of a campaign."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Arrays = dict[str, NDArray[Any]]
"""Columns by name, all of one length: int64 or uint64, float64 (NaN where a cell is empty), or texts."""

_TEXTS = frozenset({"name", "program", "engine", "recipe", "label"})
"""Columns that are texts whatever their cells look like: a case may be called 000_1 or nan."""

_WHOLE = re.compile(r"-?(?:0|[1-9][0-9]*)")
"""A whole number as the program writes it. Digits behind zeros or between underscores are names."""

_NUMBER = re.compile(_WHOLE.pattern + r"(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|NaN|-?inf")
"""A number as the program writes it."""


def read_arrays(path: Path, *, numbers: bool = False) -> Arrays:
    """The columns of a file with one header line. Numbers have the bits that were written.

    Args:
        path: of the file.
        numbers: all columns are numbers, so that a cell that is none is damaged.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: a row has more or fewer cells than there are columns, or a cell is no number and should be one.
    """
    text = path.read_text(encoding="utf-8")
    # A run that is being computed may have written only a part of its last row.
    rows = csv.reader(io.StringIO(text[: text.rfind("\n") + 1], newline=""))
    header = next(rows, [])
    cells = []
    for row in rows:
        if len(row) != len(header):
            raise ValueError(f"line {rows.line_num} has {len(row)} cells, and there are {len(header)} columns")
        cells.append(row)
    columns = list(zip(*cells, strict=True)) if cells else [()] * len(header)
    arrays = {name: _column(name, column) for name, column in zip(header, columns, strict=True)}
    texts = [name for name, array in arrays.items() if array.dtype == object]
    if numbers and texts:
        raise ValueError(f"column {texts[0]} has a cell that is no number")
    return arrays


def as_table(arrays: Arrays) -> Any:
    """A pandas.DataFrame if pandas is installed, else the arrays themselves."""
    try:
        import pandas
    except ImportError:
        return arrays
    return pandas.DataFrame(arrays)


def _column(name: str, cells: tuple[str, ...]) -> NDArray[Any]:
    for convert in () if name in _TEXTS else (_whole, _number):
        try:
            return np.array([convert(cell) for cell in cells], dtype=None if cells else np.float64)
        except ValueError:
            continue
    return np.array(cells, dtype=object)


def _whole(cell: str) -> int:
    if not _WHOLE.fullmatch(cell):
        raise ValueError(f"{cell!r} is not a whole number")
    return int(cell)


def _number(cell: str) -> float:
    if cell and not _NUMBER.fullmatch(cell):
        raise ValueError(f"{cell!r} is not a number")
    return float(cell) if cell else float("nan")
