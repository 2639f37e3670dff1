"""The specification as a site: plain files that open from a disk, the same for the same features."""

from .folder import write_site
from .site import site

__all__ = ["site", "write_site"]
