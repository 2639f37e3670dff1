"""Tools: the four kinds of tools, and the tools of a run by name.

What belongs here: the interfaces that a tool implements, the values of a tool call, and the built-in exit tool. How a
tool is called within a run belongs to `loop`.
"""
