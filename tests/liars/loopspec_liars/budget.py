"""Liars about the byte limit."""
