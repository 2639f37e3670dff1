"""The tools of the user: those that the configuration of the repository names, or those found on the machine."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import msgspec

from .linting.configuration import FILE, configuration_of
from .linting.repository import repository_of


@cache
def programs() -> Mapping[str, Mapping[str, str]]:
    """The program of each dialect by name: its command, and its folder below the home folder. Others have neither."""
    return msgspec.toml.decode(Path(__file__).with_name("tools.toml").read_bytes(), type=dict[str, dict[str, str]])


def groups_for(folder: Path, home: Path) -> list[tuple[str, tuple[str, ...]]]:
    """The tools of a user who starts a tool in the folder, and the other programs, each group with a title.

    Raises `UsageError` for a wrong configuration.
    """
    own, title = _named(folder), f"Your tools, as {FILE} has them:"
    if not own:
        own = tuple(name for name, program in programs().items() if _is_found(program, home))
        title = "Your tools, as this machine has them:"
    others = tuple(name for name, program in programs().items() if program and name not in own)
    return [(title, own), ("Other tools:", others)]


def _named(folder: Path) -> tuple[str, ...]:
    """The tools in the nearest configuration, up to the root of the repository; outside a repository, in the folder."""
    root = repository_of(str(folder))
    above = (each for each in (folder, *folder.parents) if each.is_relative_to(root))
    nearest = next((each for each in above if (each / FILE).exists()), None)
    return configuration_of(nearest).tools if nearest else ()


def _is_found(program: Mapping[str, str], home: Path) -> bool:
    return bool(program) and ((home / program["folder"]).is_dir() or shutil.which(program["command"]) is not None)
