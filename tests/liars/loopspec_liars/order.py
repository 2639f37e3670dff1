"""Liars about the order of files."""
