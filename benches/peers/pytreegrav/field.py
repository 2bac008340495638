"""A row of the table: pytreegrav's tree over the ball of `breccia bench --only tree`, at the opening angle that has its error."""

import json
import sys
import time

import numpy as np
import pytreegrav

TRIES = 3


def ball(n):
    """Bodies as `breccia bench` takes them: masses 4 to 12, at random in a ball."""
    random = np.random.default_rng(5)
    cube = random.uniform(-1.0, 1.0, (3 * n, 3))
    inside = cube[(cube**2).sum(axis=1) <= 1.0][:n]
    return inside, 4.0 * (1.0 + (np.arange(n) * 7919 % 1000) * 2e-3)


def evaluate(places, masses, angle):
    """Accelerations and seconds of the fastest of a few evaluations, the making of the tree among them."""
    seconds = []
    for _ in range(TRIES):
        begun = time.perf_counter()
        field = pytreegrav.Accel(places, masses, method="tree", theta=angle, quadrupole=True, parallel=False)
        seconds.append(time.perf_counter() - begun)
    return field, min(seconds)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        row = json.load(file)["rows"][0]
    n, wanted = row["count"], row["error_rms"]
    places, masses = ball(n)
    sample = np.arange(0, n, -(-n // 512))
    exact = pytreegrav.AccelTarget(places[sample], places, masses, method="bruteforce", parallel=False)

    def error(field):
        return np.sqrt(((field[sample] - exact) ** 2).sum() / (exact**2).sum())

    evaluate(places[:1000], masses[:1000], 0.7)  # compiles
    low, high = 0.3, 1.2
    for _ in range(6):  # the error grows with the opening angle
        angle = 0.5 * (low + high)
        field, seconds = evaluate(places, masses, angle)
        low, high = (angle, high) if error(field) < wanted else (low, angle)
    ours = row["seconds_least"]
    print(f"| {n:,} | {wanted:.1e} | {ours:.3g} s | {seconds:.3g} s | {angle:.2f} | {error(field):.1e} | {seconds / ours:.2f} |")


main()
