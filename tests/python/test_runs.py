"""What a run gives: arrays, tables and verdicts are those of its files."""

from __future__ import annotations

import builtins
import csv
import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import breccia
import numpy as np
import pytest
from breccia.frames import attribute_of
from conftest import REPOSITORY, SHORT


def test_a_frame_maps_every_file(bounce: breccia.Run) -> None:
    assert len(bounce.frames) == SHORT["output.frames"] + 1
    for frame in bounce.frames:
        # What never changes may be once in bodies/.
        files = {p.stem: p for p in [*(bounce.path / "bodies").glob("*.npy"), *frame.path.glob("*.npy")]}
        assert list(frame) == sorted(files) and len(files) > 9
        for name, file in files.items():
            mapped = getattr(frame, attribute_of(name))
            assert mapped is frame[name] and attribute_of(name) in dir(frame)
            np.testing.assert_array_equal(mapped, np.load(file))
            assert isinstance(mapped, np.memmap) and not mapped.flags.writeable
    assert bounce.frames[-1].position_m.shape == (2, 3)
    assert "position_m" in repr(bounce.frames[0])


def test_numpy_alone_reads_a_run() -> None:
    """Two spheres part at 0.55 of the 0.02 m/s at which they met."""
    run = breccia.run("bounce", engine="reference").path
    first, velocity = (np.load(run / f"frames/{frame}/velocity.npy") for frame in ["000000", "000005"])
    ids, mass = np.load(run / "bodies/id.npy"), np.load(run / "bodies/mass.npy")
    assert (velocity.shape, velocity.dtype, ids.dtype) == ((2, 3), np.float64, np.uint32)
    assert (velocity[1] - velocity[0])[0] / 0.02 == pytest.approx(0.55, abs=0.01)
    assert np.abs(mass @ (velocity - first)).max() < 1e-12 * mass.sum()


def test_frames_are_a_sequence_in_time(bounce: breccia.Run) -> None:
    frames = bounce.frames
    times = [json.loads((f.path / "time.json").read_text())["time_s"] for f in frames]
    np.testing.assert_array_equal(frames.times_s, times)
    assert [f.number for f in frames] == [0, 1, 2, 3, 4] and times == sorted(times)
    assert frames[-1].step == bounce.manifest["steps"]
    assert frames.nearest(0.21).number == frames.nearest(np.float32(0.21)).number == 2, "frames are 0.1 s apart"
    for wrong in [float("nan"), float("inf"), "1 min"]:
        with pytest.raises(ValueError, match=f"{wrong!r} is not a time in seconds; give a finite number"):
            frames.nearest(wrong)  # type: ignore[arg-type]
    assert [f.number for f in frames[1:3]] == [1, 2]
    with pytest.raises(IndexError, match="frame 9 of 5 frames"):
        frames[9]


def test_a_frame_is_read_by_a_relative_path(bounce: breccia.Run, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = bounce.frames[1]
    for place, name in [(whole.path.parent, "000001"), (whole.path.parent.parent, "frames/000001"), (whole.path, ".")]:
        monkeypatch.chdir(place)
        frame = breccia.Frame(name)
        assert (frame.number, frame.names) == (1, whole.names)
        assert (frame.radius_m == whole.radius_m).all()


def test_a_run_stays_where_it_is_when_the_folder_changes(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run of the same name in the next folder is another one."""
    runs = []
    for name, restitution in [("first", 0.9), ("second", 0.2)]:
        place = folder / name
        place.mkdir()
        monkeypatch.chdir(place)
        runs.append(breccia.run("bounce", {"material.rock.restitution_normal": restitution}, engine="reference"))
    found = [run.quantities["restitution_normal"] for run in runs]
    assert found == pytest.approx([0.9, 0.2], abs=0.01) and len(runs[0].frames) > 1


def test_frames_that_are_missing_or_damaged_are_named() -> None:
    run = breccia.run("bounce", SHORT, engine="reference")
    shutil.rmtree(run.frames[1].path)
    with pytest.warns(UserWarning, match="lacks frame 1, so that later ones"):
        assert [f.number for f in breccia.open(run.path).frames] == [0, 2, 3, 4]
    for kept in [150, 60, 0]:
        file = run.path / "frames/000002/position.npy"
        file.write_bytes(file.read_bytes()[:kept])
        with pytest.raises(breccia.FileError, match=rf"{re.escape(str(file))} is damaged: .*; `breccia info RUN`"):
            _ = breccia.Frame(file.parent).position_m


Read = Callable[[breccia.Run], object]


@pytest.mark.parametrize(
    ("name", "contents", "read"),
    [
        ("manifest.json", b'{"status": "do', lambda run: run.status),
        ("manifest.json", b"[]", lambda run: run.manifest),
        ("resolved.json", b"\xff", lambda run: run.resolved),
        ("quantities.json", b"", lambda run: run.expectations),
        ("series.csv", b"step,time_s\n\xff,1\n", lambda run: run.series_arrays()),
        ("series.csv", b"step,time_s\n0,0\n1\n2,0.2\n", lambda run: run.series_arrays()),
        ("frames/000001/time.json", b"", lambda run: run.frames.times_s),
        ("frames/000001/time.json", b'{"step": 1}', lambda run: run.frames.nearest(0.0)),
        ("frames/000001/time.json", b'{"step": null}', lambda run: run.frames[1].step),
        ("frames/000001/arrays.npz", b"no archive", lambda run: run.frames[1].names),
        ("frames/000001/arrays.npz", b"", lambda run: run.frames[1].names),
        ("frames/000001/velocity.npy", b"\x93NUMPY\x01\x00\x04\x00(((\n", lambda run: run.frames[1].velocity_m_s),
    ],
)
def test_every_damaged_file_is_named(bounce: breccia.Run, folder: Path, name: str, contents: bytes, read: Read) -> None:
    run = breccia.open(shutil.copytree(bounce.path, folder / "run"))
    (run.path / name).write_bytes(contents)
    with pytest.raises(breccia.FileError, match=rf"{re.escape(str(run.path / name))} is damaged: .*; `breccia info RUN`") as caught:
        read(run)
    assert caught.value.exit_code == 7


def test_a_damaged_array_of_a_compressed_frame_is_named(folder: Path) -> None:
    run = breccia.run("bounce", {**SHORT, "output.compression": "deflate"}, engine="reference")
    file = run.frames[1].path / "arrays.npz"
    whole = file.read_bytes()
    middle = whole.index(b"velocity.npy") + 80
    file.write_bytes(whole[:middle] + b"damage" + whole[middle + 6 :])
    with pytest.raises(breccia.FileError, match=rf"{re.escape(str(file))} is damaged: .*; `breccia info RUN`"):
        _ = breccia.Frame(file.parent).velocity_m_s


def test_what_a_frame_lacks_is_named(bounce: breccia.Run) -> None:
    with pytest.raises(AttributeError, match=r"has no array `location_m`; it has .*position_m"):
        _ = bounce.frames[0].location_m
    with pytest.raises(KeyError, match="has no array `position_m`"):
        bounce.frames[0]["position_m"]
    without = breccia.run("bounce", {**SHORT, "output.contacts": False}, engine="reference")
    with pytest.raises(AttributeError, match=r"output\.contacts = True"):
        _ = without.frames[0].contact_force_n


def test_a_frame_that_is_packed_in_part_and_in_32_bits_reads_alike(folder: Path) -> None:
    """Forms of docs/user/output.md#frames in one frame: compressed, about an offset, two of four bodies."""
    frame = folder / "frames/000000"
    frame.mkdir(parents=True)
    (folder / "bodies").mkdir()
    np.save(folder / "bodies/radius.npy", np.array([1.0, 2.0, 3.0, 4.0]))
    np.save(folder / "bodies/id.npy", np.arange(4, dtype=np.uint32))
    np.save(folder / "bodies/mass.npy", np.ones(4))
    relative = np.array([[0.5, 0, 0], [-0.5, 0, 0]], dtype=np.float32)
    packed = {"position_relative": relative, "body": np.array([1, 3], dtype=np.uint32), "mass": np.array([5.0, 6.0])}
    np.savez_compressed(frame / "arrays.npz", **packed)  # type: ignore[arg-type]
    (frame / "time.json").write_text('{"step": 9, "time_s": 2.5, "offset": {"position": [1e6, 0, 3.0]}}')
    (folder / "manifest.json").write_text('{"status": "done"}')
    [read] = breccia.open(folder).frames
    assert list(read) == ["body", "id", "mass", "position", "radius"] and (read.number, read.time_s) == (0, 2.5)
    np.testing.assert_array_equal(read.position_m, [[1e6 + 0.5, 0, 3], [1e6 - 0.5, 0, 3]])
    np.testing.assert_array_equal(read.radius_m, [2, 4])
    np.testing.assert_array_equal(read.mass_kg, [5, 6], err_msg="what the frame has itself comes first")
    assert list(read.id) == [1, 3] and not any(read[name].flags.writeable for name in read)


def test_attributes_have_the_units_of_the_docs() -> None:
    page = (REPOSITORY / "docs/user/output.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| \([^|]*\) \| (?:float|uint)\d+ \|([^|]*)\|", page, re.M)
    assert len(rows) > 25, rows
    for name, unit in rows:
        assert attribute_of(name) == "_".join([name, *re.split("[ /]", unit.strip().lower())]).rstrip("_")


def test_the_series_has_the_numbers_of_its_file(bounce: breccia.Run) -> None:
    with builtins.open(bounce.path / "series.csv", newline="") as file:
        header, *rows = csv.reader(file)
    arrays = bounce.series_arrays()
    assert list(arrays) == header and len(rows) == SHORT["output.series_rows"] + 1
    for k, name in enumerate(header):
        np.testing.assert_array_equal(arrays[name], [float(row[k] or "nan") for row in rows], err_msg=name)
    assert arrays["step"].dtype == np.int64 and arrays["time_s"].dtype == np.float64
    pandas = pytest.importorskip("pandas")
    table = bounce.series
    assert isinstance(table, pandas.DataFrame) and list(table.columns) == header
    np.testing.assert_array_equal(table["kinetic_translational_j"], arrays["kinetic_translational_j"])


def test_a_row_that_is_being_written_is_left_out(bounce: breccia.Run, folder: Path) -> None:
    text = (bounce.path / "series.csv").read_text()
    (folder / "manifest.json").write_text('{"status": "running"}')
    (folder / "series.csv").write_text(text[: text.rstrip().rindex(",")])
    run = breccia.open(folder)
    assert len(run.series_arrays()["step"]) == SHORT["output.series_rows"]
    assert run.status == "running" and not run.finished and run.expectations == [] and len(run.frames) == 0


def test_rows_that_are_gone_are_told(bounce: breccia.Run, folder: Path) -> None:
    run = breccia.open(shutil.copytree(bounce.path, folder / "run"))
    lines = (run.path / "series.csv").read_text().splitlines(keepends=True)
    for text, what in [("".join(lines)[:-5], "its last row is cut off"), ("".join(lines[:-3]), "it ends at step")]:
        (run.path / "series.csv").write_text(text)
        with pytest.warns(breccia.BrecciaWarning, match=rf"series.csv: {what}.*breccia info"):
            run.series_arrays()


@pytest.fixture
def lacking(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Makes a package as good as not installed."""

    def hide(package: str) -> None:
        real = builtins.__import__

        def importing(name: str, *rest: Any, **more: Any) -> Any:
            if name == package:
                raise ImportError(f"No module named {name!r}")
            return real(name, *rest, **more)

        monkeypatch.setattr(builtins, "__import__", importing)

    return hide


def test_without_pandas_tables_are_arrays(bounce: breccia.Run, lacking: Callable[[str], None]) -> None:
    lacking("pandas")
    assert isinstance(bounce.series, dict)
    np.testing.assert_array_equal(bounce.series["time_s"], bounce.series_arrays()["time_s"])


def test_without_xarray_the_error_says_what_to_install(bounce: breccia.Run, lacking: Callable[[str], None]) -> None:
    lacking("xarray")
    with pytest.raises(ImportError, match="pip install xarray"):
        bounce.to_xarray()


def test_xarray_has_the_arrays_of_bodies_over_time(bounce: breccia.Run) -> None:
    pytest.importorskip("xarray")
    data = bounce.to_xarray()
    assert data.sizes == {"time": 5, "body": 2, "component": 3}
    assert data.position_m.attrs["units"] == "m" and data.attrs["scenario"] == "bounce"
    assert not [name for name in data if str(name).startswith("contact")]
    np.testing.assert_array_equal(data.velocity_m_s[-1], bounce.frames[-1].velocity_m_s)
    few = bounce.to_xarray(["position_m"], slice(0, None, 2))
    assert list(few) == ["position_m"] and few.sizes["time"] == 3
    with pytest.raises(ValueError, match="contact_force_n: there is no such array of bodies"):
        bounce.to_xarray(["contact_force_n"])
    assert list(bounce.to_xarray("position_m")) == ["position_m"]
    for wrong in [3, [0, 1], None]:
        with pytest.raises(TypeError, match=r"frames=.*: give a slice, such as slice\(3, 4\)"):
            bounce.to_xarray(frames=wrong)  # type: ignore[arg-type]


def test_verdicts_are_those_of_the_run(bounce: breccia.Run) -> None:
    [expectation] = bounce.expectations
    assert expectation.quantity == "restitution_normal" and expectation.ok
    # the restitution that was typed, 0.55; its tolerance is the scenario's own
    assert expectation.value == bounce.quantities["restitution_normal"] == pytest.approx(0.55, abs=expectation.tolerance)
    assert bounce.finished and bounce.resolved and "done" in repr(bounce)


def test_missed_expectations_warn_unless_settings_were_changed(folder: Path) -> None:
    text = (REPOSITORY / "scenarios/bounce.toml").read_text()
    (folder / "wrong.toml").write_text(text.replace("value = 0.55", "value = 0.75"))
    with pytest.warns(breccia.ExpectationWarning, match=r"restitution_normal = 0\.549\d*, expected 0\.75"):
        run = breccia.run(folder / "wrong.toml", engine="reference")
    assert run.finished and not run.expectations[0].ok
    # A warning would be an error here.
    breccia.run("wrong.toml", SHORT, engine="reference", overwrite=True)


def test_the_wish_about_expectations_is_heeded(folder: Path, program: Callable[[str], None]) -> None:
    missed = {"quantity": "q_m", "value": 1.0, "expected": 2.0, "tolerance": 0.1, "ok": False, "source": "theory"}
    (folder / "manifest.json").write_text('{"status": "done"}')
    (folder / "quantities.json").write_text(json.dumps({"quantities": {"q_m": 1.0}, "expect": [missed]}))
    program("""print('{"out": ".", "ended": {"Done": []}}')\nsys.exit("--expect=fail" in sys.argv)""")
    settings = {"run.duration_s": 1}
    assert breccia.run("any", settings).expectations[0].value == 1.0
    breccia.run("any", expect="off")
    with pytest.warns(breccia.ExpectationWarning, match=r"q_m = 1\.0, expected 2\.0 \+- 0\.1"):
        breccia.run("any", settings, expect="warn")
    with pytest.raises(breccia.MissedError, match="q_m") as caught:
        breccia.run("any", settings, expect="fail")
    assert caught.value.exit_code == 1


def test_render_analyze_and_export_are_the_commands(bounce: breccia.Run) -> None:
    found = bounce.analyze("aggregates", frame=0)
    assert found["frames"][0]["frame"] == 0 and "aggregates" in found["frames"][0]
    files = [Path(file) for file in bounce.export(format=["vtp", "xyz"], frame="all")["files"]]
    assert {file.suffix for file in files} == {".vtp", ".pvd", ".xyz"} and all(file.is_file() for file in files)
    with pytest.raises(breccia.ScenarioError, match="aggregate"):
        bounce.analyze("agregates")


def test_a_picture_is_drawn(bounce: breccia.Run) -> None:
    drawn = bounce.render(color="radius", view=(1, -2, 0.5), size=64)
    [picture] = drawn["pictures"]
    once = Path(picture).read_bytes()
    assert once.startswith(b"\x89PNG") and drawn["movie"] is None
    [picture] = bounce.render(color="radius", view=np.array([1, -2, 0.5]), size=np.int64(64))["pictures"]
    assert Path(picture).read_bytes() == once


def test_files_that_are_gone_or_of_another_form_are_named(folder: Path) -> None:
    (folder / "manifest.json").write_text('{"status": "done"}')
    (folder / "quantities.json").write_text('{"expect": 3, "quantities": [1]}')
    run = breccia.open(folder)
    damaged: list[Callable[[], object]] = [lambda: run.expectations, lambda: run.quantities]
    for look in damaged:
        with pytest.raises(breccia.FileError, match=r"quantities\.json is damaged"):
            look()
    shutil.rmtree(folder)
    gone: list[Callable[[], object]] = [lambda: run.status, lambda: run.manifest, run.series_arrays]
    for look in gone:
        with pytest.raises(breccia.FileError, match=r"cannot be read: No such file"):
            look()


def test_arguments_of_another_kind_are_refused() -> None:
    with pytest.raises(TypeError, match="settings=.*give a mapping"):
        breccia.run("bounce", ["run.duration_s=1"])  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="progress='yes'"):
        breccia.run("bounce", progress="yes")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="progress='yes'"):
        breccia.sweep("restitution", progress="yes")  # type: ignore[arg-type]
