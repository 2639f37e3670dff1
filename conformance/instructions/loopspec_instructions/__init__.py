"""Instruction files: what coding agents read of them, and what goes wrong with them."""
