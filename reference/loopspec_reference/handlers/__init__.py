"""Handlers: the hooks of an agent, and the legacy middleware structs.

What belongs here: the interfaces that the author of a handler or of a tool middleware implements, and the values that
the hooks receive. When a hook is called is decided in `loop`.
"""
