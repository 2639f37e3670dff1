"""Stored histories and traces of agents, checked without an adapter: `loopspec check`."""
