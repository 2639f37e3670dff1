"""Liars about where the instructions stand."""
