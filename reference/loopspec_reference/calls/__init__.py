"""The parts of one model call or tool call.

What belongs here: the model interface, outputs and their streams, the nesting of wrappers, retries, failovers and
callbacks. Nothing here knows handlers or runs; `loop` puts the parts together.
"""
