"""Scenarios and campaigns made of Python's dictionaries."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator, Mapping
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
    """

    name: str
    text: str

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
    """
    return _document(values, "scenario")


def campaign(values: Mapping[str, Any]) -> Document:
    """A campaign of the keys in docs/user/campaigns.md, for `breccia.sweep`; values as of `scenario`.

    Raises:
        TypeError: a value that TOML does not have.
    """
    return _document(values, "campaign")


def _document(values: Mapping[str, Any], default: str) -> Document:
    whole = {"format": 1, "name": default, **values}
    return Document(name=str(whole["name"]), text=toml.write(whole))


@contextlib.contextmanager
def as_argument(source: str | Path | Document) -> Iterator[str]:
    """What the command line takes for it: a name, a path, or for as long as it lasts a file in the current folder."""
    if not isinstance(source, Document):
        yield str(source)
        return
    # Paths in it count from the folder of the file.
    with tempfile.NamedTemporaryFile("w", dir=".", prefix=".breccia_", suffix=".toml", encoding="utf-8", delete=False) as f:
        f.write(source.text)
    file = Path(f.name)
    try:
        yield file.name
    finally:
        file.unlink(missing_ok=True)
