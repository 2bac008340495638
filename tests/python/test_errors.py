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


WARNS = """import json
print('{"out": ".", "ended": {"Done": []}}')
for line in [
    {"level": "WARN", "message": "the energy drifts; see the guard", "target": "breccia"},
    {"level": "INFO", "message": "all is well"},
    {"message": "resume at step 5"},
    {"warning": "WARNING: the time will not do"},
]:
    print(json.dumps(line), file=sys.stderr)
"""


@pytest.mark.parametrize(
    "command",
    [
        lambda: breccia.run("bounce"),
        lambda: breccia.run("bounce", stop_at_step=5),
        lambda: _opened().resume(),
        lambda: _opened().render(),
        lambda: _opened().analyze("shape"),
        lambda: _opened().export(),
        lambda: breccia.sweep("restitution"),
    ],
)
def test_warnings_of_a_call_that_succeeds_are_passed_on(program: Place, command: Callable[[], object]) -> None:
    Path("manifest.json").write_text("{}")
    program(WARNS)
    with pytest.warns(breccia.BrecciaWarning) as caught:
        command()
    assert [str(w.message) for w in caught] == ["the energy drifts; see the guard", "the time will not do"]
    assert {w.filename for w in caught} == {__file__}, "they point at the call"


def test_warnings_of_the_manifest_are_passed_on_once(program: Place) -> None:
    """With `--json` the program keeps those from before the first step to the manifest."""
    told = {"warnings": ["the bodies overlap", "the energy drifts"]}
    Path("manifest.json").write_text(json.dumps(told))
    program(WARNS)
    with pytest.warns(breccia.BrecciaWarning) as caught:
        breccia.run("bounce")
    texts = ["the bodies overlap", "the energy drifts; see the guard", "the time will not do"]
    assert [str(w.message) for w in caught] == texts


def test_the_program_warns_of_a_method_that_has_no_effect() -> None:
    short = {"bodies.0.count": 8, "run.duration_s": 1, "gravity.0.method": "tree"}
    with pytest.warns(breccia.BrecciaWarning, match="gravity.0.method: the reference engine has no tree") as caught:
        run = breccia.run("accretion_small", short, engine="reference")
    assert run.finished and {w.filename for w in caught} == {__file__}


def test_an_error_has_the_warnings_in_its_words(program: Place) -> None:
    program(WARNS + "sys.exit(6)")
    with pytest.raises(breccia.GuardError, match="(?s)the energy drifts.*the time will not do"):
        breccia.run("bounce")


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


@pytest.mark.skipif(sys.platform == "win32", reason="Windows knows programs by their names")
def test_a_file_that_is_no_program_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = folder / "program"
    file.write_text("words\n")
    monkeypatch.setenv("BRECCIA_BINARY", str(file))
    with pytest.raises(breccia.BinaryNotFoundError, match=f"BRECCIA_BINARY={file}: the file is not executable"):
        breccia.run("bounce")
    file.chmod(0o755)
    with pytest.raises(breccia.BinaryNotFoundError, match=f"{file} is not a program of this machine: Exec format error"):
        breccia.run("bounce")


@pytest.mark.parametrize("lines", ["", "print(1)", "print('Breccia is a rock')", "sys.exit(1)"])
def test_another_program_is_named(folder: Path, program: Place, lines: str) -> None:
    program(lines)
    words = f"{folder / 'program'} printed no result of `run`; it may be another program than Breccia"
    with pytest.raises(breccia.BrecciaError, match=words) as caught:
        breccia.run("bounce")
    assert caught.value.command[:2] == [str(folder / "program"), "run"]
    with pytest.raises(breccia.BrecciaError, match="printed no result of `resume`"):
        _opened().resume()


def test_another_program_measures_and_sweeps_nothing(program: Place) -> None:
    program("print('Breccia is a rock')")
    calls: list[Callable[[], object]] = [_opened().render, _opened().analyze, _opened().export, lambda: breccia.sweep("any")]
    for call in calls:
        with pytest.raises(breccia.BrecciaError, match="printed no result"):
            call()


def _opened() -> breccia.Run:
    Path("manifest.json").write_text("{}")
    return breccia.open(".")
