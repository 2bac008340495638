"""The frames of a run as one xarray.Dataset."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from breccia.frames import UNITS, Frames, attribute_of

_COMPONENTS = {3: ("component", ["x", "y", "z"]), 4: ("quaternion", ["x", "y", "z", "w"])}
"""Name and labels of the last dimension of an array, by its length."""


def dataset(frames: Frames, arrays: Sequence[str] | None, attributes: dict[str, Any]) -> Any:
    """See `breccia.Run.to_xarray`."""
    try:
        import xarray
    except ImportError as missing:
        raise ImportError("to_xarray needs xarray; install it with: pip install xarray") from missing
    if not frames:
        raise ValueError("there are no frames to read")
    ids = frames[-1]["id"]
    if any(not np.array_equal(frame["id"], ids) for frame in frames):
        raise ValueError("the frames hold different bodies (output.region); choose frames that hold the same ones")
    names = _names(frames, len(ids), arrays)
    coordinates: dict[str, Any] = {"time": ("time", frames.times_s, {"units": "s"}), "body": np.asarray(ids)}
    variables = {}
    for name in names:
        stack = np.stack([frame[name] for frame in frames])
        dimensions = ["time", "body"]
        if stack.ndim == 3:
            last, labels = _COMPONENTS[stack.shape[2]]
            dimensions.append(last)
            coordinates[last] = labels
        units = {"units": UNITS[name]} if name in UNITS else {}
        variables[attribute_of(name)] = (dimensions, stack, units)
    return xarray.Dataset(variables, coordinates, attributes)


def _names(frames: Frames, bodies: int, wanted: Sequence[str] | None) -> list[str]:
    """Files of arrays with a row for each body. Contacts have other rows in each frame."""
    last = frames[-1]
    there = {attribute_of(n): n for n in last.names if n not in ("id", "body") and len(last[n]) == bodies and not _of_contacts(n)}
    if wanted is None:
        return list(there.values())
    unknown = [name for name in wanted if name not in there]
    if unknown:
        raise ValueError(f"{', '.join(unknown)}: there is no such array of bodies; there are {', '.join(there)}")
    return [there[name] for name in wanted]


def _of_contacts(name: str) -> bool:
    return name.startswith(("contact_", "wall_")) or name == "pair"
