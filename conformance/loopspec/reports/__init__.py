"""Reports of a run in all forms."""
