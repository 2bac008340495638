"""Runs: starts them, opens them, reads what they left."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from breccia import documents, tables, toml
from breccia.command import Outcome, call, flags, warn
from breccia.dataset import dataset
from breccia.errors import BrecciaWarning, ExpectationWarning, FileError, MissedError, StoppedError
from breccia.files import named, read_json
from breccia.frames import Arrays, Frames
from breccia.progress import Progress, Wish, wanted_bar

_MISSED = 1
_STOPPED = 75


@dataclass(frozen=True)
class Expectation:
    """What a scenario expects of a run, and what the run showed.

    Attributes:
        quantity: its name, with the unit (docs/user/output.md#quantities-for-expect).
        value: measured; `None` if the run does not show it.
        expected: wanted value.
        tolerance: allowed deviation, in the unit of the value.
        ok: the value is within it.
        source: where the number comes from.
    """

    quantity: str
    value: float | None
    expected: float
    tolerance: float
    ok: bool
    source: str


class Run:
    """A run directory. Everything is read from its files when it is asked for, also while the run is computed."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        # whatever folder the program goes to later
        self.path = Path(path).absolute()
        if not (self.path / "manifest.json").is_file():
            what = "holds no run: manifest.json is missing" if self.path.is_dir() else "there is no such directory"
            raise FileError(f"{self.path}: {what}")

    def __repr__(self) -> str:
        manifest = self.manifest
        return f"<breccia.Run {self.path}: {manifest.get('status')}, bodies: {manifest.get('bodies')}, frames: {len(self.frames)}>"

    @property
    def manifest(self) -> dict[str, Any]:
        """Contents of manifest.json: what ran on which device, and how it ended."""
        return self._json("manifest.json")

    @property
    def resolved(self) -> dict[str, Any]:
        """Contents of resolved.json: every value that was used, defaults included."""
        return self._json("resolved.json")

    @property
    def status(self) -> str:
        """`running`, `done`, `failed`, `stopped` or `replaced`; after a crash it is still `running`."""
        return str(self.manifest.get("status"))

    @property
    def finished(self) -> bool:
        """True if the run came to its end; if not, `resume` goes on."""
        return self.status == "done"

    @property
    def expectations(self) -> list[Expectation]:
        """What the scenario expects, and what the finished run showed; empty until it is finished."""
        fields = Expectation.__dataclass_fields__
        rows = self._json("quantities.json", default={}).get("expect", [])
        with named(self.path / "quantities.json"):
            return [Expectation(**{name: row.get(name) for name in fields}) for row in rows]

    @property
    def quantities(self) -> dict[str, float | None]:
        """Quantities of the finished run by name; empty until it is finished."""
        found = self._json("quantities.json", default={}).get("quantities", {})
        with named(self.path / "quantities.json"):
            return dict(found)

    @property
    def frames(self) -> Frames:
        """The frames that are there now. Keep it in a variable to go through many: each call lists the folder."""
        return Frames.of(self.path)

    @property
    def shapes(self) -> Arrays:
        """Arrays of shapes/, what the bodies are; polyhedra only.

        Raises:
            FileError: the bodies of this run are spheres.
        """
        if not (self.path / "shapes").is_dir():
            raise FileError(f"{self.path}: there is no folder `shapes`, which runs of polyhedra have")
        return Arrays(self.path / "shapes")

    @property
    def series(self) -> Any:
        """The time series, a row an instant: a pandas.DataFrame if pandas is installed, else as `series_arrays`."""
        return tables.as_table(self.series_arrays())

    def series_arrays(self) -> tables.Arrays:
        """The time series as numpy arrays by the names of their columns, all of one length; units are in the names.

        Raises:
            FileError: a row is damaged.

        Warns:
            BrecciaWarning: the run has ended, and its last rows are missing.
        """
        file = self.path / "series.csv"
        with named(file):
            arrays = tables.read_arrays(file, numbers=True)
        self._warn_of_missing_rows(file, arrays)
        return arrays

    def _warn_of_missing_rows(self, file: Path, arrays: tables.Arrays) -> None:
        """Compares the end of the series with that of a run that has ended."""
        if self.status == "running":
            return
        what = "" if file.read_bytes().endswith(b"\n") else "its last row is cut off"
        sessions = self.path / "sessions.json"
        if not what and self.finished and sessions.is_file():
            with named(sessions):
                end = json.loads(sessions.read_text(encoding="utf-8"))[-1]["to_step"]
            step = max(arrays.get("step", ()), default=0)
            what = f"it ends at step {step:.0f}, and the run ended at step {end}" if step < end else ""
        if what:
            warnings.warn(f"{file}: {what}; `breccia info {self.path}` says more", BrecciaWarning, stacklevel=4)

    def to_xarray(self, arrays: str | Sequence[str] | None = None, frames: slice = slice(None)) -> Any:
        """Arrays of bodies over time as an xarray.Dataset, with units as attributes.

        Dimensions are `time` (s), `body` (ids), and for vectors `component`, for orientations `quaternion`. Arrays are
        read into memory: choose some by `arrays=["position_m"]`, or one by its name alone, and some frames by
        `frames=slice(0, None, 10)`. Contacts are left out, since each frame has others.

        Raises:
            ImportError: xarray is not installed; the text says how to install it.
            TypeError: `frames` is not a slice.
            ValueError: there is no frame, or no such array.
        """
        if not isinstance(frames, slice):
            raise TypeError(f"frames={frames!r}: give a slice, such as slice(3, 4) for frame 3 alone")
        manifest = self.manifest
        told = ("scenario", "version", "engine")
        names = [arrays] if isinstance(arrays, str) else arrays
        return dataset(self.frames[frames], names, {key: manifest[key] for key in told if key in manifest})

    def resume(
        self,
        *,
        gpu: str | int | None = None,
        stop_at_step: int | None = None,
        progress: Wish = None,
        **options: object,
    ) -> Run:
        """Goes on from the newest whole checkpoint, as `breccia resume`; parameters are those of `breccia.run`.

        Returns:
            This run, `finished` or stopped at `stop_at_step`.

        Raises:
            BrecciaError: as `breccia.run`.

        Warns:
            BrecciaWarning: the program warned of something.
        """
        options |= {"gpu": gpu, "stop_at_step": stop_at_step}
        outcome = _drive(["resume", *flags(options), "--", str(self.path)], progress)
        outcome.result("out")
        _end(outcome, self, options, judged=False)
        return self

    def render(self, **options: object) -> dict[str, Any]:
        """Draws bodies and plots, as `breccia render`: `run.render(color="pressure", frame=3)`.

        Returns:
            Files by kind: `pictures` and `plots` are lists, `movie` is a path or `None`.
        """
        return self._thin("render", [], options)

    def analyze(self, *what: str, **options: object) -> dict[str, Any]:
        """Measures frames, as `breccia analyze`: `run.analyze("clusters", frame="all")`.

        Returns:
            What `--json` prints (docs/user/analysis.md): `frames` has a mapping for each frame.
        """
        return self._thin("analyze", list(what), options)

    def export(self, **options: object) -> dict[str, Any]:
        """Writes frames for ParaView and OVITO, as `breccia export`: `run.export(format=["vtp", "xyz"], frame="all")`.

        Returns:
            `frames`, how many, and `files`, their paths.
        """
        return self._thin("export", [], options)

    def _thin(self, command: str, what: list[str], options: Mapping[str, object]) -> dict[str, Any]:
        outcome = call([command, *flags(options), "--", str(self.path), *what])
        warn(outcome.warnings, stacklevel=3)
        return outcome.result()

    def _json(self, name: str, default: dict[str, Any] | None = None) -> dict[str, Any]:
        path = self.path / name
        return default if default is not None and not path.is_file() else read_json(path)


def run(
    scenario: str | os.PathLike[str] | documents.Document | Mapping[str, Any],
    settings: Mapping[str, Any] | None = None,
    *,
    out: str | os.PathLike[str] | None = None,
    overwrite: bool = False,
    gpu: str | int | None = None,
    engine: str | None = None,
    stop_at_step: int | None = None,
    progress: Wish = None,
    **options: object,
) -> Run:
    """Computes a run to its end, as `breccia run`.

    Args:
        scenario: name of a built-in scenario, path of a file, what `breccia.scenario` made, or a mapping that it takes.
        settings: keys of the scenario and their new values, as after `--set`: `{"bodies.0.count": 500}`. A text may be
            a quantity with a unit, as in `{"run.duration_s": "20 min"}`.
        out: the run directory; runs/NAME if it is not given.
        overwrite: replaces a run that is there.
        gpu: adapter, by its index or a part of its name.
        engine: `"gpu"` or `"reference"`, which computes in f64 on one CPU core.
        stop_at_step: stops with a checkpoint once this many steps are done.
        progress: a callback that takes a `Progress`; `True` draws a bar on stderr, `False` does not. If it is not
            given, there is a bar if stderr is a terminal.
        options: other options of `breccia run`, with underscores: `require_gpu=True`. Of `expect`, `"fail"` makes a
            missed expectation a `MissedError`, and `"warn"` a warning also with `settings`.

    Returns:
        The run: `finished`, or stopped at `stop_at_step`.

    Raises:
        BrecciaError: a class for each exit code, such as `ScenarioError`, with the words of the program.
        KeyboardInterrupt: Ctrl-C; the run has stopped with a checkpoint, and `Run.resume` goes on.
        StoppedError: something else stopped it, with a checkpoint.
        TypeError: a value of `settings` or of a mapping cannot be written in TOML, or a flag is neither `True` nor
            `False`.

    Warns:
        BrecciaWarning: the program warned of something, or the manifest of the run does.
        ExpectationWarning: the run missed expectations of its scenario. Nothing is said with `settings`, since
            expectations are those of the scenario without them; see `Run.expectations`.
    """
    if "set" in options:
        raise TypeError('set: use `settings`, a mapping of keys and values: breccia.run("bounce", {"run.duration_s": 1})')
    if not isinstance(settings, (Mapping, type(None))):
        raise TypeError(f'settings={settings!r}: give a mapping, such as {{"run.duration_s": 1}}')
    sets = [f"--set={key}={toml.value(value, key)}" for key, value in (settings or {}).items()]
    options |= {"out": out, "overwrite": overwrite, "gpu": gpu, "engine": engine, "stop_at_step": stop_at_step}
    with documents.as_argument(scenario, documents.scenario) as name:
        outcome = _drive(["run", *flags(options), *sets, "--", name], progress)
    made = Run(outcome.result("out")["out"])
    _end(outcome, made, options, judged=not sets)
    return made


def open(path: str | os.PathLike[str]) -> Run:
    """Opens a run directory.

    Raises:
        FileError: there is no run.
    """
    return Run(path)


def _drive(arguments: list[str], progress: Wish) -> Outcome:
    """Runs a command that computes steps, and tells whoever wants to know how far it is."""
    if not (progress is None or isinstance(progress, bool) or callable(progress)):
        raise TypeError(f"progress={progress!r}: give a function, True or False")
    bar = wanted_bar(progress)
    tell: Callable[[Progress], object] | None = bar.run if bar else progress if callable(progress) else None

    def heard(line: dict[str, Any]) -> None:
        found = Progress.read(line)
        if found and tell:
            tell(found)

    try:
        return call(arguments, fine=(0, _MISSED, _STOPPED), heard=heard, guided=True)
    finally:
        if bar:
            bar.close()


def _end(outcome: Outcome, run: Run, options: Mapping[str, object], judged: bool) -> None:
    """Refuses a run that was stopped and should not have been; warns as the program does, and of what it missed."""
    asked = any(options.get(name) is not None for name in ("stop_at_step", "max_walltime"))
    if outcome.exit_code == _STOPPED and not asked:
        text = outcome.text or f"the run was stopped with a checkpoint; go on with: breccia resume {run.path}"
        raise StoppedError(text, exit_code=_STOPPED)
    # Those of the manifest may have been said on the way, with more words.
    noted = [text for text in run.manifest.get("warnings", []) if not any(text in said for said in outcome.warnings)]
    warn([*noted, *outcome.warnings], stacklevel=3)
    missed = [e for e in run.expectations if not e.ok] if outcome.exit_code != _STOPPED else []
    lines = [f"{e.quantity} = {e.value}, expected {e.expected} +- {e.tolerance}" for e in missed]
    text = f"{run.path} missed expectations: " + "; ".join(lines)
    wish = options.get("expect", "warn" if judged else "off")
    if missed and wish == "fail":
        raise MissedError(text, exit_code=_MISSED)
    if missed and wish == "warn":
        warnings.warn(text, ExpectationWarning, stacklevel=3)
