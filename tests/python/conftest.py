"""Runs that several tests read. The program is that of BRECCIA_BINARY, as for every user of the package."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import breccia
import pytest

REPOSITORY = Path(__file__).parents[2]

# Tests change the folder.
if "BRECCIA_BINARY" in os.environ:
    os.environ["BRECCIA_BINARY"] = os.path.abspath(os.environ["BRECCIA_BINARY"])

SHORT = {"run.duration_s": 0.4, "output.frames": 4, "output.series_rows": 20, "output.contacts": True}
"""Settings of `bounce`: two spheres that hit each other after 0.25 s."""




def pytest_addoption(parser: pytest.Parser) -> None:
    """`--nightly` runs the slow tests too."""
    parser.addoption("--nightly", action="store_true", help="run the tests that need minutes, or programs of others")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Skips what is marked `nightly` unless it is asked for."""
    if config.getoption("--nightly"):
        return
    for item in items:
        if item.get_closest_marker("nightly"):
            item.add_marker(pytest.mark.skip(reason="only with --nightly"))


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Each test works in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="session")
def bounce(tmp_path_factory: pytest.TempPathFactory) -> breccia.Run:
    """A finished run of two spheres, in f64 on the CPU, with the contacts of every frame."""
    out = tmp_path_factory.mktemp("runs") / "bounce"
    return breccia.run("bounce", SHORT, out=out, engine="reference")


@pytest.fixture
def program(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Puts a program of these lines of Python in the place of `breccia`."""
    if sys.platform == "win32":
        pytest.skip("Windows starts no scripts by their first line")

    def place(lines: str) -> None:
        path = folder / "program"
        path.write_text(f"#!{sys.executable}\nimport sys\n{lines}\n")
        path.chmod(0o755)
        monkeypatch.setenv("BRECCIA_BINARY", str(path))

    return place
