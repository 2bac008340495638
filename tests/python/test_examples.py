"""The texts and the examples do what they say."""

from __future__ import annotations

import json
import os
import re
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import breccia
import pytest
from conftest import REPOSITORY

EXAMPLES = REPOSITORY / "docs/examples"


def test_the_tutorial_runs(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("MPLBACKEND", "Agg")
    names = runpy.run_path(str(EXAMPLES / "tutorial.py"))
    printed = capsys.readouterr().out
    # a thousandth: the restitution is that of a step of 2 % of a contact
    assert names["restitution"] == pytest.approx(0.7, abs=1e-3)
    assert "the heaviest aggregate has 64 bodies" in printed and "unknown key" in printed
    assert len(names["table"]["name"]) == 3 and names["half"].finished
    pytest.importorskip("matplotlib")
    assert (folder / "tutorial.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("page", ["README.md", "docs/user/python.md"])
def test_python_in_the_texts_runs(page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MPLBACKEND", "Agg")
    blocks = re.findall(r"^```python\n(.*?)^```", (REPOSITORY / page).read_text(encoding="utf-8"), re.M | re.S)
    assert blocks
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, page, "exec"), names)


def path_with_stops(folder: Path) -> str:
    """A PATH with a breccia that stops every run on its way with exit code 75, and resumes it to its end."""
    stopping = folder / "bin/breccia"
    stopping.parent.mkdir()
    stopping.write_text(f'#!/bin/sh\n[ "$1" = run ] && set -- "$@" --stop-at-step 2000\nexec {breccia.find_binary()} "$@"\n')
    stopping.chmod(0o755)
    return os.pathsep.join([str(stopping.parent), os.environ["PATH"]])


@pytest.mark.nightly
def test_snakemake_runs_the_cases_and_resumes(folder: Path) -> None:
    snakemake = shutil.which("snakemake", path=os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]))
    if snakemake is None:
        pytest.skip("snakemake is not installed; pip install snakemake")
    # every rule fails once
    command = [snakemake, "--snakefile", str(EXAMPLES / "Snakefile"), "--cores", "2"]
    done = subprocess.run(command, env={**os.environ, "PATH": path_with_stops(folder)}, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert len((folder / "table.csv").read_text().splitlines()) == 5
    runs = [breccia.open(path) for path in sorted((folder / "runs").iterdir())]
    assert len(runs) == 4 and all(run.finished for run in runs)
    for run in runs:
        log = (folder / f"logs/{run.path.name}.log").read_text()
        assert "at step 2000, " in log, f"the last try of {run} did not go on from the checkpoint: {log}"


@pytest.mark.nightly
@pytest.mark.skipif(sys.platform == "win32", reason="the task is a script of bash")
def test_the_task_of_nextflow_resumes_and_hands_its_numbers_over(folder: Path) -> None:
    """As Nextflow runs it: by `bash -ue`, each try in a folder of its own. Nextflow itself is not needed."""
    found = re.search(r'script:\n    """\n(.*?)    """', (EXAMPLES / "main.nf").read_text(encoding="utf-8"), re.S)
    assert found
    values = {"params.runs": str(folder / "runs"), "friction": "0.8", "seed": "2"}
    script = re.sub(r"(?<!\\)\$\{([\w.]+)\}", lambda name: values[name[1]], found[1])
    script = re.sub(r"\\([\\$])", r"\1", script)
    environment = {**os.environ, "PATH": path_with_stops(folder)}

    def attempt(number: int) -> int:
        work = folder / f"work{number}"
        work.mkdir()
        return subprocess.run(["bash", "-ue", "-c", script], env=environment, cwd=work, capture_output=True).returncode

    # 75 is tried again, as the process says
    assert [attempt(1), attempt(2)] == [75, 0]
    assert not (folder / "work1/quantities.json").exists()
    quantities = json.loads((folder / "work2/quantities.json").read_text())["quantities"]
    assert quantities["packing_final"] > 0.2 and quantities["coordination_final"] > 1
    assert breccia.open(folder / "runs/friction_0.8_seed_2").finished
