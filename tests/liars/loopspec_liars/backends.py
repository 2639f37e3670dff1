"""Liars about being a backend."""
