"""Granular asteroids on any GPU: runs and campaigns of Breccia from Python.

    >>> import breccia
    >>> run = breccia.run("accretion_small", {"bodies.0.count": 64})
    >>> run.frames[-1].position_m.shape
    (64, 3)

Runs are computed by the program `breccia`, which the wheel holds. Results are read from the files that
docs/user/output.md describes: arrays of frames are mapped into memory, and nothing is copied or converted.
"""

from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as _version

from breccia.binary import find_binary
from breccia.documents import Document, campaign, scenario
from breccia.errors import (
    AbortedError,
    BinaryNotFoundError,
    BrecciaError,
    BrecciaWarning,
    CapacityError,
    DeviceLostError,
    ExpectationWarning,
    FailedCasesWarning,
    FileError,
    GuardError,
    MissedError,
    NoAdapterError,
    ScenarioError,
    StoppedError,
)
from breccia.frames import Frame, Frames
from breccia.progress import Progress
from breccia.runs import Expectation, Run, open, run
from breccia.sweeps import sweep

try:
    __version__: str = _version("breccia-dem")
except PackageNotFoundError:  # the folder of the source is on the path
    __version__ = "unknown"

__all__ = [
    "AbortedError",
    "BinaryNotFoundError",
    "BrecciaError",
    "BrecciaWarning",
    "CapacityError",
    "DeviceLostError",
    "Document",
    "Expectation",
    "ExpectationWarning",
    "FailedCasesWarning",
    "FileError",
    "Frame",
    "Frames",
    "GuardError",
    "MissedError",
    "NoAdapterError",
    "Progress",
    "Run",
    "ScenarioError",
    "StoppedError",
    "campaign",
    "find_binary",
    "open",
    "run",
    "scenario",
    "sweep",
]
