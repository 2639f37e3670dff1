"""Mutants of the plugin layer."""
