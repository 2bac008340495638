"""What can go wrong: one class for each exit code of the program (docs/user/exit_codes.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar


class BrecciaError(RuntimeError):
    """The program ended with an error.

    Attributes:
        message: all that the program said about it, as it said it.
        exit_code: of the program, or that which it has for such a fault; negative if a signal ended it; `None` if it was
            not started.
        faults: one mapping a fault with `file`, `line`, `key`, `what` and `remedy`, as far as they are known.
        command: the command line, to type it again.
    """

    code: ClassVar[int | None] = None

    def __init__(
        self,
        message: str,
        *,
        exit_code: int | None = None,
        faults: Sequence[Mapping[str, Any]] = (),
        command: Sequence[str] = (),
    ) -> None:
        super().__init__(message)
        self.message = message
        self.exit_code = self.code if exit_code is None else exit_code
        self.faults = [dict(fault) for fault in faults]
        self.command = list(command)


class BinaryNotFoundError(BrecciaError):
    """There is no program `breccia` in the package, in BRECCIA_BINARY or on the path."""


class MissedError(BrecciaError):
    """The command ended, but a check failed (exit code 1)."""

    code = 1


class ScenarioError(BrecciaError):
    """A scenario, a campaign, a setting or an option is wrong, or a file that they name has changed (exit code 2)."""

    code = 2


class NoAdapterError(BrecciaError):
    """There is no adapter, or not the one that is asked for (exit code 3)."""

    code = 3


class DeviceLostError(BrecciaError):
    """The device was lost twice, or cannot be opened again; `Run.resume` goes on from the last checkpoint (exit code 4)."""

    code = 4


class CapacityError(BrecciaError):
    """It does not fit the device or the machine (exit code 5)."""

    code = 5


class GuardError(BrecciaError):
    """A guard stopped the run, since its numbers can no longer be trusted (exit code 6)."""

    code = 6


class FileError(BrecciaError):
    """A file cannot be read or written, or does not hold what it should; or the disk is full (exit code 7)."""

    code = 7


class StoppedError(BrecciaError):
    """A signal stopped the run or the campaign; `resume` or the same call goes on (exit code 75)."""

    code = 75


class AbortedError(BrecciaError):
    """A second Ctrl-C ended the program at once; `Run.resume` goes on from the last checkpoint (exit code 130)."""

    code = 130


class BrecciaWarning(UserWarning):
    """The program warned of something, and the call succeeded all the same."""


class ExpectationWarning(UserWarning):
    """A run missed expectations of its scenario, or the cases of a campaign those of the campaign."""


class FailedCasesWarning(UserWarning):
    """The campaign ended, and some of its cases failed."""


_CLASSES: dict[int, type[BrecciaError]] = {
    kind.code: kind for kind in BrecciaError.__subclasses__() if kind.code is not None
}


def error_of(exit_code: int) -> type[BrecciaError]:
    """The class of an exit code; `BrecciaError` itself for a code that is not documented, or a signal."""
    return _CLASSES.get(exit_code, BrecciaError)
