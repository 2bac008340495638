"""Campaigns: many runs of one scenario, and their table."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from breccia import documents, tables
from breccia.command import call, flags, warn
from breccia.errors import ExpectationWarning, FailedCasesWarning
from breccia.progress import wanted_bar

_MISSED = 1


def sweep(
    campaign: str | os.PathLike[str] | documents.Document | Mapping[str, Any],
    *,
    out: str | os.PathLike[str] | None = None,
    jobs: int | None = None,
    gpu: str | int | Sequence[str | int] | None = None,
    retry: bool = False,
    progress: bool | None = None,
    as_arrays: bool = False,
    **options: object,
) -> Any:
    """Runs what is left of a campaign, as `breccia sweep`, and reads its table. The same call goes on after a stop.

    Args:
        campaign: name of a built-in campaign, path of a file, what `breccia.campaign` made, or a mapping that it takes.
        out: directory of the campaign; runs/NAME if it is not given. The runs are in its folder cases/.
        jobs: cases at once.
        gpu: adapter, or several to which cases are dealt.
        retry: runs failed cases again.
        progress: `True` draws a bar on stderr, `False` does not; if it is not given, there is a bar on a terminal.
        as_arrays: gives arrays also if pandas is installed.
        options: other options of `breccia sweep`, with underscores: `table=True` runs nothing and makes the table.

    Returns:
        campaign.csv, a row for each case (docs/user/campaigns.md#the-table): a pandas.DataFrame if pandas is installed,
        else a mapping of arrays by the names of their columns. With options that make no table, such as `list=True`,
        `dry_run=True`, `slurm="array.sh"` and `case=3`, what `breccia sweep --json` prints.

    Raises:
        BrecciaError: a class for each exit code, with the words of the program.
        KeyboardInterrupt: Ctrl-C; every case that was running has stopped with a checkpoint.
        StoppedError: something else stopped it.
        TypeError: a flag is neither `True` nor `False`, or a value of a mapping cannot be written in TOML.

    Warns:
        BrecciaWarning: the program warned of something.
        FailedCasesWarning: some cases failed or could not be measured, or some pictures could not be drawn.
        ExpectationWarning: the cases miss what the campaign expects of them; expectations.json in its directory has
            what they show.
    """
    if not (progress is None or isinstance(progress, bool)):
        raise TypeError(f"progress={progress!r}: give True or False")
    gpus = [] if gpu is None else list(gpu) if isinstance(gpu, Iterable) and not isinstance(gpu, str) else [gpu]
    options |= {"out": out, "jobs": jobs, "retry": retry}
    bar = wanted_bar(progress)

    def heard(event: dict[str, Any]) -> None:
        if bar and event.get("event") == "ended":
            bar.show(event["settled"] / event["of"], f"{event['settled']} of {event['of']}, {event['name']}")

    try:
        with documents.as_argument(campaign, documents.campaign) as name:
            arguments = ["sweep", *flags(options), *(f"--gpu={g}" for g in gpus), "--", name]
            outcome = call(arguments, fine=(0, _MISSED), heard=heard)
    finally:
        if bar:
            bar.close()
    warn(outcome.warnings, stacklevel=2)
    end = outcome.document("counts")
    if not end:
        return outcome.result()
    failed, missed = _failed(end), _missed(end)
    if failed:
        text = "\n".join(["some cases or pictures of the campaign failed; retry=True runs cases again", *failed])
        warnings.warn(text, FailedCasesWarning, stacklevel=2)
    if missed:
        warnings.warn("\n".join(["the campaign missed expectations", *missed]), ExpectationWarning, stacklevel=2)
    arrays = tables.read_arrays(Path(end["out"]) / "campaign.csv")
    return arrays if as_arrays else tables.as_table(arrays)


def _failed(end: dict[str, Any]) -> list[str]:
    """What failed, in words."""
    cases = [f"case {c['name']}: {c['error']}" for c in end.get("cases", []) if c.get("status") == "failed"]
    pictures = [f"picture {p['name']}: {p['error']}" for p in end.get("pictures", []) if p.get("error")]
    return cases + pictures


def _missed(end: dict[str, Any]) -> list[str]:
    """What was missed, in words."""
    return [_words(judged) for judged in end.get("expect", []) if judged.get("outcome") == "missed"]


def _words(judged: dict[str, Any]) -> str:
    """What a campaign shows of an expectation, and what it wants."""
    expected = judged.get("expected")
    wanted = f", expected {expected[0]} +- {expected[1]}" if expected else ""
    return f"{judged['what']}: {judged['measure']} {judged['found']}{wanted} ({judged['source']})"
