"""`loopspec docs`: the specification as a site."""

from __future__ import annotations

import argparse

from loopspec.engine.output import counted

from .site import site, write_site


def docs(args: argparse.Namespace) -> int:
    """Write the site, and name its first page."""
    files = site()
    write_site(args.folder, files)
    pages = sum(name.endswith(".html") for name in files)
    print(f"wrote {args.folder}: {counted(pages, 'page')}; open {args.folder / 'index.html'}")
    return 0
