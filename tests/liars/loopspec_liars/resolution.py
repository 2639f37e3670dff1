"""Liars about where an import points."""
