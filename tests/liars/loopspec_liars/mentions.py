"""Liars about which words are imports."""
