"""Variants: each transforms scenes so that what their checks say must still hold."""

from .expanding import exemptions, variants, varied_cases
from .variant import Variant, VariedCase

__all__ = ["Variant", "VariedCase", "exemptions", "variants", "varied_cases"]
