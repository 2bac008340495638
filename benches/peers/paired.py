"""What the scripts of all peers share: the bench of Breccia, work done in turns, and the rows of the table."""

import json
import os
import shlex
import statistics
import subprocess

HEAD = "| work | size | peer | threads | rms error, Breccia and peer | Breccia | peer | ratio |\n"
HEAD += 8 * "| --- " + "|"
ROUNDS = int(os.environ.get("ROUNDS", "3"))
FOLDER = os.path.dirname(os.path.abspath(__file__))
BRECCIA = os.environ.get("BRECCIA", os.path.join(FOLDER, "../../target/release/breccia"))


class Bench:
    """One run of `breccia bench` on this many threads."""

    def __init__(self, part, bodies, threads=1):
        self.words = (part, bodies, threads)
        environment = {"NODEVICE_SELECT": "1", **os.environ, "LP_NUM_THREADS": str(threads if threads > 1 else 0)}
        words = ["bench", "--only", part, "--bodies", str(bodies), "--json", *shlex.split(os.environ.get("FLAGS", ""))]
        done = subprocess.run([BRECCIA, *words], stdout=subprocess.PIPE, env=environment, check=False)
        report = json.loads(done.stdout)
        if report["missing"]:
            raise SystemExit(report["missing"][0]["why"])
        self.rows = report["rows"]
        self.on_one_core = threads == 1 and "threads" in report["device"]

    def again(self):
        """One more run of the same."""
        return Bench(*self.words)

    def row(self, what):
        """The row whose name begins so."""
        return next(row for row in self.rows if row["what"].startswith(what))

    def seconds(self, what):
        """CPU time on one core of software Vulkan, where other programs then do not count; else the time on the device."""
        row = self.row(what)
        return row["seconds_cpu"] if self.on_one_core and row["seconds_cpu"] else row["seconds_least"]


def in_turns(bench, what, theirs):
    """Least seconds of each, and the median of how often ours go into theirs, when both take turns from `bench` on."""
    pairs = []
    while len(pairs) < ROUNDS:
        bench = bench.again() if pairs else bench
        pairs.append((bench.seconds(what), theirs()))
    return [*map(min, zip(*pairs)), statistics.median(b / a for a, b in pairs)]


def time(seconds):
    """For people."""
    unit, name = next((u, n) for u, n in [(1, "s"), (1e-3, "ms"), (1e-6, "us")] if seconds >= u or n == "us")
    return f"{seconds / unit:.3g} {name}"


def show(work, size, peer, threads, errors, ours, theirs, ratio):
    """Prints a row; `errors`: of Breccia and of the peer, none where both do the same sums."""
    error = " and ".join(f"{e:.1e}" if e else "exact" for e in errors) if errors else "-"
    often = f"{ratio:.2g}" if ratio < 10 else f"{ratio:.0f}"
    cells = [work, f"{size:,}", peer, threads, error, time(ours), time(theirs), often]
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)
