"""Finds the program."""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig
from pathlib import Path

from breccia.errors import BinaryNotFoundError

_VARIABLE = "BRECCIA_BINARY"


def find_binary() -> Path:
    """Path of the program `breccia`.

    It is that of the environment variable BRECCIA_BINARY if this is set, else that of the wheel, else the first one on
    the path.

    Raises:
        BinaryNotFoundError: there is none; the text lists where it was looked for. Or BRECCIA_BINARY is not a program.
    """
    named = os.environ.get(_VARIABLE)
    if named:
        path = Path(named)
        if not path.is_file():
            raise BinaryNotFoundError(f"{_VARIABLE}={named}: there is no such file; correct or unset the variable")
        if not os.access(path, os.X_OK):
            raise BinaryNotFoundError(f"{_VARIABLE}={named}: the file is not executable; correct or unset the variable")
        return path.absolute()
    name = "breccia" + (sysconfig.get_config_var("EXE") or "")
    tried = _script_folders()
    for folder in tried:
        if (folder / name).is_file():
            return folder / name
    # A virtual environment that is not active has a folder of scripts that is not on the path, and the reverse.
    on_path = shutil.which("breccia")
    if on_path:
        return Path(on_path)
    folders = "".join(f"\n  {folder}" for folder in tried)
    raise BinaryNotFoundError(
        f"there is no program `{name}` on the path, nor in:{folders}\n"
        f"install the wheel of the package, build the program (`cargo build --release`), or set {_VARIABLE} to its path"
    )


def _script_folders() -> list[Path]:
    """Where pip puts programs: of this environment, of the user, of `pip install --target`."""
    folders = [Path(sysconfig.get_path("scripts"))]
    user = sysconfig.get_preferred_scheme("user")
    if user in sysconfig.get_scheme_names() and sys.flags.no_user_site == 0:
        folders.append(Path(sysconfig.get_path("scripts", scheme=user)))
    folders.append(Path(__file__).parent.parent / "bin")
    return folders
