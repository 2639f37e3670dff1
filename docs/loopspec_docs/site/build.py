"""Renders the site with the docs tool."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from loopspec.contract.faults import UsageError

from .folder import written_below
from .site import sources

_NEEDED = ("zensical", "pytest")
# What the tool adds and a site on a disk does not need: the address of the site, and the index for a server.
_LEFT_OUT = ("sitemap.xml", "sitemap.xml.gz", "objects.inv", "404.html")


def site() -> dict[str, bytes]:
    """Make the files of the site by their paths. Raises `UsageError` without what the extra `docs` installs."""
    if any(find_spec(name) is None for name in _NEEDED):
        raise UsageError(f"`loopspec docs` needs the packages {' and '.join(_NEEDED)}: pip install 'loopspec[docs]'")
    with TemporaryDirectory(prefix="loopspec-docs-") as folder:
        return render(Path(folder), sources())


def render(folder: Path, texts: dict[str, str]) -> dict[str, bytes]:
    """Write the sources into a folder, and render them there."""
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "zensical", "build"]
    ran = subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", check=False)
    if ran.returncode or not (folder / "site" / "index.html").is_file():
        raise UsageError(f"zensical cannot render the site: {' '.join((ran.stderr or ran.stdout).split())[-500:]}")
    return {name: data for name, data in written_below(folder / "site").items() if name not in _LEFT_OUT}
