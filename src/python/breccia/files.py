"""Reads files of a run. A damaged one is named, with what to do about it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from breccia.errors import FileError


@contextmanager
def named(file: Path) -> Iterator[None]:
    """Names the file in errors of its reader. Readers of JSON, CSV, npy and zip say what they miss, and not where.

    Raises:
        FileError: the file is damaged, or cannot be opened.
    """
    try:
        yield
    except FileError:
        raise
    except Exception as fault:
        if isinstance(fault, OSError) and fault.filename is not None:
            raise FileError(f"{file} cannot be read: {fault.strerror}") from fault
        what = f"it lacks {fault}" if isinstance(fault, KeyError) else fault
        raise FileError(f"{file} is damaged: {what}; `breccia info RUN` lists all that is damaged in a run") from fault


def read_json(file: Path) -> dict[str, Any]:
    """The object that a file holds.

    Raises:
        FileError: the file is damaged, or cannot be opened.
    """
    with named(file):
        found = json.loads(file.read_text(encoding="utf-8"))
        if not isinstance(found, dict):
            raise ValueError("it holds no JSON object")
    return found
