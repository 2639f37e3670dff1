"""The specification as a site: Markdown that a docs tool renders, as plain files that open from a disk."""

from .build import site
from .folder import write_site

__all__ = ["site", "write_site"]
