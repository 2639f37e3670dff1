"""Mutants of the agent loop and its handlers."""
