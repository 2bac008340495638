"""Runs that are stopped: by themselves, by Ctrl-C, by a callback; and what resuming them gives."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import breccia
import pytest

LONG = {"bodies.0.count": 64, "run.duration_s": 3600, "output.frames": 4, "output.series_rows": 40}
"""Settings of `accretion_small`: 90,000 steps, two seconds or more in f64, for several lines of progress."""

EVERYTHING = ("series.csv", "frames/000004/position.npy", "quantities.json")


def _same(a: breccia.Run, b: breccia.Run) -> None:
    for file in EVERYTHING:
        assert (a.path / file).read_bytes() == (b.path / file).read_bytes(), file


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> breccia.Run:
    """The run that nothing has cut off."""
    out = tmp_path_factory.mktemp("whole") / "run"
    return breccia.run("accretion_small", LONG, out=out, engine="reference")


def test_a_run_that_stops_where_it_should_goes_on_to_the_same_bytes(whole: breccia.Run) -> None:
    run = breccia.run("accretion_small", LONG, out="cut", engine="reference", stop_at_step=1000)
    assert run.status == "stopped" and not run.finished and run.expectations == []
    assert run.resume(stop_at_step=2000).status == "stopped"
    assert run.resume() is run and run.finished
    _same(run, whole)


def test_a_callback_hears_of_progress_and_its_exception_stops_the_run(whole: breccia.Run) -> None:
    heard: list[breccia.Progress] = []

    def at_once(progress: breccia.Progress) -> None:
        heard.append(progress)
        raise ValueError("enough")

    with pytest.raises(ValueError, match="enough"):
        breccia.run("accretion_small", LONG, out="cut", engine="reference", progress=at_once)
    [first] = heard
    assert 0 < first.step < first.steps == whole.manifest["steps"]
    assert 0 < first.fraction < 1 and first.time_s > 0 and first.steps_per_s > 0
    run = breccia.open("cut")
    assert run.status == "stopped"
    _same(run.resume(), whole)


PROGRAM = """
import breccia
try:
    breccia.run("accretion_small", {settings}, out="cut", engine="reference", progress=lambda p: print(p.step, flush=True))
except KeyboardInterrupt as interrupt:
    print("interrupted:", interrupt, flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signal for one process alone")
def test_ctrl_c_in_python_leaves_a_checkpoint(folder: Path, whole: breccia.Run) -> None:
    # Only Python gets the signal, as the kernel of a notebook does.
    with _python(PROGRAM.format(settings=LONG)) as python:
        assert python.stdout is not None and int(python.stdout.readline()) > 0
        python.send_signal(signal.SIGINT)
        words = python.communicate(timeout=60)[0]
    assert words.splitlines()[-1].startswith("interrupted:") and "breccia resume cut" in words
    run = breccia.open("cut")
    assert run.status == "stopped"
    _same(run.resume(), whole)


CAMPAIGN = {"name": "slow", "scenario": "accretion_small", "engine": "reference", "set": LONG, "grid": {"seed": [1, 2]}}

SWEEP = """
import breccia
try:
    breccia.sweep(breccia.campaign({campaign}), jobs=2)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signal for one process alone")
def test_ctrl_c_stops_a_sweep_which_goes_on(folder: Path) -> None:
    cases = folder / "runs/slow/cases"
    with _python(SWEEP.format(campaign=CAMPAIGN)) as python:
        begun = time.monotonic()
        while len(list(cases.glob("*/checkpoint/*"))) < 2:
            assert time.monotonic() - begun < 60, "no case has begun"
            time.sleep(0.02)
        python.send_signal(signal.SIGINT)
        assert python.communicate(timeout=60)[0] == "interrupted\n"
    assert {breccia.open(case).status for case in cases.iterdir()} == {"stopped"}
    assert list(breccia.sweep(breccia.campaign(CAMPAIGN), jobs=2, as_arrays=True)["status"]) == ["done"] * 2


LATE = """
import subprocess, breccia
wait, first = subprocess.Popen.wait, [True]
def interrupted(process, *args, **kwargs):
    if first.pop() if first else False:
        raise KeyboardInterrupt
    return wait(process, *args, **kwargs)
subprocess.Popen.wait = interrupted
try:
    breccia.run("bounce", {"run.duration_s": 0.01}, out="late", engine="reference")
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


def test_ctrl_c_after_the_last_words_of_the_program_is_heeded(folder: Path) -> None:
    with _python(LATE) as python:
        try:
            assert python.communicate(timeout=60)[0] == "interrupted\n"
        finally:
            python.kill()
    assert breccia.open("late").status == "done"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_a_run_stops_when_its_python_is_killed(folder: Path) -> None:
    with _python(PROGRAM.format(settings=LONG)) as python:
        assert python.stdout is not None and int(python.stdout.readline()) > 0
        python.kill()
    run = breccia.open("cut")
    begun = time.monotonic()
    while run.status == "running":
        assert time.monotonic() - begun < 60, "the run goes on without its Python"
        time.sleep(0.05)
    assert run.status == "stopped"


def test_a_run_that_something_else_stopped_is_an_error(program: Callable[[str], None], folder: Path) -> None:
    (folder / "manifest.json").write_text('{"status": "stopped"}')
    program("""print('{"out": ".", "ended": {"Stopped": 7}}')\nprint("stopped at step 7", file=sys.stderr)\nsys.exit(75)""")
    with pytest.raises(breccia.StoppedError, match="stopped at step 7") as caught:
        breccia.run("bounce")
    assert caught.value.exit_code == 75
    assert breccia.run("bounce", stop_at_step=7).status == "stopped"
    with pytest.raises(breccia.StoppedError):
        breccia.sweep("restitution")


def test_a_bar_is_drawn_where_it_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    breccia.run("accretion_small", LONG, engine="reference", progress=True, stop_at_step=45000)
    bar = capsys.readouterr().err
    assert "steps/s" in bar and "%" in bar and bar.endswith("\r")
    breccia.run("bounce", engine="reference")
    assert capsys.readouterr().err == "", "stderr is no terminal"


def _python(program: str) -> subprocess.Popen[str]:
    # A shell starts what it puts into the background with Ctrl-C ignored, and children inherit that.
    program = f"import signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n{program}"
    package = str(Path(breccia.__file__).parents[1])
    return subprocess.Popen(
        [sys.executable, "-c", program],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": package},
        start_new_session=True,
    )
