"""Handlers, and the older middleware structs."""
