"""Liars about the depth of imports."""
