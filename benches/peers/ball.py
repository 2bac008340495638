"""The ball of `breccia bench --only gravity`, and the error of its gravity."""

import numpy as np

SAMPLE = 512


def ball(n):
    """Places of n bodies at random in a ball, and their masses 4 to 12."""
    random = np.random.default_rng(5)
    cube = random.uniform(-1.0, 1.0, (3 * n, 3))
    inside = cube[(cube**2).sum(axis=1) <= 1.0][:n]
    return inside, 4.0 * (1.0 + (np.arange(n) * 7919 % 1000) * 2e-3)


class Error:
    """Rms error of accelerations with G = 1, over their rms."""

    def __init__(self, places, masses):
        self.sample = np.arange(0, len(places), -(-len(places) // SAMPLE))
        self.exact = np.array([self.field(places, masses, k) for k in self.sample])

    @staticmethod
    def field(places, masses, k):
        apart = places - places[k]
        square = (apart**2).sum(axis=1)
        square[k] = np.inf
        return (masses / square**1.5) @ apart

    def __call__(self, field):
        return np.sqrt(((field[self.sample] - self.exact) ** 2).sum() / (self.exact**2).sum())


def angle_of(wanted, error_of, angle=0.6):
    """An opening angle whose error is about the one wanted, and that error, which grows as a power of the angle."""
    found = error_of(angle)
    for _ in range(6):
        if abs(found / wanted - 1.0) < 0.03:
            break
        angle *= min(max((wanted / found) ** 0.4, 0.5), 2.0)
        found = error_of(angle)
    return angle, found
