"""The place where an exception was raised, so that its author finds the line."""

from __future__ import annotations

import os
import sys
import traceback
from pathlib import Path

from .faults import in_one_line
from .values import Place

# The packages whose frames and attributes are not an adapter's own.
KIT_PACKAGES = ("loopspec", "loopspec_adapting")
_KIT = Path(__file__).parents[1]
_IN_KIT = ("adapters", "examples")  # folders of a wheel inside the kit that are no part of the kit
_PYTHON = Path(os.__file__).parent
_INSTALLED = ("site-packages", "dist-packages")


def place_of(error: BaseException) -> Place | None:
    """The innermost place outside Python's own modules and the kit, or None."""
    for frame, line in reversed(list(traceback.walk_tb(error.__traceback__))):
        code = frame.f_code
        package = str(frame.f_globals.get("__name__")).partition(".")[0]
        if package not in KIT_PACKAGES and _is_foreign(Path(code.co_filename)):
            function = "" if code.co_name == "<module>" else code.co_qualname
            return Place(file=file_name(code.co_filename), line=line, function=function)
    return None


def located(error: BaseException) -> str:
    """An exception as a part of a sentence, with the place where it was raised."""
    place = place_of(error)
    return f"{in_one_line(error)} ({place})" if place else in_one_line(error)


def file_name(file: str) -> str:
    """A file's path relative to the current folder or to the folder that Python imports it from."""
    path = Path(file)
    for folder in sorted((str(Path.cwd()), *filter(None, sys.path)), key=len, reverse=True):
        if path.is_relative_to(folder):
            return path.relative_to(folder).as_posix()
    return file


def _is_foreign(path: Path) -> bool:
    if not path.is_absolute():  # `<frozen importlib._bootstrap>` and the like
        return False
    if path.is_relative_to(_KIT):
        return path.relative_to(_KIT).parts[0] in _IN_KIT
    return not path.is_relative_to(_PYTHON) or any(name in path.parts for name in _INSTALLED)
