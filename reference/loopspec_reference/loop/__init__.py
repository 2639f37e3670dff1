"""The loop: an agent, its model calls, its tool calls, and an agent as a tool of another one.

What belongs here: the order in which hooks, wrappers, models and tools are called. The values, the calls and the state
of a run come from the other packages.
"""
