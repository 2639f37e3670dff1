"""Liars about configuring the handler."""
