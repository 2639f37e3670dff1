"""Implementations of others: their environments, their versions and their results."""
