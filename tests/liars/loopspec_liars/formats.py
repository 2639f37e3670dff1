"""Liars about the text."""
