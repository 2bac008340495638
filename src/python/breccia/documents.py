"""Scenarios and campaigns made of Python's dictionaries."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from breccia import toml


@dataclass(frozen=True)
class Document:
    """A scenario or a campaign.

    Attributes:
        name: of the run directory, runs/NAME, if no other is given.
        text: in TOML, as in a file. Messages count its lines.

    Raises:
        TypeError: the text is not a `str`.
        ValueError: the text cannot be written as UTF-8.
    """

    name: str
    text: str

    def __post_init__(self) -> None:
        if not isinstance(self.text, str):
            raise TypeError(f"the text of `{self.name}` is of type {type(self.text).__name__}, not str")
        toml.check_text(self.text, f"the text of `{self.name}`")

    def save(self, path: str | Path) -> Path:
        """Writes it into a file, which `breccia run`, `breccia check` and `breccia sweep` take. Returns its path."""
        Path(path).write_text(self.text, encoding="utf-8")
        return Path(path)


def scenario(values: Mapping[str, Any]) -> Document:
    """A scenario of the keys in docs/user/scenarios.md, for `breccia.run`.

    Tables are mappings, and lists of tables such as `bodies` are lists of mappings. Numbers and arrays of numpy are
    taken. Quantities with a unit are texts (`"20 min"`), as in a file. `format = 1` and `name = "scenario"` are added if
    they are missing. Paths count from the current folder of the process.

    Raises:
        TypeError: a value that TOML does not have: `None`, complex numbers, functions. The text names the key.
        ValueError: a text that cannot be written as UTF-8.
    """
    return _document(values, "scenario")


def campaign(values: Mapping[str, Any]) -> Document:
    """A campaign of the keys in docs/user/campaigns.md, for `breccia.sweep`; values as of `scenario`.

    Raises:
        TypeError: a value that TOML does not have.
        ValueError: a text that cannot be written as UTF-8.
    """
    return _document(values, "campaign")


def _document(values: Mapping[str, Any], default: str) -> Document:
    whole = {"format": 1, "name": default, **values}
    return Document(name=str(whole["name"]), text=toml.write(whole))


@contextlib.contextmanager
def as_argument(
    source: str | os.PathLike[str] | Document | Mapping[str, Any], make: Callable[[Mapping[str, Any]], Document]
) -> Iterator[str]:
    """What the command line takes for it: a name, a path, or for as long as it lasts a file in the current folder.

    `make` is `scenario` or `campaign`, for a mapping.
    """
    document = make(source) if isinstance(source, Mapping) else source
    if not isinstance(document, Document):
        yield str(Path(document))
        return
    # Paths in it count from the folder of the file.
    handle, name = tempfile.mkstemp(dir=".", prefix=".breccia_", suffix=".toml")
    file = Path(name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as f:
            f.write(document.text)
        yield file.name
    finally:
        file.unlink(missing_ok=True)
