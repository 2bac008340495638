"""Reads the frames of a run: folders of .npy arrays, mapped into memory. No other module knows their files."""

from __future__ import annotations

import math
import os
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from breccia.files import named, read_json

UNITS: Mapping[str, str] = {
    "position": "m",
    "velocity": "m/s",
    "spin": "rad/s",
    "radius": "m",
    "mass": "kg",
    "wall_travel": "m",
    "pressure": "Pa",
    "contact_force": "N",
    "contact_overlap": "m",
    "contact_normal_force": "N",
    "contact_tangential_force": "N",
    "contact_point": "m",
    "contact_torque": "N m",
    "wall_force": "N",
    "wall_point": "m",
    "wall_overlap": "m",
    "corner": "m",
    "part_volume": "m3",
    "part_inertia": "m5",
    "volume": "m3",
    "inertia": "m5",
}
"""Units of the arrays that have one, by the names of their files; docs/user/output.md explains all arrays."""


Reader = Callable[[], NDArray[Any]]
"""Reads one array."""


class Arrays:
    """A folder of arrays. Each is an attribute with its unit, and an item by the name of its file.

    `frame.position_m` and `frame["position"]` are the same array. `dir` lists the attributes, and iteration the files.
    Arrays are read-only maps of the files (numpy.memmap): numbers are read from the disk as they are used.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path).absolute()
        self._read: dict[str, NDArray[Any]] = {}

    @cached_property
    def _readers(self) -> dict[str, Reader]:
        return self._find()

    def _find(self) -> dict[str, Reader]:
        """How to read each array, by its name."""
        return {file.stem: partial(_map, file) for file in self.path.glob("*.npy")}

    @property
    def names(self) -> list[str]:
        """Names of the arrays, without units, in order of the alphabet."""
        return sorted(self._readers)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __contains__(self, name: object) -> bool:
        return name in self._readers

    def __getitem__(self, name: str) -> NDArray[Any]:
        if name not in self._readers:
            raise KeyError(self._missing(name))
        if name not in self._read:
            self._read[name] = self._readers[name]()
        return self._read[name]

    def __getattr__(self, attribute: str) -> NDArray[Any]:
        if attribute.startswith("_") or attribute == "path":
            raise AttributeError(attribute)  # an empty object, which copy and pickle make, has no path yet
        for name in self._readers:
            if attribute_of(name) == attribute:
                return self[name]
        raise AttributeError(self._missing(attribute))

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *map(attribute_of, self.names)})

    def _missing(self, name: str) -> str:
        there = ", ".join(map(attribute_of, self.names)) or "no arrays"
        contacts = name.startswith(("contact", "wall", "pair"))
        hint = "; contacts are written with the setting output.contacts = True" if contacts else ""
        return f"{self.path} has no array `{name}`; it has {there}{hint}"


class Frame(Arrays):
    """A recorded instant of a run, with the arrays of docs/user/output.md, such as `position_m` of shape (bodies, 3).

    Bodies have the same order in all arrays and frames; `id` names them. What never changes may be once in the folder
    bodies/ of the run, and is here all the same. Arrays of a compressed frame are read into memory. Those that are kept
    in 32 bits about an offset are sums in 64 bits.
    """

    def _find(self) -> dict[str, Reader]:
        found = super()._find()
        packed = self.path / "arrays.npz"
        if packed.is_file():
            with named(packed), np.load(packed, allow_pickle=False) as inside:
                found |= {name: partial(_unpack, packed, name) for name in inside.files}
        for name, offset in self.time.get("offset", {}).items():
            if relative := found.pop(f"{name}_relative", None):
                found[name] = partial(_about, relative, offset)
        rows = found.get("body")
        for file in (self.path.absolute().parents[1] / "bodies").glob("*.npy"):
            found.setdefault(file.stem, partial(_rows, partial(_map, file), rows))
        return found

    @property
    def number(self) -> int:
        """Number of the frame; 0 is the state before the first step."""
        return int(self.path.absolute().name)

    @property
    def time(self) -> dict[str, Any]:
        """Contents of time.json: `step` and `time_s`, and in a frame that turns its pose, `frame`."""
        return read_json(self.path / "time.json")

    @property
    def time_s(self) -> float:
        """Simulated time (s)."""
        with named(self.path / "time.json"):
            return float(self.time["time_s"])

    @property
    def step(self) -> int:
        """Steps done."""
        with named(self.path / "time.json"):
            return int(self.time["step"])

    def __repr__(self) -> str:
        return f"<breccia.Frame {self.number}: t = {self.time_s:.6g} s, {', '.join(map(attribute_of, self.names))}>"


class Frames(Sequence[Frame]):
    """The frames of a run in order, as they were when this list was made. A run that goes on has more later."""

    def __init__(self, frames: Sequence[Frame]) -> None:
        self._frames = list(frames)

    @staticmethod
    def of(run: Path) -> Frames:
        """Lists the frames of a run directory. There are none until the first is written."""
        try:
            names = sorted((name for name in os.listdir(run / "frames") if name.isdigit()), key=int)
        except FileNotFoundError:
            names = []
        there = {int(name) for name in names}
        if missing := sorted(set(range(max(there, default=0))) - there):
            what = f"{run} lacks frame {missing[0]}, so that later ones have smaller indices than numbers"
            warnings.warn(f"{what}; see `breccia info`", stacklevel=3)
        return Frames([Frame(run / "frames" / name) for name in names])

    @overload
    def __getitem__(self, index: int) -> Frame: ...
    @overload
    def __getitem__(self, index: slice) -> Frames: ...
    def __getitem__(self, index: int | slice) -> Frame | Frames:
        if isinstance(index, slice):
            return Frames(self._frames[index])
        try:
            return self._frames[index]
        except IndexError:
            raise IndexError(f"frame {index} of {len(self._frames)} frames") from None

    def __len__(self) -> int:
        return len(self._frames)

    @property
    def times_s(self) -> NDArray[np.float64]:
        """Simulated time of each frame (s)."""
        return np.array([frame.time_s for frame in self._frames], dtype=np.float64)

    def nearest(self, time_s: float) -> Frame:
        """The frame whose time is nearest to `time_s` (s).

        Raises:
            IndexError: there are no frames.
            ValueError: `time_s` is not a finite number.
        """
        if not self._frames:
            raise IndexError("the run has no frames")
        return self._frames[int(np.argmin(np.abs(self.times_s - _seconds(time_s))))]

    def __repr__(self) -> str:
        return f"<breccia.Frames: {len(self)}>"


def attribute_of(name: str) -> str:
    """Attribute of an array: the name of its file and its unit, as in `velocity_m_s`."""
    unit = UNITS.get(name)
    return name if unit is None else f"{name}_{unit.lower().replace('/', '_').replace(' ', '_')}"


def _seconds(time_s: float) -> float:
    """A time as a finite number."""
    try:
        seconds = float(time_s)
    except ValueError:
        seconds = math.nan
    if not math.isfinite(seconds):
        raise ValueError(f"{time_s!r} is not a time in seconds; give a finite number")
    return seconds


def _map(file: Path) -> NDArray[Any]:
    """The array of a file, as a map of it."""
    with named(file):
        found: NDArray[Any] = np.load(file, mmap_mode="r", allow_pickle=False)
    return found


def _unpack(file: Path, name: str) -> NDArray[Any]:
    """An array of a compressed file."""
    with named(file), np.load(file, allow_pickle=False) as inside:
        return _frozen(inside[name])


def _about(relative: Reader, offset: Sequence[float]) -> NDArray[Any]:
    """Vectors in 64 bits from those in 32 bits about an offset."""
    return _frozen(relative().astype(np.float64) + np.asarray(offset, dtype=np.float64))


def _rows(whole: Reader, rows: Reader | None) -> NDArray[Any]:
    """The rows of all bodies that a frame has; without `rows` it has all."""
    return whole() if rows is None else _frozen(whole()[rows()])


def _frozen(array: NDArray[Any]) -> NDArray[Any]:
    array.setflags(write=False)
    return array
