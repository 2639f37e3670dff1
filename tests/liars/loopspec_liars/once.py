"""Liars about files loaded once."""
