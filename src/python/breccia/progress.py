"""How far a run is, and who is told."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TextIO

_BAR_WIDTH = 30


@dataclass(frozen=True)
class Progress:
    """How far a run is.

    Attributes:
        step: steps done.
        steps: steps in all.
        time_s: simulated time (s).
        contacts: contacts in the last row of the series.
        steps_per_s: speed since this call began, by wall time.
    """

    step: int
    steps: int
    time_s: float
    contacts: float
    steps_per_s: float

    @property
    def fraction(self) -> float:
        """Share of the steps that are done, 0 to 1."""
        return self.step / self.steps if self.steps else 0.0

    @staticmethod
    def read(line: Mapping[str, Any]) -> Progress | None:
        """Progress from a line of `breccia run --json`; `None` if the line says something else."""
        part = line.get("progress")
        if not isinstance(part, Mapping):
            return None
        return Progress(
            step=int(part["step"]),
            steps=int(part["steps"]),
            time_s=float(part["time_s"]),
            contacts=float(part.get("contacts") or 0.0),
            steps_per_s=float(line.get("steps_per_s") or 0.0),
        )


Callback = Callable[[Progress], object]
"""Is called five times a second or less often; what it returns is ignored."""

Wish = Callback | bool | None
"""Who is told: a callback; `True` for a bar, `False` for nobody; `None` for a bar if stderr is a terminal."""


class Bar:
    """A line on stderr that is written again and again."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self._width = 0
        self._begun = time.monotonic()

    def show(self, fraction: float, text: str) -> None:
        """Writes the line: a bar as long as `fraction` (0 to 1) says, and `text`."""
        full = round(_BAR_WIDTH * min(max(fraction, 0.0), 1.0))
        line = f"[{'#' * full}{' ' * (_BAR_WIDTH - full)}] {100.0 * fraction:3.0f} %  {text}{self._left(fraction)}"
        self._file.write("\r" + line.ljust(self._width))
        self._file.flush()
        self._width = len(line)

    def _left(self, fraction: float) -> str:
        """Wall time to the end."""
        spent = time.monotonic() - self._begun
        return f", {spent / fraction - spent:.0f} s left" if 0.01 < fraction < 1.0 else ""

    def run(self, progress: Progress) -> None:
        """Shows how far a run is."""
        self.show(progress.fraction, f"t = {progress.time_s:.4g} s, {progress.steps_per_s:.0f} steps/s")

    def close(self) -> None:
        """Clears the line."""
        if self._width:
            self._file.write("\r" + " " * self._width + "\r")
            self._file.flush()


def wanted_bar(wish: object) -> Bar | None:
    """A bar if it is asked for, or if nothing is said and stderr is a terminal."""
    if wish is True or (wish is None and sys.stderr is not None and sys.stderr.isatty()):
        return Bar(sys.stderr)
    return None
