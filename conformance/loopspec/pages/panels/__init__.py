"""The configuration panels of strategies: one HTML page, made of their metadata alone."""

from .page import render

__all__ = ["render"]
