"""Mutants of the AgentsMD middleware."""
