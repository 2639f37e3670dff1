"""Liars about standing beside a handler that summarises."""
