"""Liars about loading once per run."""
