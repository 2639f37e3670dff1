"""Values that pass through a run.

What belongs here: messages, events, errors, the rendering of an instruction, and the language of texts. Nothing here
runs a model or a tool, and nothing here imports another package of the reference.
"""
