"""Variants: each transforms scenes so that what their checks say must still hold."""

from .expanding import exemptions, variants, variants_named, varied_cases
from .restoring import NotComparable
from .variant import SEPARATOR, Variant, VariedCase

__all__ = [
    "SEPARATOR",
    "NotComparable",
    "Variant",
    "VariedCase",
    "exemptions",
    "variants",
    "variants_named",
    "varied_cases",
]
