"""Texts of tables stay texts, and options and paths become words of the command line."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import breccia
import numpy as np
import pytest
from breccia.command import _SWITCHES, flags
from breccia.tables import read_arrays


def _read(folder: Path, text: str) -> dict[str, Any]:
    (folder / "table.csv").write_text(text)
    return read_arrays(folder / "table.csv")


@pytest.mark.parametrize("column", ["name", "program", "engine", "recipe", "label"])
def test_columns_of_texts_are_never_numbers(folder: Path, column: str) -> None:
    for cells in (["000_1", "000_2"], ["1", "2"], ["nan", "1e5"], ["", ""]):
        read = _read(folder, f"case,{column},value\n" + "".join(f"1,{cell},0.5\n" for cell in cells))
        assert read[column].dtype == object and list(read[column]) == cells
        assert read["case"].dtype == np.int64 and read["value"].dtype == np.float64


@pytest.mark.parametrize("cells", [["000_1", "1"], ["1_0", "2"], ["007", "8"], ["nan", "1.5"], ["00.5", "1"], [" 1", "2"]])
def test_what_the_program_writes_as_no_number_is_a_text(folder: Path, cells: list[str]) -> None:
    read = _read(folder, "kind\n" + "".join(f"{cell}\n" for cell in cells))
    assert read["kind"].dtype == object and list(read["kind"]) == cells


def test_what_the_program_writes_as_numbers_is_read_to_the_bit(folder: Path) -> None:
    read = _read(folder, "a,b,c\n0,-1.5e-7,NaN\n-12,0.1,\n10,1e300,-inf\n")
    assert read["a"].dtype == np.int64 and list(read["a"]) == [0, -12, 10]
    np.testing.assert_array_equal(read["b"], [-1.5e-7, 0.1, 1e300])
    np.testing.assert_array_equal(read["c"], [np.nan, np.nan, -np.inf])


def test_a_row_of_another_length_is_not_left_out(folder: Path) -> None:
    with pytest.raises(ValueError, match="line 3 has 2 cells, and there are 3 columns"):
        _read(folder, "a,b,c\n1,2,3\n4,5\n6,7,8\n")


def test_truth_values_of_numpy_are_those_of_python() -> None:
    given = {"overwrite": np.bool_(True), "table": np.bool_(False), "expect": None, "all": True, "log": False}
    assert flags(given) == ["--overwrite", "--all"]
    assert flags({"range": (0, 1), "at": [1, 2], "size": np.int64(1)}) == ["--range=0:1", "--at=1,2", "--size=1"]


def test_arrays_and_numbers_of_numpy_are_those_of_python() -> None:
    given = {"view": np.array([1, -2, 0.5]), "range": np.array([0, 1]), "frame": np.array(3), "zoom": np.float64(0.1)}
    assert flags(given) == ["--view=1.0,-2.0,0.5", "--range=0:1", "--frame=3", "--zoom=0.1"]
    assert flags({"at": [np.float64(0.5), np.int64(2)], "log": np.array(True)}) == ["--at=0.5,2", "--log"]


@pytest.mark.parametrize("value", [1, 0, "yes", np.int64(1), [True]])
def test_a_switch_is_true_or_false(bounce: breccia.Run, value: Any) -> None:
    with pytest.raises(TypeError, match="^log=.*: give True or False"):
        bounce.render(log=value)
    with pytest.raises(TypeError, match="^restart=.*: give True or False"):
        bounce.resume(restart=value)
    with pytest.raises(TypeError, match="^overwrite=.*: give True or False"):
        breccia.run("bounce", overwrite=value)
    with pytest.raises(TypeError, match="^table=.*: give True or False"):
        breccia.sweep("restitution", table=value)


def test_switches_are_those_of_the_program() -> None:
    bare: set[str] = set()
    valued: set[str] = set()
    for command in ["run", "resume", "render", "analyze", "export", "sweep"]:
        text = subprocess.run([breccia.find_binary(), command, "--help"], capture_output=True, encoding="utf-8", check=True).stdout
        for name, value in re.findall(r"^ +(?:-\w, )?--([a-z-]+)( <)?", text, re.M):
            (valued if value else bare).add(name.replace("-", "_"))
    assert bare - {"help", "json", "stop_at_eof"} == _SWITCHES, "those that this package gives itself are left out"
    assert not valued & _SWITCHES


def test_keys_are_changed_by_settings() -> None:
    with pytest.raises(TypeError, match="set: use `settings`"):
        breccia.run("bounce", set=["run.duration_s=1"])


ECHO = """import json\nprint(json.dumps({"arguments": sys.argv[1:]}))"""


def test_a_run_may_begin_with_a_dash(folder: Path, program: Callable[[str], None]) -> None:
    (folder / "-run").mkdir()
    (folder / "-run/manifest.json").write_text("{}")
    program(ECHO)
    run, place = breccia.open("-run"), str(folder / "-run")
    assert run.render(size=64)["arguments"] == ["render", "--json", "--size=64", "--", place]
    assert run.export()["arguments"] == ["export", "--json", "--", place]
    assert run.analyze("shape", frame=0)["arguments"] == ["analyze", "--json", "--frame=0", "--", place, "shape"]


def test_a_run_that_begins_with_a_dash_is_measured_drawn_and_exported() -> None:
    short = {"run.duration_s": 0.1, "output.frames": 1, "output.series_rows": 2}
    run = breccia.run("bounce", short, out="-run", engine="reference")
    assert run.analyze("aggregates", frame=0)["frames"][0]["frame"] == 0
    assert run.render(size=64)["pictures"] and run.export(format="xyz")["frames"] == 1


@pytest.mark.parametrize(
    ("gpu", "words"),
    [(None, []), ((), []), (0, ["0"]), (np.int64(1), ["1"]), ("radeon", ["radeon"]), ([0, "radeon"], ["0", "radeon"])],
)
def test_a_sweep_takes_no_gpu_one_or_several(program: Callable[[str], None], gpu: Any, words: list[str]) -> None:
    program(ECHO)
    heard = breccia.sweep("restitution", gpu=gpu)
    assert [word for word in heard["arguments"] if "gpu" in word] == [f"--gpu={word}" for word in words], json.dumps(heard)


def test_a_damaged_cell_of_a_series_is_no_text(folder: Path) -> None:
    for cell in ("1.3w06e3", "2;5", "one"):
        (folder / "series.csv").write_text(f"step,time_s\n0,1.5\n1,{cell}\n")
        (folder / "manifest.json").write_text('{"status": "running"}')
        with pytest.raises(breccia.FileError, match=r"series\.csv is damaged: column time_s has a cell that is no number"):
            breccia.open(folder).series_arrays()
