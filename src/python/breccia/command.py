"""Runs the program: its JSON, its words, its exit code, and how Ctrl-C stops it."""

from __future__ import annotations

import errno
import json
import queue
import signal
import subprocess
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import IO, Any

import numpy as np

from breccia.binary import find_binary
from breccia.errors import BinaryNotFoundError, BrecciaError, BrecciaWarning, error_of

_SWITCHES = frozenset(
    {
        "all", "chains", "checked_shaders", "damaged_frames", "dry_run", "kept_inputs", "list", "log", "no_asteroid",
        "orthographic", "overwrite", "require_gpu", "restart", "retry", "show", "slurm_no_requeue", "software",
        "stop_at_failure", "table", "timing", "walls",
    }
)  # fmt: skip
"""Options that have no value: they are there or not. A test compares them with the words of the program."""

_TICK_S = 0.5
"""How long a wait lasts before Python can heed a Ctrl-C, on Windows."""

_APART_S = 1.0
"""A second Ctrl-C this long after the first is from a person who wants out at once, as the program itself has it."""


@dataclass(frozen=True)
class Outcome:
    """How a command ended.

    Attributes:
        command: what was started.
        exit_code: of the process.
        documents: JSON that it printed, in order: on stdout, and errors on stderr too.
        text: what it said on stderr in words, warnings included.
        warnings: what it warned of on stderr.
    """

    command: list[str]
    exit_code: int
    documents: list[Any]
    text: str
    warnings: list[str]

    def document(self, key: str) -> dict[str, Any]:
        """The last document with this key; an empty one if there is none."""
        return next((d for d in reversed(self.documents) if isinstance(d, dict) and key in d), {})

    def result(self, key: str | None = None) -> dict[str, Any]:
        """The last document, or the last one with this key.

        Raises:
            BrecciaError: there is none, as of a program that is not Breccia.
        """
        found: dict[str, Any] = self.document(key) if key else next(reversed(self.documents), {})
        if not found:
            text = f"{self.command[0]} printed no result of `{self.command[1]}`; it may be another program than Breccia"
            raise BrecciaError(text, exit_code=self.exit_code, command=self.command)
        return found


def warn(texts: Iterable[str], stacklevel: int) -> None:
    """Passes on warnings of the program. `stacklevel` counts from the caller, as that of `warnings.warn` does."""
    for text in texts:
        warnings.warn(text, BrecciaWarning, stacklevel=stacklevel + 1)


def flags(options: Mapping[str, object]) -> list[str]:
    """Options as the command line takes them: `stop_at_step=5` is `--stop-at-step=5`.

    `True` is the option alone; `None` and `False` leave it out, those of numpy too; values of a list or an array have
    commas between them, and the two ends of a `range` a colon.

    Raises:
        TypeError: an option without a value is neither `True` nor `False`.
    """
    words = []
    for name, given in options.items():
        word = "--" + name.replace("_", "-")
        value = given.tolist() if isinstance(given, (np.ndarray, np.bool_)) else given
        if value is None:
            continue
        if isinstance(value, bool):
            words += [word] if value else []
        elif name in _SWITCHES:
            raise TypeError(f"{name}={value!r}: give True or False")
        elif isinstance(value, (list, tuple)):
            between = ":" if name == "range" else ","
            words.append(f"{word}={between.join(str(v) for v in value)}")
        else:
            words.append(f"{word}={value}")
    return words


def call(
    arguments: Sequence[str],
    *,
    fine: Iterable[int] = (0,),
    heard: Callable[[dict[str, Any]], None] | None = None,
    guided: bool = False,
) -> Outcome:
    """Runs `breccia ARGUMENTS` with `--json` to its end.

    Args:
        arguments: the subcommand and what follows, without `--json`.
        fine: exit codes that are not errors.
        heard: is called in this thread with each line of JSON on stderr.
        guided: the command has `--stop-at-eof`, so that it stops when this process ends, however it ends.

    Raises:
        BinaryNotFoundError: the file is not a program of this machine.
        BrecciaError: the class of any other exit code, with all that the program said.
        KeyboardInterrupt: Ctrl-C; the program has then ended, a run with a checkpoint.
    """
    subcommand, *rest = arguments
    command = [str(find_binary()), subcommand, "--json", *(["--stop-at-eof"] if guided else []), *rest]
    with _started(command, guided) as process:
        talk = _Talk(process)
        try:
            talk.listen(heard)
        except BaseException as cause:
            _stop(process, talk)
            if isinstance(cause, KeyboardInterrupt):
                raise KeyboardInterrupt(talk.last_words()) from None
            raise
    outcome = Outcome(
        command=command,
        exit_code=process.returncode,
        documents=_documents(talk.printed) + talk.errors,
        text="".join(talk.said).strip(),
        warnings=talk.warnings,
    )
    if outcome.exit_code not in fine:
        raise _error(outcome)
    return outcome


def _started(command: Sequence[str], guided: bool) -> subprocess.Popen[str]:
    try:
        return subprocess.Popen(
            command,
            stdin=subprocess.PIPE if guided else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            errors="replace",
        )
    except OSError as fault:
        if fault.errno not in (errno.EACCES, errno.ENOEXEC):
            raise
        raise BinaryNotFoundError(f"{command[0]} is not a program of this machine: {fault.strerror}") from fault


class _Talk:
    """What a process says. Both of its outputs are read all the time, so that it never waits for a reader."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.said: list[str] = []
        self.warnings: list[str] = []
        self.errors: list[Any] = []
        self.printed = ""
        self._silent = False
        self._process = process
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        assert process.stdout is not None and process.stderr is not None
        self._threads = [
            threading.Thread(target=self._read_stdout, args=(process.stdout,), daemon=True),
            threading.Thread(target=self._read_stderr, args=(process.stderr,), daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def listen(self, heard: Callable[[dict[str, Any]], None] | None) -> None:
        """Until it ends: lines of JSON go to `heard`, others are kept. May be called again after an interrupt."""
        while not self._silent:
            try:
                line = self._lines.get(timeout=_TICK_S)
            except queue.Empty:
                continue
            if line is None:
                self._silent = True
                break
            event = _json_line(line)
            if event is None:
                self.said.append(line)
            elif isinstance(event.get("error"), dict):
                self.errors.append(event)
            elif words := event.get("message", event.get("warning")):
                self.said.append(f"{words}\n")
                if "warning" in event or event.get("level") == "WARN":
                    self.warnings.append(str(words).removeprefix("WARNING: "))
            elif heard:
                heard(event)
        for thread in self._threads:
            thread.join()
        self._process.wait()

    def last_words(self) -> str:
        """The last line in words, without that of the program's own hint if it said nothing."""
        words = "".join(self.said).strip()
        return words.splitlines()[-1] if words else ""

    def _read_stdout(self, pipe: IO[str]) -> None:
        self.printed = pipe.read()

    def _read_stderr(self, pipe: IO[str]) -> None:
        for line in pipe:
            self._lines.put(line)
        self._lines.put(None)


def _stop(process: subprocess.Popen[str], talk: _Talk) -> None:
    """Asks the process to stop, and waits for its checkpoint. A second Ctrl-C ends it at once."""
    begun = time.monotonic()
    if process.stdin is not None:
        process.stdin.close()
    else:
        process.terminate()
    while True:
        try:
            talk.listen(None)
            return
        except KeyboardInterrupt:
            if time.monotonic() - begun > _APART_S:
                process.kill()


def _json_line(line: str) -> dict[str, Any] | None:
    """The object of a line of JSON; `None` for words."""
    if not line.startswith("{"):
        return None
    try:
        found = json.loads(line)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _documents(printed: str) -> list[Any]:
    """All JSON documents of a text, each on one line or several."""
    decoder, found, at = json.JSONDecoder(), [], 0
    while at < len(printed):
        if printed[at].isspace():
            at += 1
            continue
        try:
            document, at = decoder.raw_decode(printed, at)
        except ValueError:
            break
        found.append(document)
    return found


def _error(outcome: Outcome) -> BrecciaError:
    errors = [d["error"] for d in outcome.documents if isinstance(d, dict) and isinstance(d.get("error"), dict)]
    faults = errors[-1].get("faults", []) if errors else []
    # The words hold the error too or, where errors are JSON alone, only what was said before it.
    told = errors[-1].get("message") or "\n".join(map(_fault, faults)) if errors else ""
    parts = [outcome.text] if told in outcome.text else [outcome.text, told]
    message = "\n".join(filter(None, parts)).removeprefix("error: ") or _silent_end(outcome.exit_code)
    kind = error_of(outcome.exit_code)
    return kind(message, exit_code=outcome.exit_code, faults=faults, command=outcome.command)


def _fault(fault: Mapping[str, Any]) -> str:
    """A fault in words: `file:line: key: what; remedy`."""
    where = ":".join(str(fault[k]) for k in ("file", "line") if fault.get(k) is not None)
    parts = [part for part in (fault.get("context"), where, fault.get("key"), fault.get("what")) if part]
    return ": ".join(map(str, parts)) + (f"; {fault['remedy']}" if fault.get("remedy") else "")


def _silent_end(exit_code: int) -> str:
    if exit_code >= 0:
        return f"the program ended with exit code {exit_code} and said nothing"
    try:
        name = signal.Signals(-exit_code).name
    except ValueError:
        name = f"signal {-exit_code}"
    return f"the program was ended by {name}; a machine that is out of memory ends programs by SIGKILL"
