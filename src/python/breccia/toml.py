"""Writes TOML, for scenarios, campaigns and settings."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Any

import numpy as np

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+\Z")


def write(values: Mapping[str, Any]) -> str:
    """A document: the values of a table come first, then its tables, each with a header of its own.

    Raises:
        TypeError: a value that TOML does not have; the text names the key.
    """
    lines: list[str] = []
    _table(lines, values, ())
    return "\n".join(lines) + "\n"


def value(thing: Any, where: str = "value") -> str:
    """One value on one line; tables are in braces. `where` names it in errors.

    Raises:
        TypeError: TOML has no such value.
        ValueError: a text that cannot be written as UTF-8.
    """
    if isinstance(thing, np.ndarray):
        return value(thing.tolist(), where)
    if isinstance(thing, np.floating):
        return _float(float(thing))
    if isinstance(thing, (np.integer, np.bool_)):
        return value(thing.item(), where)
    if isinstance(thing, bool):
        return "true" if thing else "false"
    if isinstance(thing, int):
        return str(thing)
    if isinstance(thing, float):
        return _float(thing)
    if isinstance(thing, (str, PurePath)):
        # The escapes of JSON are among those of TOML, except that of half a character.
        return json.dumps(check_text(str(thing), where), ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(thing, Mapping):
        return "{ " + ", ".join(f"{key(k, where)} = {value(v, f'{where}.{k}')}" for k, v in thing.items()) + " }"
    if isinstance(thing, Sequence) and not isinstance(thing, (bytes, bytearray)):
        return "[" + ", ".join(value(v, f"{where}.{k}") for k, v in enumerate(thing)) + "]"
    raise TypeError(
        f"{where}: {thing!r} of type {type(thing).__name__} cannot be written; a scenario has numbers, texts, True and "
        "False, lists, arrays and mappings" + ("; leave the key out" if thing is None else "")
    )


def key(name: Any, where: str = "key") -> str:
    """A key, in quotes if need be.

    Raises:
        TypeError: it is not a text.
        ValueError: it cannot be written as UTF-8.
    """
    if not isinstance(name, str):
        raise TypeError(f"{where}: the key {name!r} is not a text")
    return name if _BARE_KEY.match(name) else json.dumps(check_text(name, where), ensure_ascii=False)


def check_text(text: str, where: str) -> str:
    """The text, which has a form in UTF-8.

    Raises:
        ValueError: it has none, since it has half a character.
    """
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as fault:
        half = text[fault.start : fault.end]
        raise ValueError(f"{where}: a text with {half!r}, half a character, cannot be written as UTF-8") from fault
    return text


def _float(number: float) -> str:
    if math.isnan(number):
        return "nan"
    if math.isinf(number):
        return "inf" if number > 0 else "-inf"
    return repr(number)


def _table(lines: list[str], table: Mapping[str, Any], path: tuple[str, ...]) -> None:
    """The lines of a table whose header is written."""
    below: list[tuple[str, Any]] = []
    for name, thing in table.items():
        if isinstance(thing, Mapping) or _is_list_of_tables(thing):
            below.append((name, thing))
        else:
            lines.append(f"{key(name)} = {value(thing, '.'.join((*path, str(name))))}")
    for name, thing in below:
        inner = (*path, str(name))
        header = ".".join(key(part) for part in (*path, name))
        if isinstance(thing, Mapping):
            lines.append(f"\n[{header}]")
            _table(lines, thing, inner)
            continue
        for row in thing:
            lines.append(f"\n[[{header}]]")
            _table(lines, row, inner)


def _is_list_of_tables(thing: Any) -> bool:
    return isinstance(thing, (list, tuple)) and len(thing) > 0 and all(isinstance(row, Mapping) for row in thing)
