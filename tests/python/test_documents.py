"""Scenarios and campaigns that are made in Python, and the tables of campaigns."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import breccia
import numpy as np
import pytest
from breccia import toml

MATERIAL = {"density_kg_m3": np.float64(2500), "speed_max_m_s": 0.1, "restitution_normal": 0.5, "friction_sliding": 0.5}


def _two_spheres(**more: Any) -> dict[str, Any]:
    places = np.array([[0.0, 0.0, 0.0], [0.3, 0.0, 0.0]])
    spheres = [{"position_m": place, "radius_m": np.float32(0.125)} for place in places]
    return {
        "title": 'two "spheres"\nof Breccia',
        "seed": np.int64(3),
        "run": {"duration_s": "100 ms"},
        "material": [MATERIAL],
        "bodies": [{"generator": "list", "body": spheres}],
        "output": {"frames": np.uint8(2), "series_rows": 4, "contacts": np.bool_(True)},
        **more,
    }


def test_a_scenario_of_a_dictionary_runs(folder: Path) -> None:
    made = breccia.scenario(_two_spheres(name="two"))
    run = breccia.run(made, engine="reference")
    assert run.path == Path("runs/two").absolute() and run.finished
    np.testing.assert_array_equal(run.frames[0].position_m, [[0, 0, 0], [0.3, 0, 0]])
    assert run.frames[0].radius_m[0] == 0.125 and run.manifest["seed"] == 3
    assert (run.path / "scenario.toml").read_text() == made.text
    assert sorted(p.name for p in folder.iterdir()) == ["runs"], "the file for the program is removed"


def test_dictionaries_run_as_they_are(folder: Path) -> None:
    assert breccia.run(_two_spheres(name="two"), {"seed": 4}, engine="reference").manifest["seed"] == 4
    assert breccia.run(_two_spheres(), engine="reference").path == Path("runs/scenario").absolute()
    table = breccia.sweep({**CAMPAIGN, "grid": {"material.0.friction_sliding": [0.1, 0.5]}}, as_arrays=True)
    assert list(table["status"]) == ["done"] * 2 and (folder / "runs/grip/campaign.csv").is_file()
    assert sorted(p.name for p in folder.iterdir()) == ["runs"]


def test_paths_of_a_scenario_count_from_the_current_folder(folder: Path) -> None:
    np.save(folder / "bodies.npy", np.array([[0, 0, 0, 0.1], [1, 0, 0, 0.1]], dtype=np.float64))
    bodies = [{"generator": "file", "path": Path("bodies.npy")}]
    run = breccia.run(breccia.scenario(_two_spheres(bodies=bodies)), engine="reference")
    assert run.path == Path("runs/scenario").absolute() and run.frames[0].position_m[1, 0] == 1.0


def test_faults_name_the_lines_of_the_text() -> None:
    made = breccia.scenario(_two_spheres(run={"duraton_s": 1}))
    with pytest.raises(breccia.ScenarioError, match="duraton_s") as caught:
        breccia.run(made)
    line = next(fault["line"] for fault in caught.value.faults if fault["line"])
    assert "duraton_s" in made.text.splitlines()[line - 1] or made.text.splitlines()[line - 1] == "[run]"


THINGS: dict[str, Any] = {
    "flag": False,
    "number": -0.1,
    "large": 1e300,
    "infinite": float("inf"),
    "whole": 2**63 - 1,
    "text": "a \"b\" \\ \n\t é \x7f \x00",
    "list": [1, [2.5, "x"], [True]],
    "empty": [],
    "key with blanks": 1,
    "": 2,
    "table": {"a": {"b": 1}, "c.d": [{"e": [{"f": 1}]}, {}], "mixed": [1, {"g": 2}]},
}


def test_what_is_written_reads_back() -> None:
    tomllib = pytest.importorskip("tomllib", reason="Python 3.10 has no reader of TOML")
    assert tomllib.loads(toml.write(THINGS)) == THINGS
    assert tomllib.loads(f"x = {toml.value(THINGS)}")["x"] == THINGS
    long = {"a": np.longdouble("0.1"), "b": np.array([0.5, 2], dtype=np.longdouble), "c": np.float16(0.5)}
    assert tomllib.loads(toml.write(long)) == {"a": 0.1, "b": [0.5, 2.0], "c": 0.5}
    numbers = {"a": np.arange(6).reshape(2, 3), "b": np.float64(0.1), "c": np.float32(0.5), "d": (1, 2)}
    assert tomllib.loads(toml.write(numbers)) == {"a": [[0, 1, 2], [3, 4, 5]], "b": 0.1, "c": 0.5, "d": [1, 2]}


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, r"run\.x: None of type NoneType cannot be written.*leave the key out"),
        (1j, "run.x: 1j of type complex"),
        (np.clongdouble(1j), "run.x: .* of type clongdouble"),
        ([{1, 2}], r"run\.x\.0: \{1, 2\} of type set"),
        (b"bytes", "of type bytes"),
        ({3: 1}, "the key 3 is not a text"),
    ],
)
def test_what_cannot_be_written_is_named(value: Any, words: str) -> None:
    with pytest.raises(TypeError, match=words):
        breccia.scenario({"run": {"x": value}})
    with pytest.raises(TypeError):
        breccia.run("bounce", {"run.x": value})


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"run": {"x": "half \ud83d"}}, r"run\.x: a text with '\\ud83d', half a character, cannot be written as UTF-8"),
        ({"run": {"x": Path("\udcff.npy")}}, r"run\.x: a text with '\\udcff'"),
        ({"run": {"\ud83d x": 1}}, r"a text with '\\ud83d'"),
    ],
)
def test_half_a_character_is_named_and_leaves_no_file(folder: Path, values: dict[str, Any], words: str) -> None:
    calls: list[Callable[[dict[str, Any]], object]] = [breccia.scenario, breccia.campaign, breccia.run, breccia.sweep]
    for call in calls:
        with pytest.raises(ValueError, match=words):
            call(values)
    with pytest.raises(ValueError, match=r"the text of `two`: a text with '\\ud83d'"):
        breccia.run(breccia.Document("two", "title = '\ud83d'"))
    with pytest.raises(TypeError, match="the text of `two` is of type bytes, not str"):
        breccia.run(breccia.Document("two", b"seed = 1"))  # type: ignore[arg-type]
    assert list(folder.iterdir()) == []


def test_no_file_stays_where_there_is_no_room_for_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(handle: int, *_: object, **__: object) -> None:
        os.close(handle)
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fdopen", full)
    with pytest.raises(OSError, match="No space left"):
        breccia.run(_two_spheres())
    assert list(folder.iterdir()) == []


def test_settings_take_every_kind_of_value() -> None:
    radius = {"min_m": np.float64(3.0), "max_m": 3.5}
    changed = {"bodies.0.count": np.int64(8), "bodies.0.radius_m": radius, "run.duration_s": "1 s", "output.contacts": True}
    run = breccia.run("accretion_small", changed, engine="reference")
    frame = run.frames[-1]
    assert len(frame.id) == 8 and 3.0 <= frame.radius_m.min() and frame.radius_m.max() <= 3.5 and "pair" in frame


CAMPAIGN = {
    "name": "grip",
    "scenario": "bounce",
    "engine": "reference",
    "set": {"run.duration_s": 0.4, "output.frames": 1, "output.series_rows": 5},
    "grid": {"material.0.restitution_normal": np.array([0.3, 0.6]), "material.0.friction_sliding": [0.1, 0.5]},
}


def test_a_sweep_gives_its_table(folder: Path) -> None:
    pandas = pytest.importorskip("pandas")
    table = breccia.sweep(breccia.campaign(CAMPAIGN), jobs=2, progress=True)
    assert isinstance(table, pandas.DataFrame) and list(table["status"]) == ["done"] * 4
    # the tolerance of the scenario `bounce`
    np.testing.assert_allclose(table["restitution_normal"], [0.3, 0.3, 0.6, 0.6], atol=0.01)
    again = breccia.sweep(breccia.campaign(CAMPAIGN), as_arrays=True)
    assert isinstance(again, dict) and again["case"].dtype == np.int64 and again["status"].dtype == object
    np.testing.assert_array_equal(again["restitution_normal"], table["restitution_normal"])
    run = breccia.open(folder / "runs/grip/cases" / table["name"][3])
    assert run.finished and run.frames[-1].position_m.shape == (2, 3)


def test_a_sweep_that_makes_no_table_gives_what_it_prints(folder: Path) -> None:
    campaign = breccia.campaign({"name": "pairs", "scenario": "bounce", "engine": "reference", "grid": {"material.0.friction_sliding": [0.1, 0.5]}})
    assert [c["status"] for c in breccia.sweep(campaign, list=True)["cases"]] == ["waiting"] * 2
    assert len(breccia.sweep(campaign, dry_run=True)["cases"]) == 2
    assert breccia.sweep(campaign, slurm="array.sh") == {"file": "array.sh"} and (folder / "array.sh").is_file()
    assert breccia.sweep(campaign, case=1)["status"] == "done"
    assert [c["status"] for c in breccia.sweep(campaign, list=True)["cases"]] == ["waiting", "done"]


def test_failed_cases_warn_and_are_rows() -> None:
    guarded = {**CAMPAIGN, "grid": {"guards.overlap_max": [0.001, 0.25]}}
    with pytest.warns(breccia.FailedCasesWarning, match="overlap"):
        table = breccia.sweep(breccia.campaign(guarded), as_arrays=True)
    assert list(table["status"]) == ["failed", "done"] and "overlap" in table["error"][0] and table["error"][1] == ""
    with pytest.raises(breccia.ScenarioError, match="restitution"):
        breccia.sweep("restituton")


def test_missed_expectations_of_a_campaign_warn() -> None:
    speeds = [[-0.01 * k, 0, 0] for k in (1, 2, 3, 4)]
    expect = {"y": "kinetic_peak_j", "law": "above", "limit": 1e9, "source": "nowhere"}
    fast = {
        "name": "fast",
        "scenario": "bounce",
        "engine": "reference",
        "grid": {"bodies.0.body.1.velocity_m_s": speeds},
        "expect": [expect],
    }
    with pytest.warns(breccia.ExpectationWarning, match="kinetic_peak_j is above 1e9 in every case.*nowhere"):
        table = breccia.sweep(breccia.campaign(fast), as_arrays=True)
    assert list(table["status"]) == ["done"] * 4


def test_tables_are_values_of_a_grid() -> None:
    laws = [{"min_m": 0.8, "max_m": 1.0}, {"min_m": 0.5, "mean_m": 0.55}]
    asked = {"name": "laws", "scenario": "accretion_small", "grid": {"bodies.0.radius_m": laws}}
    cases = breccia.sweep(asked, list=True)["cases"]
    assert [case["set"] for case in cases] == [
        ["bodies.0.radius_m={ min_m = 0.8, max_m = 1.0 }"],
        ["bodies.0.radius_m={ min_m = 0.5, mean_m = 0.55 }"],
    ]
