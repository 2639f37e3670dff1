"""Liars about the language of the text."""
