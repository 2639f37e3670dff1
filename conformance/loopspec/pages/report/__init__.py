"""Reports of several implementations as one HTML page that loads nothing."""

from .page import render

__all__ = ["render"]
