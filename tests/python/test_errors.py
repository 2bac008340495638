"""Errors have the class of their exit code and all words of the program."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path

import breccia
import pytest
from breccia.errors import error_of
from conftest import REPOSITORY, SHORT

Place = Callable[[str], None]


def test_every_documented_code_has_a_class() -> None:
    table = (REPOSITORY / "docs/user/exit_codes.md").read_text()
    codes = {int(code) for code in re.findall(r"^\| (\d+) \|", table, re.M)} - {0}
    assert len(codes) >= 9
    for code in codes:
        assert error_of(code).code == code, f"no class for {code}"
        assert f"(exit code {code})" in (error_of(code).__doc__ or "")


def test_a_scenario_that_is_wrong_lists_all_its_faults(folder: Path) -> None:
    text = (REPOSITORY / "scenarios/bounce.toml").read_text()
    (folder / "two.toml").write_text(text.replace("duration_s", "duraton_s").replace("density_kg_m3", "densty_kg_m3"))
    with pytest.raises(breccia.ScenarioError) as caught:
        breccia.run("two.toml", engine="reference")
    error = caught.value
    assert error.exit_code == 2 and str(error) == error.message
    for words in ("two.toml:", "duraton_s", "did you mean `duration_s`?", "densty_kg_m3", "`density_kg_m3`"):
        assert words in error.message, error.message
    assert {"two.toml"} == {fault["file"] for fault in error.faults} and len(error.faults) >= 2
    assert error.command[1:3] == ["run", "--json"] and error.command[-1] == "two.toml"


def test_wrong_names_settings_and_options_are_scenario_errors(bounce: breccia.Run) -> None:
    with pytest.raises(breccia.ScenarioError, match="did you mean `bounce`"):
        breccia.run("bounse")
    with pytest.raises(breccia.ScenarioError, match="run.duraton_s: unknown key; did you mean `run.duration_s`"):
        breccia.run("bounce", {"run.duraton_s": 1})
    with pytest.raises(breccia.ScenarioError, match="--colour-of-money"):
        breccia.run("bounce", colour_of_money=True)
    with pytest.raises(breccia.ScenarioError, match="is the directory of another run"):
        breccia.run("bounce", SHORT, engine="reference", out=bounce.path)


def test_an_adapter_that_is_not_there() -> None:
    with pytest.raises(breccia.NoAdapterError, match="no such adapter of mine") as caught:
        breccia.run("bounce", gpu="no such adapter of mine")
    assert caught.value.exit_code == 3


def test_a_guard_stops_a_run() -> None:
    soft = {"guards.overlap_max": 0.001, **SHORT}
    with pytest.raises(breccia.GuardError, match="overlap") as caught:
        breccia.run("bounce", soft, engine="reference", out="soft")
    assert caught.value.exit_code == 6
    assert breccia.open("soft").status == "failed"


def test_a_run_that_is_not_there(folder: Path) -> None:
    for path, words in [("nowhere", "no such directory"), (".", "manifest.json is missing")]:
        with pytest.raises(breccia.FileError, match=words) as caught:
            breccia.open(path)
        assert caught.value.exit_code == 7
    (folder / "manifest.json").write_text("{}")
    with pytest.raises(breccia.FileError):
        breccia.open(folder).resume()


@pytest.mark.parametrize("code", [1, 2, 3, 4, 5, 6, 7, 130, 99])
def test_words_and_faults_are_kept(program: Place, code: int) -> None:
    fault = {"file": "a.toml", "line": 3, "key": "run.x", "what": "is wrong", "remedy": "mend it"}
    told = json.dumps({"error": {"exit_code": code, "faults": [fault]}})
    words = "a warning\nerror: a.toml:3: run.x: is wrong; mend it\nand one fault more"
    program(f"print({told!r})\nprint({words!r}, file=sys.stderr)\nsys.exit({code})")
    with pytest.raises(error_of(code)) as caught:
        _opened().render()
    assert caught.value.message == words and caught.value.faults == [fault]
    # Machine output alone says the same.
    before = json.dumps({"message": "resume at step 5"})
    program(f"print({before!r}, file=sys.stderr)\nprint({told!r}, file=sys.stderr if {code} % 2 else sys.stdout)\nsys.exit({code})")
    with pytest.raises(error_of(code)) as caught:
        _opened().render()
    assert caught.value.message == "resume at step 5\na.toml:3: run.x: is wrong; mend it"
    assert caught.value.exit_code == code and caught.value.faults == [fault]


def test_a_program_that_is_killed_or_silent(program: Place) -> None:
    program("import os\nos.kill(os.getpid(), 9)")
    with pytest.raises(breccia.BrecciaError, match="SIGKILL") as caught:
        _opened().export()
    assert caught.value.exit_code == -9
    program("sys.exit(5)")
    with pytest.raises(breccia.CapacityError, match="exit code 5 and said nothing"):
        _opened().export()


def test_where_the_program_is_looked_for(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BRECCIA_BINARY", "nowhere")
    with pytest.raises(breccia.BinaryNotFoundError, match="BRECCIA_BINARY=nowhere"):
        breccia.find_binary()
    monkeypatch.delenv("BRECCIA_BINARY")
    monkeypatch.setattr("breccia.binary._script_folders", lambda: [folder])
    monkeypatch.setenv("PATH", "")
    with pytest.raises(breccia.BinaryNotFoundError, match="install the wheel"):
        breccia.find_binary()
    name = folder / ("breccia.exe" if sys.platform == "win32" else "breccia")
    name.write_text("")
    assert breccia.find_binary() == name


def _opened() -> breccia.Run:
    Path("manifest.json").write_text("{}")
    return breccia.open(".")
