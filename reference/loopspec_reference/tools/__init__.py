"""Tools: the four kinds, and the tools of an agent by name."""
