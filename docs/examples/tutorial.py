"""Breccia from Python, cell by cell: a pile of boulders that falls together, and two spheres that bounce.

Editors that know `# %%` (VS Code, Spyder, PyCharm, Jupytext) run it as a notebook; `python tutorial.py` runs it whole.
It takes about ten seconds without a GPU. Results go to runs/, and pictures to the current folder.
"""

# %% A run is one call. Settings change keys of the scenario; a text may be a quantity with its unit.
import breccia
import numpy as np

pile = breccia.run(
    "accretion_small",
    {"bodies.0.count": 64, "run.duration_s": "25 min", "output.frames": 10, "output.series_rows": 100},
    out="runs/tutorial",
    overwrite=True,
)
print(pile)

# %% The series is a table (pandas) or a mapping of arrays; both are read by column. Units are in the names.
series = pile.series
fallen = series["time_s"][np.argmax(series["kinetic_translational_j"])]
print(f"the bodies are fastest after {fallen / 60:.1f} min")

# %% Frames hold arrays that are mapped into memory. `dir(last)` lists them.
last = pile.frames[-1]
centre = np.average(last.position_m, axis=0, weights=last.mass_kg)
distance_m = np.linalg.norm(last.position_m - centre, axis=1)
inner = distance_m < np.median(distance_m)
print(f"{len(last.id)} bodies at {last.time_s:.0f} s; mean contacts inside: {last.coordination[inner].mean():.1f}")

# %% A loop over frames reads only what it uses.
spread_m = [np.std(frame.position_m, axis=0).mean() for frame in pile.frames]

# %% A plot.
try:
    import matplotlib.pyplot as plt
except ImportError:
    print("no plot; for plots: pip install matplotlib")
else:
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.5), layout="constrained")
    left.plot(series["time_s"] / 60, series["kinetic_translational_j"])
    left.set(xlabel="time (min)", ylabel="kinetic energy (J)", yscale="log")
    right.plot(pile.frames.times_s / 60, spread_m, "o-")
    right.set(xlabel="time (min)", ylabel="spread of the bodies (m)")
    figure.savefig("tutorial.png", dpi=150)

# %% The commands of the program are methods; what `--json` prints is what they return.
report = pile.analyze("aggregates")["frames"][0]
heaviest = report["aggregates"]["list"][0]
print(f"the heaviest aggregate has {heaviest['bodies']} bodies")

# %% A scenario of your own is a dictionary: here two spheres that meet at 2 cm/s.
two_spheres = breccia.scenario(
    {
        "name": "two_spheres",
        "run": {"duration_s": 1.0},
        "material": [
            {"density_kg_m3": 2500, "speed_max_m_s": 0.1, "restitution_normal": 0.7, "friction_sliding": 0.5},
        ],
        "bodies": [
            {
                "generator": "list",
                "body": [
                    {"position_m": [0, 0, 0], "radius_m": 0.1},
                    {"position_m": [0.21, 0, 0], "velocity_m_s": np.array([-0.02, 0, 0]), "radius_m": 0.1},
                ],
            },
        ],
        "output": {"frames": 20, "series_rows": 100},
    }
)
bounce = breccia.run(two_spheres, engine="reference", overwrite=True)
before, after = bounce.frames[0].velocity_m_s, bounce.frames[-1].velocity_m_s
restitution = (after[1, 0] - after[0, 0]) / (before[0, 0] - before[1, 0])
print(f"restitution {restitution:.3f}, typed 0.7")

# %% What is wrong with a scenario is one exception with the words of the program.
try:
    breccia.run("accretion_small", {"material.rock.friction": 0.8})
except breccia.ScenarioError as error:
    print(error)

# %% A run may stop at a step, or by Ctrl-C. It goes on from its checkpoint to the same bytes.
half = breccia.run(two_spheres, engine="reference", out="runs/half", overwrite=True, stop_at_step=300)
print(half.status, "at frame", half.frames[-1].number)
half.resume()
np.testing.assert_array_equal(half.frames[-1].velocity_m_s, after)

# %% Many runs: a campaign gives a table with a row for each case. The same call goes on after a stop.
table = breccia.sweep(
    breccia.campaign(
        {
            "name": "tutorial_restitution",
            "scenario": "bounce",
            "engine": "reference",
            "set": {"run.duration_s": 0.4},
            "grid": {"material.0.restitution_normal": [0.3, 0.6, 0.9]},
        }
    )
)
for typed, found in zip(table["material.0.restitution_normal"], table["restitution_normal"], strict=True):
    print(f"typed {typed}, measured {found:.3f}")

# %% All frames as one labelled array, if xarray is there.
try:
    data = pile.to_xarray(["position_m", "velocity_m_s"])
except ImportError as missing:
    print(missing)
else:
    speed = np.sqrt((data.velocity_m_s**2).sum("component"))
    print(f"the fastest body of all frames: {float(speed.max()):.3f} m/s")
