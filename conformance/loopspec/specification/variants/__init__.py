"""Variants: each transforms scenes so that what their checks say must still hold."""

from .expanding import case_named, varied_cases
from .restoring import NotComparable
from .variant import Variant, VariedCase

__all__ = ["NotComparable", "Variant", "VariedCase", "case_named", "varied_cases"]
