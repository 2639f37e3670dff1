"""`loopspec docs`: the specification as a site."""

from __future__ import annotations

import argparse

from ... import __version__
from ...pages.site import site, write_site


def docs(args: argparse.Namespace) -> int:
    """Write the site, and say where to begin."""
    files = site(__version__)
    write_site(args.folder, files)
    pages = sum(name.endswith(".html") for name in files)
    print(f"wrote {args.folder}: {pages} pages; open {args.folder / 'index.html'}")
    return 0
