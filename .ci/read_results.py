"""Opens what a run and its export left as users do: with numpy and xarray, ParaView's reader (vtk) and OVITO.

read_results.py RUN [RUN ...]    # each after `breccia export RUN --format vtp,xyz`; ends with 1 if one differs from the frame
"""

import json
import os
import sys

import numpy
import ovito.io
import vtk
import xarray
from vtk.util.numpy_support import vtk_to_numpy


def arrays(run, frame):
    """The last frame as an xarray.Dataset, whichever form it has."""
    with open(f"{frame}/time.json") as file:
        time = json.load(file)
    packed = f"{frame}/arrays.npz"
    if os.path.exists(packed):
        found = dict(numpy.load(packed))
    else:
        names = [name for name in os.listdir(frame) if name.endswith(".npy")]
        found = {name[:-4]: numpy.load(f"{frame}/{name}") for name in names}
    for name in ["position", "velocity"]:
        if f"{name}_relative" in found:
            found[name] = found.pop(f"{name}_relative") + numpy.array(time["offset"][name])
    for name in ["radius", "mass", "id", "material"]:
        if name not in found:
            found[name] = numpy.load(f"{run}/bodies/{name}.npy")
            found[name] = found[name][found["body"]] if "body" in found else found[name]
    names = ["position", "velocity", "radius", "mass", "id", "material"]
    dims = {name: ["body", "axis"][: found[name].ndim] for name in names}
    return xarray.Dataset({name: (dims[name], found[name]) for name in names}, attrs={"time_s": time["time_s"]})


def polygons(path):
    """What ParaView's reader makes of a file."""
    reader = vtk.vtkXMLPolyDataReader()
    reader.SetFileName(path)
    reader.Update()
    assert reader.GetErrorCode() == 0, path
    return reader.GetOutput()


def names_of(shown, name):
    names = shown.GetFieldData().GetAbstractArray(name)
    return [names.GetValue(k) for k in range(names.GetNumberOfValues())]


def check_walls(path, walls):
    """Each wall that stands is there, as polygons that face along its normal."""
    shown = polygons(path)
    assert names_of(shown, "wall_names") == [w["name"] for w in walls], "names of walls"
    of = vtk_to_numpy(shown.GetCellData().GetArray("wall"))
    sides = vtk.vtkPolyDataNormals()
    sides.SetInputData(shown)
    sides.ComputeCellNormalsOn()
    sides.ConsistencyOff()
    sides.SplittingOff()
    sides.Update()
    normals = vtk_to_numpy(sides.GetOutput().GetCellData().GetNormals())
    for number, wall in enumerate(walls):
        assert (of == number).sum() == (6 if wall.get("block") else 1), f"polygons of {wall['name']}"
        if not wall.get("block"):
            assert numpy.allclose(normals[of == number], wall["normal"], atol=1e-6), f"side of {wall['name']}"


def check(run):
    frame = f"{run}/frames/{sorted(os.listdir(f'{run}/frames'))[-1]}"
    data = arrays(run, frame)
    shown = polygons(f"{run}/export/bodies_{os.path.basename(frame)}.vtp")
    spheres = shown.GetNumberOfVerts() == data.sizes["body"]
    assert spheres or shown.GetNumberOfPolys() > 0, "neither points nor polygons"
    of = shown.GetPointData() if spheres else shown.GetCellData()
    if spheres:
        points = vtk_to_numpy(shown.GetPoints().GetData())
        # 24 bits
        assert numpy.allclose(points, data.position, rtol=1e-6, atol=0), "position"
        assert numpy.array_equal(vtk_to_numpy(of.GetArray("id")), data.id), "id"
        assert numpy.allclose(vtk_to_numpy(of.GetArray("velocity")), data.velocity, rtol=1e-6, atol=1e-12), "velocity"
    unit = of.GetArray("velocity").GetInformation().Get(vtk.vtkDataArray.UNITS_LABEL())
    assert unit and unit.strip() == "m/s", unit
    with open(f"{run}/resolved.json") as file:
        resolved = json.load(file)
    wanted = [m["name"] for m in resolved["materials"]]
    assert names_of(shown, "material_names") == wanted
    if resolved["walls"]:
        check_walls(f"{run}/export/walls_{os.path.basename(frame)}.vtp", resolved["walls"])
    seen = ovito.io.import_file(f"{run}/export/bodies.xyz").compute().particles
    assert numpy.allclose(seen.positions, data.position, rtol=1e-12, atol=0), "position in OVITO"
    assert numpy.array_equal(seen.identifiers, data.id), "id in OVITO"
    assert set(t.name for t in seen.particle_types.types) <= set(wanted), "types in OVITO"
    if not spheres:
        turns = numpy.asarray(seen["Orientation"])
        assert numpy.allclose((turns**2).sum(axis=1), 1), "orientation"
        assert (numpy.asarray(seen["Aspherical Shape"]) > 0).all(), "shape"
    print(f"{run}: {data.sizes['body']} bodies at {data.attrs['time_s']} s in numpy, xarray, VTK and OVITO")


for path in sys.argv[1:]:
    check(path)
